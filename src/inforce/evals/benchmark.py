"""What a benchmark is: questions, who is asked, how answers are scored, and what it comes to.

A benchmark is a value. `inforce.evals.harness` runs it on inspect-ai; nothing here knows of that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from inforce.agents.runtime.answer import Outcome, ResearchAnswer
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.trace import Event, Noted
from inforce.agents.settings import ResearchSettings
from inforce.dates import Clock
from inforce.errors import UserError
from inforce.evals.table import Table
from inforce.llm.chat import ChatModel, Usage
from inforce.scoring.estimate import Estimate

T = TypeVar("T")

DRAFT = "draft"
"""The kind of the note that holds an agent's own words where they were not handed on."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question of a benchmark."""

    id: str
    """Unique within the benchmark."""
    task: str
    """The task it belongs to: ``lar``, ``3-hop``, ``mbe``."""
    question: str
    """What is put to the agent, the instruction included."""
    target: str
    """The gold answer, as the benchmark writes it."""
    group: str = ""
    """What results are also shown by: a subject, a year; empty for none."""
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Whatever else scoring needs, as JSON types."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What an agent made of an item."""

    answer: ResearchAnswer
    """What a user would be given: withheld where nothing that was found supports it."""
    events: tuple[Event, ...]
    """The whole run: replies, tool calls, notes."""
    seconds: float = 0.0

    @property
    def text(self) -> str:
        """The agent's own final words, as papers score them, withheld or not."""
        notes = (one for one in self.events if isinstance(one, Noted) and one.kind == DRAFT)
        return next((one.text for one in notes), self.answer.text)

    @property
    def is_scored(self) -> bool:
        """Whether the agent got to its end; a run that broke off is no wrong answer."""
        return self.answer.outcome not in ("failed", "budget")


@dataclass(frozen=True, slots=True)
class Scored:
    """How good an attempt is."""

    values: Mapping[str, float | None]
    """By measure; ``None`` where it could not be measured (a judge failed): never zero instead."""
    answer: str = ""
    """The answer as it was read from the attempt's text."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """What is no number: a judge's word, a predicted class."""
    note: str = ""
    """Why, for whoever looks at this item."""


@dataclass(frozen=True, slots=True)
class Record:
    """One item after its run, as it is stored, counted and shown."""

    id: str
    task: str
    group: str
    question: str
    target: str
    answer: str
    outcome: Outcome
    values: Mapping[str, float | None]
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    note: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    calls: Mapping[str, int] = field(default_factory=dict[str, int])
    """Calls of each tool."""
    dated: Mapping[str, int] = field(default_factory=dict[str, int])
    """Of these, the ones whose query names a time (LegalSearch-R1, section 6.4)."""
    trace: str = ""
    """Where the whole run can be read, relative to the folder of the results."""
    epoch: int = 1
    counts_as_wrong: bool = False
    """Whether it broke off and its zeros count all the same: some published tables do so."""

    @property
    def is_scored(self) -> bool:
        """Whether the run got to its end, or is counted as if it had been wrong."""
        return self.counts_as_wrong or self.outcome not in ("failed", "budget")


@dataclass(frozen=True, slots=True)
class Summary:
    """What all items come to."""

    values: Mapping[str, Estimate | None]
    """By measure, the primary one first; ``None`` where no item could be measured."""
    groups: Mapping[str, Mapping[str, Estimate | None]] = field(
        default_factory=dict[str, Mapping[str, Estimate | None]]
    )
    """The same by task or group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How a benchmark is to be run: everything but the models."""

    data: Path
    """The benchmark's file or folder."""
    today: date
    settings: ResearchSettings
    """Who is asked, with what. ``agent`` may also be a condition or a system of this benchmark
    alone. Where no web search is named, the web is not searched (``network`` is false)."""
    corpus: Path | None = None
    """A corpus file, or statute files; the person's own corpus without one."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def agent(self) -> str:
        """Who is asked."""
        return self.settings.agent

    @property
    def clock(self) -> Clock:
        """Always says the day runs take place."""
        return lambda: self.today

    def require_only(self, *names: str) -> None:
        """Refuse settings a system does not use; ``names`` are those it does, also ``corpus``.

        Raises:
            UserError: names them.
        """
        if self.corpus and "corpus" not in names:
            raise UserError(f"the agent {self.agent} does not use --corpus: leave it out")
        self.settings.require_only("agent", "model", "network", "language", *names)


def read_options(setup: Setup, kind: type[T], about: Mapping[str, str]) -> T:
    """The options of a run as a value.

    Args:
        setup: of the run; an option that is empty is as if it were not given.
        kind: a struct whose fields are the options, with their types and defaults.
        about: what each option is, and may be, in words.

    Raises:
        UserError: if an option is not one of its values; says what it may be.
    """
    given = {name: value for name, value in setup.options.items() if value}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        for name, value in given.items():
            if f"`$.{name}`" in str(error):
                reason = f"the option {name} cannot be {value!r}: {about.get(name, error)}"
                raise UserError(reason) from error
        raise UserError(f"{error}; the options are {', '.join(about) or 'none'}") from error


System = Callable[[Item], Researcher]
"""The system that is evaluated: who works on an item, and with which tools. Opened once for all
items; the researcher may differ from item to item."""


ScoreItem = Callable[[Item, Attempt, ChatModel | None], Awaitable[Scored]]
"""Scores an attempt; the model is the judge, ``None`` where none was named. What needs one is then
``None`` as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A benchmark, as the papers define it."""

    name: str
    """As people call it on the command line: lower case, hyphens."""
    title: str
    """One line: what it is, and which paper's section defines it."""
    agents: tuple[str, ...]
    """Who can be asked; the first is asked by default."""
    primary: str
    """The measure that counts."""
    read: Callable[[Setup], Sequence[Item]]
    """The items, in the order of the file. Raises InputError."""
    open_system: Callable[[Setup, ChatModel], AbstractAsyncContextManager[System]]
    """Opens the system; the model takes its turns. Raises UserError, InputError,
    MissingExtraError."""
    scorer: Callable[[Setup], ScoreItem]
    summarise: Callable[[Sequence[Record]], Summary]
    tables: Callable[[Sequence[Record], str], Sequence[Table]]
    """The paper's tables with a row for these records, called by the given name."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """Its own options, with what each is: for ``inforce eval NAME --option KEY=VALUE``."""
    about_data: Callable[[Setup], str] = lambda setup: ""
    """A sentence on the data of a run that its tables do not show: what was filtered out."""
    published: Path | None = None
    """Data that comes with this package, for a benchmark that has some."""
    rules: tuple[str, ...] = ()
    """Those of its agents that ask no model: they are run without a harness."""
    without_model: tuple[str, ...] = ()
    """Those that ask no model either, but are run as the others are: they open a world or learn."""
    is_judged: bool = False
    """Whether a judge is asked anything."""
    zeroed: tuple[str, ...] = ()
    """Measures beside the primary one that are 0 where tables count failed items as wrong."""
