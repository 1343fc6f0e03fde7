"""What a user types after ``--on``, ``--as-of`` or ``--from``."""

from __future__ import annotations

from inforce.dates.legal_date import LegalDate, is_numeric
from inforce.dates.values import Clock, DateRange
from inforce.errors import DateError

_LONGEST = 200
"""Characters; the longest date in any calendar has a quarter of them."""


def parse_when(text: str, *, clock: Clock) -> DateRange:
    """The days meant by ``2020-01-25``, ``2011年5月``, ``today``, ``去年`` or ``2010..2011-05-01``.

    A range includes its last day, month or year, as people mean it.

    Raises:
        DateError: if the text is not a date or a range of dates; it names the text.
    """
    if len(text) > _LONGEST:
        raise DateError(text[:_LONGEST], f"{len(text):,} characters are no date")
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
    if is_numeric(text):
        return LegalDate.parse(text).range
    from inforce.dates.mentions import scan_dates

    scan = scan_dates(text, clock=clock)
    if len(scan.mentions) == 1 and scan.mentions[0].text == text:
        return scan.mentions[0].range
    for unreadable in scan.unreadable:
        raise unreadable.error
    return LegalDate.parse(text).range
