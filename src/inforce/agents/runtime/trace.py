"""The trace of a run, event by event: a file that can be read, shown, judged and resumed.

A trace is JSON lines. Nothing in it is secret: no keys, no headers. Whatever cost time or money (a
model's reply, a tool's answer, a person's reply) is stored whole, so that a run that was
interrupted goes on from its trace without asking again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec

from inforce.agents.runtime.answer import ResearchAnswer
from inforce.dates import DateRange
from inforce.errors import DateError, InputError
from inforce.files import LineFile
from inforce.llm.chat import Finish, Message, Sampling, Usage
from inforce.tools.context import SeenResult
from inforce.tools.evidence import Evidence
from inforce.tools.tool import ToolStatus


class Started(msgspec.Struct, frozen=True, tag="started", tag_field="event"):
    """A run began: question, agent, model, and settings."""

    agent: str
    model: str
    question: str
    today: str
    """The day the run takes place, ISO."""
    settings: dict[str, str]
    at: datetime
    version: str
    """Of inforce."""
    as_of: DateRange | None = None
    """The days of the facts, where the person gave them."""
    trial: date | None = None
    """The day of the trial, where the person gave it."""


class Replied(msgspec.Struct, frozen=True, tag="replied", tag_field="event"):
    """A model took a turn."""

    key: str
    """A hash of the request: see `reply_key`."""
    role: str
    """Which part of the agent asked: ``agent``, ``planner``, ``judge``."""
    text: str
    usage: Usage
    finish: Finish
    cached: bool
    seconds: float
    at: datetime


class Observed(msgspec.Struct, frozen=True, tag="observed", tag_field="event"):
    """A tool answered."""

    key: str
    tool: str
    arguments: Any
    text: str
    status: ToolStatus
    evidence: tuple[Evidence, ...]
    seen: tuple[SeenResult, ...]
    """Search results that became browsable with this answer."""
    seconds: float
    at: datetime
    usage: Usage = Usage()
    """Of models the tool asked for itself (to read a page, to choose a source), in calls that were
    interrupted before, too."""


class Spent(msgspec.Struct, frozen=True, tag="spent", tag_field="event"):
    """A model replied inside a tool that has not answered yet: paid for in any case."""

    key: str
    """Of the call of the tool; its `Observed` states the sum of all of them."""
    usage: Usage
    at: datetime


class PersonAsked(msgspec.Struct, frozen=True, tag="asked", tag_field="event"):
    """The agent asked the person something."""

    key: str
    questions: tuple[str, ...]
    at: datetime


class PersonReplied(msgspec.Struct, frozen=True, tag="told", tag_field="event"):
    """The person replied, one reply a question; an empty one is "no answer"."""

    key: str
    replies: tuple[str, ...]
    at: datetime


class Noted(msgspec.Struct, frozen=True, tag="noted", tag_field="event"):
    """Something a reader of the trace should know: a reply that broke the protocol, a verdict."""

    kind: str
    """``invalid_reply``, ``plan``, ``route``, ``judge``, ``budget``, ``failure``, …"""
    text: str
    at: datetime


class Finished(msgspec.Struct, frozen=True, tag="finished", tag_field="event"):
    """The run ended, one way or another."""

    answer: ResearchAnswer
    seconds: float
    at: datetime


Event = Started | Replied | Observed | Spent | PersonAsked | PersonReplied | Noted | Finished

_ENCODER = msgspec.json.Encoder(decimal_format="string")
_BEGINNING = b'{"event":"'
_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def usage_of(events: Collection[Event]) -> Usage:
    """The cost of the models of a run: its own, and those inside tools, answered or not."""
    paid = sum((one.usage for one in events if isinstance(one, Replied | Observed)), Usage())
    return sum(unanswered(events).values(), paid)


def unanswered(events: Iterable[Event]) -> dict[str, Usage]:
    """The cost of models inside tools that have not answered since, by the call."""
    spent: dict[str, Usage] = {}
    for event in events:
        if isinstance(event, Spent):
            spent[event.key] = spent.get(event.key, Usage()) + event.usage
        elif isinstance(event, Observed):
            spent.pop(event.key, None)
    return spent


def encode(event: Event) -> bytes:
    """Encode an event as a line, without the line break."""
    return _ENCODER.encode(event)


def decode(line: bytes | str) -> Event:
    """Decode the event of a line.

    Raises:
        ValueError: if the line is none.
    """
    return _DECODER.decode(line)


def read_trace(path: Path) -> tuple[Event, ...]:
    """Read the events of a trace file; a last line cut off by a crash is left out.

    Raises:
        InputError: if the file cannot be read, or a line before the last is no event.
    """
    return tuple(_events(path))


def _events(path: Path) -> Iterator[Event]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"cannot read the trace: {error.strerror}", path=path) from error
    for number, line in enumerate((line.strip(b"\0 \t\r") for line in lines), start=1):
        if not line:
            continue
        try:
            yield decode(line)
        except (ValueError, DateError) as error:
            if number == len(lines) and _may_be_torn(line):
                return
            raise InputError(f"no event of a trace: {error}", path=path, line=number) from error


def _may_be_torn(line: bytes) -> bool:
    """Whether a line is the beginning of an event; another file's last line is not to be lost."""
    return line.startswith(_BEGINNING[: len(line)])


class TraceFile:
    """A trace being written, one line at a time, each safe on disk before the run goes on.

    Raises:
        StorageError: if the file cannot be written, or the disk is full: then the run stops, and
            what it paid for so far is in the file.
    """

    def __init__(self, path: Path) -> None:
        self._file = LineFile(path)

    def __call__(self, event: Event) -> None:
        """Write an event."""
        self._file.append(encode(event))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def reply_key(role: str, messages: Sequence[Message], sampling: Sampling) -> str:
    """A hash of a request to the model: the same request gets the same recorded reply."""
    turns = [(message.role, message.content) for message in messages]
    drawn = (sampling.temperature, sampling.max_tokens, sampling.stop, sampling.seed)
    return _digest([role, turns, drawn])


def call_key(tool: str, arguments: Any) -> str:
    """A hash of a call of a tool."""
    return _digest([tool, arguments])


def person_key(questions: Sequence[str]) -> str:
    """A hash of questions to the person."""
    return _digest(list(questions))


def _digest(value: Any) -> str:
    written = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(written.encode()).hexdigest()[:24]
