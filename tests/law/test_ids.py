"""Identifiers in the Akoma Ntoso manner: they read back as they were written."""

from __future__ import annotations

import doctest
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.errors import IdentifierError
from inforce.law import ids
from inforce.law.ids import ExpressionId, Moment, Portion, ProvisionId, WorkId, parse
from inforce.law.numerals import ProvisionNumber

CRIMINAL_LAW = WorkId("中华人民共和国刑法")
SINCE_2011 = ExpressionId(CRIMINAL_LAW, date(2011, 5, 1), "begun")
ON_A_DAY = ExpressionId(CRIMINAL_LAW, date(2015, 6, 30), "in_force")
ART_74 = Portion(ProvisionNumber.article(74))
DEEP = Portion(ProvisionNumber.article(133, 1), 2, 3)

CANONICAL = [
    (CRIMINAL_LAW, "/akn/cn/act/中华人民共和国刑法"),
    (SINCE_2011, "/akn/cn/act/中华人民共和国刑法/zho@2011-05-01"),
    (ON_A_DAY, "/akn/cn/act/中华人民共和国刑法/zho:2015-06-30"),
    (ProvisionId(CRIMINAL_LAW, ART_74), "/akn/cn/act/中华人民共和国刑法/~art_74"),
    (
        ProvisionId(SINCE_2011, DEEP),
        "/akn/cn/act/中华人民共和国刑法/zho@2011-05-01/~art_133-1__para_2__item_3",
    ),
    (
        ProvisionId(ON_A_DAY, Portion(ProvisionNumber.article(52), item=5)),
        "/akn/cn/act/中华人民共和国刑法/zho:2015-06-30/~art_52__item_5",
    ),
    (
        ProvisionId(CRIMINAL_LAW, Portion(ProvisionNumber("preamble"))),
        "/akn/cn/act/中华人民共和国刑法/~preamble",
    ),
]

UNREADABLE = [
    "",
    "中华人民共和国刑法",
    "/akn/cn/act/",
    "/akn/cn/act//zho@2011-05-01",
    "/akn/cn/act/刑法/zho@2011-02-30",
    "/akn/cn/act/刑法/zho@2011",
    "/akn/cn/act/刑法/zho;2011-05-01",
    "/akn/cn/act/刑法/~",
    "/akn/cn/act/刑法/~para_2",
    "/akn/cn/act/刑法/~art_74__para_0",
    "/akn/cn/act/刑法/~art_74__item_3__para_2",
    "/akn/cn/act/刑法/~art_74/zho@2011-05-01",
    "/akn/cn/act/%E5%88",
    "/akn/cn/act/%2F",
    "/akn/cn/act/刑法\n",
]

numbers = st.one_of(
    st.builds(ProvisionNumber.article, st.integers(1, 9999), st.integers(0, 99)),
    st.builds(ProvisionNumber, st.just("point"), st.integers(1, 9999)),
    st.sampled_from([ProvisionNumber("whole"), ProvisionNumber("preamble")]),
)
part = st.one_of(st.none(), st.integers(1, 9999))
portions = st.builds(Portion, numbers, part, part)
moments: st.SearchStrategy[Moment] = st.sampled_from(["begun", "in_force"])
titles = st.text(
    st.characters(codec="utf-8", exclude_characters="/%", exclude_categories=["Cc", "Cs"]),
    min_size=1,
).filter(lambda title: title == title.strip())
works = st.builds(WorkId, titles)
expressions = st.builds(ExpressionId, works, st.dates(), moments)


@pytest.mark.parametrize(("identifier", "text"), CANONICAL)
def test_an_identifier_is_written_and_read_back(
    identifier: WorkId | ExpressionId | ProvisionId, text: str
) -> None:
    assert str(identifier) == text
    assert parse(text) == identifier


def test_percent_encoding_is_read_and_not_written() -> None:
    encoded = "/akn/cn/act/%E5%88%91%E6%B3%95/zho@2011-05-01/~art_74"
    assert str(parse(encoded)) == "/akn/cn/act/刑法/zho@2011-05-01/~art_74"


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_is_no_identifier_is_an_error(text: str) -> None:
    with pytest.raises(IdentifierError):
        parse(text)


@pytest.mark.parametrize("title", ["", " 刑法", "刑法/总则", "100%", "刑\n法"])
def test_a_title_that_would_not_read_back_is_refused(title: str) -> None:
    with pytest.raises(IdentifierError):
        WorkId(title)


@given(st.one_of(works, expressions), portions)
def test_every_identifier_reads_back(of: WorkId | ExpressionId, portion: Portion) -> None:
    assert parse(str(of)) == of
    assert parse(str(ProvisionId(of, portion))) == ProvisionId(of, portion)


@given(st.text(max_size=40).map("/akn/cn/act/".__add__))
def test_any_text_is_an_identifier_or_an_identifier_error(text: str) -> None:
    try:
        identifier = parse(text)
    except IdentifierError:
        return
    assert parse(str(identifier)) == identifier


def test_a_portion_is_written_as_judgments_write_it() -> None:
    assert DEEP.chinese == "第一百三十三条之一第二款第三项"


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(ids).failed == 0


@pytest.mark.parametrize(
    ("written", "portion"),
    [
        ("第74条第1款", Portion(ProvisionNumber.article(74), 1)),
        ("第一百三十三条之一第二款第三项", DEEP),
        ("133-1第2款第（三）项", DEEP),
        (" 第52条 第五项 ", Portion(ProvisionNumber.article(52), item=5)),
        ("第74条", ART_74),
        ("art_133-1__para_2__item_3", DEEP),
    ],
)
def test_a_part_of_an_article_is_read_as_it_is_cited(written: str, portion: Portion) -> None:
    assert Portion.parse(written) == portion


@pytest.mark.parametrize(
    "written", ["第1款", "第74条第0款", "第74条第款", "第74款条", "第74条第1款第2款"]
)
def test_what_is_no_part_of_an_article_is_refused(written: str) -> None:
    with pytest.raises(IdentifierError):
        Portion.parse(written)
