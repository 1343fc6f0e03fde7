"""The windows of a folder's files under BM25, and what was read of each file (tantivy).

Both live in one index and change in one commit, so that neither can be ahead of the other. Without
a folder of its own the index is kept in memory. With one it outlives the program, and several
programs may use it: one writes at a time, and all see what was written.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import tantivy

from inforce.errors import SearchIndexError
from inforce.retrieval.local_documents.folder import FileState
from inforce.retrieval.tokens import tokenize

FORM = 2
"""Raised whenever the same files give another index: older ones are made anew beside it."""

MAX_QUERY_TERMS = 48
_WRITER_HEAP = 32_000_000
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
        folder: where to keep it; in memory without one.

    Raises:
        SearchIndexError: if what is kept there is damaged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._schema = _schema()
        with self._naming_damage():
            if folder is None:
                self._index = tantivy.Index(self._schema)
            else:
                folder.mkdir(parents=True, exist_ok=True)
                self._index = tantivy.Index(self._schema, path=str(folder))
            self._searcher = self._index.searcher()

    def reload(self) -> None:
        """See what was committed since, by anyone."""
        with self._naming_damage():
            self._index.reload()
            self._searcher = self._index.searcher()

    @property
    def stamp(self) -> int:
        """Changes whenever anyone commits; 0 for an index in memory, which only we change."""
        if self._folder is None:
            return 0
        return (self._folder / "meta.json").stat().st_mtime_ns

    def records(self) -> dict[str, FileRecord]:
        """What was read of each file, by path."""
        query = tantivy.Query.term_query(self._schema, "kind", "file", "basic")
        with self._naming_damage():
            searcher = self._searcher
            hits = searcher.search(query, max(1, searcher.num_docs), count=False).hits
            found = (_record(searcher, address, FileRecord) for _, address in hits)
            return {record.path: record for record in found}

    @contextmanager
    def writing(self) -> Generator[WindowWriter | None]:
        """The one writer; ``None`` while another program holds it."""
        with self._naming_damage():
            try:
                writer = self._index.writer(_WRITER_HEAP, num_threads=1)
            except ValueError as error:
                if "LockBusy" not in str(error):
                    raise
                writer = None
        if writer is None:
            yield None
            return
        try:
            yield WindowWriter(writer)
        finally:
            writer.wait_merging_threads()
            self.reload()

    def search(self, query: str, limit: int) -> list[ScoredPassage]:
        """The best passages, best first; among equals by path and place."""
        terms = self._rarest(dict.fromkeys(tokenize(query)))
        if not terms:
            return []
        asked = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._term(term)) for term in terms]
        )
        with self._naming_damage():
            searcher = self._searcher  # one view throughout: another thread may reload meanwhile
            hits = searcher.search(asked, limit, count=False).hits
            found = [
                ScoredPassage(_record(searcher, address, Passage), float(score))
                for score, address in hits
            ]
        return sorted(found, key=_place)

    def _term(self, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, "body", term, "freq")

    def _rarest(self, terms: Iterable[str]) -> list[str]:
        found = ((self._searcher.doc_freq("body", term), term) for term in terms)
        return [term for count, term in sorted(found) if count][:MAX_QUERY_TERMS]

    @contextmanager
    def _naming_damage(self) -> Generator[None]:
        """Tantivy answers damaged files with a ValueError or a panic, which is no `Exception`."""
        try:
            yield
        except BaseException as error:
            known = isinstance(error, ValueError | msgspec.MsgspecError | FileNotFoundError)
            if known or type(error).__name__ == "PanicException":
                raise SearchIndexError(
                    f"the index of local documents in {self._folder} is damaged ({error}); "
                    "delete that folder: it is made anew from the documents"
                ) from error
            raise


class WindowWriter:
    """Changes an index; nothing is visible before `commit`."""

    def __init__(self, writer: tantivy.IndexWriter) -> None:
        self._writer = writer

    def forget(self, path: str) -> None:
        """Drop a file and its passages."""
        self._writer.delete_documents_by_term("path", path)

    def put(self, record: FileRecord, passages: Iterable[Passage]) -> None:
        """Store a file with its passages, in place of what was stored of it before."""
        self.forget(record.path)
        for passage in passages:
            self._writer.add_document(_entry("window", passage, _words(passage)))
        self._writer.add_document(_entry("file", record, []))

    def commit(self) -> None:
        """Make everything since the last commit durable and visible."""
        self._writer.commit()


def _words(passage: Passage) -> list[str]:
    """A passage is also found by its title and headings (L-MARS: "to preserve context")."""
    text = _BROKEN_LINE.sub("", passage.text)
    return tokenize(f"{passage.title}\n{passage.section}\n{text}")


def _entry(kind: str, stored: Passage | FileRecord, words: list[str]) -> tantivy.Document:
    entry = tantivy.Document()
    entry.add_text("kind", kind)
    entry.add_text("path", stored.path)
    entry.add_text("body", " ".join(words))
    entry.add_bytes("stored", msgspec.json.encode(stored))
    return entry


def _record(searcher: tantivy.Searcher, address: tantivy.DocAddress, kind: type[Any]) -> Any:
    stored: Any = searcher.doc(address)["stored"][0]
    return msgspec.json.decode(bytes(stored), type=kind)


def _place(found: ScoredPassage) -> tuple[float, str, int]:
    return (-found.score, found.passage.path, found.passage.start)


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("path", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("kind", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


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
