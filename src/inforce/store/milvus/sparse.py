"""Terms as sparse vectors, for a store that ranks by inner products.

A document has three kinds of dimensions: each term of each lexical channel with weight 1, for
keywords; the same term with the weight BM25 gives its occurrences; and each exact term, weight 1.
How rare a term is comes with the query, because it changes with every document added.

Dimensions are hashes: two terms in a billion may share one. Exact terms, which decide what comes
first, are therefore compared once more in full (`TermQuery.score`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import log1p
from typing import Literal

from inforce.store.protocol import EXACT

Sparse = dict[int, float]
"""Dimension to weight."""

Kind = Literal["term", "bm25", "exact"]

TIE_BREAK = 0.01
"""How much BM25 counts between documents with the same terms and keywords."""

_K1, _B = 1.2, 0.75
_KINDS: tuple[Kind, ...] = ("term", "bm25", "exact")
_HASHES = (2**32 - 1) // len(_KINDS)


def dimension(kind: Kind, channel: str, term: str) -> int:
    """The dimension of a term: the same anywhere, 0 to 2**32 - 2."""
    digest = blake2b(f"{channel}\0{term}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % _HASHES * len(_KINDS) + _KINDS.index(kind)


def counted_dimension(channel: str, term: str) -> int:
    """The dimension under which it is counted how many documents have a term."""
    return dimension("exact" if channel == EXACT else "term", channel, term)


def is_counted(which: int) -> bool:
    """Whether a dimension says no more than that a term occurs."""
    return which % len(_KINDS) != _KINDS.index("bm25")


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


def bm25_idf(frequency: int, documents: int) -> float:
    """The inverse document frequency of BM25, as Lucene has it (never negative)."""
    return log1p((documents - frequency + 0.5) / (frequency + 0.5))


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword counts where all its terms occur; a compound brings its parts."""

    terms: tuple[int, ...]
    """Their dimensions, the rarest term first."""
    weight: float


@dataclass(frozen=True, slots=True)
class TermQuery:
    """A query to exact terms and keywords, which add up; BM25 breaks ties."""

    exact: Mapping[str, float]
    keywords: tuple[Keyword, ...] = ()
    tie_break: Mapping[int, float] | None = None

    def vector(self) -> Sparse:
        """A vector whose product with a document is its score or, with compounds, a bound on it.

        A keyword stands here with its rarest term only: where that is missing, so is the keyword.
        """
        wanted = [(dimension("exact", EXACT, term), weight) for term, weight in self.exact.items()]
        wanted += [(keyword.terms[0], keyword.weight) for keyword in self.keywords]
        total = dict(self.tie_break or {}) if wanted else {}
        for which, weight in wanted:
            total[which] = total.get(which, 0.0) + weight
        return total

    def score(self, vector: Mapping[int, float], exact: Collection[str]) -> float:
        """The exact score of a document; zero where neither a term nor a keyword is found."""
        found = [weight for term, weight in self.exact.items() if term in exact]
        found += [one.weight for one in self.keywords if all(term in vector for term in one.terms)]
        if not found:
            return 0.0
        ties = (self.tie_break or {}).items()
        return sum(found) + sum(weight * vector.get(which, 0.0) for which, weight in ties)
