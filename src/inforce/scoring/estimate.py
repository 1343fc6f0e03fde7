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
"""Places drawn at a time, or one resample if it has more: all at once would fill the memory."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its confidence interval and its number of items."""

    value: float
    low: float | None
    high: float | None
    """The interval; ``None`` for a single item that is no zero or one."""
    n: int


def mean(values: Sequence[float | None]) -> Estimate | None:
    """The mean of the values that are not missing; ``None`` if all are.

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
    return _resampled_mean(known)


def mean_difference(pairs: Sequence[tuple[float, float]]) -> Estimate | None:
    """The mean of first minus second, resampling whole pairs.

    >>> mean_difference([(1.0, 0.0), (1.0, 1.0)]).value
    0.5
    """
    differences = [first - second for first, second in pairs]
    return _resampled_mean(differences) if differences else None


def bootstrap(items: Sequence[T], statistic: Callable[[Sequence[T]], float]) -> Estimate | None:
    """Any statistic of items (a macro F1, a ratio of sums), its interval by resampling items."""
    if not items:
        return None
    value = statistic(items)
    if len(items) == 1:
        return Estimate(value, None, None, 1)
    drawn: list[float] = []
    for some in _resamples(len(items)):
        rows: list[list[int]] = some.tolist()
        drawn += [statistic([items[i] for i in row]) for row in rows]
    return _interval(value, drawn, len(items))


def _share(successes: int, n: int) -> Estimate:
    """A share with Wilson's interval (1927)."""
    from scipy import stats

    exact: Any = stats.binomtest(successes, n)  # scipy ships no types
    between = exact.proportion_ci(CONFIDENCE, method="wilson")
    return Estimate(successes / n, float(between.low), float(between.high), n)


def _resampled_mean(values: Sequence[float]) -> Estimate:
    if len(values) == 1:
        return Estimate(values[0], None, None, 1)
    known = np.asarray(values, dtype=np.float64)
    means = [known[rows].mean(axis=1) for rows in _resamples(len(values))]
    return _interval(fmean(values), np.concatenate(means).tolist(), len(values))


def _resamples(n: int) -> Iterator[npt.NDArray[np.int64]]:
    """The places of the items of each resample, a row each; the same rows for the same n."""
    drawn, some = np.random.default_rng(SEED), max(1, PLACES // n)
    for done in range(0, RESAMPLES, some):
        yield drawn.integers(0, n, size=(min(some, RESAMPLES - done), n))


def _interval(value: float, drawn: Sequence[float], n: int) -> Estimate:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.asarray(drawn), [tail, 1 - tail])
    return Estimate(value, float(low), float(high), n)
