"""The scorer: a benchmark's measures as Inspect's scores.

What could not be measured (no judge, a judge that failed) is NaN in Inspect's scores, as unscored
samples are there, and counts in no mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai.model import Model, model_roles
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from inforce.agents.runtime.answer import Outcome
from inforce.evals.benchmark import Attempt, Record, Scored
from inforce.evals.conduct import conduct
from inforce.evals.estimate import Estimate, mean
from inforce.evals.harness.chat import chat_model
from inforce.evals.harness.samples import item_of
from inforce.evals.harness.shared import SharedSystem
from inforce.evals.harness.solver import ATTEMPT, StoredAttempt, attempt_of
from inforce.llm.chat import ChatModel, Usage

JUDGE = "judge"
"""The model role that judges: ``--model-role judge=…``."""

RECORD = "record"


def _measured(scores: Sequence[SampleScore]) -> Estimate | None:
    values = [score.score.as_float() for score in scores]
    return mean([None if math.isnan(value) else value for value in values])


@metric(name="mean")
def measured_mean() -> Metric:
    """The mean of what could be measured."""

    def compute(scores: list[SampleScore]) -> float:
        estimate = _measured(scores)
        return math.nan if estimate is None else estimate.value

    return compute


@metric(name="n")
def measured_count() -> Metric:
    """Over how many samples."""

    def compute(scores: list[SampleScore]) -> float:
        estimate = _measured(scores)
        return 0 if estimate is None else estimate.n

    return compute


@scorer(name="measures", metrics={"*": [measured_mean(), measured_count()]})
def measures(shared: SharedSystem, traces: Path | None) -> Scorer:
    """Scores what came of a sample by its benchmark's measures."""
    score_item = shared.benchmark.scorer(shared.setup)

    async def score(state: TaskState, target: Target) -> Score:
        stored = state.metadata.get(ATTEMPT)
        if stored is None:  # stopped by a limit: no wrong answer
            return _as_score(Scored({}), _stopped())
        item = item_of(state.sample_id, state.input_text, target.text, state.metadata)
        attempt = attempt_of(stored, traces)
        judge = _judge()
        scored = await score_item(item, attempt, judge) if attempt.is_scored else Scored({})
        return _as_score(scored, _part(attempt, _trace_of(stored, traces)))

    return score


def _judge() -> ChatModel | None:
    named = model_roles().get(JUDGE)
    model = named[0] if isinstance(named, list) else named
    return chat_model(model, "") if isinstance(model, Model) else None


def _trace_of(stored: Any, traces: Path | None) -> str:
    """The trace of a run, relative to the folder of the results."""
    name = msgspec.convert(stored, StoredAttempt).trace
    return f"{traces.name}/{name}" if traces and name else ""


def _part(attempt: Attempt, trace: str) -> dict[str, Any]:
    """What a record holds of the run."""
    went = conduct(attempt.events)
    return {
        "outcome": attempt.answer.outcome,
        "usage": msgspec.to_builtins(attempt.answer.usage),
        "seconds": attempt.seconds,
        "calls": went.calls,
        "dated": went.dated,
        "trace": trace,
        "remark": attempt.answer.note,
    }


def _stopped() -> dict[str, Any]:
    outcome: Outcome = "budget"
    return {"outcome": outcome, "remark": "stopped by a limit of the sample"}


def _as_score(scored: Scored, part: dict[str, Any]) -> Score:
    values = {name: math.nan if one is None else float(one) for name, one in scored.values.items()}
    stored = {**part, "labels": dict(scored.labels), "note": scored.note or part["remark"]}
    return Score(
        value={**values},
        answer=scored.answer,
        explanation=scored.note or None,
        metadata={RECORD: stored, "values": dict(scored.values)},
    )


def record_of(
    id: int | str, epoch: int, question: str, target: str, metadata: Any, score: Score
) -> Record:
    """The record of a sample that was scored."""
    item = item_of(id, question, target, metadata)
    about = score.metadata or {}
    stored: dict[str, Any] = about[RECORD]
    return Record(
        item.id,
        item.task,
        item.group,
        item.question,
        item.target,
        score.answer or "",
        stored["outcome"],
        about["values"],
        stored["labels"],
        item.facts,
        stored["note"],
        msgspec.convert(stored.get("usage", {}), Usage, strict=False),
        stored.get("seconds", 0.0),
        stored.get("calls", {}),
        stored.get("dated", {}),
        stored.get("trace", ""),
        epoch,
    )
