"""Look-ups in stored sources: a case by its number, and the documents that cite an article.

Candidates are found by words, and each is then read. A document that cites an article means the
number of its own day; where it has no day, the number alone is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from inforce.law.citation import find_citations
from inforce.law.ids import Portion
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import title_key
from inforce.retrieval.glossary import short_title
from inforce.retrieval.sources.source import Source, SourceDocument, SourceName, StoredName
from inforce.retrieval.sources.stored import open_source, open_sources, source_store
from inforce.retrieval.text_reuse import fold

READ = 200
"""Candidates that are read for each number the article had."""

CITING: tuple[StoredName, ...] = ("precedent", "guideline")

CASES: Final[StoredName] = "precedent"
"""The stored source that has cases."""

_CASES_READ = 20
"""Candidates among which a case is looked for by its number."""

_HEAD = 300
"""Characters of a text in which a case has its own number; further on it may cite another's."""
_GUIDING = re.compile(
    r"指导性?案例\s?第?\s?(?P<after>\d{1,4})\s?号|第?\s?(?P<before>\d{1,4})\s?号指导性?案例"
)

NumberOn = Callable[[date], ProvisionNumber | None]
"""The number the article had on a day; ``None`` where that is not known."""


@dataclass(frozen=True, slots=True)
class CitingDocument:
    """A document of a source that cites an article."""

    source: SourceName
    id: str
    title: str
    date: date | None
    """The day it was decided or issued."""
    portions: tuple[Portion, ...]
    """The parts of the article it cites, under the number it had then."""
    checked: bool
    """Whether the number is known to have been that of the article on the document's day."""


def citing_documents(
    home: Path, work: str, numbers: tuple[ProvisionNumber, ...], *, number_on: NumberOn
) -> tuple[CitingDocument, ...]:
    """Return the documents of a person's sources that cite an article, the latest first.

    Args:
        home: the data folder.
        work: the law.
        numbers: the number asked for, then others the article had.
        number_on: says which of them it had on a day.

    Raises:
        SearchIndexError: if a source is damaged, or of another release.
    """
    found: dict[tuple[SourceName, str], CitingDocument] = {}
    for name, source in open_sources(home).items():
        if name in CITING:
            for one in _citing(name, source, work, numbers, number_on):
                found.setdefault((name, one.id), one)
    return tuple(
        sorted(found.values(), key=lambda one: (one.date or date.min, one.id), reverse=True)
    )


def _citing(
    name: SourceName,
    source: Source,
    work: str,
    numbers: tuple[ProvisionNumber, ...],
    number_on: NumberOn,
) -> Iterator[CitingDocument]:
    key = title_key(work)
    for number in numbers:
        query = f"《{work}》{number.chinese} {short_title(work)}{number.chinese}"
        for hit in source.search(query, k=READ):
            document = hit.document
            portions = tuple(
                dict.fromkeys(
                    portion
                    for cited in find_citations(document.text)
                    if cited.work and title_key(cited.work) == key
                    for portion in cited.portions
                    if portion.number == number
                )
            )
            then = number_on(document.date) if document.date else None
            if not portions or (then is None and number != numbers[0]):
                continue
            if then in (None, number):
                yield CitingDocument(
                    name, document.id, document.title, document.date, portions, then is not None
                )


def holds_cases(home: Path) -> bool:
    """Return whether a data folder has a source of cases."""
    return bool(source_store(home, CASES).current(CASES))


def find_case(home: Path, number: str) -> SourceDocument | None:
    """Return the case that has a number; ``None`` if the source does not have it.

    Numbers are （2019）京01民终1234号, 指导案例24号, 检例第24号.

    Raises:
        SearchIndexError: if the source is damaged, or of another release.
    """
    sought = _plain(number)
    source = open_source(home, CASES)
    for hit in source.search(number, k=min(_CASES_READ, max(1, len(source)))):
        one = hit.document
        if sought in _plain(" ".join((one.title, *one.details.values(), one.text[:_HEAD]))):
            return one
    return None


def _plain(number: str) -> str:
    """Return a number as it is compared; those of guiding cases are written in many ways."""
    same = _GUIDING.sub(lambda found: f"指导案例{found['after'] or found['before']}号", number)
    return fold(same).text
