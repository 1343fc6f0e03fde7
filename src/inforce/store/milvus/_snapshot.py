"""A collection in Milvus as of one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.store._days import ordinals
from inforce.store.milvus._ledger import Ledger, State
from inforce.store.milvus._sparse import bm25_idf, name_hash, query_vector, ranking_vector, score
from inforce.store.milvus._tables import MOST_HITS, PAGE, Row, Table
from inforce.store.protocol import Scored, Snapshot, Undated, required_count
from inforce.store.schema import DENSE, Matrix, Query, Schema
from inforce.store.terms import TermQuery, term_query

FIRST_LOOK = 100

_ROUNDING = 2e-6
"""Milvus adds up in single precision: scores closer than this share of them may be equal."""

_SAME_SCORE, _SAME_PRODUCT = 4, 6
"""Decimals that count of a score, and of an inner product of vectors."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A row, its score, and the inner product Milvus ranked it by (never less than the score)."""

    row: int
    score: float
    bound: float


class MilvusSnapshot(Snapshot):
    """One commit; what later ones delete is missing from it as soon as they are made.

    Equal scores are in the order of addition as far as `MOST_HITS` documents reach.
    """

    def __init__(self, documents: Table, ledger: Ledger, state: State, schema: Schema) -> None:
        self.state = state
        self._documents = documents
        self._ledger = ledger
        self._schema = schema
        self._frequencies: dict[tuple[str, str], int] = {}

    @property
    def generation(self) -> int:
        return self.state.generation

    @property
    def note(self) -> str:
        return self.state.note

    @property
    def rows(self) -> int:
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
        k = required_count(k, rows=self.rows)
        rank = self._ranker(channel, query)
        where = self._condition(during, undated)
        return _best(lambda limit: rank(where, limit), k)

    def similarities(self, query: str | Matrix, rows: Sequence[int]) -> Matrix:
        self._schema.require_channel(DENSE)
        vector = self._schema.query_vector(query, self.state.dimension)
        found: dict[int, float] = {}
        for start in range(0, len(rows), PAGE):
            part = [int(row) for row in rows[start : start + PAGE]]
            where = f"{self._condition((), 'excluded')} and id in {part}"
            found |= {one.row: one.score for one in self._nearest(vector, where, len(part))}
        return np.asarray([found.get(int(row), 0.0) for row in rows], dtype=np.float32)

    def document_frequency(self, channel: str, terms: Sequence[str]) -> list[int]:
        self._schema.require_channel(channel)
        known = self._frequencies
        missing = sorted({term for term in terms if (channel, term) not in known})
        if missing:
            counts = self._ledger.frequencies(channel, missing)
            known |= {(channel, term): n for term, n in zip(missing, counts, strict=True)}
        return [known[channel, term] for term in terms]

    def payloads(self, rows: Sequence[int]) -> list[str]:
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
        return rows_named(self._documents, self._condition((), "excluded"), [key]).get(key, [])

    def keys(self) -> Iterator[str]:
        return (row["key"] for row in self._all(["key"]))

    def records(self) -> Iterator[tuple[str, str]]:
        return ((row["key"], "".join(row["payload"])) for row in self._all(["key", "payload"]))

    def _all(self, columns: Sequence[str]) -> Iterator[Row]:
        gone = frozenset(self.state.gone)
        for row in self._documents.rows_before(self.state.rows, columns):
            if row["id"] not in gone:
                yield row

    def _ranker(self, channel: str, query: Query) -> Callable[[str, int], list[_Found]]:
        """Return a function that finds the best rows under a condition, up to a number."""
        self._schema.require_channel(channel)
        if channel == DENSE:
            vector = self._schema.query_vector(query, self.state.dimension)
            return lambda where, limit: self._nearest(vector, where, limit)
        terms = term_query(self, self._schema, channel, query)
        counts = self.document_frequency(channel, [*terms.ranked]) if terms.ranked else []
        weights = {
            term: bm25_idf(count, len(self))
            for term, count in zip(terms.ranked, counts, strict=True)
        }
        ranked = ranking_vector(terms, channel, weights)
        return lambda where, limit: self._by_terms(terms, ranked, where, limit)

    def _nearest(self, vector: Matrix, where: str, limit: int) -> list[_Found]:
        if not vector.any():
            return []
        found = self._documents.search("vector", vector, where=where, limit=limit)
        return [_Found(hit.id, round(hit.product, _SAME_PRODUCT), hit.product) for hit in found]

    def _by_terms(
        self, terms: TermQuery, ranked: dict[int, float], where: str, limit: int
    ) -> list[_Found]:
        vector = query_vector(terms, ranked)
        if not vector:
            return []
        columns = ("terms", "exact") if terms.exact else ()
        found: list[_Found] = []
        for hit in self._documents.search(
            "terms", vector, where=where, limit=limit, columns=columns
        ):
            value = hit.product
            if terms.exact:
                exact = frozenset(hit.columns["exact"])
                value = score(terms, ranked, hit.columns["terms"], exact)
            found.append(_Found(hit.id, round(value, _SAME_SCORE), hit.product))
        return found

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
    """Return whether no row beyond the last seen, which had this bound, can be among the best."""
    return bound <= 0 or (len(best) == k and best[-1].score > bound * (1 + _ROUNDING) + 1e-4)
