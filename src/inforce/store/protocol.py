"""The interface of the store: documents go in, the best of a channel under a date filter come out.

A `Store` holds named collections; a `Collection` holds documents. Each document has a key, a
payload, the days it answers for, exact terms, and a text that is indexed in the channels of the
collection's `Schema`: one or several lexical channels (BM25, each over the terms of an analyser of
its own), the channel ``exact`` (exact terms) and, with an encoder, the channel ``dense``.

A `Snapshot` is a collection as of one commit; it never changes, so threads may share it, and all
that is computed from one snapshot fits together. A `Writer` changes nothing for readers before its
`commit`. There is one writer at a time and any number of readers, in any number of processes.

Documents have rows: numbers in the order in which they were added, never used twice. Search results
are rows with scores; equal scores come in the order of rows.

**A law is quoted from the corpus, not from here.** The payload is what search shows of a document
and may be older than the corpus: whoever quotes takes the key or the identifiers in the payload to
the corpus, and compares the hash of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.store.schema import Document, Matrix, Query, Schema

Undated = Literal["excluded", "included"]
"""Whether a search under dates finds documents whose days are not known."""

Progress = Callable[[int], None]
"""Called with the number of documents handled since the last call."""


class OutdatedIndexError(SearchIndexError):
    """A collection was made by an earlier release, in a form that this one does not read."""


class IndexBusyError(SearchIndexError):
    """Another writer holds a collection."""


class ReadOnlyIndexError(SearchIndexError):
    """A collection is in a folder that nobody here may write to."""


class Scored(NamedTuple):
    """A row and its score in one channel (higher is better)."""

    row: int
    score: float


@dataclass(frozen=True, slots=True)
class Written:
    """The outcome of adding documents."""

    added: int
    """Documents, those included that replaced another."""
    replaced: int
    """Keys (of whole documents, where these are passages) that had been there before."""


@dataclass(frozen=True, slots=True)
class Description:
    """A collection in use, as far as it can be described without a schema."""

    build: str
    """Its name in the store; a new one each time the collection is made anew."""
    encoder: str
    """The name of the encoder that filled it; empty without a dense channel."""
    note: str
    documents: int
    megabytes: float | None
    """On this machine; ``None`` where a server holds it."""


class Snapshot(Protocol):
    """A collection as of one commit."""

    @property
    def generation(self) -> int:
        """The number of the commit: grows with each."""
        ...

    @property
    def note(self) -> str:
        """The last note of the owner of the collection (JSON)."""
        ...

    @property
    def rows(self) -> int:
        """Rows ever given, those of replaced and deleted documents included."""
        ...

    def __len__(self) -> int:
        """The number of documents."""
        ...

    def search(
        self,
        channel: str,
        query: Query,
        *,
        during: Sequence[DateRange] = (),
        undated: Undated = "excluded",
        k: int = 10,
    ) -> list[Scored]:
        """Return the best ``k`` documents of a channel, equal scores in order of addition.

        Args:
            channel: a lexical channel of the schema, ``exact`` or ``dense``.
            query: see `Query`. What matches nothing is not returned, whatever ``k`` is.
            during: only documents whose days overlap one of these ranges; none: all documents.
            undated: under dates, whether those are found whose days are not known.
            k: how many.

        Raises:
            ValueError: if ``k`` is less than 1.
        """
        ...

    def similarities(self, query: str | Matrix, rows: Sequence[int]) -> Matrix:
        """Return the scores of given rows in the dense channel, in their order.

        For features of candidates that another channel found. Deleted rows score 0.
        """
        ...

    def document_frequency(self, channel: str, terms: Sequence[str]) -> list[int]:
        """Return in how many documents each term of a channel (or exact term) occurs.

        Deleted documents may be counted until their storage is reclaimed.
        """
        ...

    def payloads(self, rows: Sequence[int]) -> list[str]:
        """Return the payloads of rows, in their order."""
        ...

    def rows_of(self, key: str) -> list[int]:
        """Return the rows of the document with this key, or of its passages, in order."""
        ...

    def keys(self) -> Iterator[str]:
        """Yield the keys of all documents, in order of addition."""
        return (key for key, _ in self.records())

    def records(self) -> Iterator[tuple[str, str]]:
        """Yield the keys and payloads of all documents, in order of addition."""
        ...


class Writer(Protocol):
    """The one writer of a collection; readers see nothing before `commit`."""

    @property
    def build(self) -> str:
        """The name of the build that is written."""
        ...

    @property
    def rows(self) -> int:
        """The number of rows so far, not yet committed ones included."""
        ...

    def __len__(self) -> int:
        """The number of documents as of the last commit."""
        ...

    def add(
        self,
        documents: Iterable[Document],
        *,
        progress: Progress | None = None,
        threads: int | None = None,
        commit_every: int = 0,
    ) -> Written:
        """Add documents, each in place of the one with its key (or parent).

        Args:
            documents: a stream, read little further than is being worked on.
            progress: called after each batch.
            threads: that cut texts into terms; by default one a core where there are many
                documents. 0: all work is done in this one.
            commit_every: documents after which to commit; 0: the caller does.
        """
        ...

    def delete(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Delete documents, each with all its passages; returns the keys that were known."""
        ...

    def annotate(self, note: str) -> None:
        """Write a note on the collection (JSON)."""
        ...

    def commit(self) -> None:
        """Make everything since the last commit durable, and visible to every reader at once."""
        ...


class Collection(Protocol):
    """A collection opened; it follows the commits of any process, without a restart."""

    schema: Schema
    """The schema of its documents."""

    def snapshot(self) -> Snapshot:
        """Return the last commit; cheap to ask for before each search.

        Raises:
            SearchIndexError: if the collection was removed, is damaged, or was made anew with
                another schema.
        """
        ...

    def writing(self, *, wait: float = 0.0) -> AbstractContextManager[Writer]:
        """Hold the one writer; what is not committed at the end is forgotten.

        Raises:
            IndexBusyError: if another still holds it after ``wait`` seconds.
        """
        ...

    def add(self, documents: Iterable[Document], *, progress: Progress | None = None) -> Written:
        """Add documents with one commit: readers see all of them or, if that fails, none."""
        with self.writing() as writer:
            written = writer.add(documents, progress=progress)
            writer.commit()
        return written

    def delete(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Delete documents with one commit; returns the keys that were known."""
        with self.writing() as writer:
            known = writer.delete(keys)
            writer.commit()
        return known


class Store(Protocol):
    """Named collections: in a folder, or in a Milvus."""

    def current(self, name: str) -> str:
        """Return the name of the build in use; empty where there is none. Cheap to ask often."""
        ...

    def describe(self, name: str) -> Description | None:
        """Describe the collection in use; ``None`` where there is none.

        Raises:
            OutdatedIndexError: if an earlier release made it.
            SearchIndexError: if it is damaged, or a later release made it.
        """
        ...

    def files(self, name: str, build: str) -> Path:
        """Return the folder of this machine for files of the owner; removed with the build."""
        ...

    def open(self, name: str, schema: Schema) -> Collection:
        """Open a collection.

        Raises:
            SearchIndexError: if there is none, it is damaged, or has another schema.
        """
        ...

    def replace(
        self, name: str, schema: Schema, *, fingerprint: str = "", wait: float = 0.0
    ) -> AbstractContextManager[Writer]:
        """Make a collection anew: it takes the place of the one in use when the block ends.

        What the block did not commit is committed then. If the block fails or the process dies, the
        one in use stays; the next call with the same schema and ``fingerprint``, which names the
        input, goes on after the last commit: `Writer.rows` says how far that was. Without a
        fingerprint the next call begins anew.

        Raises:
            IndexBusyError: if another is writing it.
        """
        ...

    def lock(self, name: str, *, wait: float = 0.0) -> AbstractContextManager[None]:
        """Be the only one who may write to a collection, and do so inside, builds included.

        Raises:
            IndexBusyError: if another holds it after ``wait`` seconds; the message says who.
        """
        ...

    def remove(self, name: str) -> bool:
        """Delete a collection with unfinished builds; returns whether there was anything."""
        ...

    def unfinished(self, name: str) -> bool:
        """Return whether a build of it was begun and not completed."""
        ...


def required_count(k: int, *, rows: int) -> int:
    """Return how many documents to rank, at most as many as rows: engines allocate room for all.

    Raises:
        ValueError: if it is none at all.
    """
    if k < 1:
        raise ValueError(f"k is {k}: ask for one document at least")
    return min(k, max(rows, 1))


REMEDY = "make it anew"
"""The default advice about a collection that cannot be read."""


def require_format(found: int, known: int, *, where: str, remedy: str) -> None:
    """Refuse a collection of another format, which would be misread.

    Raises:
        OutdatedIndexError: if an earlier release made it.
        SearchIndexError: if a later release made it.
    """
    if found < known:
        raise OutdatedIndexError(f"the index {where} was made by an earlier release: {remedy}")
    if found > known:
        raise SearchIndexError(
            f"the index {where} has format {found}, this release reads {known}: update inforce, "
            f"or {remedy}"
        )
