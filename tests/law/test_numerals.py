"""Article numbers and the numerals they are written in."""

from __future__ import annotations

import doctest

import cn2an
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.errors import IdentifierError
from inforce.law import numerals
from inforce.law.numerals import ProvisionNumber, format_numeral, parse_numeral

SPELLINGS = [
    ("一", 1),
    ("十", 10),
    ("十二", 12),
    ("一十二", 12),
    ("二十", 20),
    ("一百", 100),
    ("一百零二", 102),
    ("一百〇二", 102),
    ("一〇二", 102),
    ("一百一十", 110),
    ("一百一十五", 115),
    ("二百六十四", 264),
    ("一千零七十九", 1079),
    ("一千二百六十", 1260),
    ("两百", 200),
    ("二〇一五", 2015),
    ("133", 133),
    ("１３３", 133),
    ("0", 0),
    ("零", 0),
]

MALFORMED = [
    "",
    "十十",
    "百百",
    "一百千",
    "二三十",
    "一1",
    "12a",
    "第三",
    "一百零零百",
    "零十",
    "123456",
    "一二三四五六",
    "-1",
    "1.5",
    "²",
]

NUMBERS = [
    ("第七十四条", ProvisionNumber.article(74)),
    ("第74条", ProvisionNumber.article(74)),
    ("第 74 条", ProvisionNumber.article(74)),
    ("七十四条", ProvisionNumber.article(74)),
    ("74", ProvisionNumber.article(74)),
    ("art_74", ProvisionNumber.article(74)),
    ("第一百三十三条之一", ProvisionNumber.article(133, 1)),
    ("第133条之一", ProvisionNumber.article(133, 1)),
    ("第１３３条之１", ProvisionNumber.article(133, 1)),
    ("133-1", ProvisionNumber.article(133, 1)),
    ("133之一", ProvisionNumber.article(133, 1)),
    ("art_133-1", ProvisionNumber.article(133, 1)),
    ("三、", ProvisionNumber("point", 3)),
    ("point_3", ProvisionNumber("point", 3)),
    ("全文", ProvisionNumber("whole")),
    ("序", ProvisionNumber("preamble")),
]

articles = st.builds(
    ProvisionNumber.article, st.integers(min_value=1, max_value=9999), st.integers(0, 99)
)


@pytest.mark.parametrize(("text", "value"), SPELLINGS)
def test_a_numeral_is_read_in_every_usual_spelling(text: str, value: int) -> None:
    assert parse_numeral(text) == value


@pytest.mark.parametrize("text", MALFORMED)
def test_a_malformed_numeral_is_an_error_that_names_it(text: str) -> None:
    with pytest.raises(IdentifierError) as caught:
        parse_numeral(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("number", [-1, 10_000])
def test_numbers_no_article_has_are_not_written(number: int) -> None:
    with pytest.raises(IdentifierError):
        format_numeral(number)


def test_every_numeral_is_written_as_cn2an_writes_it_and_read_back() -> None:
    """cn2an writes 一十二 where statutes write 十二; otherwise they agree."""
    for number in range(10_000):
        written = format_numeral(number)
        oracle = cn2an.an2cn(number, "low")
        assert written == (oracle.removeprefix("一") if 10 <= number < 20 else oracle)
        assert parse_numeral(written) == number == parse_numeral(str(number))


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_an_article_number_is_read_in_every_usual_form(text: str, number: ProvisionNumber) -> None:
    assert ProvisionNumber.parse(text) == number


@pytest.mark.parametrize(
    "text", ["", "条", "第条", "第一", "第一款", "133-", "-1", "Art. 3", "第十十条"]
)
def test_what_is_not_an_article_number_is_an_error(text: str) -> None:
    with pytest.raises(IdentifierError):
        ProvisionNumber.parse(text)


@given(articles)
def test_every_form_of_an_article_number_reads_back(number: ProvisionNumber) -> None:
    assert ProvisionNumber.parse(number.chinese) == number
    assert ProvisionNumber.parse(number.short) == number
    assert ProvisionNumber.parse(number.iri) == number


@given(articles, articles)
def test_articles_stand_in_the_order_of_their_numbers(
    one: ProvisionNumber, other: ProvisionNumber
) -> None:
    assert (one < other) == ((one.main, one.branch) < (other.main, other.branch))


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_an_identifier_error(text: str) -> None:
    try:
        ProvisionNumber.parse(text)
    except IdentifierError as error:
        assert error.text is not None


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(numerals).failed == 0
