"""Legal dates: days, months and years as calendar days, ranges of them, and how people write them.

A legal date has no time of day and no time zone; a year or a month stands for every day it covers.
Timestamps (when something was fetched or computed) are aware UTC datetimes and do not occur here.

>>> from datetime import date
>>> from inforce.dates import find_dates
>>> LegalDate.parse("二〇一五年十一月").range.start
datetime.date(2015, 11, 1)
>>> [m.text for m in find_dates("2018年6月至8月，被判10年以上", clock=lambda: date(2020, 1, 25))]
['2018年6月至8月']
"""

from importlib import import_module
from typing import TYPE_CHECKING

from inforce.dates.values import (
    ALWAYS,
    Clock,
    DateRange,
    LegalDate,
    Precision,
    hull,
    merged,
    parse_when,
    system_clock,
)

if TYPE_CHECKING:
    from inforce.dates.case import CaseDate, CaseDates, Conduct, read_case_dates
    from inforce.dates.mentions import (
        DateMention,
        DateScan,
        MentionKind,
        UnreadableDate,
        find_dates,
        scan_dates,
        time_context,
    )
    from inforce.dates.roles import DateRole

__all__ = [
    "ALWAYS",
    "CaseDate",
    "CaseDates",
    "Clock",
    "Conduct",
    "DateMention",
    "DateRange",
    "DateRole",
    "DateScan",
    "LegalDate",
    "MentionKind",
    "Precision",
    "UnreadableDate",
    "find_dates",
    "hull",
    "merged",
    "parse_when",
    "read_case_dates",
    "scan_dates",
    "system_clock",
    "time_context",
]


_MODULES = {
    **dict.fromkeys(("CaseDate", "CaseDates", "Conduct", "read_case_dates"), "case"),
    "DateRole": "roles",
}


def __getattr__(name: str) -> object:
    """Load what reads dates in a text when it is first used: an ISO date needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module 'inforce.dates' has no attribute {name!r}")
    module = import_module(f"inforce.dates.{_MODULES.get(name, 'mentions')}")
    return getattr(module, name)
