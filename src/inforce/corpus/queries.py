"""The questions the store asks its file; each takes a connection and returns values."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from inforce.corpus.records import (
    VERSION_COLUMNS,
    Held,
    Row,
    act_from,
    caption_from,
    final_provisions_from,
    number_from,
    version_from,
)
from inforce.corpus.witnesses import in_time
from inforce.law.model import Act, Caption, Provision, Source
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import title_key

ProvisionsByVersion = Mapping[int, Mapping[ProvisionNumber, Provision]]

_VERSION = ", ".join(f"version.{column}" for column in ("id", "kinds", "closing", *VERSION_COLUMNS))
_PROVISION = "provision.number, body.text, heading.text"
_TEXTS = """
    JOIN text AS body ON body.id = provision.text_id
    JOIN text AS heading ON heading.id = provision.path_id
"""
_VERSIONS_OF_WORK = f"SELECT {_VERSION} FROM version WHERE work_id = ?"
_ACTS_OF_WORK = """
    SELECT version_id, day, kind, body, decision FROM act
    JOIN version ON version.id = version_id WHERE work_id = ? ORDER BY version_id, position
"""
_NEWEST_OF_SOURCE = """
    SELECT max(promulgated) FROM version WHERE source_name = ? AND source_revision = ?
"""
_REPEALS = """
    SELECT DISTINCT work.title, version.key, repeal.made FROM repeal
    JOIN version ON version.id = version_id JOIN work ON work.id = work_id WHERE repeal.key = ?
"""
_CLOSINGS_BY_KEY = """
    SELECT promulgated, closing FROM version JOIN work ON work.id = work_id WHERE work.key = ?
"""
_NUMBER_IN_VERSIONS = f"""
    SELECT version.id, {_PROVISION} FROM version
    JOIN provision ON provision.version_id = version.id {_TEXTS}
    WHERE version.work_id = ? AND provision.number = ?
"""
_PROVISIONS_OF_WORK = f"""
    SELECT version.id, {_PROVISION} FROM version
    JOIN provision ON provision.version_id = version.id {_TEXTS}
    WHERE version.work_id = ? ORDER BY version.id, provision.position
"""
_PROVISIONS_OF_VERSION = f"""
    SELECT {_PROVISION} FROM version
    JOIN provision ON provision.version_id = version.id {_TEXTS}
    WHERE version.key = ? ORDER BY provision.position
"""
_NUMBERS_OF_WORK = """
    SELECT DISTINCT number FROM provision JOIN version ON version.id = version_id WHERE work_id = ?
"""
_CAPTIONS = """
    SELECT title, number, name, starts, ends, authority FROM caption
    JOIN work ON work.id = work_id
"""
_NUMBER_COUNTS = """
    SELECT work_id, count(DISTINCT number) FROM version
    JOIN provision ON provision.version_id = version.id GROUP BY work_id
"""
_STORED_TEXTS = """
    SELECT id, text FROM text WHERE id > ? AND id IN (SELECT text_id FROM provision)
    ORDER BY id LIMIT ?
"""
_TEXT_PLACES = """
    SELECT DISTINCT provision.text_id, work.title, provision.number FROM provision
    JOIN version ON version.id = provision.version_id JOIN work ON work.id = version.work_id
    WHERE provision.text_id IN (SELECT value FROM json_each(?))
"""
_STATS = """
    SELECT (SELECT count(*) FROM work), (SELECT count(*) FROM version),
        (SELECT count(*) FROM provision), (SELECT count(*) FROM text),
        (SELECT count(*) FROM caption)
"""


@dataclass(frozen=True, slots=True)
class WorkSummary:
    """One line of ``inforce corpus list``."""

    title: str
    versions: int
    """Versions that differ in wording or time."""
    witnesses: int
    """Records they rest on: the same text from two sources is one version with two witnesses."""
    provisions: int
    """Different article numbers held."""
    first: date | None
    """The earliest first day of a version held; ``None`` where no version is dated."""
    as_of: date | None = None
    """The last day on which a source is known to have shown its newest text in force."""


@dataclass(frozen=True, slots=True)
class Stats:
    """How much a corpus holds."""

    works: int
    witnesses: int
    """Version records, each with its own source."""
    provisions: int
    """Articles over all records."""
    texts: int
    """Different wordings and headings, each stored once."""
    captions: int


def work_id(db: sqlite3.Connection, title: str) -> int | None:
    """The row of a law, or ``None`` where it is not held."""
    row = db.execute("SELECT id FROM work WHERE title = ?", (title,)).fetchone()
    return row[0] if row else None


def titles(db: sqlite3.Connection) -> tuple[str, ...]:
    """All titles, sorted."""
    return tuple(sorted(title for (title,) in db.execute("SELECT title FROM work")))


def held_versions(db: sqlite3.Connection, work: str, row_id: int) -> list[Held]:
    """Every version record of a law as its source states it, in order of time."""
    acts: dict[int, list[Act]] = {}
    for version_id, *cells in db.execute(_ACTS_OF_WORK, (row_id,)):
        acts.setdefault(version_id, []).append(act_from(cells))
    held = [
        Held(
            row[0],
            version_from(work, row[3:], tuple(acts.get(row[0], ()))),
            frozenset(row[1].split()),
            final_provisions_from(row[2]),
        )
        for row in db.execute(_VERSIONS_OF_WORK, (row_id,))
    ]
    return sorted(held, key=lambda one: in_time(one.version))


def newest_of_source(db: sqlite3.Connection, source: Source) -> date | None:
    """The newest act a repository knew in one of its states: it was current then at the earliest.

    Only a state of a repository is one source; files that were put into a folder are many.
    """
    if not source.revision:
        return None
    row = db.execute(_NEWEST_OF_SOURCE, (source.name, source.revision)).fetchone()
    return date.fromisoformat(row[0]) if row[0] else None


class RepealClause(NamedTuple):
    """A text held says that it puts an end to a law."""

    work: str
    version_key: str
    made: date | None


def repeals_of(db: sqlite3.Connection, title: str) -> list[RepealClause]:
    """The texts whose last articles say that they put an end to a law of this title."""
    return sorted(
        (
            RepealClause(work, key, date.fromisoformat(made) if made else None)
            for work, key, made in db.execute(_REPEALS, (title_key(title),))
        ),
        key=lambda one: (one.work, one.version_key),
    )


def commencements_of(db: sqlite3.Connection, title: str) -> list[tuple[date, date]]:
    """When an instrument that is held was made and came into force, by its own last article."""
    found: list[tuple[date, date]] = []
    for promulgated, cell in db.execute(_CLOSINGS_BY_KEY, (title_key(title),)):
        commenced = final_provisions_from(cell).commenced
        if promulgated and commenced is not None:
            found.append((date.fromisoformat(promulgated), commenced))
    return sorted(found)


def provisions_of_number(
    db: sqlite3.Connection, row_id: int, number: ProvisionNumber
) -> dict[int, Provision]:
    """What each version of a law has under one number, by version row."""
    rows = db.execute(_NUMBER_IN_VERSIONS, (row_id, number.iri))
    return {version_id: _provision(cells) for version_id, *cells in rows}


def provisions_of_work(db: sqlite3.Connection, row_id: int) -> ProvisionsByVersion:
    """Every provision of every version of a law, by version row, each in the order of the law."""
    found: dict[int, dict[ProvisionNumber, Provision]] = {}
    for version_id, *cells in db.execute(_PROVISIONS_OF_WORK, (row_id,)):
        provision = _provision(cells)
        found.setdefault(version_id, {})[provision.number] = provision
    return found


def provisions_of_version(db: sqlite3.Connection, key: str) -> tuple[Provision, ...] | None:
    """The provisions of one version in the order of the law; ``None`` where it is not held."""
    if not db.execute("SELECT 1 FROM version WHERE key = ?", (key,)).fetchone():
        return None
    return tuple(_provision(row) for row in db.execute(_PROVISIONS_OF_VERSION, (key,)))


def numbers_of_work(db: sqlite3.Connection, row_id: int) -> tuple[ProvisionNumber, ...]:
    """Every number that any version of a law holds, sorted."""
    return tuple(sorted(number_from(iri) for (iri,) in db.execute(_NUMBERS_OF_WORK, (row_id,))))


def captions(
    db: sqlite3.Connection, condition: str, *cells: str | int
) -> list[tuple[str, Caption]]:
    """Captions that meet a condition, each with its work, sorted by work, number and first day."""
    rows = db.execute(f"{_CAPTIONS} WHERE {condition}", cells)
    found = [(title, caption_from(row)) for title, *row in rows]
    return sorted(found, key=lambda one: (one[0], one[1].number, one[1].window.start, one[1].name))


def stored_texts(
    db: sqlite3.Connection, after: int, *, most: int = 20_000
) -> list[tuple[int, str]]:
    """The next wordings of provisions after a row of the table of texts; headings are left out."""
    return db.execute(_STORED_TEXTS, (after, most)).fetchall()


def stored_text(db: sqlite3.Connection, text_id: int) -> str:
    """The text of a row of the table of texts."""
    return db.execute("SELECT text FROM text WHERE id = ?", (text_id,)).fetchone()[0]


def text_places(
    db: sqlite3.Connection, text_ids: Collection[int]
) -> list[tuple[int, str, ProvisionNumber]]:
    """Every work and number under which one of these texts is stored."""
    rows = db.execute(_TEXT_PLACES, (json.dumps(sorted(text_ids)),))
    return sorted((text_id, title, number_from(iri)) for text_id, title, iri in rows)


def number_counts(db: sqlite3.Connection) -> dict[int, int]:
    """How many different numbers are held of each law, by its row."""
    return dict(db.execute(_NUMBER_COUNTS))


def stats(db: sqlite3.Connection) -> Stats:
    """How much is held."""
    return Stats(*db.execute(_STATS).fetchone())


def _provision(row: Row) -> Provision:
    number, text, path = row
    return Provision(number_from(number), text, path)
