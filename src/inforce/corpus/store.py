"""The corpus: every version of every law held, in one file that can be read while it grows.

::

    with Corpus.open(corpus_path()) as corpus:
        work = corpus.resolve("刑法")
        corpus.timeline(work, ProvisionNumber.parse("74")).version_at(date(2010, 6, 1))
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar

from inforce.corpus import rows
from inforce.corpus.connection import Connections, Mode, sqlite_errors
from inforce.corpus.dated_work import DatedWork, count_versions, dated_work
from inforce.corpus.dating import Dating
from inforce.corpus.snapshots import EMPTY_SNAPSHOT, find_damage, work_snapshots
from inforce.corpus.titles import find_title, importance, suggest_titles
from inforce.errors import CorpusError, UnknownWorkError
from inforce.law.model import Caption, Provision, Version, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import find_work
from inforce.law.timeline import Span, Timeline

if TYPE_CHECKING:
    from inforce.corpus.adding import AddReport, Progress

__all__ = ["Corpus", "Mode", "Stats", "StoredText", "TextPlace", "WorkSummary"]

P = ParamSpec("P")
T = TypeVar("T")

_TIMELINES_CACHED = 4096
"""Timelines a reader caches: making one takes a third of a millisecond, 4 kB each."""
_TEXTS_CACHED = 64
"""Whole texts a reader caches: a rule is followed through every text of its law."""
_WORKS_CACHED = 256
"""Laws of which a reader caches the dates."""
_FILLING_MS = 300_000
"""Milliseconds to wait for another process that fills a new corpus."""
_LONGEST_NAME = 500
"""Characters; no title has half of them."""
_TEXTS_AT_A_TIME = 20_000

_TITLES = "SELECT title FROM work"
_NUMBERS_OF_WORK = """
    SELECT DISTINCT number FROM provision JOIN version ON version.id = version_id WHERE work_id = ?
"""
_NUMBER_COUNTS = """
    SELECT work_id, count(DISTINCT number) FROM version
    JOIN provision ON provision.version_id = version.id GROUP BY work_id
"""
_CAPTIONS = """
    SELECT number, name, starts, ends, authority FROM caption
    WHERE work_id = :work AND (:number IS NULL OR number = :number)
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
    """The size of a corpus."""

    works: int
    witnesses: int
    """Version records, each with its own source."""
    provisions: int
    """Articles over all records."""
    texts: int
    """Different wordings and headings, each stored once."""
    captions: int


class StoredText(NamedTuple):
    """A wording as stored: once, however many provisions and versions share it."""

    id: int
    text: str


class TextPlace(NamedTuple):
    """A provision that reads, in some version, as a stored wording does."""

    text_id: int
    work: str
    number: ProvisionNumber


class _State(threading.local):
    """The state of the file that a thread reads."""

    snapshot: str = ""
    """Once it is known; empty again when the thread has read what it wanted."""


def _cached(
    size: int,
) -> Callable[[Callable[Concatenate[Corpus, P], T]], Callable[Concatenate[Corpus, P], T]]:
    """Cache what a method of a reader returns, by the state of the file it was read from.

    A writer caches nothing: it may be halfway through a change.
    """

    def decorate(
        method: Callable[Concatenate[Corpus, P], T],
    ) -> Callable[Concatenate[Corpus, P], T]:
        name = method.__name__

        def cache_of(corpus: Corpus) -> Callable[..., T]:
            def read_state(_snapshot: str, *args: P.args, **options: P.kwargs) -> T:
                return method(corpus, *args, **options)

            return corpus.caches.setdefault(name, lru_cache(size)(read_state))

        @wraps(method)
        def read(corpus: Corpus, *args: P.args, **options: P.kwargs) -> T:
            with corpus.one_state():
                if corpus.mode == "write":
                    return method(corpus, *args, **options)
                cache = corpus.caches.get(name) or cache_of(corpus)
                return cache(corpus.snapshot(), *args, **options)

        return read

    return decorate


class Corpus:
    """The laws held. Safe to share between threads; other processes may read while one adds.

    Threads read at the same time, and so may a process that was forked.
    """

    def __init__(self, connections: Connections) -> None:
        """Use `Corpus.open`."""
        self.path = connections.path
        self.mode: Mode = connections.mode
        self._connections = connections
        self._state = _State()
        self.caches: dict[str, Callable[..., Any]] = {}
        """Caches of the methods that are `_cached`, by their names."""

    @classmethod
    def open(cls, path: Path, *, mode: Mode = "read") -> Self:
        """Open a corpus file; for writing it is made, or brought up to date, where necessary.

        Raises:
            CorpusError: if it is missing, not a corpus, locked, or made by a newer inforce.
        """
        return cls(Connections(path, mode))

    def close(self) -> None:
        """Close the file."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, texts: Iterable[VersionText], *, progress: Progress | None = None) -> AddReport:
        """Store versions with their provisions and captions: all of them, or none.

        Adding a record again changes nothing; a corrected one replaces the earlier one from the
        same place (work, label, first day and source). All are read before the first is stored, so
        neither readers nor other writers wait for that; ``progress`` is called after each one read.

        Raises:
            CorpusError: if the corpus is open for reading, another process is writing, or the disk
                is full.
            InputError: if a record holds one number twice.
        """
        if self.mode == "read":
            raise CorpusError(f"the corpus {str(self.path)!r} is open for reading only")
        from inforce.corpus import adding  # reading needs none of it

        with (
            adding.prepared(texts, folder=self.path.parent, progress=progress) as records,
            self._connections.connection() as db,
            db,
        ):
            db.execute("BEGIN IMMEDIATE")
            return adding.store_records(db, records)

    def fill(self, texts: Callable[[], Iterable[VersionText]]) -> bool:
        """Store versions if nothing is held yet; returns whether it did.

        Where many use a new corpus at once, one of them fills it and the others wait for that.

        Raises:
            CorpusError: see `add`.
        """
        from inforce.corpus import adding

        with self._connections.connection() as db:
            db.execute(f"PRAGMA busy_timeout = {_FILLING_MS}")
            with db:
                db.execute("BEGIN IMMEDIATE")
                if self.snapshot() != EMPTY_SNAPSHOT:
                    return False
                with adding.prepared(texts(), folder=self.path.parent) as records:
                    adding.store_records(db, records)
        return True

    def save_copy(self, path: Path) -> str:
        """Write what is held now to a new file that only readers will open; returns its snapshot.

        Readers of the corpus itself keep a file beside it; the copy may be in a folder that nobody
        can write to: a share, an image of servers.

        Raises:
            CorpusError: if there is such a file already, or it cannot be written.
        """
        if path.exists():
            raise CorpusError(f"there is a file {str(path)!r} already; name a new one")
        unfinished = path.with_name(f"{path.name}.new")
        unfinished.unlink(missing_ok=True)
        with self._connections.connection() as db, sqlite_errors(unfinished):
            db.execute("VACUUM INTO ?", (str(unfinished),))
        unfinished.replace(path)
        with Corpus.open(path) as copy:
            return copy.snapshot()

    # -- which laws are held -----------------------------------------------------------------------

    @_cached(1)
    def titles(self) -> tuple[str, ...]:
        """The official titles of all laws held, sorted."""
        with self.one_state() as db:
            return tuple(sorted(title for (title,) in db.execute(_TITLES)))

    def resolve(self, name: str) -> str:
        """The official title of the law meant by a title, short name, alias or English name.

        Raises:
            UnknownWorkError: if no law held is certainly meant; it suggests up to three.
        """
        if len(name) > _LONGEST_NAME:
            raise UnknownWorkError(name)
        with self.one_state() as db:
            return name if rows.work_id(db, name) is not None else self._resolved(name)

    @_cached(_WORKS_CACHED)
    def _resolved(self, name: str) -> str:
        titles, known = self.titles(), find_work(name)
        # A known law is looked for by its title: where it is not held, no other law is meant.
        wanted = known.title if known else name
        title = find_title(wanted, titles)
        if title is None:
            raise UnknownWorkError(name, suggest_titles(wanted, titles))
        return title

    @_cached(1)
    def works(self) -> tuple[WorkSummary, ...]:
        """Summaries of the laws held, the best-known first: ``inforce corpus list``."""
        with self.one_state() as db:
            counts: dict[int, int] = dict(db.execute(_NUMBER_COUNTS).fetchall())
            return tuple(
                self._summary(title, counts) for title in sorted(self.titles(), key=importance)
            )

    def _summary(self, title: str, number_counts: Mapping[int, int]) -> WorkSummary:
        dated = self._dated(title)
        starts = [one.validity.start for one in dated.versions if one.validity.start]
        return WorkSummary(
            title,
            count_versions(dated.versions),
            len(dated.versions),
            number_counts.get(dated.id, 0),
            min(starts, default=None),
            self.known_on(title),
        )

    def stats(self) -> Stats:
        """Count what is held."""
        with self.one_state() as db:
            return Stats(*db.execute(_STATS).fetchone())

    # -- the versions of a law ---------------------------------------------------------------------

    def versions(self, work: str) -> tuple[Version, ...]:
        """Every version record of a law in order of time, undated ones last.

        Each is in force for the days that all records together show; what its source states is in
        ``stated``.

        Raises:
            UnknownWorkError: if no law of this title is held (so for every method that takes one).
        """
        return self._dated(work).versions

    def editions(self, work: str) -> tuple[Span, ...]:
        """The versions of a law that answer for its days, in order of time.

        See `inforce.corpus.dated_work.DatedWork.editions`.
        """
        return self._dated(work).editions

    def dating(self, work: str) -> Dating:
        """The dates of a law: its editions, the texts missing, conflicting evidence."""
        return self._dated(work).dating

    def known_on(self, work: str) -> date | None:
        """The last day on which a source is known to have shown the law as its last text says."""
        known = [version.validity.as_of for version in self._dated(work).versions]
        return max(filter(None, known), default=None)

    @_cached(_WORKS_CACHED)
    def _dated(self, work: str) -> DatedWork:
        with self.one_state() as db:
            return dated_work(db, self._work_id(db, work), work)

    def texts(self, work: str) -> Iterator[VersionText]:
        """Every version record of a law with its provisions, as added; captions come apart."""
        with self.one_state() as db:
            row_id = self._work_id(db, work)
            versions = rows.versions_of_work(db, work, row_id)
            provisions = rows.provisions_of_work(db, row_id)
        for stored in versions:
            yield VersionText(stored.version, tuple(provisions.get(stored.id, {}).values()))

    def provisions(self, version: Version) -> tuple[Provision, ...]:
        """The provisions of one version, in the order of the law.

        Raises:
            CorpusError: if this corpus does not hold that version.
        """
        provisions = self._provisions(version.key)
        if provisions is None:
            name = f"{version.work}（{version.label}）"
            raise CorpusError(
                f"the corpus {str(self.path)!r} does not hold {name}, {version.key!r}"
            )
        return provisions

    @_cached(_TEXTS_CACHED)
    def _provisions(self, key: str) -> tuple[Provision, ...] | None:
        with self.one_state() as db:
            return rows.provisions_of_version(db, key)

    # -- the provisions of a law -------------------------------------------------------------------

    def numbers(self, work: str) -> tuple[ProvisionNumber, ...]:
        """Every provision number that any version of a law holds, in the order of the law."""
        with self.one_state() as db:
            found = db.execute(_NUMBERS_OF_WORK, (self._work_id(db, work),))
            return tuple(sorted(rows.number_from(iri) for (iri,) in found))

    @_cached(_TIMELINES_CACHED)
    def timeline(self, work: str, number: ProvisionNumber) -> Timeline:
        """The timeline of one provision: its wording on every day."""
        with self.one_state() as db:
            dated = self._dated(work)
            return dated.timeline(number, rows.provisions_of_number(db, dated.id, number))

    def has_wording(self, work: str, number: ProvisionNumber, text: str) -> bool:
        """Tell whether any version of a law words a provision so; False where it is not held."""
        with self.one_state() as db:
            row_id = rows.work_id(db, work)
            return row_id is not None and rows.has_wording(db, row_id, number, text)

    def timelines(self, work: str) -> Iterator[Timeline]:
        """The timelines of every number of a law, in its order; one pass over the rows."""
        with self.one_state() as db:
            dated = self._dated(work)
            provisions = rows.provisions_of_work(db, dated.id)
        for number in sorted({number for held in provisions.values() for number in held}):
            of_number = {
                version_id: held[number]
                for version_id, held in provisions.items()
                if number in held
            }
            yield dated.timeline(number, of_number)

    def captions(self, work: str, number: ProvisionNumber | None = None) -> tuple[Caption, ...]:
        """The names others gave the provisions of a law, or one of them, by number and day."""
        with self.one_state() as db:
            cells = {"work": self._work_id(db, work), "number": number.iri if number else None}
            found = [rows.caption_from(row) for row in db.execute(_CAPTIONS, cells)]
        return tuple(sorted(found, key=lambda one: (one.number, one.window.start, one.name)))

    def _work_id(self, db: sqlite3.Connection, work: str) -> int:
        row_id = rows.work_id(db, work)
        if row_id is None:
            raise UnknownWorkError(work, suggest_titles(work, self.titles()))
        return row_id

    # -- wordings, each stored once ----------------------------------------------------------------

    def stored_texts(self) -> Iterator[StoredText]:
        """Every wording of every provision, each once; stable as long as the corpus is the same."""
        after = 0
        while True:
            with self.one_state() as db:
                found = db.execute(_STORED_TEXTS, (after, _TEXTS_AT_A_TIME)).fetchall()
            if not found:
                return
            after = found[-1][0]
            yield from (StoredText(*row) for row in found)

    def text(self, text_id: int) -> str:
        """A stored wording by its number."""
        with self.one_state() as db:
            return db.execute("SELECT text FROM text WHERE id = ?", (text_id,)).fetchone()[0]

    def text_places(self, text_ids: Collection[int]) -> tuple[TextPlace, ...]:
        """The provisions that ever read as these stored wordings do, sorted by law and number."""
        with self.one_state() as db:
            found = db.execute(_TEXT_PLACES, (json.dumps(sorted(text_ids)),)).fetchall()
        return tuple(
            sorted(
                TextPlace(text_id, title, rows.number_from(iri)) for text_id, title, iri in found
            )
        )

    # -- the state of the file ---------------------------------------------------------------------

    def snapshot(self) -> str:
        """A hash that names what is held: equal snapshots hold the same records and captions."""
        if self._state.snapshot and self.mode == "read":
            return self._state.snapshot
        with self.one_state() as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'snapshot'").fetchone()
            self._state.snapshot = row[0] if row else EMPTY_SNAPSHOT
            return self._state.snapshot

    def work_snapshots(self) -> Mapping[str, str]:
        """A hash for each law by its title: equal hashes, the same texts on the same days."""
        with self.one_state() as db:
            return work_snapshots(db)

    def damage(self) -> tuple[str, ...]:
        """Sentences about records that no longer match their hashes; empty if the file is sound."""
        with self.one_state() as db:
            return find_damage(db, snapshot=self.snapshot())

    def one_state(self) -> AbstractContextManager[sqlite3.Connection]:
        """One state of the file for everything read inside, whatever a writer does meanwhile.

        What is read inside of such a block is also read faster.
        """
        db = self._connections.of_this_thread
        if db is not None and db.in_transaction:  # inside of another block, or while adding
            return nullcontext(db)
        return self._begin_reading()

    @contextmanager
    def _begin_reading(self) -> Generator[sqlite3.Connection]:
        with self._connections.connection() as db:
            self._state.snapshot = ""
            db.execute("BEGIN")
            try:
                yield db
            finally:
                self._state.snapshot = ""
                db.rollback()
