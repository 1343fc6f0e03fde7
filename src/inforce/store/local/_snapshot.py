"""A collection in a folder as of one commit: queries answered from its files.

Two plans give the same answer under dates. *Rank first*: rank all documents, keep those of the days
asked for. *Date first*: rank only documents of those days. The first is two to three times cheaper
where the days let many documents pass, and useless where they let few; how many they let pass is
estimated from a sample of the rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path

import numpy as np
import tantivy
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.store._days import ordinals, overlapping
from inforce.store.local._lexicon import Damaged, field_of, naming_damage
from inforce.store.local._records import Records, State
from inforce.store.local._vectors import VectorIndex
from inforce.store.protocol import Scored, Snapshot, Undated, required_count
from inforce.store.schema import DENSE, EXACT, Matrix, Query, Schema
from inforce.store.terms import TIE_BREAK, TermQuery, term_query

FIRST_LOOK = 100
"""Documents ranked at least, so that those of equal score can be put in a fixed order."""

DEEPEST_LOOK = 1_000
"""Documents ranked first at most to find those of some days among them."""

MAX_TIED = 10_000
"""If more documents than this share a score, which of them come first is left open."""

_PASSING = 2.0
"""Rank as many first that this many times the documents wanted are expected among them."""

_FREQUENCIES_CACHED = 200_000
"""Terms whose frequency is remembered: more than questions have in a day, some 30 MB."""

_SHARES_CACHED = 64
"""One question asks several channels about the same days."""

_MASKS_CACHED = 4
"""Most questions ask about today; a byte a row each."""

_SAME_SCORE = 4
"""Decimals of a score that count: beyond, sums of the same numbers in another order differ."""

_Ranked = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Rows and their scores, best first."""


class LocalSnapshot(Snapshot):
    """One commit of a build in a folder; threads may share it.

    The dimension of vectors is 0 without a dense channel. What an earlier snapshot of the same
    build has read is used again.

    Raises:
        ValueError: if a file is missing or too short.
    """

    def __init__(
        self,
        folder: Path,
        searcher: tantivy.Searcher,
        fields: tantivy.Schema,
        state: State,
        *,
        schema: Schema,
        dimension: int,
        damaged: Damaged,
        earlier: LocalSnapshot | None = None,
    ) -> None:
        self.state = state
        self._searcher = searcher
        self._fields = fields
        self._schema = schema
        self._dimension = dimension
        self._damaged = damaged
        self._frequencies: dict[tuple[str, str], int] = {}
        known_records = None if earlier is None else earlier._records
        self._records = Records(folder, state, dimension, earlier=known_records)
        graph = folder / graph_name(state.graph) if state.graph else None
        known = None if earlier is None else earlier._vectors
        vectors = self._records.vectors
        self._vectors = VectorIndex(vectors, graph, graph_rows=state.graph, earlier=known)
        # Caches of the records, not of this object: a cache that holds who holds it would keep it,
        # with tantivy's threads and memory, until cycles are collected.
        self._share = lru_cache(_SHARES_CACHED)(self._records.share)
        self._allowed = lru_cache(_MASKS_CACHED)(self._records.allowed)

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
        return self._searcher.num_docs

    def search(
        self,
        channel: str,
        query: Query,
        *,
        during: Sequence[DateRange] = (),
        undated: Undated = "excluded",
        k: int = 10,
    ) -> list[Scored]:
        self._schema.require_channel(channel)
        k = required_count(k, rows=self.rows)
        if channel == DENSE:
            vector = self._schema.query_vector(query, self._dimension)
            with self._naming_damage():
                allowed = self._allowed(tuple(during), undated)
                return self._vectors.search(vector, allowed=allowed, k=k)
        terms = term_query(self, self._schema, channel, query)
        with self._naming_damage():
            wanted = self._query(terms, field_of(channel))
            if wanted is None:
                return []
            rows, scores = self._best(wanted, during, undated, k)
        return list(map(Scored, rows.tolist(), scores.tolist()))

    def similarities(self, query: str | Matrix, rows: Sequence[int]) -> Matrix:
        self._schema.require_channel(DENSE)
        wanted = np.asarray(rows, dtype=np.int64)
        vector = self._schema.query_vector(query, self._dimension)
        with self._naming_damage():
            return (self._records.vectors[wanted] @ vector) * self._records.alive[wanted]

    def document_frequency(self, channel: str, terms: Sequence[str]) -> list[int]:
        self._schema.require_channel(channel)
        field = field_of(channel)
        if len(self._frequencies) > _FREQUENCIES_CACHED:
            self._frequencies = {}
        known = self._frequencies
        with self._naming_damage():
            for term in terms:
                if (channel, term) not in known:
                    known[channel, term] = self._searcher.doc_freq(field, term)
        return [known[channel, term] for term in terms]

    def payloads(self, rows: Sequence[int]) -> list[str]:
        with self._naming_damage():
            return [self._records.record(row)[1] for row in rows]

    def rows_of(self, key: str) -> list[int]:
        with self._naming_damage():
            count = self._searcher.doc_freq("name", key)
            return sorted(self._top(self._term("name", key), count)[0].tolist()) if count else []

    def records(self) -> Iterator[tuple[str, str]]:
        with self._naming_damage():
            yield from self._records.all()

    # --- documents of some days -------------------------------------------------------------------

    def _best(
        self, query: tantivy.Query, during: Sequence[DateRange], undated: Undated, k: int
    ) -> _Ranked:
        if not during:
            return self._first(query, k)
        share = self._share(tuple(during), undated)
        limit = max(FIRST_LOOK, math.ceil(_PASSING * k / share)) if share else DEEPEST_LOOK + 1
        if limit <= DEEPEST_LOOK:
            rows, scores = self._top(query, limit)
            first, end = self._records.first[rows], self._records.end[rows]
            passing = overlapping(first, end, during, undated=undated)
            # Complete unless a document not looked at might come before the last one returned.
            if len(rows) < limit or (passing.sum() >= k and scores[passing][k - 1] > scores[-1]):
                return rows[passing][:k], scores[passing][:k]
        days = _any_of([self._overlapping(*ordinals(wanted), undated) for wanted in during])
        return self._first(_both(query, _unscored(days)), k)

    def _first(self, query: tantivy.Query, k: int) -> _Ranked:
        """The first k; as many are looked at as it takes to see all that share the k-th score."""
        limit = max(FIRST_LOOK, k + 1)
        while True:
            rows, scores = self._top(query, limit)
            if len(rows) < limit or scores[k - 1] > scores[-1] or limit > MAX_TIED:
                return rows[:k], scores[:k]
            limit *= 8

    def _top(self, query: tantivy.Query, limit: int) -> _Ranked:
        """The best rows, equal ones in order of addition."""
        hits = self._searcher.search(query, limit, count=False).hits
        addresses = [address for _, address in hits]
        rows = np.asarray(self._searcher.fast_field_values("row", addresses), dtype=np.int64)
        scores = np.asarray([score for score, _ in hits], dtype=np.float64)
        scores = np.round(scores, _SAME_SCORE)
        order = np.lexsort((rows, -scores))
        return rows[order], scores[order]

    # --- questions as tantivy takes them ----------------------------------------------------------

    def _query(self, terms: TermQuery, field: str) -> tantivy.Query | None:
        """Return the query to tantivy, with the channel's field; ``None`` if nothing can match."""
        weighted = [
            self._term(field, term)
            if weight == 1.0
            else tantivy.Query.boost_query(self._term(field, term), weight)
            for term, weight in terms.ranked.items()
        ]
        ranked = _any_of(weighted) if weighted else None
        if not terms.exact:
            return ranked
        exact = _any_of(
            [
                tantivy.Query.const_score_query(self._term(EXACT, term), weight)
                for term, weight in terms.exact.items()
            ]
        )
        if ranked is None:
            return exact
        ties = tantivy.Query.boost_query(ranked, TIE_BREAK)
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, exact), (tantivy.Occur.Should, ties)]
        )

    def _overlapping(self, first: int, end: int, undated: Undated) -> tantivy.Query:
        earliest = 1 if undated == "excluded" else 0
        if not self.state.longer and (earliest or not self.state.undated):
            # Then each is of one day, and one comparison tells.
            return self._between("first", max(first, earliest), end - 1)
        return _both(
            _unscored(self._between("first", earliest or None, end - 1)),
            _unscored(self._between("end", first + 1, None)),
        )

    def _between(self, field: str, lowest: int | None, highest: int | None) -> tantivy.Query:
        kind = tantivy.FieldType.Unsigned
        return tantivy.Query.range_query(
            self._fields, field, kind, lower_bound=lowest, upper_bound=highest
        )

    def _term(self, field: str, value: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._fields, field, value, "freq")

    def _naming_damage(self) -> AbstractContextManager[None]:
        return naming_damage(self._damaged)


def graph_name(rows: int) -> str:
    """The file of the graph over so many rows."""
    return f"graph-{rows}.faiss"


def _any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])


def _both(first: tantivy.Query, second: tantivy.Query) -> tantivy.Query:
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, first), (tantivy.Occur.Must, second)])


def _unscored(query: tantivy.Query) -> tantivy.Query:
    """Return a query for the same documents that adds nothing to their scores."""
    return tantivy.Query.const_score_query(query, 0.0)
