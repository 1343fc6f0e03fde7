"""ROUGE-L over characters, against figures computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.scoring.overlap import rouge_l, without_headings

BETA_2 = 1.2**2


def f(recall: float, precision: float) -> float:
    return (1 + BETA_2) * recall * precision / (recall + BETA_2 * precision)


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("不适用缓刑", "不适用缓刑", 1.0),
        ("适用缓刑", "不适用缓刑", f(4 / 5, 4 / 4)),
        ("不适用缓刑", "适用缓刑", f(4 / 4, 4 / 5)),
        ("甲乙丙丁", "甲丙乙丁", f(3 / 4, 3 / 4)),  # the order counts: 甲丙丁 or 甲乙丁
        ("甲乙", "丙丁", 0.0),
        ("", "不适用缓刑", 0.0),
        ("不适用缓刑", "", 0.0),
        ("", "", 0.0),  # the paper's metric: nothing recited is nothing right
        ("   ", "不适用缓刑", 0.0),
        ("不 适用\n缓\u3000刑\t", " 不适用缓刑", 1.0),  # white space is no character
        ("不适用缓刑.", "不适用缓刑。", f(5 / 6, 5 / 6)),  # widths are not folded
        ("AbC", "abc", f(1 / 3, 1 / 3)),  # nor is case
    ],
)
def test_rouge_l_by_hand(answer: str, reference: str, expected: float) -> None:
    assert rouge_l(answer, reference) == pytest.approx(expected)


def test_recall_counts_more_than_precision() -> None:
    assert rouge_l("不适用缓刑", "适用缓刑") > rouge_l("适用缓刑", "不适用缓刑")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("【盗窃罪】盗窃公私财物", "盗窃公私财物"),
        ("【盗窃罪】【抢夺罪】盗窃", "盗窃"),
        ("【】盗窃", "盗窃"),
        ("【未完盗窃", "【未完盗窃"),
        ("盗窃【注\n释】公私", "盗窃公私"),
        ("盗窃", "盗窃"),
    ],
)
def test_headings_in_black_brackets_are_no_part_of_the_law(text: str, expected: str) -> None:
    assert without_headings(text) == expected


texts = st.text(alphabet="甲乙丙 \n【】", max_size=20)


@given(texts, texts)
def test_rouge_l_lies_between_nothing_and_all(answer: str, reference: str) -> None:
    assert 0.0 <= rouge_l(answer, reference) <= 1.0 + 1e-12


@given(texts.filter(str.strip))
def test_the_reference_itself_is_all_right(reference: str) -> None:
    assert rouge_l(reference, reference) == pytest.approx(1.0)
