"""The parity harness: our metrics against the definitions of the released ones, value by value.

The definitions are written here once more, in the most literal way, from what is known of the
released programs (no code of theirs): loops where ours uses a library, one rule a line. Both are
asked about thousands of answers: the gold answers of the benchmarks at hand, each bent in the ways
models bend them, and texts drawn at random. Every value must be the same. See
``design/evaluation.md``, "Parity".
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inforce.agents.r1.protocol import text_gate
from inforce.evals.legalagentbench.tasks import share
from inforce.llm.recorded import read_recordings
from inforce.scoring.answers import PARSE_ERROR, choice_letter, same_charges, tagged_answer
from inforce.scoring.judge import Verdict
from inforce.scoring.legalsearch import evaluate, reward
from inforce.scoring.overlap import bleu4, character_f1, jaccard, rouge_l
from inforce.scoring.tasks import RELEASED_FILES, TASKS, Task
from inforce.scoring.term_classes import eleven, ten

pytestmark = pytest.mark.slow

SEED = 20_260_101


# --- the definitions, literally -----------------------------------------------------------------


def characters(text: str) -> list[str]:
    return [one for one in text if not one.isspace()]


def defined_rouge(answer: str, reference: str) -> float:
    ours, theirs = characters(answer), characters(reference)
    row = [0] * (len(theirs) + 1)
    for one in ours:
        before = 0
        for place, other in enumerate(theirs, start=1):
            longest = before + 1 if one == other else max(row[place], row[place - 1])
            before, row[place] = row[place], longest
    common = row[-1]
    if common == 0:
        return 0.0
    r, p, square = common / len(theirs), common / len(ours), 1.2 * 1.2
    return (1 + square) * r * p / (r + square * p)


def defined_f1(answer: str, reference: str) -> float:
    ours, theirs = characters(answer), characters(reference)
    if not ours and not theirs:
        return 1.0
    left, shared = list(theirs), 0
    for one in ours:
        if one in left:
            left.remove(one)
            shared += 1
    if shared == 0:
        return 0.0
    p, r = shared / len(ours), shared / len(theirs)
    return 2 * p * r / (p + r)


def defined_jaccard(answer: str, reference: str) -> float:
    used = {*characters(answer), *characters(reference)}
    both = [one for one in used if one in answer and one in reference]
    return len(both) / len(used) if used else 1.0


def defined_bleu(answer: str, reference: str) -> float:
    ours, theirs = characters(answer), characters(reference)
    if len(ours) < 4:
        return 0.0
    product = 1.0
    for n in (1, 2, 3, 4):
        grams = [tuple(ours[at : at + n]) for at in range(len(ours) - n + 1)]
        left = [tuple(theirs[at : at + n]) for at in range(len(theirs) - n + 1)]
        shared = 0
        for gram in grams:
            if gram in left:
                left.remove(gram)
                shared += 1
        product *= shared / len(grams) if shared else 1 / (len(grams) * 2**n)
    penalty = 1.0 if len(ours) > len(theirs) else math.exp(1 - len(theirs) / len(ours))
    return penalty * product**0.25


def defined_answer(text: str) -> str:
    found = re.search(r"<answer>(.*?)</answer>", text, re.IGNORECASE | re.DOTALL)
    return found[1].strip() if found else text.strip()


def defined_charges(answer: str, target: str) -> bool:
    ours = [one.strip() for one in re.split("[;；]", answer) if one.strip()]
    theirs = [one.strip() for one in re.split("[;；]", target) if one.strip()]
    if len(ours) != len(theirs):
        return False
    return all(one in ours or one + "罪" in ours for one in theirs)


def defined_score(task: Task, text: str, target: str) -> float:
    answer = defined_answer(text)
    if task == "lar":
        return defined_rouge(answer, target)
    if task == "ccp":
        return float(defined_charges(answer, target))
    return float(answer == target.strip())


def defined_format(solution: str) -> bool:
    tags = ("think", "plan", "tool_call", "answer", "tool_response")
    for tag in tags:
        opened, closed = solution.count(f"<{tag}>"), solution.count(f"</{tag}>")
        if opened == 0 or opened != closed:
            return False
        if solution.rfind(f"</{tag}>") < solution.rfind(f"<{tag}>"):
            return False
    actions = sum(solution.count(f"<{tag}>") for tag in ("plan", "tool_call", "answer"))
    return solution.count("<think>") == actions


def defined_reward(task: Task, solution: str, target: str, verdict: Verdict | None) -> float:
    found = re.search(r"<answer>(.*?)</answer>", solution, re.IGNORECASE | re.DOTALL)
    answer = found[1].strip() if found else ""
    if not defined_format(solution) or not answer:
        return 0.0
    target = target.strip()
    match task:
        case "lcs":
            assert verdict is not None
            return float(verdict.answer_correct and verdict.basis_correct)
        case "lar":
            return float(defined_rouge(answer, target) >= 0.95)
        case "ccp":
            return float(defined_charges(answer, target))
        case "kqa" | "ptp" | "lap" | "lca":
            return float(answer == target)
        case _:
            return float(answer.lower() == target.lower())


def defined_letter(text: str) -> str:
    text = text.strip()
    if found := re.search(r"ANSWER:\s*([A-D])", text, re.IGNORECASE):
        return found[1].upper()
    if text[:1].upper() in ("A", "B", "C", "D") and text[:1] and re.match(r".[.)\s]", text, re.S):
        return text[0].upper()
    found = re.search(r"\b([A-D])\b", text)
    return found[1] if found else PARSE_ERROR


def defined_ten(months: int) -> int:
    for number, most in ((9, None), (8, 120), (7, 84), (6, 60), (5, 36), (4, 24)):
        above = {9: 120, 8: 84, 7: 60, 6: 36, 5: 24, 4: 12}[number]
        if months > above and (most is None or months <= most):
            return number
    if months > 9:
        return 3
    if months > 6:
        return 2
    return 1 if months > 0 else 0


# --- answers as models bend them ----------------------------------------------------------------

BENDS: dict[str, Callable[[str, random.Random], str]] = {
    "as it is": lambda text, chance: text,
    "in a tag": lambda text, chance: f"<answer>{text}</answer>",
    "after a thought": lambda text, chance: f"<think>想</think>\n<answer>\n{text}\n</answer>",
    "in capitals": lambda text, chance: f"<ANSWER>{text}</ANSWER>",
    "without its end": lambda text, chance: f"<answer>{text}",
    "twice": lambda text, chance: f"<answer>{text[:-1]}</answer><answer>{text}</answer>",
    "with a heading": lambda text, chance: f"【标题】{text}",
    "with spaces": lambda text, chance: " ".join(text),
    "with a full stop": lambda text, chance: f"{text}。",
    "in small letters": lambda text, chance: text.lower(),
    "turned round": lambda text, chance: ";".join(reversed(text.split(";"))),
    "with the word crime": lambda text, chance: text.replace(";", "罪；") + "罪",
    "cut": lambda text, chance: text[: chance.randrange(len(text) + 1)],
    "a character less": lambda text, chance: text[:-1],
    "a character else": lambda text, chance: text.replace(chance.choice(text or "x"), "某", 1),
    "in another order": lambda text, chance: "".join(chance.sample(text, len(text))),
    "empty": lambda text, chance: "",
    "something else": lambda text, chance: "无法回答。",
}


def gold(shared_data: Path) -> Iterator[tuple[Task, str]]:
    for name in RELEASED_FILES:
        path = shared_data / "legalsearch_r1" / name
        for line in path.read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            yield item["type"], item["answer"]


def bent(shared_data: Path) -> Iterator[tuple[Task, str, str]]:
    """Task, what a model says, and the gold answer."""
    chance = random.Random(SEED)
    for task, target in gold(shared_data):
        for bend in BENDS.values():
            yield task, bend(target, chance), target


def texts(count: int, alphabet: str, longest: int) -> Iterator[str]:
    chance = random.Random(SEED)
    for _ in range(count):
        yield "".join(chance.choices(alphabet, k=chance.randrange(longest)))


# --- value by value -----------------------------------------------------------------------------


@pytest.mark.data
def test_every_task_scores_every_bent_gold_answer_as_defined(shared_data: Path) -> None:
    compared = 0
    for task, said, target in bent(shared_data):
        if task == "lcs":
            continue  # a judge's verdict, no measure of texts
        answer = tagged_answer(said)
        assert answer == defined_answer(said)
        ours = evaluate(task, answer, target)["score"]
        assert ours == pytest.approx(defined_score(task, said, target), abs=1e-12), (task, said)
        compared += 1
    assert compared > 13_000


@pytest.mark.data
def test_overlap_of_recitations_is_as_defined(shared_data: Path) -> None:
    recited = [(said, target) for task, said, target in bent(shared_data) if task == "lar"]
    drawn = list(texts(2_000, "甲乙丙丁 \n", 24))
    pairs = [*recited, *zip(drawn[::2], drawn[1::2], strict=True)]
    for answer, reference in pairs:
        assert rouge_l(answer, reference) == pytest.approx(defined_rouge(answer, reference))
        assert character_f1(answer, reference) == pytest.approx(defined_f1(answer, reference))
        assert jaccard(answer, reference) == pytest.approx(defined_jaccard(answer, reference))
        assert bleu4(answer, reference) == pytest.approx(defined_bleu(answer, reference))
    assert len(pairs) > 2_000


def test_charges_in_any_order_are_as_defined() -> None:
    chance = random.Random(SEED)
    names = ["盗窃", "诈骗", "盗窃罪", " 抢劫 ", ""]
    for _ in range(5_000):
        answer, target = (
            chance.choice(";；").join(chance.choices(names, k=chance.randrange(4)))
            for _ in range(2)
        )
        assert same_charges(answer, target) == defined_charges(answer, target), (answer, target)


def test_the_training_reward_and_its_gate_are_as_defined() -> None:
    chance = random.Random(SEED)
    whole = (
        "<think>想</think><plan>查</plan><think>想</think><tool_call>{}</tool_call>"
        "<tool_response>文</tool_response><think>想</think><answer>AC</answer>"
    )
    parts = re.findall(r"</?\w+>|[^<]+", whole)
    kept = 0
    for _ in range(8_000):
        solution = list(parts)
        for _ in range(chance.choice((0, 0, 1, 1, 2, 3))):
            place = chance.randrange(len(solution))
            match chance.choice(("drop", "double", "swap", "other")):
                case "drop":
                    del solution[place]
                case "double":
                    solution.insert(place, solution[place])
                case "swap":
                    other = chance.randrange(len(solution))
                    solution[place], solution[other] = solution[other], solution[place]
                case _:
                    solution[place] = chance.choice(("<answer>", "</answer>", "ac", "AC "))
        text = "".join(solution)
        assert text_gate(text).valid == defined_format(text), text
        kept += defined_format(text)
        task = chance.choice(TASKS)
        verdict = Verdict(chance.random() < 0.5, chance.random() < 0.5)
        ours = reward(task, text, "AC", verdict=verdict)
        assert ours == defined_reward(task, text, "AC", verdict), (task, text)
    assert kept > 1_000


def test_letters_are_read_as_defined() -> None:
    for text in texts(20_000, "ABCDabcd.:) \nANSWERIanswer", 14):
        assert choice_letter(text) == defined_letter(text), repr(text)
        said = f"x answer:{text}"
        assert choice_letter(said) == defined_letter(said), repr(said)


def test_prison_terms_fall_into_the_classes_as_defined() -> None:
    for months in range(-3, 400):
        assert ten(months) == defined_ten(months)
        assert eleven(months) == (10 - defined_ten(months) if months > 0 else 10)
    assert eleven(0, life_or_death=True) == 0


@pytest.mark.data
def test_key_words_of_legalagentbench_come_to_what_is_known_of_the_recorded_run(
    shared_data: Path,
) -> None:
    """Success and progress over the stored texts, counted key by key, as the released program."""
    folder = shared_data / "legalagentbench"
    runs = {str(one.id): one for one in read_recordings(folder / "recorded_react_glm-4.jsonl")}
    tasks = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    success = 0.0
    for task in tasks:
        final = (runs[str(task["id"])].final or "").replace(",", "")
        defined = len([key for key in task["key"] if key in final]) / len(task["key"])
        assert share(task["key"], final) == defined
        success += defined
    assert round(success / len(tasks), 4) == 0.5762


@pytest.mark.data
def test_always_b_earns_the_share_of_gold_answers_that_are_b(shared_data: Path) -> None:
    """Official: 0.281 over the 128 questions of ``lbk``; half of them are at hand."""
    letters = [target for task, target in gold(shared_data) if task == "lbk"]
    scores = [evaluate("lbk", tagged_answer("B"), target)["score"] or 0.0 for target in letters]
    assert sum(scores) == letters.count("B") == 16
