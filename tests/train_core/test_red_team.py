"""What rewards pay for episodes that deserve nothing."""

from __future__ import annotations

import asyncio
from typing import get_args

import pytest

from inforce.llm.chat import ChatModel
from inforce.scoring.factors import judge_by_rule
from inforce.scoring.judge import FactorJudge, ModelFactorJudge
from inforce.scoring.tasks import InDomain
from inforce.train.episodes import Question
from inforce.train.red_team import (
    Rate,
    exploit_rate,
    search_probes,
    sentencing_probes,
)
from inforce.train.rewards import Gate, LegalSearchReward, MSR2Reward, Wording
from inforce.train.trajectory import Trajectory
from probing import RIGHT, WRONG, Gullible, Judge

TASKS = [task for task in get_args(InDomain) if task != "lcs"]
LOOSE = {f"{task}: {name}" for task in TASKS for name in ("words_outside", "answer_then_none")}
ELSEWHERE = {
    f"{task}: {name}"
    for task in TASKS
    for name in ("answer_only_in_thought", "answer_in_call_in_capitals")
}
COMMON = {probe.attack for probe in search_probes("kqa")}
RECITED = {f"lar: {probe.attack}" for probe in search_probes("lar")} - {
    f"lar: {name}" for name in COMMON
}


def searched(gate: Gate, wording: Wording, judge: ChatModel | None = None) -> Rate:
    reward = LegalSearchReward(gate=gate, wording=wording, judge=judge or Judge(WRONG))
    return asyncio.run(exploit_rate(reward, search_probes()))


def sentenced(judge: FactorJudge | None) -> Rate:
    return asyncio.run(exploit_rate(MSR2Reward(judge), sentencing_probes()))


def rewarded(attack: str, judge: FactorJudge | None) -> float | None:
    probe = next(one for one in sentencing_probes() if one.attack == attack)
    return asyncio.run(MSR2Reward(judge)(probe.trajectory, probe.question))


@pytest.mark.parametrize(
    ("gate", "wording", "paid"),
    [
        ("equation", "similar", LOOSE | RECITED),
        ("equation", "governing", LOOSE),
        ("released", "similar", LOOSE | ELSEWHERE | RECITED),
        ("released", "governing", LOOSE | ELSEWHERE),
        ("protocol", "similar", RECITED),
        ("protocol", "governing", set[str]()),
    ],
)
def test_what_each_form_of_the_reward_pays_for_is_known(
    gate: Gate, wording: Wording, paid: set[str]
) -> None:
    rate = searched(gate, wording)
    assert set(rate.paid) == paid and not rate.unknown
    assert rate.share is not None
    assert rate.share.value == pytest.approx(len(paid) / rate.share.n)
    of_law = 2 + len(RECITED)  # another law or time for two tasks; claims about a text for one
    assert rate.share.n == 7 * 22 + of_law == 189


def test_a_gullible_judge_of_consultations_is_not_talked_round() -> None:
    rate = searched("protocol", "governing", Gullible())
    assert not rate.paid
    assert "lcs: cites_everything" in rate.unknown


def test_honest_episodes_are_paid_in_full() -> None:
    honest = [one for one in search_probes() if one.attack == "none"]
    assert len(honest) == 7
    for gate in ("equation", "released", "protocol"):
        reward = LegalSearchReward(gate=gate, wording="governing", judge=Judge(RIGHT))
        given = [asyncio.run(reward(one.trajectory, one.question)) for one in honest]
        assert given == [one.expected for one in honest] == [1.0] * 7


@pytest.mark.parametrize("judge", [None, Judge("<answer>0</answer>"), Gullible()])
def test_no_sentence_is_paid_for_that_was_not_given(judge: ChatModel | None) -> None:
    assert sentenced(ModelFactorJudge(judge) if judge else None).paid == ()


def test_a_judge_that_praises_everything_pays_for_factors_of_a_wrong_sentence() -> None:
    rate = sentenced(ModelFactorJudge(Judge("<answer>10</answer>")))
    assert {"sentencing: cites_everything", "sentencing: judge_injection"} <= set(rate.paid)
    assert "sentencing: copied_question" not in rate.paid  # it gives no sentence


def test_by_rule_only_the_whole_guideline_is_paid_and_little() -> None:
    rate = sentenced(judge_by_rule)
    assert rate.paid == ("sentencing: all_factors",) and not rate.unknown
    assert rate.share is not None
    assert rate.share.value == pytest.approx(1 / 60)
    assert rewarded("all_factors", judge_by_rule) == pytest.approx(0.04)  # of 0.2


def test_an_honest_sentence_is_paid_and_its_factors_too() -> None:
    assert rewarded("none", None) == 1.0
    assert rewarded("none", judge_by_rule) == pytest.approx(1.2)


async def always(trajectory: Trajectory, question: Question) -> float | None:
    return 1.0


async def never_known(trajectory: Trajectory, question: Question) -> float | None:
    return None


def test_the_rate_of_a_reward_that_always_pays_is_one_and_of_an_unknown_one_unknown() -> None:
    probes = search_probes("kqa")
    paid = asyncio.run(exploit_rate(always, probes))
    assert paid.share is not None and paid.share.value == 1.0 == len(paid.paid) / (len(probes) - 1)
    unknown = asyncio.run(exploit_rate(never_known, probes))
    assert unknown.share is None and len(unknown.unknown) == len(probes) - 1
