"""Terms as sparse vectors, for a store that ranks by inner products.

A document has three kinds of dimensions: each term of each lexical channel with weight 1, by which
documents are counted; the same term with the weight BM25 gives its occurrences; and each exact
term, weight 1. How rare a term is comes with the query, because it changes with every document
added.

Dimensions are hashes: two terms in a billion may share one. Exact terms, which decide what comes
first, are therefore compared once more in full (`score`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from math import log1p
from typing import Literal

from inforce.store.schema import EXACT
from inforce.store.terms import TIE_BREAK, TermQuery

Sparse = dict[int, float]
"""Dimension to weight."""

Kind = Literal["term", "bm25", "exact"]

_K1, _B = 1.2, 0.75
_KINDS: tuple[Kind, ...] = ("term", "bm25", "exact")
_HASHES = (2**32 - 1) // len(_KINDS)


def dimension(kind: Kind, channel: str, term: str) -> int:
    """The dimension of a term: the same anywhere, 0 to 2**32 - 2."""
    return _hash(f"{channel}\0{term}") % _HASHES * len(_KINDS) + _KINDS.index(kind)


def counted_dimension(channel: str, term: str) -> int:
    """The dimension under which it is counted how many documents have a term."""
    return dimension("exact" if channel == EXACT else "term", channel, term)


def is_counted(which: int) -> bool:
    """Return whether a dimension only says that a term occurs."""
    return which % len(_KINDS) != _KINDS.index("bm25")


def name_hash(name: str) -> int:
    """A key or parent as a number of 64 bits: conditions in words would need escapes."""
    return _hash(name) - 2**63


def document_vector(
    terms: Mapping[str, Sequence[str]], exact: Iterable[str], usual_lengths: Mapping[str, float]
) -> Sparse:
    """A document as its terms by channel; never empty, as stores refuse empty vectors.

    BM25 compares a length with the mean of the collection. One usual length in its place lets a
    document keep its weights while others come and go.
    """
    vector = {dimension("exact", EXACT, term): 1.0 for term in exact}
    for channel, found in terms.items():
        length = _K1 * (1 - _B + _B * len(found) / usual_lengths[channel])
        for term, count in Counter(found).items():
            vector[dimension("term", channel, term)] = 1.0
            vector[dimension("bm25", channel, term)] = count * (_K1 + 1) / (count + length)
    return vector or {dimension("exact", EXACT, ""): 1.0}


def ranking_vector(query: TermQuery, channel: str, weights: Mapping[str, float]) -> Sparse:
    """The part of a question that BM25 ranks by; ``weights`` are the idf of its terms."""
    return {
        dimension("bm25", channel, term): weights[term] * weight
        for term, weight in query.ranked.items()
    }


def bm25_idf(frequency: int, documents: int) -> float:
    """The inverse document frequency of BM25, as Lucene has it (never negative)."""
    return log1p((documents - frequency + 0.5) / (frequency + 0.5))


def query_vector(query: TermQuery, ranked: Sparse) -> Sparse:
    """Return a query as a vector, whose product with a document is its score, or a bound on it."""
    if not query.exact:
        return ranked
    total = {which: TIE_BREAK * weight for which, weight in ranked.items()}
    for term, weight in query.exact.items():
        which = dimension("exact", EXACT, term)
        total[which] = total.get(which, 0.0) + weight
    return total


def score(
    query: TermQuery, ranked: Sparse, vector: Mapping[int, float], exact: Collection[str]
) -> float:
    """Return the score of a document for a query with exact terms; 0 where it has none of them."""
    found = [weight for term, weight in query.exact.items() if term in exact]
    if not found:
        return 0.0
    ties = (weight * vector.get(which, 0.0) for which, weight in ranked.items())
    return sum(found) + TIE_BREAK * sum(ties)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
