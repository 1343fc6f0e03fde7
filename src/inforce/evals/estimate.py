"""A mean with its 95 % confidence interval.

Shares of zeros and ones have Wilson's interval; other means and statistics the percentile interval
of a bootstrap over items with a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

import numpy as np

CONFIDENCE = 0.95
RESAMPLES = 1_000
SEED = 20_260_101

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, how sure it is, and over how many items."""

    value: float
    low: float | None
    high: float | None
    """The interval; ``None`` where one item alone says nothing about it."""
    n: int


def mean(values: Sequence[float | None]) -> Estimate | None:
    """The mean of what could be measured; ``None`` where nothing could.

    >>> mean([1.0, 0.0, None, 1.0, 1.0]).value
    0.75
    >>> mean([None]) is None
    True
    """
    known = [value for value in values if value is not None]
    if not known:
        return None
    if set(known) <= {0.0, 1.0}:
        return _share(sum(known == 1.0 for known in known), len(known))
    resampled = _resampled(len(known))
    means = np.asarray(known)[resampled].mean(axis=1) if len(known) > 1 else None
    return _interval(fmean(known), means, len(known))


def bootstrap(items: Sequence[T], statistic: Callable[[Sequence[T]], float]) -> Estimate | None:
    """Any statistic of items (a macro F1, a ratio of sums), its interval by resampling items."""
    if not items:
        return None
    value = statistic(items)
    if len(items) == 1:
        return Estimate(value, None, None, 1)
    drawn = [statistic([items[i] for i in row]) for row in _resampled(len(items))]
    return _interval(value, np.asarray(drawn), len(items))


def _share(successes: int, n: int) -> Estimate:
    """A share with Wilson's interval (1927)."""
    from scipy.stats import binomtest

    between = binomtest(successes, n).proportion_ci(CONFIDENCE, method="wilson")
    return Estimate(successes / n, float(between.low), float(between.high), n)


def _resampled(n: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.random.default_rng(SEED).integers(0, n, size=(RESAMPLES, n))


def _interval(
    value: float, drawn: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None, n: int
) -> Estimate:
    if drawn is None:
        return Estimate(value, None, None, n)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Estimate(value, float(low), float(high), n)
