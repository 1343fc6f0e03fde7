"""A collection in Milvus as of one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.store.days import ordinals
from inforce.store.milvus.ledger import Ledger, State
from inforce.store.milvus.sparse import (
    TIE_BREAK,
    Keyword,
    Sparse,
    TermQuery,
    bm25_idf,
    counted_dimension,
    dimension,
)
from inforce.store.milvus.tables import MOST_HITS, PAGE, Table
from inforce.store.protocol import (
    DENSE,
    EXACT,
    Keywords,
    Matrix,
    Query,
    Schema,
    Scored,
    Undated,
    inverse_frequency,
    query_vector,
    rarest_terms,
    require_known,
)

FIRST_LOOK = 100

_ROUNDING = 2e-6
"""Milvus adds up in single precision: scores closer than this share of them may be equal."""

_SAME_SCORE = 4
"""Decimals of a score that count; of an inner product of vectors `_SAME_PRODUCT`."""

_SAME_PRODUCT = 6


@dataclass(frozen=True, slots=True)
class _Found:
    """A row, its score, and the inner product Milvus ranked it by (never less than the score)."""

    row: int
    score: float
    bound: float


class MilvusSnapshot:
    """One commit; what is deleted by later ones is missing from it as soon as they are made."""

    def __init__(self, documents: Table, ledger: Ledger, state: State, schema: Schema) -> None:
        self.state = state
        self._documents = documents
        self._ledger = ledger
        self._schema = schema
        self._frequencies: dict[tuple[str, str], int] = {}

    @property
    def generation(self) -> int:
        """The number of the commit."""
        return self.state.generation

    @property
    def note(self) -> str:
        """What the owner of the collection last wrote on it."""
        return self.state.note

    @property
    def rows(self) -> int:
        """Rows ever given."""
        return self.state.rows

    def __len__(self) -> int:
        return self.state.documents

    def search(
        self,
        channel: str,
        query: Query,
        *,
        during: Sequence[DateRange] = (),
        undated: Undated = "excluded",
        k: int = 10,
    ) -> list[Scored]:
        """The best ``k`` documents of a channel; see `inforce.store.Snapshot.search`.

        Equal scores are in the order of addition as far as `MOST_HITS` documents reach.
        """
        require_known(channel, self._schema)
        where = self._condition(during, undated)
        return _best(lambda limit: self._ranked(channel, query, where, limit), k)

    def scores(self, channel: str, query: Query, rows: Sequence[int]) -> Matrix:
        """The scores of given rows in a channel; see `inforce.store.Snapshot.scores`."""
        require_known(channel, self._schema)
        found: dict[int, float] = {}
        for start in range(0, len(rows), PAGE):
            part = [int(row) for row in rows[start : start + PAGE]]
            where = f"{self._condition((), 'excluded')} and id in {part}"
            for one in self._ranked(channel, query, where, len(part)):
                found[one.row] = one.score
        return np.asarray([found.get(int(row), 0.0) for row in rows], dtype=np.float32)

    def document_frequency(self, channel: str, terms: Sequence[str]) -> list[int]:
        """In how many documents each term occurs; asked for once in each commit."""
        require_known(channel, self._schema)
        missing = sorted({term for term in terms if (channel, term) not in self._frequencies})
        if missing:
            counts = self._ledger.frequencies(channel, missing)
            self._frequencies |= {
                (channel, term): count for term, count in zip(missing, counts, strict=True)
            }
        return [self._frequencies[channel, term] for term in terms]

    def payloads(self, rows: Sequence[int]) -> list[str]:
        """The payloads of rows, in their order.

        Raises:
            SearchIndexError: if one was deleted since.
        """
        found = {
            row["id"]: "".join(row["payload"])
            for row in self._documents.rows(sorted(set(rows)), ["payload"])
        }
        if missing := [row for row in rows if row not in found]:
            raise SearchIndexError(
                f"row {missing[0]} of {self._documents.name!r} was deleted: search again"
            )
        return [found[row] for row in rows]

    def rows_of(self, key: str) -> list[int]:
        """The rows of the document with this key, or of its passages, in order."""
        return rows_named(self._documents, self._condition((), "excluded"), [key]).get(key, [])

    def keys(self) -> Iterator[str]:
        """The keys of all documents, in order of addition."""
        gone = frozenset(self.state.gone)
        for row in self._documents.rows_before(self.state.rows, ["key"]):
            if row["id"] not in gone:
                yield row["key"]

    # --- queries ----------------------------------------------------------------------------------

    def _ranked(self, channel: str, query: Query, where: str, limit: int) -> list[_Found]:
        if channel == DENSE:
            vector = query_vector(self._schema, query, self.state.dimension)
            return self._by_product("vector", vector, where, limit) if vector.any() else []
        if channel == EXACT:
            if not isinstance(query, Mapping):
                raise TypeError("the channel 'exact' is asked for exact terms with weights")
            return self._by_terms(TermQuery(query), where, limit)
        if isinstance(query, Keywords):
            return self._by_terms(self._term_query(channel, query), where, limit)
        if isinstance(query, np.ndarray):
            raise TypeError(f"the lexical channel {channel!r} is asked for words, not a vector")
        vector = self._bm25(channel, query)
        return self._by_product("terms", vector, where, limit) if vector else []

    def _by_product(
        self, column: str, vector: Matrix | Sparse, where: str, limit: int
    ) -> list[_Found]:
        found = self._documents.search(column, vector, where=where, limit=limit)
        decimals = _SAME_PRODUCT if column == "vector" else _SAME_SCORE
        return [_Found(hit.id, round(hit.product, decimals), hit.product) for hit in found]

    def _by_terms(self, query: TermQuery, where: str, limit: int) -> list[_Found]:
        vector = query.vector()
        if not vector:
            return []
        found = self._documents.search(
            "terms", vector, where=where, limit=limit, columns=["terms", "exact"]
        )
        return [
            _Found(
                hit.id,
                round(
                    query.score(hit.columns["terms"], frozenset(hit.columns["exact"])), _SAME_SCORE
                ),
                hit.product,
            )
            for hit in found
        ]

    def _bm25(self, channel: str, query: str | Mapping[str, float]) -> Sparse:
        weighted = self._weighted(channel, query)
        known = self.document_frequency(channel, [*weighted])
        frequencies = dict(zip(weighted, known, strict=True))
        terms = rarest_terms(
            frequencies, len(self), max_share=self._schema.channel(channel).max_share
        )
        return {
            dimension("bm25", channel, term): weighted[term]
            * bm25_idf(frequencies[term], len(self))
            for term in terms
        }

    def _weighted(self, channel: str, query: str | Mapping[str, float]) -> Mapping[str, float]:
        if isinstance(query, str):
            return dict.fromkeys(self._schema.channel(channel).analyse(query), 1.0)
        return query

    def _term_query(self, channel: str, query: Keywords) -> TermQuery:
        """What to ask; keywords with a term that no document has are left out."""
        analyse = self._schema.channel(channel).analyse
        split = [tuple(dict.fromkeys(analyse(keyword))) for keyword in query.keywords]
        keywords = [self._keyword(channel, terms) for terms in split if terms]
        ties = self._bm25(channel, query.text)
        return TermQuery(
            query.exact,
            tuple(keyword for keyword in keywords if keyword),
            {which: TIE_BREAK * weight for which, weight in ties.items()},
        )

    def _keyword(self, channel: str, terms: Sequence[str]) -> Keyword | None:
        found = self.document_frequency(channel, terms)
        if not all(found):
            return None
        rarest_first = sorted(zip(found, terms, strict=True))
        return Keyword(
            tuple(counted_dimension(channel, term) for _, term in rarest_first),
            inverse_frequency(rarest_first[0][0], len(self)),
        )

    def _condition(self, during: Sequence[DateRange], undated: Undated) -> str:
        """Committed rows that answer for a day of one of the ranges, as Milvus writes it."""
        committed = f"id < {self.state.rows}"
        if self.state.gone:
            committed += f" and id not in {list(self.state.gone)}"
        if not during:
            return committed
        overlaps = [f"(first < {end} and end > {first})" for first, end in map(ordinals, during)]
        known = "" if undated == "included" else " and first > 0"
        return f"{committed} and ({' or '.join(overlaps)}){known}"


def rows_named(documents: Table, committed: str, names: Sequence[str]) -> dict[str, list[int]]:
    """The rows of keys and parents, in order."""
    found: dict[str, list[int]] = {}
    wanted = frozenset(names)
    hashes = sorted(map(name_hash, wanted))
    condition = f"{committed} and (key_hash in {hashes} or parent_hash in {hashes})"
    for row in documents.matching(condition, ["key", "parent"]) if hashes else []:
        for name in {row["key"], row["parent"]} & wanted:
            found.setdefault(name, []).append(row["id"])
    return found


def name_hash(name: str) -> int:
    """A key or parent as a number of 64 bits: conditions in words would need escapes."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), signed=True)


def _best(rank: Callable[[int], list[_Found]], k: int) -> list[Scored]:
    """The best k, looking further as long as a row not seen yet might be among them."""
    limit = min(max(FIRST_LOOK, k + 1), MOST_HITS)
    while True:
        found = rank(limit)
        hits = [Scored(one.row, one.score) for one in found if one.score > 0]
        best = sorted(hits, key=lambda hit: (-hit.score, hit.row))[:k]
        if len(found) < limit or limit == MOST_HITS or _is_settled(best, found[-1].bound, k):
            return best
        limit = min(4 * limit, MOST_HITS)


def _is_settled(best: Sequence[Scored], bound: float, k: int) -> bool:
    """Whether no row beyond the last one seen, which had this bound, can be among the best k."""
    return bound <= 0 or (len(best) == k and best[-1].score > bound * (1 + _ROUNDING) + 1e-4)
