"""A trace as a person reads it: numbered steps, what each took, and how it ended."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from inforce.agents.answer import ResearchAnswer
from inforce.agents.trace import Asked, Event, Finished, Noted, Observed, Replied, Started, Told
from inforce.llm.chat import Usage
from inforce.tools.evidence import Evidence

StepKind = Literal["reply", "tool", "asked", "told", "note"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened."""

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


@dataclass(frozen=True, slots=True)
class TraceView:
    """A run, ready to be shown."""

    agent: str
    model: str
    question: str
    today: str
    settings: dict[str, str]
    version: str
    began: datetime | None
    steps: tuple[Step, ...]
    answer: ResearchAnswer | None
    """``None``: the run has not ended, or was interrupted."""
    usage: Usage
    seconds: float
    """Spent waiting for the model and the tools."""
    calls: dict[str, int]
    """Tool calls by tool."""


def view(events: Sequence[Event]) -> TraceView:
    """What to show of a trace; one that was cut off is shown as far as it goes."""
    start = next((one for one in events if isinstance(one, Started)), None)
    ends = [one.answer for one in events if isinstance(one, Finished)]
    steps = tuple(_steps(events))
    usage = sum((one.usage for one in events if isinstance(one, Replied | Observed)), Usage())
    return TraceView(
        start.agent if start else "",
        start.model if start else "",
        start.question if start else "",
        start.today if start else "",
        start.settings if start else {},
        start.version if start else "",
        start.at if start else None,
        steps,
        ends[-1] if ends else None,
        usage,
        round(sum(step.seconds for step in steps), 3),
        dict(sorted(Counter(one.tool for one in events if isinstance(one, Observed)).items())),
    )


def _steps(events: Iterable[Event]) -> list[Step]:
    steps: list[Step] = []
    for event in events:
        step = _step(len(steps) + 1, event)
        if step:
            steps.append(step)
    return steps


def _step(number: int, event: Event) -> Step | None:
    match event:
        case Replied():
            cached = " (cached)" if event.cached else ""
            return Step(
                number,
                "reply",
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
        case Asked():
            return Step(number, "asked", "asked", "\n".join(event.questions), event.at)
        case Told():
            told = "\n".join(reply or "(no answer)" for reply in event.replies)
            return Step(number, "told", "told", told, event.at)
        case Noted():
            return Step(number, "note", event.kind, event.text, event.at)
        case _:
            return None
