"""A collection in a folder as of one commit: how a question is answered from its files.

Two plans give the same answer under dates. *Rank first*: rank all documents, keep those of the days
asked for. *Date first*: rank only documents of those days. The first is two to three times cheaper
where the days let many documents pass, and useless where they let few; how many they let pass is
estimated from a sample of the rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

import numpy as np
import tantivy

from inforce.dates import DateRange
from inforce.errors import SearchIndexError
from inforce.store.days import Days, Mask, overlapping
from inforce.store.local.lexicon import LexiconView, Rows, Scores, dated, one_kind_of_damage
from inforce.store.local.records import Files, Records
from inforce.store.local.vectors import VectorIndex
from inforce.store.protocol import (
    DENSE,
    Matrix,
    Query,
    Schema,
    Scored,
    Undated,
    query_vector,
    require_known,
)

Damaged = Callable[[BaseException], SearchIndexError]
"""Makes the error for files that do not fit together; it names the repair."""

FIRST_LOOK = 100
"""Documents ranked at least, so that those of equal score can be put in a fixed order."""

DEEPEST_LOOK = 1_000
"""Documents ranked first at most to find those of some days among them."""

MAX_TIED = 10_000
"""If more documents than this share a score, which of them come first is left open."""

_PASSING = 2.0
"""Rank as many first that this many times the documents wanted are expected among them."""

_SAMPLE = 16_384
"""Rows by which the share of given days is estimated."""


class _Sample(NamedTuple):
    """Some rows, evenly spread."""

    first: Days
    end: Days
    rows: int
    """Of all rows, when it was taken."""


class LocalSnapshot:
    """One commit; threads may share it.

    Args:
        lexicon: the commit.
        files: of the build.
        schema: of the collection.
        dimension: of the vectors; 0 without a dense channel.
        damaged: makes the error to raise where files are damaged.
        earlier: an earlier snapshot of the same build, to go on using what it has.

    Raises:
        ValueError: if a file is missing or too short.
    """

    def __init__(
        self,
        lexicon: LexiconView,
        files: Files,
        schema: Schema,
        *,
        dimension: int,
        damaged: Damaged,
        earlier: LocalSnapshot | None = None,
    ) -> None:
        state = lexicon.state
        self._lexicon = lexicon
        self._schema = schema
        self._damaged = damaged
        self._dimension = dimension
        self._records = Records(files, state, dimension)
        graph = files.folder / graph_name(state.graph) if files.folder and state.graph else None
        self._vectors = VectorIndex(
            self._records.vectors,
            graph,
            graph_rows=state.graph,
            earlier=earlier._vectors if earlier else None,
        )
        self._earlier_sample: _Sample | None = earlier.__dict__.get("_sample") if earlier else None

    @property
    def generation(self) -> int:
        """The number of the commit."""
        return self._lexicon.state.generation

    @property
    def note(self) -> str:
        """What the owner of the collection last wrote on it."""
        return self._lexicon.state.note

    @property
    def rows(self) -> int:
        """Rows ever given."""
        return self._lexicon.state.rows

    def __len__(self) -> int:
        return self._lexicon.documents

    def search(
        self,
        channel: str,
        query: Query,
        *,
        during: Sequence[DateRange] = (),
        undated: Undated = "excluded",
        k: int = 10,
    ) -> list[Scored]:
        """The best ``k`` documents of a channel; see `inforce.store.Snapshot.search`."""
        require_known(channel, self._schema)
        if channel == DENSE:
            vector = query_vector(self._schema, query, self._dimension)
            with self._naming_damage():
                return self._vectors.search(vector, allowed=self._allowed(during, undated), k=k)
        with self._naming_damage():
            asked = self._lexicon.query(channel, query)
            if asked is None:
                return []
            rows, scores = self._best(asked, during, undated, k)
        return [Scored(*pair) for pair in zip(rows.tolist(), scores.tolist(), strict=True)]

    def scores(self, channel: str, query: Query, rows: Sequence[int]) -> Matrix:
        """The scores of given rows in a channel; see `inforce.store.Snapshot.scores`."""
        require_known(channel, self._schema)
        wanted = np.asarray(rows, dtype=np.int64)
        if channel == DENSE:
            vector = query_vector(self._schema, query, self._dimension)
            with self._naming_damage():
                return self._vectors.scores(vector, wanted) * self._records.alive[wanted]
        found = np.zeros(len(wanted), dtype=np.float32)
        with self._naming_damage():
            asked = self._lexicon.query(channel, query)
            if asked is not None and len(wanted):
                among = dated(asked, self._lexicon.among(wanted.tolist()))
                ranked, scores = self._lexicon.top(among, len(wanted))
                scored = dict(zip(ranked.tolist(), scores.tolist(), strict=True))
                found[:] = [scored.get(row, 0.0) for row in wanted.tolist()]
        return found

    def document_frequency(self, channel: str, terms: Sequence[str]) -> list[int]:
        """In how many documents each term occurs."""
        require_known(channel, self._schema)
        with self._naming_damage():
            return [self._lexicon.frequency(channel, term) for term in terms]

    def payloads(self, rows: Sequence[int]) -> list[str]:
        """The payloads of rows, in their order."""
        with self._naming_damage():
            return [self._records.record(row)[1] for row in rows]

    def rows_of(self, key: str) -> list[int]:
        """The rows of the document with this key, or of its passages, in order."""
        with self._naming_damage():
            return self._lexicon.rows_named(key)

    def keys(self) -> Iterator[str]:
        """The keys of all documents, in order of addition."""
        with self._naming_damage():
            for key, _ in self._records.all():
                yield key

    # --- documents under dates --------------------------------------------------------------------

    def _best(
        self, asked: tantivy.Query, during: Sequence[DateRange], undated: Undated, k: int
    ) -> tuple[Rows, Scores]:
        if not during:
            return self._first(asked, k)
        share = self._share(during, undated)
        limit = max(FIRST_LOOK, math.ceil(_PASSING * k / share)) if share else DEEPEST_LOOK + 1
        if limit <= DEEPEST_LOOK:
            rows, scores = self._lexicon.top(asked, limit)
            passing = self._answering(rows, during, undated)
            # Complete unless a document not looked at might come before the last one returned.
            complete = len(rows) < limit or (
                passing.sum() >= k and scores[passing][k - 1] > scores[-1]
            )
            if complete:
                return rows[passing][:k], scores[passing][:k]
        return self._first(dated(asked, self._lexicon.within(during, undated)), k)

    def _first(self, asked: tantivy.Query, k: int) -> tuple[Rows, Scores]:
        """The first k; as many are looked at as it takes to see all that share the k-th score."""
        limit = max(FIRST_LOOK, k + 1)
        while True:
            rows, scores = self._lexicon.top(asked, limit)
            if len(rows) < limit or scores[k - 1] > scores[-1] or limit > MAX_TIED:
                return rows[:k], scores[:k]
            limit *= 8

    def _answering(self, rows: Rows, during: Sequence[DateRange], undated: Undated) -> Mask:
        first, end = self._records.first[rows], self._records.end[rows]
        return overlapping(first, end, during, undated=undated)

    def _allowed(self, during: Sequence[DateRange], undated: Undated) -> Mask | None:
        """Rows that count and answer for these days; ``None`` for all rows."""
        alive = self._records.alive
        if during:
            alive = alive & overlapping(*self._days, during, undated=undated)
        return None if alive.all() else alive

    @cached_property
    def _days(self) -> tuple[Days, Days]:
        """Of all rows; side by side in memory they are compared twice as fast."""
        return self._records.first.copy(), self._records.end.copy()

    def _share(self, during: Sequence[DateRange], undated: Undated) -> float:
        """About which share of the documents answers for these days, 0 to 1."""
        sample = self._sample
        found = overlapping(sample.first, sample.end, during, undated=undated)
        return float(found.mean()) if len(found) else 0.0

    @cached_property
    def _sample(self) -> _Sample:
        known = self._earlier_sample
        if known and known.rows > 0.9 * self.rows:
            return known
        step = max(1, self.rows // _SAMPLE)
        first, end = self._records.first[::step].copy(), self._records.end[::step].copy()
        return _Sample(first, end, self.rows)

    @contextmanager
    def _naming_damage(self) -> Generator[None]:
        try:
            with one_kind_of_damage():
                yield
        except ValueError as error:
            raise self._damaged(error) from error


def graph_name(rows: int) -> str:
    """The file of the graph over so many rows."""
    return f"graph-{rows}.faiss"
