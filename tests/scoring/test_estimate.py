"""Figures and how sure they are."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.scoring.estimate import Estimate, bootstrap, mean, mean_difference

NUMBERS = st.lists(st.floats(0, 100), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("values", "value", "low", "high", "n"),
    [
        # Wilson by hand for 3 of 4: (0.75 + z²/8 ± z √(0.75·0.25/4 + z²/64)) / (1 + z²/4)
        ([1.0, 1.0, 1.0, 0.0], 0.75, 0.300642, 0.954413, 4),
        ([0.0], 0.0, 0.0, 0.793451, 1),  # z² / (1 + z²)
        ([1.0, None], 1.0, 0.206549, 1.0, 1),
    ],
)
def test_a_share_of_zeros_and_ones_has_wilsons_interval(
    values: list[float | None], value: float, low: float, high: float, n: int
) -> None:
    estimate = mean(values)
    assert estimate is not None
    assert (estimate.value, estimate.n) == (value, n)
    assert estimate.low == pytest.approx(low, abs=1e-5)
    assert estimate.high == pytest.approx(high, abs=1e-5)


@pytest.mark.parametrize("values", [[], [None], [None, None]])
def test_nothing_measured_is_no_estimate_rather_than_zero(values: list[float | None]) -> None:
    assert mean(values) is None


def test_what_could_not_be_measured_counts_neither_way() -> None:
    assert mean([0.5, None, 1.0]) == mean([0.5, 1.0])


def test_one_item_alone_has_no_interval() -> None:
    assert mean([0.4]) == Estimate(0.4, None, None, 1)
    assert bootstrap(["a"], len) == Estimate(1, None, None, 1)
    assert mean_difference([(0.5, 0.2)]) == Estimate(0.3, None, None, 1)


def test_no_items_have_no_statistic() -> None:
    assert bootstrap([], len) is None
    assert mean_difference([]) is None


def test_the_interval_of_a_mean_narrows_with_more_items() -> None:
    few, many = mean([0.2, 0.8] * 5), mean([0.2, 0.8] * 500)
    assert few and many and few.low is not None and many.low is not None
    # The standard error of 10 such values is 0.3 / √10 = 0.095, so the interval is near ±0.19.
    assert few.low == pytest.approx(0.5 - 1.96 * 0.3 / 10**0.5, abs=0.03)
    assert many.low == pytest.approx(0.5 - 1.96 * 0.3 / 1000**0.5, abs=0.003)


@given(NUMBERS)
def test_a_bootstrapped_mean_is_the_mean_of_the_same_resamples(values: list[float]) -> None:
    plain, general = (
        mean([one + 2 for one in values]),
        bootstrap([one + 2 for one in values], fmean),
    )
    assert plain and general
    assert plain.value == general.value
    assert (plain.low is None) == (general.low is None)
    if plain.low is not None:
        assert plain.low == pytest.approx(general.low)
        assert plain.high == pytest.approx(general.high)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=30))
def test_a_difference_turned_round_is_its_negative(pairs: list[tuple[float, float]]) -> None:
    there = mean_difference(pairs)
    back = mean_difference([(second, first) for first, second in pairs])
    assert there and back and there.low is not None and back.high is not None
    assert there.value == pytest.approx(-back.value)
    assert there.low == pytest.approx(-back.high)


def test_differences_of_zero_and_one_are_no_share() -> None:
    """Gains without a loss lie in {0, 1}, but their interval is that of a mean difference."""
    found = mean_difference([(1.0, 0.0)] * 4)
    assert found == Estimate(1.0, 1.0, 1.0, 4)
