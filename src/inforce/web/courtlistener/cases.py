"""A case as CourtListener describes it, in the form every search result has."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Final
from urllib.parse import urljoin

import msgspec

from inforce.dates import LegalDate
from inforce.errors import DateError
from inforce.web.courtlistener.query import CaseKind
from inforce.web.search.normalising import (
    MAX_SNIPPET,
    MAX_TITLE,
    canonical_url,
    clean_text,
    site_of,
)
from inforce.web.search.provider import WebResult

SITE: Final = "https://www.courtlistener.com"
NAME: Final = "courtlistener"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: the common result, and the particulars of a case."""

    result: WebResult
    case_name: str
    citations: tuple[str, ...] = ()
    court: str = ""
    court_id: str = ""
    filed: date | None = None
    argued: date | None = None
    docket_number: str = ""
    precedential_status: str = ""
    """``Published``, ``Unpublished``, …; empty where the service does not say."""
    judge: str = ""
    cite_count: int | None = None
    """How many opinions the service holds that cite it."""

    @property
    def caption(self) -> str:
        """As a brief cites it: ``Obergefell v. Hodges, 576 U.S. 644 (2015)``."""
        first = self.citations[0] if self.citations else self.docket_number
        year = str(self.filed.year) if self.filed else ""
        bracket = " ".join(filter(None, ("" if self.citations else self.court, year)))
        name = ", ".join(filter(None, (self.case_name, first)))
        return f"{name} ({bracket})" if bracket else name


class Opinion(msgspec.Struct):
    """One opinion of a decision: lead, concurrence, dissent."""

    snippet: str | None = None
    type: str | None = None


class Document(msgspec.Struct):
    """One document of a docket."""

    snippet: str | None = None
    description: str | None = None
    short_description: str | None = None


class Row(msgspec.Struct, rename="camel"):
    """One row of ``/search/``, of any type; the service mixes two spellings."""

    case_name: str | None = None
    docket_number: str | None = None
    date_filed: str | None = None
    date_argued: str | None = None
    cite_count: int | None = None
    absolute_url: str | None = msgspec.field(default=None, name="absolute_url")
    docket_url: str | None = msgspec.field(default=None, name="docket_absolute_url")
    court_id: str | None = msgspec.field(default=None, name="court_id")
    court: str | None = None
    citation: list[str] | None = None
    status: str | None = None
    judge: str | None = None
    snippet: str | None = None
    opinions: list[Opinion] | None = None
    recap_documents: list[Document] | None = msgspec.field(default=None, name="recap_documents")


class ClusterCitation(msgspec.Struct):
    """A citation of a cluster, in its three parts."""

    volume: str | int | None = None
    reporter: str | None = None
    page: str | int | None = None


class Cluster(msgspec.Struct):
    """A decision as ``/citation-lookup/`` gives it."""

    case_name: str | None = None
    absolute_url: str | None = None
    date_filed: str | None = None
    precedential_status: str | None = None
    citation_count: int | None = None
    judges: str | None = None
    citations: list[ClusterCitation] | None = None


def case_of(row: Row, *, kind: CaseKind, rank: int) -> CaseResult:
    """The case of a search row."""
    name = _clean(row.case_name)
    filed, argued = _day(row.date_filed), _day(row.date_argued)
    day = argued if kind == "oral_argument" else filed
    return CaseResult(
        _result(name, row.absolute_url or row.docket_url, _text(row), day, kind, rank),
        name,
        tuple(_clean(one) for one in row.citation or ()),
        _clean(row.court),
        row.court_id or "",
        filed,
        argued,
        _clean(row.docket_number),
        _clean(row.status),
        _clean(row.judge),
        row.cite_count,
    )


def case_of_cluster(cluster: Cluster, *, rank: int) -> CaseResult:
    """The case of a cluster; it has no text, and does not name its court."""
    name = _clean(cluster.case_name)
    filed = _day(cluster.date_filed)
    written = (
        " ".join(str(part) for part in (one.volume, one.reporter, one.page) if part is not None)
        for one in cluster.citations or ()
    )
    return CaseResult(
        _result(name, cluster.absolute_url, "", filed, "opinion", rank),
        name,
        tuple(written),
        filed=filed,
        precedential_status=_clean(cluster.precedential_status),
        judge=_clean(cluster.judges),
        cite_count=cluster.citation_count,
    )


def _result(
    name: str, path: str | None, text: str, day: date | None, kind: CaseKind, rank: int
) -> WebResult:
    """The common result; without an address where the path leads off the service's own site."""
    is_own = path is not None and path.startswith("/") and not path.startswith("//")
    url = canonical_url(urljoin(SITE, path)) if path and is_own else ""
    return WebResult(
        name, url, text, site_of(url), day.isoformat() if day else "", kind, NAME, rank
    )


def _text(row: Row) -> str:
    """The text the service shows: one paragraph of each opinion or document."""
    opinions = [one.snippet for one in row.opinions or ()]
    documents = [
        one.snippet or one.description or one.short_description for one in row.recap_documents or ()
    ]
    shown = (_clean(one, MAX_SNIPPET) for one in (row.snippet, *opinions, *documents))
    return " … ".join(filter(None, shown))[:MAX_SNIPPET]


def _clean(text: str | None, longest: int = MAX_TITLE) -> str:
    return clean_text(text or "", longest=longest)


def _day(text: str | None) -> date | None:
    """The day a row states, with or without a time; ``None`` where it states none."""
    with suppress(DateError):
        stated = LegalDate.parse((text or "")[:10])
        return stated.range.start if stated.precision == "day" else None
    return None
