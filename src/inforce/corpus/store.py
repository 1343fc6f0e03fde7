"""The corpus: every version of every law held, in one file that can be read while it grows.

::

    with Corpus.open(corpus_path()) as corpus:
        work = corpus.resolve("刑法")
        corpus.timeline(work, ProvisionNumber.parse("74")).version_at(date(2010, 6, 1))
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from inforce.corpus import queries
from inforce.corpus.connection import Connections, Mode, sqlite_errors
from inforce.corpus.coverage import importance
from inforce.corpus.dated import DatedWork, dated_work
from inforce.corpus.dating import Dating
from inforce.corpus.ingest import (
    EMPTY_SNAPSHOT,
    AddReport,
    add_records,
    store_records,
    writing,
)
from inforce.corpus.queries import Stats, WorkSummary
from inforce.corpus.references import (
    Citing,
    Reference,
    has_references,
    references_ever_to,
    references_in,
    references_to,
)
from inforce.corpus.titles import find_title, suggest_titles
from inforce.corpus.witnesses import distinct_versions
from inforce.dates import DateRange
from inforce.errors import CorpusError, UnknownWorkError
from inforce.law.model import Caption, Provision, Version, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import find_work, title_key
from inforce.law.timeline import Span, Timeline

if TYPE_CHECKING:
    from inforce.corpus.staging import Progress

__all__ = [
    "AddReport",
    "Corpus",
    "Mode",
    "Stats",
    "StoredText",
    "TextPlace",
    "WorkSummary",
]

_TIMELINES_CACHED = 4096
"""Timelines a reader caches: making one takes a third of a millisecond, 4 kB each."""
_TEXTS_CACHED = 64
"""Whole texts a reader caches: a rule is followed through every text of its law."""
_FILLING_MS = 300_000
"""How long to wait for another who fills a new corpus."""
_LONGEST_NAME = 500
"""Characters; no title has half of them."""
_WORKS_CACHED = 256
"""Laws of which a reader caches the dates."""


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
    """Of it, once it was asked for."""


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
        self._cached_timeline = lru_cache(_TIMELINES_CACHED)(self._timeline_in)
        self._cached_title = lru_cache(_WORKS_CACHED)(self._title_in)
        self._cached_work = lru_cache(_WORKS_CACHED)(self._work_in)
        self._cached_works = lru_cache(1)(self._works_in)
        self._cached_titles = lru_cache(1)(self._titles_in)
        self._cached_provisions = lru_cache(_TEXTS_CACHED)(self._provisions_in)

    @classmethod
    def open(cls, path: Path, *, mode: Mode = "read") -> Self:
        """Open a corpus file; for writing it is made, or brought up to date, where necessary.

        Raises:
            CorpusError: if it is missing, not a corpus, locked, or made by a newer inforce.
        """
        return cls(Connections(path, mode))

    def close(self) -> None:
        """Let go of the file."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
        from inforce.corpus.staging import staged  # reading needs none of it

        reading = staged(texts, folder=self.path.parent, progress=progress)
        with reading as records, self._connections.connection() as db:
            return add_records(db, records)

    def fill(self, texts: Callable[[], Iterable[VersionText]]) -> bool:
        """Store versions if nothing is held yet; returns whether it did.

        Where many use a new corpus at once, one of them fills it and the others wait for that.

        Raises:
            CorpusError: see `add`.
        """
        from inforce.corpus.staging import staged

        with self._connections.connection() as db:
            db.execute(f"PRAGMA busy_timeout = {_FILLING_MS}")
            with writing(db):
                if self.snapshot() != EMPTY_SNAPSHOT:
                    return False
                with staged(texts(), folder=self.path.parent, progress=None) as records:
                    store_records(db, records)
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

    def titles(self) -> tuple[str, ...]:
        """The official titles of all laws held, sorted."""
        with self._reading():
            find = self._cached_titles if self.mode == "read" else self._titles_in
            return find(self.snapshot())

    def _titles_in(self, _snapshot: str) -> tuple[str, ...]:
        """The titles in the present state of the file."""
        with self._reading() as db:
            return queries.titles(db)

    def resolve(self, name: str) -> str:
        """The official title of the law meant by a title, short name, alias or English name.

        Raises:
            UnknownWorkError: if no law held is certainly meant; it suggests up to three.
        """
        if len(name) > _LONGEST_NAME:
            raise UnknownWorkError(name)
        with self._reading() as db:
            if queries.work_id(db, name) is not None:
                return name
            find = self._cached_title if self.mode == "read" else self._title_in
            return find(self.snapshot(), name)

    def _title_in(self, snapshot: str, name: str) -> str:
        """The title meant in the state of the file that ``snapshot`` names: the present one."""
        titles = self.titles()
        known = find_work(name)
        # A law everybody knows is looked for by its title: no other is meant if it is not held.
        wanted = known.title if known else name
        title = find_title(wanted, titles)
        if title is None:
            raise UnknownWorkError(name, suggest_titles(wanted, titles))
        return title

    def works(self) -> tuple[WorkSummary, ...]:
        """What is held of each law, the best-known laws first: ``inforce corpus list``."""
        with self._reading():
            find = self._cached_works if self.mode == "read" else self._works_in
            return find(self.snapshot())

    def _works_in(self, _snapshot: str) -> tuple[WorkSummary, ...]:
        """What is held of each law in the present state of the file."""
        with self._reading() as db:
            counts = queries.number_counts(db)
            titles = sorted(queries.titles(db), key=importance)
            return tuple(self._summary(title, counts) for title in titles)

    def _summary(self, title: str, counts: Mapping[int, int]) -> WorkSummary:
        with self._reading() as db:
            row_id, versions = self._work_id(db, title), self._dated(title).versions
        starts = [version.validity.start for version in versions if version.validity.start]
        return WorkSummary(
            title,
            len(distinct_versions(versions)),
            len(versions),
            counts.get(row_id, 0),
            min(starts, default=None),
            self.known_on(title),
        )

    def known_on(self, work: str) -> date | None:
        """The last day on which a source is known to have shown the law as its last text says."""
        known = [version.validity.as_of for version in self._dated(work).versions]
        return max(filter(None, known), default=None)

    def versions(self, work: str) -> tuple[Version, ...]:
        """Every version record of a law in order of time, undated ones last.

        Each is in force for the days that all records together show; what its source states is in
        ``stated``.

        Raises:
            UnknownWorkError: if no law of this title is held (so for every method that takes one).
        """
        return self._dated(work).versions

    def dating(self, work: str) -> Dating:
        """What is known of a law's dates: its editions, the texts missing, conflicting evidence."""
        return self._dated(work).dating

    def numbers(self, work: str) -> tuple[ProvisionNumber, ...]:
        """Every provision number that any version of a law holds, in the order of the law."""
        with self._reading() as db:
            return queries.numbers_of_work(db, self._work_id(db, work))

    def provisions(self, version: Version) -> tuple[Provision, ...]:
        """The provisions of one version, in the order of the law.

        Raises:
            CorpusError: if this corpus does not hold that version.
        """
        with self._reading():
            find = self._cached_provisions if self.mode == "read" else self._provisions_in
            provisions = find(self.snapshot(), version.key)
        if provisions is None:
            name = f"{version.work}（{version.label}）"
            raise CorpusError(
                f"the corpus {str(self.path)!r} does not hold {name}, {version.key!r}"
            )
        return provisions

    def _provisions_in(self, _snapshot: str, key: str) -> tuple[Provision, ...] | None:
        with self._reading() as db:
            return queries.provisions_of_version(db, key)

    def texts(self, work: str) -> Iterator[VersionText]:
        """Every version record of a law with its provisions, as added; captions come apart."""
        with self._reading() as db:
            row_id = self._work_id(db, work)
            versions = queries.held_versions(db, work, row_id)
            provisions = queries.provisions_of_work(db, row_id)
        for held in versions:
            yield VersionText(held.version, tuple(provisions.get(held.id, {}).values()))

    def timeline(self, work: str, number: ProvisionNumber) -> Timeline:
        """What one provision said on every day there is."""
        with self._reading():  # the snapshot and the timeline are of one state of the file
            find = self._cached_timeline if self.mode == "read" else self._timeline_in
            return find(self.snapshot(), work, number)

    def _timeline_in(self, snapshot: str, work: str, number: ProvisionNumber) -> Timeline:
        """The timeline in the state of the file that ``snapshot`` names, which is the present one.

        A writer keeps none: it may be halfway through a change.
        """
        with self._reading() as db:
            dated = self._dated(work)
            provisions = queries.provisions_of_number(db, self._work_id(db, work), number)
        return dated.timeline(number, provisions)

    def _dated(self, work: str) -> DatedWork:
        with self._reading():
            find = self._cached_work if self.mode == "read" else self._work_in
            return find(self.snapshot(), work)

    def _work_in(self, snapshot: str, work: str) -> DatedWork:
        """A law with its dates in the present state of the file, which ``snapshot`` names."""
        with self._reading() as db:
            return dated_work(db, work, self._work_id(db, work))

    def timelines(self, work: str) -> Iterator[Timeline]:
        """The timelines of every number of a law, in its order; one pass over the rows."""
        with self._reading() as db:
            dated = self._dated(work)
            provisions = queries.provisions_of_work(db, self._work_id(db, work))
        for number in sorted({number for held in provisions.values() for number in held}):
            of_number = {
                version_id: held[number]
                for version_id, held in provisions.items()
                if number in held
            }
            yield dated.timeline(number, of_number)

    def captions(self, work: str, number: ProvisionNumber | None = None) -> tuple[Caption, ...]:
        """The names others gave the provisions of a law, or one of them, by number and day."""
        with self._reading() as db:
            row_id = self._work_id(db, work)
            if number is None:
                found = queries.captions(db, "work_id = ?", row_id)
            else:
                found = queries.captions(db, "work_id = ? AND number = ?", row_id, number.iri)
        return tuple(caption for _, caption in found)

    def has_references(self) -> bool:
        """Whether the references of what is held are resolved: those of an older file are not."""
        with self._reading() as db:
            return has_references(db)

    def references_to(
        self, work: str, number: ProvisionNumber, *, day: date, during: DateRange
    ) -> list[Citing]:
        """The provisions in force during some days that cite what a number means on one day."""
        with self._reading() as db:
            return references_to(db, self._work_id(db, work), number, day, during)

    def references_ever_to(self, work: str, number: ProvisionNumber) -> list[Citing]:
        """The provisions that cited a number of a law while the law had it."""
        with self._reading() as db:
            return references_ever_to(db, self._work_id(db, work), title_key(work), number)

    def references_in(self, work: str, span: Span) -> list[Reference]:
        """What the words of a provision in force on some days cite, in order."""
        with self._reading() as db:
            return references_in(db, self._work_id(db, work), span)

    def editions(self, work: str) -> tuple[Span, ...]:
        """The versions of a law that answer for its days, in order of time.

        See `inforce.corpus.dated.DatedWork.editions`.
        """
        return self._dated(work).editions

    def stored_texts(self) -> Iterator[StoredText]:
        """Every wording of every provision, each once; stable as long as the corpus is the same."""
        after = 0
        while True:
            with self._reading() as db:
                chunk = queries.stored_texts(db, after)
            if not chunk:
                return
            after = chunk[-1][0]
            yield from (StoredText(*one) for one in chunk)

    def text(self, text_id: int) -> str:
        """A stored wording by its number."""
        with self._reading() as db:
            return queries.stored_text(db, text_id)

    def text_places(self, text_ids: Collection[int]) -> tuple[TextPlace, ...]:
        """The provisions that ever read as these stored wordings do, sorted by law and number."""
        with self._reading() as db:
            found = queries.text_places(db, text_ids)
        return tuple(TextPlace(*one) for one in found)

    def snapshot(self) -> str:
        """A hash that names what is held: equal snapshots hold the same records and captions."""
        with self._reading() as db:
            if self._state.snapshot and self.mode == "read":
                return self._state.snapshot
            row = db.execute("SELECT value FROM meta WHERE key = 'snapshot'").fetchone()
            self._state.snapshot = row[0] if row else EMPTY_SNAPSHOT
            return self._state.snapshot

    def states(self) -> Mapping[str, str]:
        """A name for the state of each law: equal names, the same texts on the same days."""
        from inforce.corpus.states import work_states

        with self._reading() as db:
            return work_states(db)

    def damage(self) -> tuple[str, ...]:
        """What in the file no longer matches its hash, a sentence each; empty if all is sound."""
        from inforce.corpus.integrity import find_damage

        with self._reading() as db:
            return find_damage(db, snapshot=self.snapshot())

    def stats(self) -> Stats:
        """How much is held."""
        with self._reading() as db:
            return queries.stats(db)

    @contextmanager
    def one_state(self) -> Generator[None]:
        """One state of the corpus for all this thread asks inside, and asked faster."""
        with self._reading():
            yield

    def _reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """One state of the file for everything asked inside, whatever a writer does meanwhile."""
        db = self._connections.of_this_thread
        if db is not None and db.in_transaction:  # asked while answering a question, or adding
            return nullcontext(db)
        return self._begun()

    @contextmanager
    def _begun(self) -> Generator[sqlite3.Connection]:
        with self._connections.connection() as db:
            self._state.snapshot = ""
            db.execute("BEGIN")
            try:
                yield db
            finally:
                self._state.snapshot = ""
                db.rollback()

    def _work_id(self, db: sqlite3.Connection, work: str) -> int:
        row_id = queries.work_id(db, work)
        if row_id is None:
            raise UnknownWorkError(work, suggest_titles(work, queries.titles(db)))
        return row_id
