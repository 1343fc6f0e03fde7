"""A mean with its 95 % confidence interval.

Shares of zeros and ones have Wilson's interval; other means and statistics the percentile interval
of a bootstrap over items with a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95
RESAMPLES = 1_000
SEED = 20_260_101
PLACES = 100_000
"""Drawn at a time, unless one resample holds more: all at once would fill the memory."""

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
        return _share(sum(value == 1.0 for value in known), len(known))
    if len(known) == 1:
        return Estimate(known[0], None, None, 1)
    return _interval(fmean(known), _means_of_resamples(known), len(known))


def mean_difference(pairs: Sequence[tuple[float, float]]) -> Estimate | None:
    """How much higher the first of each pair is on average, resampling whole pairs.

    >>> mean_difference([(1.0, 0.0), (1.0, 1.0)]).value
    0.5
    """
    if not pairs:
        return None
    differences = [first - second for first, second in pairs]
    if len(differences) == 1:
        return Estimate(differences[0], None, None, 1)
    return _interval(fmean(differences), _means_of_resamples(differences), len(differences))


def bootstrap(items: Sequence[T], statistic: Callable[[Sequence[T]], float]) -> Estimate | None:
    """Any statistic of items (a macro F1, a ratio of sums), its interval by resampling items."""
    if not items:
        return None
    value = statistic(items)
    if len(items) == 1:
        return Estimate(value, None, None, 1)
    drawn = [statistic([items[i] for i in row]) for row in _resamples(len(items))]
    return _interval(value, drawn, len(items))


def _share(successes: int, n: int) -> Estimate:
    """A share with Wilson's interval (1927)."""
    from scipy import stats

    exact: Any = stats.binomtest(successes, n)  # scipy ships no types
    between = exact.proportion_ci(CONFIDENCE, method="wilson")
    return Estimate(successes / n, float(between.low), float(between.high), n)


def _means_of_resamples(values: Sequence[float]) -> list[float]:
    known = np.asarray(values, dtype=np.float64)
    means = [known[rows].mean(axis=1) for rows in _drawn(len(values))]
    return np.concatenate(means).tolist()


def _resamples(n: int) -> Iterator[list[int]]:
    """The places of the items each resample holds."""
    for rows in _drawn(n):
        yield from rows.tolist()


def _drawn(n: int) -> Iterator[npt.NDArray[np.int64]]:
    """A row a resample, some rows at a time; always the same rows for as many items."""
    drawn, some = np.random.default_rng(SEED), max(1, PLACES // n)
    for done in range(0, RESAMPLES, some):
        yield drawn.integers(0, n, size=(min(some, RESAMPLES - done), n))


def _interval(value: float, drawn: Sequence[float], n: int) -> Estimate:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.asarray(drawn), [tail, 1 - tail])
    return Estimate(value, float(low), float(high), n)
