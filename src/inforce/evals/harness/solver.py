"""The solver: an agent of ours researches the question of a sample, traced and resumable."""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.trace import Event, decode, encode, read_trace
from inforce.errors import ModelError
from inforce.evals.benchmark import Attempt
from inforce.evals.harness.chat import chat_model
from inforce.evals.harness.samples import item_of
from inforce.evals.harness.shared import SharedSystem, tell_progress

ATTEMPT = "attempt"
"""Under which name a state's metadata holds what came of it."""


@dataclass(frozen=True, slots=True)
class StoredAttempt:
    """An attempt as a log has it: the answer, and the run or the file of it."""

    answer: ResearchAnswer
    seconds: float
    trace: str
    """A file of the folder of traces; empty where the run is in ``events``."""
    events: tuple[str, ...] = ()
    """The run, a line an event."""


@solver(name="researcher")
def researcher(shared: SharedSystem, traces: Path | None) -> Solver:
    """Puts the sample's question to the benchmark's agent.

    A run that failed (a model that cannot be reached) is an error of the sample, which Inspect may
    try again; whatever else comes of it is scored.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        try:
            return await work(state)
        finally:
            tell_progress()

    async def work(state: TaskState) -> TaskState:
        item = item_of(state.sample_id, state.input_text, state.target.text, state.metadata)
        system = await shared.opened(chat_model(get_model(), shared.setup.agent))
        researcher = system(item)
        events: list[Event] = []
        trace = _trace_name(state) if traces else ""
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


def attempt_of(stored: Any, traces: Path | None) -> Attempt:
    """The attempt of a log.

    Raises:
        InputError: if its trace cannot be read.
    """
    attempt = msgspec.convert(stored, StoredAttempt)
    if attempt.trace and traces:
        events = read_trace(traces / attempt.trace)
    else:
        events = tuple(decode(line) for line in attempt.events)
    return Attempt(attempt.answer, events, attempt.seconds)


def _trace_name(state: TaskState) -> str:
    """A file name for a sample's run, whatever its id is; no two ids have the same."""
    id = str(state.sample_id)
    name = id if _PLAIN_ID.fullmatch(id) else _changed(id)
    return f"{name}.jsonl" if state.epoch == 1 else f"{name}.{state.epoch}.jsonl"


_PLAIN_ID = re.compile(r"[a-z0-9_-]{1,80}")
"""Ids that are file names as they are, also where capitals and small letters are one."""


def _changed(id: str) -> str:
    """The plain part of an id, with a hash of all of it: a/b and a_b are two items."""
    plain = re.sub(r"[^\w-]", "_", id)[:40]
    return f"{plain}~{hashlib.sha256(id.encode()).hexdigest()[:12]}"
