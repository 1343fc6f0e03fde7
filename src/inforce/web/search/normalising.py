"""Making a results page of a service's reply: clean text, canonical URLs, dates, no repeats."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from inforce.dates import DateRange, LegalDate
from inforce.errors import DateError
from inforce.web.search.provider import SearchFailure, SearchPage, WebResult

MAX_TITLE: Final = 300
MAX_SNIPPET: Final = 2_500
_LONGEST_DATE: Final = 40

_HIGHLIGHT: Final = re.compile(r"</?(?:b|em|i|mark|strong|span|br)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_INVISIBLE: Final = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
_AGO: Final = re.compile(r"(\d{1,3}) (minute|min|hour|day)s? ago", re.IGNORECASE)
_ISO_DAY: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ].*)?")
_LONGEST_URL: Final = 2_048
_PORTS: Final = {"http": 80, "https": 443}
_TRACKING: Final = re.compile(
    r"""utm_[a-z_]+ | gclid | gclsrc | dclid | fbclid | msclkid | yclid | igshid | srsltid | twclid
      | mc_cid | mc_eid | _ga | _gl | _hsenc | _hsmi | mkt_tok | oly_anon_id | oly_enc_id | spm
      | wbraid | gbraid | ved | sei | funneluuid""",
    re.VERBOSE | re.IGNORECASE,
)
"""Parameters that say how a reader came, not what is shown."""

_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f\"<>\\^`{|}\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_UNITS: Final = {"minute": "minutes", "min": "minutes", "hour": "hours", "day": "days"}


@dataclass(frozen=True, slots=True)
class Found:
    """One result as a service returned it."""

    url: str
    title: str = ""
    snippet: str = ""
    date: str = ""


def utc_now() -> datetime:
    """The time by this machine's clock."""
    return datetime.now(UTC)


def as_page(
    found: Sequence[Found],
    *,
    provider: str,
    query: str,
    k: int,
    during: DateRange | None,
    fetched_at: datetime | None = None,
) -> SearchPage:
    """Make a results page: at most ``k`` results, without those known to be of other days.

    It was fetched now, unless another time is given.

    Raises:
        SearchFailure: if there were results and not one has an address: the reply was misread.
    """
    fetched_at = fetched_at or utc_now()
    results: dict[str, WebResult] = {}
    for one in found:
        url = canonical_url(one.url)
        if not url or page_key(url) in results:
            continue
        results[page_key(url)] = WebResult(
            clean_text(one.title, longest=MAX_TITLE) or site_of(url),
            url,
            clean_text(one.snippet, longest=MAX_SNIPPET),
            site_of(url),
            published(one.date, fetched_at=fetched_at) if one.date else "",
            "pdf" if urlsplit(url).path.lower().endswith(".pdf") else "page",
            provider,
        )
    if found and not results:
        raise SearchFailure("malformed", f"{provider} returned results without addresses")
    wanted = [one for one in results.values() if _may_be_of(one.date, during)][:k]
    ranked = tuple(replace(one, rank=rank) for rank, one in enumerate(wanted, start=1))
    return SearchPage(ranked, provider, query, fetched_at)


def clean_text(text: str, *, longest: int) -> str:
    """Put a text on one line, without highlighting tags, entities and invisible characters.

    >>> clean_text("six&nbsp;months  <b>of</b> detention", longest=100)
    'six months of detention'
    """
    plain = html.unescape(_HIGHLIGHT.sub("", text[: longest * 4]))
    line = " ".join(_INVISIBLE.sub("", plain).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def published(text: str, *, fetched_at: datetime) -> str:
    """The day of publication, ISO where the service's words can be read; else the words.

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
        pass
    try:
        return parsedate_to_datetime(words).date().isoformat()  # as feeds write it
    except (ValueError, IndexError, TypeError):
        return words


def _may_be_of(published_on: str, during: DateRange | None) -> bool:
    if during is None or not published_on:
        return True
    try:
        return LegalDate.parse(published_on).range.overlaps(during)
    except DateError:
        return True


def canonical_url(address: str) -> str:
    """The canonical form of a web address; empty if it is none.

    Scheme and host in lower case; no user name, default port, fragment or tracking parameters;
    HTML entities resolved. Everything that may choose the content stays, in its order.

    >>> canonical_url("HTTPS://www.Example.com:443/a?id=1&amp;utm_source=x#part")
    'https://www.example.com/a?id=1'
    >>> canonical_url("javascript:alert(1)")
    ''
    """
    plain = html.unescape(address).strip()
    if len(plain) > _LONGEST_URL or _UNSAFE.search(plain):
        return ""
    try:
        parts = urlsplit(plain)
        name, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if parts.scheme not in _PORTS or not name:
        return ""
    host = f"[{name}]" if ":" in name else name
    if port not in (None, _PORTS[parts.scheme]):
        host = f"{host}:{port}"
    shown = [one for one in parts.query.split("&") if one]
    query = "&".join(one for one in shown if not _TRACKING.fullmatch(one.partition("=")[0]))
    return urlunsplit((parts.scheme, host, parts.path or "/", query, ""))


def site_of(url: str) -> str:
    """The host of an address without ``www.``.

    >>> site_of("https://www.uscis.gov/h-1b")
    'uscis.gov'
    """
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def page_key(url: str) -> str:
    """A key equal for addresses of one page: scheme, ``www.`` and a last slash do not count."""
    parts = urlsplit(url)
    host = parts.netloc.removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}"
