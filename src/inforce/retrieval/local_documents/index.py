"""The index of a folder: overlapping passages of its files under BM25, and a record of each file.

Both are in one collection and change in one commit, so that neither can be ahead of the other.
Without a location the collection is in a temporary folder. With one it outlives the program, and
several programs may use it: one writes at a time, and all see what was written.

Passages are windows within one section (L-MARS, section 3.3). The paper's windows are 500
characters long and begin every 100 characters. Its published code lets neighbours share 100
characters instead, which is ``Windowing(stride=400)``: a fifth of the windows, and a passage may be
cut where no other window has it whole.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from inforce.corpus.home import IndexLocation
from inforce.documents.document import Document
from inforce.errors import UserError
from inforce.retrieval.local_documents.folder import FileState
from inforce.retrieval.tokens import WORDS
from inforce.store import EXACT, IndexBusyError, Schema, Writer, open_store
from inforce.store import Document as IndexedDocument

FORM = 2
"""Raised whenever the same files give another index: older ones are made anew beside it."""

MANY_DELETED = 20_000
"""Windows of changed and deleted files stay in the files of the index until it is made anew from
the others, which is done when there are so many of them more than windows."""

_REMEDY = "delete that folder: it is made anew from the documents"
_SCHEMA = Schema((WORDS,))
_IS_FILE = "file"
_BROKEN_LINE = re.compile(r"(?<=[\u3400-\u9fff])[ \t]*\r?\n[ \t]*(?=[\u3400-\u9fff])")
"""A line that ends inside a Chinese sentence, as in every PDF: words go on across it."""


@dataclass(frozen=True, slots=True)
class Windowing:
    """The size of windows and their distance, in characters."""

    size: int = 500
    stride: int = 100
    """From the start of one window to the start of the next."""

    def __post_init__(self) -> None:
        if not 0 < self.stride <= self.size:
            raise UserError(
                f"windows of {self.size} characters every {self.stride}: the stride must be "
                "positive and at most the size, or text would be left out"
            )


@dataclass(frozen=True, slots=True)
class Passage:
    """A window of a file."""

    path: str
    title: str
    section: str
    """The headings it is under."""
    start: int
    end: int
    text: str
    page: int | None = None
    """The page it begins on, for formats that have pages."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file as it was read, with its state then."""

    path: str
    state: FileState
    hash: str
    """The SHA-256 of its bytes."""
    windows: int = 0
    problem: str = ""
    """Why it, or a part of it, cannot be found; empty: nothing is missing."""


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage and its BM25 score."""

    passage: Passage
    score: float


class WindowIndex:
    """The index of one folder.

    Args:
        location: the store that holds it; without one it is gone with this object.
        name: of the collection.

    Raises:
        SearchIndexError: if it is damaged.
    """

    def __init__(self, location: IndexLocation | None, name: str) -> None:
        self._name = name
        if location is None:
            # Only this person can read it, and it is removed with this object.
            location = Path(tempfile.mkdtemp(prefix="inforce-documents-"))
            weakref.finalize(self, shutil.rmtree, location, ignore_errors=True)
        self._store = open_store(location, remedy=_REMEDY)
        if not self._store.current(name):
            with self._store.lock(name, wait=10.0):
                if not self._store.current(name):
                    with self._store.replace(name, _SCHEMA):
                        pass
        self._collection = self._store.open(name, _SCHEMA)

    @property
    def stamp(self) -> tuple[str, int]:
        """Changes whenever anyone commits."""
        return self._store.current(self._name), self._collection.snapshot().generation

    def records(self) -> dict[str, FileRecord]:
        """Return the record of each file, by path."""
        snapshot = self._collection.snapshot()
        hits = snapshot.search(EXACT, {_IS_FILE: 1.0}, k=max(1, len(snapshot)))
        payloads = snapshot.payloads([hit.row for hit in hits])
        found = (msgspec.json.decode(payload, type=FileRecord) for payload in payloads)
        return {record.path: record for record in found}

    @contextmanager
    def writing(self) -> Generator[Writer | None]:
        """Hold the one writer; ``None`` while another program holds it."""
        with ExitStack() as stack:
            try:
                writer = stack.enter_context(self._collection.writing())
            except IndexBusyError:
                writer = None
            yield writer

    def search(self, query: str, limit: int) -> list[ScoredPassage]:
        """Return the best passages; among equals by path and position."""
        snapshot = self._collection.snapshot()
        hits = snapshot.search("words", query, k=limit)
        payloads = snapshot.payloads([hit.row for hit in hits])
        found = [
            ScoredPassage(msgspec.json.decode(payload, type=Passage), hit.score)
            for payload, hit in zip(payloads, hits, strict=True)
        ]
        return sorted(found, key=lambda one: (-one.score, one.passage.path, one.passage.start))

    def compact(self) -> None:
        """Make it anew if most of what its files hold was deleted."""
        snapshot = self._collection.snapshot()
        if snapshot.rows <= 2 * len(snapshot) + MANY_DELETED:
            return
        with self._store.replace(self._name, _SCHEMA) as writer:
            writer.add(_stored(payload) for _, payload in snapshot.records())


def passages(document: Document, path: str, windowing: Windowing) -> Iterator[Passage]:
    """Yield the windows of a document in order; together they cover all of it but blank edges."""
    for section in document.sections:
        part = document.text[section.start : section.end]
        start = section.start + len(part) - len(part.lstrip())
        end = section.start + len(part.rstrip())
        while start < end:
            stop = min(start + windowing.size, end)
            text, page = document.text[start:stop], document.page(start)
            yield Passage(path, document.title, section.heading, start, stop, text, page)
            if stop == end:
                break
            start += windowing.stride


def file_documents(record: FileRecord, found: Iterable[Passage]) -> Iterator[IndexedDocument]:
    """Yield a file and its passages as they are indexed, in place of the file as it was before."""
    for passage in found:
        yield _passage_document(passage)
    yield _record_document(record)


def _passage_document(passage: Passage) -> IndexedDocument:
    """Index a passage with its title and headings (L-MARS: "to preserve context")."""
    text = _BROKEN_LINE.sub("", passage.text)
    return IndexedDocument(
        f"{passage.path}#{passage.start}-{passage.end}",
        _encode(passage).decode(),
        f"{passage.title}\n{passage.section}\n{text}",
        parent=passage.path,
    )


def _record_document(record: FileRecord) -> IndexedDocument:
    payload = _encode(record).decode()
    return IndexedDocument(record.path, payload, parent=record.path, exact=(_IS_FILE,))


def _stored(payload: str) -> IndexedDocument:
    """Return what was indexed with a payload: that of a record, which has a hash, or a passage."""
    if "hash" in msgspec.json.decode(payload):
        return _record_document(msgspec.json.decode(payload, type=FileRecord))
    return _passage_document(msgspec.json.decode(payload, type=Passage))


def without_overlaps(found: Iterable[ScoredPassage], k: int) -> list[ScoredPassage]:
    """Return the first k passages that overlap none before them and repeat no text."""
    chosen: list[ScoredPassage] = []
    for scored in found:
        if len(chosen) == k:
            break
        one, before = scored.passage, [other.passage for other in chosen]
        if not any(
            one.text == other.text
            or (one.path == other.path and one.start < other.end and other.start < one.end)
            for other in before
        ):
            chosen.append(scored)
    return chosen


_encode = msgspec.json.Encoder().encode
