"""What a question to exact terms or to a lexical channel comes to, whatever answers it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inforce.store.protocol import Snapshot
from inforce.store.schema import EXACT, Keywords, Query, Schema

MAX_QUERY_TERMS = 48
"""A question of a thousand words is asked with its rarest terms: the rest only cost time."""

COMMON_FROM = 50_000
"""Documents from which on `Channel.max_share` counts: in fewer, a common term costs nothing."""

TIE_BREAK = 0.01
"""How much BM25 counts between documents with the same exact terms and keywords."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword counts where all its terms occur."""

    terms: tuple[str, ...]
    """The rarest first."""
    weight: float


@dataclass(frozen=True, slots=True)
class TermQuery:
    """A question as terms: exact ones and keywords add up, and BM25 breaks ties among them.

    Without any exact terms and keywords, BM25 alone decides.
    """

    exact: Mapping[str, float] = field(default_factory=dict[str, float])
    keywords: tuple[Keyword, ...] = ()
    ranked: Mapping[str, float] = field(default_factory=dict[str, float])
    """Terms of the channel and what multiplies the BM25 score of each."""

    @property
    def is_ranked_only(self) -> bool:
        """Whether BM25 alone decides."""
        return not self.exact and not self.keywords


def term_query(snapshot: Snapshot, schema: Schema, channel: str, query: Query) -> TermQuery:
    """Read a question to a lexical channel or to exact terms.

    Terms that no document has, and keywords with such a term, are left out.

    Raises:
        TypeError: if the channel cannot be asked this.
    """
    if channel == EXACT:
        if not isinstance(query, Mapping):
            raise TypeError("the channel 'exact' is asked for exact terms with weights")
        return TermQuery(exact=query)
    analyse = schema.channel(channel).analyse
    if isinstance(query, str):
        return TermQuery(ranked=_ranked(snapshot, schema, channel, query))
    if isinstance(query, Keywords):
        split = [tuple(dict.fromkeys(analyse(keyword))) for keyword in query.keywords]
        found = (_keyword(snapshot, channel, terms) for terms in split if terms)
        keywords = tuple(keyword for keyword in found if keyword)
        if not query.exact and not keywords:
            return TermQuery()
        return TermQuery(query.exact, keywords, _ranked(snapshot, schema, channel, query.text))
    if isinstance(query, Mapping):
        return TermQuery(ranked=_ranked(snapshot, schema, channel, query))
    raise TypeError(f"the lexical channel {channel!r} is asked for words, not for a vector")


def inverse_frequency(frequency: int, documents: int) -> float:
    """How rare a term is: ln(1 + N / n), with n of the N documents having it; 0 for no document."""
    return math.log1p(documents / frequency) if frequency else 0.0


def keyword_weight(snapshot: Snapshot, channel: str, terms: Sequence[str]) -> float:
    """How much a keyword of these terms tells: the inverse frequency of its rarest term.

    A keyword with a term that no document has counts as half a document: ln(1 + 2N).
    """
    found = snapshot.document_frequency(channel, terms)
    if not found or not all(found):
        return math.log1p(2 * len(snapshot))
    return inverse_frequency(min(found), len(snapshot))


def rarest_terms(
    frequencies: Mapping[str, int], documents: int, *, max_share: float = 1.0
) -> list[str]:
    """The terms worth searching for, the rarest first, at most `MAX_QUERY_TERMS`.

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


def _keyword(snapshot: Snapshot, channel: str, terms: Sequence[str]) -> Keyword | None:
    counts = snapshot.document_frequency(channel, terms)
    if not all(counts):
        return None
    rarest_first = [term for _, term in sorted(zip(counts, terms, strict=True))]
    return Keyword(tuple(rarest_first), inverse_frequency(min(counts), len(snapshot)))
