"""What a network sees of a case: the words of the facts and the three decisions, as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from inforce.evals.judgment.predictors import Prediction
from inforce.retrieval.tokens import tokenize
from inforce.scoring.cases import Case
from inforce.scoring.term_classes import ten, usual_months

Numbers = NDArray[np.int64]

PADDING = 0
UNKNOWN = 1
UNSEEN = -1
"""The number of a decision no training case has."""

TARGETS = ("article", "charge", "term")
"""What is decided, in the order in which a court gets there."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that are frequent enough to be learned."""

    words: tuple[str, ...]
    length: int
    """Words of a text that are read; later ones are cut off."""

    @property
    def size(self) -> int:
        """How many numbers there are: the words, the padding and the unknown word."""
        return len(self.words) + 2

    def encode(self, texts: Sequence[str]) -> Numbers:
        """One row a text: its words' numbers, padded on the right."""
        number = {word: place for place, word in enumerate(self.words, start=UNKNOWN + 1)}
        rows = np.full((len(texts), self.length), PADDING, dtype=np.int64)
        for row, text in zip(rows, texts, strict=True):
            words = tokenize(text)[: self.length] or [""]
            row[: len(words)] = [number.get(word, UNKNOWN) for word in words]
        return rows


def learn_vocabulary(
    texts: Iterable[str], *, at_least: int = 3, at_most: int = 20_000, length: int = 256
) -> Vocabulary:
    """The most frequent words of the texts, ties in the order of the words themselves."""
    counts = Counter(word for text in texts for word in tokenize(text))
    frequent = sorted((-count, word) for word, count in counts.items() if count >= at_least)
    return Vocabulary(tuple(word for _, word in frequent[:at_most]), length)


@dataclass(frozen=True, slots=True)
class Labels:
    """The decisions there are to choose from, and what a class of terms means in months."""

    articles: tuple[int, ...]
    charges: tuple[str, ...]
    terms: tuple[int, ...]
    """Of the ten classes, those that occur."""
    months: tuple[int, ...]
    """The usual term of each of these classes."""

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many articles, charges and classes of terms there are."""
        return len(self.articles), len(self.charges), len(self.terms)

    def encode(self, cases: Sequence[Case]) -> Numbers:
        """One row a case: the numbers of its article, charge and term, `UNSEEN` if not known."""
        known = [
            {label: place for place, label in enumerate(labels)}
            for labels in (self.articles, self.charges, self.terms)
        ]
        rows = [
            [of.get(label, UNSEEN) for of, label in zip(known, _decisions(one), strict=True)]
            for one in cases
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, len(TARGETS))

    def decode(self, rows: Numbers) -> list[Prediction]:
        """What rows of numbers stand for."""
        return [
            Prediction(self.articles[article], self.charges[charge], self.months[term])
            for article, charge, term in cast("list[list[int]]", rows.tolist())
        ]


def learn_labels(train: Sequence[Case]) -> Labels:
    """The decisions that occur in the cases."""
    months = usual_months(train)
    return Labels(
        tuple(sorted({case.article for case in train})),
        tuple(sorted({case.charge for case in train})),
        tuple(months),
        tuple(months.values()),
    )


def _decisions(case: Case) -> tuple[int, str, int]:
    return case.article, case.charge, ten(case.months or 0)
