"""The scores of LegalSearch-R1 by task: in evaluation (section 6.2) and as a training reward.

Evaluation: ROUGE-L for recitations, all charges in any order, the mean of a judge's two verdicts
for consultations, else equality to the letter. The training reward (equations 6 and 7) is stricter:
0 if the format is broken or there is no answer, recitations are right from ROUGE-L 0.95,
consultations if the judge finds both the conclusion and its basis right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from inforce.agents.r1.protocol import RESPONSE, TAGS, text_gate
from inforce.agents.runtime.trace import Event, Observed, Replied
from inforce.documents.untrusted import as_data
from inforce.scoring.answers import has_answer, same_charges, tagged_answer
from inforce.scoring.judge import Verdict
from inforce.scoring.overlap import bleu4, character_f1, jaccard, rouge_l, without_headings
from inforce.scoring.tasks import Task

SCORE = "score"
"""The measure of every task; the paper's averages are of it."""

RECITATION = ("rouge_l", "rouge_l_text", "f1", "jaccard", "bleu4")
"""Further measures of a recited article; ``rouge_l_text`` leaves 【…】 headings out."""

CONSULTATION = ("answer_correct", "basis_correct")
"""The verdicts of the judge of a consultation."""

RECITED = 0.95
"""ROUGE-L from which an article counts as recited."""

Gate = Literal["released", "equation"]
"""The format a run must keep. ``released``, as in the published code: every tag occurs and is
closed as often as opened, and there are as many thoughts as plans, tool calls and answers together.
``equation``, as the paper explains equation 6: tags are balanced, and the first round plans."""

_TO_THE_LETTER: frozenset[Task] = frozenset({"kqa", "ptp", "lap", "lca"})


def evaluate(
    task: Task, answer: str, target: str, *, verdict: Verdict | None = None
) -> dict[str, float | None]:
    """Return the evaluation measures of an answer, ``score`` first.

    Args:
        task: decides the rules.
        answer: as `inforce.scoring.answers.tagged_answer` reads it.
        target: the gold answer.
        verdict: of the judge of a consultation; without it a consultation is not measured.
    """
    match task:
        case "lar":
            return _recitation(answer, target)
        case "lcs":
            if verdict is None:
                return dict.fromkeys((SCORE, *CONSULTATION))
            verdicts = float(verdict.answer_correct), float(verdict.basis_correct)
            return {SCORE: verdict.score, **dict(zip(CONSULTATION, verdicts, strict=True))}
        case "ccp":
            return {SCORE: float(same_charges(answer, target))}
        case _:
            return {SCORE: float(answer == target.strip())}


def _recitation(answer: str, target: str) -> dict[str, float | None]:
    whole = rouge_l(answer, target)
    return {
        SCORE: whole,
        "rouge_l": whole,
        "rouge_l_text": rouge_l(without_headings(answer), without_headings(target)),
        "f1": character_f1(answer, target),
        "jaccard": jaccard(answer, target),
        "bleu4": bleu4(answer, target),
    }


def reward(
    task: Task,
    solution: str,
    target: str,
    *,
    verdict: Verdict | None = None,
    gate: Gate = "released",
) -> float | None:
    """Return the training reward of a run, 0 or 1.

    Args:
        task: decides the rules.
        solution: everything the model and its environment wrote, tags included.
        target: the gold answer.
        verdict: of the judge of a consultation; ``None`` if it failed or was not asked, and then
            the reward is ``None`` unless the format alone decides.
        gate: the format to keep.
    """
    answer = tagged_answer(solution, without_tag="none")
    if not keeps_format(solution, gate=gate) or not answer:
        return 0.0
    if task == "lcs":
        return None if verdict is None else float(verdict.score == 1)
    return float(is_right(task, answer, target.strip()))


def is_right(task: Task, answer: str, target: str) -> bool:
    """True if an answer is right by the rules of training; not for consultations."""
    if not target:
        return False
    if task == "lar":
        return rouge_l(answer, target) >= RECITED
    if task == "ccp":
        return same_charges(answer, target)
    if task in _TO_THE_LETTER:
        return answer == target
    return answer.lower() == target.lower()


def keeps_format(solution: str, *, gate: Gate = "released") -> bool:
    """True if a run keeps the format of the protocol."""
    if gate == "released":
        return text_gate(solution).valid
    return _is_balanced(solution) and "<plan>" in solution.partition(f"<{RESPONSE}>")[0]


def _is_balanced(solution: str) -> bool:
    """True if every opened tag is closed before it is opened again."""
    return all(
        re.findall(f"</?{tag}>", solution) == [f"<{tag}>", f"</{tag}>"] * solution.count(f"<{tag}>")
        for tag in (*TAGS, RESPONSE)
    )


def final_reply(events: Sequence[Event]) -> str | None:
    """The reply of a run of R1 that its answer is read from; ``None`` if the model did not reply.

    The last one with an ``<answer>``, else the last. The released evaluation reads an answer
    wherever there is one and requires neither a plan nor a search; a run of ours may continue after
    such a reply, because the agent asks its model to search first.
    """
    replies = [one.text for one in events if isinstance(one, Replied) and one.role == "agent"]
    answers = [text for text in replies if has_answer(text)]
    return next(iter((*answers[-1:], *replies[-1:])), None)


def solution_of(events: Sequence[Event]) -> str:
    """A run of R1 as one text: the model's replies and the results of its tools."""
    parts: list[str] = []
    for event in events:
        match event:
            case Replied(role="agent"):
                parts.append(event.text)
            case Observed():
                parts.append(f"<{RESPONSE}>\n{as_data(event.text)}\n</{RESPONSE}>")
            case _:
                pass
    return "\n".join(parts)
