"""Two runs of one benchmark, item by item."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.errors import UserError
from inforce.evals.benchmark import Record
from inforce.evals.compare import (
    Comparison,
    Difference,
    compare,
    comparison_table,
    holm,
    mcnemar,
    paired_permutation,
    sentence,
)
from inforce.evals.table import to_markdown
from stored_runs import record, results


def runs(first: Sequence[float | None], second: Sequence[float | None]) -> Comparison:
    ours = [record(f"q{place}", value) for place, value in enumerate(first)]
    theirs = [record(f"q{place}", value) for place, value in enumerate(second)]
    return compare(results(*ours), results(*theirs, agent="direct"))


def only(found: Comparison) -> Difference:
    (one,) = found.differences
    return one


@pytest.mark.parametrize(
    ("higher", "lower", "p"),
    [
        (0, 0, 1.0),
        (5, 0, 2 / 32),
        (6, 0, 2 / 64),
        (8, 2, 2 * (1 + 10 + 45) / 1024),
        (2, 8, 2 * (1 + 10 + 45) / 1024),
        (3, 3, 1.0),
    ],
)
def test_mcnemars_p_value_is_the_exact_binomial_one(higher: int, lower: int, p: float) -> None:
    assert mcnemar(higher, lower) == pytest.approx(p)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([1, 2, 3], 2 / 8),  # only +++ and −−− reach 6
        ([3, 2, -1], 4 / 8),  # 6 and 4 of the sums ±6, ±4, ±2, 0, each twice or once
        ([0.1, 0.1, -0.1], 1.0),  # every way has at least 0.1
        ([0, 0, 0], 1.0),
        ([0.5], 1.0),
        ([0.1 + 0.2, -0.3], 1.0),  # a sum of rounding errors is no difference
    ],
)
def test_few_items_have_every_swap_counted(differences: list[float], p: float) -> None:
    assert paired_permutation([(one, 0) for one in differences]) == pytest.approx(p)


def test_many_items_have_swaps_drawn_near_the_exact_value() -> None:
    drawn = Random(7)
    differences = [drawn.uniform(-1, 1.6) for _ in range(14)]
    ways = [
        abs(sum(map(float.__mul__, differences, signs)))
        for signs in product((-1.0, 1.0), repeat=14)
    ]
    exact = sum(way >= abs(sum(differences)) - 1e-12 for way in ways) / len(ways)
    assert 0.01 < exact < 0.99
    found = paired_permutation([(one, 0.0) for one in differences])
    assert found == pytest.approx(exact, abs=0.02)
    assert found == paired_permutation([(one, 0.0) for one in differences])


def test_drawn_swaps_never_make_a_p_value_of_zero() -> None:
    assert paired_permutation([(1.5, 0.0)] * 200) == 1 / 10_000


@pytest.mark.parametrize(
    ("p_values", "corrected"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.6, 0.7], [1.0, 1.0]),
    ],
)
def test_holm_multiplies_by_how_many_are_left(
    p_values: list[float], corrected: list[float]
) -> None:
    assert holm(p_values) == pytest.approx(corrected)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_never_lowers(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(p <= one <= 1 for p, one in zip(p_values, corrected, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [corrected[i] for i in order] == sorted(corrected)


def test_a_difference_is_first_minus_second_over_common_items() -> None:
    found = runs([1, 1, 1, 0, None, 1], [0, 0, 1, 1, 1])
    one = only(found)
    assert (one.first, one.second) == (0.75, 0.5)
    assert one.difference.value == 0.25
    assert (one.n, one.higher, one.lower, one.equal) == (4, 2, 1, 1)
    assert (one.test, one.p) == ("McNemar", 1.0)
    assert (found.only_first, found.only_second) == (1, 0)


def test_shares_between_zero_and_one_have_a_permutation_test() -> None:
    one = only(runs([0.9, 0.8, 0.7], [0.6, 0.6, 0.6]))
    assert one.test == "permutation"
    assert one.p == pytest.approx(2 / 8)


def test_a_run_that_broke_off_is_no_lost_item() -> None:
    ours = [record("q1", 1), record("q2", 0, outcome="failed")]
    theirs = [record("q1", 1), record("q2", 1)]
    one = only(compare(results(*ours), results(*theirs)))
    assert (one.n, one.higher, one.lower) == (1, 0, 0)


def test_epochs_of_an_item_are_one_item() -> None:
    ours = [record("q1", 1), record("q1", 0, epoch=2), record("q2", 1)]
    theirs = [record("q1", 0), record("q2", 0)]
    one = only(compare(results(*ours), results(*theirs)))
    assert (one.n, one.first, one.test) == (2, 0.75, "permutation")


def test_the_primary_measure_comes_first_and_all_are_corrected_together() -> None:
    def taken(value: float) -> list[Record]:
        return [
            record(f"q{n}", values={"b": value, "a": value / 2 + n, "c": value / 3 + n})
            for n in range(6)
        ]

    found = compare(results(*taken(1)), results(*taken(0)), primary="b")
    assert [one.measure for one in found.differences] == ["b", "a", "c"]
    assert [one.p for one in found.differences] == [2 / 64] * 3
    assert [one.corrected for one in found.differences] == [6 / 64] * 3
    assert not any(one.is_significant for one in found.differences)


def test_the_same_number_by_two_names_is_tested_once_and_bookkeeping_not_at_all() -> None:
    def taken(value: float) -> list[Record]:
        values = {"score": value, "rouge_l": value, "steps": value + 1}
        return [record(f"q{place}", values=values) for place in range(6)]

    runs = results(*taken(1)), results(*taken(0))
    found = compare(*runs, primary="score", outcomes={"score", "rouge_l"})
    assert [(one.measure, one.corrected) for one in found.differences] == [("score", 2 / 64)]


def test_measures_only_one_run_took_are_not_compared() -> None:
    found = compare(results(record("q", values={"a": 1})), results(record("q", values={"b": 1})))
    assert found.differences == ()


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (record("q1", question="another"), "question"),
        (record("q1", target="another"), "gold answer"),
    ],
)
def test_items_that_differ_are_refused(other: Record, named: str) -> None:
    with pytest.raises(UserError, match=f"'q1' has another {named}"):
        compare(results(record("q1")), results(other))


def test_runs_of_different_benchmarks_are_refused() -> None:
    with pytest.raises(UserError, match="choose two runs of one benchmark"):
        compare(results(record("q")), results(record("q"), benchmark="other"))


SHARES = st.sampled_from([0, 0.25, 0.5, 1])


@given(st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=8))
@settings(max_examples=25)
def test_turning_the_runs_round_turns_the_signs_alone(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    there, back = only(runs(first, second)), only(runs(second, first))
    assert there.difference.value == pytest.approx(-back.difference.value)
    assert (there.higher, there.lower, there.equal) == (back.lower, back.higher, back.equal)
    assert there.p == pytest.approx(back.p)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
@settings(max_examples=25)
def test_a_run_does_not_differ_from_itself(values: list[float]) -> None:
    one = only(runs(values, values))
    assert (one.difference.value, one.p, one.equal) == (0, 1, len(values))


def test_a_comparison_can_be_read_as_a_table() -> None:
    text = to_markdown(comparison_table(runs([1] * 6 + [0], [0] * 6)))
    assert (
        "| right | 6 | 1 | 0 | 1.0000 \\[1.0000, 1.0000\\] | 6 | 0 | 0 | McNemar | 0.031 | 0.031 |"
        in text
    )
    assert "Left out: 1 item only the first run holds, 0 items only the second." in text


def test_a_sentence_says_whether_it_may_be_chance() -> None:
    surely, perhaps = only(runs([1] * 6, [0] * 6)), only(runs([1] * 5, [0] * 5))
    assert sentence(surely, first="A", second="B") == (
        "right: A has 1.000, B 0.000 over 6 items both measured (difference +1.000, 95 % interval "
        "+1.000 to +1.000). Chance alone would rarely make such a difference (McNemar: p = 0.031; "
        "by Holm's correction p = 0.031)."
    )
    assert "That may be chance" in sentence(perhaps, first="A", second="B")
