"""Calendar days, half-open ranges of them, dates as the law states them, and the clock.

A clock is a value you pass in, so that "today" is the same on every run that wants it to be.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import total_ordering
from typing import Literal, Self

from inforce.dates.written import as_plain
from inforce.errors import DateError

Precision = Literal["year", "month", "day"]

Clock = Callable[[], date]
"""Returns today's date; pass ``lambda: date(2020, 1, 25)`` to fix it."""


def system_clock() -> date:
    """Today's date in UTC."""
    return datetime.now(UTC).date()


@dataclass(frozen=True, slots=True, order=True)
class DateRange:
    """Days from ``start`` (included) to ``end`` (excluded; ``None`` means without end).

    >>> DateRange.day(date(2011, 5, 1)).end
    datetime.date(2011, 5, 2)
    >>> DateRange(date(2010, 1, 1), date(2011, 1, 1)).overlaps(DateRange(date(2011, 1, 1), None))
    False
    """

    start: date
    end: date | None

    def __post_init__(self) -> None:
        if self.end is not None and self.end <= self.start:
            raise DateError(f"{self.start}..{self.end}", "a range must end after it begins")

    @classmethod
    def day(cls, day: date) -> Self:
        """The range of one day (the last day of the calendar is without end)."""
        return cls(day, None if day == date.max else day + timedelta(days=1))

    @classmethod
    def inclusive(cls, first: date, last: date) -> Self:
        """The range from the first to the last day, both included."""
        return cls(first, cls.day(last).end)

    @property
    def last(self) -> date | None:
        """The last day of the range, or ``None`` without end."""
        return None if self.end is None else self.end - timedelta(days=1)

    @property
    def is_single_day(self) -> bool:
        """Whether the range is one day long."""
        return self.end is not None and self.last == self.start

    def __contains__(self, day: date) -> bool:
        return self.start <= day and (self.end is None or day < self.end)

    def overlaps(self, other: DateRange) -> bool:
        """Whether any day is in both."""
        return (self.end is None or other.start < self.end) and (
            other.end is None or self.start < other.end
        )

    def intersection(self, other: DateRange) -> DateRange | None:
        """The days in both, or ``None`` if there are none."""
        if not self.overlaps(other):
            return None
        end = self.end
        if end is None or (other.end is not None and other.end < end):
            end = other.end
        return DateRange(max(self.start, other.start), end)

    def minus(self, other: DateRange) -> tuple[DateRange, ...]:
        """The days of this range that are not in the other: none, one or two ranges."""
        shared = self.intersection(other)
        if shared is None:
            return (self,)
        pieces: list[DateRange] = []
        if self.start < shared.start:
            pieces.append(DateRange(self.start, shared.start))
        if shared.end is not None and (self.end is None or shared.end < self.end):
            pieces.append(DateRange(shared.end, self.end))
        return tuple(pieces)

    def __str__(self) -> str:
        """As lawyers say it, both days included: ``2011-05-01 to 2015-10-31``."""
        if self.is_single_day:
            return self.start.isoformat()
        if self.start == date.min:
            return f"until {self.last}" if self.last else "always"
        return f"{self.start} to {self.last}" if self.last else f"since {self.start}"


ALWAYS = DateRange(date.min, None)


def hull(ranges: Sequence[DateRange]) -> DateRange:
    """From the first to the last day of ranges in order: facts may last between dates mentioned."""
    return DateRange(ranges[0].start, ranges[-1].end)


def merged(ranges: Iterable[DateRange]) -> tuple[DateRange, ...]:
    """The same days in as few ranges as possible, in order: what overlaps or touches is joined."""
    joined: list[DateRange] = []
    for window in sorted(ranges, key=lambda window: window.start):
        last = joined[-1] if joined else None
        if last is None or (last.end is not None and last.end < window.start):
            joined.append(window)
        else:
            ends = last.end, window.end
            end = None if None in ends else max(filter(None, ends))
            joined[-1] = DateRange(last.start, end)
    return tuple(joined)


_NUMERIC = re.compile(
    r"([0-9]{4}) (?: ([-/.]) ([0-9]{1,2}) (?: \2 ([0-9]{1,2}) )? )?", re.VERBOSE | re.ASCII
)
_LONGEST_DATE = 40
"""No date is written longer than this; a bound keeps messages short."""
_LONGEST_QUERY = 200
"""Characters of what a user types as a date or a range of dates."""


@total_ordering
@dataclass(frozen=True, slots=True)
class LegalDate:
    """A day, or a month or year where no more is said: ``LegalDate(2010, 5)`` is May 2010.

    Ordered by calendar, the vaguer first: 2020 < 2020-01 < 2020-01-01 < 2020-02.

    >>> LegalDate.parse("May 2010")
    LegalDate(year=2010, month=5, day=None)
    >>> str(LegalDate.parse("2020年1月25日"))
    '2020-01-25'

    Raises:
        DateError: if no calendar has it (2019-02-30, month 13, year 0).
    """

    year: int
    month: int | None = None
    day: int | None = None

    def __post_init__(self) -> None:
        reason = _why_impossible(self.year, self.month, self.day)
        if reason:
            raise DateError(self.isoformat(), reason)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a date on its own, in any usual Chinese, English or ISO form.

        ``2020``, ``2020-01``, ``2020/1/25``, ``2020.1.25``, ``2020年1月25日``, ``二〇二〇年一月``,
        ``25 January 2020``, ``January 25, 2020``, ``May 2010``. Full-width digits are read too.

        Raises:
            DateError: if the text is not a date, or no calendar has it; it names the text.
        """
        fields = _read_fields(text)
        if fields is None:
            shown = text if len(text) <= _LONGEST_DATE else f"{text[:_LONGEST_DATE]}…"
            raise DateError(shown, "write 2020-01-25, 2020-01, 2020 or 2020年1月25日")
        try:
            return cls(*fields)
        except DateError as error:
            raise DateError(text, error.reason) from None

    @classmethod
    def of(cls, day: date) -> Self:
        """The legal date of a calendar day."""
        return cls(day.year, day.month, day.day)

    @property
    def precision(self) -> Precision:
        """The smallest unit it states: ``year``, ``month`` or ``day``."""
        if self.month is None:
            return "year"
        return "month" if self.day is None else "day"

    @property
    def range(self) -> DateRange:
        """Every day it covers."""
        first = date(self.year, self.month or 1, self.day or 1)
        last_month = self.month or 12
        last_day = self.day or monthrange(self.year, last_month)[1]
        return DateRange.inclusive(first, date(self.year, last_month, last_day))

    def isoformat(self) -> str:
        """``2020``, ``2020-01`` or ``2020-01-25``; `parse` reads it back."""
        smaller = (f"-{part:02}" for part in (self.month, self.day) if part is not None)
        return f"{self.year:04}{''.join(smaller)}"

    def __str__(self) -> str:
        return self.isoformat()

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, LegalDate):
            return NotImplemented
        return self._key < other._key

    @property
    def _key(self) -> tuple[int, int, int]:
        return (self.year, self.month or 0, self.day or 0)


def _read_fields(text: str) -> tuple[int, int | None, int | None] | None:
    plain = as_plain(text).strip()
    if len(plain) > _LONGEST_DATE:
        return None
    if numeric := _NUMERIC.fullmatch(plain):
        year, _, month, day = numeric.groups()
        return int(year), int(month) if month else None, int(day) if day else None
    from inforce.dates.reading import read_whole

    written = read_whole(plain)
    if written is None or written.year is None or written.part:
        return None
    return written.year, written.month, written.day


def _why_impossible(year: int, month: int | None, day: int | None) -> str:
    if not 1 <= year <= 9999:
        return f"there is no year {year}"
    if month is None:
        return "" if day is None else "a day needs a month"
    if not 1 <= month <= 12:
        return f"there is no month {month}"
    days = monthrange(year, month)[1]
    if day is not None and not 1 <= day <= days:
        return f"{year:04}-{month:02} has {days} days"
    return ""


def parse_when(text: str, *, clock: Clock) -> DateRange:
    """The days that a user means by a date or a range of dates.

    ``2020-01-25``, ``2011年5月``, ``today``, ``去年`` or ``2010..2011-05-01`` (see ``--on``).
    A range includes its last day, month or year, as people mean it.

    Raises:
        DateError: if the text is not a date or a range of dates; it names the text.
    """
    if len(text) > _LONGEST_QUERY:
        raise DateError(text[:_LONGEST_QUERY], f"{len(text):,} characters are no date")
    first, dots, last = text.partition("..")
    if not dots:
        return _parse_one(text, clock)
    if not (first.strip() and last.strip()):
        raise DateError(text, "a range needs both its ends (write 2010-01-01..2011-05-01)")
    start, end = _parse_one(first, clock).start, _parse_one(last, clock).end
    if end is not None and end <= start:
        raise DateError(text, "the range ends before it begins")
    return DateRange(start, end)


def _parse_one(text: str, clock: Clock) -> DateRange:
    text = text.strip()
    if _NUMERIC.fullmatch(text):
        return LegalDate.parse(text).range
    from inforce.dates.mentions import scan_dates

    scan = scan_dates(text, clock=clock)
    if len(scan.mentions) == 1 and scan.mentions[0].text == text:
        return scan.mentions[0].range
    for unreadable in scan.unreadable:
        raise unreadable.error
    return LegalDate.parse(text).range
