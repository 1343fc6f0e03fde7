"""Candidates for a question, found by every channel, and what each channel says of them.

`FEATURES` names the columns. The first are computed for every candidate; those in `OF_TEXT` need
its text and are computed for the best (`with_texts`). The ranker (`inforce.retrieval.ranker`)
weighs them; nothing here is learnt.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.retrieval.asked import AskedIndex, AskedScores, Places
from inforce.retrieval.documents import wording_term, work_locator
from inforce.retrieval.facts import KINDS, ProvisionFacts
from inforce.retrieval.query import SearchQuery
from inforce.retrieval.texts import OF_TEXT, ProvisionTexts, QuestionText, has_word_for_word
from inforce.store import DENSE, EXACT, Keywords, Matrix, Scored, Snapshot

Rows = NDArray[np.int64]
Column = NDArray[Any]
"""A number, or a truth value, for each candidate."""

WORDS_DEPTH = PAIRS_DEPTH = 150
DENSE_DEPTH = 200
STATUTORY_DEPTH = POINTED_DEPTH = NAMED_DEPTH = 80
ASKED_DEPTH = 60
"""Candidates each channel gives, before local law of other places is left out."""

_WIDE_POINTER = 120
"""A pointer at more wordings than this only says which law is meant."""

_QUOTED_AT_MOST, _SHORTEST_QUOTED = 3, 14
"""Provisions of local law that a question may quote, and the characters of its sentence."""

_SHORT = 25
_PAIR_WEIGHT = 0.5
"""Of BM25 over pairs of characters beside BM25 over words (measured: `design/search.md`)."""

OF_CHANNELS = (
    "words",  # BM25 over words, of the best candidate's
    "words_ideal",  # the same, of what a provision with every word would have
    "pairs",  # BM25 over pairs of characters, of the best candidate's
    "pairs_ideal",
    "lexical",  # words and half of pairs, of the best candidate's
    "lexical_rank",  # ln(1 + rank) / 5
    "lexical_reciprocal",  # 1 / (3 + rank)
    "dense",  # cosine
    "dense_gap",  # less that of the best candidate
    "dense_rank",
    "dense_reciprocal",
    "statutory",  # BM25 over the statute words of the glossary, of the best candidate's
    "statutory_score",  # the same, over 60, at most 2
    "has_statutory",  # the question has lay words
    "pointed",  # the glossary points at the provision, at most 2
    "pointed_share",  # of the best candidate's
    "is_pointed",
    "pointed_law",  # the glossary points at the law
    "glossary",  # lexical, 0.3 statutory and 0.4 pointed
    "asked_article",  # BM25 over the questions that it answered, of the best candidate's
    "asked_chapter",
    "asked_law",
    "asked_ideal",  # BM25 over the questions it answered, of what one with every word would have
    "article_questions",  # ln(1 + n) of them
    "law_questions",  # ln(1 + n) / 5
    "law_lexical",  # ln of the share of lexical evidence in its law
    "chapter_lexical",
    "law_dense",
    "chapter_dense",
    "law_named",  # the question names the law, or tells of a crime and this is 刑法
    "caption",  # bears the name of a crime that the question names
    "heading",  # in a chapter that the question names
    "ruling",  # a topic of the question names it
    "ruling_else",  # a topic that says less of the question does
    "place",  # a regulation of a place that the question names
    "length",  # ln(1 + characters) / 5
    "short",
    "formal",  # purpose, commencement, interpretation
    *(f"kind_{kind}" for kind in KINDS),
    "question_size",  # ln(1 + different words) / 3
    "question_sentences",  # ln of them
    "translated",  # asked in English
)
FEATURES = (*OF_CHANNELS, *OF_TEXT)


class DenseChannel(Protocol):
    """The dense channel; training puts another encoder in its place."""

    @property
    def encode(self) -> Callable[[str], Matrix]:
        """Makes the vector of a question."""
        ...

    def nearest(self, vector: Matrix, *, during: Sequence[DateRange], k: int) -> list[Scored]:
        """The best k rows."""
        ...

    def scores(self, vector: Matrix, rows: Sequence[int]) -> Column:
        """The cosines of given rows."""
        ...


class StoredDense:
    """The dense channel of an index."""

    def __init__(self, snapshot: Snapshot, encode: Callable[[str], Matrix]) -> None:
        self._snapshot = snapshot
        self.encode = encode

    def nearest(self, vector: Matrix, *, during: Sequence[DateRange], k: int) -> list[Scored]:
        """The best k rows."""
        return self._snapshot.search(DENSE, vector, during=during, k=k)

    def scores(self, vector: Matrix, rows: Sequence[int]) -> Column:
        """The cosines of given rows."""
        return self._snapshot.scores(DENSE, vector, rows)


@dataclass(frozen=True)
class Candidates:
    """Rows with their features: one line a row, one column for each of `OF_CHANNELS`."""

    rows: Rows
    columns: Matrix
    familiar: tuple[float, float] = (0.0, 0.0)
    """How far the words and the pairs of the question are those of questions asked before."""
    ruling: frozenset[int] = frozenset()
    """The rows of rules that answer questions of this kind."""
    ruling_else: frozenset[int] = frozenset()
    """Of those that answer where these did not exist yet."""

    def __len__(self) -> int:
        return len(self.rows)


class _Found(NamedTuple):
    """What the channels returned: scores by row."""

    words: Mapping[int, float]
    pairs: Mapping[int, float]
    statutory: Mapping[int, float]
    pointed: Mapping[int, float]


class _Named(NamedTuple):
    """What the question names: laws, and rows by crime names, by headings and by its topics."""

    works: frozenset[str]
    captions: Sequence[int]
    headings: Sequence[int]
    ruling: frozenset[int]
    ruling_else: frozenset[int]


class CandidateSearch:
    """Asks the channels of one snapshot.

    Args:
        snapshot: of the index.
        facts: of its provisions.
        asked: what was asked about each.
        dense: the dense channel.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        facts: ProvisionFacts,
        asked: AskedIndex,
        dense: DenseChannel,
    ) -> None:
        self._snapshot = snapshot
        self._facts = facts
        self._asked = asked
        self._dense = dense
        self._texts = ProvisionTexts(snapshot)
        self._asked_places = _AskedPlaces.of(facts, asked)

    def candidates(
        self,
        query: SearchQuery,
        *,
        during: Sequence[DateRange],
        works: Sequence[str] = (),
        least: int = 0,
    ) -> Candidates:
        """Every provision that a channel finds for a question, with its features.

        Args:
            query: what is searched.
            during: the days; none: any.
            works: laws that the question names.
            least: how many each channel of words is asked for at least.
        """
        found = self._search(query, during, least)
        asked = self._asked.scores("article", query.asked_words)
        vector = self._dense.encode(query.encoded)
        dense = self._dense.nearest(vector, during=during, k=DENSE_DEPTH)
        rows = {*found.words, *found.pairs, *found.statutory, *found.pointed}
        rows.update(one.row for one in dense)
        rows.update(self._rows_asked(asked, during))
        rows.update(self._rows_named(query, works, during))
        captions = self._rows_with(query.captions, during)
        rows.update(captions)
        headings = self._rows_with(query.headings, during)
        rows.update(headings)
        ruling = frozenset(self._rows_with(query.rules, during))
        ruling_else = frozenset(self._rows_with(query.further_rules, during)) - ruling
        rows.update(ruling, ruling_else)
        every = np.asarray(sorted(rows), dtype=np.int64)
        kept = self._where_it_governs(every, query, works, found.pairs)
        if not len(kept):
            return Candidates(kept, np.zeros((0, len(OF_CHANNELS)), dtype=np.float32))
        cosines = self._dense.scores(vector, kept.tolist())
        named = _Named(frozenset(works), captions, headings, ruling, ruling_else)
        columns = self._columns(query, kept, found, asked, cosines, named)
        features = np.empty((len(kept), len(columns)), dtype=np.float32)
        for at, column in enumerate(columns):
            features[:, at] = column
        return Candidates(kept, features, self.familiar(query), ruling, ruling_else)

    def familiar(self, query: SearchQuery) -> tuple[float, float]:
        """`Candidates.familiar` of a question."""
        words = (word for word in query.words if len(word) > 1)
        pairs = (f"#{pair}" for pair in query.pairs)
        return self._asked.familiar(words), self._asked.familiar(pairs)

    def with_texts(self, query: SearchQuery, candidates: Candidates) -> Matrix:
        """The features of candidates with those of their texts: ``(n, len(FEATURES))``."""
        of_text = QuestionText.of(query, self._ideal_weights).features(
            self._texts.of(candidates.rows.tolist())
        )
        return np.concatenate([candidates.columns, of_text], axis=1)

    # --- channels ---------------------------------------------------------------------------------

    def _search(self, query: SearchQuery, during: Sequence[DateRange], least: int) -> _Found:
        def ask(channel: str, terms: Mapping[str, float], k: int) -> dict[int, float]:
            if not terms:
                return {}
            return dict(self._snapshot.search(channel, terms, during=during, k=k))

        return _Found(
            ask("words", query.words, max(least, WORDS_DEPTH)),
            ask("bigrams", query.pairs, max(least, PAIRS_DEPTH)),
            ask("words", query.statutory, STATUTORY_DEPTH),
            ask(EXACT, self._telling_pointers(query.pointers), POINTED_DEPTH),
        )

    def _telling_pointers(self, pointers: Mapping[str, float]) -> dict[str, float]:
        """Pointers with their weights: one that matches many provisions says less of each."""
        terms = list(pointers)
        matched = self._snapshot.document_frequency(EXACT, terms)
        return {
            term: pointers[term] / (1 + math.log(n))
            for term, n in zip(terms, matched, strict=True)
            if 0 < n <= _WIDE_POINTER
        }

    def _rows_asked(self, asked: AskedScores, during: Sequence[DateRange]) -> list[int]:
        best = asked.best(ASKED_DEPTH)
        terms = {wording_term(wording): score for wording, score in best.items()}
        if not terms:
            return []
        found = self._snapshot.search(EXACT, terms, during=during, k=ASKED_DEPTH)
        return [one.row for one in found]

    def _rows_named(
        self, query: SearchQuery, works: Sequence[str], during: Sequence[DateRange]
    ) -> list[int]:
        """The best of the laws that the question names."""
        if not works:
            return []
        asked = Keywords(query.content, (), {work_locator(work): 1.0 for work in works})
        found = self._snapshot.search("words", asked, during=during, k=NAMED_DEPTH)
        return [one.row for one in found]

    def _rows_with(self, terms: Sequence[str], during: Sequence[DateRange]) -> list[int]:
        if not terms:
            return []
        asked = dict.fromkeys(terms, 1.0)
        return [
            one.row for one in self._snapshot.search(EXACT, asked, during=during, k=NAMED_DEPTH)
        ]

    def _where_it_governs(
        self,
        rows: Rows,
        query: SearchQuery,
        works: Collection[str],
        pairs: Mapping[int, float],
    ) -> Rows:
        """Without the local law of places that the question neither names nor quotes."""
        places, names = self._facts.places, self._facts.works

        def governs(work: int) -> bool:
            place = places[work]
            return names[work] in works or (
                place is not None and any(place.governs(one) for one in query.places)
            )

        work = _Groups.of(self._facts.rows["work"][rows])
        allowed = ~self._facts.are_local[work.different]
        for at in np.flatnonzero(~allowed).tolist():
            allowed[at] = governs(int(work.different[at]))
        kept = allowed[work.places]
        quoted = self._quoted(query, rows[~kept], _column(pairs, rows[~kept]))
        return rows[kept | np.isin(rows, quoted)]

    def _quoted(self, query: SearchQuery, rows: Rows, pairs: Column) -> Rows:
        """Of the rows that share most pairs of characters, those that the question quotes."""
        best = rows[np.argsort(-pairs, kind="stable")[:_QUOTED_AT_MOST]]
        if not len(best) or len(query.last_sentence) < _SHORTEST_QUOTED:
            return best[:0]
        said = QuestionText.of(query, self._ideal_weights)
        return best[has_word_for_word(said.features(self._texts.of(best.tolist())))]

    # --- features ---------------------------------------------------------------------------------

    def _columns(
        self,
        query: SearchQuery,
        rows: Rows,
        found: _Found,
        asked: AskedScores,
        cosines: Column,
        named: _Named,
    ) -> list[Column]:
        words, pairs, statutory, pointed = (_column(scores, rows) for scores in found)
        lexical = _of_best(words + _PAIR_WEIGHT * pairs)
        facts = self._facts.rows[rows]
        work, chapter = _Groups.of(facts["work"]), _Groups.of(facts["chapter"])
        kinds = self._facts.kinds[facts["work"]]
        pointed = np.minimum(pointed, 2.0)
        similar = _shares(cosines, 0.07)
        shares = _shares(lexical, 0.1)
        return [
            _of_best(words),
            words / self._ideal(query.words, "words"),
            _of_best(pairs),
            pairs / self._ideal(query.pairs, "bigrams"),
            lexical,
            *_ranks(lexical),
            cosines,
            cosines - cosines.max(),
            *_ranks(cosines),
            _of_best(statutory),
            np.minimum(statutory / 60, 2.0),
            _constant(bool(found.statutory), rows),
            pointed,
            _of_best(pointed),
            pointed > 0,
            work.column(self._facts.titles, query.pointed_laws),
            lexical + 0.3 * _of_best(statutory) + 0.4 * np.minimum(pointed, 1.0),
            *self._asked_columns(query, rows, work, chapter, asked),
            work.evidence(shares),
            chapter.evidence(shares),
            work.evidence(similar),
            chapter.evidence(similar),
            work.column(self._facts.works, dict.fromkeys(named.works, 1.0)),
            *(_among(rows, one) for one in named[1:]),
            self._facts.of_places[facts["work"]],
            np.log1p(facts["length"]) / 5,
            facts["length"] < _SHORT,
            facts["formal"],
            *(kinds == kind for kind in range(len(KINDS))),
            _constant(math.log1p(query.size) / 3, rows),
            _constant(math.log(max(1, query.sentences)), rows),
            _constant(query.is_translated, rows),
        ]

    def _asked_columns(
        self, query: SearchQuery, rows: Rows, work: _Groups, chapter: _Groups, asked: AskedScores
    ) -> list[Column]:
        """What was asked about the article, the chapter and the law of each row."""
        words, places = query.asked_words, self._asked_places
        articles = places.articles[rows]
        chapters = places.chapters[chapter.different][chapter.places]
        laws = places.laws[work.different][work.places]
        of_articles = asked.of(articles)
        of_chapters = self._asked.scores("chapter", words)
        of_laws = self._asked.scores("law", words)
        return [
            of_articles / (asked.highest or 1.0),
            of_chapters.of(chapters) / (of_chapters.highest or 1.0),
            of_laws.of(laws) / (of_laws.highest or 1.0),
            of_articles / (self._asked.ideal(words) or 1.0),
            np.log1p(self._asked.questions("article", articles)),
            np.log1p(self._asked.questions("law", laws)) / 5,
        ]

    def _ideal(self, terms: Mapping[str, float], channel: str) -> float:
        """About the BM25 score of a provision that has every term once."""
        weights = self._ideal_weights(list(terms), channel)
        return sum(n * weight for n, weight in zip(terms.values(), weights, strict=True)) or 1.0

    def _ideal_weights(self, terms: Sequence[str], channel: str) -> list[float]:
        """The inverse frequency of terms; 0 for those that no provision has."""
        size, frequencies = len(self._snapshot), self._snapshot.document_frequency(channel, terms)
        return [math.log1p((size - n + 0.5) / (n + 0.5)) if n else 0.0 for n in frequencies]


class _AskedPlaces(NamedTuple):
    """Where an index of what was asked has the provisions of a snapshot; -1 where it has not."""

    articles: Places
    """By row."""
    chapters: Places
    """By the number of the chapter in the facts."""
    laws: Places
    """By that of the work."""

    @staticmethod
    def of(facts: ProvisionFacts, asked: AskedIndex) -> _AskedPlaces:
        return _AskedPlaces(
            asked.places_of_wordings(facts.rows["wording"]),
            asked.places("chapter", facts.chapters),
            asked.places("law", facts.groups),
        )


class _Groups(NamedTuple):
    """The works or chapters of candidates."""

    different: Rows
    places: Rows
    """Of each candidate among them."""

    @staticmethod
    def of(column: Column) -> _Groups:
        return _Groups(*np.unique(column, return_inverse=True))

    def column(self, names: Sequence[str], values: Mapping[str, float]) -> Column:
        """The value of the name of each candidate's group; 0 where it has none."""
        if not values:
            return _constant(0.0, self.places)
        different: list[int] = self.different.tolist()
        found = [values.get(names[one], 0.0) for one in different]
        return np.asarray(found, dtype=np.float32)[self.places]

    def evidence(self, shares: Column) -> Column:
        """The logarithm of the evidence for the group of each candidate."""
        return np.log(np.bincount(self.places, shares)[self.places] + 1e-3).astype(np.float32)


def _column(scores: Mapping[int, float], rows: Rows) -> Column:
    found = map(scores.get, rows.tolist(), repeat(0.0))
    return np.fromiter(found, dtype=np.float32, count=len(rows))


def _among(rows: Rows, named: Collection[int]) -> Column:
    """Whether each row is named."""
    return np.isin(rows, list(named)) if named else _constant(0.0, rows)


def _of_best(column: Column) -> Column:
    return column / (float(column.max()) or 1.0)


def _constant(value: float, rows: Rows) -> Column:
    return np.full(len(rows), value, dtype=np.float32)


def _ranks(column: Column) -> tuple[Column, Column]:
    """The rank of each value, as ln(1 + rank) / 5 and as 1 / (3 + rank); ties by row."""
    ranks = np.empty(len(column), dtype=np.float32)
    ranks[np.argsort(-column, kind="stable")] = np.arange(len(column))
    return np.log1p(ranks) / 5, 1 / (ranks + 3)


def _shares(column: Column, temperature: float) -> Column:
    """How much of all evidence is a row's: a softmax."""
    weights = np.exp((column - column.max()) / temperature)
    return weights / weights.sum()
