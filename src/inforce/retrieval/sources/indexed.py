"""A source of documents that are indexed: searched by words or, with an encoder, by meaning too.

MSR2, section 4.3.2: precedents (10.7 million judgments), guidelines and interpretations are found
by BM25 over their full text, books (780,035 passages) by BM25 and vectors, fused.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import msgspec

from inforce.dates import DateRange, LegalDate
from inforce.errors import SearchIndexError
from inforce.retrieval.encoders import DEFAULT, open_encoder
from inforce.retrieval.request_limits import LONGEST_QUERY, require_count, require_length
from inforce.retrieval.sources.source import (
    DEFAULT_K,
    PASSAGE_MARK,
    WRITTEN_DATE,
    SourceDocument,
    SourceHit,
    SourceName,
)
from inforce.retrieval.tokens import TELLING_WORDS
from inforce.store import (
    DENSE,
    Collection,
    Document,
    Encoder,
    Progress,
    Schema,
    Scored,
    Snapshot,
    Store,
    Writer,
    Written,
)

COMMIT_EVERY = 200_000
"""Documents between the commits of a build: what a kill costs at most, half a minute of work."""

_DEPTH = 50
"""Documents each channel gives to the fusion."""

FusedChannel = Literal["keyword", "dense", "bm25"]
FUSION_WEIGHTS: Mapping[FusedChannel, float] = {"keyword": 3.0, "dense": 2.0, "bm25": 1.0}


@dataclass(frozen=True, slots=True)
class Built:
    """The outcome of a build."""

    documents: int
    """In the source now: of two with one id the later one counts."""
    resumed_at: int
    """Documents of the stream that a build killed earlier had put in; 0 for a fresh build."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """The outcome of deleting from a source."""

    deleted: tuple[str, ...]
    unknown: tuple[str, ...]


class IndexedSource:
    """A source in a store; one writer at a time, any number of readers.

    A reader sees what any process commits at its next search, without a restart.

    Args:
        store: where `build_source` put it.
        name: what agents call it.
        collection: its name in the store, if that is another.
        encoder: what turned its texts into vectors, if it has any; ``None`` for the encoder that
            ships.

    Raises:
        SearchIndexError: if there is none, it is damaged, of another form, or another encoder
            filled it.
    """

    def __init__(
        self,
        store: Store,
        name: SourceName,
        *,
        collection: str = "",
        encoder: Encoder | None = None,
    ) -> None:
        self._store = store
        self._name: SourceName = name
        self._collection_name = collection or name
        self._encoder = encoder
        self._build, self._collection = self._opened()

    @property
    def name(self) -> SourceName:
        """The name agents use."""
        return self._name

    def __len__(self) -> int:
        return len(self._snapshot())

    def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> list[SourceHit]:
        """Return the ``k`` best documents, best first; of these days only, where given.

        Documents whose days are not known are never left out. Equal scores: the one added first.

        Raises:
            SearchIndexError: if the index is damaged, or was removed.
            UserError: if ``k`` is not from 1 to 1,000, or the query is too long.
        """
        require_count(k)
        require_length(query, most=LONGEST_QUERY)
        snapshot = self._snapshot()
        days = (during,) if during else ()
        if self._collection.schema.encoder:
            scored = _fused(snapshot, query, days, k)
        else:
            hits = snapshot.search("words", query, during=days, undated="included", k=k)
            scored = [(hit.row, hit.score) for hit in hits]
        payloads = snapshot.payloads([row for row, _ in scored])
        return [
            SourceHit(self._name, _decode(payload), score)
            for payload, (_, score) in zip(payloads, scored, strict=True)
        ]

    def get(self, document_id: str) -> SourceDocument | None:
        """Return the document, or passage, with this id."""
        snapshot = self._snapshot()
        found = map(_decode, snapshot.payloads(snapshot.rows_of(document_id)))
        return next((document for document in found if document.id == document_id), None)

    @contextmanager
    def writing(self) -> Generator[SourceWriter]:
        """Hold the one writer of this source; readers see what it commits at once.

        Raises:
            SearchIndexError: if another writer holds it; the message says which.
        """
        self._snapshot()
        with self._collection.writing() as writer:
            yield SourceWriter(writer, self._name)

    def add(self, documents: Iterable[SourceDocument]) -> Written:
        """Add documents, or replace those of the same id: all of them or, if that fails, none."""
        with self.writing() as writer:
            written = writer.add(documents)
            writer.commit()
        return written

    def delete(self, ids: Iterable[str]) -> Deleted:
        """Delete documents, each with all its passages; ids that are not known are returned."""
        wanted = list(dict.fromkeys(ids))
        self._snapshot()
        known = self._collection.delete(wanted)
        return Deleted(known, tuple(one for one in wanted if one not in known))

    def _snapshot(self) -> Snapshot:
        """Return the last commit; of a source that was made anew, even with another encoder."""
        try:
            return self._collection.snapshot()
        except SearchIndexError:
            if self._store.current(self._collection_name) in (self._build, ""):
                raise
            self._build, self._collection = self._opened()
            return self._collection.snapshot()

    def _opened(self) -> tuple[str, Collection]:
        name = self._collection_name
        found = self._store.describe(name)
        encoder = self._encoder if found and found.encoder else None
        if found and found.encoder and encoder is None:
            encoder = open_encoder(DEFAULT)
        build = found.build if found else ""
        return build, self._store.open(name, Schema((TELLING_WORDS,), encoder))


class SourceWriter:
    """The one writer of a source: what it adds and deletes is visible after `commit`."""

    def __init__(self, writer: Writer, source: SourceName) -> None:
        self._writer = writer
        self._source: SourceName = source

    def add(self, documents: Iterable[SourceDocument]) -> Written:
        """Add documents, or replace those of the same id."""
        return self._writer.add(indexed_document(self._source, one) for one in documents)

    def delete(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Delete documents, each with all its passages; returns the ids that were known."""
        return self._writer.delete(ids)

    def commit(self) -> None:
        """Make everything since the last commit durable, and visible to every reader."""
        self._writer.commit()


def build_source(
    store: Store,
    name: SourceName,
    documents: Iterable[SourceDocument],
    *,
    collection: str = "",
    fingerprint: str = "",
    encoder: Encoder | None = None,
    progress: Progress | None = None,
    threads: int | None = None,
    commit_every: int = COMMIT_EVERY,
) -> Built:
    """Make a source from documents, replacing what it held; it is served only when complete.

    Args:
        store: where to put it.
        name: which source it is.
        documents: read once, in order. To continue a build, the first of them are passed over.
        collection: its name in the store, if that is another.
        fingerprint: names the input. A build that was killed is continued only where it is not
            empty and the same as before; else it is made anew.
        encoder: for a source that is searched by meaning as well.
        progress: called after each batch.
        threads: that prepare documents; by default one a core, 0 for none.
        commit_every: documents between commits.

    Raises:
        SearchIndexError: if another process is building it, or the disk is full.
    """
    schema = Schema((TELLING_WORDS,), encoder)
    with store.replace(collection or name, schema, fingerprint=fingerprint) as writer:
        resumed_at = writer.rows
        rest = islice(documents, resumed_at, None)
        writer.add(
            (indexed_document(name, document) for document in rest),
            progress=progress,
            threads=threads,
            commit_every=commit_every,
        )
        writer.commit()
        count = len(writer)
    return Built(count, resumed_at)


def indexed_document(source: SourceName, document: SourceDocument) -> Document:
    """Return a document as it is indexed: by title, heading and text, with the days it is about.

    A title that the text begins with counts once.
    """
    heading = f"{document.title}\n{document.section}"
    text = document.text
    whole = document.id.partition(PASSAGE_MARK)[0]
    return Document(
        document.id,
        _encode(document).decode(),
        text if text.startswith(heading) else f"{heading}\n{text}",
        days=_days(source, document),
        parent=whole if whole != document.id else "",
    )


def _days(source: SourceName, document: SourceDocument) -> DateRange | None:
    """Return the day, month or year of the decision of a precedent; else the days in force."""
    if source != "precedent":
        return document.valid
    if document.date:
        return DateRange.day(document.date)
    written = document.details.get(WRITTEN_DATE)
    return LegalDate.parse(written).range if written else None


def _fused(
    snapshot: Snapshot, query: str, days: tuple[DateRange, ...], k: int
) -> list[tuple[int, float]]:
    depth = max(_DEPTH, k)
    channels: dict[FusedChannel, str] = {"bm25": "words", "dense": DENSE}
    rankings: dict[FusedChannel, list[int]] = {
        name: [
            hit.row
            for hit in snapshot.search(channel, query, during=days, undated="included", k=depth)
        ]
        for name, channel in channels.items()
    }
    return [(one.row, one.score) for one in weighted_rrf(rankings)[:k]]


def weighted_rrf(rankings: Mapping[FusedChannel, Sequence[int]]) -> list[Scored]:
    """Fuse ranked lists of rows, best first; ties go to the lower row, so that order is fixed.

    Weighted reciprocal rank fusion (LegalSearch-R1, equation 3): ``score(d) = Σ_c w_c / (60 +
    r_c(d))`` over the channels c that found d, with r the rank from 1.

    >>> [one.row for one in weighted_rrf({"keyword": [7], "bm25": [3, 7]})]
    [7, 3]
    """
    scores: dict[int, float] = {}
    for channel in sorted(rankings):  # a fixed order, so that sums of floats are the same
        for rank, row in enumerate(rankings[channel], 1):
            scores[row] = scores.get(row, 0.0) + FUSION_WEIGHTS[channel] / (60 + rank)
    return [Scored(row, scores[row]) for row in sorted(scores, key=lambda row: (-scores[row], row))]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(SourceDocument).decode
