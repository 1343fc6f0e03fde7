"""Provisions made for tests: a timeline from its wordings."""

from __future__ import annotations

from datetime import date

from inforce.dates import CaseDates, DateRange, read_case_dates
from inforce.law.model import Provision, Validity, Version
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Claim, Timeline
from inforce.law.timeline_builder import TimelineBuilder

CRIMINAL_LAW = "中华人民共和国刑法"
TODAY = date(2026, 11, 20)


def day(text: str) -> date:
    return date.fromisoformat(text)


def on(text: str) -> DateRange:
    return DateRange.day(day(text))


def timeline(
    work: str,
    number: str,
    *wordings: tuple[str, str | None, str | None],
    ended: str | None = None,
    commenced: str | None = None,
) -> Timeline:
    """One provision from its (first day, first day no longer, text) records.

    The law itself begins with the first of them unless ``commenced`` says otherwise; of 刑法, whose
    text of 1979 is not held, that is not known.
    """
    parsed = ProvisionNumber.parse(number)
    claims: list[Claim] = []
    for start, end, text in wordings:
        validity = Validity(day(start), day(end) if end else None, "exact" if end else "open")
        provision = None if text is None else Provision(parsed, text)
        claims.append(Claim(Version(work, start, validity), provision))
    first = min(day(start) for start, _, _ in wordings)
    known = day(commenced) if commenced else None if work == CRIMINAL_LAW else first
    last = day(ended) if ended else None
    return TimelineBuilder(work, commenced=known, ended=last).build(parsed, claims)


def case(text: str, *, trial: str | None = None) -> CaseDates:
    """The dates a text tells, today being 20 November 2026."""
    judged = on(trial) if trial else None
    return read_case_dates(text, clock=lambda: TODAY, trial=judged)
