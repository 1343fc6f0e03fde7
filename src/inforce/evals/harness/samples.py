"""A benchmark's items as samples of inspect-ai: solved, scored, and read back from a log.

The metadata of a sample holds the item, the attempt (its run in the log, or in a trace that an
interrupted run is resumed from) and the record.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import Model, ModelOutput, get_model, model_roles
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from inforce import errors
from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.trace import Event, decode, encode, read_trace, usage_of
from inforce.errors import InputError, ModelError
from inforce.evals.benchmark import Attempt, Item, ItemScore, Record
from inforce.evals.harness.models import chat_model
from inforce.evals.harness.session import SharedSystem, count_sample
from inforce.evals.progress import FinishedItem
from inforce.evals.results import trace_name
from inforce.llm.chat import ChatModel, Usage
from inforce.scoring.tool_use import tool_use

ITEM, ATTEMPT, STOPPED, RECORD = "item", "attempt", "stopped", "record"
"""Keys of a sample's metadata: the fields of its item beside question and answer, its attempt, the
cost of a run that was stopped or failed, its score."""

JUDGE = "judge"
"""The model role that judges: ``--model-role judge=…``."""

_ERROR_NAME = re.compile(r"(\w+)\(")


def dataset(name: str, items: Sequence[Item]) -> MemoryDataset:
    """The items of a benchmark as a data set of inspect-ai."""
    samples: list[Sample] = []
    for item in items:
        stored = {"task": item.task, "group": item.group, "facts": msgspec.to_builtins(item.facts)}
        samples.append(
            Sample(input=item.question, target=item.target, id=item.id, metadata={ITEM: stored})
        )
    return MemoryDataset(samples, name=name)


def require_ids(items: Sequence[Item], path: Path) -> None:
    """Require that a log can tell the items apart.

    Raises:
        InputError: if two items have one id, or an id is empty or not printable (a log loses such
            items without a word).
    """
    seen: set[str] = set()
    for item in items:
        if not item.id or not item.id.isprintable():
            raise InputError(f"the id {item.id!r} cannot be used: it must be printable", path=path)
        if item.id in seen:
            raise InputError(f"the id {item.id!r} occurs twice", path=path)
        seen.add(item.id)


def item_of(id: int | str, question: str, target: str, metadata: Mapping[str, Any] | None) -> Item:
    """Return the item of a sample."""
    stored: dict[str, Any] = (metadata or {}).get(ITEM, {})
    task, group, facts = (stored.get(name) for name in ("task", "group", "facts"))
    return Item(str(id), task or "", question, target, group or "", facts or {})


@dataclass(frozen=True, slots=True)
class StoredAttempt:
    """An attempt as a log stores it."""

    answer: ResearchAnswer
    seconds: float
    trace: str
    """A file in the folder of traces; empty if the run is in ``events``."""
    events: tuple[str, ...] = ()
    """The run, one event a line."""

    def read(self, traces: Path | None) -> Attempt:
        """Return the attempt.

        Raises:
            InputError: if its trace cannot be read.
        """
        if self.trace and traces:
            events = read_trace(traces / self.trace)
        else:
            events = tuple(decode(line) for line in self.events)
        return Attempt(self.answer, events, self.seconds)


@solver(name="researcher")
def researcher(shared: SharedSystem, traces: Path | None) -> Solver:
    """Puts the sample's question to the benchmark's system.

    A run that failed (the model cannot be reached) is an error of the sample, which inspect-ai may
    try again; every other outcome is scored.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        events: list[Event] = []
        name = trace_name(str(state.sample_id), state.epoch)
        trace = traces / name if traces else None
        began = time.monotonic()
        try:
            await research(state, trace, events)
        except BaseException as error:
            stopped = _stopped_run(trace, events, time.monotonic() - began)
            state.metadata[STOPPED] = stopped
            if not isinstance(error, LimitExceededError | asyncio.CancelledError):
                usage = msgspec.convert(stopped["usage"], Usage, strict=False)
                count_sample(FinishedItem(None, usage, is_failed=True))
            raise
        return state

    async def research(state: TaskState, trace: Path | None, events: list[Event]) -> None:
        item = item_of(state.sample_id, state.input_text, state.target.text, state.metadata)
        system = await shared.opened(chat_model(get_model(), shared.setup.agent))
        agent = system(item)
        began = time.monotonic()
        answer = await agent.research(item.question, trace=trace, listener=events.append)
        if answer.outcome == "failed":
            raise ModelError(answer.note or "the run failed")
        lines = () if trace else tuple(encode(event).decode() for event in events)
        seconds = round(time.monotonic() - began, 3)
        stored = StoredAttempt(answer, seconds, trace.name if trace else "", lines)
        state.metadata[ATTEMPT] = msgspec.to_builtins(stored, builtin_types=())
        state.output = ModelOutput.from_content(agent.model.name, answer.text)
        state.completed = True

    return solve


def _stopped_run(trace: Path | None, events: Sequence[Event], seconds: float) -> dict[str, Any]:
    """The fields of a record about a run that was stopped, over all of its resumed parts."""
    is_traced = trace is not None and trace.exists()
    if trace and is_traced:
        with suppress(InputError):
            events = read_trace(trace)
    name = f"{trace.parent.name}/{trace.name}" if trace and is_traced else ""
    return _run_fields(events, usage_of(events), round(seconds, 3), name)


def _run_fields(
    events: Sequence[Event], usage: Usage, seconds: float, trace: str
) -> dict[str, Any]:
    """The fields of a record about a run; ``trace`` is relative to the folder of the results."""
    used = tool_use(events)
    return {
        "usage": msgspec.to_builtins(usage),
        "seconds": seconds,
        "calls": used.calls,
        "dated": used.dated,
        "trace": trace,
    }


def _measured(scores: Sequence[SampleScore]) -> list[float]:
    values = (score.score.as_float() for score in scores)
    return [value for value in values if not math.isnan(value)]


@metric(name="mean")
def measured_mean() -> Metric:
    """The mean over the samples that could be measured."""

    def compute(scores: list[SampleScore]) -> float:
        values = _measured(scores)
        return fmean(values) if values else math.nan

    return compute


@metric(name="n")
def measured_count() -> Metric:
    """The number of samples that could be measured."""

    def compute(scores: list[SampleScore]) -> float:
        return len(_measured(scores))

    return compute


@scorer(name="measures", metrics={"*": [measured_mean(), measured_count()]})
def measures(shared: SharedSystem, traces: Path | None) -> Scorer:
    """Scores the attempt of a sample by its benchmark's measures."""
    score_item = shared.benchmark.scorer(shared.setup)

    async def score(state: TaskState, target: Target) -> Score:
        try:
            item_score, run = await measure(state, target)
        except Exception:  # the harness records it, and continues
            count_sample(FinishedItem(None, is_failed=True))
            raise
        value = item_score.values.get(shared.benchmark.primary)
        usage = msgspec.convert(run.get("usage", {}), Usage, strict=False)
        count_sample(FinishedItem(value, usage, run["outcome"] in ("failed", "budget")))
        return _as_score(item_score, run)

    async def measure(state: TaskState, target: Target) -> tuple[ItemScore, dict[str, Any]]:
        if ATTEMPT not in state.metadata:  # stopped by a limit: no wrong answer
            stopped = {"outcome": "budget", "note": "stopped by a limit of the sample"}
            return ItemScore({}), {**state.metadata.get(STOPPED, {}), **stopped}
        item = item_of(state.sample_id, state.input_text, target.text, state.metadata)
        stored = msgspec.convert(state.metadata[ATTEMPT], StoredAttempt)
        attempt = stored.read(traces)
        scored = await score_item(item, attempt, _judge()) if attempt.is_scored else ItemScore({})
        trace = f"{traces.name}/{stored.trace}" if traces and stored.trace else ""
        run = _run_fields(attempt.events, attempt.answer.usage, attempt.seconds, trace)
        return scored, run | {"outcome": attempt.answer.outcome, "note": attempt.answer.note}

    return score


def _judge() -> ChatModel | None:
    named = model_roles().get(JUDGE)
    model = named[0] if isinstance(named, list) else named
    return chat_model(model, "") if isinstance(model, Model) else None


def _as_score(scored: ItemScore, run: Mapping[str, Any]) -> Score:
    """A score of inspect-ai, whose missing values are NaN; its metadata holds the record."""
    values = {name: math.nan if one is None else float(one) for name, one in scored.values.items()}
    stored = {**run, "labels": dict(scored.labels), "note": scored.note or run["note"]}
    return Score(
        value={**values},
        answer=scored.answer,
        explanation=scored.note or None,
        metadata={RECORD: stored, "values": dict(scored.values)},
    )


def records_of(log: EvalLog) -> tuple[Record, ...]:
    """The records of a log, in the order of its samples."""
    order = {id: place for place, id in enumerate(log.eval.dataset.sample_ids or ())}
    samples = sorted(log.samples or (), key=lambda one: (order.get(one.id, 0), one.epoch))
    return tuple(map(_record, samples))


def _record(sample: EvalSample) -> Record:
    """The record of a sample, scored or not."""
    question = sample.input if isinstance(sample.input, str) else sample.input[-1].text
    target = sample.target if isinstance(sample.target, str) else "\n".join(sample.target)
    item = item_of(sample.id, question, target, sample.metadata)
    scores = (one for one in (sample.scores or {}).values() if RECORD in (one.metadata or {}))
    score = next(scores, None)
    values: dict[str, float | None] = {}
    if score is None or score.metadata is None:
        reason = _reason(sample.error.message) if sample.error else "not scored"
        stopped: dict[str, Any] = (sample.metadata or {}).get(STOPPED, {})
        run: dict[str, Any] = {**stopped, "outcome": "failed", "note": reason}
    else:
        run, values = score.metadata[RECORD], score.metadata["values"]
    return Record(
        item.id,
        item.task,
        item.group,
        item.question,
        item.target,
        answer=(score.answer if score else "") or "",
        outcome=run["outcome"],
        values=values,
        labels=run.get("labels", {}),
        facts=item.facts,
        note=run["note"],
        usage=msgspec.convert(run.get("usage", {}), Usage, strict=False),
        seconds=run.get("seconds", 0.0),
        calls=run.get("calls", {}),
        dated=run.get("dated", {}),
        trace=run.get("trace", ""),
        epoch=sample.epoch,
    )


def _reason(error: str) -> str:
    """Why a sample failed; an unexpected exception is called a defect."""
    name = _ERROR_NAME.match(error)
    is_expected = name and issubclass(getattr(errors, name[1], object), errors.InforceError)
    return error if is_expected else f"a defect of inforce, please report it: {error}"
