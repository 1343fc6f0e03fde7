"""Adding records to a corpus: incremental, repeatable, all or nothing, in one short transaction.

A record is known by its key. Adding it again changes nothing. A record from the same place (same
work, label, first day and source) with another content is a correction: the earlier one goes.

Records are read and checked before the file is locked, as reading may take minutes: until then
they wait as rows, in memory or in a file beside the corpus, and nobody waits for them.
"""

from __future__ import annotations

import hashlib
import sqlite3
import struct
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import msgspec

from inforce.corpus import rows
from inforce.corpus.citations import INSERT_REFERENCE, ReferenceRow, reference_rows, resolve
from inforce.corpus.snapshots import compute_snapshot, record_digest
from inforce.errors import CorpusError, InputError, InternalError
from inforce.law.final_provisions import read_final_provisions
from inforce.law.model import VersionText, provisions_hash
from inforce.law.registry import title_key

Progress = Callable[[VersionText], None]

IN_MEMORY = 32 * 2**20
"""Bytes of rows that wait in memory; more than that waits in a file beside the corpus."""

_LENGTH = struct.Struct("<I")

_INSERT_VERSION = (
    f"INSERT INTO version (work_id, key, digest, kinds, {', '.join(rows.VERSION_COLUMNS)}) "
    f"VALUES ({', '.join('?' * (4 + len(rows.VERSION_COLUMNS)))})"
)
_INSERT_PROVISION = """
    INSERT INTO provision (version_id, number, position, text_id, path_id) VALUES
    (?, ?, ?, (SELECT id FROM text WHERE hash = ?), (SELECT id FROM text WHERE hash = ?))
"""
_SAME_TEXT_ELSEWHERE = """
    SELECT 1 FROM version AS added JOIN version AS other USING (work_id, text_hash)
    WHERE added.id = ? AND (other.source_name, other.source_path)
        != (added.source_name, added.source_path)
"""
_INSERT_ACT = "INSERT INTO act VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_REPEAL = "INSERT OR IGNORE INTO repeal VALUES (?, ?, ?, ?)"
_INSERT_CAPTION = """
    INSERT INTO caption (work_id, number, name, starts, ends, authority) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET ends = excluded.ends WHERE ends IS NOT excluded.ends
"""


@dataclass(frozen=True, slots=True)
class AddReport:
    """The changes that adding made."""

    works: int = 0
    """Laws that are new to this corpus."""
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
    """Captions stored, or stored with another last day."""
    touched: tuple[str, ...] = ()
    """The titles of the laws of which records were stored, sorted."""


class PreparedRecord(msgspec.Struct, frozen=True, array_like=True):
    """A checked version record as the rows that are to be written."""

    work: str
    key: str
    digest: str
    kinds: str
    """The kinds of number that its provisions have, with spaces between."""
    version: tuple[str | None, ...]
    """The cells of `inforce.corpus.rows.version_row`."""
    texts: list[tuple[bytes, str]]
    """Each text and heading once, by its SHA-256."""
    provisions: list[tuple[str, bytes, bytes]]
    """Number, text and heading of each, in the order of the law."""
    captions: list[tuple[str, str, str, str | None, str]]
    acts: list[tuple[str, str, str, str]]
    """The acts of its history, in order."""
    final_provisions: str
    """The commencement clauses (`inforce.corpus.rows.final_provisions_cell`)."""
    repeals: list[rows.RepealRow]
    references: list[ReferenceRow]
    """The references in its provisions, without those whose wording came before in the input."""


# -- preparing, before the file is locked ----------------------------------------------------------


@contextmanager
def prepared(
    texts: Iterable[VersionText], *, folder: Path, progress: Progress | None = None
) -> Generator[Iterator[PreparedRecord]]:
    """Read all records, calling ``progress`` after each; gives their rows, to be taken once.

    Raises:
        CorpusError: if there is no space for them in the folder.
        InputError: if a record holds one number twice.
    """
    encode = msgspec.msgpack.Encoder().encode
    with SpooledTemporaryFile(max_size=IN_MEMORY, dir=str(folder)) as file:
        cited: set[bytes] = set()
        for text in texts:
            data = encode(_prepare(text, cited))
            try:
                file.write(_LENGTH.pack(len(data)) + data)
            except OSError as error:
                raise CorpusError(
                    f"cannot write to the folder {str(folder)!r} ({error.strerror}); "
                    "nothing was added"
                ) from error
            if progress is not None:
                progress(text)
        file.seek(0)
        yield _read(file)


def _read(file: IO[bytes]) -> Iterator[PreparedRecord]:
    decode = msgspec.msgpack.Decoder(PreparedRecord).decode
    while length := file.read(_LENGTH.size):
        yield decode(file.read(_LENGTH.unpack(length)[0]))


def _prepare(text: VersionText, cited: set[bytes]) -> PreparedRecord:
    """Write a record as rows; ``cited`` names the wordings whose references came before."""
    version = replace(text.version, text_hash=_checked_hash(text))
    final = read_final_provisions(version.work, text.provisions)
    digests = {one: rows.text_digest(one) for p in text.provisions for one in (p.text, p.path)}
    references: list[ReferenceRow] = []
    for provision in text.provisions:
        digest, iri = digests[provision.text], provision.number.iri
        name = hashlib.blake2b(f"{version.work}\x1f{iri}".encode() + digest, digest_size=12)
        if name.digest() not in cited:
            cited.add(name.digest())
            references += reference_rows(version.work, provision, digest)
    return PreparedRecord(
        work=version.work,
        key=version.key,
        digest=record_digest(version, text.provisions),
        kinds=" ".join(sorted({provision.number.kind for provision in text.provisions})),
        version=rows.version_row(version),
        texts=[(digest, one) for one, digest in digests.items()],
        provisions=[(p.number.iri, digests[p.text], digests[p.path]) for p in text.provisions],
        captions=[rows.caption_row(caption) for caption in text.captions],
        acts=[rows.act_row(act) for act in version.history],
        final_provisions=rows.final_provisions_cell(final),
        repeals=rows.repeal_rows(final),
        references=references,
    )


def _checked_hash(text: VersionText) -> str:
    """Hash the provisions of a record, once it is certain that they can be stored whole."""
    version = text.version
    seen: set[str] = set()
    for provision in text.provisions:
        if provision.number.iri in seen:
            reason = f"{version.work}（{version.label}） holds {provision.number.chinese} twice"
            raise InputError(reason, path=version.source.path or version.source.name)
        seen.add(provision.number.iri)
    text_hash = provisions_hash(text.provisions)
    if version.text_hash not in ("", text_hash):
        raise InternalError(f"{version.work}（{version.label}） came with the hash of another text")
    return text_hash


# -- writing, inside one transaction ---------------------------------------------------------------


def store_records(db: sqlite3.Connection, records: Iterable[PreparedRecord]) -> AddReport:
    """Store records and name the new state; to be called inside of a transaction."""
    adding = _Adding(db)
    for record in records:
        adding.add(record)
    return adding.finish()


class _Adding:
    """The records of one transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._counts: Counter[str] = Counter()
        """Counts for the fields of `AddReport`."""
        self._arrived: set[int] = set()
        """Rows this transaction stored or met again: they never give way to each other."""
        self._touched: set[str] = set()

    def add(self, record: PreparedRecord) -> None:
        work_id = self._work(record.work)
        held = self._row("SELECT id, digest FROM version WHERE key = ?", record.key)
        if held is not None and held[1] == record.digest:
            self._arrived.add(held[0])
            self._counts["versions_known"] += 1
        else:
            if held is not None:
                self._remove(held[0])
            self._insert(record, work_id)
        for cells in record.captions:
            stored = self._db.execute(_INSERT_CAPTION, (work_id, *cells))
            self._counts["captions"] += stored.rowcount

    def finish(self) -> AddReport:
        """Remove corrected records, name the new state, and resolve references."""
        for version_id in self._superseded():
            self._remove(version_id)
        if self._counts["versions_added"] or self._counts["captions"]:
            name_state(self._db)
            resolve(self._db)
        return AddReport(**self._counts, touched=tuple(sorted(self._touched)))

    def _work(self, title: str) -> int:
        row = self._row("SELECT id FROM work WHERE title = ?", title)
        if row is not None:
            return row[0]
        self._counts["works"] += 1
        return self._inserted(
            "INSERT INTO work (title, key) VALUES (?, ?)", title, title_key(title)
        )

    def _insert(self, record: PreparedRecord, work_id: int) -> None:
        cells = (work_id, record.key, record.digest, record.kinds, *record.version)
        version_id = self._inserted(_INSERT_VERSION, *cells)
        self._arrived.add(version_id)
        self._touched.add(record.work)
        store_final_provisions(self._db, version_id, record.final_provisions, record.repeals)
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
        self._counts["versions_added"] += 1
        self._counts["provisions"] += len(record.provisions)
        self._counts["witnesses"] += self._row(_SAME_TEXT_ELSEWHERE, version_id) is not None

    def _superseded(self) -> list[int]:
        """Find the rows from a place this transaction spoke for, that it did not bring again."""
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
        self._counts["versions_replaced"] += 1

    def _row(self, query: str, *cells: Any) -> Any:
        return self._db.execute(query, cells).fetchone()

    def _inserted(self, query: str, *cells: Any) -> int:
        row_id = self._db.execute(query, cells).lastrowid
        assert row_id is not None
        return row_id


def name_state(db: sqlite3.Connection) -> None:
    """Write down the snapshot of what is held now."""
    db.execute("INSERT OR REPLACE INTO meta VALUES ('snapshot', ?)", (compute_snapshot(db),))


def store_final_provisions(
    db: sqlite3.Connection, version_id: int, cell: str, repeals: Iterable[rows.RepealRow]
) -> None:
    """Store what the last articles of a version say of its days, and what they repeal."""
    db.execute("UPDATE version SET closing = ? WHERE id = ?", (cell, version_id))
    db.executemany(_INSERT_REPEAL, ((version_id, *repeal) for repeal in repeals))


def read_last_articles_again(db: sqlite3.Connection) -> None:
    """Read the last articles of every record held: for a file made before that was done."""
    for row_id, title in db.execute("SELECT id, title FROM work").fetchall():
        db.execute("UPDATE work SET key = ? WHERE id = ?", (title_key(title), row_id))
    versions = db.execute(
        "SELECT version.id, title, version.key FROM version JOIN work ON work.id = work_id"
    ).fetchall()
    for version_id, title, key in versions:
        final = read_final_provisions(title, rows.provisions_of_version(db, key) or ())
        cell, repeals = rows.final_provisions_cell(final), rows.repeal_rows(final)
        store_final_provisions(db, version_id, cell, repeals)
    if versions:
        name_state(db)
