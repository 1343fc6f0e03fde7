"""A date as the law states it: a year, a month or a day."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from functools import total_ordering
from typing import Self

from inforce.dates.values import DateRange, Precision
from inforce.dates.written import as_plain
from inforce.errors import DateError

_NUMERIC = re.compile(
    r"([0-9]{4}) (?: ([-/.]) ([0-9]{1,2}) (?: \2 ([0-9]{1,2}) )? )?", re.VERBOSE | re.ASCII
)
_LONGEST = 40
"""No date is written longer than this; a bound keeps messages short."""


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
            shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
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


def is_numeric(text: str) -> bool:
    """Whether a text is a year, month or day in digits: ``2010``, ``2010-06``, ``2010/6/1``."""
    return _NUMERIC.fullmatch(text) is not None


def _read_fields(text: str) -> tuple[int, int | None, int | None] | None:
    plain = as_plain(text).strip()
    if len(plain) > _LONGEST:
        return None
    if numeric := _NUMERIC.fullmatch(plain):
        year, _, month, day = numeric.groups()
        return int(year), int(month) if month else None, int(day) if day else None
    from inforce.dates.scanner import read_whole

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
