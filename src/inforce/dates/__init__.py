"""Legal dates: calendar days with a precision, half-open ranges of them, and how people write them.

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

from inforce.dates.legal_date import LegalDate
from inforce.dates.values import ALWAYS, Clock, DateRange, Precision, hull, merged, system_clock
from inforce.dates.when import parse_when

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


_OF_A_CASE = ("CaseDate", "CaseDates", "Conduct", "read_case_dates")


def __getattr__(name: str) -> object:
    """What reads dates in a text is loaded when first used: an ISO date needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module 'inforce.dates' has no attribute {name!r}")
    module = "case" if name in _OF_A_CASE else "roles" if name == "DateRole" else "mentions"
    return getattr(import_module(f"inforce.dates.{module}"), name)
