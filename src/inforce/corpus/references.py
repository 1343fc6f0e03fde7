"""The references stored: what each wording held cites, found in either direction.

They are read while laws are added, and anew from the texts for files of earlier releases; which
article each means is stored with them (`inforce.corpus.resolving`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from inforce.corpus.records import Row, number_from
from inforce.dates import DateRange
from inforce.law.ids import Portion
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import title_key
from inforce.law.timeline import Answer, Span

ReferenceRow = tuple[str, int, str, str, int | None, int | None, str, str, bytes]
"""Number, position, key and number cited, paragraph, item, title, hint, and the wording's hash."""

INSERT_REFERENCE = """
    INSERT OR IGNORE INTO reference (work_id, number, position, target_key, target, paragraph, item,
        title, hint, text_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM text WHERE hash = ?))
"""
_WORDINGS = """
    SELECT DISTINCT work.id, work.title, provision.number, text.text FROM provision
    JOIN version ON version.id = provision.version_id JOIN work ON work.id = version.work_id
    JOIN text ON text.id = provision.text_id
"""
_CITATION = """
    work.title, citation.number, citation.starts, citation.ends, reference.target, paragraph, item,
        answer
    FROM citation JOIN reference USING (work_id, number, text_id, position)
    JOIN work ON work.id = citation.work_id
"""
_TO = f"""
    SELECT {_CITATION} WHERE target_id = :work AND citation.target = :number
        AND target_starts <= :day AND (target_ends IS NULL OR target_ends > :day)
        AND (citation.ends IS NULL OR citation.ends > :first)
        AND (:after IS NULL OR citation.starts < :after)
"""
_EVER_TO = f"""
    SELECT DISTINCT {_CITATION} WHERE target_key = :key AND reference.target = :number
        AND target_id = :work AND answer IN ('found', 'not_covered')
"""
_IN = """
    SELECT reference.position, coalesce(work.title, reference.title), target_id IS NOT NULL,
        reference.target, paragraph, item, answer, citation.target, target_starts, target_ends
    FROM reference LEFT JOIN citation ON citation.work_id = reference.work_id
        AND citation.number = reference.number AND citation.text_id = reference.text_id
        AND citation.position = reference.position AND citation.starts = :starts
    LEFT JOIN work ON work.id = target_id
    WHERE reference.work_id = :work AND reference.number = :number
        AND reference.text_id = (SELECT id FROM text WHERE hash = :text)
    ORDER BY reference.position, target_starts
"""
_TITLES = "SELECT title FROM work WHERE key = ? ORDER BY title"


class Citing(NamedTuple):
    """A provision, on the days of some of its words, that cites an article."""

    work: str
    number: ProvisionNumber
    window: DateRange
    """The days on which these words were in force."""
    portion: Portion
    """What of the article they cite, under the number it had then."""
    checked: bool
    """Whether the text cited is held for that time; else the number alone says what is meant."""


class Reference(NamedTuple):
    """What some words of a provision cite, on days on which they were in force."""

    title: str
    held: bool
    """Whether any text of that law is held."""
    portion: Portion | None
    """As written; ``None`` for the law as a whole."""
    answer: Answer | None
    """What is known of the article when these words came into force; ``None`` where no article is
    cited or the law is not held."""
    numbers: tuple[tuple[DateRange, ProvisionNumber], ...]
    """The days on which the article cited has each number; empty unless it was found."""


def reference_rows(work: str, provision: Provision, text_hash: bytes) -> Iterator[ReferenceRow]:
    """The rows of what a provision cites."""
    from inforce.law.references import cited_in  # reading needs none of it

    for position, cited in enumerate(cited_in(work, provision)):
        portion = cited.portion
        yield (
            provision.number.iri,
            position,
            cited.key,
            portion.number.iri if portion else "",
            portion.paragraph if portion else None,
            portion.item if portion else None,
            cited.title,
            cited.hint,
            text_hash,
        )


def read_references_again(db: sqlite3.Connection) -> None:
    """Fill the table from every wording held: for a file made before there was one."""
    for work_id, work, number, text in db.execute(_WORDINGS).fetchall():
        provision = Provision(ProvisionNumber.parse(number), text)
        rows = reference_rows(work, provision, _hash(text))
        db.executemany(INSERT_REFERENCE, ((work_id, *row) for row in rows))


def has_references(db: sqlite3.Connection) -> bool:
    """Whether references are resolved in the file: in an older one, once it is written to."""
    found = "SELECT 1 FROM sqlite_schema WHERE name = 'citation'"
    return bool(db.execute(found).fetchone())


def references_to(
    db: sqlite3.Connection, work_id: int, number: ProvisionNumber, day: date, days: DateRange
) -> list[Citing]:
    """The provisions in force on some of the days that cite what a number means on one day."""
    cells = {
        "work": work_id,
        "number": number.iri,
        "day": day.isoformat(),
        "first": days.start.isoformat(),
        "after": None if days.end is None else days.end.isoformat(),
    }
    return [_citing(row) for row in db.execute(_TO, cells)]


def references_ever_to(
    db: sqlite3.Connection, work_id: int, key: str, number: ProvisionNumber
) -> list[Citing]:
    """The provisions that cited a number of a law while the law had it, or may have had it."""
    cells = {"work": work_id, "key": key, "number": number.iri}
    return [_citing(row) for row in db.execute(_EVER_TO, cells)]


def references_in(db: sqlite3.Connection, work_id: int, span: Span) -> list[Reference]:
    """What the words of a span cite, in order."""
    assert span.provision is not None
    cells = {
        "work": work_id,
        "number": span.provision.number.iri,
        "text": _hash(span.provision.text),
        "starts": span.window.start.isoformat(),
    }
    rows = db.execute(_IN, cells)
    return [_reference(list(found)) for _, found in groupby(rows, key=itemgetter(0))]


def _citing(row: tuple[str, str, str, str | None, str, int | None, int | None, str]) -> Citing:
    work, number, starts, ends, target, paragraph, item, answer = row
    return Citing(
        work,
        number_from(number),
        _window(starts, ends),
        Portion(number_from(target), paragraph, item),
        answer == "found",
    )


def _reference(rows: Sequence[Row]) -> Reference:
    _, title, held, target, paragraph, item, answer, *_ = rows[0]
    numbers = [
        (_window(starts, ends), number_from(number))
        for *_, number, starts, ends in rows
        if answer == "found"
    ]
    portion = Portion(number_from(target), paragraph, item) if target else None
    return Reference(title, bool(held), portion, answer or None, tuple(numbers))


def _window(starts: str, ends: str | None) -> DateRange:
    return DateRange(date.fromisoformat(starts), date.fromisoformat(ends) if ends else None)


def title_of_key(db: sqlite3.Connection, key: str) -> str | None:
    """The title of the law held that other texts call so; ``None`` where none or several are."""
    titles = [title for (title,) in db.execute(_TITLES, (key,))]
    exact = [title for title in titles if title_key(title) == key]
    return exact[0] if len(exact) == 1 else None


def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()
