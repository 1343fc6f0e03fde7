from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.dates import DateRange, LegalDate
from inforce.errors import DateError

DAY = LegalDate(2020, 1, 25)
MONTH = LegalDate(2020, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2020", LegalDate(2020)),
        ("0987", LegalDate(987)),
        ("2020年", LegalDate(2020)),
        ("2020-01", MONTH),
        ("2020/1", MONTH),
        ("2020.1", MONTH),
        ("2020年1月", MONTH),
        ("2020年1月份", MONTH),
        ("二〇二〇年一月", MONTH),
        ("Jan. 2020", MONTH),
        ("May 2010", LegalDate(2010, 5)),
        ("2020-01-25", DAY),
        ("2020-1-25", DAY),
        ("2020/1/25", DAY),
        ("2020.1.25", DAY),
        (" 2020年1月25日 ", DAY),
        ("2020 年 01 月 25 日", DAY),
        ("２０２０年１月２５日", DAY),
        ("2020年1月25号", DAY),
        ("二〇二〇年一月二十五日", DAY),
        ("二零二零年一月二十五日", DAY),
        ("二○二○年一月二十五日", DAY),
        ("25 January 2020", DAY),
        ("25th of January, 2020", DAY),
        ("January 25, 2020", DAY),
        ("january 25th 2020", DAY),
        ("一九九七年十月一日", LegalDate(1997, 10, 1)),
        ("二〇一五年十二月三十一日", LegalDate(2015, 12, 31)),
        ("2020-02-29", LegalDate(2020, 2, 29)),
    ],
)
def test_every_usual_form_is_read(text: str, expected: LegalDate) -> None:
    assert LegalDate.parse(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2019-02-30", "2019-02 has 28 days"),
        ("2019-02-29", "2019-02 has 28 days"),
        ("2013年2月30日", "2013-02 has 28 days"),
        ("2013年4月31日", "2013-04 has 30 days"),
        ("April 31, 2013", "2013-04 has 30 days"),
        ("2013年13月", "there is no month 13"),
        ("2013-00-01", "there is no month 0"),
        ("2013-01-00", "2013-01 has 31 days"),
        ("0000", "there is no year 0"),
        ("0000年1月1日", "there is no year 0"),
    ],
)
def test_a_date_no_calendar_has_is_an_error_that_names_it(text: str, reason: str) -> None:
    with pytest.raises(DateError, match=re.escape(f"{text!r} as a date: {reason}")):
        LegalDate.parse(text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "now", "3年", "10年以上", "2010年上半年", "农历2015年", "in 2010", "同年3月", "去年"]
    + ["2020-01-25T10:00", "20200132", "2020-1.25", "5/1/2011", "1月7日", "20,20"],
)
def test_what_is_no_date_on_its_own_is_an_error_that_says_how_to_write_one(text: str) -> None:
    with pytest.raises(DateError, match=r"write 2020-01-25"):
        LegalDate.parse(text)


def test_a_long_text_is_cut_short_in_the_message() -> None:
    with pytest.raises(DateError) as caught:
        LegalDate.parse("x" * 10_000)
    assert len(str(caught.value)) < 150


def test_a_day_needs_a_month() -> None:
    with pytest.raises(DateError, match="a day needs a month"):
        LegalDate(2020, None, 1)


def test_a_year_and_a_month_stand_for_every_day_they_cover() -> None:
    assert LegalDate(2020).range == DateRange(date(2020, 1, 1), date(2021, 1, 1))
    assert LegalDate(2020, 2).range == DateRange(date(2020, 2, 1), date(2020, 3, 1))
    assert LegalDate(2020, 2, 29).range == DateRange.day(date(2020, 2, 29))
    assert LegalDate(9999, 12).range.end is None


def test_dates_are_ordered_by_calendar_the_vaguer_first() -> None:
    shuffled = [LegalDate.parse(text) for text in ("2020-01-01", "2020-02", "2020", "2020-01")]
    assert [str(date) for date in sorted(shuffled)] == ["2020", "2020-01", "2020-01-01", "2020-02"]


def test_precision_is_the_smallest_unit_stated() -> None:
    assert [LegalDate(2020).precision, MONTH.precision, DAY.precision] == ["year", "month", "day"]


@st.composite
def legal_dates(draw: st.DrawFn) -> LegalDate:
    day = draw(st.dates())
    size = draw(st.integers(1, 3))
    return LegalDate(*(day.year, day.month, day.day)[:size])


@given(legal_dates())
def test_iso_text_reads_back_as_the_same_date(value: LegalDate) -> None:
    assert LegalDate.parse(value.isoformat()) == value
    assert str(value) == value.isoformat()


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_a_day_reads_the_same_however_it_is_written(day: date) -> None:
    digits = "〇一二三四五六七八九"
    tens = ["", "十", "二十", "三十"]
    year = "".join(digits[int(c)] for c in str(day.year))
    month, dom = (
        f"{tens[n // 10]}{digits[n % 10] if n % 10 else ''}" for n in (day.month, day.day)
    )
    forms = [
        f"{day.year}年{day.month}月{day.day}日",
        f"{year}年{month}月{dom}日",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
        f"{day.year}.{day.month}.{day.day}",
    ]
    assert {LegalDate.parse(form) for form in forms} == {LegalDate.of(day)}


@given(legal_dates(), legal_dates())
def test_order_agrees_with_the_first_day_covered(a: LegalDate, b: LegalDate) -> None:
    if a.range.start < b.range.start:
        assert a < b
