"""The dates of a case, read from a question or the facts: what happened when, and the trial.

The rules on the law in time ask for different days of one case: the act, the death of the testator,
the day a debt fell due, the trial. Two dates never become one range unless the text says so
(从…到…, 至, 至今).

>>> from datetime import date
>>> dates = read_case_dates("2018年10月坠物伤人，一审2021年2月审理", clock=lambda: date(2026, 1, 1))
>>> str(dates.facts[0]), str(dates.trial)
('2018-10-01 to 2018-10-31', '2021-02-01 to 2021-02-28')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from inforce.dates.mentions import DateMention, DateScan, fact_mentions, scan_dates
from inforce.dates.roles import DateRole
from inforce.dates.values import Clock, DateRange, Precision, merged
from inforce.errors import DateError

Conduct = Literal["unknown", "continuing", "repeated"]
"""What a range of fact days means: one lasting fact, a series, or (``unknown``) perhaps one day."""

DateOrigin = Literal["question", "option", "today"]
"""Where a date comes from: the words of the question, an option of the user's, or the clock."""


@dataclass(frozen=True, slots=True)
class CaseDate:
    """One date of a case, with the event it is the date of."""

    role: DateRole
    range: DateRange
    text: str = ""
    """The words of the question; empty for an option."""
    origin: DateOrigin = "question"
    precision: Precision = "day"
    is_range: bool = False
    """Whether the text gives two ends: the fact lasted, or was repeated, over these days."""


@dataclass(frozen=True, slots=True)
class CaseDates:
    """The dates of a case, each with its role, and today."""

    today: date
    dates: tuple[CaseDate, ...] = ()
    """In the order of the text, those given by option first."""
    facts: tuple[DateRange, ...] = ()
    """The days of the facts, in order of time; today where the question names no date at all."""
    trial: DateRange | None = None
    """The day or days of the trial or judgment; the later where several are named."""
    conduct: Conduct = "unknown"
    origin: DateOrigin = "today"
    """Where the days of the facts come from."""
    notes: tuple[str, ...] = field(default=())
    """What was set aside, and why."""

    def of(self, *roles: DateRole) -> tuple[DateRange, ...]:
        """The days with one of these roles, in order of time."""
        found = (dated.range for dated in self.dates if dated.role in roles)
        return tuple(sorted(found, key=lambda days: days.start))

    @property
    def hull(self) -> DateRange:
        """From the first to the last day of the facts: for showing and for searching widely."""
        last = max(self.facts, key=lambda days: (days.end is None, days.end or days.start))
        return DateRange(self.facts[0].start, last.end)


def read_case_dates(
    text: str,
    *,
    clock: Clock,
    as_of: DateRange | None = None,
    trial: DateRange | None = None,
    scan: DateScan | None = None,
) -> CaseDates:
    """The dates of the case that a text describes, corrected by the user's options.

    Args:
        text: a question or the facts of a case.
        clock: what 去年 means, and the day asked about where no date is named.
        as_of: the days of the facts; they win over all dates of the text.
        trial: the day of the trial; it wins over the text too.
        scan: the dates of the text, where they have been read already.

    Raises:
        DateError: if the option ``trial`` comes before the facts.
    """
    mentions = (scan or scan_dates(text, clock=clock)).mentions
    chosen = fact_mentions(mentions)
    today = clock()
    options = [CaseDate("fact", as_of, origin="option")] if as_of else []
    options += [CaseDate("trial", trial, origin="option")] if trial else []
    mentioned = [
        CaseDate(
            mention.role,
            mention.range,
            mention.text,
            precision=mention.precision,
            is_range=mention.is_range,
        )
        for mention in mentions
    ]
    if as_of is not None:
        facts, origin = (as_of,), "option"
    elif chosen:
        facts, origin = _distinct(_lasting(text, chosen)), "question"
    else:
        facts, origin = (DateRange.day(today),), "today"
    tried, notes = _trial(trial, mentioned, facts)
    conduct = _conduct(text, chosen)
    return CaseDates(today, (*options, *mentioned), facts, tried, conduct, origin, notes)


_UP_TO = re.compile(r"(?:持续|一直|延续|继续|直|until |up to )[^，。；]{0,6}?(?:[至到]\s?)?$")


def _lasting(text: str, mentions: Iterable[DateMention]) -> list[DateRange]:
    """The days of the facts; 持续至 joins a date to the one before it as one range."""
    ranges: list[DateRange] = []
    for mention in mentions:
        before = text[max(0, mention.start - 12) : mention.start]
        starts = ranges and ranges[-1].start < mention.range.start
        if starts and _UP_TO.search(before):
            ranges[-1] = DateRange(ranges[-1].start, mention.range.end)
        else:
            ranges.append(mention.range)
    return ranges


def _distinct(ranges: Iterable[DateRange]) -> tuple[DateRange, ...]:
    """Ranges in order of time without those within another (2013年3月 within 2013年)."""
    ordered = sorted(set(ranges), key=lambda r: (r.start, -(r.end or date.max).toordinal()))
    distinct: list[DateRange] = []
    for days in ordered:
        if not any(merged((other, days)) == (other,) for other in distinct):
            distinct.append(days)
    return tuple(distinct)


def _trial(
    option: DateRange | None, mentioned: list[CaseDate], facts: tuple[DateRange, ...]
) -> tuple[DateRange | None, tuple[str, ...]]:
    """The trial: the option, else the last one mentioned, unless it would come before the facts."""
    if option is not None:
        if option.end is not None and option.end <= facts[0].start:
            days = ", ".join(map(str, facts))
            raise DateError(str(option), f"the trial cannot come before the facts ({days})")
        return option, ()
    stated = [dated for dated in mentioned if dated.role in ("trial", "judgment")]
    if not stated:
        return None, ()
    last = max(stated, key=lambda dated: dated.range.start)
    if last.range.end is not None and last.range.end <= facts[0].start:
        return None, (f"{last.text} reads as the trial, and comes before the facts: left out",)
    return last.range, ()


_REPEATED = re.compile("(?i:多次|屡次|先后|陆续|连续|反复|每[天月周年]|repeated|several times)")
_LASTING = re.compile("(?i:持续|一直|始终|继续|长期|至今|以来|到现在|continu|ever since|until now)")
_SOME_DAY = re.compile("(?:之?间|期间)?的?(?:某|一)[天日次]")


def _conduct(text: str, facts: Iterable[DateMention]) -> Conduct:
    """Whether the words say that the fact lasted or was repeated.

    A range with both its ends stated says so itself, unless a day within it is meant (期间的一天).
    """
    facts = tuple(facts)
    ranges = [mention for mention in facts if mention.is_range]
    if _REPEATED.search(text) and facts:
        return "repeated"
    if facts and _LASTING.search(text):
        return "continuing"
    if any(not _SOME_DAY.match(text, mention.end) for mention in ranges):
        return "continuing"
    return "unknown"
