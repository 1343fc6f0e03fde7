"""Overlap of characters, against figures computed by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.scoring.overlap import bleu4, character_f1, jaccard

TEXT = st.text("甲乙丙丁 。", max_size=12)


@pytest.mark.parametrize(
    ("answer", "reference", "f1", "shared"),
    [
        ("甲乙丙", "甲乙丙", 1.0, 1.0),
        ("丙乙甲", "甲乙丙", 1.0, 1.0),  # the order does not count
        ("甲甲乙", "甲乙丙丁", 4 / 7, 2 / 4),  # 甲 once, 乙 once: 2·2/(3+4); {甲,乙} of four
        ("甲甲甲", "甲甲", 4 / 5, 1.0),
        ("甲", "乙", 0.0, 0.0),
        ("", "甲", 0.0, 0.0),
        ("甲", "", 0.0, 0.0),
        ("", "", 1.0, 1.0),  # the released metric: nothing matches nothing
        (" \n", "", 1.0, 1.0),
        ("甲 乙\u3000丙\n", "甲乙丙", 1.0, 1.0),
    ],
)
def test_f1_and_jaccard_by_hand(answer: str, reference: str, f1: float, shared: float) -> None:
    assert character_f1(answer, reference) == pytest.approx(f1)
    assert jaccard(answer, reference) == pytest.approx(shared)


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("甲乙丙丁", "甲乙丙丁", 1.0),
        ("甲 乙丙丁", "甲乙丙\n丁", 1.0),
        # 4/5, 3/4, 2/3, 1/2; longer than the reference, so no penalty.
        ("甲乙丙丁戊", "甲乙丙丁", (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25),
        # All runs are there; shorter than the reference: exp(1 - 6/4).
        ("甲乙丙丁", "甲乙丙丁戊己", math.exp(1 - 6 / 4)),
        # 4/4, no run of two to four: 1/(3·4), 1/(2·8), 1/(1·16).
        ("丁丙乙甲", "甲乙丙丁", (1 / 12 * 1 / 16 * 1 / 16) ** 0.25),
        # Nothing shared: 1/(4·2), 1/(3·4), 1/(2·8), 1/(1·16).
        ("戊己庚辛", "甲乙丙丁", (1 / 8 * 1 / 12 * 1 / 16 * 1 / 16) ** 0.25),
        ("甲甲甲甲", "甲乙丙丁", (1 / 4 * 1 / 12 * 1 / 16 * 1 / 16) ** 0.25),  # counts are clipped
        ("甲乙丙", "甲乙丙", 0.0),  # too short for a run of four
        ("", "甲乙丙丁", 0.0),
        ("", "", 0.0),
    ],
)
def test_bleu_by_hand(answer: str, reference: str, expected: float) -> None:
    assert bleu4(answer, reference) == pytest.approx(expected)


@given(answer=TEXT, reference=TEXT)
def test_every_overlap_is_a_share_and_two_of_them_do_not_care_who_is_whose_reference(
    answer: str, reference: str
) -> None:
    for measure in (character_f1, jaccard, bleu4):
        assert 0.0 <= measure(answer, reference) <= 1.0 + 1e-9
    for measure in (character_f1, jaccard):
        assert measure(answer, reference) == pytest.approx(measure(reference, answer))
