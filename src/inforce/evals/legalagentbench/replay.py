"""Comparison of a replayed run with its recording, observation by observation.

An observation is the text the model sees after a step: a tool's answer with its hint, or the remark
that its reply holds no action. Values are compared, not their spelling. The agent notes the
recorded observations before it starts, so that the comparison needs the trace alone.

The original harness asked the model twice a step, for a thought and for an action. A recording has
to hold the second, which was executed: no run can be reproduced from thoughts.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, cast

import msgspec

from inforce.agents.legalagentbench.environment import OBSERVATION
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Agent, Run
from inforce.agents.runtime.trace import Event, Noted, Observed, Replied
from inforce.evals.baselines import FunctionAgent
from inforce.evals.benchmark import Item
from inforce.evals.legalagentbench.protocol import FORMAT_COMPLAINT
from inforce.llm.chat import ChatModel
from inforce.llm.recorded import RecordedModel, Recording

_STEP_ROLES = ("agent", "solver")
_LONGEST_LITERAL = 400_000
_SIGNIFICANT = 12
"""Compared digits of a fraction: the server added in binary, ours counts exactly."""
_HALF_WIDTH = str.maketrans("（）", "()")


@dataclass(frozen=True, slots=True)
class Match:
    """A comparison of a run with its recording; numbers of steps."""

    observed: int = 0
    """Steps with an observation in the recording, be it a tool's answer or a complaint."""
    met: int = 0
    """Of these, steps with the same observation in our run; an unreached step has none."""
    read_alike: int = 0
    """Of these, steps whose reply was read alike: as an action, or as none."""


def observations_of(events: Iterable[Event]) -> tuple[str, ...]:
    """What the agent saw after each of its steps; empty after the last."""
    observations: list[str] = []
    for event in events:
        if isinstance(event, Replied) and event.role in _STEP_ROLES:
            observations.append("")
        elif observations and (
            isinstance(event, Observed) or (isinstance(event, Noted) and event.kind == OBSERVATION)
        ):
            observations[-1] = event.text
    return tuple(observations)


def compare(observed: Sequence[str], recorded: Sequence[str]) -> Match:
    """Compare observations with the recorded ones; an empty one was not recorded."""
    steps = [pair for pair in zip_longest(observed, recorded) if pair[1]]
    met = read_alike = 0
    for ours, theirs in steps:
        met += ours is not None and same(ours, theirs)
        is_complaint = theirs.startswith(FORMAT_COMPLAINT)
        read_alike += bool(ours) and ours.startswith(FORMAT_COMPLAINT) == is_complaint
    return Match(len(steps), met, read_alike)


def same(one: str, other: str) -> bool:
    """True if two observations have the same value.

    >>> same("{'公司代码': '688106'}", "{ '公司代码':'688106' }")
    True
    """
    return one == other or _value(one) == _value(other)


def _value(text: str) -> Any:
    """A Python literal's value, else the text, without white space and width of brackets."""
    text = text.translate(_HALF_WIDTH)
    if len(text) > _LONGEST_LITERAL:
        return _bare(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _bare(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return _bare(text)


def _bare(value: Any) -> Any:
    """A value with its strings without white space, at any depth, and what floats can hold."""
    if isinstance(value, float):
        return float(f"{value:.{_SIGNIFICANT}g}")
    if isinstance(value, str):
        return "".join(value.split())
    if isinstance(value, dict):
        return {_bare(key): _bare(one) for key, one in cast(dict[Any, Any], value).items()}
    if isinstance(value, list | tuple):
        return [_bare(one) for one in cast(list[Any], value)]
    return value


RECORDED = "recorded"
"""The kind of the note with the observations of the recording."""


def find_recording(model: ChatModel, item: Item) -> Recording | None:
    """The recording of a task, if the model answers from recordings.

    Some tasks were recorded in other words than the data set has now; they are found by their id.
    """
    recordings = model.recordings if isinstance(model, RecordedModel) else ()
    same_words = (one for one in recordings if one.question == item.question)
    same_id = (one for one in recordings if str(one.id) == item.id)
    return next(same_words, None) or next(same_id, None)


def replaying(agent: Agent, recording: Recording) -> FunctionAgent:
    """The agent, which gets the question as it was recorded, and notes what was observed then."""

    async def replay(run: Run) -> Draft:
        run.context.question = recording.question
        observed = [text or "" for text in recording.observations]
        run.note(RECORDED, msgspec.json.encode(observed).decode())
        return await agent(run)

    return FunctionAgent(agent.name, replay, agent.settings)


def match_of(events: Iterable[Event]) -> Match | None:
    """Compare a run with the recording it notes; ``None`` for a run without one."""
    events = tuple(events)
    notes = (event for event in events if isinstance(event, Noted) and event.kind == RECORDED)
    note = next(notes, None)
    if note is None:
        return None
    return compare(observations_of(events), msgspec.json.decode(note.text, type=tuple[str, ...]))
