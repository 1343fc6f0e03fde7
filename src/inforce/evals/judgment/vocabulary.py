"""Cases as numbers for a network: the words of the facts and the three decisions."""

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
"""The number of a decision that no training case has."""

TARGETS = ("article", "charge", "term")
"""The decisions, in the order in which a court makes them."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that are frequent enough to be learned."""

    words: tuple[str, ...]
    length: int
    """Words of a text that are read; the rest is cut off."""

    @property
    def size(self) -> int:
        """The number of codes: the words, the padding and the unknown word."""
        return len(self.words) + 2

    def encode(self, texts: Sequence[str]) -> Numbers:
        """One row for each text: the numbers of its words, padded on the right."""
        number = {word: place for place, word in enumerate(self.words, start=UNKNOWN + 1)}
        rows = np.full((len(texts), self.length), PADDING, dtype=np.int64)
        for row, text in zip(rows, texts, strict=True):
            words = tokenize(text)[: self.length] or [""]
            row[: len(words)] = [number.get(word, UNKNOWN) for word in words]
        return rows


def learn_vocabulary(
    texts: Iterable[str], *, at_least: int = 3, at_most: int = 20_000, length: int = 256
) -> Vocabulary:
    """The most frequent words of the texts, ties in alphabetical order."""
    counts = Counter(word for text in texts for word in tokenize(text))
    frequent = sorted((-count, word) for word, count in counts.items() if count >= at_least)
    return Vocabulary(tuple(word for _, word in frequent[:at_most]), length)


@dataclass(frozen=True, slots=True)
class Labels:
    """The possible decisions, and the months of each class of terms."""

    articles: tuple[int, ...]
    charges: tuple[str, ...]
    terms: tuple[int, ...]
    """The classes, of the ten, that occur."""
    months: tuple[int, ...]
    """The usual term of each of these classes."""

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The numbers of articles, charges and classes of terms."""
        return len(self.articles), len(self.charges), len(self.terms)

    def encode(self, cases: Sequence[Case]) -> Numbers:
        """One row a case: the numbers of its article, charge and term; `UNSEEN` if unknown."""
        known = [
            {label: place for place, label in enumerate(labels)}
            for labels in (self.articles, self.charges, self.terms)
        ]
        decisions = ((one.article, one.charge, ten(one.months or 0)) for one in cases)
        rows = [
            [of.get(label, UNSEEN) for of, label in zip(known, labels, strict=True)]
            for labels in decisions
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, len(TARGETS))

    def decode(self, rows: Numbers) -> list[Prediction]:
        """The predictions of rows of numbers."""
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
