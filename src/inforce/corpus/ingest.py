"""Adding records to a corpus: incremental, repeatable, all or nothing, in one short transaction.

A record is known by its key. Adding it again changes nothing. A record from the same place (same
work, label, first day and source) with another content is a correction: the earlier one goes.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from inforce.corpus import queries
from inforce.corpus.records import VERSION_COLUMNS, final_provisions_cell, repeal_rows
from inforce.corpus.references import INSERT_REFERENCE
from inforce.law.registry import title_key

DATING = 3
"""Which manner of dating laws (`inforce.corpus.dating`) this is: higher after every change."""

if TYPE_CHECKING:
    from inforce.corpus.records import RepealRow
    from inforce.corpus.staging import StagedRecord

EMPTY_SNAPSHOT = hashlib.sha256().hexdigest()
"""The snapshot of a corpus that holds nothing."""

_INSERT_VERSION = (
    f"INSERT INTO version (work_id, key, digest, kinds, {', '.join(VERSION_COLUMNS)}) "
    f"VALUES ({', '.join('?' * (4 + len(VERSION_COLUMNS)))})"
)
_INSERT_PROVISION = """
    INSERT INTO provision (version_id, number, position, text_id, path_id) VALUES
    (?, ?, ?, (SELECT id FROM text WHERE hash = ?), (SELECT id FROM text WHERE hash = ?))
"""
_SAME_TEXT_ELSEWHERE = """
    SELECT 1 FROM version
    WHERE work_id = ? AND text_hash = ? AND (source_name, source_path) != (?, ?)
"""
_INSERT_ACT = "INSERT INTO act VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_REPEAL = "INSERT OR IGNORE INTO repeal VALUES (?, ?, ?, ?)"
_INSERT_CAPTION = """
    INSERT INTO caption (work_id, number, name, starts, ends, authority) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET ends = excluded.ends WHERE ends IS NOT excluded.ends
"""


@dataclass(frozen=True, slots=True)
class AddReport:
    """What adding changed."""

    works: int = 0
    """Laws this corpus had never heard of."""
    versions_added: int = 0
    """Records stored, corrections included."""
    versions_replaced: int = 0
    """Earlier records that gave way to a correction from the same place."""
    versions_known: int = 0
    """Records that were already held, unchanged."""
    witnesses: int = 0
    """Records stored whose whole text was already held from another source."""
    provisions: int = 0
    """Articles of the records stored."""
    captions: int = 0
    """Captions stored or given another last day."""
    touched: tuple[str, ...] = ()
    """The titles of the laws of which records were stored, sorted."""


def add_records(connection: sqlite3.Connection, records: Iterable[StagedRecord]) -> AddReport:
    """Store records in one transaction: an error, or a kill, leaves the file as it was."""
    with writing(connection):
        return store_records(connection, records)


@contextmanager
def writing(connection: sqlite3.Connection) -> Generator[None]:
    """Be the one writer; what is written inside is stored whole, or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def store_records(connection: sqlite3.Connection, records: Iterable[StagedRecord]) -> AddReport:
    """Store records, inside of `writing`."""
    adding = _Adding(connection)
    for record in records:
        adding.add(record)
    return adding.finish()


def read_clauses_again(connection: sqlite3.Connection) -> None:
    """Read the last articles of every record held: for a file made before that was done."""
    from inforce.law.final_provisions_reading import (
        read_final_provisions,  # its patterns are for those who add laws
    )

    for row_id, title in connection.execute("SELECT id, title FROM work").fetchall():
        connection.execute("UPDATE work SET key = ? WHERE id = ?", (title_key(title), row_id))
    rows = connection.execute(
        "SELECT version.id, title, version.key FROM version JOIN work ON work.id = work_id"
    )
    for version_id, title, key in rows.fetchall():
        final = read_final_provisions(title, queries.provisions_of_version(connection, key) or ())
        _store_final_provisions(
            connection, version_id, final_provisions_cell(final), repeal_rows(final)
        )
    if connection.execute("SELECT 1 FROM version").fetchone():
        _name_state(connection)


def _name_state(connection: sqlite3.Connection) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO meta VALUES ('snapshot', ?)", (compute_snapshot(connection),)
    )


def _store_final_provisions(
    connection: sqlite3.Connection, version_id: int, cell: str, repeals: Iterable[RepealRow]
) -> None:
    connection.execute("UPDATE version SET closing = ? WHERE id = ?", (cell, version_id))
    connection.executemany(_INSERT_REPEAL, ((version_id, *repeal) for repeal in repeals))


def compute_snapshot(connection: sqlite3.Connection) -> str:
    """One hash over every record and caption, whatever the order they came in.

    The manner of dating is part of it: what is derived from the snapshot, such as a search index,
    is made anew where laws are dated otherwise than before.
    """
    digest = hashlib.sha256()
    rows = connection.execute("SELECT digest FROM version ORDER BY digest").fetchall()
    if rows:
        digest.update(f"dating {DATING}\x1e".encode())
    for row in rows:
        digest.update(f"{row[0]}\x1e".encode())
    captions = connection.execute(
        "SELECT title, number, name, starts, ends, authority FROM caption"
        " JOIN work ON work.id = work_id ORDER BY 1, 2, 3, 4, 6"
    )
    for row in captions:
        digest.update("\x1f".join(map(str, row)).encode() + b"\x1e")
    return digest.hexdigest()


class _Adding:
    """One transaction's worth of adding."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._report = AddReport()
        self._arrived: set[int] = set()
        """Rows this transaction stored or met again: they never give way to each other."""
        self._touched: set[str] = set()

    def add(self, record: StagedRecord) -> None:
        work_id = self._work(record.work)
        held = self._one("SELECT id, digest FROM version WHERE key = ?", record.key)
        if held is not None and held[1] == record.digest:
            self._arrived.add(held[0])
            self._count(versions_known=1)
        else:
            if held is not None:
                self._remove(held[0])
            self._insert(record, work_id)
        for cells in record.captions:
            stored = self._db.execute(_INSERT_CAPTION, (work_id, *cells))
            self._count(captions=stored.rowcount)

    def finish(self) -> AddReport:
        """Let corrected records give way, and name the new state."""
        for version_id in self._superseded():
            self._remove(version_id)
        report = replace(self._report, touched=tuple(sorted(self._touched)))
        if report.versions_added or report.captions:
            from inforce.corpus.resolving import resolve_references  # reading needs none of it

            _name_state(self._db)
            resolve_references(self._db)
        return report

    def _work(self, title: str) -> int:
        row = self._one("SELECT id FROM work WHERE title = ?", title)
        if row is not None:
            return row[0]
        self._count(works=1)
        return self._inserted(
            "INSERT INTO work (title, key) VALUES (?, ?)", title, title_key(title)
        )

    def _insert(self, record: StagedRecord, work_id: int) -> None:
        elsewhere = self._one(_SAME_TEXT_ELSEWHERE, work_id, record.text_hash, *record.place)
        cells = (work_id, record.key, record.digest, record.kinds, *record.version)
        version_id = self._inserted(_INSERT_VERSION, *cells)
        self._arrived.add(version_id)
        self._touched.add(record.work)
        _store_final_provisions(self._db, version_id, record.final_provisions, record.repeals)
        self._db.executemany(
            _INSERT_ACT, ((version_id, place, *act) for place, act in enumerate(record.acts))
        )
        self._db.executemany("INSERT OR IGNORE INTO text (hash, text) VALUES (?, ?)", record.texts)
        self._db.executemany(
            _INSERT_PROVISION,
            (
                (version_id, number, position, text, path)
                for position, (number, text, path) in enumerate(record.provisions)
            ),
        )
        self._db.executemany(INSERT_REFERENCE, ((work_id, *one) for one in record.references))
        witnesses = 0 if elsewhere is None else 1
        self._count(versions_added=1, witnesses=witnesses, provisions=len(record.provisions))

    def _superseded(self) -> list[int]:
        """Rows from a place this transaction spoke for, that it did not bring again."""
        places = {
            row[0]: row[1:]
            for row in self._db.execute(
                "SELECT id, work_id, label, starts, source_name, source_path FROM version"
            )
        }
        spoken_for = {places[version_id] for version_id in self._arrived}
        return [
            version_id
            for version_id, place in places.items()
            if place in spoken_for and version_id not in self._arrived
        ]

    def _remove(self, version_id: int) -> None:
        """Forget a record; texts it alone used stay behind, harmless, for others to share."""
        self._db.execute("DELETE FROM version WHERE id = ?", (version_id,))
        self._arrived.discard(version_id)
        self._count(versions_replaced=1)

    def _count(self, **more: int) -> None:
        counted = {name: getattr(self._report, name) + number for name, number in more.items()}
        self._report = replace(self._report, **counted)

    def _one(self, query: str, *cells: Any) -> Any:
        return self._db.execute(query, cells).fetchone()

    def _inserted(self, query: str, *cells: Any) -> int:
        row_id = self._db.execute(query, cells).lastrowid
        assert row_id is not None
        return row_id
