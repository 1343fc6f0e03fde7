"""Scoring what an agent made of an item: the measures of its task, and R1's training reward."""

from __future__ import annotations

from typing import cast

from inforce.agents.r1.agent import R1
from inforce.evals.benchmark import Attempt, Item, Scored
from inforce.llm.chat import ChatModel
from inforce.scoring.answers import tagged_answer
from inforce.scoring.judge import WRONG, FailedJudge, Judgement, judge_consultation
from inforce.scoring.legalsearch import SCORE, evaluate, reward, solution_of
from inforce.scoring.tasks import Task

REWARD = "reward"
"""The training reward, of runs that speak R1's protocol."""


async def score(
    item: Item, attempt: Attempt, model: ChatModel | None, *, failed_judge: FailedJudge = "missing"
) -> Scored:
    """How good an attempt is.

    Args:
        item: what was asked.
        attempt: what the agent made of it; one that broke off is not scored.
        model: the judge of consultations.
        failed_judge: what a consultation scores whose judge failed.
    """
    if not attempt.is_scored:
        return Scored({SCORE: None}, note=f"not scored: {attempt.answer.outcome}")
    task, answer = cast("Task", item.task), tagged_answer(attempt.text)
    judged = await _judged(item, answer, model, failed_judge)
    values = evaluate(task, answer, item.target, verdict=judged.verdict)
    if attempt.answer.agent == R1.name:
        solution = solution_of(attempt.events)
        values[REWARD] = reward(task, solution, item.target, verdict=judged.verdict)
    return Scored(values, answer, note=judged.why)


async def _judged(
    item: Item, answer: str, model: ChatModel | None, failed_judge: FailedJudge
) -> Judgement:
    if item.task != "lcs":
        return Judgement(None)
    if model is None:
        return Judgement(None, "no judge was named")
    judged = await judge_consultation(model, str(item.facts["plain_question"]), answer, item.target)
    if judged.verdict is None and failed_judge == "zero":
        return Judgement(WRONG, judged.why)
    return judged
