"""Days, half-open ranges of days, and the clock.

A clock is a value you pass in, so that "today" is the same on every run that wants it to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal, Self

from inforce.errors import DateError

Precision = Literal["year", "month", "day"]

Clock = Callable[[], date]
"""Says what day it is; pass ``lambda: date(2020, 1, 25)`` to fix it."""


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
            joined[-1] = DateRange(last.start, _later(last.end, window.end))
    return tuple(joined)


def _later(left: date | None, right: date | None) -> date | None:
    return None if left is None or right is None else max(left, right)
