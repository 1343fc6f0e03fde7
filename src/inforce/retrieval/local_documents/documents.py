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
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock

from inforce.corpus.home import IndexLocation
from inforce.dates import DateRange
from inforce.documents.document import Document
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
    apart,
    file_documents,
)
from inforce.retrieval.local_documents.windows import Windowing, windows
from inforce.retrieval.request_limits import LONGEST_QUERY, require_count, require_length
from inforce.retrieval.sources.source import SourceDocument, SourceHit, SourceName
from inforce.store import Document as IndexedDocument
from inforce.store import Writer

TOP_K = 5
"""Passages a search returns unless asked otherwise (L-MARS, section 3.3)."""

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
        """What agents call it."""
        return "document"

    def __len__(self) -> int:
        """How many files can be searched, as of the last look."""
        return sum(record.windows > 0 for record in self._records.copy().values())

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What cannot be found, and why, by path; as of the last look."""
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
        """The ``k`` best passages, none overlapping another, best first.

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
            chosen = list(apart(found, k))
            if len(chosen) == k or len(found) < limit:
                return [self._hit(one) for one in chosen]
            limit *= 8

    def refresh(self) -> None:
        """Look for changes and read what changed; `search` does it by itself.

        Raises:
            InputError: if the folder is gone.
        """
        asked = time.monotonic()
        with self._lock:
            if self._looked > asked:
                return  # another thread began to look after we asked: it saw what we would see
            began = time.monotonic()
            self._catch_up()
            self._watched.look()
            if not self._is_current():
                self._compare()
            self._looked = began

    def _is_current(self) -> bool:
        """Whether what was read is known to be all there is to read."""
        nothing_left = not (self._unread or self._unsettled)
        return nothing_left and self._compared == (self._watched.changes, self._stamp)

    def _compare(self) -> None:
        """Read the files whose state is not the one they were read in; forget those gone."""
        files = self._watched.states
        gone = [path for path in self._records if path not in files]
        self._unread = {
            path: state
            for path, state in files.items()
            if path in self._unsettled or not self._has_read(path, state)
        }
        if self._unread or gone:
            self._update(gone)
        if not self._busy:
            self._compared = (self._watched.changes, self._stamp)

    def _catch_up(self) -> None:
        """Another program may have written to the same index."""
        stamp = self._index.stamp
        if stamp != self._stamp:
            self._records = self._index.records()
            self._stamp = stamp

    def _has_read(self, path: str, state: FileState) -> bool:
        record = self._records.get(path)
        return record is not None and record.state == state

    def _update(self, gone: Sequence[str]) -> None:
        try:
            with self._index.writing() as writer:
                self._busy = writer is None
                if writer is None:
                    return
                self._forget(gone, writer)
                writer.add(self._read_all(), commit_every=COMMIT_EVERY)
                writer.delete(self._missing)
                writer.commit()
        except BaseException:
            self._stamp = None  # not all that was read was written: see what was
            raise
        self._index.compact()
        self._stamp = self._index.stamp

    def _forget(self, paths: Sequence[str], writer: Writer) -> None:
        for path in writer.delete(paths):
            self._missing.pop(path, None)
            self._unsettled.discard(path)
        for path in paths:
            self._records.pop(path, None)

    def _read_all(self) -> Iterator[IndexedDocument]:
        """What is to be indexed of the files that were not read yet, as far as patience goes."""
        deadline = time.monotonic() + self._patience
        for path, state in sorted(self._unread.items()):
            if time.monotonic() > deadline:
                return
            self._unsettled.discard(path)
            yield from self._read(path, state)
            del self._unread[path]

    def _read(self, path: str, state: FileState) -> Iterator[IndexedDocument]:
        seen = time.time_ns()
        known = self._records.get(path)
        try:
            opened = _open_file(self.folder / path, self._limits)
        except InputError as error:
            return self._documents(FileRecord(path, state, "", problem=error.reason), ())
        if not opened.state.is_settled(seen):
            self._unsettled.add(path)
        digest = hashlib.sha256(opened.data).hexdigest()
        if known and known.hash == digest and known.state == opened.state:
            return iter(())
        record = FileRecord(path, opened.state, digest)
        try:
            document = self._parser.parse(opened.data, name=path, main_part=True)
        except MissingExtraError as error:  # not stored: it is read once the library is there
            self._missing[path] = str(error)
            self._records[path] = record
            return iter(())
        except InputError as error:
            return self._documents(replace(record, problem=error.reason), ())
        record = replace(record, problem=_left_out(document))
        return self._documents(record, self._passages(path, document))

    def _documents(
        self, record: FileRecord, passages: Sequence[Passage]
    ) -> Iterator[IndexedDocument]:
        whole = replace(record, windows=len(passages))
        self._missing.pop(record.path, None)
        self._records[record.path] = whole
        return file_documents(whole, passages)

    def _passages(self, path: str, document: Document) -> list[Passage]:
        return [
            Passage(
                path,
                document.title,
                window.section,
                window.start,
                window.end,
                document.text[window.start : window.end],
                document.page(window.start),
            )
            for window in windows(document, self._windowing)
        ]

    def _hit(self, found: ScoredPassage) -> SourceHit:
        passage = found.passage
        details = {"file": passage.path, "span": f"{passage.start}-{passage.end}"}
        if passage.page is not None:
            details["page"] = str(passage.page)
        document = SourceDocument(
            f"document:{passage.path}#{passage.start}-{passage.end}",
            passage.title,
            passage.text,
            date=self._modified(passage.path),
            section=passage.section,
            details=details,
        )
        return SourceHit(self.name, document, found.score)

    def _modified(self, path: str) -> date | None:
        """The day of a file's last change, in UTC."""
        record = self._records.get(path)
        if record is None:
            return None
        with suppress(OverflowError, ValueError, OSError):
            return datetime.fromtimestamp(record.state.modified / 1e9, UTC).date()
        return None

    def _index_name(self, location: IndexLocation | None) -> str:
        """Indexes of other folders, other windows or another form are beside each other.

        A server may hold those of several machines, on which a path names different folders.
        """
        machine = "" if location is None or isinstance(location, Path) else platform.node()
        what = f"{self.folder.resolve()}\n{self._windowing}\n{self._limits}\n{FORM}\n{machine}"
        return f"documents-{hashlib.sha256(what.encode()).hexdigest()[:16]}"


def _left_out(document: Document) -> str:
    """What of a document cannot be found; empty: nothing."""
    scanned = ", ".join(map(str, document.pages_without_text))
    without_text = f"no text on these pages (scans?): {scanned}" if scanned else ""
    return "; ".join(filter(None, (document.omitted, without_text)))


@dataclass(frozen=True, slots=True)
class _Opened:
    state: FileState
    data: bytes


def _open_file(path: Path, limits: DocumentLimits) -> _Opened:
    """The bytes of a regular file: no link, no pipe, and not more than the limit.

    Raises:
        InputError: if it cannot be read, or is too large.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise InputError("not a regular file", path=path)
            data = file.read(limits.bytes + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"cannot be opened: {reason}", path=path) from error
    if len(data) > limits.bytes:
        raise InputError(f"more than {limits.bytes:,} bytes: not read", path=path)
    return _Opened(FileState.of(found), data)
