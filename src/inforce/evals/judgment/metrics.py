"""Accuracy and macro precision, recall and F1 over labels, as PLJP computes them.

Every label that some case has or some prediction names counts as much as any other, the label of
"nothing could be read" too; a label nobody predicted has precision 0, one nobody has recall 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inforce.scoring.estimate import CONFIDENCE, RESAMPLES, SEED, Estimate, mean

Codes = NDArray[np.int64]
Figures = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scores:
    """How well labels were predicted."""

    accuracy: Estimate
    precision: Estimate
    recall: Estimate
    f1: Estimate


def scores(gold: Sequence[str], predicted: Sequence[str]) -> Scores | None:
    """Accuracy with Wilson's interval, macro figures with a bootstrap's; ``None`` for no case.

    >>> found = scores(["a", "a", "b"], ["a", "b", "b"])
    >>> found and (round(found.accuracy.value, 4), found.precision.value, found.recall.value)
    (0.6667, 0.75, 0.75)
    """
    accuracy = mean([float(a == b) for a, b in zip(gold, predicted, strict=True)])
    if accuracy is None:
        return None
    code = {label: number for number, label in enumerate(sorted({*gold, *predicted}))}
    truth = np.array([code[label] for label in gold], dtype=np.int64)
    guess = np.array([code[label] for label in predicted], dtype=np.int64)
    return Scores(accuracy, *_with_intervals(truth, guess, len(code)))


def _with_intervals(truth: Codes, guess: Codes, labels: int) -> list[Estimate]:
    """The three macro figures; one resample serves them all, which makes it quick.

    Labels that few cases have are missing from many resamples, and each that is missing lifts the
    mean over the rest. So the percentiles are moved until their middle is the figure itself.
    """
    values, n = _macro(truth, guess, labels), len(truth)
    if n == 1:
        return [Estimate(float(value), None, None, 1) for value in values]
    rows = np.random.default_rng(SEED)
    drawn = [rows.integers(0, n, size=n) for _ in range(RESAMPLES)]
    resampled = np.array([_macro(truth[row], guess[row], labels) for row in drawn])
    tail = (1 - CONFIDENCE) / 2
    low, middle, high = np.quantile(resampled, [tail, 0.5, 1 - tail], axis=0)
    bounds = np.clip([values + low - middle, values + high - middle], 0.0, 1.0)
    return [
        Estimate(float(value), float(least), float(most), n)
        for value, least, most in zip(values, *bounds, strict=True)
    ]


def _macro(truth: Codes, guess: Codes, labels: int) -> Figures:
    """Precision, recall and F1, each the mean over the labels there are."""
    had = np.bincount(truth, minlength=labels)
    named = np.bincount(guess, minlength=labels)
    right = np.bincount(truth[truth == guess], minlength=labels)
    there = had + named > 0
    had, named, right = had[there], named[there], right[there]
    each = right / np.maximum(named, 1), right / np.maximum(had, 1), 2 * right / (had + named)
    return np.array([one.mean() for one in each])
