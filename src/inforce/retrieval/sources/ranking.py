"""One question to one state of a BM25 index: which words are asked, and how dates are applied.

Two plans give the same answer. *Rank first*: rank all documents, keep those of the days asked for.
*Date first*: rank only documents of those days. The first is two to three times cheaper where the
days let most documents pass, and useless where they let few; how many they let pass is known
beforehand from the number of documents of each year.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import tantivy

from inforce.dates import DateRange
from inforce.retrieval.sources.records import (
    ALL_DAYS,
    ANY_PERIOD,
    LONGER,
    Days,
    of_range,
    schema,
    year,
)

FIRST_LOOK = 100
"""Documents ranked at least, so that those of equal score can be put in a fixed order."""

MAX_QUERY_TERMS = 48
"""A question of a thousand words is asked with its rarest terms: the rest only cost time."""

COMMON_FROM = 50_000
"""From this many documents on, words that more than half of them have are not asked: BM25 as first
published gives them no weight, and they cost more time than all others together."""

MAX_PASSAGES = 10_000
"""Of one document; the longest statute book has fewer."""

_PASSING = 3
"""Rank first where this many times the documents wanted are expected among the first."""

MAX_TIED = 10_000
"""If more documents than this share a score, which of them come first is left open."""

_SAME_SCORE = 4
"""Decimals of a score that count: beyond, sums of the same numbers in another order differ."""

_FEW_YEARS = 400
"""Longer ranges are not counted by year: they let everything pass."""

_SCHEMA = schema()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document of one state of the index."""

    score: float
    row: int
    """Grows with every document added: the earlier of two of equal score comes first."""
    days: Days


class Ranking:
    """Ranks the documents of one state of an index, which never changes; threads may share it."""

    def __init__(self, searcher: tantivy.Searcher) -> None:
        self.searcher = searcher
        self._undated = searcher.doc_freq("period", ANY_PERIOD)
        self._longer = searcher.doc_freq("period", LONGER)

    def best(
        self, tokens: Iterable[str], *, k: int, during: DateRange | None = None
    ) -> list[Ranked]:
        """The k best documents for these words, best first; none if no document has any of them."""
        terms = self.telling(tokens)
        if not terms:
            return []
        asked = _any_of([_term("body", term) for term in terms])
        if during is None:
            return self._first(asked, k, ALL_DAYS)
        days = of_range(during)
        if self.share(days) * max(FIRST_LOOK, k) >= _PASSING * k:
            found = self._among_first(asked, k, days)
            if found is not None:
                return found
        return self._first(_both(asked, self._within(days)), k, days)

    def telling(self, tokens: Iterable[str]) -> list[str]:
        """The words to ask for, the rarest first; words that no document has are left out."""
        frequency = {
            token: count
            for token in dict.fromkeys(tokens)
            if (count := self.searcher.doc_freq("body", token))
        }
        documents = self.searcher.num_docs
        if documents >= COMMON_FROM:
            rare = {token: count for token, count in frequency.items() if count <= documents / 2}
            frequency = rare or frequency
        return sorted(frequency, key=lambda token: (frequency[token], token))[:MAX_QUERY_TERMS]

    def share(self, days: Days) -> float:
        """About which share of the documents these days let pass, 0 to 1."""
        if not self.searcher.num_docs:
            return 0.0
        if days.end - days.first > _FEW_YEARS * 365:
            return 1.0
        years = range(int(year(days.first)), int(year(days.end - 1)) + 1)
        in_years = sum(self.searcher.doc_freq("period", str(one)) for one in years)
        covered = min(1.0, (days.end - days.first) / (365 * len(years)))
        return min(1.0, (in_years * covered + self._undated) / self.searcher.num_docs)

    def rows_named(self, name: str) -> list[int]:
        """The rows of an id: of a document its own, or those of its passages."""
        return [one.row for one in self._top(_term("name", name), MAX_PASSAGES)]

    def _among_first(self, asked: tantivy.Query, k: int, days: Days) -> list[Ranked] | None:
        """Those of these days among the first of all; ``None`` where others might come before."""
        limit = max(FIRST_LOOK, k)
        first = self._top(asked, limit)
        kept = [one for one in first if one.days.first < days.end and one.days.end > days.first]
        complete = len(first) < limit or (len(kept) >= k and kept[k - 1].score > first[-1].score)
        return kept[:k] if complete else None

    def _first(self, asked: tantivy.Query, k: int, days: Days) -> list[Ranked]:
        """The first k; as many are looked at as it takes to see all that share the k-th score."""
        limit = max(FIRST_LOOK, k + 1)
        while True:
            found = self._top(asked, limit)
            if len(found) < limit or found[k - 1].score > found[-1].score or limit > MAX_TIED:
                return found[:k]
            limit *= 8

    def _top(self, asked: tantivy.Query, limit: int) -> list[Ranked]:
        hits = self.searcher.search(asked, limit, count=False).hits
        addresses = [address for _, address in hits]
        rows, firsts, ends = (self._numbers(one, addresses) for one in ("row", "first", "end"))
        ranked = [
            Ranked(round(cast(float, score), _SAME_SCORE), row, Days(first, end))
            for (score, _), row, first, end in zip(hits, rows, firsts, ends, strict=True)
        ]
        return sorted(ranked, key=lambda one: (-one.score, one.row))

    def _numbers(self, field: str, addresses: Sequence[tantivy.DocAddress]) -> list[int]:
        return cast("list[int]", self.searcher.fast_field_values(field, list(addresses)))

    def _within(self, days: Days) -> tantivy.Query:
        """Documents whose days overlap these."""
        if not self._longer:  # then each is of one day, and one comparison tells
            return _free(_between("first", days.first, days.end - 1))
        return _both(
            _free(_between("first", None, days.end - 1)),
            _free(_between("end", days.first + 1, None)),
        )


def _term(field: str, value: str) -> tantivy.Query:
    return tantivy.Query.term_query(_SCHEMA, field, value, "freq")


def _any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])


def _both(first: tantivy.Query, second: tantivy.Query) -> tantivy.Query:
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, first), (tantivy.Occur.Must, second)])


def _free(query: tantivy.Query) -> tantivy.Query:
    """The same documents, for no score."""
    return tantivy.Query.const_score_query(query, 0.0)


def _between(field: str, lowest: int | None, highest: int | None) -> tantivy.Query:
    return tantivy.Query.range_query(
        _SCHEMA,
        field,
        tantivy.FieldType.Unsigned,
        lower_bound=lowest,
        upper_bound=highest,
    )
