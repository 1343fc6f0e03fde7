"""Putting a recorded model's run beside its recording: what was observed then, in the trace of now.

A recording and the world say which observations can be met; see
`inforce.evals.legalagentbench.contradictions`. The agent notes them before it starts, so that a
trace alone tells how near the run came.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Agent, Run
from inforce.agents.runtime.trace import Event, Noted
from inforce.evals.legalagentbench.observations import (
    Contradicts,
    Match,
    RecordedStep,
    compare,
    observations_of,
    steps_of,
)
from inforce.evals.legalagentbench.tasks import Task
from inforce.llm.chat import ChatModel
from inforce.llm.recorded import RecordedModel, Recording

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
        kept = cls()
        for one in model.recordings if isinstance(model, RecordedModel) else ():
            kept.by_question.setdefault(one.question, one)
            kept.by_id.setdefault(str(one.id), one)
        return kept

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
