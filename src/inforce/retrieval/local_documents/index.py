"""The windows of a folder's files under BM25, and what was read of each file: one collection.

Both change in one commit, so that neither can be ahead of the other. Without a location they are in
a folder of their own for as long as they are used. With one they outlive the program, and several
programs may use them: one writes at a time, and all see what was written.
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
from inforce.retrieval.local_documents.folder import FileState
from inforce.retrieval.tokens import WORDS
from inforce.store import EXACT, Document, IndexBusyError, Schema, Writer, open_store

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
class Passage:
    """A window as it is found again."""

    path: str
    title: str
    section: str
    start: int
    end: int
    text: str
    page: int | None = None
    """Where it begins, for formats that have pages."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What was read of a file, in the state it had then."""

    path: str
    state: FileState
    hash: str
    """Of its bytes."""
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
        self._store = open_store(location or self._temporary(), remedy=_REMEDY)
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
        """What was read of each file, by path."""
        snapshot = self._collection.snapshot()
        hits = snapshot.search(EXACT, {_IS_FILE: 1.0}, k=max(1, len(snapshot)))
        payloads = snapshot.payloads([hit.row for hit in hits])
        found = (msgspec.json.decode(payload, type=FileRecord) for payload in payloads)
        return {record.path: record for record in found}

    @contextmanager
    def writing(self) -> Generator[Writer | None]:
        """The one writer; ``None`` while another program holds it."""
        with ExitStack() as stack:
            try:
                writer = stack.enter_context(self._collection.writing())
            except IndexBusyError:
                writer = None
            yield writer

    def search(self, query: str, limit: int) -> list[ScoredPassage]:
        """The best passages, best first; among equals by path and position."""
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

    def _temporary(self) -> Path:
        """A folder that only this person can read, and that goes with this object."""
        folder = Path(tempfile.mkdtemp(prefix="inforce-documents-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder


def file_documents(record: FileRecord, passages: Iterable[Passage]) -> Iterator[Document]:
    """A file with its passages, as they are indexed in place of what was indexed of it before."""
    for passage in passages:
        yield _passage_document(passage)
    yield _record_document(record)


def _passage_document(passage: Passage) -> Document:
    """A passage is also found by its title and headings (L-MARS: "to preserve context")."""
    text = _BROKEN_LINE.sub("", passage.text)
    return Document(
        f"{passage.path}#{passage.start}-{passage.end}",
        _encode(passage).decode(),
        f"{passage.title}\n{passage.section}\n{text}",
        parent=passage.path,
    )


def _record_document(record: FileRecord) -> Document:
    return Document(record.path, _encode(record).decode(), parent=record.path, exact=(_IS_FILE,))


def _stored(payload: str) -> Document:
    """What a payload was made from: a passage, which has a text, or a record."""
    if "hash" in msgspec.json.decode(payload):
        return _record_document(msgspec.json.decode(payload, type=FileRecord))
    return _passage_document(msgspec.json.decode(payload, type=Passage))


def apart(passages: Iterable[ScoredPassage], k: int) -> Iterator[ScoredPassage]:
    """The best passages that do not overlap and do not repeat a text already given."""
    chosen: list[Passage] = []
    texts: set[str] = set()
    for found in passages:
        one = found.passage
        if len(chosen) == k:
            return
        if one.text not in texts and not any(_overlap(one, other) for other in chosen):
            chosen.append(one)
            texts.add(one.text)
            yield found


def _overlap(left: Passage, right: Passage) -> bool:
    return left.path == right.path and left.start < right.end and right.start < left.end


_encode = msgspec.json.Encoder().encode
