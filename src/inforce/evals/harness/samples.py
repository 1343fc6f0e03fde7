"""A benchmark's items as Inspect's samples: solved by an agent, scored, and read back from a log.

What is put into a log can be read out of it: the item, the attempt (its run in the log, or in a
trace that a run cut off in the middle goes on from), and the record.
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
from inforce.evals.benchmark import Attempt, Item, Record, Scored
from inforce.evals.harness.models import chat_model
from inforce.evals.harness.shared import SharedSystem, report_end
from inforce.evals.progress import Ended
from inforce.evals.results import trace_name
from inforce.llm.chat import ChatModel, Usage
from inforce.scoring.conduct import conduct
from inforce.scoring.estimate import Estimate, mean

ITEM, ATTEMPT, STOPPED, RECORD = "item", "attempt", "stopped", "record"
"""Names in a sample's metadata: what is not its question or answer, what came of it, what a run
spent that was stopped or failed, its score."""

JUDGE = "judge"
"""The model role that judges: ``--model-role judge=…``."""

_ERROR_NAME = re.compile(r"(\w+)\(")


def dataset(name: str, items: Sequence[Item]) -> MemoryDataset:
    """The data set of a benchmark."""
    return MemoryDataset([_sample(one) for one in items], name=name)


def require_ids(items: Sequence[Item], path: Path) -> None:
    """Check that a log can tell the items apart.

    Raises:
        InputError: if two have one id, or an id is empty or holds what is not printed (a log loses
            such items without a word).
    """
    seen: set[str] = set()
    for one in items:
        if not one.id or not one.id.isprintable():
            raise InputError(f"the id {one.id!r} cannot be used: it must be printable", path=path)
        if one.id in seen:
            raise InputError(f"the id {one.id!r} occurs twice", path=path)
        seen.add(one.id)


def _sample(item: Item) -> Sample:
    stored = {"task": item.task, "group": item.group, "facts": msgspec.to_builtins(item.facts)}
    return Sample(input=item.question, target=item.target, id=item.id, metadata={ITEM: stored})


def item_of(id: int | str, question: str, target: str, metadata: Mapping[str, Any] | None) -> Item:
    """The item of a sample."""
    stored: dict[str, Any] = {
        "task": "",
        "group": "",
        "facts": {},
        **(metadata or {}).get(ITEM, {}),
    }
    return Item(
        str(id), stored["task"], question, target, group=stored["group"], facts=stored["facts"]
    )


@dataclass(frozen=True, slots=True)
class StoredAttempt:
    """An attempt as a log has it: the answer, and the run or the file of it."""

    answer: ResearchAnswer
    seconds: float
    trace: str
    """A file of the folder of traces; empty where the run is in ``events``."""
    events: tuple[str, ...] = ()
    """The run, a line an event."""

    def attempt(self, traces: Path | None) -> Attempt:
        """The attempt.

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
    """Puts the sample's question to the benchmark's agent.

    A run that failed (a model that cannot be reached) is an error of the sample, which Inspect may
    try again; whatever else comes of it is scored.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        events: list[Event] = []
        began = time.monotonic()
        try:
            return await work(state, events)
        except BaseException as error:
            state.metadata[STOPPED] = _spent(_trace_file(state, traces), events, began)
            if not isinstance(error, LimitExceededError | asyncio.CancelledError):
                usage = msgspec.convert(state.metadata[STOPPED]["usage"], Usage, strict=False)
                report_end(Ended(None, usage, is_failed=True))
            raise

    async def work(state: TaskState, events: list[Event]) -> TaskState:
        item = item_of(state.sample_id, state.input_text, state.target.text, state.metadata)
        system = await shared.opened(chat_model(get_model(), shared.setup.agent))
        researcher = system(item)
        trace = trace_name(str(state.sample_id), state.epoch) if traces else ""
        began = time.monotonic()
        answer = await researcher.research(
            item.question, trace=traces / trace if traces else None, listener=events.append
        )
        if answer.outcome == "failed":
            raise ModelError(answer.note or "the run failed")
        stored_events = () if traces else tuple(encode(event).decode() for event in events)
        stored = StoredAttempt(answer, round(time.monotonic() - began, 3), trace, stored_events)
        state.metadata[ATTEMPT] = msgspec.to_builtins(stored, builtin_types=())
        state.output = ModelOutput.from_content(researcher.model.name, answer.text)
        state.completed = True
        return state

    return solve


def _spent(trace: Path | None, events: Sequence[Event], began: float) -> dict[str, Any]:
    """What a run had done before it was stopped, as fields of a record; of all its parts."""
    if trace and trace.exists():
        with suppress(errors.InputError):
            events = read_trace(trace)
    run = conduct(events)
    return {
        "usage": msgspec.to_builtins(usage_of(events)),
        "seconds": round(time.monotonic() - began, 3),
        "calls": run.calls,
        "dated": run.dated,
        "trace": f"{trace.parent.name}/{trace.name}" if trace and trace.exists() else "",
    }


def _trace_file(state: TaskState, traces: Path | None) -> Path | None:
    return traces / trace_name(str(state.sample_id), state.epoch) if traces else None


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
        try:
            found = await measured(state, target)
        except Exception:  # the harness records it, and goes on
            report_end(Ended(None, is_failed=True))
            raise
        report_end(_ended(found, shared.benchmark.primary))
        return found

    async def measured(state: TaskState, target: Target) -> Score:
        if ATTEMPT not in state.metadata:  # stopped by a limit: no wrong answer
            stopped = {"outcome": "budget", "note": "stopped by a limit of the sample"}
            return _as_score(Scored({}), {**state.metadata.get(STOPPED, {}), **stopped})
        item = item_of(state.sample_id, state.input_text, target.text, state.metadata)
        stored = msgspec.convert(state.metadata[ATTEMPT], StoredAttempt)
        attempt = stored.attempt(traces)
        scored = await score_item(item, attempt, _judge()) if attempt.is_scored else Scored({})
        trace = f"{traces.name}/{stored.trace}" if traces and stored.trace else ""
        return _as_score(scored, _run_fields(attempt, trace))

    return score


def _ended(score: Score, primary: str) -> Ended:
    metadata: dict[str, Any] = score.metadata or {}
    run = metadata[RECORD]
    usage = msgspec.convert(run.get("usage", {}), Usage, strict=False)
    return Ended(metadata["values"].get(primary), usage, run["outcome"] in ("failed", "budget"))


def _judge() -> ChatModel | None:
    named = model_roles().get(JUDGE)
    model = named[0] if isinstance(named, list) else named
    return chat_model(model, "") if isinstance(model, Model) else None


def _run_fields(attempt: Attempt, trace: str) -> dict[str, Any]:
    """The fields of a record that are about the run; ``trace`` from the folder of the results."""
    run = conduct(attempt.events)
    return {
        "outcome": attempt.answer.outcome,
        "usage": msgspec.to_builtins(attempt.answer.usage),
        "seconds": attempt.seconds,
        "calls": run.calls,
        "dated": run.dated,
        "trace": trace,
        "note": attempt.answer.note,
    }


def _as_score(scored: Scored, run: Mapping[str, Any]) -> Score:
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
    """Why a sample failed; an error nobody raises on purpose is called a defect."""
    name = _ERROR_NAME.match(error)
    ours = name and issubclass(getattr(errors, name[1], object), errors.InforceError)
    return error if ours else f"a defect of inforce, please report it: {error}"
