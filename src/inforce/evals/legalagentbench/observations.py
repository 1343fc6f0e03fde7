"""Were the agent's observations those of the recorded run? Values are compared, not their spelling.

An observation is what the model was told: a tool's answer with its hint, or that its reply holds no
action. Steps that a recording cannot hold rightly (see
`inforce.evals.legalagentbench.contradictions`) are counted and set aside.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from itertools import zip_longest
from typing import Any, TypeGuard, cast

import msgspec

from inforce.agents.legalagentbench.environment import OBSERVATION
from inforce.agents.runtime.trace import Event, Noted, Observed, Replied
from inforce.evals.legalagentbench.protocol import FORMAT_COMPLAINT
from inforce.llm.recorded import Recording

_STEP_ROLES = ("agent", "solver")
_LONGEST_LITERAL = 400_000
_HALF_WIDTH = str.maketrans("（）", "()")


Contradicts = Callable[[str, str], str | None]
"""Why an observation cannot belong to a model's text; ``None`` where it can."""


class RecordedStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a recorded run."""

    observation: str = ""
    """What the model was told after it; empty where nothing was recorded."""
    contradiction: str = ""
    """Why the observation cannot belong to the reply; empty where it can."""


@dataclass(frozen=True, slots=True)
class Match:
    """How many observations are as recorded; numbers of steps."""

    observed: int = 0
    """Something was observed in the recording: a tool's answer, or a complaint about the form."""
    equal: int = 0
    """Of these, our run observed the same; a step that was not reached did not."""
    comparable: int = 0
    """Of these, those whose observation can belong to what is recorded of the reply."""
    met: int = 0
    """Of the comparable ones, our run observed the same."""
    read_alike: int = 0
    """The reply was read alike: as an action, or as none."""

    def __add__(self, other: Match) -> Match:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Match(*(one + more for one, more in pairs))


def observations_of(events: Iterable[Event]) -> tuple[str, ...]:
    """What the agent was told after each of its steps; empty after the last."""
    told: list[str] = []
    for event in events:
        if isinstance(event, Replied) and event.role in _STEP_ROLES:
            told.append("")
        elif told and (isinstance(event, Observed) or _is_observation(event)):
            told[-1] = event.text
    return tuple(told)


def _is_observation(event: Event) -> TypeGuard[Noted]:
    return isinstance(event, Noted) and event.kind == OBSERVATION


def steps_of(recording: Recording, contradicts: Contradicts) -> tuple[RecordedStep, ...]:
    """The steps of a recording, each with why its observation cannot be met, if it cannot."""
    steps = zip_longest(recording.completions, recording.observations)
    return tuple(
        RecordedStep(theirs, contradicts(text or "", theirs) or "") if theirs else RecordedStep()
        for text, theirs in steps
    )


def compare(ours: Sequence[str], steps: Sequence[RecordedStep]) -> Match:
    """How far the observations of a run are the recorded ones."""
    pairs = zip_longest(ours, steps)
    return sum((_compared(told, one) for told, one in pairs if one and one.observation), Match())


def _compared(ours: str | None, step: RecordedStep) -> Match:
    theirs = step.observation
    is_equal = ours is not None and same(ours, theirs)
    is_comparable = not step.contradiction
    is_complaint = theirs.startswith(FORMAT_COMPLAINT)
    return Match(
        observed=1,
        equal=int(is_equal),
        comparable=int(is_comparable),
        met=int(is_comparable and is_equal),
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
    """A value with its strings without white space, at any depth."""
    if isinstance(value, str):
        return "".join(value.split())
    if isinstance(value, dict):
        return {_bare(key): _bare(one) for key, one in cast(dict[Any, Any], value).items()}
    if isinstance(value, list | tuple):
        return [_bare(one) for one in cast(list[Any], value)]
    return value
