"""Dates in running text: the days each expression means, and the time a question is about.

An expression that leans on another (同年3月, 1月7日, 28日) takes what it lacks from the date
before it; 去年, 今天 and "last year" count from the clock; what cannot be resolved is not returned.
目前 and 现在 are no dates. Seasons and festivals (2013年春节前后) stand for their year.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import zip_longest
from typing import Literal

from inforce.dates.reading import days_of, resolve, written_dates
from inforce.dates.roles import FACT_ROLES, OTHER_ROLES, DateRole, role_of
from inforce.dates.values import Clock, DateRange, LegalDate, Precision, merged
from inforce.dates.written import WrittenDate, as_plain
from inforce.errors import DateError

MentionKind = Literal["absolute", "relative", "clock"]
"""``relative``: the year is that of the date before (同年3月). ``clock``: it counts from today."""


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date, or a range of dates, in a text: its words and offsets, and the days it stands for."""

    start: int
    end: int
    text: str
    range: DateRange
    precision: Precision
    """The smallest unit stated; for a range the vaguer of its two ends."""
    kind: MentionKind = "absolute"
    role: DateRole = "fact"
    is_range: bool = False
    """Whether the text itself gives two ends (从…到…, 至今): the fact lasted, or was repeated."""


@dataclass(frozen=True, slots=True)
class UnreadableDate:
    """Words that are meant as a date but name none: 2013年2月30日."""

    start: int
    end: int
    text: str
    reason: str

    @property
    def error(self) -> DateError:
        """The error to raise for it."""
        return DateError(self.text, self.reason)


@dataclass(frozen=True, slots=True)
class DateScan:
    """The dates of a text that could be read, and those that could not, each in order."""

    mentions: tuple[DateMention, ...] = ()
    unreadable: tuple[UnreadableDate, ...] = ()


def find_dates(text: str, *, clock: Clock) -> tuple[DateMention, ...]:
    """Every date in a text, in order.

    Raises:
        DateError: if an expression names a day no calendar has, or a range ends before it begins.
            `scan_dates` reports these instead.
    """
    scan = scan_dates(text, clock=clock)
    for unreadable in scan.unreadable:
        raise unreadable.error
    return scan.mentions


def scan_dates(text: str, *, clock: Clock) -> DateScan:
    """Every date in a text, and every expression that is meant as one and cannot be read."""
    today = clock()
    scan = _Reader(text, today=LegalDate.of(today)).read()
    return replace(scan, mentions=tuple(_with_terms(scan.mentions, today)))


def _with_terms(mentions: Sequence[DateMention], today: date) -> Iterator[DateMention]:
    """Mark dates that lie ahead of facts that have happened: they are terms that were agreed."""
    begun = any(mention.role in FACT_ROLES and mention.range.start <= today for mention in mentions)
    for mention in mentions:
        ahead = begun and mention.role in ("fact", "due") and mention.range.start > today
        yield replace(mention, role="term") if ahead else mention


def time_context(mentions: Iterable[DateMention]) -> tuple[DateRange, ...]:
    """The time a question is about: the days of its facts, as few ranges as possible, in order.

    A setting (在2015年的时间背景下) decides alone. The days of a trial, a judgment, a filing or an
    investigation are those of the facts only where the question gives no others, and a date of
    birth never is. Nor is 今天 or 去年 beside a date of long ago that states its year: it is in
    somebody's words of that time. Empty if the text names no time.
    """
    return merged(mention.range for mention in fact_mentions(mentions))


def fact_mentions(mentions: Iterable[DateMention]) -> tuple[DateMention, ...]:
    """The mentions that give the days of the facts (`time_context`), in the order of the text."""
    stated = tuple(mention for mention in mentions if mention.role != "birth")
    for roles in (("setting",), FACT_ROLES, *((role,) for role in OTHER_ROLES)):
        chosen = tuple(mention for mention in stated if mention.role in roles)
        if roles in (("trial",), ("judgment",)) and len(chosen) > 1:
            # 2014年判决后转移财产，2016年判拒执罪: the last is the trial of what came before it.
            last = max(chosen, key=lambda mention: mention.range.start)
            chosen = tuple(mention for mention in chosen if mention is not last)
        if chosen:
            dated = tuple(m for m in chosen if m.kind != "clock")
            return tuple(m for m in chosen if m.kind != "clock" or _goes_on(m, dated))
    return ()


_RECENT = timedelta(days=3 * 366)


def _goes_on(one: DateMention, dated: Sequence[DateMention]) -> bool:
    """Whether 今年3月 goes on with a story of the last years that began on the dates before it."""
    return all(
        mention.start < one.start
        and mention.range.start <= one.range.start <= mention.range.start + _RECENT
        for mention in dated
    )


_CHILDBIRTH = re.compile(
    "产假|生育(?:津贴|保险|医疗)|陪产|育儿假|哺乳|(?i:maternity|paternity leave|baby)"
)
"""Questions about a birth as an event: its day is the day of the facts, not somebody's age."""

_HOUR = r"(?:(?:凌晨|早上|上午|中午|下午|晚上?)?[0-9]{1,2}[时点](?:[0-9]{1,2}分|半)?许?)?"
_RANGE_GAP = re.compile(
    rf"\s*(?:份|间|起|{_HOUR})\s*(?:直?[至到]|[-~]{{1,2}})\s*|\s+(?:to|through|until|till)\s+"
)
_LIST_GAP = re.compile(r"\s*(?:、|和|及|以及|与|或|&)\s*|,?\s+(?:and|or)\s+")
_AND_GAP = re.compile(r"\s+and\s+")
_LONGEST_GAP = 20

_LOOK = 12
"""Characters before a range in which the word that opens it (between) is looked for."""

_UNTIL_TODAY = re.compile(
    r"\s?(?:起|以来|开始)?[，,]?\s?(?:一直|持续|始终|直)?(?:至今(?![年天日月])|到(?:现在|如今)|迄今(?![年天日月]))|\s?以来"
    r"|\s(?:to date|until (?:now|today)|to (?:this day|the present))"
)

_BEFORE = re.compile(r"(?i:(?<![a-z])(?:before|prior to)\s)$")
_BEFORE_IT = re.compile(
    r"\s?(?:(?:[^，。；]{1,8}法典?)?(?:施行|生效|实施)[之以]?前"
    r"|(?P<plainly>[之以]前(?![和与及、][之以]?后)|前(?![后往台面去来期夫妻任女男年月日天几一二两三四五六七八九十半科列述提些])))"
)
_OF_AN_EVENT = tuple(role for role in (*FACT_ROLES, "law") if role != "due")

_VAGUENESS: dict[Precision, int] = {"day": 0, "month": 1, "year": 2}


class _Reader:
    """Reads the dates of a text from left to right; later ones may depend on the last one read."""

    def __init__(self, text: str, *, today: LegalDate) -> None:
        self._text = text
        self._plain = as_plain(text)
        self._today = today
        self._previous: LegalDate | None = None
        self._facts: LegalDate | None = None
        self._mentions: list[DateMention] = []
        self._unreadable: list[UnreadableDate] = []

    def read(self) -> DateScan:
        written = list(written_dates(self._plain))
        for this, after in zip_longest(written, written[1:]):
            self._take(self._with_year_of(this, after))
        return DateScan(tuple(self._mentions), tuple(self._unreadable))

    def _take(self, written: WrittenDate) -> None:
        gap = self._gap_before(written)
        if written.needs_neighbour and gap is None:
            return
        if written.problem:
            self._reject(written.start, written.end, written.problem)
            return
        try:
            if gap == "range":
                self._extend(written)
            else:
                self._append(written)
        except DateError as error:
            self._reject(written.start, written.end, error.reason)

    def _append(self, written: WrittenDate) -> None:
        date = resolve(written, previous=self._previous, facts=self._facts, today=self._today)
        if date is None:
            return
        window, end = days_of(date, written.part), written.end
        today = self._today.range
        until_today = _UNTIL_TODAY.match(self._plain, end, end + _LONGEST_GAP)
        if until_today and window.start < today.start:
            window, end = DateRange(window.start, today.end), until_today.end()
        mention = self._mention(written.start, end, window, date.precision, self._kind(written))
        mention = replace(mention, is_range=bool(until_today))
        if mention.role in _OF_AN_EVENT:
            mention = self._before_it(mention)
        self._mentions.append(mention)
        if mention.role != "birth" and (mention.role != "law" or self._previous is None):
            self._previous = date
        if mention.role in FACT_ROLES:
            self._facts = date

    def _before_it(self, one: DateMention) -> DateMention:
        """The last days before a date, where the words say before it: it is not one of them."""
        looked_at = max(0, one.start - _LOOK)
        ahead = _BEFORE.search(self._plain[looked_at : one.start])
        behind = _BEFORE_IT.match(self._plain, one.end)
        if not (ahead or behind):
            return one
        start = looked_at + ahead.start() if ahead else one.start
        end = behind.end() if behind and behind["plainly"] else one.end
        return replace(
            one, start=start, end=end, text=self._text[start:end], range=_unit_before(one)
        )

    def _extend(self, written: WrittenDate) -> None:
        """Read the end of a range; 11月至2月 ends in the next year."""
        first = self._mentions[-1]
        date = resolve(written, previous=self._previous, today=self._today)
        if date is None:
            return
        names_month_only = written.year is None and written.anchor is None and written.month
        if names_month_only and date.range.start < first.range.start:
            date = LegalDate(date.year + 1, date.month, date.day)
        end = days_of(date, written.part).end
        self._mentions.pop()
        if end is not None and end <= first.range.start:
            self._reject(first.start, written.end, "the range ends before it begins")
            return
        window = DateRange(first.range.start, end)
        precision = max(first.precision, date.precision, key=_VAGUENESS.__getitem__)
        whole = self._mention(first.start, written.end, window, precision, first.kind)
        self._mentions.append(replace(whole, is_range=True))
        self._previous = date

    def _mention(
        self, start: int, end: int, window: DateRange, precision: Precision, kind: MentionKind
    ) -> DateMention:
        role = role_of(self._plain, start, end)
        if role == "birth" and _CHILDBIRTH.search(self._plain):
            role = "fact"
        return DateMention(start, end, self._text[start:end], window, precision, kind, role)

    def _kind(self, written: WrittenDate) -> MentionKind:
        if written.year is not None or written.short_year is not None:
            return "absolute"
        if written.anchor is not None:
            return "clock" if written.anchor.origin == "today" else "relative"
        # 去年3月1日至5月 counts from today throughout.
        after_clock = self._mentions and self._mentions[-1].kind == "clock"
        return "clock" if after_clock else "relative"

    def _reject(self, start: int, end: int, reason: str) -> None:
        self._unreadable.append(UnreadableDate(start, end, self._text[start:end], reason))

    def _gap_before(self, written: WrittenDate) -> Literal["range", "list"] | None:
        """How the words before join this date to the last: 至 makes a range, 和 a list."""
        if not self._mentions:
            return None
        last = self._mentions[-1]
        if written.start - last.end > _LONGEST_GAP:
            return None
        gap = self._plain[last.end : written.start]
        before = self._plain[max(0, last.start - _LOOK) : last.start]
        between = before.lower().endswith("between ")
        if _RANGE_GAP.fullmatch(gap) or (between and _AND_GAP.fullmatch(gap)):
            return "range"
        return "list" if _LIST_GAP.fullmatch(gap) else None

    def _with_year_of(self, written: WrittenDate, after: WrittenDate | None) -> WrittenDate:
        """June to August 2018 begins in 2018; November to February 2018 in 2017."""
        if not written.may_borrow_year or after is None or not (after.year and after.month):
            return written
        gap = self._plain[written.end : min(after.start, written.end + _LONGEST_GAP)]
        if not (_RANGE_GAP.fullmatch(gap) or _LIST_GAP.fullmatch(gap)):
            return written
        wraps = (written.month or 0) > after.month
        return replace(written, year=after.year - 1 if wraps else after.year)


def _unit_before(one: DateMention) -> DateRange:
    """The year before a year, the month before a month, the day before a day."""
    last = LegalDate.of(one.range.start - timedelta(days=1))
    month = last.month if one.precision != "year" else None
    first = LegalDate(last.year, month, last.day if one.precision == "day" else None)
    return DateRange(first.range.start, one.range.start)
