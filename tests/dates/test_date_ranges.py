from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.dates import ALWAYS, DateRange, merged
from inforce.errors import DateError

DAYS = st.dates(date(1990, 1, 1), date(1990, 3, 1))
PROBES = [date(1989, 12, 25) + timedelta(days=n) for n in range(90)]


@st.composite
def ranges(draw: st.DrawFn) -> DateRange:
    first, second = sorted((draw(DAYS), draw(DAYS)))
    end = draw(st.sampled_from([second + timedelta(days=1), None]))
    return DateRange(first, end)


def days_in(*windows: DateRange) -> set[date]:
    return {day for day in PROBES if any(day in window for window in windows)}


def test_a_range_ends_after_it_begins() -> None:
    with pytest.raises(DateError, match="must end after it begins"):
        DateRange(date(2011, 5, 1), date(2011, 5, 1))


def test_an_inclusive_range_holds_its_last_day_but_not_the_next() -> None:
    window = DateRange.inclusive(date(2011, 5, 1), date(2015, 10, 31))
    assert date(2011, 4, 30) not in window
    assert date(2011, 5, 1) in window
    assert date(2013, 1, 1) in window
    assert date(2015, 10, 31) in window
    assert date(2015, 11, 1) not in window
    assert window.last == date(2015, 10, 31)


def test_the_last_day_of_the_calendar_has_no_end() -> None:
    assert DateRange.day(date.max).end is None


@given(ranges(), ranges())
def test_what_is_shared_and_what_is_left_partition_a_range(a: DateRange, b: DateRange) -> None:
    shared = a.intersection(b)
    pieces = (*a.minus(b), *((shared,) if shared else ()))
    assert days_in(*pieces) == days_in(a)
    assert sum(len(days_in(piece)) for piece in pieces) == len(days_in(a))
    assert days_in(*a.minus(b)) == days_in(a) - days_in(b)


@given(ranges(), ranges())
def test_overlap_is_mutual_and_means_a_shared_day(a: DateRange, b: DateRange) -> None:
    assert a.overlaps(b) == b.overlaps(a) == bool(days_in(a) & days_in(b))


@given(ranges())
def test_every_range_lies_within_always(window: DateRange) -> None:
    assert ALWAYS.intersection(window) == window
    assert window.minus(ALWAYS) == ()


@given(st.lists(ranges(), max_size=6))
def test_merged_ranges_hold_the_same_days_and_never_touch(windows: list[DateRange]) -> None:
    joined = merged(windows)
    assert days_in(*joined) == days_in(*windows)
    for left, right in zip(joined, joined[1:], strict=False):
        assert left.end is not None and left.end < right.start


def test_ranges_that_touch_are_joined() -> None:
    january = DateRange(date(2013, 1, 1), date(2013, 2, 1))
    february = DateRange(date(2013, 2, 1), date(2013, 3, 1))
    assert merged([february, january]) == (DateRange(date(2013, 1, 1), date(2013, 3, 1)),)
