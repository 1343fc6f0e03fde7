from __future__ import annotations

from datetime import date

import pytest

from inforce.dates import Clock, DateRange, parse_when
from inforce.errors import DateError


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2020-01-25", "2020-01-25", "2020-01-25"),
        ("2020/1", "2020-01-01", "2020-01-31"),
        ("2020", "2020-01-01", "2020-12-31"),
        (" 2020年1月25日 ", "2020-01-25", "2020-01-25"),
        ("May 2010", "2010-05-01", "2010-05-31"),
        ("today", "2020-01-25", "2020-01-25"),
        ("今天", "2020-01-25", "2020-01-25"),
        ("去年", "2019-01-01", "2019-12-31"),
        ("2010年上半年", "2010-01-01", "2010-06-30"),
        ("2010-01-01..2011-05-01", "2010-01-01", "2011-05-01"),
        ("2010 .. 2011-05", "2010-01-01", "2011-05-31"),
        ("2019-06-01..today", "2019-06-01", "2020-01-25"),
        ("2018年6月至8月", "2018-06-01", "2018-08-31"),
        ("2001-2004", "2001-01-01", "2004-12-31"),
    ],
)
def test_what_a_user_types_is_the_days_meant_last_included(
    text: str, first: str, last: str, clock: Clock
) -> None:
    expected = DateRange.inclusive(date.fromisoformat(first), date.fromisoformat(last))
    assert parse_when(text, clock=clock) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot read '' as a date: write"),
        ("now", "cannot read 'now' as a date: write"),
        ("2019-02-30", "cannot read '2019-02-30' as a date: 2019-02 has 28 days"),
        ("2013年2月30日至5月", "cannot read '2013年2月30日' as a date: 2013-02 has 28 days"),
        ("2013年3月 2014年", "cannot read '2013年3月 2014年' as a date: write"),
        ("2010-13..2011", "cannot read '2010-13' as a date: there is no month 13"),
        ("2015..2014", "cannot read '2015..2014' as a date: the range ends before it begins"),
        ("2010..", "cannot read '2010..' as a date: a range needs both its ends"),
        ("1月7日", "cannot read '1月7日' as a date: write"),
    ],
)
def test_what_cannot_be_read_is_an_error_naming_it(text: str, message: str, clock: Clock) -> None:
    with pytest.raises(DateError) as caught:
        parse_when(text, clock=clock)
    assert str(caught.value).startswith(message)
