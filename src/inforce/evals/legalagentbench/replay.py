"""A recorded model's run compared with its recording, observation by observation.

An observation is what the model was shown after a step: a tool's answer with its hint, or that its
reply holds no action. Values are compared, not their spelling. The agent notes the recorded steps
before it starts, so that a trace alone says how near the run came.

The original harness asked the model twice a step, for a thought and for an action. A recording has
to hold what was executed, the second: from the thoughts no run can be reproduced.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field
from itertools import zip_longest
from typing import Any, TypeGuard, cast

import msgspec

from inforce.agents.legalagentbench.environment import OBSERVATION
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Agent, Run
from inforce.agents.runtime.trace import Event, Noted, Observed, Replied
from inforce.evals.legalagentbench.protocol import FORMAT_COMPLAINT
from inforce.evals.legalagentbench.tasks import Task
from inforce.llm.chat import ChatModel
from inforce.llm.recorded import RecordedModel, Recording

_STEP_ROLES = ("agent", "solver")
_LONGEST_LITERAL = 400_000
_SIGNIFICANT = 12
"""Digits of a fraction that are compared: the server added in binary, ours counts exactly."""
_HALF_WIDTH = str.maketrans("（）", "()")


@dataclass(frozen=True, slots=True)
class Match:
    """How many observations are as recorded; numbers of steps."""

    observed: int = 0
    """Something was observed in the recording: a tool's answer, or a complaint about the form."""
    met: int = 0
    """Of these, our run observed the same; a step that was not reached did not."""
    read_alike: int = 0
    """The reply was read alike: as an action, or as none."""

    def __add__(self, other: Match) -> Match:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Match(*(one + more for one, more in pairs))


def observations_of(events: Iterable[Event]) -> tuple[str, ...]:
    """What the agent was shown after each of its steps; empty after the last."""
    shown: list[str] = []
    for event in events:
        if isinstance(event, Replied) and event.role in _STEP_ROLES:
            shown.append("")
        elif shown and (isinstance(event, Observed) or _is_observation(event)):
            shown[-1] = event.text
    return tuple(shown)


def _is_observation(event: Event) -> TypeGuard[Noted]:
    return isinstance(event, Noted) and event.kind == OBSERVATION


def compare(ours: Sequence[str], theirs: Sequence[str]) -> Match:
    """How far the observations of a run are the recorded ones; an empty one was not recorded."""
    pairs = zip_longest(ours, theirs)
    return sum((_compared(one, recorded) for one, recorded in pairs if recorded), Match())


def _compared(ours: str | None, theirs: str) -> Match:
    is_complaint = theirs.startswith(FORMAT_COMPLAINT)
    return Match(
        observed=1,
        met=int(ours is not None and same(ours, theirs)),
        read_alike=int(bool(ours) and ours.startswith(FORMAT_COMPLAINT) == is_complaint),
    )


def same(one: str, other: str) -> bool:
    """Whether two observations say the same.

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
"""Kind of the note that holds the observations of the recording."""

_DECODER = msgspec.json.Decoder(tuple[str, ...])


@dataclass(frozen=True, slots=True)
class Recordings:
    """The recordings of a model, by question and by task; none of a model that is asked live."""

    by_question: dict[str, Recording] = field(default_factory=dict[str, Recording])
    by_id: dict[str, Recording] = field(default_factory=dict[str, Recording])

    @classmethod
    def of(cls, model: ChatModel) -> Recordings:
        """Those a model answers from."""
        found = cls()
        for one in model.recordings if isinstance(model, RecordedModel) else ():
            found.by_question.setdefault(one.question, one)
            found.by_id.setdefault(str(one.id), one)
        return found

    def of_task(self, task: Task) -> Recording | None:
        """The recording of a task; some were asked in other words than the data set has now."""
        return self.by_question.get(task.question) or self.by_id.get(str(task.id))


@dataclass(frozen=True, slots=True)
class Replayed:
    """An agent that is asked in the words of the recording, and notes what was observed then."""

    agent: Agent
    recording: Recording

    @property
    def name(self) -> str:
        """That of the agent."""
        return self.agent.name

    @property
    def settings(self) -> dict[str, str]:
        """Those of the agent."""
        return self.agent.settings

    async def __call__(self, run: Run) -> Draft:
        """Work on the question as it was recorded."""
        run.context.question = self.recording.question
        observed = [text or "" for text in self.recording.observations]
        run.note(RECORDED, msgspec.json.encode(observed).decode())
        return await self.agent(run)


def match_of(events: Iterable[Event]) -> Match | None:
    """How far a run met its recording; ``None`` for a run that has none."""
    happened = tuple(events)
    notes = (one for one in happened if isinstance(one, Noted) and one.kind == RECORDED)
    noted = next(notes, None)
    if noted is None:
        return None
    return compare(observations_of(happened), _DECODER.decode(noted.text))
