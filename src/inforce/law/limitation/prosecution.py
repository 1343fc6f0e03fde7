"""Limitation of prosecution: 刑法 arts. 87-89, for acts before 1997-10-01 arts. 76-78 of 1979.

The maximum of the tier that fits the facts gives the period; it runs from the act, where that
lasted from its end, and anew from a further crime (art. 89). It does not run for who flees after
the case was opened (art. 88); for acts before 1997-10-01 only after coercive measures were taken
(former art. 77, by 法释〔1997〕5号 art. 1). After twenty years the Supreme People's Procuratorate
may approve prosecution.

>>> from inforce.dates import read_case_dates
>>> from inforce.law.penalties.ranges import find_ranges
>>> dates = read_case_dates("2005年5月1日盗窃，2011年6月立案", clock=lambda: date(2026, 1, 1))
>>> tier = find_ranges("处三年以下有期徒刑")[0]
>>> found = limitation_of_prosecution([tier], "盗窃", dates)
>>> str(found.period), str(found.over), found.result
('5 years', '2010-05-01', 'over')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from inforce.dates import CaseDates, DateRange
from inforce.law.limitation.periods import Cited, Limitation, LimitationResult, Period, judged
from inforce.law.penalties.ranges import LIFE, PenaltyRange
from inforce.law.rules import CRIMINAL_LAW, Reference, Rule

_NEW_CODE = date(1997, 10, 1)
_PERIODS = ((60, 5), (120, 10), (None, 15))
"""A maximum below so many months is barred after so many years; ten years and more after 15."""
_LONGEST = Period(20, "years")

PROSECUTION = Rule(
    "limitation/prosecution",
    "Prosecution is barred 5, 10, 15 or 20 years after the act where the maximum is below 5 years, "
    "below 10, 10 or more, or life or death.",
    "刑法 arts. 87 and 89",
    (Reference.parse(CRIMINAL_LAW, "87"),),
)
FLIGHT = Rule(
    "limitation/flight",
    "No limitation runs for who flees after the case was opened or a court took it up.",
    "刑法 art. 88",
    (Reference.parse(CRIMINAL_LAW, "88"),),
)
FORMER_FLIGHT = Rule(
    "limitation/flight-before-1997",
    "For acts before 1997-10-01 flight suspends limitation only after coercive measures were taken "
    "(former art. 77).",
    "法释〔1997〕5号 art. 1",
    (Reference.parse("最高人民法院关于适用刑法时间效力规定若干问题的解释", "1"),),
)

_FLED = re.compile(
    "(?:潜|外|出|脱|在|畏罪|逃)逃|逃(?:跑|匿|往|至|到|离|避)|负案在逃|下落不明|fled|absconded"
)
_CASE_OPENED = re.compile("立案|受理|起诉|opened|charged")
_COERCED = re.compile("拘留|逮捕|取保候审|监视居住|拘传|强制措施|通缉|detained|arrested")
_AGAIN = re.compile("又(?:犯|实施|盗窃|抢|诈骗|伤)|再次(?:犯|作案)|further crime|again")


def limitation_of_prosecution(
    tiers: Sequence[PenaltyRange], text: str, dates: CaseDates
) -> Limitation | None:
    """Whether an act could still be prosecuted; ``None`` where the case has no dates.

    Args:
        tiers: the ranges of punishment the facts may fall under; none where no offence is known.
        text: the facts: flight and further crimes are read in them.
        dates: the dates of the case; the period ends with the opening of the case, else the charge.
    """
    if dates.origin == "today":
        return None
    began, until = _end_of_act(dates), _case_opened(dates)
    if not tiers:
        found = _limitation("cannot_decide", PROSECUTION, None, began, None, until)
        if _FLED.search(text):
            return _after_flight(found, text, began, ())
        return replace(found, establish=("the offence and the maximum of its tier",))
    periods = sorted({_period(tier) for tier in tiers}, key=lambda period: period.count)
    steps = [f"the maximum is {tier.highest}: {_period(tier)}" for tier in dict.fromkeys(tiers)]
    shortest, longest = periods[0].after(began), periods[-1].after(began)
    result = judged(longest, until)
    if result != judged(shortest, until):
        result = "cannot_decide"
    period, over = periods[-1], longest
    steps.append(f"counted from the act, {began}; over on {over}")
    found = _limitation(result, PROSECUTION, period, began, over, until)
    if result == "cannot_decide":
        establish = ("the tier the facts fall under, and the exact days",)
        return replace(found, steps=tuple(steps), establish=establish)
    if _FLED.search(text) and result == "over":
        return _after_flight(found, text, began, tuple(steps))
    return replace(found, steps=tuple(steps), establish=_doubts(found, text))


def _limitation(
    result: LimitationResult,
    rule: Rule,
    period: Period | None,
    began: DateRange,
    over: DateRange | None,
    until: DateRange | None,
) -> Limitation:
    cited = _cited(rule, began, until)
    return Limitation("prosecution", result, rule, period, began, over, until, cited)


def _cited(rule: Rule, began: DateRange, until: DateRange | None) -> tuple[Cited, ...]:
    """The provisions of a rule: those of the code on the day of the act, others at the trial."""
    tried = until.start if until else began.start
    return tuple(
        Cited(provision, max(began.start, _NEW_CODE) if provision.work == CRIMINAL_LAW else tried)
        for provision in rule.provisions
    )


def _end_of_act(dates: CaseDates) -> DateRange:
    """The last day of an act that lasted; else the days among which its day is."""
    days = dates.facts[-1] if dates.conduct != "unknown" else dates.facts[0]
    if dates.conduct == "continuing" and days.last:
        return DateRange.day(days.last)
    return days


def _case_opened(dates: CaseDates) -> DateRange | None:
    for role in ("investigation", "filing", "trial", "judgment"):
        found = dates.of(role)
        if found:
            return found[0]
    return dates.trial


def _period(tier: PenaltyRange) -> Period:
    if tier.highest.rank >= LIFE:
        return _LONGEST
    months = tier.highest.months or 0
    years = next(years for below, years in _PERIODS if below is None or months < below)
    return Period(years, "years")


def _after_flight(
    found: Limitation, text: str, began: DateRange, steps: tuple[str, ...]
) -> Limitation:
    """Flight after the case was opened: no limitation runs; the law of the act says when."""
    former = began.start < _NEW_CODE
    rule, condition = (FORMER_FLIGHT, _COERCED) if former else (FLIGHT, _CASE_OPENED)
    fled = _FLED.search(text)
    first = condition.search(text)
    cited = replace(found, rule=rule, cited=_cited(rule, began, found.until))
    if first and fled and first.start() < fled.start():
        step = f"the facts state flight after “{first[0]}”"
        return replace(cited, result="no limit", steps=(*steps, step))
    what = "coercive measures were taken" if former else "the case was opened"
    establish = (f"whether {what} before the flight: then no limitation runs",)
    return replace(cited, result="cannot_decide", steps=steps, establish=establish)


def _doubts(found: Limitation, text: str) -> tuple[str, ...]:
    """Facts that may change a result: a further crime, approval after twenty years, a complaint."""
    doubts: list[str] = []
    if found.result == "over":
        if _AGAIN.search(text):
            doubts.append("a further crime within the period: it then runs anew (刑法 art. 89)")
        if found.period == _LONGEST:
            doubts.append("whether the Supreme People's Procuratorate approves (刑法 art. 87)")
        if re.search("控告|报案|报警", text):
            doubts.append("whether a complaint in time was wrongly not taken up (刑法 art. 88)")
    return tuple(doubts)
