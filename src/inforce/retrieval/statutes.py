"""Temporal statute search, after the stages of LegalSearch-R1, section 5.1.

1. *Query analysis* (`inforce.retrieval.analysis`): what is asked, and about when.
2. *Temporal filter*: only provisions in force at that time.
3. *Channels* over what is left (`inforce.retrieval.candidates`): words, pairs of characters, dense
   vectors, statute words for lay words, and what was asked about each provision before.
4. *A learned ranking* of what they found (`inforce.retrieval.ranker`), articles that the question
   names before all others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from inforce.dates import CaseDates, Clock, DateRange, system_clock
from inforce.errors import IdentifierError, SearchIndexError
from inforce.law.caveats import said_of_days_ahead
from inforce.law.numerals import ProvisionNumber
from inforce.retrieval.analysis import Analyser, QueryAnalysis
from inforce.retrieval.asked import shipped_asked
from inforce.retrieval.candidates import OF_CHANNELS, CandidateSearch, StoredDense
from inforce.retrieval.documents import ProvisionText, number_locator
from inforce.retrieval.facts import read_facts
from inforce.retrieval.glossary import shipped_lay_words
from inforce.retrieval.index import REMEDY, snapshot_of
from inforce.retrieval.limits import require_count, require_length
from inforce.retrieval.query import search_query
from inforce.retrieval.ranker import Ranked, shipped_ranker
from inforce.retrieval.tokens import tokenize
from inforce.store import Collection as IndexedCollection
from inforce.store import Keywords, Matrix, Snapshot, keyword_weight

Channel = Literal["words", "pairs", "dense", "glossary", "asked", "topics"]

_COLUMN_OF: Mapping[Channel, str] = {
    "words": "words",
    "pairs": "pairs",
    "dense": "dense",
    "glossary": "pointed",
    "asked": "asked_article",
}
_MOST_NAMED = 200
"""Articles that a question names; a number without a law may be that of an article of any."""

Distinct = Literal["wording", "provision"]
"""``provision``: of each provision only the wording that ranks highest."""

When = Literal["in_force", "any"]
"""``any`` leaves the temporal filter out and finds every wording there ever was."""


@dataclass(frozen=True, slots=True)
class TimeContext:
    """The days a search was limited to, and who said so."""

    during: tuple[DateRange, ...]
    origin: Literal["as_of", "question", "today", "any"]
    conflict: str = ""
    """Set where an explicit date and the dates in the question contradict each other."""
    dates: CaseDates | None = None
    """Every date that was read or given, with the event it is the date of."""
    ahead: str = ""
    """Set where some of the days have not come yet."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What a search makes of a question before it looks."""

    analysis: QueryAnalysis
    time: TimeContext


@dataclass(frozen=True, slots=True)
class Hit:
    """One provision found."""

    rank: int
    score: float
    """The chance that it is one of the provisions that answer the question: 0 to 1, comparable
    between questions; 1 for an article that the question names and for what it quotes before it."""
    provision: ProvisionText
    is_named: bool
    """The question names this article."""
    channel_ranks: Mapping[Channel, int]
    """The rank that each channel gave it among the candidates; only channels that found it."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was searched: a result can only be as complete as this."""

    snapshot: str
    """Of the corpus, as far as the index shows it."""
    works: int
    documents: int
    not_held: tuple[str, ...] = ()
    """Laws the question names that this corpus does not hold."""
    is_current: bool = True
    """Whether the index shows the corpus as it is now; if not, what was added since is missing."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search understood, over which days it looked, and what it found."""

    analysis: QueryAnalysis
    time: TimeContext
    hits: tuple[Hit, ...]
    coverage: Coverage
    answerable: float = 1.0
    """The chance that law that is held answers the question at all, 0 to 1; below
    `inforce.retrieval.ranker.ABSTAIN` the hits are noise. 1 where it names an article held."""


class StatuteSearch:
    """Searches the provisions of an index under a date.

    Args:
        collection: where the documents of `inforce.retrieval.documents` are stored.
        analyser: reads questions.
        titles: the laws the corpus holds.
        corpus: the snapshot of the corpus as it is now.
        texts: every wording of a provision, from the corpus: what a hit shows.
        known_on: the last day on which a law is known to have stood as its last text says.
        clock: what "today" means where neither the caller nor the question gives a date.
        files: gives the folder beside the index where facts of its rows may be (`facts`).
    """

    def __init__(
        self,
        collection: IndexedCollection,
        analyser: Analyser,
        *,
        titles: Collection[str],
        corpus: Callable[[], str],
        texts: Callable[[str, ProvisionNumber], Sequence[ProvisionText]],
        documents: int = 0,
        known_on: Callable[[str], date | None] = lambda _: None,
        clock: Clock = system_clock,
        files: Callable[[], Path | None] = lambda: None,
    ) -> None:
        self._collection = collection
        self._analyser = analyser
        self._titles = frozenset(titles)
        self._corpus = corpus
        self._texts = texts
        self._documents = documents
        self._known_on = known_on
        self._clock = clock
        self._files = files
        self._opening = threading.Lock()
        self._opened: tuple[object, CandidateSearch] | None = None

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
        distinct: Distinct = "wording",
    ) -> SearchResult:
        """The provisions that answer a question, best first.

        Args:
            query: the question, in Chinese or English, or what was understood of it before.
            as_of: the days to search under; wins over dates in the question, and a contradiction
                is reported in ``time.conflict``.
            k: how many results.
            when: ``any`` to find every wording there ever was, dates unknown included.
            distinct: ``provision`` to get of each provision only its best wording.

        Raises:
            UserError: if ``k`` is not from 1 to 1,000, or the question is too long.
        """
        require_count(k)
        understood = self.understood(query, as_of=as_of, when=when)
        analysis, time = understood.analysis, understood.time
        snapshot = self._collection.snapshot()
        named = _named(snapshot, analysis, time.during)
        ranked = self._ranked(snapshot, analysis, time.during, least=k)
        shows = snapshot_of(snapshot.note)
        found = _hits(named, ranked, distinct, lambda row: self._held(row, snapshot))
        hits = tuple(replace(hit, provision=self._known(hit.provision)) for hit in islice(found, k))
        answerable = 1.0 if named.with_law else ranked.answerable
        return SearchResult(analysis, time, hits, self._coverage(analysis, shows), answerable)

    def _held(self, row: int, snapshot: Snapshot) -> ProvisionText | None:
        """What the corpus has of a wording found; ``None`` where it was corrected since.

        Raises:
            SearchIndexError: if the index shows this corpus and says otherwise.
        """
        [payload] = snapshot.payloads([row])
        try:
            found = ProvisionText.of(payload)
        except (ValueError, KeyError, TypeError, IdentifierError) as error:
            raise SearchIndexError(f"the search index is damaged ({error}): {REMEDY}") from error
        held = self._texts(found.work, found.number)
        for one in held:
            if one.payload() == payload:
                return one
        if snapshot_of(snapshot.note) == self._corpus():
            raise SearchIndexError(
                f"the search index has {found.work} {found.number.chinese} otherwise than the "
                f"corpus: it is damaged; {REMEDY}"
            )
        same = [one for one in held if one.text == found.text and one.window == found.window]
        return same[0] if same else None

    def _ranked(
        self,
        snapshot: Snapshot,
        analysis: QueryAnalysis,
        during: Sequence[DateRange],
        *,
        least: int,
    ) -> Ranked:
        search, ranker = self._channels(snapshot), shipped_ranker()
        query = search_query(analysis, shipped_lay_words())
        works = (*analysis.works, *analysis.implied_works)
        found = search.candidates(query, during=during, works=works, least=least)
        return ranker.rank(search, query, found)

    def _channels(self, snapshot: Snapshot) -> CandidateSearch:
        """Made anew when the index was changed."""
        with self._opening:
            # An index made anew counts its commits anew.
            commit = (snapshot.generation, snapshot.rows, snapshot.note)
            if self._opened is None or self._opened[0] != commit:
                encoder = self._collection.schema.encoder
                assert encoder

                def encode(text: str) -> Matrix:
                    return encoder.encode([text], role="query")[0]

                facts = read_facts(self._files(), snapshot)
                search = CandidateSearch(
                    snapshot, facts, shipped_asked(), StoredDense(snapshot, encode)
                )
                self._opened = (commit, search)
            return self._opened[1]

    def understood(
        self,
        query: str | QueryAnalysis,
        *,
        as_of: DateRange | None = None,
        when: When = "in_force",
    ) -> Understood:
        """What is asked, and the days that would be searched; see `search`."""
        if isinstance(query, str):
            query = self._analyser(require_length(query))
        analysis = query
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
        dates, today = analysis.dates, self._clock()
        if when == "any":
            return TimeContext((), "any")
        if as_of is not None:
            conflict = _contradiction(as_of, analysis.time_info)
            ahead = said_of_days_ahead([as_of], today)
            return TimeContext((as_of,), "as_of", conflict, dates, ahead)
        if analysis.time_info:
            ahead = said_of_days_ahead(analysis.time_info, today)
            return TimeContext(analysis.time_info, "question", dates=dates, ahead=ahead)
        return TimeContext((DateRange.day(today),), "today", dates=dates)

    def _known(self, provision: ProvisionText) -> ProvisionText:
        """With the day on which a wording without an end was last seen in force."""
        if provision.window is not None and provision.window.end is None:
            return replace(provision, as_of=self._known_on(provision.work))
        return provision

    def _coverage(self, analysis: QueryAnalysis, shows: str) -> Coverage:
        missing = tuple(work for work in analysis.works if work not in self._titles)
        is_current = shows == self._corpus()
        return Coverage(shows, len(self._titles), self._documents, missing, is_current)


class _Named(NamedTuple):
    """The rows of the articles a question names."""

    with_law: frozenset[int]
    number_only: frozenset[int]


def _named(snapshot: Snapshot, analysis: QueryAnalysis, during: Sequence[DateRange]) -> _Named:
    def rows(terms: Mapping[str, float], text: str = "") -> frozenset[int]:
        if not terms:
            return frozenset()
        asked = Keywords(text, (), terms)
        found = snapshot.search("words", asked, during=during, k=_MOST_NAMED)
        return frozenset(one.row for one in found)

    asked = analysis.provisions
    return _Named(
        rows({number_locator(one.number, one.work): 1.0 for one in asked if one.work}),
        # Many laws have an article of a number: those that speak of the question come first.
        rows({number_locator(one.number): 1.0 for one in asked if not one.work}, analysis.content),
    )


def _hits(
    named: _Named,
    ranked: Ranked,
    distinct: Distinct,
    held: Callable[[int], ProvisionText | None],
) -> Iterator[Hit]:
    """Articles named with their law, those named by their number, the others; each as ranked.

    Before them what has the last sentence word for word: who quotes a sentence that names an
    article (依照刑法第二百六十六条的规定) means the sentence.
    """
    rows = ranked.rows.tolist()
    place = {row: at for at, row in enumerate(rows)}
    ranks = _channel_ranks(ranked)
    unranked = sorted((named.with_law | named.number_only) - place.keys())
    order = sorted(
        (*rows, *unranked),
        key=lambda row: (
            row not in ranked.verbatim,
            row not in named.with_law,
            row not in named.number_only,
        ),
    )
    shown: set[tuple[str, ProvisionNumber]] = set()
    rank = 0
    for row in order:
        provision = held(row)
        if provision is None:
            continue
        key = provision.work, provision.number
        if distinct == "provision" and key in shown:
            continue
        shown.add(key)
        rank += 1
        at = place.get(row)
        chance = 0.0 if at is None else float(ranked.chances[at])
        found: dict[Channel, int] = {}
        if row in ranked.ruling or row in ranked.ruling_else:
            found["topics"] = 1 if row in ranked.ruling else 2
        if at is not None:
            found |= {one: int(of[at]) for one, of in ranks.items() if of[at]}
        if row in named.with_law or (named.with_law and row in ranked.verbatim):
            chance = 1.0
        yield Hit(
            rank,
            chance,
            provision,
            row in named.with_law or row in named.number_only,
            found,
        )


def _channel_ranks(ranked: Ranked) -> dict[Channel, NDArray[np.int64]]:
    """The rank of each candidate in each channel; 0 where the channel did not find it."""
    found: dict[Channel, NDArray[np.int64]] = {}
    for channel, column in _COLUMN_OF.items():
        scores = ranked.columns[:, OF_CHANNELS.index(column)]
        ranks = np.zeros(len(scores), dtype=np.int64)
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        found[channel] = np.where(scores > 0, ranks, 0)
    return found


def _contradiction(as_of: DateRange, asked: Sequence[DateRange]) -> str:
    if not asked or any(as_of.overlaps(r) for r in asked):
        return ""
    spoken = ", ".join(map(str, asked))
    return f"the question speaks of {spoken}; the date given, {as_of}, was used"
