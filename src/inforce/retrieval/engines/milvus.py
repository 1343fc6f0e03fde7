"""The engine for more than one machine: the same channels, answered by a Milvus.

A file (``./statutes.db``, Milvus Lite) and a cluster (``http://host:19530``) take the same calls.
The days of a document are columns, and the temporal filter is part of every query. Words and exact
names are sparse vectors of our own tokens (`inforce.retrieval.engines.sparse`): the BM25 built into
Milvus would cut Chinese another way, and in a file knows the rarity of words only piece by piece.

Any number of readers; one writer at a time, which whoever writes must see to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.retrieval.encoders import Encoder, Role
from inforce.retrieval.encoders.lsa import Matrix
from inforce.retrieval.engines import Document, EngineQuery, Scored, TimeFilter
from inforce.retrieval.engines.batches import Progress, batches, unknown
from inforce.retrieval.engines.milvus_ledger import Ledger, State, words_of
from inforce.retrieval.engines.milvus_tables import MOST_HITS, Milvus, Row, Table
from inforce.retrieval.engines.sparse import (
    Frequencies,
    KeywordQuestion,
    Sparse,
    bm25_vector,
    document_vector,
)
from inforce.retrieval.engines.validity import windows
from inforce.retrieval.fusion import Channel
from inforce.retrieval.tokens import tokenize

FIRST_LOOK = 100

_PIECE = 16_000
"""Characters of a payload in one cell: at most 64,000 bytes, and Milvus takes 65,535."""

_ROUNDING = 2e-6
"""Milvus adds up in single precision: scores closer than this share of them may be equal."""


class MilvusEngine:
    """An index in a Milvus.

    Args:
        uri: ``./statutes.db`` or ``http://host:19530``.
        encoder: what turns texts into vectors; the one that filled the collection.
        collection: its name in that Milvus; made by `create`.
        token: ``user:password`` or an API key, where the server wants one.

    Raises:
        MissingExtraError: if pymilvus is not installed.
        SearchIndexError: if Milvus cannot be reached, or has no such index, or another encoder
            filled it.
    """

    def __init__(
        self, uri: str, *, encoder: Encoder, collection: str = "statutes", token: str = ""
    ) -> None:
        milvus = Milvus(uri, token=token)
        self.encoder = encoder
        self.collection = collection
        self._where = f"collection {collection!r} of the Milvus at {milvus.shown!r}"
        self._documents = Table(milvus, collection)
        self._ledger = Ledger(milvus, collection)
        if not milvus.has(collection):
            raise SearchIndexError(
                f"no search index in {self._where}; make one: inforce corpus index"
            )
        self._documents.load()
        self._ledger.load()
        self._seen = _Commit(self._ledger.state(), {})
        self._refuse_another()

    @classmethod
    def create(
        cls, uri: str, encoder: Encoder, *, collection: str = "statutes", token: str = ""
    ) -> MilvusEngine:
        """Make an empty index in place of any of that name."""
        milvus = Milvus(uri, token=token)
        Ledger.create(milvus, collection).commit(State(encoder.name, encoder.dimension))
        milvus.create_documents(collection, encoder.dimension)
        return cls(uri, encoder=encoder, collection=collection, token=token)

    @property
    def note(self) -> str:
        """What the owner of the index last wrote on it."""
        return self._refresh().state.note

    @property
    def encoder_name(self) -> str:
        """The encoder that filled this index."""
        return self._seen.state.encoder

    def __len__(self) -> int:
        return self._refresh().state.documents

    def keys(self) -> frozenset[str]:
        """The keys of all documents."""
        return frozenset(self._rows_by_key(self._refresh().state))

    def add(self, documents: Iterable[Document], *, progress: Progress | None = None) -> int:
        """Store documents not known yet; they are visible everywhere when this returns."""
        state = self._begin()
        words: Counter[int] = Counter()
        added = 0
        for batch in batches(unknown(documents, self._rows_by_key(state))):
            tokens = [tokenize(document.text) for document in batch]
            state = replace(state, usual_length=state.usual_length or _mean_length(tokens))
            rows = self._rows(batch, tokens, state, first=state.rows + added)
            self._documents.write(rows)
            words.update(words_of(rows))
            added += len(batch)
            if progress:
                progress(len(batch))
        if added:
            self._documents.settle()
            grown = replace(state, rows=state.rows + added, documents=state.documents + added)
            self._commit(grown, before=state, words=words)
        return added

    def delete(self, keys: Iterable[str]) -> int:
        """Forget documents by key; returns how many were known."""
        state = self._begin()
        known = self._rows_by_key(state)
        gone = sorted({known[key] for key in keys if key in known})
        if gone:
            words = words_of(self._documents.rows(gone, ["words"]))
            words = Counter({word: -count for word, count in words.items()})
            less = replace(state, documents=state.documents - len(gone))
            self._commit(less, before=state, words=words, gone=gone)
        return len(gone)

    def annotate(self, note: str) -> None:
        """Write a note on the index (statute search: the snapshot of the corpus it shows)."""
        state = self._begin()
        self._ledger.commit(replace(state, commit=state.commit + 1, note=note))

    def search(
        self, channel: Channel, query: EngineQuery, *, during: TimeFilter = (), k: int = 10
    ) -> list[Scored]:
        """The best k documents of a channel among those whose days overlap ``during``.

        Scores that are equal go to the lower row, as far as `MOST_HITS` documents reach.
        """
        seen = self._refresh()
        where = _filter(seen.state.rows, during)
        if channel == "dense":
            [vector] = self._encode([query.text], role="query")
            return self._ranked("vector", vector, where, k) if vector.any() else []
        terms = [*tokenize(query.text), *(t for word in query.keywords for t in tokenize(word))]
        frequencies = self._frequencies(seen, terms)
        if channel == "bm25":
            return self._ranked("words", bm25_vector(tokenize(query.text), frequencies), where, k)
        return self._by_keyword(KeywordQuestion.of(query, frequencies), where, k)

    def weigh(self, keyword: str) -> float:
        """How telling a keyword is; one no document has weighs most."""
        terms = tokenize(keyword)
        return self._frequencies(self._refresh(), terms).weigh(terms)

    def payload(self, row: int) -> str:
        """The payload of a row a search returned.

        Raises:
            SearchIndexError: if it was deleted since.
        """
        for found in self._documents.rows([row], ["payload"]):
            return "".join(found["payload"])
        raise SearchIndexError(f"row {row} was deleted from {self._where}: search again")

    def _ranked(self, column: str, vector: Matrix | Sparse, where: str, k: int) -> list[Scored]:
        def ask(limit: int) -> list[_Found]:
            found = self._documents.search(column, vector, where=where, limit=limit)
            return [_Found(hit.id, hit.product, hit.product) for hit in found]

        return _best(ask, k) if len(vector) else []

    def _by_keyword(self, question: KeywordQuestion, where: str, k: int) -> list[Scored]:
        vector, columns = question.vector(), ["words", "locators"]

        def ask(limit: int) -> list[_Found]:
            found = self._documents.search(
                "words", vector, where=where, limit=limit, columns=columns
            )
            return [
                _Found(
                    hit.id,
                    question.score(hit.columns["words"], frozenset(hit.columns["locators"])),
                    hit.product,
                )
                for hit in found
            ]

        return _best(ask, k) if vector else []

    def _frequencies(self, seen: _Commit, terms: Sequence[str]) -> Frequencies:
        """How many documents have each term; asked for once in each commit."""
        documents, missing = seen.state.documents, sorted({*terms} - seen.having.keys())
        if missing:
            seen.having.update(self._ledger.frequencies(missing, documents).having)
        return Frequencies(documents, {term: seen.having[term] for term in terms})

    def _rows(
        self, batch: Sequence[Document], tokens: Sequence[list[str]], state: State, *, first: int
    ) -> list[Row]:
        vectors = self._encode([document.text for document in batch], role="passage")
        days = windows([document.valid for document in batch]).tolist()
        return [
            {
                "id": row,
                "key": document.key,
                "start": start,
                "end": end,
                "locators": list(document.locators),
                "payload": list(_pieces(document.payload)),
                "vector": vector.tolist(),
                "words": document_vector(terms, document.locators, usual_length=state.usual_length),
            }
            for row, (document, terms, vector, (start, end)) in enumerate(
                zip(batch, tokens, vectors, days, strict=True), first
            )
        ]

    def _encode(self, texts: Sequence[str], *, role: Role) -> Matrix:
        """A server may serve another model under the old name: its vectors must not mix in."""
        vectors, wanted = self.encoder.encode(texts, role=role), self._seen.state.dimension
        if vectors.shape[1] != wanted:
            raise SearchIndexError(
                f"the encoder {self.encoder.name!r} now makes vectors of {vectors.shape[1]} "
                f"numbers, {self._where} holds vectors of {wanted}: rebuild it with: "
                "inforce corpus index --rebuild"
            )
        return vectors

    def _rows_by_key(self, state: State) -> dict[str, int]:
        return {row["key"]: row["id"] for row in self._documents.rows_before(state.rows, ["key"])}

    def _begin(self) -> State:
        """The last commit, cleared of what a writer that stopped halfway left behind."""
        state = self._refresh().state
        self._documents.remove_from(state.rows)
        return self._recounted(state) if state.counting else state

    def _recounted(self, state: State) -> State:
        known = self._rows_by_key(state)
        self._ledger.recount(words_of(self._documents.rows_before(state.rows, ["words"])))
        return self._finish(replace(state, documents=len(known)))

    def _commit(
        self, state: State, *, before: State, words: Counter[int], gone: Sequence[int] = ()
    ) -> None:
        self._ledger.commit(replace(before, counting=True))
        self._documents.remove(gone)
        self._ledger.count(words)
        self._finish(state)

    def _finish(self, state: State) -> State:
        done = replace(state, commit=state.commit + 1, counting=False)
        self._ledger.commit(done)
        self._ledger.settle()
        return done

    def _refresh(self) -> _Commit:
        """The last commit, with what was looked up in it."""
        state = self._ledger.state()
        if state != self._seen.state:
            self._seen = _Commit(state, {})
            self._refuse_another()
        return self._seen

    def _refuse_another(self) -> None:
        filled_by = self._seen.state.encoder
        if self.encoder.name != filled_by:
            raise SearchIndexError(
                f"{self._where} was filled by the encoder {filled_by!r}, not by "
                f"{self.encoder.name!r}: their vectors do not compare. Use the same encoder, or "
                "rebuild the index with: inforce corpus index --rebuild"
            )


@dataclass(frozen=True, slots=True)
class _Commit:
    """A state and the counts of words looked up in it."""

    state: State
    having: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Found:
    """A row, its score, and the inner product Milvus ranked it by (never less than the score)."""

    row: int
    score: float
    bound: float


def _best(ask: Callable[[int], list[_Found]], k: int) -> list[Scored]:
    """The best k, looking further as long as a row not seen yet might be among them."""
    limit = min(max(FIRST_LOOK, k + 1), MOST_HITS)
    while True:
        found = ask(limit)
        hits = [Scored(one.row, one.score) for one in found if one.score > 0]
        best = sorted(hits, key=lambda hit: (-hit.score, hit.row))[:k]
        if len(found) < limit or limit == MOST_HITS or _settled(best, found[-1].bound, k):
            return best
        limit = min(4 * limit, MOST_HITS)


def _settled(best: Sequence[Scored], bound: float, k: int) -> bool:
    """Whether no row beyond the last one seen, which had this bound, can be among the best k."""
    return bound <= 0 or (len(best) == k and best[-1].score > bound * (1 + _ROUNDING))


def _filter(rows: int, during: Sequence[DateRange]) -> str:
    """Committed rows whose days overlap any of the ranges, as Milvus writes conditions."""
    committed = f"id < {rows}"
    overlaps = [
        f"(start < {end} and end > {start})" for start, end in windows(list(during)).tolist()
    ]
    return f"{committed} and ({' or '.join(overlaps)})" if overlaps else committed


def _mean_length(tokens: Sequence[Sequence[str]]) -> float:
    return max(1.0, sum(map(len, tokens)) / len(tokens))


def _pieces(payload: str) -> Iterator[str]:
    for start in range(0, len(payload), _PIECE):
        yield payload[start : start + _PIECE]
