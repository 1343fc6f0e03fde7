"""A trace for people to read: numbered steps, their time and cost, and the end of the run.

`page` makes one web page of it that needs nothing else: no script, no network, no style sheet.
Everything shown comes from models and foreign pages, so everything is escaped, and only http and
https addresses become links.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import count
from typing import Literal

from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.run import Listener
from inforce.agents.runtime.trace import (
    Event,
    Finished,
    Noted,
    Observed,
    PersonAsked,
    PersonReplied,
    Replied,
    Spent,
    Started,
    usage_of,
)
from inforce.dates import DateRange
from inforce.documents.untrusted import linkable
from inforce.language.templates import templates
from inforce.llm.chat import Usage
from inforce.tools.evidence import Evidence

StepKind = Literal["model", "tool", "question", "reply", "note", "answer"]
"""``question`` and ``reply``: what the person was asked and replied. ``answer``: the run ended."""


NOT_SHOWN = Started | Spent
"""Events that are no step of their own."""

_Shown = Replied | Observed | PersonAsked | PersonReplied | Noted | Finished


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a run."""

    number: int
    kind: StepKind
    title: str
    text: str
    at: datetime
    detail: str = ""
    """Arguments of a tool call, as JSON."""
    status: str = ""
    seconds: float = 0.0
    tokens: int = 0
    evidence: tuple[Evidence, ...] = ()
    answer: ResearchAnswer | None = None
    """In the last step of a run that ended."""

    def __str__(self) -> str:
        status = f" ({self.status.replace('_', ' ')})" if self.status else ""
        return f"{self.number}. {self.title}{status}: {' '.join(self.text.split())}"


@dataclass(frozen=True, slots=True)
class TraceView:
    """A run, ready to be shown."""

    agent: str
    model: str
    question: str
    as_of: DateRange | None
    trial: date | None
    today: str
    settings: dict[str, str]
    version: str
    began: datetime | None
    steps: tuple[Step, ...]
    """All but the answer."""
    answer: ResearchAnswer | None
    """``None``: the run has not ended, or was interrupted."""
    usage: Usage
    seconds: float
    """Spent waiting for the model and the tools."""
    calls: dict[str, int]
    """Tool calls by tool."""


def view(events: Sequence[Event]) -> TraceView:
    """Prepare a trace to be shown; one that was cut off is shown as far as it goes."""
    start = next((one for one in events if isinstance(one, Started)), None)
    ends = [one.answer for one in events if isinstance(one, Finished)]
    shown = [one for one in events if not isinstance(one, NOT_SHOWN | Finished)]
    steps = tuple(_step(one, number) for number, one in enumerate(shown, start=1))
    return TraceView(
        start.agent if start else "",
        start.model if start else "",
        start.question if start else "",
        start.as_of if start else None,
        start.trial if start else None,
        start.today if start else "",
        start.settings if start else {},
        start.version if start else "",
        start.at if start else None,
        steps,
        ends[-1] if ends else None,
        usage_of(events),
        round(sum(step.seconds for step in steps), 3),
        dict(sorted(Counter(one.tool for one in events if isinstance(one, Observed)).items())),
    )


def step_listener(on_step: Callable[[Step], None]) -> Listener:
    """Calls ``on_step`` with the steps of a run, numbered from 1."""
    numbers = count(1)

    def listener(event: Event) -> None:
        if not isinstance(event, NOT_SHOWN):
            on_step(_step(event, next(numbers)))

    return listener


def _step(event: _Shown, number: int) -> Step:
    match event:
        case Replied():
            cached = " (cached)" if event.cached else ""
            return Step(
                number,
                "model",
                f"{event.role}{cached}",
                event.text,
                event.at,
                status="" if event.finish == "stop" else event.finish,
                seconds=event.seconds,
                tokens=event.usage.tokens,
            )
        case Observed():
            return Step(
                number,
                "tool",
                event.tool,
                event.text,
                event.at,
                detail=json.dumps(event.arguments, ensure_ascii=False, indent=1),
                status=event.status,
                seconds=event.seconds,
                tokens=event.usage.tokens,
                evidence=event.evidence,
            )
        case PersonAsked():
            return Step(number, "question", "asked", "\n".join(event.questions), event.at)
        case PersonReplied():
            replies = "\n".join(reply or "(no answer)" for reply in event.replies)
            return Step(number, "reply", "replied", replies, event.at)
        case Noted():
            return Step(number, "note", event.kind, event.text, event.at)
        case Finished(answer=answer):
            return Step(
                number,
                "answer",
                answer.agent,
                answer.text,
                event.at,
                status=answer.outcome,
                seconds=event.seconds,
                tokens=answer.usage.tokens,
                evidence=answer.evidence,
                answer=answer,
            )


def page(shown: TraceView) -> str:
    """The HTML of a trace."""
    found = shown.answer.evidence if shown.answer else ()
    numbers = {one.id: number for number, one in enumerate(found, start=1)}
    template = templates("inforce.agents.runtime").get_template("trace.html.j2")
    return template.render(shown=shown, cited=numbers, linkable=linkable)
