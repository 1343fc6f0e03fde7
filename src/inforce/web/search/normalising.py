"""From what a service returned to a page: clean text, one address a page, dates, no repetition."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

from inforce.dates import DateRange, LegalDate
from inforce.errors import DateError
from inforce.web.search.provider import SearchFailure, SearchPage, WebResult
from inforce.web.search.urls import canonical_url, page_key, site_of

MAX_TITLE: Final = 300
MAX_SNIPPET: Final = 2_500
_LONGEST_DATE: Final = 40

_HIGHLIGHT: Final = re.compile(r"</?(?:b|em|i|mark|strong|span|br)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_INVISIBLE: Final = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
_AGO: Final = re.compile(r"(\d{1,3}) (minute|min|hour|day)s? ago", re.IGNORECASE)
_ISO_DAY: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ].*)?")
_UNITS: Final = {"minute": "minutes", "min": "minutes", "hour": "hours", "day": "days"}


@dataclass(frozen=True, slots=True)
class Found:
    """One result as a service wrote it."""

    title: str
    url: str
    snippet: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One query on its way: who is asked what, for how many results of which days, and when."""

    provider: str
    query: str
    k: int
    during: DateRange | None
    at: datetime


def utc_now() -> datetime:
    """The time by this machine's clock."""
    return datetime.now(UTC)


def as_page(found: Sequence[Found], request: SearchRequest) -> SearchPage:
    """The page these results make.

    Raises:
        SearchFailure: if there were results and not one has an address: the reply was misread.
    """
    results = list(_results(found, request))
    if found and not results:
        raise SearchFailure("malformed", f"{request.provider} returned results without addresses")
    wanted = [result for result in results if _may_be_of(result.date, request.during)][: request.k]
    ranked = tuple(replace(result, rank=rank) for rank, result in enumerate(wanted, start=1))
    return SearchPage(ranked, request.provider, request.query, request.at)


def clean_text(text: str, *, longest: int) -> str:
    """A text on one line: no highlighting tags, entities, invisible characters.

    >>> clean_text("six&nbsp;months  <b>of</b> detention", longest=100)
    'six months of detention'
    """
    plain = html.unescape(_HIGHLIGHT.sub("", text[: longest * 4]))
    line = " ".join(_INVISIBLE.sub("", plain).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def published(text: str, *, fetched_at: datetime) -> str:
    """When something was published, ISO where the words can be read; else the words.

    >>> published("2 days ago", fetched_at=datetime(2026, 3, 26, tzinfo=UTC))
    '2026-03-24'
    >>> published("Mar 3, 2021", fetched_at=utc_now()), published("last week", fetched_at=utc_now())
    ('2021-03-03', 'last week')
    """
    words = clean_text(text, longest=_LONGEST_DATE)
    ago = _AGO.fullmatch(words)
    if ago:
        past = timedelta(**{_UNITS[ago[2].lower()]: int(ago[1])})
        return (fetched_at - past).date().isoformat()
    iso = _ISO_DAY.fullmatch(words)
    try:
        return str(LegalDate.parse(iso[1] if iso else words))
    except DateError:
        return _day_of_message(words) or words


def _day_of_message(words: str) -> str:
    """The day of a date in the form of e-mail headers, as feeds give it; empty if it is none."""
    try:
        return parsedate_to_datetime(words).date().isoformat()
    except (ValueError, IndexError, TypeError):
        return ""


def _results(found: Iterable[Found], request: SearchRequest) -> Iterable[WebResult]:
    seen: set[str] = set()
    for one in found:
        url = canonical_url(one.url)
        if not url or page_key(url) in seen:
            continue
        seen.add(page_key(url))
        yield WebResult(
            clean_text(one.title, longest=MAX_TITLE) or site_of(url),
            url,
            clean_text(one.snippet, longest=MAX_SNIPPET),
            site_of(url),
            published(one.date, fetched_at=request.at) if one.date else "",
            "pdf" if urlsplit(url).path.lower().endswith(".pdf") else "page",
            request.provider,
        )


def _may_be_of(published_on: str, during: DateRange | None) -> bool:
    if during is None or not published_on:
        return True
    try:
        return LegalDate.parse(published_on).range.overlaps(during)
    except DateError:
        return True
