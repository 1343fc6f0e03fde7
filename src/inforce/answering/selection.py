"""Which provisions an answer is about: those a question names, else those that speak to it.

A search finds wordings; an answer is about provisions, each with its whole timeline. The search is
made twice, under the law of the days asked about and under the law of any time, because a wording
of another time may show that a provision speaks to the question.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from inforce.dates import DateRange, find_dates
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook
from inforce.retrieval.analysis import QueryAnalysis
from inforce.retrieval.statutes import Coverage, SearchResult, StatuteSearch, TimeContext

MOST_QUOTED = 3
"""Provisions quoted at most, beside those the question names."""

LEAST_SUPPORT = 0.2
"""Weight share of a question's keywords a provision must contain to be quoted."""

HALF_AS_GOOD = 0.5
"""A provision with less than this share of the best one's relevance is not quoted beside it."""

_AVERAGE_LENGTH = 150
_LENGTH_WEIGHT = 0.25
"""Characters of an average article, and how much longer ones are marked down (BM25's b)."""

_DEPTH = 30


@dataclass(frozen=True, slots=True)
class Candidate:
    """A provision an answer may be about."""

    timeline: Timeline
    found: Span | None = None
    """The wording that speaks to the question; ``None`` where the question names the provision."""
    score: float = 1.0
    """How relevant it is, beside the other candidates."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The provisions an answer is about, and what was understood of the question."""

    candidates: tuple[Candidate, ...]
    """Those the question names in its order; else the most relevant first."""
    most: int | None
    """How many of them are quoted at most; ``None``: all."""
    time: TimeContext
    coverage: Coverage
    relevance: Relevance


@dataclass(frozen=True, slots=True)
class Relevance:
    """How far provisions speak to a question, by the weight of its keywords they contain."""

    book: LawBook
    statutes: StatuteSearch
    analysis: QueryAnalysis

    def support(self, timeline: Timeline, *, length_weight: float = 0.0) -> float:
        """How far the wording of a provision that speaks most to the question does so, 0 to 1."""
        return self._best(timeline, length_weight)[0]

    def _best(self, timeline: Timeline, length_weight: float) -> tuple[float, Span | None]:
        """The wording that speaks most to the question, the latest of equals, and how far."""
        captions = self.book.captions(timeline.work, timeline.number)
        names = " ".join((timeline.work, *(caption.name for caption in captions)))
        best: tuple[float, Span | None] = (0.0, None)
        for span in timeline.spans:
            if span.provision:
                text = span.provision.text
                share = self._share(f"{names} {text}") / _length_factor(text, length_weight)
                best = (share, span) if share >= best[0] else best
        return best

    def speaks(self, *texts: str) -> bool:
        """Whether texts together speak to the question well enough to be quoted."""
        return self._share(" ".join(texts)) >= LEAST_SUPPORT

    def _share(self, text: str) -> float:
        return self.statutes.support(self.analysis, text)

    def most_relevant(self, timelines: Iterable[Timeline]) -> tuple[Candidate, ...]:
        """Of what was found, what speaks to the question, the most relevant first."""
        speaking = [one for one in timelines if self.support(one) >= LEAST_SUPPORT]
        best = [self._best(one, _LENGTH_WEIGHT) for one in speaking]
        least = HALF_AS_GOOD * max((score for score, _ in best), default=0.0)
        ranked = sorted(zip(best, speaking, strict=True), key=lambda pair: -pair[0][0])
        return tuple(
            Candidate(timeline, span, score) for (score, span), timeline in ranked if score >= least
        )


def select(book: LawBook, question: str, *, facts: DateRange | None = None) -> Selection:
    """The provisions an answer to a question is about.

    Args:
        book: where the law is.
        question: what is asked.
        facts: the days of the facts; they win over dates in the question.

    Raises:
        DateError: if the only date in the question cannot be read.
    """
    statutes = book.statutes
    then = statutes.search(question, as_of=facts, k=_DEPTH)
    ever = statutes.search(then.analysis, k=_DEPTH, when="any")
    if then.time.origin == "today":
        find_dates(question, clock=book.clock)  # one that cannot be read must not become today
    relevance = Relevance(book, statutes, then.analysis)
    named, most = book.timelines(then.analysis.provisions), None
    candidates = tuple(map(Candidate, named))
    if not candidates and not then.coverage.not_held:
        found = (book.corpus.timeline(*one) for one in _by_rank(then, ever))
        candidates, most = relevance.most_relevant(found), MOST_QUOTED
    return Selection(candidates, most, then.time, then.coverage, relevance)


def _length_factor(text: str, weight: float) -> float:
    return 1 - weight + weight * len(text) / _AVERAGE_LENGTH


def _by_rank(*results: SearchResult) -> list[tuple[str, ProvisionNumber]]:
    """Provisions by their best rank in any search: a later wording may be what finds a rule."""
    ranks: dict[tuple[str, ProvisionNumber], list[int]] = {}
    for result in results:
        found = dict.fromkeys((hit.provision.work, hit.provision.number) for hit in result.hits)
        for rank, key in enumerate(found):
            ranks.setdefault(key, []).append(rank)
    missing = _DEPTH * len(results)
    return sorted(
        ranks,
        key=lambda key: (
            min(ranks[key]),
            sum(ranks[key]) + missing * (len(results) - len(ranks[key])),
            key[0],
            key[1].sort_key,
        ),
    )
