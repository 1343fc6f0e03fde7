"""Figures at their edges: none, one, all alike, missing, very many; and what must always hold."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from inforce.agents.runtime.answer import Outcome
from inforce.errors import UserError
from inforce.evals.benchmark import Record
from inforce.evals.compare import compare, holm, mcnemar, paired_permutation
from inforce.evals.judgment.tables import scores
from inforce.evals.lecard.benchmark import measured as ranked
from inforce.evals.summary import means, measured
from inforce.scoring.cases import Case
from inforce.scoring.estimate import Estimate, bootstrap, mean, mean_difference
from inforce.scoring.split import split
from stored_runs import record, results

SHARES = st.floats(0, 1, allow_nan=False)
VALUES = st.lists(st.one_of(st.none(), SHARES), max_size=25)


def around(one: Estimate) -> bool:
    """Whether an interval holds its figure."""
    return one.low is None or one.high is None or one.low <= one.value <= one.high


@given(VALUES)
@settings(max_examples=60, deadline=None)
def test_a_mean_rests_on_what_was_measured_alone(values: list[float | None]) -> None:
    known = [value for value in values if value is not None]
    found = mean(values)
    assert (found is None) == (not known)
    if found is not None:
        assert found == mean(known)
        assert found.n == len(known)
        assert min(known) - 1e-12 <= found.value <= max(known) + 1e-12
        assert found.low is None or 0 <= found.low <= (found.high or 0) <= 1 + 1e-12


@given(st.integers(0, 300), st.integers(0, 300))
@settings(max_examples=60, deadline=None)
def test_wilsons_interval_holds_its_share_and_narrows_with_items(right: int, more: int) -> None:
    n = right + more
    assume(n > 0)
    one = mean([1.0] * right + [0.0] * more)
    four = mean(([1.0] * right + [0.0] * more) * 4)
    assert one and four and around(one) and around(four)
    assert one.low is not None and one.high is not None
    assert four.low is not None and four.high is not None
    assert four.high - four.low < one.high - one.low


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_items_that_are_all_alike_have_their_value(value: float) -> None:
    found = mean([value] * 50)
    assert found and found.value == pytest.approx(value) and found.n == 50
    assert math.isclose(found.value, value)


def test_very_many_items_take_no_more_than_a_moment_and_little_memory() -> None:
    values = [index % 7 / 7 for index in range(20_000)]
    found = mean(values)
    assert found and found.value == pytest.approx(sum(values) / len(values)) and around(found)


def test_the_same_items_always_have_the_same_interval() -> None:
    values = [0.1, 0.9, 0.4, 0.35]
    assert mean(values) == mean(list(values))
    assert bootstrap(values, max) == bootstrap(values, max)


def test_nothing_has_no_figure() -> None:
    assert mean([]) is None and mean([None]) is None
    assert mean_difference([]) is None and bootstrap([], len) is None
    assert scores([], []) is None


LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc#")), min_size=1,
                  max_size=12)  # fmt: skip


@given(LABELS)
@settings(max_examples=25, deadline=None)
def test_a_right_label_more_never_lowers_accuracy(pairs: list[tuple[str, str]]) -> None:
    gold, told = [one for one, _ in pairs], [other for _, other in pairs]
    before, after = scores(gold, told), scores([*gold, "a"], [*told, "a"])
    assert before and after and after.accuracy.value >= before.accuracy.value - 1e-12
    for one in (before.precision, before.recall, before.f1):
        assert 0 <= one.value <= 1 and (one.low is None or 0 <= one.low <= (one.high or 0) <= 1)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_a_corrected_p_value_is_no_smaller_and_keeps_the_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    pairs = list(zip(p_values, corrected, strict=True))
    assert all(p <= q <= 1 for p, q in pairs)
    for (p, q), (other, r) in product(pairs, pairs):
        assert not p < other or q <= r


@given(st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_swapping_the_runs_turns_a_difference_round_and_keeps_its_p_value(
    pairs: list[tuple[float, float]],
) -> None:
    turned = [(second, first) for first, second in pairs]
    one, other = mean_difference(pairs), mean_difference(turned)
    assert one and other and one.value == pytest.approx(-other.value)
    assert paired_permutation(pairs) == paired_permutation(turned)
    assert 0 < paired_permutation(pairs) <= 1


def test_runs_that_agree_on_every_item_differ_by_chance() -> None:
    assert mcnemar(0, 0) == 1.0
    assert paired_permutation([(0.5, 0.5)] * 30) == 1.0
    first = results(*(record(str(n), 0.5) for n in range(30)))
    (found,) = compare(first, first).differences
    assert (found.p, found.difference.value, found.equal) == (1.0, 0.0, 30)


def test_runs_without_a_common_item_have_no_difference() -> None:
    one, other = results(record("a")), results(record("b"))
    found = compare(one, other)
    assert (found.differences, found.only_first, found.only_second) == ((), 1, 1)
    assert compare(results(), results()).differences == ()


def test_what_one_run_could_not_measure_is_no_zero_in_a_comparison() -> None:
    one = results(record("a", 1.0), record("b", None), record("c", 1.0, outcome="failed"))
    other = results(record("a", 1.0), record("b", 1.0), record("c", 1.0))
    (found,) = compare(one, other).differences
    assert (found.n, found.difference.value) == (1, 0.0)


def test_runs_on_different_questions_are_not_compared() -> None:
    with pytest.raises(UserError, match="another question"):
        compare(results(record("a")), results(record("a", question="changed")))


@pytest.mark.parametrize(
    ("outcome", "counted"),
    [("answered", 1), ("abstained", 1), ("failed", 0), ("budget", 0)],
)
def test_an_abstention_is_wrong_and_a_broken_run_is_not_counted(
    outcome: Outcome, counted: int
) -> None:
    records = [record("a", 0.0, outcome=outcome), record("b", 1.0)]
    found = means(records, ["right"])["right"]
    assert found and (found.n, found.value) == (1 + counted, 1 / (1 + counted))


@given(st.lists(st.tuples(st.sampled_from("ab"), st.one_of(st.none(), SHARES)), max_size=12))
def test_an_item_counts_once_however_often_it_was_asked(
    asked: list[tuple[str, float | None]],
) -> None:
    records: list[Record] = [
        replace(record(id, value), epoch=epoch) for epoch, (id, value) in enumerate(asked, start=1)
    ]
    assert len(measured(records, "right")) == len({id for id, _ in asked})


@given(
    st.lists(st.sampled_from("abcdefgh"), unique=True),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3)),
)
@settings(max_examples=60, deadline=None)
def test_a_ranking_has_measures_between_zero_and_one(
    ranking: list[str], levels: dict[str, int]
) -> None:
    pytest.importorskip("ir_measures", reason="the extra 'eval' is not installed")
    for value in ranked(ranking, levels).values():
        assert value is None or 0 <= value <= 1 + 1e-12


FACTS = st.lists(
    st.tuples(st.sampled_from(["甲 盗窃", "甲盗窃", "乙抢劫", "丙\n诈骗", "丙诈骗", "丁"]),
              st.sampled_from(["", "cjo22_test", "lexeval", "legalsearch_r1"])), max_size=12,
)  # fmt: skip


@given(FACTS, st.integers(0, 5), st.booleans())
def test_no_fact_is_learned_from_and_asked(
    facts: list[tuple[str, str]], seed: int, bar: bool
) -> None:
    """Nor one that differs in white space alone, or is in some collection others examine with."""
    cases = [
        Case(str(n), fact, (264,), ("盗窃",), 6, sources=(source,) if source else ())
        for n, (fact, source) in enumerate(facts)
    ]
    excluded = {cases[0].fingerprint} if bar and cases else set[str]()
    sides = split(cases, seed=seed, excluded=excluded)
    learned = {one.fingerprint for one in (*sides.train, *sides.valid)}
    asked = {one.fingerprint for one in (*sides.test, *sides.cjo22)}
    examined = {one.fingerprint for one in cases if one.sources}
    assert not learned & (asked | examined | excluded)
    parts = (sides.train, sides.valid, sides.test, sides.cjo22)
    assert sum(map(len, parts)) + sides.held_back == len(cases)
