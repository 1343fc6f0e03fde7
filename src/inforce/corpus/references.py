"""The table of references: what each wording held cites, found in either direction.

It is filled while laws are added, and made anew from the texts for files of earlier releases.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from inforce.law.ids import Portion
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.references import Cited, cited_in
from inforce.law.registry import title_key

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
_TO = """
    SELECT DISTINCT work.title, reference.number, body.text, paragraph, item, hint FROM reference
    JOIN work ON work.id = reference.work_id JOIN text AS body ON body.id = reference.text_id
    WHERE target_key = ? AND target = ? AND EXISTS (
        SELECT 1 FROM provision JOIN version ON version.id = provision.version_id
        WHERE provision.text_id = reference.text_id AND provision.number = reference.number
        AND version.work_id = reference.work_id
    )
"""
_IN = """
    SELECT target_key, target, paragraph, item, title, hint FROM reference
    WHERE work_id = ? AND number = ? AND text_id = (SELECT id FROM text WHERE hash = ?)
    ORDER BY position
"""
_TITLES = "SELECT title FROM work WHERE key = ? ORDER BY title"


class Citing(NamedTuple):
    """A wording of a provision that cites an article."""

    work: str
    number: ProvisionNumber
    text: str
    portion: Portion
    """What of the article it cites."""
    hint: str
    """The year or revision named with the law, as written."""


def reference_rows(work: str, provision: Provision, text_hash: bytes) -> Iterator[ReferenceRow]:
    """The rows of what a provision cites."""
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
    """Whether the file has the table; one of an earlier release gets it when it is written to."""
    return bool(db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'reference'").fetchone())


def references_to(db: sqlite3.Connection, key: str, number: ProvisionNumber) -> tuple[Citing, ...]:
    """The wordings held that cite an article, sorted by law and number."""
    found = [
        Citing(work, ProvisionNumber.parse(iri), text, Portion(number, paragraph, item), hint)
        for work, iri, text, paragraph, item, hint in db.execute(_TO, (key, number.iri))
    ]
    return tuple(sorted(found, key=lambda one: (one.work, one.number, one.text, str(one.portion))))


def references_in(db: sqlite3.Connection, work_id: int, provision: Provision) -> tuple[Cited, ...]:
    """What a wording cites, in order."""
    rows = db.execute(_IN, (work_id, provision.number.iri, _hash(provision.text)))
    return tuple(
        Cited(
            key,
            title,
            Portion(ProvisionNumber.parse(target), paragraph, item) if target else None,
            hint,
        )
        for key, target, paragraph, item, title, hint in rows
    )


def title_of_key(db: sqlite3.Connection, key: str) -> str | None:
    """The title of the law held that other texts call so; ``None`` where none or several are."""
    titles = [title for (title,) in db.execute(_TITLES, (key,))]
    exact = [title for title in titles if title_key(title) == key]
    return exact[0] if len(exact) == 1 else None


def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()
