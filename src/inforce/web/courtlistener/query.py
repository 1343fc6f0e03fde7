"""Queries for cases: words, a party, a citation, a docket number, courts and days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from inforce.dates import DateRange
from inforce.errors import UserError

CaseKind = Literal["opinion", "filing", "docket", "oral_argument"]
"""``opinion``: decisions. ``filing``: federal dockets with their documents (RECAP). ``docket``:
the dockets alone. ``oral_argument``: recordings of hearings."""

_TYPES: Final[dict[CaseKind, str]] = {
    "opinion": "o",
    "filing": "r",
    "docket": "d",
    "oral_argument": "oa",
}
Matching = Literal["words", "meaning"]
"""``words``: every word of the query. ``meaning``: opinions near to a question put in sentences."""

_RECAP: Final = ("filing", "docket")
_STATUSES: Final = (
    "Published",
    "Unpublished",
    "Errata",
    "Separate",
    "In-chambers",
    "Relating-to",
    "Unknown",
)
"""Precedential statuses; left to itself the service only looks through the published opinions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseQuery:
    """A search for cases; at least one of the first four must be given.

    >>> CaseQuery(party="Obergefell", courts=("scotus",)).parameters["case_name"]
    'Obergefell'

    Raises:
        UserError: if nothing is looked for, or a kind of record has no such field.
    """

    keywords: str = ""
    """In the service's query language: words, "phrases", AND, OR, NOT."""
    party: str = ""
    citation: str = ""
    """As ``576 U.S. 644``; opinions only."""
    docket_number: str = ""
    courts: tuple[str, ...] = ()
    """Identifiers of the service: ``scotus``, ``ca9``, ``nysd``, ``cal``."""
    during: DateRange | None = None
    """When it was filed; for oral arguments, when it was argued."""
    kind: CaseKind = "opinion"
    matching: Matching = "words"

    def __post_init__(self) -> None:
        if not any((self.keywords, self.party, self.citation, self.docket_number)):
            raise UserError("a case search needs keywords, a party, a citation or a docket number")
        if self.citation and self.kind != "opinion":
            raise UserError("only opinions have citations: look for this kind by other fields")
        if any(not court.isalnum() or not court.isascii() for court in self.courts):
            raise UserError("courts are named by CourtListener's identifiers: scotus, ca9, nysd")

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the search address."""
        party = "party_name" if self.kind in _RECAP else "case_name"
        fields = {
            "type": _TYPES[self.kind],
            "q": self.keywords,
            party: self.party,
            "citation": self.citation,
            "docket_number": self.docket_number,
            "court": " ".join(self.courts),
            "order_by": "score desc",
        }
        given = {name: value for name, value in fields.items() if value}
        if self.kind == "opinion":
            given |= {f"stat_{status}": "on" for status in _STATUSES}
            given |= {"semantic": "true"} if self.matching == "meaning" else {}
        return given | self._days

    @property
    def _days(self) -> dict[str, str]:
        """The first and the last day, both included."""
        if self.during is None:
            return {}
        word = "argued" if self.kind == "oral_argument" else "filed"
        first, last = self.during.start, self.during.last
        after = {} if first == date.min else {f"{word}_after": first.isoformat()}
        return after | ({f"{word}_before": last.isoformat()} if last else {})

    def __str__(self) -> str:
        """The search in words."""
        fields = {
            "words": self.keywords,
            "party": self.party,
            "citation": self.citation,
            "docket number": self.docket_number,
            "courts": ", ".join(self.courts),
            "days": str(self.during or ""),
        }
        given = "; ".join(f"{name}: {value}" for name, value in fields.items() if value)
        return f"{self.kind.replace('_', ' ')}s; {given}"
