"""Scores of an attempt: the measures of its task, and R1's training reward."""

from __future__ import annotations

from typing import cast

from inforce.agents.r1.agent import R1
from inforce.agents.r1.protocol import text_gate
from inforce.evals.benchmark import Attempt, Item, ItemScore
from inforce.llm.chat import ChatModel
from inforce.scoring.answers import tagged_answer
from inforce.scoring.judge import WRONG, FailedJudge, Judgement, JudgePrompt, judge_consultation
from inforce.scoring.legalsearch import SCORE, evaluate, final_reply, reward, solution_of
from inforce.scoring.tasks import Task

REWARD = "reward"
"""The training reward of runs that follow R1's protocol."""

FORMAT, IN_FORMAT = "format_rate", "score_in_format"
"""Of the same runs: 1 if the format was kept, as the reward's gate defines it; and the score if it
was kept, else 0. ``score`` itself asks for no format, as the paper's evaluation."""

OF_R1 = (REWARD, FORMAT, IN_FORMAT)
"""Measures of runs of R1 alone."""


async def score(
    item: Item,
    attempt: Attempt,
    model: ChatModel | None,
    *,
    failed_judge: FailedJudge = "missing",
    judge_prompt: JudgePrompt = "guarded",
) -> ItemScore:
    """Score an attempt; one that broke off has no score.

    The model judges consultations; ``failed_judge`` is how one counts whose judge failed.
    """
    if not attempt.is_scored:
        return ItemScore({SCORE: None}, note=f"not scored: {attempt.answer.outcome}")
    is_r1, task = attempt.answer.agent == R1.name, cast("Task", item.task)
    reply = final_reply(attempt.events) if is_r1 else None
    answer = tagged_answer(attempt.text if reply is None else reply)
    judged = Judgement(None)
    if task == "lcs" and model is None:
        judged = Judgement(None, "no judge was named")
    elif task == "lcs" and model is not None:
        question = str(item.facts["plain_question"])
        judged = await judge_consultation(model, question, answer, item.target, form=judge_prompt)
        if judged.verdict is None and failed_judge == "zero":
            judged = Judgement(WRONG, judged.why)
    values = evaluate(task, answer, item.target, verdict=judged.verdict)
    if not is_r1:
        return ItemScore(values, answer, note=judged.why)
    solution = solution_of(attempt.events)
    validity = text_gate(solution)
    values[REWARD] = reward(task, solution, item.target, verdict=judged.verdict)
    values[FORMAT] = float(validity.valid)
    values[IN_FORMAT] = values[SCORE] if validity.valid else 0.0
    format_note = "" if validity.valid else f"format: {validity}"
    return ItemScore(values, answer, note="; ".join(filter(None, [judged.why, format_note])))
