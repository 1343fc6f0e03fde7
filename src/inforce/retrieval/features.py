"""Features of candidates that the channels give, without reading the texts.

`OF_CHANNELS` names and describes the columns; `inforce.retrieval.text_features` adds those of the
texts, and `inforce.retrieval.ranker` weighs all of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from inforce.retrieval.known_questions import KnownQuestions, QuestionScores
from inforce.retrieval.metadata import KINDS, ProvisionMetadata
from inforce.retrieval.query import SearchQuery
from inforce.retrieval.text_features import OF_TEXT
from inforce.store import Matrix, Snapshot

Rows = NDArray[np.int64]
Column = NDArray[Any]
"""A number, or a truth value, for each candidate."""

_SHORT = 25
"""Characters below which a provision counts as short."""

_PAIR_WEIGHT = 0.5
"""The weight of BM25 over pairs of characters beside that over words (`design/search.md`)."""

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
    "asked_article",  # BM25 over the known questions that it answered, of the best candidate's
    "asked_chapter",
    "asked_law",
    "asked_ideal",  # BM25 over the questions it answered, of what one with every word would have
    "article_questions",  # ln(1 + n) of them
    "law_questions",  # ln(1 + n) / 5
    "law_lexical",  # ln of the share of lexical evidence in its law
    "chapter_lexical",
    "law_dense",
    "chapter_dense",
    "law_named",  # the question names the law, or narrates a crime and this is 刑法
    "caption",  # bears the name of a crime that the question names
    "heading",  # in a chapter that the question names
    "ruling",  # a primary rule of the topics of the question
    "ruling_else",  # a secondary one
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


class Evidence(NamedTuple):
    """The evidence of the channels for a question."""

    words: Mapping[int, float]
    """BM25 over words by row, as in the next three."""
    pairs: Mapping[int, float]
    statutory: Mapping[int, float]
    pointed: Mapping[int, float]
    cosines: Column
    """The cosine of each candidate."""
    known: QuestionScores
    """The scores of articles by the known questions they answered."""
    works: Collection[str]
    """Laws that the question names."""
    captions: Collection[int]
    """Rows, as in the next three."""
    headings: Collection[int]
    primary_rules: Collection[int]
    secondary_rules: Collection[int]


class ChannelFeatures:
    """Computes the columns `OF_CHANNELS` over one snapshot.

    Args:
        snapshot: of the index.
        metadata: of its provisions.
        known: questions whose answers are known.
    """

    def __init__(
        self, snapshot: Snapshot, metadata: ProvisionMetadata, known: KnownQuestions
    ) -> None:
        self._snapshot = snapshot
        self._metadata = metadata
        self._known = known
        # Where the known questions on each row, chapter and work are; -1: there are none.
        self._articles = known.articles.places_of_wordings(metadata.rows["wording"])
        self._chapters = known.chapters.places(metadata.chapters)
        self._laws = known.laws.places(metadata.groups)

    def of(self, query: SearchQuery, rows: Rows, evidence: Evidence) -> Matrix:
        """Return a line for each row, a column for each of `OF_CHANNELS`."""
        features = np.zeros((len(rows), len(OF_CHANNELS)), dtype=np.float32)
        if len(rows):
            columns = self._columns(query, rows, evidence)
            for place, name in enumerate(OF_CHANNELS):
                features[:, place] = columns[name]
        return features

    def _columns(
        self, query: SearchQuery, rows: Rows, evidence: Evidence
    ) -> dict[str, Column | float]:
        metadata = self._metadata.rows[rows]
        work, chapter = _Groups.of(metadata["work"]), _Groups.of(metadata["chapter"])
        words, pairs, statutory, pointed = (_column(scores, rows) for scores in evidence[:4])
        pointed = np.minimum(pointed, 2.0)
        lexical = _of_best(words + _PAIR_WEIGHT * pairs)
        lexical_rank, lexical_reciprocal = _ranks(lexical)
        cosines = evidence.cosines
        dense_rank, dense_reciprocal = _ranks(cosines)
        similar, shares = _shares(cosines, 0.07), _shares(lexical, 0.1)
        kinds = self._metadata.kinds[metadata["work"]]
        return {
            "words": _of_best(words),
            "words_ideal": words / self._ideal(query.words, "words"),
            "pairs": _of_best(pairs),
            "pairs_ideal": pairs / self._ideal(query.pairs, "bigrams"),
            "lexical": lexical,
            "lexical_rank": lexical_rank,
            "lexical_reciprocal": lexical_reciprocal,
            "dense": cosines,
            "dense_gap": cosines - cosines.max(),
            "dense_rank": dense_rank,
            "dense_reciprocal": dense_reciprocal,
            "statutory": _of_best(statutory),
            "statutory_score": np.minimum(statutory / 60, 2.0),
            "has_statutory": bool(evidence.statutory),
            "pointed": pointed,
            "pointed_share": _of_best(pointed),
            "is_pointed": pointed > 0,
            "pointed_law": work.column(self._metadata.titles, query.pointed_laws),
            "glossary": lexical + 0.3 * _of_best(statutory) + 0.4 * np.minimum(pointed, 1.0),
            **self._known_columns(query, rows, work, chapter, evidence.known),
            "law_lexical": work.evidence(shares),
            "chapter_lexical": chapter.evidence(shares),
            "law_dense": work.evidence(similar),
            "chapter_dense": chapter.evidence(similar),
            "law_named": work.column(self._metadata.works, dict.fromkeys(evidence.works, 1.0)),
            "caption": _among(rows, evidence.captions),
            "heading": _among(rows, evidence.headings),
            "ruling": _among(rows, evidence.primary_rules),
            "ruling_else": _among(rows, evidence.secondary_rules),
            "place": self._metadata.has_place[metadata["work"]],
            "length": np.log1p(metadata["length"]) / 5,
            "short": metadata["length"] < _SHORT,
            "formal": metadata["formal"],
            **{f"kind_{kind}": kinds == number for number, kind in enumerate(KINDS)},
            "question_size": math.log1p(len(query.words)) / 3,
            "question_sentences": math.log(max(1, query.sentences)),
            "translated": query.is_translated,
        }

    def _known_columns(
        self, query: SearchQuery, rows: Rows, work: _Groups, chapter: _Groups, known: QuestionScores
    ) -> dict[str, Column | float]:
        """Return the features of known questions on the article, the chapter and the law."""
        words, questions = query.question_words, self._known
        articles = self._articles[rows]
        laws = self._laws[work.different][work.places]
        of_articles = known.at(articles)
        by_chapter, by_law = questions.chapters.scores(words), questions.laws.scores(words)
        of_chapters = by_chapter.at(self._chapters[chapter.different][chapter.places])
        return {
            "asked_article": of_articles / (known.highest or 1.0),
            "asked_chapter": of_chapters / (by_chapter.highest or 1.0),
            "asked_law": by_law.at(laws) / (by_law.highest or 1.0),
            "asked_ideal": of_articles / (questions.articles.ideal(words) or 1.0),
            "article_questions": np.log1p(questions.articles.questions[articles]),
            "law_questions": np.log1p(questions.laws.questions[laws]) / 5,
        }

    def _ideal(self, terms: Mapping[str, float], channel: str) -> float:
        """Return about the BM25 score of a provision that has every term once."""
        weights = inverse_frequencies(self._snapshot, list(terms), channel)
        return sum(n * weight for n, weight in zip(terms.values(), weights, strict=True)) or 1.0


def inverse_frequencies(snapshot: Snapshot, terms: Sequence[str], channel: str) -> list[float]:
    """Return the BM25 inverse frequency of each term; 0 for those that no provision has."""
    size, frequencies = len(snapshot), snapshot.document_frequency(channel, terms)
    return [math.log1p((size - n + 0.5) / (n + 0.5)) if n else 0.0 for n in frequencies]


class _Groups(NamedTuple):
    """The works or chapters of candidates."""

    different: Rows
    places: Rows
    """The place of each candidate among them."""

    @staticmethod
    def of(column: Column) -> _Groups:
        return _Groups(*np.unique(column, return_inverse=True))

    def column(self, names: Sequence[str], values: Mapping[str, float]) -> Column | float:
        """Return the value of the name of each candidate's group; 0 where it has none."""
        if not values:
            return 0.0
        different: list[int] = self.different.tolist()
        found = [values.get(names[one], 0.0) for one in different]
        return np.asarray(found, dtype=np.float32)[self.places]

    def evidence(self, shares: Column) -> Column:
        """Return the logarithm of the evidence for the group of each candidate."""
        return np.log(np.bincount(self.places, shares)[self.places] + 1e-3).astype(np.float32)


def _column(scores: Mapping[int, float], rows: Rows) -> Column:
    """Return the score of each row, which are in order; 0 where there is none."""
    column = np.zeros(len(rows), dtype=np.float32)
    scored = np.fromiter(scores, dtype=np.int64, count=len(scores))
    places = np.searchsorted(rows, scored)
    among = places < len(rows)
    among[among] = rows[places[among]] == scored[among]
    values = np.fromiter(scores.values(), dtype=np.float32, count=len(scores))
    column[places[among]] = values[among]
    return column


def _among(rows: Rows, named: Collection[int]) -> Column | float:
    return np.isin(rows, list(named)) if named else 0.0


def _of_best(column: Column) -> Column:
    return column / (float(column.max()) or 1.0)


def _ranks(column: Column) -> tuple[Column, Column]:
    """Return the rank of each value as ln(1 + rank) / 5 and as 1 / (3 + rank); ties by row."""
    ranks = np.empty(len(column), dtype=np.float32)
    ranks[np.argsort(-column, kind="stable")] = np.arange(len(column))
    return np.log1p(ranks) / 5, 1 / (ranks + 3)


def _shares(column: Column, temperature: float) -> Column:
    """Return each row's share of all evidence: a softmax."""
    weights = np.exp((column - column.max()) / temperature)
    return weights / weights.sum()
