"""Words and exact names as sparse vectors, for a store that ranks by inner products.

A document has three kinds of dimension: each word it contains, weight 1, for the keyword channel;
the same word with the weight BM25 gives its occurrences; and each exact name it goes by, weight 1.
How rare a word is stands in the question, because it changes with every document added.

Dimensions are hashes: two words in a billion may share one. Exact names, which decide what comes
first, are therefore compared once more in full (`KeywordQuestion.score`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from inforce.retrieval.engines import EngineQuery
from inforce.retrieval.tokens import tokenize

Sparse = dict[int, float]
"""Dimension to weight."""

Kind = Literal["word", "bm25", "name"]

MAX_QUERY_TERMS = 48
"""A question of a thousand words is asked with its rarest terms: the rest only cost time."""

_K1, _B = 1.2, 0.75
_TIE_BREAK = 0.01
"""How much BM25 counts between rows that match the same keywords."""

_KINDS: tuple[Kind, ...] = ("word", "bm25", "name")
_HASHES = (2**32 - 1) // len(_KINDS)


def dimension(kind: Kind, text: str) -> int:
    """The dimension of a word or name: the same anywhere, 0 to 2**32 - 2."""
    digest = blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest) % _HASHES * len(_KINDS) + _KINDS.index(kind)


def is_word(which: int) -> bool:
    """Whether a dimension says that a word occurs."""
    return which % len(_KINDS) == _KINDS.index("word")


def document_vector(terms: Sequence[str], names: Iterable[str], *, usual_length: float) -> Sparse:
    """A document as its terms and names; never empty, as stores refuse empty vectors.

    BM25 compares a length with the mean of the collection. One ``usual_length`` kept in its place
    lets a document keep its weights while others come and go.
    """
    length = _K1 * (1 - _B + _B * len(terms) / usual_length)
    vector = {dimension("name", name): 1.0 for name in names}
    for term, count in Counter(terms).items():
        vector[dimension("word", term)] = 1.0
        vector[dimension("bm25", term)] = count * (_K1 + 1) / (count + length)
    return vector or {dimension("name", ""): 1.0}


@dataclass(frozen=True, slots=True)
class Frequencies:
    """In how many of the documents each of some terms occurs."""

    documents: int
    having: Mapping[str, int]

    def rarity(self, term: str) -> float:
        """ln(1 + N / n), zero for a term no document has."""
        found = self.having.get(term, 0)
        return math.log1p(self.documents / found) if found else 0.0

    def weigh(self, terms: Sequence[str]) -> float:
        """The rarity of the rarest term; ln(1 + 2N) where no document has one of them."""
        weights = [self.rarity(term) for term in terms]
        return max(weights) if weights and all(weights) else math.log1p(2 * self.documents)

    def bm25(self, term: str) -> float:
        """The inverse document frequency of BM25, as Lucene has it (never negative)."""
        found = self.having[term]
        return math.log1p((self.documents - found + 0.5) / (found + 0.5))


def bm25_vector(terms: Iterable[str], frequencies: Frequencies) -> Sparse:
    """A question to the BM25 channel; empty if no document has a term of it."""
    known = [term for term in dict.fromkeys(terms) if frequencies.rarity(term)]
    rarest = sorted(known, key=lambda term: (-frequencies.rarity(term), term))
    return {dimension("bm25", term): frequencies.bm25(term) for term in rarest[:MAX_QUERY_TERMS]}


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword counts where all its words occur; a compound brings its parts."""

    words: tuple[int, ...]
    """Their dimensions, the rarest word first."""
    weight: float


@dataclass(frozen=True, slots=True)
class KeywordQuestion:
    """A question to the keyword channel: names and keywords found add up, BM25 breaks ties."""

    names: tuple[tuple[str, float], ...]
    keywords: tuple[Keyword, ...]
    tie_break: Sparse

    @classmethod
    def of(cls, query: EngineQuery, frequencies: Frequencies) -> KeywordQuestion:
        """What to ask; keywords with a word that no document has are left out."""
        split = (tuple(dict.fromkeys(tokenize(keyword))) for keyword in query.keywords)
        ranked = bm25_vector(tokenize(query.text), frequencies)
        return cls(
            query.locators,
            tuple(_keyword(terms, frequencies) for terms in split if _known(terms, frequencies)),
            {which: _TIE_BREAK * weight for which, weight in ranked.items()},
        )

    def vector(self) -> Sparse:
        """A vector whose product with a document is its score or, with compounds, a bound on it.

        A keyword stands here with its rarest word only: where that is missing, so is the keyword.
        """
        asked = [(dimension("name", name), weight) for name, weight in self.names]
        asked += [(keyword.words[0], keyword.weight) for keyword in self.keywords]
        total = dict(self.tie_break) if asked else {}
        for which, weight in asked:
            total[which] = total.get(which, 0.0) + weight
        return total

    def score(self, words: Mapping[int, float], names: Collection[str]) -> float:
        """The exact score of a document; zero where neither a name nor a keyword is found."""
        found = [weight for name, weight in self.names if name in names]
        found += [one.weight for one in self.keywords if all(word in words for word in one.words)]
        if not found:
            return 0.0
        tie_break = (weight * words.get(which, 0.0) for which, weight in self.tie_break.items())
        return sum(found) + sum(tie_break)


def _known(terms: Sequence[str], frequencies: Frequencies) -> bool:
    return bool(terms) and all(frequencies.rarity(term) for term in terms)


def _keyword(terms: Sequence[str], frequencies: Frequencies) -> Keyword:
    rarest_first = sorted(terms, key=lambda term: (-frequencies.rarity(term), term))
    return Keyword(
        tuple(dimension("word", term) for term in rarest_first),
        frequencies.rarity(rarest_first[0]),
    )
