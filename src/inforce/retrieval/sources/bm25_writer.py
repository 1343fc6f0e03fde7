"""Putting documents into a BM25 source: one writer at a time, nothing visible before a commit."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import tantivy

from inforce.errors import SearchIndexError
from inforce.retrieval.sources.manifest import damaged, naming_damage
from inforce.retrieval.sources.preparing import Batch, prepared, prepared_here
from inforce.retrieval.sources.records import days_of, entry, whole_id
from inforce.retrieval.sources.source import SourceDocument, SourceName
from inforce.retrieval.sources.texts import TextWriter

HEAP = 96_000_000
"""Bytes of documents held in memory before they are written out as a segment."""

_HOLDER = "writer.json"

_Aggregated = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Written:
    """What a call put into a source."""

    added: int
    """Documents or passages, replaced ones included."""
    replaced: int
    """Ids that had been there before."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """What a call took out of a source."""

    deleted: tuple[str, ...]
    unknown: tuple[str, ...]


class Bm25Writer:
    """The one writer of a source; made by `open_writer`."""

    def __init__(
        self,
        writer: tantivy.IndexWriter,
        index: tantivy.Index,
        source: SourceName,
        *,
        folder: Path,
        texts: TextWriter,
    ) -> None:
        self._writer = writer
        self._texts = texts
        self._folder = folder
        self._index = index
        self._source: SourceName = source
        self._see()
        self._next_row = _next_row(self._committed)
        if self._next_row > texts.rows:
            reason = ValueError(f"{self._next_row} documents are indexed, {texts.rows} are there")
            raise damaged(folder, reason)

    @property
    def rows(self) -> int:
        """Documents put in since the source was made, replaced and deleted ones included."""
        return self._texts.rows

    @property
    def documents(self) -> int:
        """Documents and passages committed."""
        return self._committed.num_docs

    def add(self, document: SourceDocument) -> None:
        """Add a document, or replace the one with its id; visible after `commit`."""
        self.put(prepared_here([document]))

    def put(self, batch: Batch) -> int:
        """As `add`, for documents prepared already; returns how many replaced an earlier one."""
        first, replaced = self.rows, 0
        self._texts.append(batch.prepared.blocks, len(batch.documents))
        pairs = zip(batch.documents, batch.prepared.words, strict=True)
        for row, (document, words) in enumerate(pairs, first):
            replaced += self._replaces(document.id)
            days = days_of(self._source, document)
            self._writer.add_document(entry(row, days, document.id, words))
        return replaced

    def add_all(self, documents: Iterable[SourceDocument]) -> Written:
        """Add many and commit once at the end: a reader sees all of them or none."""
        before = self.rows
        replaced = sum(self.put(batch) for batch in prepared(documents, priority="low"))
        self.commit()
        return Written(self.rows - before, replaced)

    def delete(self, document_id: str) -> bool:
        """Forget a document with its passages, or one passage; tells whether it was known."""
        known = self._knows(document_id)
        self._writer.delete_documents_by_term("name", document_id)
        self._current = ""
        return known

    def delete_all(self, ids: Iterable[str]) -> Deleted:
        """Forget documents and commit."""
        known = {one: self.delete(one) for one in dict.fromkeys(ids)}
        self.commit()
        return Deleted(
            tuple(one for one, found in known.items() if found),
            tuple(one for one, found in known.items() if not found),
        )

    def clear(self) -> None:
        """Forget everything and begin anew; only for a build, which nobody reads."""
        self._writer.delete_all_documents()
        self._texts.cut(0)
        self.commit()

    def resume(self) -> None:
        """Forget what a build that was killed wrote after its last commit."""
        self._texts.cut(self._next_row)

    def commit(self) -> None:
        """Make everything since the last commit durable, and visible to every reader."""
        self._texts.sync()
        self._writer.commit()
        self._see()

    def _see(self) -> None:
        """Look at what is committed, so that known ids are found."""
        with naming_damage(self._folder):
            self._index.reload()
            self._committed = self._index.searcher()
        self._fresh: set[str] = set()
        self._current = ""

    def _replaces(self, document_id: str) -> bool:
        """Drop what a document replaces; the passages of one document replace nothing twice."""
        whole = whole_id(document_id)
        if whole == self._current and whole != document_id:
            return False
        self._current = whole
        known = self._knows(whole)
        if known:
            self._writer.delete_documents_by_term("name", whole)
        self._fresh.add(whole)
        return known

    def _knows(self, name: str) -> bool:
        return name in self._fresh or self._committed.doc_freq("name", name) > 0


@contextmanager
def open_writer(folder: Path, index: tantivy.Index, source: SourceName) -> Generator[Bm25Writer]:
    """Hold the one writer of a source; what was not committed at the end is forgotten.

    Raises:
        SearchIndexError: if another holds it; the message says which process, and since when.
    """
    try:
        writer = index.writer(HEAP, num_threads=1)
    except ValueError as error:
        if "LockBusy" not in str(error):
            raise damaged(folder, error) from error
        raise SearchIndexError(
            f"{_holder(folder)} is writing to the source in {folder}; try again when it is done"
        ) from error
    _sign(folder)
    with closing(TextWriter(folder)) as texts:
        try:
            yield Bm25Writer(writer, index, source, folder=folder, texts=texts)
        finally:
            writer.wait_merging_threads()


def _sign(folder: Path) -> None:
    holder = {
        "process": os.getpid(),
        "machine": platform.node(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    (folder / _HOLDER).write_text(json.dumps(holder), encoding="utf-8")


def _holder(folder: Path) -> str:
    try:
        holder = json.loads((folder / _HOLDER).read_text(encoding="utf-8"))
        return f"process {holder['process']} on {holder['machine']} (since {holder['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def _next_row(searcher: tantivy.Searcher) -> int:
    if not searcher.num_docs:
        return 0
    asked = {"last": {"max": {"field": "row"}}}
    found = cast("_Aggregated", searcher.aggregate(tantivy.Query.all_query(), asked))
    return int(found["last"]["value"]) + 1
