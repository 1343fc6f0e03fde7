"""When a web page says it was published: its metadata, or a line that says so in words.

A date in the address, in a footer or somewhere in the text is no statement and does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

_META = frozenset(
    (
        "article:published_time",
        "citation_date",
        "citation_publication_date",
        "date",
        "datepublished",
        "dc.date",
        "dc.date.issued",
        "dcterms.created",
        "dcterms.date",
        "dcterms.issued",
        "og:published_time",
        "parsely-pub-date",
        "pubdate",
        "publication_date",
        "publish_date",
        "publishdate",
        "publishtime",
        "pubtime",
        "sailthru.date",
    )
)
_JSON_LD = re.compile(r'"datePublished"\s*:\s*"([^"]{8,40})"')
_STATED = re.compile(
    r"(?:发布|公布|发文|成文|印发|刊发)(?:日期|时间)\s*[：:]\s*"
    r"(\d{4})\s*[-年/.]\s*(\d{1,2})\s*[-月/.]\s*(\d{1,2})"
)
_ISO = re.compile(r"\s*(\d{4})[-/年.](\d{1,2})[-/月.](\d{1,2})(?!\d)|\s*(\d{4})(\d\d)(\d\d)(?!\d)")
_LOOKED_AT = 3_000
"""Characters of the text in which a line may say when it was published."""
_EARLIEST = 1900


def published(soup: Any) -> date | None:
    """The day a parsed page (BeautifulSoup) says it was published; ``None``: it does not say."""
    for text in _stated(soup):
        match = _ISO.match(text)
        day = _day(*(group for group in match.groups() if group)) if match else None
        if day is not None:
            return day
    stated = _STATED.search(soup.get_text(" ")[:_LOOKED_AT])
    return _day(*stated.groups()) if stated else None


def _stated(soup: Any) -> Iterator[str]:
    for meta in soup("meta"):
        names = (meta.get("property"), meta.get("name"), meta.get("itemprop"))
        if any(str(name).lower() in _META for name in names if name):
            yield str(meta.get("content") or "")
    for script in soup("script", type="application/ld+json"):
        yield from _JSON_LD.findall(script.get_text()[:200_000])
    for time in soup("time", attrs={"pubdate": True}) + soup("time", itemprop="datePublished"):
        yield str(time.get("datetime") or time.get_text())


def _day(year: str, month: str, day: str) -> date | None:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found if found.year >= _EARLIEST else None
