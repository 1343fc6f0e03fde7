"""The description of a benchmark: its questions, systems, scores, means and tables.

A benchmark is a value. `inforce.evals.harness` runs it on inspect-ai; nothing here depends on that.
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
    """The text put to the agent, with its instruction."""
    target: str
    """The gold answer, as the benchmark writes it."""
    group: str = ""
    """A second way to break results down: a subject, a year; empty for none."""
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Everything else that scoring needs, as JSON types."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An agent's run on one item."""

    answer: ResearchAnswer
    """The answer a user would get: withheld if nothing that was found supports it."""
    events: tuple[Event, ...]
    """The whole run: replies, tool calls, notes."""
    seconds: float = 0.0

    @property
    def text(self) -> str:
        """The agent's own final words, as papers score them, withheld or not."""
        notes = (event for event in self.events if isinstance(event, Noted) and event.kind == DRAFT)
        return next((note.text for note in notes), self.answer.text)

    @property
    def is_scored(self) -> bool:
        """True unless the run broke off: a broken run is not a wrong answer."""
        return self.answer.outcome not in ("failed", "budget")


@dataclass(frozen=True, slots=True)
class ItemScore:
    """The measures of one attempt."""

    values: Mapping[str, float | None]
    """By measure; ``None`` if it could not be measured (a judge failed), never zero instead."""
    answer: str = ""
    """The answer as it was read from the attempt's text."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """Results that are no numbers: a judge's word, a predicted class."""
    note: str = ""
    """An explanation for readers of the report."""


@dataclass(frozen=True, slots=True)
class Record:
    """One item after its run, as it is stored in ``records.jsonl``."""

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
    """Number of calls by tool."""
    dated: Mapping[str, int] = field(default_factory=dict[str, int])
    """Number of calls by tool whose query mentions a time (LegalSearch-R1, section 6.4)."""
    trace: str = ""
    """The file of the whole run, relative to the folder of the results."""
    epoch: int = 1
    counts_as_wrong: bool = False
    """True if the run broke off and is counted as 0, as some published tables do."""

    @property
    def is_scored(self) -> bool:
        """True if the run got to its end, or is counted as wrong."""
        return self.counts_as_wrong or self.outcome not in ("failed", "budget")


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a whole run."""

    values: Mapping[str, Estimate | None]
    """By measure, the primary one first; ``None`` if no item could be measured."""
    groups: Mapping[str, Mapping[str, Estimate | None]] = field(
        default_factory=dict[str, Mapping[str, Estimate | None]]
    )
    """The same by task or group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The arguments of a benchmark: everything but the models."""

    data: Path
    """The benchmark's file or folder."""
    today: date
    settings: ResearchSettings
    """The agent and its tools. ``agent`` may also be a baseline or a system of this benchmark
    alone. Unless a web search is named, the web is not searched (``network`` is false)."""
    corpus: Path | None = None
    """A corpus file, or statute files; ``None``: the user's own corpus."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def agent(self) -> str:
        """The name of the agent, baseline or system."""
        return self.settings.agent

    @property
    def clock(self) -> Clock:
        """A clock that always returns the day of the run."""
        return lambda: self.today

    def require_only(self, *names: str) -> None:
        """Refuse settings that a system would ignore: all but those named, ``corpus`` included.

        Raises:
            UserError: names them.
        """
        if self.corpus and "corpus" not in names:
            raise UserError(f"the agent {self.agent} does not use --corpus: leave it out")
        self.settings.require_only("agent", "model", "network", "language", *names)


def read_options(setup: Setup, kind: type[T], about: Mapping[str, str]) -> T:
    """Return the options of a run as a value of a struct; empty ones count as missing.

    Error messages describe an option and its possible values as ``about`` does.

    Raises:
        UserError: if an option has an impossible value; says which values there are.
    """
    options = {name: value for name, value in setup.options.items() if value}
    try:
        return msgspec.convert(options, kind, strict=False)
    except msgspec.ValidationError as error:
        for name, value in options.items():
            if f"`$.{name}`" in str(error):
                reason = f"the option {name} cannot be {value!r}: {about.get(name, error)}"
                raise UserError(reason) from error
        raise UserError(f"{error}; the options are {', '.join(about) or 'none'}") from error


System = Callable[[Item], Researcher]
"""The system under evaluation: returns the agent and the tools for an item. It is opened once for
all items; the researcher may differ from item to item."""


ScoreItem = Callable[[Item, Attempt, ChatModel | None], Awaitable[ItemScore]]
"""Scores an attempt. The model is the judge; without one, measures that need it are ``None``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A benchmark, as its paper defines it."""

    name: str
    """The name on the command line: lower case, hyphens."""
    title: str
    """One line: the subject, and the paper and section that define it."""
    agents: tuple[str, ...]
    """The agents, baselines and systems it can evaluate; the first is the default."""
    primary: str
    """The main measure."""
    read: Callable[[Setup], Sequence[Item]]
    """Reads the items, in the order of the file. Raises InputError."""
    open_system: Callable[[Setup, ChatModel], AbstractAsyncContextManager[System]]
    """Opens the system; the model takes its turns. Raises UserError, InputError,
    MissingExtraError."""
    scorer: Callable[[Setup], ScoreItem]
    summarise: Callable[[Sequence[Record]], Summary]
    tables: Callable[[Sequence[Record], str], Sequence[Table]]
    """The paper's tables with a row for these records; the second argument names the row."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """Its own options with a description each: ``inforce eval NAME --option KEY=VALUE``."""
    about_data: Callable[[Setup], str] = lambda setup: ""
    """A sentence on the data of a run that its tables do not show: what was filtered out."""
    published: Path | None = None
    """Data that comes with this package, if any."""
    rules: tuple[str, ...] = ()
    """Agents that ask no model and are run without inspect-ai."""
    without_model: tuple[str, ...] = ()
    """Agents that ask no model, but are run on inspect-ai: they open a world or are trained."""
    is_judged: bool = False
    """True if some measure needs a judge."""
    zeroed: tuple[str, ...] = ()
    """Measures, beside the primary one, that are 0 where tables count failed items as wrong."""
