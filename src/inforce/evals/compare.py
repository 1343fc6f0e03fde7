"""Comparison of two runs of one benchmark, item by item: is the difference more than chance?

Only items that both runs measured count, each with its mean over epochs. The interval of a
difference resamples items; its p-value is that of McNemar's exact test for zeros and ones, else of
a paired permutation test (scipy's). If several measures are compared, Holm's correction (1979)
limits the chance of one false alarm to the level.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Literal

import numpy as np

from inforce.errors import UserError
from inforce.evals.benchmark import Record
from inforce.evals.results import Results
from inforce.evals.table import Row, Table
from inforce.scoring.estimate import SEED, Estimate, mean_difference

LEVEL = 0.05
"""A corrected p-value below it counts as a difference."""

PERMUTATIONS = 9_999

_NUMBERS_AT_ONCE = 2_000_000
"""Numbers of a permutation test in memory at a time."""

Test = Literal["McNemar", "permutation"]

Pair = tuple[float, float]
"""The values of both runs on one item."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two runs on one measure, over the items both measured."""

    measure: str
    first: float
    second: float
    """The means over these items."""
    difference: Estimate
    """First minus second."""
    higher: int
    """Items on which the first run is higher; whether that is better depends on the measure."""
    lower: int
    equal: int
    test: Test
    p: float
    corrected: float
    """The p-value after Holm's correction over all compared measures."""

    @property
    def n(self) -> int:
        """Items both runs measured."""
        return self.difference.n

    @property
    def is_significant(self) -> bool:
        """True if chance alone would rarely make such a difference."""
        return self.corrected < LEVEL


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs of one benchmark against each other."""

    first: str
    second: str
    """The names of the runs."""
    only_first: int
    """Items of the first run alone."""
    only_second: int
    differences: tuple[Difference, ...]


def compare(
    first: Results,
    second: Results,
    *,
    primary: str = "",
    outcomes: Collection[str] | None = None,
) -> Comparison:
    """Compare two runs on the measures both took, the primary one first.

    Args:
        first: the run whose advantage counts as positive.
        second: the other run.
        primary: the measure to list first.
        outcomes: the measures of the quality of answers; all by default. Tests of counts of steps
            and other bookkeeping would make the correction stricter for nothing. Of measures with
            the same values on every item only the first is tested.

    Raises:
        UserError: if they are runs of different benchmarks, or a common item differs in question
            or gold answer.
    """
    if first.info.benchmark != second.info.benchmark:
        raise UserError(
            f"cannot compare a run of {first.info.benchmark!r} with one of "
            f"{second.info.benchmark!r}: choose two runs of one benchmark"
        )
    items = {one.id: one for one in first.records}, {one.id: one for one in second.records}
    _refuse_changed_items(*items)
    taken = [{name for one in run.records for name in one.values} for run in (first, second)]
    both = taken[0] & taken[1]
    measures = both if outcomes is None else both & set(outcomes)
    found: list[Difference] = []
    seen: list[tuple[dict[str, float], dict[str, float]]] = []
    for measure in sorted(measures, key=lambda one: (one != primary, one)):
        values = _values(first.records, measure), _values(second.records, measure)
        if values not in seen:
            seen.append(values)
            if difference := _difference(measure, *values):
                found.append(difference)
    comparison = Comparison(
        first.name,
        second.name,
        only_first=len(items[0].keys() - items[1].keys()),
        only_second=len(items[1].keys() - items[0].keys()),
        differences=tuple(found),
    )
    return corrected_together([comparison])[0]


def corrected_together(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """The same comparisons with one correction over all their tests."""
    corrected = iter(holm([one.p for found in comparisons for one in found.differences]))
    return tuple(
        replace(
            found,
            differences=tuple(replace(one, corrected=next(corrected)) for one in found.differences),
        )
        for found in comparisons
    )


def mcnemar(higher: int, lower: int) -> float:
    """McNemar's exact two-sided p-value: could the differing items have gone either way?"""
    from scipy import stats

    if higher + lower == 0:
        return 1.0
    exact: Any = stats.binomtest(higher, higher + lower, 0.5)  # scipy ships no types
    return float(exact.pvalue)


def paired_permutation(pairs: Sequence[Pair]) -> float:
    """The two-sided p-value of a mean difference when either run could have had either value.

    Swapping an item's values turns the sign of its difference. All ways to do so are counted for up
    to 13 items, else `PERMUTATIONS` of them are drawn with a fixed seed.
    """
    from scipy import stats

    differences = np.asarray([first - second for first, second in pairs])
    size = float(np.abs(differences).sum())
    if size == 0 or len(pairs) == 1:
        return 1.0

    def distance(values: Any, axis: int) -> Any:
        return np.abs(values.sum(axis=axis)).round(12)  # rounding errors are no difference

    tested: Any = stats.permutation_test(
        (differences / size,),
        distance,
        permutation_type="samples",
        alternative="greater",
        vectorized=True,
        n_resamples=PERMUTATIONS,
        batch=max(1, _NUMBERS_AT_ONCE // len(pairs)),
        rng=np.random.default_rng(SEED),
    )
    return float(tested.pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: the smallest p-value times their number, the next times one less, ….

    >>> [round(p, 4) for p in holm([0.25, 0.01, 0.03])]
    [0.25, 0.03, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    times = len(p_values) - np.arange(len(p_values))
    grown = np.maximum.accumulate(np.asarray(p_values, dtype=float)[order] * times)
    corrected = np.empty(len(p_values))
    corrected[order] = np.minimum(grown, 1.0)
    return corrected.tolist()


def _refuse_changed_items(first: Mapping[str, Record], second: Mapping[str, Record]) -> None:
    for id in sorted(first.keys() & second.keys()):
        one, other = first[id], second[id]
        if (one.question, one.target) != (other.question, other.target):
            what = "question" if one.question != other.question else "gold answer"
            raise UserError(
                f"cannot compare: item {id!r} has another {what} in the second run; "
                "run both on the same benchmark file"
            )


def _values(records: Iterable[Record], measure: str) -> dict[str, float]:
    """The measure of each item, the mean over the epochs that could be measured."""
    values: dict[str, list[float]] = {}
    for one in records:
        value = one.values.get(measure)
        if one.is_scored and value is not None:
            values.setdefault(one.id, []).append(value)
    return {id: fmean(of) for id, of in values.items()}


def _difference(
    measure: str, first: Mapping[str, float], second: Mapping[str, float]
) -> Difference | None:
    """The runs on a measure; ``None`` if they share no item that both measured."""
    pairs = [(first[id], second[id]) for id in sorted(first.keys() & second.keys())]
    difference = mean_difference(pairs)
    if difference is None:
        return None
    higher = sum(one > other for one, other in pairs)
    lower = sum(one < other for one, other in pairs)
    is_binary = {value for pair in pairs for value in pair} <= {0, 1}
    p = mcnemar(higher, lower) if is_binary else paired_permutation(pairs)
    return Difference(
        measure,
        fmean(one for one, _ in pairs),
        fmean(other for _, other in pairs),
        difference,
        higher,
        lower,
        len(pairs) - higher - lower,
        "McNemar" if is_binary else "permutation",
        p,
        corrected=p,
    )


def comparison_table(found: Comparison) -> Table:
    """A comparison as a table, a row for each measure."""
    if found.only_first or found.only_second:
        left_out = (
            f"Left out: {_items(found.only_first)} only the first run holds, "
            f"{_items(found.only_second)} only the second."
        )
    else:
        left_out = "Both runs hold the same items."
    rows: list[Row] = []
    for one in found.differences:
        means, counts = (one.first, one.second), (one.higher, one.lower, one.equal)
        p_values = p_text(one.p), p_text(one.corrected)
        cells = (one.n, *means, one.difference, *counts, one.test, *p_values)
        rows.append(Row(one.measure, cells))
    heads = ("items", "first", "second", "difference", "higher", "lower", "equal")
    return Table(
        f"{found.first} against {found.second}",
        (*heads, "test", "p", "p (Holm)"),
        tuple(rows),
        "number",
        "Items both runs measured. Difference: first minus second, 95 % interval by resampling "
        f"items. {left_out}",
    )


def p_text(p: float) -> str:
    """A p-value as papers print it.

    >>> p_text(0.0312), p_text(0.00004)
    ('0.031', '<0.001')
    """
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _items(number: int) -> str:
    return "1 item" if number == 1 else f"{number} items"


def sentence(one: Difference, *, first: str, second: str) -> str:
    """A difference in words."""
    low, high = one.difference.low, one.difference.high
    between = "" if low is None or high is None else f", 95 % interval {low:+.3f} to {high:+.3f}"
    p, corrected = (p_text(p) if p < 0.001 else f"= {p_text(p)}" for p in (one.p, one.corrected))
    verdict = (
        "Chance alone would rarely make such a difference"
        if one.is_significant
        else "That may be chance: these runs do not show which is higher"
    )
    return (
        f"{one.measure}: {first} has {one.first:.3f}, {second} {one.second:.3f} over "
        f"{_items(one.n)} both measured (difference {one.difference.value:+.3f}{between}). "
        f"{verdict} ({one.test}: p {p}; by Holm's correction p {corrected})."
    )
