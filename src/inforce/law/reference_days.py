"""Which day of a case a rule of law asks for: the act, the death, the step, the contract, the debt.

Succession opens at death (继承法 art. 2, 民法典 art. 1121); procedure follows the day of the step;
limitation runs from the day something was known or fell due; whether a contract or a marriage is
valid turns on the day it was made, what came of it later on the later event; penalties follow the
violation, and the general law of penalties the decision. For all others the days of the facts
count.

>>> from inforce.dates import read_case_dates
>>> from datetime import date
>>> dates = read_case_dates("2015年立遗嘱，2020年11月20日死亡", clock=lambda: date(2026, 1, 1))
>>> counted = days_that_count("中华人民共和国继承法", ProvisionNumber.article(20), dates)
>>> counted.role, [str(one) for one in counted.days]
('death', ['2020-11-20'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inforce.dates import CaseDates, DateRange, DateRole
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import Branch, branch_of
from inforce.law.transition import (
    CIVIL_CODE,
    CONTRACT_LAW,
    GENERAL_PART,
    GENERAL_PRINCIPLES,
    INHERITANCE_LAW,
    MARRIAGE_LAW,
    PENALTIES_LAW,
)

PROCEDURE: tuple[Branch, ...] = (
    "criminal procedure",
    "civil procedure",
    "administrative procedure",
)
"""Branches that follow the day of the step."""

_STEPS: tuple[DateRole, ...] = ("trial", "judgment", "filing", "investigation", "decision", "known")
_SUCCESSION = ((CIVIL_CODE, 1119, 1163), (INHERITANCE_LAW, 1, 37))
_LIMITATION = ((CIVIL_CODE, 188, 199), (GENERAL_PART, 188, 199), (GENERAL_PRINCIPLES, 135, 141))
_MARRIAGE_MADE = ((CIVIL_CODE, 1046, 1054), (MARRIAGE_LAW, 5, 12))
_MARRIAGE_ENDED = ((CIVIL_CODE, 1076, 1092), (MARRIAGE_LAW, 31, 42))
_INJURIES = frozenset(
    f"最高人民法院关于{title}"
    for title in (
        "审理人身损害赔偿案件适用法律若干问题的解释",
        "确定民事侵权精神损害赔偿责任若干问题的解释",
    )
)
_CONTRACT_MADE = ((CIVIL_CODE, 464, 508), (CONTRACT_LAW, 1, 59))


@dataclass(frozen=True, slots=True)
class CountedDays:
    """The days of a case that count for a provision."""

    days: tuple[DateRange, ...]
    role: DateRole
    """The event they are the days of."""
    trial: DateRange | None = None
    """The trial, for administrative law the decision; where only a claim or suit is known, that."""
    note: str = ""
    """Why these days, or what was assumed."""


def days_that_count(work: str, number: ProvisionNumber, dates: CaseDates) -> CountedDays:
    """The days of a case that count for a provision, with the trial as far as it is known."""
    branch = branch_of(work)
    if branch in PROCEDURE or work == PENALTIES_LAW:
        return _step(dates)
    role, days, note = _substantive(work, number, branch, dates)
    return CountedDays(days, role, _trial(branch, dates), note)


def _step(dates: CaseDates) -> CountedDays:
    """The day of the procedural step; without one the day asked about is taken to be it."""
    if dates.trial is not None:
        return CountedDays((dates.trial,), "trial", dates.trial)
    for role in _STEPS[2:]:
        found = dates.of(role)
        if found:
            return CountedDays((found[-1],), role, found[-1], note=f"the step is the {role}")
    assumed = f"{dates.facts[0].start} is taken as the day of the procedural step"
    note = "" if dates.origin == "today" else assumed
    return CountedDays(dates.facts, "fact", note=note)


def _trial(branch: Branch, dates: CaseDates) -> DateRange | None:
    if branch not in ("criminal", "civil"):
        decided = dates.of("decision")
        if decided and dates.trial is None:
            return decided[-1]
    if dates.trial is not None:
        return dates.trial
    filed = dates.of("filing") if branch == "criminal" else dates.of("claim", "filing")
    return filed[-1] if filed else None


def _substantive(
    work: str, number: ProvisionNumber, branch: Branch, dates: CaseDates
) -> tuple[DateRole, tuple[DateRange, ...], str]:
    if dates.origin == "option":
        return "fact", dates.facts, ""
    if _within(work, number, _SUCCESSION):
        return _events(dates, ("death",), "succession opens at death")
    if _within(work, number, _LIMITATION):
        return _events(dates, ("known", "due"), "limitation runs from then")
    if _within(work, number, _MARRIAGE_MADE):
        return _events(dates, ("marriage",), "validity turns on the day of the marriage")
    if _within(work, number, _MARRIAGE_ENDED):
        return _ended(dates)
    if _within(work, number, _CONTRACT_MADE):
        return _events(dates, ("contract",), "validity turns on the day of the contract")
    if work in _INJURIES and (wrong := _without_deaths(dates)):
        return "fact", wrong, "the wrongful act counts, not the death that came of it"
    if branch in ("civil", "labour") and len(dates.facts) > 1:
        return _without_beginnings(dates)
    return "fact", dates.facts, ""


def _events(
    dates: CaseDates, roles: Sequence[DateRole], why: str
) -> tuple[DateRole, tuple[DateRange, ...], str]:
    for role in roles:
        found = dates.of(role)
        if found:
            return role, found, why
    return "fact", dates.facts, ""


def _ended(dates: CaseDates) -> tuple[DateRole, tuple[DateRange, ...], str]:
    """A divorce and what follows from it: the divorce, else the suit, else the last fact."""
    for role in ("divorce", "filing", "trial", "judgment"):
        found = dates.of(role)
        if found:
            return role, found[-1:], "the marriage lasted until then"
    return "fact", dates.facts[-1:], ""


def _without_beginnings(dates: CaseDates) -> tuple[DateRole, tuple[DateRange, ...], str]:
    """What came of a contract, a job or a marriage, where more is told than its beginning."""
    began = set(dates.of("contract", "marriage", "will"))
    later = tuple(days for days in dates.facts if days not in began)
    return (
        ("fact", later, "the later event counts, not the day the contract, job or marriage began")
        if later
        else (
            "fact",
            dates.facts,
            "",
        )
    )


def _without_deaths(dates: CaseDates) -> tuple[DateRange, ...]:
    """The facts before a death that came of them; none where nothing but a death is told."""
    died = dates.of("death")
    return tuple(days for days in dates.facts if days not in died) if died else ()


def _within(work: str, number: ProvisionNumber, runs: Sequence[tuple[str, int, int]]) -> bool:
    return any(work == one and first <= number.main <= last for one, first, last in runs)
