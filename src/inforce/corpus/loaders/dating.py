"""When a law was made and when it came into force, read from the lines around its text.

Two places say so: the history above the articles (``2020年5月28日 …通过``) and the law's own last
articles (``本法自2021年1月1日起施行``). An amended law keeps the commencement clause of its first
version, so a clause older than the last amendment says nothing about the text at hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from inforce.documents.json_records import calendar_day
from inforce.errors import DateError, InputError
from inforce.law.model import DateEvidence, Validity

_DAY = r"[0-9]{4}\s*年\s*[0-9]{1,2}\s*月\s*[0-9]{1,2}\s*日"
_BEGINS = r"施行|实施|实行|执行|生效"
_COMMENCEMENT = re.compile(rf"({_DAY})\s*(?:起\s*)?(?:{_BEGINS})")
_EVENT = re.compile(_DAY)
_CLAUSE = re.compile(rf"本[^，。；\s]{{1,12}}自\s*({_DAY})\s*起\s*(?:{_BEGINS})")
_ON_PUBLICATION = re.compile(rf"本[^，。；\s]{{1,12}}自(?:公布|发布|颁布)之日起\s*(?:{_BEGINS})")
_PUBLISHED = re.compile("公布|发布|颁布|全国人民代表大会")
"""An act of the National People's Congress is published on the day it is passed."""

CLOSING_ARTICLES = 10
"""How many articles from the end may hold the commencement clause."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A line of a file, or a whole article, with the line it begins on."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Dating:
    """What a text says about its own dates."""

    promulgated: date | None = None
    commenced: date | None = None
    evidence: DateEvidence = "unstated"

    @property
    def validity(self) -> Validity:
        """The window of a text that no later one is known to have replaced."""
        return Validity(self.commenced, None, "open", self.evidence)


def read_dates(
    header: Sequence[Passage],
    articles: Sequence[Passage],
    *,
    path: Path | str,
    named: date | None = None,
) -> Dating:
    """The dates a law states about itself.

    Args:
        header: the lines between the title and the first article.
        articles: the articles, in order.
        path: the file, for messages.
        named: the date in the file's name, used where the header has none.

    Raises:
        InputError: if one of these dates is on no calendar.
    """
    stated = [day for passage in header for day in _days(_COMMENCEMENT, passage, path)]
    events = [day for passage in header for day in _events(passage, path)]
    promulgated = max(events, default=named)
    header_evidence: DateEvidence = "header" if events or stated else "unstated"
    current = [day for day in stated if promulgated is None or day >= promulgated]
    if current:
        return Dating(promulgated, max(current), "header")
    clause = _own_clause(articles, path)
    if clause is None and len(events) < 2 and _from_publication(header, articles):
        clause = promulgated
    if clause is not None and (promulgated is None or clause >= promulgated):
        return Dating(promulgated, clause, "clause")
    return Dating(promulgated, None, header_evidence)


def is_dated_note(text: str) -> bool:
    """Whether a line above a text is part of its history rather than of the law."""
    return _NOTE.match(text) is not None


_NOTE = re.compile(
    rf"[（(]|(?:根据)?\s*{_DAY}|本\S{{1,12}}自\s*{_DAY}|\S{{2,20}}(?:令|公告)?[第〔\[]\S{{0,12}}号"
)


def _events(passage: Passage, path: Path | str) -> list[date]:
    """The days something happened to the law, without those on which it came into force."""
    rest = Passage(passage.line, _COMMENCEMENT.sub("", passage.text))
    return _days(_EVENT, rest, path)


def _days(pattern: re.Pattern[str], passage: Passage, path: Path | str) -> list[date]:
    found = (match[1] if match.re.groups else match[0] for match in pattern.finditer(passage.text))
    return [_day(text, passage, path) for text in found]


def _day(text: str, passage: Passage, path: Path | str) -> date:
    try:
        return calendar_day("".join(text.split()))
    except DateError as error:
        raise InputError(str(error), path=path, line=passage.line) from error


def _own_clause(articles: Sequence[Passage], path: Path | str) -> date | None:
    for article in reversed(articles[-CLOSING_ARTICLES:]):
        if days := _days(_CLAUSE, article, path):
            return days[-1]
    return None


def _from_publication(header: Iterable[Passage], articles: Sequence[Passage]) -> bool:
    """Whether the law began when published, and the header's date is the day of publication."""
    published = any(_PUBLISHED.search(passage.text) for passage in header)
    closing = articles[-CLOSING_ARTICLES:]
    return published and any(_ON_PUBLICATION.search(article.text) for article in closing)
