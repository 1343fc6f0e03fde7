"""When a web page says it was published: its metadata, or a line that says so in words.

A date in the address, in a footer or somewhere in the text is no statement and does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

_META_NAMES = (
    "article:published_time citation_date citation_publication_date date datepublished dc.date "
    "dc.date.issued dcterms.created dcterms.date dcterms.issued og:published_time parsely-pub-date "
    "pubdate publication_date publish_date publishdate publishtime pubtime sailthru.date"
)
_META = frozenset(_META_NAMES.split())
_JSON_LD = re.compile(r'"datePublished"\s{0,9}:\s{0,9}"([^"]{8,40})"')
_STATED = re.compile(
    r"(?:发布|公布|发文|成文|印发|刊发)(?:日期|时间)\s{0,9}[：:]\s{0,9}"
    r"(\d{4})\s{0,9}[-年/.]\s{0,9}(\d{1,2})\s{0,9}[-月/.]\s{0,9}(\d{1,2})"
)
_DAY = re.compile(r"(\d{4})[-/年.](\d{1,2})[-/月.](\d{1,2})(?!\d)|(\d{4})(\d\d)(\d\d)(?!\d)")
_LOOKED_AT = 3_000
"""Characters of the text in which a line may say when it was published."""
_SCRIPT = 200_000
_EARLIEST = 1900


def published(root: Any) -> date | None:
    """The day a page (a tree of `lxml.html`) says it was published; ``None``: it does not say."""
    for text in _stated(root):
        match = _DAY.match(text.strip())
        day = _day(*(group for group in match.groups() if group)) if match else None
        if day is not None:
            return day
    stated = _STATED.search(_beginning(root))
    return _day(*stated.groups()) if stated else None


def _stated(root: Any) -> Iterator[str]:
    for meta in root.iter("meta"):
        names = (meta.get("property"), meta.get("name"), meta.get("itemprop"))
        if any(name.lower() in _META for name in names if name):
            yield meta.get("content") or ""
    for script in root.iter("script"):
        if script.get("type") == "application/ld+json":
            yield from _JSON_LD.findall((script.text or "")[:_SCRIPT])
    for time in root.iter("time"):
        if time.get("pubdate") is not None or time.get("itemprop") == "datePublished":
            yield time.get("datetime") or time.text_content()


def _beginning(root: Any) -> str:
    words, size = list[str](), 0
    for text in root.itertext():
        words.append(text)
        size += len(text) + 1
        if size > _LOOKED_AT:
            break
    return " ".join(words)[:_LOOKED_AT]


def _day(year: str, month: str, day: str) -> date | None:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found if found.year >= _EARLIEST else None
