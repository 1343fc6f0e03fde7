"""Checks of citations of American cases.

``found`` means that there is a case under the citation, not that it is the case a text refers to,
nor that it is still good law. Where the text names the case, the names are compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

import msgspec
from rapidfuzz import fuzz

from inforce.web.courtlistener.cases import CaseResult, Cluster, case_of_cluster
from inforce.web.search.provider import SearchFailure

CitationStatus = Literal["found", "ambiguous", "not_found", "unreadable", "not_checked"]
"""``ambiguous``: several cases have this citation. ``unreadable``: no citation, or of a
reporter the service does not know. ``not_checked``: the service did not look."""

NameMatch = Literal["same", "different", "not_compared"]

SAME_NAME: Final = 85.0
"""Similarity in per cent from which two names are those of one case."""

_STATUSES: Final[dict[int, CitationStatus]] = {
    200: "found",
    300: "ambiguous",
    400: "unreadable",
    404: "not_found",
}
_PARTIES: Final = re.compile(r" (?:v|vs|versus)\.? ", re.IGNORECASE)
_LONGEST: Final = 200


class LookedUp(msgspec.Struct):
    """One citation as ``/citation-lookup/`` answers it."""

    citation: str
    status: int
    normalized_citations: list[str] | None = None
    clusters: list[Cluster] | None = None


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """The result of looking a citation up."""

    citation: str
    status: CitationStatus
    cases: tuple[CaseResult, ...] = ()
    name: NameMatch = "not_compared"
    """Whether a case under the citation has the name the text gives it."""
    why: str = ""
    """Why it was not checked."""
    retry_after: float | None = None
    """Seconds after which the service would look."""


def checked(found: LookedUp, *, case_name: str = "") -> CitationCheck:
    """The check of a citation the service answered for."""
    status = _STATUSES.get(found.status, "not_checked")
    citation = (found.normalized_citations or [found.citation])[0][:_LONGEST]
    cases = tuple(case_of_cluster(one, rank=n) for n, one in enumerate(found.clusters or (), 1))
    if status == "not_checked":
        why = f"CourtListener answered {found.status} for it"
        if found.status == 429:
            why = "more citations than CourtListener looks up at once"
        return CitationCheck(citation, status, why=why)
    name: NameMatch = "not_compared"
    if case_name.strip() and cases:
        same = any(same_case(case_name, case.case_name) for case in cases)
        name = "same" if same else "different"
    return CitationCheck(citation, status, cases, name)


def unchecked(text: str, failure: SearchFailure) -> CitationCheck:
    """The check of a citation that could not be looked up."""
    shown = text.strip()[:_LONGEST]
    return CitationCheck(shown, "not_checked", why=str(failure), retry_after=failure.retry_after)


def same_case(left: str, right: str) -> bool:
    """Whether two names are those of one case: both parties must agree, or the only one given.

    >>> same_case("Obergefell v. Hodges", "OBERGEFELL ET AL. v. HODGES, DIRECTOR")
    True
    >>> same_case("Smith v. Hodges", "Obergefell v. Hodges"), same_case("Roe", "Roe v. Wade")
    (False, True)
    """
    parties, others = (_PARTIES.split(" ".join(name.split())) for name in (left, right))
    if len(parties) == 1 or len(others) == 1:
        return _alike(left, right)
    return _alike(parties[0], others[0]) and _alike(parties[1], others[1])


def _alike(left: str, right: str) -> bool:
    """Whether the shorter name's words are in the longer one, spelling aside."""
    return fuzz.token_set_ratio(_plain(left), _plain(right)) >= SAME_NAME


def _plain(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold()))
