"""What each task scores in evaluation, and what it earns in training."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from inforce.agents.runtime.trace import Event, Noted, Observed, Replied
from inforce.llm.chat import Usage
from inforce.scoring.judge import Verdict
from inforce.scoring.legalsearch import Gate, evaluate, keeps_format, reward, solution_of
from inforce.scoring.overlap import rouge_l
from inforce.scoring.tasks import TASKS, Task

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BOTH, CONCLUSION, NEITHER = Verdict(True, True), Verdict(True, False), Verdict(False, False)


# --- evaluation ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "answer", "target", "expected"),
    [
        ("kqa", "AC", "AC", 1.0),
        ("kqa", "AC", " AC\n", 1.0),
        ("lap", "CA", "AC", 0.0),  # letters in another order are another answer
        ("lca", "A C", "AC", 0.0),
        ("ptp", "12个月", "12个月", 1.0),
        ("ptp", "12月", "12个月", 0.0),
        ("ptp", "12 个月", "12个月", 0.0),
        ("cpa", "a", "A", 0.0),  # in evaluation, case counts everywhere
        ("ccp", "诈骗罪;盗窃", "盗窃;诈骗", 1.0),
        ("ccp", "盗窃", "盗窃;诈骗", 0.0),
        ("nje", "", "A", 0.0),
    ],
)
def test_an_answer_is_right_or_wrong(task: Task, answer: str, target: str, expected: float) -> None:
    assert evaluate(task, answer, target) == {"score": expected}


def test_a_recitation_has_five_measures_and_its_score_is_rouge_l() -> None:
    found = evaluate("lar", "不适用缓刑。", "【缓刑】不适用缓刑。")
    assert list(found) == ["score", "rouge_l", "rouge_l_text", "f1", "jaccard", "bleu4"]
    recall = 6 / 10  # six characters of ten; precision 1
    assert found["score"] == found["rouge_l"]
    assert found["score"] == pytest.approx((1 + 1.44) * recall / (recall + 1.44))
    assert found["rouge_l_text"] == 1.0  # headings are no part of the law
    assert found["f1"] == pytest.approx(2 * 6 / (6 + 10))
    assert found["jaccard"] == pytest.approx(6 / 8)  # 【, 】 are the two others


@pytest.mark.parametrize(
    ("verdict", "score"), [(BOTH, 1.0), (CONCLUSION, 0.5), (Verdict(False, True), 0.5)]
)
def test_a_consultation_scores_half_for_its_conclusion_and_half_for_its_basis(
    verdict: Verdict, score: float
) -> None:
    assert evaluate("lcs", "答", "金", verdict=verdict) == {
        "score": score,
        "answer_correct": float(verdict.answer_correct),
        "basis_correct": float(verdict.basis_correct),
    }


def test_a_consultation_without_a_verdict_is_not_measured() -> None:
    assert set(evaluate("lcs", "答", "金").values()) == {None}


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_a_score(task: Task) -> None:
    assert next(iter(evaluate(task, "A", "A", verdict=BOTH))) == "score"


# --- training -----------------------------------------------------------------------------------

CALL = "<think>查</think><tool_call>{}</tool_call>\n<tool_response>法条</tool_response>"


def solution(answer: str) -> str:
    last = f"<think>答</think>\n<answer>\n{answer}\n</answer>"
    return f"<think>想</think><plan>一、查</plan>{CALL}{last}"


@pytest.mark.parametrize(
    ("task", "answer", "target", "expected"),
    [
        ("kqa", "AC", "AC", 1.0),
        ("kqa", "ac", "AC", 0.0),
        ("ptp", "12月", "12个月", 0.0),
        ("nje", "ac", "AC", 1.0),  # other tasks do not mind the case
        ("pfe", "B", "A", 0.0),
        ("ccp", "诈骗罪；盗窃", "盗窃;诈骗", 1.0),
        ("kqa", "AC", "", 0.0),  # no gold answer
        ("kqa", "", "AC", 0.0),
    ],
)
def test_a_reward_is_one_or_nothing(task: Task, answer: str, target: str, expected: float) -> None:
    assert reward(task, solution(answer), target) == expected


@pytest.mark.parametrize(("wrong", "expected"), [(1, 1.0), (2, 0.0)])
def test_a_recitation_is_rewarded_from_rouge_l_of_95(wrong: int, expected: float) -> None:
    """Of 33 characters one or two are others: 32/33 = .9697, 31/33 = .9394."""
    target = "甲" * 33
    recited = "甲" * (33 - wrong) + "乙" * wrong
    assert rouge_l(recited, target) == pytest.approx((33 - wrong) / 33)
    assert reward("lar", solution(recited), target) == expected


@pytest.mark.parametrize(
    ("verdict", "expected"), [(BOTH, 1.0), (CONCLUSION, 0.0), (NEITHER, 0.0), (None, None)]
)
def test_a_consultation_is_rewarded_only_if_both_verdicts_are_good(
    verdict: Verdict | None, expected: float | None
) -> None:
    assert reward("lcs", solution("答"), "金", verdict=verdict) == expected


def test_where_the_format_is_broken_no_judge_is_needed() -> None:
    assert reward("lcs", "<answer>答</answer>", "金") == 0.0


@pytest.mark.parametrize(
    ("text", "released", "equation"),
    [
        (solution("A"), True, True),
        # No tool was called: equation 6 does not ask for one, the released code does.
        ("<think></think><plan></plan><think></think><answer>A</answer>", False, True),
        # One thought too few.
        (solution("A").replace("<think>查</think>", ""), False, True),
        # The plan comes after the first response of the environment.
        (f"{CALL}<think></think><plan></plan><think></think><answer>A</answer>", True, False),
        (solution("A").replace("</plan>", ""), False, False),
        (solution("A") + "</think>", False, False),
        (solution("A").replace("<plan>一、查</plan>", "</plan>一、查<plan>"), False, False),
        # Two plans, the second inside the first: as many ends as starts, the last one an end.
        (
            solution("A").replace(
                "<plan>一、查</plan>", "<plan><plan></plan></plan><think></think>"
            ),
            True,
            False,
        ),
        ("<answer>A</answer>", False, False),
        ("", False, False),
    ],
)
def test_two_gates_ask_for_different_formats(text: str, released: bool, equation: bool) -> None:
    gates: tuple[Gate, Gate] = ("released", "equation")
    assert tuple(keeps_format(text, gate=gate) for gate in gates) == (released, equation)


def test_the_gate_that_is_asked_for_decides() -> None:
    text = "<think></think><plan></plan><think></think><answer>A</answer>"
    assert reward("kqa", text, "A") == 0.0
    assert reward("kqa", text, "A", gate="equation") == 1.0


def test_a_solution_is_what_the_agent_wrote_and_its_tools_answered() -> None:
    def replied(role: str, text: str) -> Replied:
        return Replied("k", role, text, Usage(), "stop", False, 0.0, NOW)

    events: list[Event] = [
        Noted("plan", "一、查", NOW),
        replied("agent", "<think>想</think><plan>一、查</plan>"),
        replied("reader", "<answer>页</answer>"),
        replied("agent", "<think>查</think><tool_call>{}</tool_call>"),
        Observed("k", "rag_retrieve", {}, "</tool_response>法条", "found", (), (), 0.0, NOW),
        replied("agent", "<think>答</think><answer>A</answer>"),
    ]
    text = solution_of(events)
    assert "页" not in text
    assert text.count("</tool_response>") == 1  # a page cannot end its own quotation
    assert reward("kqa", text, "A") == 1.0
