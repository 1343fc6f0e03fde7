"""Finding the date expressions of a text, and resolving each to the date it means.

A text is searched in one pass, without repetition inside a repetition, so in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache

from inforce.dates import chinese, english
from inforce.dates.values import DateRange, LegalDate
from inforce.dates.written import Anchor, Part, WrittenDate
from inforce.errors import DateError

_FORMS = {form.name: form for form in (*chinese.FORMS, *english.FORMS)}
_FIRST_SHORT_YEAR = 1949
"""The law this library knows begins with the People's Republic."""


@cache
def _any() -> re.Pattern[str]:
    """All forms in one pattern, compiled at the first use, as it takes a while."""
    forms = (f"(?P<{form.name}>{form.pattern})" for form in _FORMS.values())
    return re.compile("|".join(forms), re.X)


def written_dates(plain: str) -> Iterator[WrittenDate]:
    """Every date expression in a text made plain (see `as_plain`), in order, none overlapping."""
    for match in _any().finditer(plain):
        written = _read(match)
        if written is not None:
            yield written


def read_whole(plain: str) -> WrittenDate | None:
    """The date expression that is the whole of a text, or ``None``."""
    match = _any().fullmatch(plain)
    written = _read(match) if match else None
    return written if written and (written.start, written.end) == (0, len(plain)) else None


def _read(match: re.Match[str]) -> WrittenDate | None:
    # The outermost group closes last, so its name is that of the form.
    form = match.lastgroup
    assert form is not None
    return _FORMS[form].read(match)


def resolve(
    written: WrittenDate,
    *,
    previous: LegalDate | None,
    facts: LegalDate | None = None,
    today: LegalDate,
) -> LegalDate | None:
    """The date an expression means, or ``None`` where nothing before it says of which year it is.

    Args:
        written: the expression.
        previous: the date before it.
        facts: the last date before it that is one of the facts.
        today: what 去年 counts from.

    Raises:
        DateError: if no calendar has it.
    """
    if written.year is not None:
        return LegalDate(written.year, written.month, written.day)
    if written.short_year is not None:
        year = _full_year(written.short_year, today)
        return LegalDate(year, written.month, written.day) if year else None
    match written.anchor.origin if written.anchor else "previous":
        case "today":
            origin = today
        case "facts":
            origin = facts or previous
        case "previous":
            origin = previous
    if origin is None:
        return None
    if written.anchor:
        base = _shifted(origin, written.anchor)
        if base is None:
            return None
        return LegalDate(base.year, written.month or base.month, written.day or base.day)
    if written.month is not None:
        return LegalDate(origin.year, written.month, written.day)
    return LegalDate(origin.year, origin.month, written.day) if origin.month else None


def days_of(date: LegalDate, part: Part | None) -> DateRange:
    """Every day of a date, or of the part of it that is meant (上半年, 中旬)."""
    if part is None:
        return date.range
    if date.month is None:
        first, last = (_month_of(date.year, month) for month in part)
        return DateRange(first.range.start, last.range.end)
    first = LegalDate(date.year, date.month, part.first)
    last = date if part.last == 31 else LegalDate(date.year, date.month, part.last)
    return DateRange(first.range.start, last.range.end)


def _full_year(figures: int, today: LegalDate) -> int | None:
    """The latest year that ends so and is not to come; ``None`` before 1949 (30年 is a length)."""
    year = today.year // 100 * 100 + figures
    if year > today.year + 1:
        year -= 100
    return year if year >= _FIRST_SHORT_YEAR else None


def _month_of(year: int, month: int) -> LegalDate:
    """A month counted from January of a year: the 120th is December nine years later."""
    years, index = divmod(month - 1, 12)
    return LegalDate(year + years, index + 1)


def _shifted(origin: LegalDate, anchor: Anchor) -> LegalDate | None:
    """The year, month or day so many after that of the origin; ``None`` if it states none."""
    match anchor.unit:
        case "year":
            return LegalDate(origin.year + anchor.shift)
        case "month":
            return _month_of(origin.year, origin.month + anchor.shift) if origin.month else None
        case "day":
            return _day_after(origin, anchor.shift) if origin.day else None


def _day_after(origin: LegalDate, days: int) -> LegalDate:
    try:
        return LegalDate.of(origin.range.start + timedelta(days=days))
    except OverflowError:
        raise DateError(str(origin), "the calendar ends here") from None
