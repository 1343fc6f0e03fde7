"""The precedents and guidelines that cite an article, each for its own time.

Candidates are found by words; each is then read, and shown only if it cites the article. A document
with a day means the number of that day; of one without, the number alone is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from inforce.law.citation import find_citations
from inforce.law.ids import Portion
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import title_key
from inforce.retrieval.glossary import short_title
from inforce.retrieval.sources.source import Source, SourceName, StoredName
from inforce.retrieval.sources.stored import open_sources

READ = 200
"""Candidates that are read for each number the article had."""

CITING: tuple[StoredName, ...] = ("precedent", "guideline")

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
    """What of the article it cites, under the number it had then."""
    checked: bool
    """Whether the number is known to have been that of the article on the document's day."""


def citing_documents(
    home: Path, work: str, numbers: tuple[ProvisionNumber, ...], *, number_on: NumberOn
) -> tuple[CitingDocument, ...]:
    """The documents of a person's sources that cite an article, the latest first.

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
