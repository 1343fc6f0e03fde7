"""Scoring what an agent made of an item: the measures of its task, and R1's training reward."""

from __future__ import annotations

from typing import cast

from inforce.agents.r1.agent import R1
from inforce.agents.r1.protocol import text_gate
from inforce.evals.benchmark import Attempt, Item, Scored
from inforce.llm.chat import ChatModel
from inforce.scoring.answers import tagged_answer
from inforce.scoring.judge import WRONG, FailedJudge, Judgement, JudgePrompt, judge_consultation
from inforce.scoring.legalsearch import SCORE, evaluate, final_reply, reward, solution_of
from inforce.scoring.tasks import Task

REWARD = "reward"
"""The training reward, of runs that speak R1's protocol."""

FORMAT, IN_FORMAT = "format_rate", "score_in_format"
"""Of the same runs: whether the format was kept, as the reward's gate has it; and the score where
it was kept, 0 where it was not. ``score`` itself asks for no format, as the paper's evaluation."""

OF_R1 = (REWARD, FORMAT, IN_FORMAT)
"""What is measured only of runs of R1."""


async def score(
    item: Item,
    attempt: Attempt,
    model: ChatModel | None,
    *,
    failed_judge: FailedJudge = "missing",
    judge_prompt: JudgePrompt = "guarded",
) -> Scored:
    """How good an attempt is.

    Args:
        item: what was asked.
        attempt: what the agent made of it; one that broke off is not scored.
        model: the judge of consultations.
        failed_judge: what a consultation scores whose judge failed.
        judge_prompt: how the judge is asked.
    """
    if not attempt.is_scored:
        return Scored({SCORE: None}, note=f"not scored: {attempt.answer.outcome}")
    is_r1, task = attempt.answer.agent == R1.name, cast("Task", item.task)
    reply = final_reply(attempt.events) if is_r1 else None
    answer = tagged_answer(attempt.text if reply is None else reply)
    judged = await _judged(item, answer, model, failed_judge, judge_prompt)
    values = evaluate(task, answer, item.target, verdict=judged.verdict)
    if not is_r1:
        return Scored(values, answer, note=judged.why)
    solution = solution_of(attempt.events)
    validity = text_gate(solution)
    values[REWARD] = reward(task, solution, item.target, verdict=judged.verdict)
    values[FORMAT] = float(validity.valid)
    values[IN_FORMAT] = values[SCORE] if validity.valid else 0.0
    format_note = "" if validity.valid else f"format: {validity}"
    return Scored(values, answer, note="; ".join(filter(None, [judged.why, format_note])))


async def _judged(
    item: Item,
    answer: str,
    model: ChatModel | None,
    failed_judge: FailedJudge,
    judge_prompt: JudgePrompt,
) -> Judgement:
    if item.task != "lcs":
        return Judgement(None)
    if model is None:
        return Judgement(None, "no judge was named")
    question = str(item.facts["plain_question"])
    judged = await judge_consultation(model, question, answer, item.target, form=judge_prompt)
    if judged.verdict is None and failed_judge == "zero":
        return Judgement(WRONG, judged.why)
    return judged
