"""Candidates for a question: the provisions that its channels find, with their features.

The channels are words and pairs of characters (BM25), dense vectors, what the glossary of lay words
stands for and points at, known questions, and what the question or a topic names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from inforce.dates import DateRange
from inforce.retrieval.features import (
    ChannelFeatures,
    Column,
    Evidence,
    Rows,
    inverse_frequencies,
)
from inforce.retrieval.known_questions import KnownQuestions
from inforce.retrieval.metadata import ProvisionMetadata
from inforce.retrieval.provisions import wording_term, work_locator
from inforce.retrieval.query import SearchQuery
from inforce.retrieval.text_features import ProvisionTexts, QuestionText, has_word_for_word
from inforce.store import DENSE, EXACT, ExactTerms, Matrix, Query, Scored, Snapshot

WORDS_DEPTH = PAIRS_DEPTH = 150
DENSE_DEPTH = 200
STATUTORY_DEPTH = POINTED_DEPTH = NAMED_DEPTH = 80
KNOWN_DEPTH = 60
"""Candidates each channel gives, before local law of other places is left out."""

_WIDE_POINTER = 120
"""A pointer at more wordings than this only says which law is meant."""

_QUOTED_AT_MOST, _SHORTEST_QUOTED = 3, 14
"""Provisions of local law that a question may quote, and the characters of its sentence."""


class DenseChannel(Protocol):
    """The dense channel; training puts another encoder in its place."""

    @property
    def encode(self) -> Callable[[str], Matrix]:
        """Makes the vector of a question."""
        ...

    def nearest(self, vector: Matrix, *, during: Sequence[DateRange], k: int) -> list[Scored]:
        """Return the best k rows."""
        ...

    def scores(self, vector: Matrix, rows: Sequence[int]) -> Column:
        """Return the cosines of given rows."""
        ...


@dataclass(frozen=True)
class StoredDense:
    """The dense channel of an index."""

    snapshot: Snapshot
    encode: Callable[[str], Matrix]

    def nearest(self, vector: Matrix, *, during: Sequence[DateRange], k: int) -> list[Scored]:
        """Return the best k rows."""
        return self.snapshot.search(DENSE, vector, during=during, k=k)

    def scores(self, vector: Matrix, rows: Sequence[int]) -> Column:
        """Return the cosines of given rows."""
        return self.snapshot.similarities(vector, rows)


@dataclass(frozen=True)
class Candidates:
    """The provisions found for a question: a row of the index and a line of features for each."""

    query: SearchQuery
    rows: Rows
    columns: Matrix
    """A column for each feature in `inforce.retrieval.features.OF_CHANNELS`."""
    text: QuestionText
    """The question, as it is compared with the texts of candidates."""
    familiar: tuple[float, float]
    """The shares of its words and of its pairs of characters that known questions had."""
    primary_rules: Collection[int]
    """The rows of rules that topics name for the question."""
    secondary_rules: Collection[int]
    """The rows of rules that answer where the primary ones did not exist yet."""

    def __len__(self) -> int:
        return len(self.rows)


class CandidateSearch:
    """Searches the channels of one snapshot.

    Args:
        snapshot: of the index.
        metadata: of its provisions.
        known: questions whose answers are known.
        dense: the dense channel.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        metadata: ProvisionMetadata,
        known: KnownQuestions,
        dense: DenseChannel,
    ) -> None:
        self._snapshot = snapshot
        self._metadata = metadata
        self._known = known
        self._dense = dense
        self._features = ChannelFeatures(snapshot, metadata, known)
        self._texts = ProvisionTexts(snapshot)

    def candidates(
        self,
        query: SearchQuery,
        *,
        during: Sequence[DateRange],
        works: Collection[str] = (),
        least: int = 0,
    ) -> Candidates:
        """Return every provision that a channel finds for a question, with its features.

        Args:
            query: what is searched.
            during: the days; none: any.
            works: laws that the question names.
            least: how many provisions each channel of words is asked for at least.
        """

        def search(channel: str, terms: Mapping[str, float], k: int) -> dict[int, float]:
            return self._search(channel, terms, during, k) if terms else {}

        def with_terms(terms: Sequence[str]) -> dict[int, float]:
            return search(EXACT, dict.fromkeys(terms, 1.0), NAMED_DEPTH)

        words = search("words", query.words, max(least, WORDS_DEPTH))
        pairs = search("bigrams", query.pairs, max(least, PAIRS_DEPTH))
        statutory = search("words", query.statutory, STATUTORY_DEPTH)
        pointed = search(EXACT, self._weighed_pointers(query.pointers), POINTED_DEPTH)
        known = self._known.articles.scores(query.question_words)
        wordings = {wording_term(name): score for name, score in known.best(KNOWN_DEPTH).items()}
        vector = self._dense.encode(query.encoded)
        nearest = self._dense.nearest(vector, during=during, k=DENSE_DEPTH)
        of_works = ExactTerms({work_locator(work): 1.0 for work in works}, query.content)
        captions, headings = with_terms(query.captions), with_terms(query.headings)
        primary = with_terms(query.primary_rules).keys()
        secondary = with_terms(query.secondary_rules).keys() - primary
        every = {
            *(words | pairs | statutory | pointed | dict(nearest)),
            *search(EXACT, wordings, KNOWN_DEPTH),
            *(self._search("words", of_works, during, NAMED_DEPTH) if works else ()),
            *(captions | headings),
            *primary,
            *secondary,
        }
        text = QuestionText.of(query, partial(inverse_frequencies, self._snapshot))
        rows = self._governing(np.asarray(sorted(every), dtype=np.int64), query, works, pairs, text)
        cosines = self._dense.scores(vector, rows.tolist())
        evidence = Evidence(
            words=words,
            pairs=pairs,
            statutory=statutory,
            pointed=pointed,
            cosines=cosines,
            known=known,
            works=works,
            captions=captions,
            headings=headings,
            primary_rules=primary,
            secondary_rules=secondary,
        )
        features = self._features.of(query, rows, evidence)
        familiar = (
            self._known.familiar(word for word in query.words if len(word) > 1),
            self._known.familiar(f"#{pair}" for pair in query.pairs),
        )
        return Candidates(query, rows, features, text, familiar, primary, secondary)

    def with_texts(self, candidates: Candidates, chosen: Rows) -> Matrix:
        """Return the features of some candidates with those of their texts (all of `FEATURES`)."""
        texts = self._texts.of(candidates.rows[chosen].tolist())
        features = candidates.columns[chosen], candidates.text.features(texts)
        return np.concatenate(features, axis=1)

    def _search(
        self, channel: str, query: Query, during: Sequence[DateRange], k: int
    ) -> dict[int, float]:
        return dict(self._snapshot.search(channel, query, during=during, k=k))

    def _weighed_pointers(self, pointers: Mapping[str, float]) -> dict[str, float]:
        """Return pointers with weights: one that matches many provisions says less of each."""
        terms = list(pointers)
        matched = self._snapshot.document_frequency(EXACT, terms)
        return {
            term: pointers[term] / (1 + math.log(n))
            for term, n in zip(terms, matched, strict=True)
            if 0 < n <= _WIDE_POINTER
        }

    def _governing(
        self,
        rows: Rows,
        query: SearchQuery,
        works: Collection[str],
        pairs: Mapping[int, float],
        text: QuestionText,
    ) -> Rows:
        """Return the rows without local law that the question neither names nor quotes."""
        places, names = self._metadata.places, self._metadata.works

        def governs(work: int) -> bool:
            place = places[work]
            return names[work] in works or (
                place is not None and any(place.governs(one) for one in query.places)
            )

        of_row = self._metadata.rows["work"][rows]
        is_local = self._metadata.is_local[of_row]
        governing = [work for work in set(of_row[is_local].tolist()) if governs(work)]
        kept = ~is_local | np.isin(of_row, governing)
        elsewhere: list[int] = rows[~kept].tolist()
        if not elsewhere or len(query.last_sentence) < _SHORTEST_QUOTED:
            return rows[kept]
        # What shares most pairs of characters with the question may be what it quotes.
        elsewhere.sort(key=lambda row: -pairs.get(row, 0.0))
        best = np.asarray(elsewhere[:_QUOTED_AT_MOST], dtype=np.int64)
        quoted = best[has_word_for_word(text.features(self._texts.of(best.tolist())))]
        return rows[kept | np.isin(rows, quoted)]
