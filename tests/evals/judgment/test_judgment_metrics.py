import time
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.evals.judgment.tables import scores

LABELS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abc#")), min_size=1)


@pytest.mark.parametrize(
    ("gold", "predicted", "accuracy", "precision", "recall", "f1"),
    [
        ("aab", "abb", 2 / 3, 0.75, 0.75, 2 / 3),
        ("aaaa", "aaaa", 1.0, 1.0, 1.0, 1.0),
        # a: 2/2, 2/3; b: 0, 0; #: 0 of 2 named, had by none
        ("aaab", "aa##", 0.5, 1 / 3, 2 / 9, 0.8 / 3),
        ("ab", "ba", 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_every_label_had_or_named_counts_alike(
    gold: str, predicted: str, accuracy: float, precision: float, recall: float, f1: float
) -> None:
    found = scores(list(gold), list(predicted))
    assert found
    assert found.accuracy.value == pytest.approx(accuracy)
    assert found.precision.value == pytest.approx(precision)
    assert found.recall.value == pytest.approx(recall)
    assert found.f1.value == pytest.approx(f1)


@settings(max_examples=25, deadline=None)
@given(LABELS)
def test_the_figures_are_scikit_learns_and_lie_in_their_intervals(
    pairs: list[tuple[str, str]],
) -> None:
    gold, predicted = [a for a, _ in pairs], [b for _, b in pairs]
    found = scores(gold, predicted)
    assert found
    theirs: Any = import_module("sklearn.metrics").precision_recall_fscore_support
    expected = theirs(gold, predicted, average="macro", zero_division=0)
    for one, value in zip((found.precision, found.recall, found.f1), expected[:3], strict=True):
        assert one.value == pytest.approx(value)
        if len(pairs) > 1:
            assert one.low is not None
            assert one.high is not None
            assert 0 <= one.low <= one.value + 1e-9
            assert one.value - 1e-9 <= one.high <= 1


def test_no_case_has_no_figure_and_one_case_no_interval() -> None:
    assert scores([], []) is None
    alone = scores(["a"], ["a"])
    assert alone
    assert (alone.f1.value, alone.f1.low, alone.f1.high) == (1.0, None, None)


def test_eight_hundred_cases_of_two_hundred_labels_take_under_two_seconds() -> None:
    draw = np.random.default_rng(0)
    gold = [str(one) for one in draw.integers(0, 200, 800)]
    predicted = [str(one) for one in draw.integers(0, 200, 800)]
    began = time.perf_counter()
    assert scores(gold, predicted) == scores(gold, predicted)
    assert time.perf_counter() - began < 4
