"""The reward functions verl calls, over what our agent loops keep."""

from __future__ import annotations

import asyncio
import inspect
import json
import math
from collections.abc import Sequence
from typing import Any

import pytest

from inforce.errors import UserError
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.train.data.rows import row_of
from inforce.train.episodes import Question
from inforce.train.verl_plugin import reward

PLAN = "<think>甲</think><plan>乙</plan>"
END = "<think>丁</think><answer>A</answer>"
FACTORS = "<reasoning>甲</reasoning><factors>累犯</factors>"
THREE = "<reasoning>乙</reasoning><answer>36个月</answer>"


def extra(*turns: str, **more: Any) -> dict[str, Any]:
    facts = {"tool_calls": 2, "dated_queries": 1, "forged": 0}
    return {"turns": list(turns), "facts": facts, "asked": "问", **more}


def searched(task: str, truth: str, told: dict[str, Any], **settings: Any) -> dict[str, float]:
    return asyncio.run(reward.legalsearch_r1(task, "unread", truth, told, **settings))


def sentenced(truth: str, told: dict[str, Any], **settings: Any) -> dict[str, float]:
    return asyncio.run(reward.msr2("cail", "unread", truth, told, **settings))


@pytest.mark.parametrize(
    ("turns", "truth", "score"),
    [((PLAN, END), "A", 1.0), ((PLAN, END), "B", 0.0), ((END,), "A", 0.0)],
)
def test_only_the_turns_of_the_policy_are_read(
    turns: tuple[str, ...], truth: str, score: float
) -> None:
    scored = searched("kqa", truth, extra(*turns))
    logged = {"tool_calls": 2.0, "dated_queries": 1.0, "forged": 0.0}
    assert scored == {"score": score, "is_known": 1.0, **logged}


def test_the_row_says_which_task_it_is_and_else_its_source() -> None:
    assert searched("released", "A", extra(PLAN, END, task="kqa"))["score"] == 1.0
    with pytest.raises(UserError, match="task"):
        searched("released", "A", extra(PLAN, END))


def test_the_gate_can_be_that_of_the_released_code() -> None:
    assert searched("kqa", "A", extra(PLAN, END), gate="released")["score"] == 0.0


def test_a_consultation_nobody_judges_is_worth_nobody_knows_what() -> None:
    scored = searched("lcs", "结论", extra(PLAN, END))
    assert math.isnan(scored["score"])
    assert scored["is_known"] == 0.0


def test_a_sentence_is_right_within_its_interval() -> None:
    assert sentenced("36个月", extra(FACTORS, THREE))["score"] == 1.0
    assert sentenced("120个月", extra(FACTORS, THREE))["score"] == 0.0


def test_the_judge_of_msr2_adds_a_fifth_of_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reward, "_judge_model", Points)
    scored = sentenced("36个月", extra(FACTORS, THREE, fact="盗窃"), judge="points:5")
    assert scored["score"] == pytest.approx(1.0 + 0.2 * 5 / 10)


def test_the_judge_of_msr2_reads_the_fact_of_the_case_in_its_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []

    class Reader(Points):
        async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
            read.append(messages[-1].content)
            return await super().reply(messages, sampling)

    monkeypatch.setattr(reward, "_judge_model", Reader)
    case = Question("c1", "问", "36个月", {"task": "sentencing", "fact": "某甲窃取耕牛三头"})
    told = extra(FACTORS, THREE, **row_of(case, 0, agent="inforce_msr2")["extra_info"])
    assert sentenced("36个月", told, judge="points:10")["score"] == pytest.approx(1.2)
    assert len(read) == 1
    assert "某甲窃取耕牛三头" in read[0]


@pytest.mark.parametrize("wrong", [{"gate": "equatoin"}, {"wording": "governign"}])
def test_a_gate_or_wording_there_is_not_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(UserError, match=next(iter(wrong))):
        searched("kqa", "A", extra(PLAN, END), **wrong)


def test_a_judge_verl_serves_is_reached_through_its_router(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_one(model: str) -> Points:
        opened.append(model)
        return Points("points:0")

    monkeypatch.setattr(reward, "_judge_model", open_one)
    told = extra(FACTORS, THREE, fact="盗窃")
    sentenced("36个月", told, judge_name="Qwen/Qwen3-32B", reward_router_address="10.0.0.1:80")
    assert opened == ["http://10.0.0.1:80/v1#Qwen/Qwen3-32B"]


def test_a_loop_that_keeps_no_turns_cannot_be_rewarded() -> None:
    with pytest.raises(UserError, match="inforce_r1"):
        searched("kqa", "A", {})


def test_what_is_given_can_be_a_line_of_json() -> None:
    scored = searched("kqa", "A", json.loads(json.dumps(extra(PLAN, END))))
    assert scored["score"] == 1.0


def test_verl_awaits_them() -> None:
    assert inspect.iscoroutinefunction(reward.legalsearch_r1)
    assert inspect.iscoroutinefunction(reward.msr2)


class Points:
    """A judge that always gives the points its name says."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        return Reply(f"<answer>{self.name.partition(':')[2]}</answer>")
