"""Limitation of claims: the period by the law of the day it began, and changes by later law.

Two years and one of 民法通则 became three on 2017-10-01 (民法总则 art. 188) where they had not
run out by then (法释〔2018〕12号 arts. 2-3). The table has the special periods, the more special
first.

>>> from inforce.dates import read_case_dates
>>> text = "货款2015年10月1日到期，2018年9月起诉，超过诉讼时效吗？"
>>> found = limitation_of_claim(text, read_case_dates(text, clock=lambda: date(2026, 1, 1)))
>>> str(found.period), str(found.over), found.result
('3 years', '2018-10-02', 'within')
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Literal, cast

from inforce.dates import CaseDates, DateRange, DateRole
from inforce.law.data import table
from inforce.law.limitation.periods import (
    Cited,
    Limitation,
    LimitationResult,
    Period,
    following,
    judged,
)
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import STATE
from inforce.law.rules import (
    CIVIL_CODE,
    CIVIL_CODE_COMMENCED,
    GENERAL_PART,
    GENERAL_PART_COMMENCED,
    GENERAL_PRINCIPLES,
    LIMITATION_TWO_TO_THREE,
    Reference,
    Rule,
)

_EXTENDED = Reference.parse(
    "最高人民法院关于适用《中华人民共和国民法总则》诉讼时效制度若干问题的解释", "2"
)
_NOT_EXTENDED = Reference.parse(
    "最高人民法院关于适用《中华人民共和国民法总则》诉讼时效制度若干问题的解释", "3"
)
_EXTENDED_DURING = DateRange(date(2018, 7, 23), date(2021, 1, 1))
"""法释〔2018〕12号, from its commencement until 法释〔2020〕16号 repealed it."""

_THREE_YEARS = Reference(GENERAL_PART, ProvisionNumber.article(188))

_ASKS = re.compile(
    "时效|追诉期|(?:两|二|2)年还是(?:按)?(?:三|3)年|(?:两|二|2)年(?:早|就|已经?)+过了|(?:仲裁|复议|起诉|追诉|追责)的?期限?|还(?:能不能|能否|可以|能)[^，。？]{0,6}"
    "(?:起诉|告|追究|主张|追诉|要回)|(?:晚|迟|太久)了(?:吗|没)|(?:晚没|迟没|晚不|迟不)[晚迟]|来得及|过期了"
    "|(?i:limitation|time[- ]barred|too late(?: to sue|[?])|still (?:sue|claim|go to court)"
    "|(?:how long|how many years)[^.?]{0,24} (?:to sue|to claim|to prosecute|to bring)"
    "|time limit (?:for|to) (?:sue|suing|claim|bring|prosecut)|prosecution still possible"
    "|still be (?:prosecuted|punished|charged|fined)|deadline (?:for|to) (?:sue|suing|claim)"
    "|(?:two|2) (?:or|and not) (?:three|3) years"
    "|(?:two|three|2|3) years (?:are|have|had) (?:over|up|passed)"
    "|how long (?:had|have|did|do) (?:i|we|he|she|they|you) (?:have )?to (?:go to court|sue|claim)"
    "|(?:fine|penalty|punishment|suit|claim) still possible|out of time"
    "|past the (?:limit|deadline))"
)
_OF_ITS_LENGTH = re.compile(
    "期间|[很特太]别?短|多长|多久|几年|年还是|年(?:早|就|已经?)+过|多少|过了?|超|届满|起算|还能|还可以|是否|吗|[晚迟][了没不][晚迟没]|期限|追诉|追责"
    "|(?i:how long|how many years|barred|too late|period|expired|still|time limit|deadline"
    "|(?:two|three|2|3) (?:or (?:two|three|2|3) )?years|out of time|past the)"
)
_OF_ANOTHER_PERIOD = re.compile(
    "保证期间|申请(?:强制|法院)?执行|执行庭|撤销婚姻|(?:胁迫|逼)[^。？?]{0,60}(?:撤销|领证|结婚)|除斥期间"
)
"""Periods that are no limitation: of a right that ends with them, or of enforcement."""
_OF_ITS_COURSE = re.compile("中断|中止|放弃时效|时效抗辩|取得时效|(?i:interrupt|suspen)")

_DEBT = re.compile(
    "[借欠贷租]|货款|工程款|报酬|劳务费|保证|合同|(?i:loan|lent|borrow|debt|owed?|rent|contract)"
)
"""Claims whose period begins when performance was due (民法典 art. 188), never before the facts."""
_DUE = "the day performance was due: the period cannot have begun before"

_Kind = Literal["", "general", "penalty"]


@dataclass(frozen=True, slots=True)
class _Row:
    days: DateRange
    period: Period
    provision: Reference


@dataclass(frozen=True, slots=True)
class _Claim:
    words: re.Pattern[str]
    kind: _Kind
    rows: tuple[_Row, ...]


def asks_about_limitation(text: str) -> bool:
    """Whether a question asks how long a period of limitation is, or whether it ran out."""
    asked = _ASKS.search(text) and _OF_ITS_LENGTH.search(text)
    other = "诉讼时效" not in text and _OF_ANOTHER_PERIOD.search(text)
    return bool(asked) and not other and not _OF_ITS_COURSE.search(text)


def limitation_of_claim(text: str, dates: CaseDates) -> Limitation | None:
    """The limitation of the claim a text describes; ``None`` for days before all law on it."""
    claim = next(claim for claim in _claims() if claim.words.search(text))
    roles: tuple[DateRole, ...] = ("known", "due") if claim.kind != "penalty" else ("fact",)
    events = dates.of(*roles)
    stated = bool(events) or dates.origin != "today"
    day = events[0] if events else dates.facts[0]
    row = next((row for row in claim.rows if day.start in row.days), None)
    if row is None:
        return None
    until = _step_to_take(claim, text, dates)
    if not stated:
        found = _by_table(claim, row, day, until, text)
        return replace(found, began=None, over=None, result="not asked", steps=())
    if _reaches_2017(claim, day, until):
        found = _across_2017(row, day, until)
        if not events and until is None and found.result != "over":
            at_first = Cited(row.provision, day.start)
            found = replace(found, cited=tuple(dict.fromkeys((at_first, *found.cited))))
    else:
        found = _by_table(claim, row, day, until, text)
    if claim.kind == "general" and events:
        found = _begun_anew(found, claim, dates, until, text)
    if claim.kind == "general":
        found = _of_the_later_facts(found, claim, dates, until, text)
    is_debt = claim.kind == "general" and _DEBT.search(text)
    if events or not is_debt or found.result == "within":
        return found
    # The day the debt fell due is not stated: the period began on the day of the facts, or later.
    return replace(
        found,
        result="cannot_decide",
        period=None if found.rule is LIMITATION_TWO_TO_THREE else found.period,
        over=None,
        steps=("counted as if performance had been due on the day of the facts:", *found.steps),
        establish=(_DUE, *found.establish),
    )


def _counted_from(
    claim: _Claim, day: DateRange, until: DateRange | None, text: str
) -> Limitation | None:
    """The limitation of a claim whose period began with a day; ``None`` before all law on it."""
    row = next((row for row in claim.rows if day.start in row.days), None)
    if row is None:
        return None
    if _reaches_2017(claim, day, until):
        return _across_2017(row, day, until)
    return _by_table(claim, row, day, until, text)


def _reaches_2017(claim: _Claim, day: DateRange, until: DateRange | None) -> bool:
    """Whether the change of two years to three has to be looked at: not for a suit before it."""
    began = claim.kind == "general" and day.start < GENERAL_PART_COMMENCED
    return began and (until is None or (until.last or until.start) >= GENERAL_PART_COMMENCED)


def _of_the_later_facts(
    found: Limitation, claim: _Claim, dates: CaseDates, until: DateRange | None, text: str
) -> Limitation:
    """The limitation, open where a later fact before the suit would change it (late delivery)."""
    later = [
        days
        for days in dates.of("fact", "result")
        if found.began and days.start > found.began.start
        if until is None or days.start < until.start
    ]
    last = _counted_from(claim, later[-1], until, text) if later else None
    if last is None or last.result == found.result:
        return found
    establish = (_WHICH_DAY, *found.establish)
    return replace(found, result="cannot_decide", over=None, establish=establish)


def _begun_anew(
    found: Limitation, claim: _Claim, dates: CaseDates, until: DateRange | None, text: str
) -> Limitation:
    """The limitation after each demand in time: it interrupts, and the period begins anew."""
    for demand in dates.of("claim"):
        again = _counted_from(claim, demand, until, text)
        too_early = found.began is None or demand.start < found.began.start
        if again is None or too_early or judged(found.over, demand) != "within":
            continue
        interrupting = next(
            provision for first, provision in _INTERRUPTING if first <= demand.start
        )
        step = f"a demand on {demand} interrupted it, and it began anew ({interrupting})"
        cited = (*found.cited, Cited(interrupting, demand.start), *again.cited)
        found = replace(
            again,
            rule=found.rule,
            cited=tuple(dict.fromkeys(cited)),
            steps=(*found.steps, step, *again.steps),
            establish=(
                _PROVED,
                *(one for one in found.establish if one not in (_INTERRUPTION, _PROVED)),
            ),
        )
    return found


_NOW = re.compile(
    "(?:现在|如今|目前|眼下|今天)[^，。？]{0,8}(?:起诉|告|追究|追讨|要回|要账|打官司|仲裁|法院|时效|过期|晚|来得及)"
    "|(?i:(?:sue|claim|court|late|limitation)[^.?]{0,30}(?:now|today)"
    "|(?:now|today)[^.?]{0,30}(?:sue|claim|court|late))"
)
"""A suit that is thought of today."""


def _step_to_take(claim: _Claim, text: str, dates: CaseDates) -> DateRange | None:
    """The suit, the petition or, for a penalty, the discovery; else the trial, or today."""
    if claim.kind == "penalty":
        found = dates.of("known", "investigation", "decision")
    else:
        found = dates.of("filing")
    until = found[-1] if found else dates.trial
    if until is None and claim.kind != "penalty" and _NOW.search(text):
        return DateRange.day(dates.today)
    return until


def _by_table(
    claim: _Claim, row: _Row, day: DateRange, until: DateRange | None, text: str
) -> Limitation:
    """The limitation by the period of the table alone."""
    began = day if claim.kind == "penalty" else following(day)
    over = row.period.after(began)
    result = judged(over, until)
    return Limitation(
        "penalty" if claim.kind == "penalty" else "claim",
        result,
        Rule(f"limitation/{row.provision}", f"The period is {row.period}.", str(row.provision)),
        row.period,
        began,
        over,
        until,
        (Cited(row.provision, day.start),),
        (_counted(row, began, over),),
        _to_establish(result, interrupted=bool(_INTERRUPTS.search(text))),
    )


def _across_2017(row: _Row, day: DateRange, until: DateRange | None) -> Limitation:
    """A period that began before 2017-10-01: three years, unless it had run out by then."""
    began = following(day)
    former = row.period.after(began)
    change, during = GENERAL_PART_COMMENCED, _EXTENDED_DURING
    tried = min(max(until.start if until else change, during.start), during.last or during.start)
    at_first = Cited(row.provision, day.start)
    if former.start > change:
        period = Period(3, "years")
        over = period.after(began)
        step = f"it had not run out on {change}, so it is three years and over on {over}"
        cited = (Cited(_THREE_YEARS, change), Cited(_EXTENDED, tried))
    elif (former.last or former.start) <= change:
        period, over, cited = row.period, former, (at_first, Cited(_NOT_EXTENDED, tried))
        step = f"it had run out before {change}, and stays so"
    else:
        period, over, cited = row.period, None, (at_first, Cited(_EXTENDED, tried))
        step = f"whether it had run out on {change} turns on the exact day it began"
    result = judged(over, until)
    steps = (_counted(row, began, former), step)
    establish = _to_establish(result, interrupted=True)
    rule = LIMITATION_TWO_TO_THREE
    return Limitation("claim", result, rule, period, began, over, until, cited, steps, establish)


_INTERRUPTING = (
    (CIVIL_CODE_COMMENCED, Reference.parse(CIVIL_CODE, "195")),
    (GENERAL_PART_COMMENCED, Reference.parse(GENERAL_PART, "195")),
    (date(1987, 1, 1), Reference.parse(GENERAL_PRINCIPLES, "140")),
)
"""What says that a demand interrupts the period, the latest first, with the day it commenced."""
_INTERRUPTS = re.compile("催|要求|主张|承诺|同意履行|部分(?:履行|还款)")
_INTERRUPTION = "whether a demand, a suit or an acknowledgement interrupted the period"
_PROVED = "whether the claimant made the demand and can prove it"
_WHICH_DAY = "on which of the days named the right was infringed"
_TO_ESTABLISH = "the day the claimant knew or ought to have known, and the day of the suit"


def _to_establish(result: LimitationResult, *, interrupted: bool) -> tuple[str, ...]:
    days = () if result in ("within", "over") else (_TO_ESTABLISH,)
    return (*days, _INTERRUPTION) if interrupted else days


def _counted(row: _Row, began: DateRange, over: DateRange) -> str:
    return f"{row.provision}: {row.period}, counted from {began}; over on {over}"


@cache
def _claims() -> tuple[_Claim, ...]:
    claims: list[_Claim] = []
    for head, *lines in map(str.splitlines, table("limitation").split("\n\n")):
        pattern, _, kind = head.removeprefix("/").rpartition("/")
        rows = tuple(map(_read_row, lines))
        claims.append(_Claim(re.compile(pattern), cast(_Kind, kind.strip()), rows))
    return tuple(claims)


def _read_row(line: str) -> _Row:
    first, end, count, unit, work, number = line.split()
    days = DateRange(date.fromisoformat(first), None if end == "-" else date.fromisoformat(end))
    period = Period(int(count), cast(Literal["years", "months", "days"], unit))
    return _Row(days, period, Reference.parse(f"{STATE}{work}", number))
