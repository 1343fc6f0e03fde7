"""Sentences are read as judgments pronounce them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.errors import IdentifierError
from inforce.law.numerals import format_numeral
from inforce.law.prison_term import pronounced, terms


@pytest.mark.parametrize(
    ("text", "kind", "months"),
    [
        ("12个月", "imprisonment", 12),
        ("42", "imprisonment", 42),
        ("有期徒刑三年", "imprisonment", 36),
        ("判处有期徒刑三年六个月，缓刑五年", "imprisonment", 42),
        ("有期徒刑一年零二个月", "imprisonment", 14),
        ("有期徒刑两年半", "imprisonment", 30),
        ("拘役五个月，并处罚金二千元", "detention", 5),
        ("管制一年", "control", 12),
        ("无期徒刑，剥夺政治权利终身", "life", None),
        ("死刑，缓期二年执行", "death", None),
        ("免予刑事处罚", "none", None),
        ("3 years and 6 months", "imprisonment", 42),
        ("18 months", "imprisonment", 18),
    ],
)
def test_a_pronounced_sentence_is_read(text: str, kind: str, months: int | None) -> None:
    assert (pronounced(text).kind, pronounced(text).months) == (kind, months)


@pytest.mark.parametrize("text", ["", "证据不足", "罚金", "年", "个月", "第二百六十四条"])
def test_a_text_without_a_sentence_is_refused(text: str) -> None:
    with pytest.raises(IdentifierError):
        pronounced(text)


def test_every_term_of_a_judgment_is_found_in_order() -> None:
    text = "被告人甲犯盗窃罪，判处有期徒刑一年；被告人乙判处拘役四个月；丙判处管制六个月。"
    assert [(one.kind, one.months) for one in terms(text)] == [
        ("imprisonment", 12),
        ("detention", 4),
        ("control", 6),
    ]


@given(st.integers(0, 24), st.integers(0, 11))
def test_years_and_months_add_up_in_either_script(years: int, months: int) -> None:
    if years + months == 0:
        return
    arabic = (f"{years}年" if years else "") + (f"{months}个月" if months else "")
    chinese = (f"{format_numeral(years)}年" if years else "") + (
        f"{format_numeral(months)}个月" if months else ""
    )
    assert pronounced(f"有期徒刑{arabic}").months == 12 * years + months
    assert pronounced(f"有期徒刑{chinese}").months == 12 * years + months


@pytest.mark.parametrize("digits", ["9" * 7, "9" * 400, "9" * 5_000])
@pytest.mark.parametrize("form", ["{}", "{}个月", "有期徒刑{}年", "{} months", "{} years"])
def test_a_number_nobody_pronounces_is_no_sentence(digits: str, form: str) -> None:
    with pytest.raises(IdentifierError):
        pronounced(form.format(digits))
