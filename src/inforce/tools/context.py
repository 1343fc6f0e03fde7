"""The context of a run, shared by its tools: the question, its dates, and what was found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from inforce.dates import DateRange
from inforce.tools.disclosure import DisclosureGuard


@dataclass(frozen=True, slots=True)
class SeenResult:
    """A search result that a run was shown, and may therefore open."""

    url: str
    title: str
    snippet: str
    query: str


@dataclass(slots=True)
class RunContext:
    """A run's memory across its tools (LegalSearch-R1, section 5.1: cross-tool context store)."""

    question: str
    today: date
    """The day the run takes place: "today" and "now" in its question."""
    as_of: DateRange | None = None
    """The days of the facts, where the person gave them: tools search under their law unless a
    call names another time."""
    trial: date | None = None
    """The day of the trial, where the person gave it."""
    results: dict[str, SeenResult] = field(default_factory=dict[str, SeenResult])
    """Search results by URL; only these may be browsed."""
    guard: DisclosureGuard = field(init=False, repr=False, compare=False)
    """Bounds what this run may send once it has read private text."""

    def __post_init__(self) -> None:
        self.guard = DisclosureGuard(self.question)

    def remember(self, results: Iterable[SeenResult]) -> None:
        """Add search results; of several for one URL the first counts."""
        for result in results:
            self.results.setdefault(result.url, result)
