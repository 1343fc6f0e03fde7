"""Where documents are stored and ranked: one small protocol, one implementation a file.

`Engine` is the seam. `inforce.retrieval.engines.local` is the embedded one (tantivy, faiss, numpy).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Protocol, runtime_checkable

from inforce.dates import DateRange
from inforce.retrieval.fusion import Channel


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found: a provision as it stood between two days, say."""

    key: str
    """Names the document for ever: the same content has the same key."""
    text: str
    """What the dense and BM25 channels read."""
    payload: str
    """What comes back with a hit, untouched (JSON)."""
    _: KW_ONLY
    valid: DateRange | None = None
    """The days it answers for; ``None`` means not known: a dated search never returns it."""
    locators: tuple[str, ...] = ()
    """Exact names the keyword channel may ask for (a law, an article of it, a crime name)."""


@dataclass(frozen=True, slots=True)
class EngineQuery:
    """What each channel needs to know of a question."""

    text: str
    keywords: tuple[str, ...] = ()
    locators: tuple[tuple[str, float], ...] = ()
    """Exact names and how much each weighs in the keyword channel."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A row of the engine and its score in one channel (higher is better)."""

    row: int
    score: float


TimeFilter = tuple[DateRange, ...]
"""A document passes if its days overlap any of these ranges; the empty tuple lets all pass."""


@runtime_checkable
class Engine(Protocol):
    """Stores documents and ranks them, one channel at a time."""

    def add(self, documents: Iterable[Document]) -> int:
        """Store documents; they are visible to every reader when this returns. Returns how many."""
        ...

    def delete(self, keys: Iterable[str]) -> int:
        """Forget documents by key; returns how many were known."""
        ...

    def search(
        self, channel: Channel, query: EngineQuery, *, during: TimeFilter = (), k: int = 10
    ) -> list[Scored]:
        """The best k documents of a channel among those whose days overlap ``during``."""
        ...

    def weigh(self, keyword: str) -> float:
        """How telling a keyword is: ln(1 + N / n), with n of the N documents having it.

        A keyword no document has counts as half a one: it weighs most.
        """
        ...

    def payload(self, row: int) -> str:
        """The payload of a row a search returned."""
        ...
