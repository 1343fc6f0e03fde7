"""The seam under every search: documents in; the best of a channel, under a date filter, out.

A `Store` holds named collections; a `Collection` holds documents. Each document has a key, a
payload, the days it answers for, exact terms, and texts that are indexed in the channels of the
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

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.errors import SearchIndexError

MAX_QUERY_TERMS = 48
"""A question of a thousand words is asked with its rarest terms: the rest only cost time."""

COMMON_FROM = 50_000
"""Documents from which on `Channel.max_share` counts: in fewer, a common word costs nothing."""

EXACT, DENSE = "exact", "dense"
"""The channels that every collection, or every one with an encoder, has beside the lexical ones."""

Matrix = NDArray[np.float32]

Analyser = Callable[[str], Sequence[str]]
"""From a text to its terms, in order; a term contains no white space."""

Role = Literal["query", "passage"]
"""Some encoders prefix or embed questions and documents differently."""

Undated = Literal["excluded", "included"]
"""Whether a search under dates finds documents whose days are not known."""

Progress = Callable[[int], None]
"""Called with the number of documents handled since the last call."""


class OutdatedIndexError(SearchIndexError):
    """A collection was made by an earlier release, in a form that this one does not read."""


class Encoder(Protocol):
    """Turns texts into unit vectors of ``dimension`` floats; ready to use, nothing is fitted."""

    @property
    def name(self) -> str:
        """Changes whenever the vectors would."""
        ...

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        ...

    def encode(self, texts: Sequence[str], *, role: Role) -> Matrix:
        """Vectors of the texts: float32, ``(len(texts), dimension)``, rows of length one or 0."""
        ...


@dataclass(frozen=True, slots=True)
class Channel:
    """A lexical channel: BM25 over the terms of one text of each document."""

    name: str
    analyse: Analyser
    """A function of a module: processes that prepare documents import it by its name."""
    _: KW_ONLY
    version: int = 1
    """Raised whenever the analyser gives other terms: an index of another version is refused."""
    max_share: float = 1.0
    """Terms that a larger share of the documents has are not searched for, from `COMMON_FROM`
    documents on: BM25 as first published gives those of more than half no weight, and they cost
    more time than all others together."""


@dataclass(frozen=True, slots=True)
class Schema:
    """What is indexed of each document of a collection."""

    channels: tuple[Channel, ...]
    encoder: Encoder | None = None
    """Fills the dense channel; a collection refuses any encoder but the one that filled it."""

    def channel(self, name: str) -> Channel:
        """The lexical channel of a name.

        Raises:
            KeyError: if the schema has none.
        """
        return next(one for one in self.channels if one.name == name)

    @property
    def versions(self) -> dict[str, int]:
        """The version of each lexical channel's analyser."""
        return {channel.name: channel.version for channel in self.channels}

    @property
    def encoder_name(self) -> str:
        """The name of the encoder; empty without one."""
        return self.encoder.name if self.encoder else ""

    def require(
        self, versions: Mapping[str, int], encoder: str, *, where: str, remedy: str
    ) -> None:
        """Refuse a collection that was made with another schema.

        Raises:
            SearchIndexError: saying in what it differs.
        """
        if versions != self.versions:
            raise SearchIndexError(
                f"the index {where} has the channels {versions}, not {self.versions}: {remedy}"
            )
        if encoder != self.encoder_name:
            raise SearchIndexError(
                f"the index {where} was filled by the encoder {encoder!r}, not by "
                f"{self.encoder_name!r}: their vectors do not compare. Use the same encoder, or "
                f"{remedy}"
            )


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found: a provision as it stood between two days, a judgment."""

    key: str
    """Names the document. Adding a document replaces the one of the same key."""
    payload: str
    """What comes back with a hit, untouched."""
    text: str = ""
    """What each channel indexes for which `texts` has nothing else; empty: no channel does."""
    _: KW_ONLY
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Texts by the name of their channel, where they differ from `text`."""
    days: DateRange | None = None
    """The days it answers for: in force, of the decision; ``None`` where they are not known."""
    exact: tuple[str, ...] = ()
    """Exact terms: a law, an article of it, the name of a crime."""
    parent: str = ""
    """The key of the document that this is a passage of: passages are replaced and deleted
    together, by that key. Passages of one document are added one after another."""

    def text_of(self, channel: str) -> str:
        """What a channel indexes of this document."""
        return self.texts.get(channel, self.text)


@dataclass(frozen=True, slots=True)
class Keywords:
    """A query to a lexical channel: exact terms and keywords found add up, BM25 breaks ties.

    A keyword counts where all its terms occur, with the weight of the rarest (`keyword_weight`).
    """

    text: str
    """Decides, by BM25, among documents with the same terms and keywords."""
    keywords: tuple[str, ...] = ()
    exact: Mapping[str, float] = field(default_factory=dict[str, float])
    """Exact terms with their weights."""


Query = str | Mapping[str, float] | Keywords | Matrix
"""What a channel may be asked:

- a lexical one: a text, analysed as its documents are; terms with weights that multiply their BM25
  scores; or `Keywords`;
- ``exact``: exact terms with weights, which add up;
- ``dense``: a text to encode, or a vector of length one.
"""


@dataclass(frozen=True, slots=True)
class Scored:
    """A row and its score in one channel (higher is better)."""

    row: int
    score: float


@dataclass(frozen=True, slots=True)
class Written:
    """What was put into a collection."""

    added: int
    """Documents, those included that replaced another."""
    replaced: int
    """Keys (of whole documents, where these are passages) that had been there before."""


@dataclass(frozen=True, slots=True)
class Description:
    """A collection in use, as far as can be said without a schema."""

    build: str
    """Its name in the store; a new one each time the collection is made anew."""
    encoder: str
    """The name of the encoder that filled it; empty without a dense channel."""
    note: str
    documents: int
    megabytes: float | None
    """On this machine; ``None`` where a server holds it."""


@runtime_checkable
class Snapshot(Protocol):
    """A collection as of one commit."""

    @property
    def generation(self) -> int:
        """The number of the commit: grows with each."""
        ...

    @property
    def note(self) -> str:
        """What the owner of the collection last wrote on it (JSON)."""
        ...

    @property
    def rows(self) -> int:
        """Rows ever given, those of replaced and deleted documents included."""
        ...

    def __len__(self) -> int:
        """How many documents there are."""
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
        """The best ``k`` documents of a channel, best first, equal scores in order of addition.

        Args:
            channel: a lexical channel of the schema, ``exact`` or ``dense``.
            query: see `Query`. What matches nothing is not returned, whatever ``k`` is.
            during: only documents whose days overlap one of these ranges; none: all documents.
            undated: under dates, whether those are found whose days are not known.
            k: how many.
        """
        ...

    def scores(self, channel: str, query: Query, rows: Sequence[int]) -> Matrix:
        """The scores of given rows in a channel, in their order; 0 where nothing matches.

        For features of candidates that another channel found. Deleted rows score 0.
        """
        ...

    def document_frequency(self, channel: str, terms: Sequence[str]) -> list[int]:
        """In how many documents each term of a channel (or exact term) occurs.

        Deleted documents may be counted until their storage is reclaimed.
        """
        ...

    def payloads(self, rows: Sequence[int]) -> list[str]:
        """The payloads of rows, in their order."""
        ...

    def rows_of(self, key: str) -> list[int]:
        """The rows of the document with this key, or of its passages, in order."""
        ...

    def keys(self) -> Iterator[str]:
        """The keys of all documents, in order of addition."""
        ...


class Writer(Protocol):
    """The one writer of a collection; readers see nothing before `commit`."""

    @property
    def build(self) -> str:
        """Names the build that is written."""
        ...

    @property
    def rows(self) -> int:
        """Rows given so far, not yet committed ones included."""
        ...

    def __len__(self) -> int:
        """Documents as of the last commit."""
        ...

    def add(
        self,
        documents: Iterable[Document],
        *,
        progress: Progress | None = None,
        processes: int | None = None,
        commit_every: int = 0,
    ) -> Written:
        """Add documents, each in place of the one with its key (or parent).

        Args:
            documents: a stream, read little further than is being worked on.
            progress: called after each batch.
            processes: that cut texts into terms; by default one a core where there are many
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
    """A collection opened; it follows the commits of any process, without a restart.

    Implementations inherit from this class.
    """

    schema: Schema
    """What is indexed of each document."""

    def snapshot(self) -> Snapshot:
        """The last commit; cheap to ask for before each search.

        Raises:
            SearchIndexError: if the collection was removed, is damaged, or was made anew with
                another schema.
        """
        ...

    def writing(self, *, wait: float = 0.0) -> AbstractContextManager[Writer]:
        """Hold the one writer; what is not committed at the end is forgotten.

        Raises:
            SearchIndexError: if another still holds it after ``wait`` seconds.
        """
        ...

    def add(
        self, documents: Iterable[Document], *, progress: Progress | None = None, wait: float = 0.0
    ) -> Written:
        """Add documents with one commit: readers see all of them or, if that fails, none."""
        with self.writing(wait=wait) as writer:
            written = writer.add(documents, progress=progress)
            writer.commit()
        return written

    def delete(self, keys: Iterable[str], *, wait: float = 0.0) -> tuple[str, ...]:
        """Delete documents with one commit; returns the keys that were known."""
        with self.writing(wait=wait) as writer:
            known = writer.delete(keys)
            writer.commit()
        return known


class Store(Protocol):
    """Named collections: in a folder, or in a Milvus."""

    def current(self, name: str) -> str:
        """Names the build in use; empty where there is none. Cheap to ask often."""
        ...

    def describe(self, name: str) -> Description | None:
        """The collection in use; ``None`` where there is none.

        Raises:
            OutdatedIndexError: if an earlier release made it.
            SearchIndexError: if it is damaged, or a later release made it.
        """
        ...

    def files(self, name: str, build: str) -> Path:
        """A folder on this machine for what the owner keeps of a build; goes with the build."""
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
            SearchIndexError: if another process is writing it.
        """
        ...

    def lock(self, name: str, *, wait: float = 0.0) -> AbstractContextManager[None]:
        """Be the only one who writes to a collection, builds included; may be taken again inside.

        Raises:
            SearchIndexError: if another holds it after ``wait`` seconds; the message says who.
        """
        ...

    def remove(self, name: str) -> bool:
        """Delete a collection with unfinished builds; returns whether there was anything."""
        ...

    def unfinished(self, name: str) -> bool:
        """Whether a build of it was begun and not completed."""
        ...


def inverse_frequency(frequency: int, documents: int) -> float:
    """How rare a term is: ln(1 + N / n), with n of the N documents having it; 0 for no document."""
    return math.log1p(documents / frequency) if frequency else 0.0


def keyword_weight(snapshot: Snapshot, channel: str, terms: Sequence[str]) -> float:
    """How much a keyword of these terms tells: the inverse frequency of its rarest term.

    A keyword with a term that no document has counts as half a document: ln(1 + 2N).
    """
    found = snapshot.document_frequency(channel, terms)
    if not found or not all(found):
        return math.log1p(2 * len(snapshot))
    return inverse_frequency(min(found), len(snapshot))


def rarest_terms(
    frequencies: Mapping[str, int], documents: int, *, max_share: float = 1.0
) -> list[str]:
    """The terms worth searching for, the rarest first, at most `MAX_QUERY_TERMS`.

    Terms of no document are left out, and those of too many (see `Channel.max_share`) as long as
    others are left.
    """
    known = {term: count for term, count in frequencies.items() if count}
    if documents >= COMMON_FROM:
        limit = max_share * documents
        known = {term: count for term, count in known.items() if count <= limit} or known
    return sorted(known, key=lambda term: (known[term], term))[:MAX_QUERY_TERMS]


def require_known(channel: str, schema: Schema) -> None:
    """Refuse a channel that the schema does not have.

    Raises:
        ValueError: naming the channels there are.
    """
    known = [*(one.name for one in schema.channels), EXACT, *([DENSE] if schema.encoder else [])]
    if channel not in known:
        raise ValueError(f"no channel {channel!r} in this collection: it has {', '.join(known)}")


def require_dimension(encoder: Encoder, vectors: Matrix, dimension: int) -> None:
    """Refuse vectors of another length: a server may serve another model under the old name.

    Raises:
        SearchIndexError: if they do not compare with those of the collection.
    """
    if vectors.shape[1] != dimension:
        raise SearchIndexError(
            f"the encoder {encoder.name!r} now makes vectors of {vectors.shape[1]} numbers, the "
            f"index holds vectors of {dimension}: make it anew"
        )


def query_vector(schema: Schema, query: Query, dimension: int) -> Matrix:
    """The vector that the dense channel is asked for.

    Raises:
        TypeError: if the query is neither a text nor a vector.
        SearchIndexError: if the encoder makes vectors of another length than ``dimension``.
    """
    if isinstance(query, np.ndarray):
        return query
    if schema.encoder is None or not isinstance(query, str):
        raise TypeError("the channel 'dense' is asked for a text or a vector")
    vectors = schema.encoder.encode([query], role="query")
    require_dimension(schema.encoder, vectors, dimension)
    return vectors[0]
