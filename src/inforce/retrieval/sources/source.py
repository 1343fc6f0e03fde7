"""A source of law or knowledge, and what it answers: documents, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, Protocol, get_args

from inforce.dates import DateRange

SourceName = Literal["statute", "guideline", "precedent", "book", "interpretation", "document"]
"""The closed set of sources an agent can name; ``book`` holds books and other legal knowledge,
``document`` the person's own files."""

SOURCE_NAMES: tuple[SourceName, ...] = (
    "statute",
    "guideline",
    "precedent",
    "book",
    "interpretation",
    "document",
)

StoredName = Literal["guideline", "precedent", "book", "interpretation"]
"""The sources that are made from files."""

STORED_NAMES: tuple[StoredName, ...] = get_args(StoredName)

PASSAGE_MARK = "#"
"""Parts a document's id from the number of a passage of it: ``guide-0000#3``."""

WRITTEN_DATE = "date"
"""Where the details keep a date of which only the year or the month is known."""

DEFAULT_K = 3
"""Items a source returns unless asked otherwise."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One document, or one passage of it."""

    id: str
    title: str
    text: str
    date: date | None = None
    """The day it was decided, issued or published."""
    valid: DateRange | None = None
    """The days it was in force, for guidelines and interpretations; ``None``: not known."""
    issuer: str = ""
    region: str = ""
    """Where it applies, for local guidelines; empty for the whole country."""
    section: str = ""
    """The heading a passage is under."""
    url: str = ""
    details: dict[str, str] = field(default_factory=dict[str, str])
    """What else is known of it: court, charge, case number, validity status."""


@dataclass(frozen=True, slots=True)
class SourceHit:
    """A document found, with the source it came from and how well it fits."""

    source: SourceName
    document: SourceDocument
    score: float
    """Higher fits better; comparable within one answer only."""


class Source(Protocol):
    """Somewhere to look."""

    @property
    def name(self) -> SourceName:
        """What agents call it."""
        ...

    def __len__(self) -> int:
        """How many documents it holds."""
        ...

    def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> Sequence[SourceHit]:
        """The ``k`` best documents, best first; of these days only, where given.

        For precedents the days are those of the decision; for guidelines, interpretations and
        statutes those in force. A document whose days are not known is never left out for them.
        """
        ...
