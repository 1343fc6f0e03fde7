"""Temporal statute search: the four stages of LegalSearch-R1, section 5.1.

1. *Query analysis* (`inforce.retrieval.analysis`): what is asked, and about when.
2. *Temporal filter*: only provisions in force at that time.
3. *Three channels* over what is left: exact names and keywords, dense vectors, BM25.
4. *Weighted RRF* (`inforce.retrieval.fusion`) into one ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from inforce.dates import CaseDates, Clock, DateRange, system_clock
from inforce.retrieval.analysis import Analyser, QueryAnalysis
from inforce.retrieval.documents import (
    ProvisionText,
    caption_locator,
    chapter_locator,
    number_locator,
    work_locator,
)
from inforce.retrieval.fusion import Channel, Fused, weighted_rrf
from inforce.retrieval.tokens import tokenize
from inforce.store import DENSE, Keywords, Scored, Snapshot, keyword_weight
from inforce.store import Collection as IndexedCollection

DEPTH = 50
"""Results each channel gives to the fusion, or as many as are asked for."""

When = Literal["in_force", "any"]
"""``any`` leaves the temporal filter out and finds every wording there ever was."""

_EXACT_ARTICLE = 100_000.0
_ANY_LAWS_ARTICLE = 10_000.0
"""More than all else together: an article named comes first, as the paper makes it a filter."""

_LAW = 100.0
_CRIME_NAME = 60.0
_CHAPTER = 12.0
"""Weights of exact names in the keyword channel; a keyword weighs its idf, at most about 12."""


@dataclass(frozen=True, slots=True)
class TimeContext:
    """The days a search was limited to, and who said so."""

    during: tuple[DateRange, ...]
    origin: Literal["as_of", "question", "today", "any"]
    conflict: str = ""
    """Set where an explicit date and the dates in the question contradict each other."""
    dates: CaseDates | None = None
    """Every date that was read or given, with the event it is the date of."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What a search makes of a question before it looks."""

    analysis: QueryAnalysis
    time: TimeContext


@dataclass(frozen=True, slots=True)
class Hit:
    """One provision found, with the rank each channel gave it."""

    rank: int
    score: float
    provision: ProvisionText
    channel_ranks: Mapping[Channel, int]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was searched: a result can only be as complete as this."""

    snapshot: str
    works: int
    documents: int
    not_held: tuple[str, ...] = ()
    """Laws the question names that this corpus does not hold."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search understood, over which days it looked, and what it found."""

    analysis: QueryAnalysis
    time: TimeContext
    hits: tuple[Hit, ...]
    coverage: Coverage


class StatuteSearch:
    """Searches the provisions of an index under a date.

    Args:
        collection: where the documents of `inforce.retrieval.documents` are stored.
        analyser: reads questions.
        titles: the laws the corpus holds.
        snapshot: names the state of the corpus the index shows.
        known_on: the last day on which a law is known to have stood as its last text says.
        clock: what "today" means where neither the caller nor the question gives a date.
    """

    def __init__(
        self,
        collection: IndexedCollection,
        analyser: Analyser,
        *,
        titles: Collection[str],
        snapshot: str = "",
        documents: int = 0,
        known_on: Callable[[str], date | None] = lambda _: None,
        clock: Clock = system_clock,
    ) -> None:
        self._collection = collection
        self._analyser = analyser
        self._titles = frozenset(titles)
        self._snapshot = snapshot
        self._documents = documents
        self._known_on = known_on
        self._clock = clock

    def __len__(self) -> int:
        """How many wordings of provisions can be found."""
        return self._documents

    def search(
        self,
        query: str | QueryAnalysis,
        *,
        as_of: DateRange | None = None,
        k: int = 5,
        when: When = "in_force",
    ) -> SearchResult:
        """The provisions that answer a question, best first.

        Args:
            query: the question, in Chinese or English, or what was understood of it before.
            as_of: the days to search under; wins over dates in the question, and a contradiction
                is reported in ``time.conflict``.
            k: how many results.
            when: ``any`` to find every wording there ever was, dates unknown included.
        """
        understood = self.understood(query, as_of=as_of, when=when)
        analysis, time = understood.analysis, understood.time
        snapshot, depth = self._collection.snapshot(), max(DEPTH, k)
        keywords = Keywords(analysis.query, analysis.keywords, _exact_terms(analysis))
        scored: dict[Channel, list[Scored]] = {
            "keyword": snapshot.search("words", keywords, during=time.during, k=depth),
            "dense": snapshot.search(DENSE, analysis.query, during=time.during, k=depth),
            "bm25": snapshot.search("words", analysis.query, during=time.during, k=depth),
        }
        ranking = _named_first(_fuse(scored), scored["keyword"])
        hits = [self._hit(snapshot, rank, fused) for rank, fused in enumerate(ranking[:k], 1)]
        return SearchResult(analysis, time, tuple(hits), self._coverage(analysis))

    def understood(
        self,
        query: str | QueryAnalysis,
        *,
        as_of: DateRange | None = None,
        when: When = "in_force",
    ) -> Understood:
        """What is asked, and the days that would be searched; see `search`."""
        analysis = query if isinstance(query, QueryAnalysis) else self._analyser(query)
        return Understood(analysis, self._time_context(analysis, as_of, when))

    def support(self, analysis: QueryAnalysis, text: str) -> float:
        """How far a text speaks to a question: the weight of its keywords that occur in it, 0 to 1.

        1.0 for a question without keywords (it names its provisions).
        """
        snapshot = self._collection.snapshot()
        weights = {
            word: keyword_weight(snapshot, "words", tokenize(word)) for word in analysis.keywords
        }
        total = sum(weights.values())
        if not total:
            return 1.0
        return sum(weight for word, weight in weights.items() if word in text) / total

    def _time_context(
        self, analysis: QueryAnalysis, as_of: DateRange | None, when: When
    ) -> TimeContext:
        if when == "any":
            return TimeContext((), "any")
        if as_of is not None:
            conflict = _contradiction(as_of, analysis.time_info)
            return TimeContext((as_of,), "as_of", conflict, analysis.dates)
        if analysis.time_info:
            return TimeContext(analysis.time_info, "question", dates=analysis.dates)
        return TimeContext((DateRange.day(self._clock()),), "today", dates=analysis.dates)

    def _hit(self, snapshot: Snapshot, rank: int, fused: Fused) -> Hit:
        [payload] = snapshot.payloads([fused.row])
        provision = ProvisionText.of(payload)
        if provision.window is not None and provision.window.end is None:
            provision = replace(provision, as_of=self._known_on(provision.work))
        return Hit(rank, fused.score, provision, fused.ranks)

    def _coverage(self, analysis: QueryAnalysis) -> Coverage:
        missing = tuple(work for work in analysis.works if work not in self._titles)
        return Coverage(self._snapshot, len(self._titles), self._documents, missing)


def _fuse(scored: Mapping[Channel, Sequence[Scored]]) -> list[Fused]:
    return weighted_rrf({channel: [one.row for one in found] for channel, found in scored.items()})


def _named_first(ranking: Sequence[Fused], by_keyword: Sequence[Scored]) -> list[Fused]:
    """Articles named with their law, then articles named without, then the rest, each in order."""
    named = {one.row: one.score for one in by_keyword if one.score >= _ANY_LAWS_ARTICLE}
    return sorted(ranking, key=lambda one: -(named.get(one.row, 0.0) // _ANY_LAWS_ARTICLE))


def _contradiction(as_of: DateRange, asked: Sequence[DateRange]) -> str:
    if not asked or any(as_of.overlaps(r) for r in asked):
        return ""
    spoken = ", ".join(map(str, asked))
    return f"the question speaks of {spoken}; the date given, {as_of}, was used"


def _exact_terms(analysis: QueryAnalysis) -> dict[str, float]:
    """Exact terms of a question with their weights; a law weighs less than its article."""
    works = (*analysis.works, *analysis.implied_works)
    weights: dict[str, float] = {work_locator(work): _LAW for work in works}
    for asked in analysis.provisions:
        weight = _EXACT_ARTICLE if asked.work else _ANY_LAWS_ARTICLE
        weights[number_locator(asked.number, asked.work)] = weight
    for name in analysis.captions:
        weights[caption_locator(name)] = _CRIME_NAME
    for heading in analysis.chapter_info:
        if heading.endswith(("章", "节", "编")):
            weights[chapter_locator(heading)] = _CHAPTER
    return weights
