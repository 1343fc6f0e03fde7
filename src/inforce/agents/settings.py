"""The settings of a run: one value for the command line, Python, HTTP and evaluations.

`ResearchSettings.with_options` reads what a person writes; `ResearchSettings.check` is the one
place that refuses what cannot be, and what the chosen agent would ignore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Literal, TypedDict, get_args

from inforce.agents.registry import EXTRACTIVE, METHODS, method_named
from inforce.agents.runtime.method import SOURCE_KINDS, STORED, Method, SourceKind
from inforce.dates import Clock, DateRange, system_clock
from inforce.errors import DateError, UserError
from inforce.lawbook import AsOf, day_of, days_of
from inforce.llm.budget import Budget
from inforce.llm.chat import OFFLINE
from inforce.tools.tool import Language

Routing = Literal["tag", "gate", "agent"]
"""How the source of a request is chosen: by the agent's own tag (the default), a learned gate, or a
model (MSR2, section 3.3)."""

RECORDED: Final = "recorded:"
"""The beginning of the ids of recorded models and searches."""

_LIMITS: Final = {
    "tokens": "max_tokens",
    "calls": "max_calls",
    "money": "max_dollars",
    "seconds": "max_seconds",
}
"""The limits of a `Budget`, and the options that set them."""

_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(("agent", "model", "web", "routing", "language"), (str,)),
    **dict.fromkeys(("max_turns", "max_tokens", "max_calls"), (int,)),
    **dict.fromkeys(("replay", "network", "allow_outward"), (bool,)),
    "max_seconds": (int, float),
}
"""Types of options that come as JSON; the others are read from text."""

_NEEDS_NETWORK: Final[tuple[SourceKind, ...]] = ("web", "case-law")
_PRIVATE: Final[tuple[SourceKind, ...]] = ("documents", "tables")
_READ_BY_EXTRACTIVE: Final = ("agent", "model", "as_of", "trial")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchSettings:
    """The settings of a run of research: agent, model, sources, dates, limits."""

    agent: str = "r1"
    """A name of `inforce.agents.registry.METHODS`, or ``extractive``."""
    model: str = OFFLINE
    """An id of `inforce.llm.models`; the extractive agent lets it read the question."""
    as_of: DateRange | None = None
    """The days of the facts; win over dates in the question."""
    trial: date | None = None
    sources: tuple[SourceKind, ...] | None = None
    """The sources to search; ``None``: those the agent usually has, as far as available."""
    web: str = ""
    """A search service, as `inforce.web.search.opening.open_provider` names them."""
    documents: Path | None = None
    """A folder of the person's own files."""
    world: Path | None = None
    """A folder with tables in the form of LegalAgentBench."""
    routing: Routing = "tag"
    language: Language = "zh"
    """Of tools and prompts."""
    tools: Path | None = None
    """A YAML file whose descriptions of tools replace the built-in ones."""
    max_turns: int | None = None
    """Rounds or steps at most; the paper's number without one."""
    budget: Budget = Budget()
    trace: Path | None = None
    """The file each step is written to; a run that is found there goes on."""
    cache: Path | None = None
    """A file in which the model's replies are stored, and found again."""
    replay: bool = False
    """Whether only replies in the cache may be used."""
    network: bool = True
    """Whether the web and case law are among what the agent usually has, where nothing names a
    search service. Without a model they are not."""
    allow_outward: bool = False
    """Whether text of the person's documents and tables may be sent to the web and to case law;
    see `inforce.tools.disclosure`."""

    def with_options(
        self, options: ResearchOptions, *, clock: Clock = system_clock
    ) -> ResearchSettings:
        """These settings, changed by the options a person wrote.

        Args:
            options: as they were written.
            clock: what "today" means in a date.

        Raises:
            UserError: if there is no such option or source, or a limit cannot be read.
            DateError: if a date cannot be read, or the trial is not one day.
        """
        given: dict[str, Any] = {
            name: value for name, value in options.items() if value is not None
        }
        if unknown := sorted(given.keys() - ResearchOptions.__annotations__.keys()):
            raise UserError(f"there is no option {', '.join(map(_option, unknown))}")
        for name, kinds in _KINDS.items():
            if name in given and type(given[name]) not in kinds:
                raise UserError(f"{_option(name)} cannot be {given[name]!r}")
        limits = {name: given.pop(name) for name in _LIMITS.values() if name in given}
        readers: dict[str, Callable[[Any], Any]] = {
            **dict.fromkeys(("documents", "world", "tools", "trace", "cache"), Path),
            "as_of": lambda text: days_of(text, clock=clock),
            "trial": lambda text: day_of(text, clock=clock),
            "sources": read_sources,
        }
        read = {name: readers[name](one) if name in readers else one for name, one in given.items()}
        return replace(self, **read, **({"budget": _budget(limits)} if limits else {}))

    @property
    def chosen_sources(self) -> tuple[SourceKind, ...]:
        """The sources searched: those that were named, else the usual ones that are available."""
        if self.sources is not None:
            return self.sources
        missing: set[SourceKind] = set()
        if self.documents is None:
            missing.add("documents")
        if self.world is None:
            missing.add("tables")
        if self.web.startswith(RECORDED):
            missing.add("case-law")  # beside a recorded web, nothing is asked of the real one
        elif not self.web and not (self.network and self.model != OFFLINE):
            missing.update(_NEEDS_NETWORK)
        return tuple(kind for kind in method_named(self.agent).usual if kind not in missing)

    @property
    def given(self) -> tuple[str, ...]:
        """The settings that differ from the defaults, under the names of the command line."""
        default = ResearchSettings()
        names = [
            name
            for name in (field.name for field in fields(self))
            if name != "budget" and getattr(self, name) != getattr(default, name)
        ]
        limits = [one for name, one in _LIMITS.items() if getattr(self.budget, name) is not None]
        return (*names, *limits)

    def check(self) -> Method | None:
        """Check the settings, and return the method chosen; ``None`` for the extractive answer.

        Raises:
            UserError: if there is no such agent or source, settings exclude each other, or the
                agent would ignore one of them.
            DateError: if the trial comes before the facts.
        """
        if self.trial and self.as_of and self.trial < self.as_of.start:
            raise DateError(str(self.trial), f"the trial cannot come before the facts {self.as_of}")
        if self.max_turns is not None and self.max_turns < 1:
            raise UserError(f"--max-turns is at least 1, not {self.max_turns}")
        for option, known in (("language", get_args(Language)), ("routing", get_args(Routing))):
            if (value := getattr(self, option)) not in known:
                raise UserError(f"{_option(option)} is one of {', '.join(known)}, not {value!r}")
        if self.agent == EXTRACTIVE:
            self.require_only(*_READ_BY_EXTRACTIVE)
            return None
        method = method_named(self.agent)
        self._refuse(name for name in self.given if name in method.ignores)
        self._check_sources(method)
        self._check_model()
        return method

    def require_only(self, *names: str) -> None:
        """Refuse settings that are given and not among ``names``.

        Raises:
            UserError: names them.
        """
        self._refuse(name for name in self.given if name not in names)

    def _refuse(self, ignored: Iterable[str]) -> None:
        names = list(map(_option, ignored))
        if not names:
            return
        leave = f"leave {'it' if len(names) == 1 else 'them'} out"
        if self.agent == EXTRACTIVE:
            leave += f", or name an agent: --agent {'|'.join(METHODS)}"
        raise UserError(f"the agent {self.agent} does not use {', '.join(names)}: {leave}")

    def _check_sources(self, method: Method) -> None:
        chosen = self.chosen_sources
        if unusable := [kind for kind in chosen if kind not in method.sources]:
            raise UserError(
                f"the agent {self.agent} cannot search {', '.join(unusable)}: "
                f"its sources are {','.join(method.sources)}"
            )
        if not chosen:
            raise UserError(
                f"{self.agent} has nothing to work with: name a folder of documents (--documents "
                "FOLDER), a web search (--web NAME), or a model to search the web with (--model ID)"
            )
        for option, kind in (("web", "web"), ("documents", "documents"), ("world", "tables")):
            if getattr(self, option) and kind not in chosen:
                raise UserError(
                    f"{_option(option)} is not used: {kind} is not among the sources searched "
                    f"({','.join(chosen)}); add it with --sources"
                )
        if "documents" in chosen and self.documents is None:
            raise UserError("say where your documents are: --documents FOLDER")
        if "tables" in chosen and self.world is None:
            raise UserError("say where the tables are: --world FOLDER")
        if self.allow_outward and not (
            set(chosen) & {*_PRIVATE} and set(chosen) & {*_NEEDS_NETWORK}
        ):
            raise UserError(
                "--allow-outward is not used: it is for documents or tables searched together with "
                f"the web or case law, and the sources are {','.join(chosen)}"
            )
        if self.routing != "tag" and not self.routed_sources(method):
            raise UserError(
                "--routing is not used: it chooses between sources that are stored with "
                f"inforce sources add, and none is searched ({','.join(chosen)})"
            )

    def routed_sources(self, method: Method) -> tuple[SourceKind, ...]:
        """The sources searched through ``search_source``."""
        stored = any(kind in STORED for kind in self.chosen_sources)
        kinds = ("statutes", *STORED) if stored or method.routes_statutes else ()
        return tuple(kind for kind in self.chosen_sources if kind in kinds)

    def _check_model(self) -> None:
        if self.replay and self.cache is None:
            raise UserError("say which cache to replay: --cache FILE")
        if self.cache is not None and not self.is_served:
            raise UserError(f"--cache is not used: the model {self.model} needs no cache")
        if self.routing == "agent" and not self.is_served:
            raise UserError(
                "--routing agent asks a model for the route, and there is none: "
                "name one with --model, or use --routing gate"
            )

    @property
    def is_served(self) -> bool:
        """Whether the model answers any prompt, not only an agent's turns."""
        return self.model != OFFLINE and not self.model.startswith(RECORDED)


class ResearchOptions(TypedDict, total=False):
    """`ResearchSettings` as a person writes them: dates and lists as text, limits one by one."""

    agent: str
    model: str
    as_of: AsOf | None
    trial: AsOf | None
    sources: str | Sequence[str] | None
    web: str
    documents: Path | str | None
    world: Path | str | None
    routing: Routing
    language: Language
    tools: Path | str | None
    max_turns: int | None
    max_tokens: int | None
    max_calls: int | None
    max_dollars: Decimal | str | float | None
    max_seconds: float | None
    trace: Path | str | None
    cache: Path | str | None
    replay: bool
    network: bool
    allow_outward: bool


def read_sources(named: str | Iterable[str]) -> tuple[SourceKind, ...]:
    """Sources as a person lists them: ``statutes,web``.

    Raises:
        UserError: if one is none.
    """
    parts = named.split(",") if isinstance(named, str) else list(named)
    names = {part.strip() for part in parts if part.strip()}
    unknown = sorted(names - set(SOURCE_KINDS))
    if unknown or not names:
        called = ", ".join(unknown) or "''"
        raise UserError(f"no source is called {called}: use {','.join(SOURCE_KINDS)}")
    return tuple(kind for kind in SOURCE_KINDS if kind in names)


def _budget(limits: Mapping[str, Any]) -> Budget:
    tokens, calls, dollars, seconds = map(limits.get, _LIMITS.values())
    try:
        money = None if dollars is None else Decimal(str(dollars))
    except ArithmeticError as error:
        raise UserError(f"{dollars!r} is no amount of dollars: write 0.50") from error
    return Budget(tokens, calls, money, seconds)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
