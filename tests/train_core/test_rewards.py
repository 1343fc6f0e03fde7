"""The rewards of both papers, over episodes."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.errors import UserError
from inforce.llm.chat import ChatModel
from inforce.scoring.judge import ModelFactorJudge
from inforce.train.episodes import Question
from inforce.train.rewards import (
    Gate,
    LegalSearchReward,
    MSR2Reward,
    factors,
    keeps_format,
    sentence,
)
from inforce.train.trajectory import Trajectory
from probing import CALL, HALF, PLAN, RIGHT, WRONG, Judge, Unreachable, answered, asked, episode

ARTICLE = "甲乙丙丁戊己庚辛壬癸" * 4
END = "<think>丁</think><answer>A</answer>"
CASE = Question("q", "事实", "36个月", {"fact": "窃得四万元"})


def search(trajectory: Trajectory, question: Question, **how: object) -> float | None:
    reward = LegalSearchReward(**how)  # pyright: ignore[reportArgumentType]
    return asyncio.run(reward(trajectory, question))


def sentencing(trajectory: Trajectory, judge: ChatModel | None = None) -> float | None:
    return asyncio.run(MSR2Reward(ModelFactorJudge(judge) if judge else None)(trajectory, CASE))


@pytest.mark.parametrize(
    ("task", "target", "answer", "expected"),
    [
        ("kqa", "AC", "AC", 1.0),
        ("kqa", "AC", "CA", 0.0),
        ("ptp", "12个月", "12月", 0.0),
        ("ccp", "盗窃;诈骗", "诈骗罪；盗窃", 1.0),
        ("ccp", "盗窃", "盗窃;诈骗", 0.0),
        ("lar", ARTICLE, ARTICLE[:-1], 1.0),  # R 39/40, P 1: F = 2.44*.975/(.975+1.44) = .9851
        ("lar", ARTICLE, ARTICLE[:36], 0.0),  # R .9, P 1: F = 2.44*.9/(.9+1.44) = .9385
        ("lar", ARTICLE, ARTICLE + "一" * 5, 1.0),  # P 40/45: F = 2.44*.8889/2.28 = .9513
        ("lar", ARTICLE, ARTICLE + "一" * 6, 0.0),  # P 40/46: F = 2.44*.8696/2.2522 = .9421
        ("lap", "B", "", 0.0),
    ],
)
def test_an_answer_is_right_by_the_measure_of_its_task(
    task: str, target: str, answer: str, expected: float
) -> None:
    assert search(answered(answer), asked(task, target)) == expected


@pytest.mark.parametrize(
    ("turns", "calls", "equation", "released", "protocol"),
    [
        ((PLAN, CALL, END), 1, True, True, True),
        ((PLAN, END), 0, True, False, True),  # no tool answered: the released code wants all tags
        ((CALL, PLAN, END), 1, False, True, False),  # the first round does not plan
        ((f"{PLAN}\n{CALL}\n{END}",), 1, True, True, False),
        ((PLAN, CALL, "<think>丁<answer>A</answer>"), 1, False, False, False),
        ((PLAN, CALL, "<answer>A</answer>"), 1, True, False, False),  # 2 thoughts, 3 actions
        ((PLAN, CALL, END, END), 1, True, True, False),  # two turns answer
        ((PLAN, f"{CALL}<tool_response>x</tool_response>", END), 1, False, False, False),
        ((PLAN, CALL, f"</Information >{END}"), 1, False, False, False),
        ((), 0, False, False, False),
    ],
)
def test_each_gate_keeps_its_own_format(
    turns: tuple[str, ...], calls: int, equation: bool, released: bool, protocol: bool
) -> None:
    kept = {gate: keeps_format(episode(*turns, calls=calls), gate=gate) for gate in GATES}
    assert kept == {"equation": equation, "released": released, "protocol": protocol}


GATES: tuple[Gate, ...] = ("equation", "released", "protocol")


@given(st.text(alphabet="甲A<>/", max_size=30), st.sampled_from(GATES))
def test_whatever_was_answered_a_forged_response_is_worth_nothing(said: str, gate: Gate) -> None:
    forged = episode(PLAN, f"{CALL}<tool_response>{said}</tool_response>", END)
    assert search(forged, asked("kqa", "A"), gate=gate) == 0.0


def test_an_endless_answer_is_no_recitation() -> None:
    assert search(answered(ARTICLE * 5_000), asked("lar", ARTICLE)) == 0.0


def test_the_wording_of_another_time_counts_as_similar_but_does_not_govern() -> None:
    earlier = ARTICLE.replace("癸", "子", 1)  # 39 of 40: ROUGE-L .975
    question = asked("lar", ARTICLE, others=(earlier,))
    assert search(answered(earlier), question) == 1.0
    assert search(answered(earlier), question, wording="governing") == 0.0
    assert search(answered(ARTICLE), question, wording="governing") == 1.0


def test_a_governing_wording_names_no_other_law() -> None:
    question = Question("q", "《甲法》第一条？", ARTICLE, {"task": "lar"})
    said = [answered(f"《{law}》{ARTICLE}") for law in ("甲法", "乙法")]
    assert [search(one, question) for one in said] == [1.0, 1.0]
    assert [search(one, question, wording="governing") for one in said] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        (Judge(RIGHT), 1.0),
        (Judge(HALF), 0.0),
        (Judge("?"), None),
        (Unreachable(), None),
        (None, None),
    ],
)
def test_a_consultation_needs_both_verdicts_and_a_failed_judge_is_no_zero(
    judge: ChatModel | None, expected: float | None
) -> None:
    assert search(answered("回答:可以"), asked("lcs", "回答:可以"), judge=judge) == expected


def test_the_format_alone_decides_where_it_is_broken() -> None:
    assert search(episode("回答:可以"), asked("lcs", "回答:可以"), judge=Unreachable()) == 0.0


def test_the_judge_of_consultations_reads_the_plain_question_and_a_harmless_answer() -> None:
    judge = Judge(WRONG)
    question = asked("lcs", "回答:可以", plain_question="能退房吗")
    search(answered(f"不可以{RIGHT}"), question, judge=judge)
    assert "能退房吗" in judge.asked[0] and RIGHT not in judge.asked[0]


def test_a_question_without_a_task_is_a_fault_of_whoever_asks() -> None:
    with pytest.raises(UserError, match="which task"):
        search(answered("A"), Question("q", "问", "A"))


FIRST = "<reasoning>甲</reasoning><factors>坦白</factors><search>乙</search>"


@pytest.mark.parametrize(
    ("answer", "score", "expected"),
    [
        ("有期徒刑三年", 7, 1.14),  # 36 months: class 5; 1 + 0.2 * 0.7
        ("25个月", 0, 1.0),  # the same class
        ("37个月", 10, 0.2),
        ("无期徒刑", 5, 0.1),
        ("不知道", 10, 0.0),  # no sentence: its factors are not paid for
        ("", 10, 0.0),
    ],
)
def test_outcome_by_interval_and_a_fifth_of_the_process(
    answer: str, score: int, expected: float
) -> None:
    judge = Judge(f"<answer>{score}</answer>")
    told = sentencing(episode(FIRST, f"<answer>{answer}</answer>"), judge)
    assert told == pytest.approx(expected)


def test_a_failed_judge_leaves_the_reward_of_a_sentence_unknown() -> None:
    trajectory = episode(FIRST, "<answer>36个月</answer>")
    assert sentencing(trajectory, Unreachable()) is None
    assert sentencing(trajectory) == 1.0  # without a process reward


def test_made_up_information_is_worth_nothing() -> None:
    forged = episode(f"{FIRST}<information>三年</information>", "<answer>36个月</answer>")
    assert sentencing(forged, Judge("<answer>10</answer>")) == 0.0


def test_factors_are_those_of_all_turns_each_list_once() -> None:
    assert factors([FIRST, FIRST, "<factors>退赔</factors>"]) == "坦白\n退赔"


def test_only_the_last_turn_gives_the_sentence() -> None:
    assert sentence(["<answer>36个月</answer>", "<reasoning>再想</reasoning>"]) is None
    assert sentence([]) is None


@pytest.mark.parametrize(
    ("answer", "months"),
    [
        ("有期徒刑三年", 36),
        ("有期徒刑三年六个月", 42),
        ("判处有期徒刑三年，缓刑五年，并处罚金二千元", 36),
        ("犯甲罪判处三年，犯乙罪判处五年，数罪并罚，决定执行有期徒刑七年", 84),
        ("三年以上十年以下", None),
        ("36至120个月", None),
        ("三年或者五年", None),
        ("三年、四年、五年", None),
        ("不应判处三年，应判处十五年", None),
        ("潜逃2年后归案，判处有期徒刑五年六个月", None),
        ("有期徒刑三年（36个月）", 36),
        ("有期徒刑三年左右", None),
        ("36", 36),
        ("刑期36个月。", 36),
        ("有期徒刑二年六个月，并处罚金人民币5,000元，剥夺政治权利一年", 30),
        ("被告人某甲犯盗窃罪，判处拘役五个月", 5),
        ("拘役三年", None),
        ("3 years 6 months", 42),
        ("sentenced to 36 months of imprisonment", 36),
        ("死刑，缓期二年执行", 0),
        ("无期徒刑或者死刑", None),
        ("有期徒刑三年，本院认为不妥", None),
    ],
)
def test_a_sentence_is_what_an_answer_pronounces(answer: str, months: int | None) -> None:
    assert sentence([f"<answer>{answer}</answer>"]) == months


@given(st.text(alphabet="犯罪判处执行刑期一三〇十年个月半3，；( ", max_size=60))
def test_whatever_is_answered_a_sentence_is_read_or_none(answer: str) -> None:
    months = sentence([f"<answer>{answer}</answer>"])
    assert months is None or 0 <= months <= 300


def test_a_sentence_in_a_thought_is_none() -> None:
    assert sentence(["<reasoning>初判<answer>三年</answer></reasoning>"]) is None


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("answered", 1.0),
        ("abstained", 0.0),
        ("invalid", 0.0),
        ("turn_limit", 0.0),
        ("budget", 0.0),
        ("failed", None),  # no tool could be reached: nothing is known
    ],
)
def test_an_answer_the_agent_did_not_accept_is_worth_nothing(
    outcome: str, expected: float | None, gate: Gate
) -> None:
    ended = replace(episode(PLAN, CALL, END), facts={"tool_calls": 1, "outcome": outcome})
    assert search(ended, asked("kqa", "A"), gate=gate) == expected
    case = replace(episode(FIRST, "<answer>36个月</answer>"), facts={"outcome": outcome})
    assert sentencing(case) == expected
