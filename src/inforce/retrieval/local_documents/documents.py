r"""A folder of documents as a source: what is in it now can be found now (L-MARS, section 3.3).

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = Path(folder, "lease.md").write_text("# Lease\n\n## Rent\n\n900 a month.")
...     hits = LocalDocuments(folder).search("rent")
>>> [(hit.document.title, hit.document.section) for hit in hits]
[('Lease', 'Rent')]
"""

from __future__ import annotations

import hashlib
import os
import platform
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock

from inforce.corpus.home import IndexLocation
from inforce.dates import DateRange
from inforce.documents.files import open_file
from inforce.documents.formats import SUFFIXES
from inforce.documents.limits import DocumentLimits
from inforce.documents.parsing import DocumentParser
from inforce.errors import InputError, MissingExtraError
from inforce.retrieval.local_documents.folder import FileState, WatchedFolder
from inforce.retrieval.local_documents.index import (
    FORM,
    FileRecord,
    Passage,
    ScoredPassage,
    WindowIndex,
    Windowing,
    file_documents,
    passages,
    without_overlaps,
)
from inforce.retrieval.request_limits import LONGEST_QUERY, require_count, require_length
from inforce.retrieval.sources.source import SourceDocument, SourceHit, SourceName
from inforce.store import Document as IndexedDocument

TOP_K = 5
"""Passages that a search returns by default (L-MARS, section 3.3)."""

PATIENCE = 30.0
"""Seconds a search may spend on reading changed files before it answers from what is read."""

MAX_FILES = 100_000
"""Files in the folder and those below it."""

COMMIT_EVERY = 10_000
"""Windows after which what was read is made durable."""

_CLUSTER = 20
"""Windows fetched for each passage wanted: neighbours overlap, and only the best one is given."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A file (or folder, or link) that cannot be found, wholly or in part, and why."""

    path: str
    reason: str


class LocalDocuments:
    """A folder of Markdown, text, HTML, PDF and Word files, searched passage by passage.

    Files added, changed or deleted are noticed at the next search. May be shared between threads.

    Args:
        folder: where the files are; hidden ones and links are left alone.
        index: the store that is to hold the index, so that the next program need not read the
            files again: a folder, or a Milvus (see `inforce.corpus.home.index_location`), which
            then holds the text of the files. Without one it is in a temporary folder.
        windowing: how texts are cut.
        limits: what one file may cost to read.
        max_files: how many files there may be; the others are left out and reported.
        patience: seconds a search may spend on reading changed files; what it did not get to is in
            `pending` and is read at the next search.

    Raises:
        InputError: if there is no such folder.
        SearchIndexError: if the index is damaged.
    """

    def __init__(
        self,
        folder: Path | str,
        *,
        index: IndexLocation | None = None,
        windowing: Windowing | None = None,
        limits: DocumentLimits | None = None,
        max_files: int = MAX_FILES,
        patience: float = PATIENCE,
    ) -> None:
        self.folder = Path(folder)
        self._windowing = windowing or Windowing()
        self._limits = limits or DocumentLimits()
        self._patience = patience
        if not self.folder.is_dir():
            raise InputError("there is no such folder of documents", path=self.folder)
        self._parser = DocumentParser(self._limits, processes=1)
        self._watched = WatchedFolder(
            self.folder, suffixes=frozenset(SUFFIXES), max_files=max_files
        )
        self._index = WindowIndex(index, self._index_name(index))
        self._records = self._index.records()
        self._stamp: tuple[str, int] | None = self._index.stamp
        self._unread: dict[str, FileState] = {}
        self._unsettled: set[str] = set()
        self._missing: dict[str, str] = {}
        self._busy = False
        self._looked = 0.0
        self._compared: object = None
        self._lock = Lock()

    @property
    def name(self) -> SourceName:
        """The name agents use."""
        return "document"

    def __len__(self) -> int:
        """The number of files that can be searched, as of the last look."""
        return sum(record.windows > 0 for record in self._records.copy().values())

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Files that cannot be found, and why, by path, as of the last look."""
        records = self._records.copy()  # another thread may be reading files meanwhile
        found = {path: record.problem for path, record in records.items() if record.problem}
        found |= self._missing | self._watched.problems
        if self._busy:
            found["."] = "another program is updating the index; the newest changes may be missing"
        return tuple(Problem(path, found[path]) for path in sorted(found))

    @property
    def pending(self) -> int:
        """Files seen but not read yet, because reading took too long."""
        return len(self._unread)

    def search(
        self, query: str, *, k: int = TOP_K, during: DateRange | None = None
    ) -> Sequence[SourceHit]:
        """Return the ``k`` best passages, none overlapping another.

        ``during`` leaves nothing out: the days a file refers to are not known (its date is that of
        its last change).

        Raises:
            InputError: if the folder is gone.
            UserError: if ``k`` is not from 1 to 1,000, or the query is too long.
        """
        require_count(k)
        require_length(query, most=LONGEST_QUERY)
        self.refresh()
        limit = _CLUSTER * k
        while True:
            found = self._index.search(query, limit)
            chosen = without_overlaps(found, k)
            if len(chosen) == k or len(found) < limit:
                return [self._hit(one) for one in chosen]
            limit *= 8

    def refresh(self) -> None:
        """Look for changes and read what changed; `search` does it by itself.

        Raises:
            InputError: if the folder is gone.
        """
        called = time.monotonic()
        with self._lock:
            if self._looked > called:
                return  # another thread has begun to look since: it saw what this one would see
            began = time.monotonic()
            stamp = self._index.stamp
            if stamp != self._stamp:  # another program has written to the same index
                self._records = self._index.records()
                self._stamp = stamp
            self._watched.look()
            nothing_left = not (self._unread or self._unsettled)
            if not (nothing_left and self._compared == (self._watched.changes, self._stamp)):
                self._update()
            self._looked = began

    def _update(self) -> None:
        """Read the files whose state is not the one they were read in; forget those gone."""
        files, records = self._watched.states, self._records
        gone = [path for path in records if path not in files]
        self._unread = {
            path: state
            for path, state in files.items()
            if path in self._unsettled or path not in records or records[path].state != state
        }
        if self._unread or gone:
            try:
                self._write(gone)
            except BaseException:
                self._stamp = None  # not all that was read was written: see what was
                raise
        if not self._busy:
            self._compared = (self._watched.changes, self._stamp)

    def _write(self, gone: Sequence[str]) -> None:
        """Bring the index up to date, unless another program is doing so."""
        with self._index.writing() as writer:
            self._busy = writer is None
            if writer is None:
                return
            for path in writer.delete(gone):
                self._missing.pop(path, None)
                self._unsettled.discard(path)
            for path in gone:
                self._records.pop(path, None)
            writer.add(self._read_all(), commit_every=COMMIT_EVERY)
            writer.delete(self._missing)
            writer.commit()
        self._index.compact()
        self._stamp = self._index.stamp

    def _read_all(self) -> Iterator[IndexedDocument]:
        """Yield what is to be indexed of the files not read yet, as far as patience goes."""
        deadline = time.monotonic() + self._patience
        for path, state in sorted(self._unread.items()):
            if time.monotonic() > deadline:
                return
            self._unsettled.discard(path)
            yield from self._read(path, state)
            del self._unread[path]

    def _read(self, path: str, state: FileState) -> Iterable[IndexedDocument]:
        """Return what is to be indexed of a file; nothing if its contents are those known."""
        seen = time.time_ns()
        try:
            with open_file(self.folder / path, follow_links=False) as stream:
                opened = FileState.of(os.fstat(stream.fileno()))
                data = stream.read(self._limits.bytes + 1)
        except InputError as error:
            return self._documents(FileRecord(path, state, "", problem=error.reason))
        except OSError as error:
            problem = f"cannot be read: {error.strerror or type(error).__name__}"
            return self._documents(FileRecord(path, state, "", problem=problem))
        if len(data) > self._limits.bytes:
            problem = f"more than {self._limits.bytes:,} bytes: not read"
            return self._documents(FileRecord(path, state, "", problem=problem))
        if not opened.is_settled(seen):
            self._unsettled.add(path)
        record = FileRecord(path, opened, hashlib.sha256(data).hexdigest())
        known = self._records.get(path)
        if known and (known.hash, known.state) == (record.hash, record.state):
            return ()
        try:
            document = self._parser.parse(data, name=path, main_part=True)
        except MissingExtraError as error:  # not stored: it is read once the library is there
            self._missing[path] = str(error)
            self._records[path] = record
            return ()
        except InputError as error:
            return self._documents(replace(record, problem=error.reason))
        scanned = ", ".join(map(str, document.pages_without_text))
        without_text = f"no text on these pages (scans?): {scanned}" if scanned else ""
        problem = "; ".join(filter(None, (document.omitted, without_text)))
        found = list(passages(document, path, self._windowing))
        return self._documents(replace(record, problem=problem), found)

    def _documents(
        self, record: FileRecord, found: Sequence[Passage] = ()
    ) -> Iterable[IndexedDocument]:
        record = replace(record, windows=len(found))
        self._missing.pop(record.path, None)
        self._records[record.path] = record
        return file_documents(record, found)

    def _hit(self, found: ScoredPassage) -> SourceHit:
        passage, record = found.passage, self._records.get(found.passage.path)
        details = {"file": passage.path, "span": f"{passage.start}-{passage.end}"}
        if passage.page is not None:
            details["page"] = str(passage.page)
        changed: date | None = None
        if record is not None:
            with suppress(OverflowError, ValueError, OSError):
                changed = datetime.fromtimestamp(record.state.modified / 1e9, UTC).date()
        document = SourceDocument(
            f"document:{passage.path}#{passage.start}-{passage.end}",
            passage.title,
            passage.text,
            date=changed,
            section=passage.section,
            details=details,
        )
        return SourceHit(self.name, document, found.score)

    def _index_name(self, location: IndexLocation | None) -> str:
        """Return the name of the collection, another one for another folder, windowing or form.

        A server may hold those of several machines, on which a path names different folders.
        """
        machine = "" if location is None or isinstance(location, Path) else platform.node()
        what = f"{self.folder.resolve()}\n{self._windowing}\n{self._limits}\n{FORM}\n{machine}"
        return f"documents-{hashlib.sha256(what.encode()).hexdigest()[:16]}"
