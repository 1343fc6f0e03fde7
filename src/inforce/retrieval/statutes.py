"""Temporal statute search, after the stages of LegalSearch-R1, section 5.1.

1. *Query analysis* (`inforce.retrieval.analysis`): what is asked, and about when; from it the terms
   to search for (`inforce.retrieval.query`).
2. *Temporal filter*: only provisions in force at that time.
3. *Channels* over what is left (`inforce.retrieval.candidates`): words, pairs of characters, dense
   vectors, statute words for lay words, and known questions on each provision. They give each
   candidate its features (`inforce.retrieval.features`, `inforce.retrieval.text_features`).
4. *A learned ranking* by these features (`inforce.retrieval.ranker`), articles that the question
   names before all others.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from inforce.corpus.home import IndexLocation
from inforce.corpus.store import Corpus
from inforce.dates import CaseDates, Clock, DateRange, system_clock
from inforce.errors import IdentifierError, SearchIndexError
from inforce.law.caveats import said_of_days_ahead
from inforce.law.numerals import ProvisionNumber
from inforce.retrieval.analysis import Analyser, QueryAnalysis
from inforce.retrieval.candidates import CandidateSearch, StoredDense
from inforce.retrieval.features import OF_CHANNELS
from inforce.retrieval.index import REMEDY, index_files, open_index, read_note
from inforce.retrieval.known_questions import shipped_questions
from inforce.retrieval.metadata import read_metadata
from inforce.retrieval.provisions import ProvisionText, number_locator, provision_texts
from inforce.retrieval.query import search_query
from inforce.retrieval.ranker import Ranked, shipped_ranker
from inforce.retrieval.request_limits import require_count, require_length
from inforce.retrieval.tokens import tokenize
from inforce.store import ExactTerms, Matrix, Snapshot, keyword_weight

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
    """The days a search was limited to, and where they come from."""

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
    """What a question asks for, and the days to be searched."""

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
    """What was searched; a result cannot be more complete."""

    snapshot: str
    """The snapshot of the corpus that the index shows."""
    works: int
    documents: int
    not_held: tuple[str, ...] = ()
    """Laws the question names that this corpus does not hold."""
    is_current: bool = True
    """Whether the index shows the corpus as it is now; if not, what was added since is missing."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, with what was understood of the question and the days searched."""

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
        corpus: the laws; what a hit shows is its text.
        location: where the index is.
        analyser: reads questions.
        clock: what "today" means where neither the caller nor the question gives a date.

    Raises:
        SearchIndexError: if there is no index, it is damaged, or another encoder filled it.
    """

    def __init__(
        self,
        corpus: Corpus,
        location: IndexLocation,
        analyser: Analyser,
        *,
        clock: Clock = system_clock,
    ) -> None:
        self._corpus = corpus
        self._location = location
        self._collection = open_index(location)
        self._analyser = analyser
        self._clock = clock
        self._titles = frozenset(corpus.titles())
        self._documents = len(self._collection.snapshot())
        self._opening = threading.Lock()
        self._opened: tuple[object, CandidateSearch] | None = None

    def __len__(self) -> int:
        """The number of wordings of provisions that can be found."""
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
        """Return the provisions that answer a question, best first.

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
        search = self._candidate_search(snapshot)
        found = search.candidates(
            search_query(analysis),
            during=time.during,
            works=(*analysis.works, *analysis.implied_works),
            least=k,
        )
        ranked = shipped_ranker().rank(search, found)
        hits = tuple(islice(self._hits(snapshot, named, ranked, distinct), k))
        answerable = 1.0 if named.with_law else ranked.answerable
        shows = read_note(snapshot.note).snapshot
        not_held = tuple(work for work in analysis.works if work not in self._titles)
        is_current = shows == self._corpus.snapshot()
        coverage = Coverage(shows, len(self._titles), self._documents, not_held, is_current)
        return SearchResult(analysis, time, hits, coverage, answerable)

    def understood(
        self,
        query: str | QueryAnalysis,
        *,
        as_of: DateRange | None = None,
        when: When = "in_force",
    ) -> Understood:
        """Return what is asked, and the days that would be searched; see `search`."""
        if isinstance(query, str):
            query = self._analyser(require_length(query))
        return Understood(query, self._time_context(query, as_of, when))

    def support(self, analysis: QueryAnalysis, text: str) -> float:
        """Return the weight share of a question's keywords that occur in a text, 0 to 1.

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
            conflict = _conflict(as_of, analysis.time_info)
            ahead = said_of_days_ahead([as_of], today)
            return TimeContext((as_of,), "as_of", conflict, dates, ahead)
        if analysis.time_info:
            ahead = said_of_days_ahead(analysis.time_info, today)
            return TimeContext(analysis.time_info, "question", dates=dates, ahead=ahead)
        return TimeContext((DateRange.day(today),), "today", dates=dates)

    def _candidate_search(self, snapshot: Snapshot) -> CandidateSearch:
        """Return the search of a commit; it is made when the first question meets the commit."""
        with self._opening:
            # An index made anew counts its commits anew.
            commit = (snapshot.generation, snapshot.rows, snapshot.note)
            if self._opened is None or self._opened[0] != commit:
                encoder = self._collection.schema.encoder
                assert encoder

                def encode(text: str) -> Matrix:
                    return encoder.encode([text], role="query")[0]

                metadata = read_metadata(index_files(self._location), snapshot)
                dense = StoredDense(snapshot, encode)
                search = CandidateSearch(snapshot, metadata, shipped_questions(), dense)
                self._opened = (commit, search)
            return self._opened[1]

    def _hits(
        self, snapshot: Snapshot, named: _Named, ranked: Ranked, distinct: Distinct
    ) -> Iterator[Hit]:
        """Yield articles named with their law, those named by their number, the others; as ranked.

        Before them comes what has the last sentence word for word: who quotes a sentence that names
        an article (依照刑法第二百六十六条的规定) means the sentence.
        """
        rows: list[int] = ranked.rows.tolist()
        places = {row: place for place, row in enumerate(rows)}
        rows += sorted((named.with_law | named.number_only) - places.keys())
        if ranked.verbatim or named.with_law or named.number_only:
            rows.sort(
                key=lambda row: (
                    row not in ranked.verbatim,
                    row not in named.with_law,
                    row not in named.number_only,
                )
            )
        channel_ranks = _channel_ranks(ranked)
        shown: set[tuple[str, ProvisionNumber]] = set()
        rank = 0
        for row in rows:
            provision = self._provision(row, snapshot)
            if provision is None:
                continue
            key = provision.work, provision.number
            if distinct == "provision" and key in shown:
                continue
            shown.add(key)
            rank += 1
            place = places.get(row)
            found: dict[Channel, int] = {}
            if row in ranked.primary_rules or row in ranked.secondary_rules:
                found["topics"] = 1 if row in ranked.primary_rules else 2
            if place is not None:
                found |= {one: int(of[place]) for one, of in channel_ranks.items() if of[place]}
            chance = 0.0 if place is None else float(ranked.chances[place])
            if row in named.with_law or (named.with_law and row in ranked.verbatim):
                chance = 1.0
            is_named = row in named.with_law or row in named.number_only
            yield Hit(rank, chance, provision, is_named, found)

    def _provision(self, row: int, snapshot: Snapshot) -> ProvisionText | None:
        """Return a wording as the corpus has it; ``None`` where it was corrected since.

        Raises:
            SearchIndexError: if the index shows this corpus and says otherwise.
        """
        [payload] = snapshot.payloads([row])
        try:
            indexed = ProvisionText.of(payload)
        except (ValueError, KeyError, TypeError, IdentifierError) as error:
            raise SearchIndexError(f"the search index is damaged ({error}): {REMEDY}") from error
        found: ProvisionText | None = indexed
        if read_note(snapshot.note).snapshot != self._corpus.snapshot():
            texts = provision_texts(self._corpus, indexed.work, indexed.number)
            found = next((one for one in texts if one == indexed), None)
            if found is None:
                wording = indexed.text, indexed.window
                found = next((one for one in texts if (one.text, one.window) == wording), None)
        elif not self._corpus.has_wording(indexed.work, indexed.number, indexed.text):
            raise SearchIndexError(
                f"the search index has {indexed.work} {indexed.number.chinese} otherwise than "
                f"the corpus: it is damaged; {REMEDY}"
            )
        if found and found.window is not None and found.window.end is None:
            return replace(found, as_of=self._corpus.known_on(found.work))
        return found


class _Named(NamedTuple):
    """The rows of the articles a question names."""

    with_law: frozenset[int]
    number_only: frozenset[int]


def _named(snapshot: Snapshot, analysis: QueryAnalysis, during: Sequence[DateRange]) -> _Named:
    def rows(terms: Mapping[str, float], text: str = "") -> frozenset[int]:
        if not terms:
            return frozenset()
        query = ExactTerms(terms, text)
        found = snapshot.search("words", query, during=during, k=_MOST_NAMED)
        return frozenset(one.row for one in found)

    named = analysis.provisions
    return _Named(
        rows({number_locator(one.number, one.work): 1.0 for one in named if one.work}),
        # Many laws have an article of a number: those that speak of the question come first.
        rows({number_locator(one.number): 1.0 for one in named if not one.work}, analysis.content),
    )


def _channel_ranks(ranked: Ranked) -> dict[Channel, NDArray[np.int64]]:
    """Return the rank of each candidate in each channel; 0 where it was not found."""
    found: dict[Channel, NDArray[np.int64]] = {}
    for channel, column in _COLUMN_OF.items():
        scores = ranked.columns[:, OF_CHANNELS.index(column)]
        ranks = np.zeros(len(scores), dtype=np.int64)
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        found[channel] = np.where(scores > 0, ranks, 0)
    return found


def _conflict(as_of: DateRange, in_question: Sequence[DateRange]) -> str:
    if not in_question or any(as_of.overlaps(days) for days in in_question):
        return ""
    spoken = ", ".join(map(str, in_question))
    return f"the question speaks of {spoken}; the date given, {as_of}, was used"
