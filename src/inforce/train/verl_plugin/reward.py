"""The rewards of both papers as reward functions of verl.

They read the policy's own turns, which the agent loop recorded, never the decoded whole. An unknown
reward (its judge failed) is NaN, and our estimators leave such an episode out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from inforce.errors import UserError
from inforce.llm.chat import ChatModel
from inforce.llm.models import open_model
from inforce.scoring.judge import ModelFactorJudge
from inforce.train.data.rows import question_from
from inforce.train.episodes import Reward
from inforce.train.rewards import Gate, LegalSearchReward, MSR2Reward, Wording
from inforce.train.trajectory import Span, Trajectory

_LOGGED = ("tool_calls", "dated_queries", "forged")
"""Facts of an episode that are logged with the score."""

_CHOICES: dict[str, tuple[str, ...]] = {"gate": get_args(Gate), "wording": get_args(Wording)}


async def legalsearch_r1(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any],
    *,
    judge: str = "",
    judge_name: str | None = None,
    gate: Gate = "equation",
    wording: Wording = "similar",
    reward_router_address: str = "",
    **_: Any,
) -> dict[str, float]:
    """The reward of LegalSearch-R1 (equations 6 and 7).

    Args:
        data_source: the task, where ``extra_info`` does not name it.
        solution_str: not read.
        ground_truth: the right answer.
        extra_info: of the row, with the fields the agent loop added.
        judge: the model that judges consultations.
        judge_name: name of the model that verl serves as a judge, if it does.
        gate: which format an episode must keep.
        wording: when an article counts as recited.
        reward_router_address: address at which verl serves its judge.

    Raises:
        UserError: if there is no such gate, wording or task, or the agent loop is none of ours.
    """
    check_choices({"gate": gate, "wording": wording})
    model = _judge(judge, judge_name, reward_router_address)
    reward = LegalSearchReward(gate, wording, model)
    return await _scored(reward, extra_info, ground_truth, data_source)


async def msr2(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any],
    *,
    judge: str = "",
    judge_name: str | None = None,
    weight: float = 0.2,
    reward_router_address: str = "",
    **_: Any,
) -> dict[str, float]:
    """The reward of MSR2 (equation 2).

    Args:
        data_source: where the row is from.
        solution_str: not read.
        ground_truth: the sentence.
        extra_info: of the row, with the fields the agent loop added; the judge reads ``fact``.
        judge: the model that scores the sentencing factors; without one, only the outcome counts.
        judge_name: name of the model that verl serves as a judge, if it does.
        weight: lambda.
        reward_router_address: address at which verl serves its judge.
    """
    model = _judge(judge, judge_name, reward_router_address)
    reward = MSR2Reward(ModelFactorJudge(model) if model else None, weight)
    return await _scored(reward, extra_info, ground_truth, data_source)


def check_choices(settings: Mapping[str, Any]) -> None:
    """Refuse an unknown gate or wording.

    Args:
        settings: ``reward_kwargs`` of verl's configuration.

    Raises:
        UserError: if one is unknown; names the known ones.
    """
    for name, known in _CHOICES.items():
        value = settings.get(name, known[0])
        if value not in known:
            raise UserError(f"reward_kwargs.{name}: {value!r} is none of {', '.join(known)}")


async def _scored(
    reward: Reward, extra: Mapping[str, Any], target: str, source: str
) -> dict[str, float]:
    if "turns" not in extra:
        raise UserError(
            "the reward reads the turns our agent loops keep: set "
            "actor_rollout_ref.rollout.agent.default_agent_loop to inforce_r1 or inforce_msr2"
        )
    question = question_from(extra, str(extra.get("asked") or ""), target, source=source)
    facts: Mapping[str, Any] = extra.get("facts") or {}
    turns = tuple(map(str, extra["turns"]))
    episode = Trajectory(question.id, (Span("prompt", ()),), turns, facts=facts)
    score = await reward(episode, question)
    logged = {name: float(facts.get(name) or 0) for name in _LOGGED}
    return {
        "score": math.nan if score is None else score,
        "is_known": float(score is not None),
        **logged,
    }


def _judge(judge: str, name: str | None, router: str) -> ChatModel | None:
    if judge:
        return _judge_model(judge)
    return _judge_model(f"http://{router}/v1#{name}") if router and name else None


@cache
def _judge_model(model: str) -> ChatModel:
    return open_model(model)
