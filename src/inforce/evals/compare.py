"""Two runs of one benchmark, item by item: is the difference more than chance?

Only items both runs measured count, each with its mean over epochs. The interval of a difference
resamples items; its p-value is McNemar's exact one for zeros and ones, else that of a paired
permutation test with a fixed seed. Where several measures are compared, Holm's correction (1979)
keeps the chance of one false alarm below the level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from inforce.errors import UserError
from inforce.evals.benchmark import Record
from inforce.evals.results import Results
from inforce.evals.table import Cell, Row, Table
from inforce.scoring.estimate import SEED, Estimate, mean_difference

LEVEL = 0.05
"""A corrected p-value below it is called a difference."""

PERMUTATIONS = 9_999

_BATCHES = 33
"""Draws are made in parts, so that thousands of items need little memory."""

_COUNTED_ITEMS = 13
"""Up to as many items have fewer ways to swap their values than would be drawn."""

_ROUNDING = 1e-12

Test = Literal["McNemar", "permutation"]

Pair = tuple[float, float]
"""What both runs reached on one item."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two runs on one measure, over the items both measured."""

    measure: str
    first: float
    second: float
    """Their means over the common items."""
    difference: Estimate
    """First minus second."""
    higher: int
    """Items on which the first run is higher; the measure says whether that is better."""
    lower: int
    equal: int
    test: Test
    p: float
    corrected: float
    """After Holm's correction over all measures compared."""

    @property
    def n(self) -> int:
        """Items both runs measured."""
        return self.difference.n

    @property
    def is_significant(self) -> bool:
        """Whether chance alone would rarely make such a difference."""
        return self.corrected < LEVEL


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs of one benchmark against each other."""

    first: str
    second: str
    """What the runs are called."""
    only_first: int
    """Items only the first run holds."""
    only_second: int
    differences: tuple[Difference, ...]


def compare(
    first: Results, second: Results, *, primary: str = "", names: tuple[str, str] | None = None
) -> Comparison:
    """Compare two runs on every measure both took, the primary one first.

    Args:
        first: the run whose advantage counts as positive.
        second: what it is held against.
        primary: the measure to list first.
        names: what to call the runs, where their own names do not tell them apart.

    Raises:
        UserError: if they are runs of different benchmarks, or a common item differs in question
            or gold answer.
    """
    if first.info.benchmark != second.info.benchmark:
        raise UserError(
            f"cannot compare a run of {first.info.benchmark!r} with one of "
            f"{second.info.benchmark!r}: choose two runs of one benchmark"
        )
    ours, theirs = _by_item(first.records), _by_item(second.records)
    _refuse_changed_items(ours, theirs)
    called = names or (first.name, second.name)
    found = (_difference(name, ours, theirs) for name in _measures(ours, theirs, primary))
    return Comparison(
        *called,
        only_first=len(ours.keys() - theirs.keys()),
        only_second=len(theirs.keys() - ours.keys()),
        differences=holm([one for one in found if one]),
    )


def holm(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """The differences with their p-values corrected for how many there are."""
    corrected = holm_corrected([one.p for one in differences])
    pairs = zip(differences, corrected, strict=True)
    return tuple(replace(one, corrected=p) for one, p in pairs)


def holm_corrected(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: the smallest p-value times their number, the next times one less, ….

    >>> holm_corrected([0.25, 0.01, 0.03])
    [0.25, 0.03, 0.06]
    """
    corrected = [1.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = highest
    return corrected


def mcnemar(higher: int, lower: int) -> float:
    """McNemar's exact two-sided p-value: could the items that differ have fallen either way?"""
    from scipy import stats

    if higher + lower == 0:
        return 1.0
    exact: Any = stats.binomtest(higher, higher + lower, 0.5)  # scipy ships no types
    return float(exact.pvalue)


def paired_permutation(pairs: Sequence[Pair]) -> float:
    """The two-sided p-value of a mean difference when either run could have had either value.

    Swapping an item's values turns the sign of its difference. All ways to do so are counted where
    the items are few, else `PERMUTATIONS` of them are drawn with a fixed seed.
    """
    differences = np.asarray([first - second for first, second in pairs])
    least = abs(differences.sum()) - _ROUNDING * np.abs(differences).sum()
    if len(pairs) <= _COUNTED_ITEMS:
        sums = np.abs(_all_signs(len(pairs)) @ differences)
        return float((sums >= least).mean())
    drawn = np.random.default_rng(SEED)
    reached = 0
    for _ in range(_BATCHES):
        signs = drawn.integers(0, 2, size=(PERMUTATIONS // _BATCHES, len(pairs))) * 2.0 - 1.0
        reached += int((np.abs(signs @ differences) >= least).sum())
    return (reached + 1) / (PERMUTATIONS + 1)  # what was observed is one of the ways


def _all_signs(n: int) -> npt.NDArray[np.int64]:
    """Every way to give n numbers a sign, a row a way."""
    return np.asarray(list(product((-1, 1), repeat=n)), dtype=np.int64)


def _by_item(records: Iterable[Record]) -> dict[str, list[Record]]:
    """The epochs of each item that got to their end or not, by its id."""
    items: dict[str, list[Record]] = {}
    for one in records:
        items.setdefault(one.id, []).append(one)
    return items


def _refuse_changed_items(
    first: Mapping[str, Sequence[Record]], second: Mapping[str, Sequence[Record]]
) -> None:
    for id in sorted(first.keys() & second.keys()):
        one, other = first[id][0], second[id][0]
        if (one.question, one.target) != (other.question, other.target):
            what = "question" if one.question != other.question else "gold answer"
            raise UserError(
                f"cannot compare: item {id!r} has another {what} in the second run; "
                "run both on the same benchmark file"
            )


def _measures(
    first: Mapping[str, Sequence[Record]], second: Mapping[str, Sequence[Record]], primary: str
) -> list[str]:
    """What both runs took, the primary measure first."""
    taken = _taken(first) & _taken(second)
    return sorted(taken, key=lambda name: (name != primary, name))


def _taken(items: Mapping[str, Sequence[Record]]) -> set[str]:
    return {name for epochs in items.values() for one in epochs for name in one.values}


def _difference(
    measure: str, first: Mapping[str, Sequence[Record]], second: Mapping[str, Sequence[Record]]
) -> Difference | None:
    """The runs on a measure; ``None`` where they share no item that both measured."""
    pairs = _pairs(_values(first, measure), _values(second, measure))
    difference = mean_difference(pairs)
    if difference is None:
        return None
    higher = sum(ours > theirs for ours, theirs in pairs)
    lower = sum(ours < theirs for ours, theirs in pairs)
    test: Test = (
        "McNemar" if {value for pair in pairs for value in pair} <= {0, 1} else "permutation"
    )
    p = mcnemar(higher, lower) if test == "McNemar" else paired_permutation(pairs)
    return Difference(
        measure,
        fmean(ours for ours, _ in pairs),
        fmean(theirs for _, theirs in pairs),
        difference,
        higher,
        lower,
        len(pairs) - higher - lower,
        test,
        p,
        corrected=p,
    )


def _values(items: Mapping[str, Sequence[Record]], measure: str) -> dict[str, float]:
    """The measure of each item, its mean over the epochs that could be measured."""
    known = {
        id: [value for one in epochs if (value := _value(one, measure)) is not None]
        for id, epochs in items.items()
    }
    return {id: fmean(values) for id, values in known.items() if values}


def _value(record: Record, measure: str) -> float | None:
    return record.values.get(measure) if record.is_scored else None


def _pairs(first: Mapping[str, float], second: Mapping[str, float]) -> list[Pair]:
    return [(first[id], second[id]) for id in sorted(first.keys() & second.keys())]


def comparison_table(found: Comparison) -> Table:
    """A comparison as a table, a row a measure."""
    return Table(
        f"{found.first} against {found.second}",
        ("items", "first", "second", "difference", "higher", "lower", "equal", *_P_VALUES),
        tuple(Row(one.measure, _cells(one)) for one in found.differences),
        "number",
        "Items both runs measured. Difference: first minus second, 95 % interval by resampling "
        f"items. {_left_out(found)}",
    )


_P_VALUES = ("test", "p", "p (Holm)")


def _cells(one: Difference) -> tuple[Cell, ...]:
    counts = one.higher, one.lower, one.equal
    p_values = p_text(one.p), p_text(one.corrected)
    return one.n, one.first, one.second, one.difference, *counts, one.test, *p_values


def p_text(p: float) -> str:
    """A p-value as papers print it.

    >>> p_text(0.0312), p_text(0.00004)
    ('0.031', '<0.001')
    """
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _left_out(found: Comparison) -> str:
    """How many items only one run holds: they say nothing about the difference."""
    if not found.only_first and not found.only_second:
        return "Both runs hold the same items."
    return (
        f"Left out: {_items(found.only_first)} only the first run holds, "
        f"{_items(found.only_second)} only the second."
    )


def _items(number: int) -> str:
    return "1 item" if number == 1 else f"{number} items"


def sentence(one: Difference, *, first: str, second: str) -> str:
    """What a difference means, in words."""
    low, high = one.difference.low, one.difference.high
    between = "" if low is None or high is None else f", 95 % interval {low:+.3f} to {high:+.3f}"
    return (
        f"{one.measure}: {first} has {one.first:.3f}, {second} {one.second:.3f} over "
        f"{_items(one.n)} both measured (difference {one.difference.value:+.3f}{between}). "
        f"{_verdict(one)}"
    )


def _verdict(one: Difference) -> str:
    told = f"{one.test}: p {_equals(one.p)}; by Holm's correction p {_equals(one.corrected)}"
    if one.is_significant:
        return f"Chance alone would rarely make such a difference ({told})."
    return f"That may be chance: these runs do not show which is higher ({told})."


def _equals(p: float) -> str:
    return p_text(p) if p < 0.001 else f"= {p_text(p)}"
