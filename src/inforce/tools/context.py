"""What one run of an agent has seen: the store its tools share, and no other run does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class SeenResult:
    """A search result a run was shown, and may therefore open."""

    url: str
    title: str
    snippet: str
    query: str


@dataclass(slots=True)
class RunContext:
    """One run's memory across its tools (LegalSearch-R1, section 5.1: cross-tool context store)."""

    question: str
    today: date
    """The day the run takes place; what "today" and "now" mean in it."""
    results: dict[str, SeenResult] = field(default_factory=dict[str, SeenResult])
    """Search results by URL; only these may be browsed."""

    def remember(self, results: Iterable[SeenResult]) -> None:
        """Add search results; the first snippet of a URL is kept."""
        for result in results:
            self.results.setdefault(result.url, result)

    def seen(self, url: str) -> SeenResult | None:
        """The result a URL came from, or ``None`` if no search of this run returned it."""
        return self.results.get(url)
