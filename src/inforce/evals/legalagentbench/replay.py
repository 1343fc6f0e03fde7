"""A recorded model's run compared with its recording, observation by observation.

An observation is what the model was shown after a step: a tool's answer with its hint, or that its
reply holds no action. Values are compared, not their spelling. The agent notes the recorded steps
before it starts, so that a trace alone says how near the run came.

Some steps no run can reproduce. The original harness asked the model twice a step, for a thought
and for an action, and a recording holds one text: the first, which mostly contains the action too.
Where the second differed, what was executed is lost. Such steps are found without looking at what
our tools answer, by the recording itself and by what the world's records say of the call, and are
counted apart.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, field
from itertools import zip_longest
from typing import Any, Literal, TypeGuard, cast

import msgspec

from inforce.agents.legalagentbench.action import Action, read_action
from inforce.agents.legalagentbench.environment import OBSERVATION
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Agent, Run
from inforce.agents.runtime.trace import Event, Noted, Observed, Replied
from inforce.evals.legalagentbench.protocol import FORMAT_COMPLAINT
from inforce.evals.legalagentbench.tasks import Task
from inforce.llm.chat import ChatModel
from inforce.llm.recorded import RecordedModel, Recording
from inforce.tools.legalagentbench import TABLE_TOOLS, TableTool, World
from inforce.tools.legalagentbench.catalogue import SCHEMAS
from inforce.tools.legalagentbench.wording import NO_DATA, NO_SUCH_COLUMN, WRONG_PARAMETERS

_STEP_ROLES = ("agent", "solver")
_LONGEST_LITERAL = 400_000
_HALF_WIDTH = str.maketrans("（）", "()")


Contradicts = Callable[[str, str], str | None]
"""Why an observation cannot belong to a model's text; ``None`` where it can."""


class RecordedStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a recorded run."""

    observation: str = ""
    """What the model was shown after it; empty where nothing was recorded."""
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
    return sum((_compared(text, one) for text, one in pairs if one and one.observation), Match())


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


RECORDED = "recorded"
"""Kind of the note that holds the steps of the recording."""

_DECODER = msgspec.json.Decoder(tuple[RecordedStep, ...])


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
    contradicts: Contradicts

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
        steps = steps_of(self.recording, self.contradicts)
        run.note(RECORDED, msgspec.json.encode(steps).decode())
        return await self.agent(run)


def match_of(events: Iterable[Event]) -> Match | None:
    """How far a run met its recording; ``None`` for a run that has none."""
    happened = tuple(events)
    notes = (one for one in happened if isinstance(one, Noted) and one.kind == RECORDED)
    noted = next(notes, None)
    if noted is None:
        return None
    return compare(observations_of(happened), _DECODER.decode(noted.text))


Contradiction = Literal["form", "arguments", "rows", "columns", "world"]
"""``form``: an action was found where none was read, or none where one was carried out.
``arguments``: a call the server refuses was answered. ``rows``: one row was answered where several
are, or the other way round. ``columns``: others were answered than asked for, or those of the table
were said not to exist. ``world``: the call is known to have rows and nothing was answered, or known
to have none and something was."""

_TOOLS = {tool.name: tool for tool in TABLE_TOOLS}
_REGION = ("prov", "city", "county")


def contradictions_in(world: World) -> Contradicts:
    """The check for a world: why an observation cannot belong to a model's text, if it cannot."""

    def contradicts(text: str, observation: str) -> Contradiction | None:
        action = read_action(text, "benchmark").action
        if (action is None) != observation.startswith(FORMAT_COMPLAINT):
            return "form"
        tool = _TOOLS.get(action.tool) if action else None
        if action is None or tool is None or not isinstance(action.input, dict):
            return None
        return _of_look_up(action, tool, observation, world)

    return contradicts


def _of_look_up(
    action: Action, tool: TableTool, observation: str, world: World
) -> Contradiction | None:
    given = cast(dict[str, Any], action.input)
    asked = cast(list[object], given.get("columns") or [])
    answered = _rows(observation)
    if answered is not None and tool.answer != "cell":
        if isinstance(answered, list) != (tool.answer == "rows"):
            return "rows"
        if asked and any(set(row) != set(asked) for row in _listed(answered)):
            return "columns"
    if observation.startswith(NO_SUCH_COLUMN) and set(asked) <= set(SCHEMAS[tool.table].columns):
        return "columns"
    return _of_world(tool, given, observation, world)


def _of_world(
    tool: TableTool, given: dict[str, Any], observation: str, world: World
) -> Contradiction | None:
    names = _REGION if tool.by_region else ("identifier",)
    identifier = [given.get(name) for name in names]
    if not all(isinstance(one, str) for one in identifier):
        return None if observation == WRONG_PARAMETERS else "arguments"
    known = world.look_up(tool, cast(Sequence[str], identifier)).knowledge
    is_empty = observation.startswith(NO_DATA)
    if known == "known" and (is_empty or observation == WRONG_PARAMETERS):
        return "world"
    return "world" if known == "nothing" and not is_empty else None


def _rows(observation: str) -> dict[str, Any] | list[dict[str, Any]] | None:
    """The rows of an answer; ``None`` where it has none."""
    try:
        value: Any = ast.literal_eval(observation)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None
    listed = cast(list[object], value if isinstance(value, list) else [value])
    if not listed or not all(isinstance(one, dict) for one in listed):
        return None
    return cast("dict[str, Any] | list[dict[str, Any]]", value)


def _listed(answered: dict[str, Any] | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return answered if isinstance(answered, list) else [answered]
