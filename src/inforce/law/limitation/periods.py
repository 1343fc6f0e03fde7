"""A period of limitation: how long, from which days, and whether it had run out on a day.

>>> from inforce.dates import LegalDate
>>> ends = Period(2, "years").after(LegalDate.parse("2015-06").range)
>>> str(ends)
'2017-06-01 to 2017-06-30'
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from inforce.dates import DateRange
from inforce.law.rules import Reference, Rule

LimitationResult = Literal["within", "over", "no limit", "cannot_decide", "not asked"]
"""``within``: the step came in time; ``over``: the period had run out; ``no limit``: it does not
run (flight after the case was opened); ``not asked``: the case names no day of a suit or charge."""


@dataclass(frozen=True, slots=True)
class Period:
    """A length of time as statutes give it."""

    count: int
    unit: Literal["years", "months", "days"]

    def __str__(self) -> str:
        """``2 years``."""
        return f"{self.count} {self.unit if self.count != 1 else self.unit[:-1]}"

    def after(self, began: DateRange) -> DateRange:
        """The first day after the period, as exactly as the day it began is known."""
        last = began.last or began.start
        return DateRange.inclusive(self._after(began.start), self._after(last))

    def _after(self, day: date) -> date:
        if self.unit == "days":
            return day + timedelta(days=self.count)
        months = day.month - 1 + (self.count * 12 if self.unit == "years" else self.count)
        year, month = day.year + months // 12, months % 12 + 1
        return date(year, month, min(day.day, monthrange(year, month)[1]))


@dataclass(frozen=True, slots=True)
class Cited:
    """A provision on limitation, and the day whose wording counts."""

    provision: Reference
    on: date


@dataclass(frozen=True, slots=True)
class Limitation:
    """Whether a period of limitation had run out, with its days and the provisions it rests on."""

    of: Literal["prosecution", "claim", "penalty"]
    result: LimitationResult
    rule: Rule
    period: Period | None
    """``None`` where nothing shows how long it is."""
    began: DateRange | None
    """The days from which it runs; ``None`` where the case does not name them."""
    over: DateRange | None
    """The first day on which it is over."""
    until: DateRange | None
    """The suit, charge or other step that has to come before."""
    cited: tuple[Cited, ...]
    steps: tuple[str, ...] = ()
    establish: tuple[str, ...] = ()


def judged(over: DateRange | None, until: DateRange | None) -> LimitationResult:
    """Whether a step came before a period was over, as far as that is known from their days."""
    if over is None:
        return "cannot_decide"
    if until is None:
        return "not asked"
    if until.end is not None and until.end <= over.start:
        return "within"
    last = over.last or over.start
    return "over" if until.start >= last else "cannot_decide"


def following(day: DateRange) -> DateRange:
    """The day after: a period does not count the day it is set off by (民法通则 art. 154)."""
    a_day = timedelta(days=1)
    last = day.last or day.start
    return DateRange.inclusive(day.start + a_day, last + a_day)
