"""Queries as terms with weights, the same for both implementations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inforce.store.protocol import Snapshot
from inforce.store.schema import EXACT, ExactTerms, Query, Schema

MAX_QUERY_TERMS = 48
"""A query of a thousand words is reduced to its rarest terms: the rest only cost time."""

COMMON_FROM = 50_000
"""Documents from which on `Channel.max_share` counts: in fewer, a common term costs nothing."""

TIE_BREAK = 0.01
"""How much BM25 counts between documents with the same exact terms."""


@dataclass(frozen=True, slots=True)
class TermQuery:
    """A query as terms: exact ones add up, and BM25 breaks ties; without any, BM25 alone ranks."""

    exact: Mapping[str, float] = field(default_factory=dict[str, float])
    ranked: Mapping[str, float] = field(default_factory=dict[str, float])
    """Terms of the channel and what multiplies the BM25 score of each."""


def term_query(snapshot: Snapshot, schema: Schema, channel: str, query: Query) -> TermQuery:
    """Read a query to a lexical channel or to exact terms; terms that no document has are left out.

    Raises:
        TypeError: if the channel cannot be asked this.
    """
    if channel == EXACT:
        if not isinstance(query, Mapping):
            raise TypeError("the channel 'exact' is asked for exact terms with weights")
        return TermQuery(exact=query)
    if isinstance(query, str | Mapping):
        return TermQuery(ranked=_ranked(snapshot, schema, channel, query))
    if isinstance(query, ExactTerms):
        if not query.terms:
            return TermQuery()
        return TermQuery(query.terms, _ranked(snapshot, schema, channel, query.text))
    raise TypeError(f"the lexical channel {channel!r} is asked for words, not for a vector")


def inverse_frequency(frequency: int, documents: int) -> float:
    """Return how rare a term is: ln(1 + N / n), if n of N documents have it; 0 if none has."""
    return math.log1p(documents / frequency) if frequency else 0.0


def keyword_weight(snapshot: Snapshot, channel: str, terms: Sequence[str]) -> float:
    """Return how telling a keyword is: the inverse frequency of the rarest of its terms.

    One with a term that no document has counts as if half a document had it: ln(1 + 2N).
    """
    found = snapshot.document_frequency(channel, terms)
    if not found or not all(found):
        return math.log1p(2 * len(snapshot))
    return inverse_frequency(min(found), len(snapshot))


def rarest_terms(
    frequencies: Mapping[str, int], documents: int, *, max_share: float = 1.0
) -> list[str]:
    """Return the terms worth searching for, the rarest first, at most `MAX_QUERY_TERMS`.

    Terms of no document are left out, and those of too many (see `Channel.max_share`) as long as
    others are left.
    """
    known = {term: count for term, count in frequencies.items() if count}
    if documents >= COMMON_FROM:
        limit = max_share * documents
        known = {term: count for term, count in known.items() if count <= limit} or known
    return sorted(known, key=lambda term: (known[term], term))[:MAX_QUERY_TERMS]


def _ranked(
    snapshot: Snapshot, schema: Schema, channel: str, query: str | Mapping[str, float]
) -> dict[str, float]:
    form = schema.channel(channel)
    weighted = dict.fromkeys(form.analyse(query), 1.0) if isinstance(query, str) else query
    counts = snapshot.document_frequency(channel, [*weighted])
    frequencies = dict(zip(weighted, counts, strict=True))
    terms = rarest_terms(frequencies, len(snapshot), max_share=form.max_share)
    return {term: weighted[term] for term in terms}
