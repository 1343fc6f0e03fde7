"""The days of a case that count for a provision: the act, the death, the step, the contract.

Succession opens at death (继承法 art. 2, 民法典 art. 1121); procedure follows the day of the step;
limitation runs from the day something was known or fell due; whether a contract or a marriage is
valid turns on the day it was made, what came of it later on the later event; penalties follow the
violation, and the general law of penalties the decision. For all others the days of the facts
count.

>>> from inforce.dates import read_case_dates
>>> from datetime import date
>>> dates = read_case_dates("2015年立遗嘱，2020年11月20日死亡", clock=lambda: date(2026, 1, 1))
>>> relevant = relevant_days("中华人民共和国继承法", ProvisionNumber.article(20), dates)
>>> relevant.role, [str(one) for one in relevant.days]
('death', ['2020-11-20'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inforce.dates import CaseDates, DateRange, DateRole
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import Branch, branch_of
from inforce.law.rules import (
    CIVIL_CODE,
    CONTRACT_LAW,
    GENERAL_PART,
    GENERAL_PRINCIPLES,
    INHERITANCE_LAW,
    MARRIAGE_LAW,
    PENALTIES_LAW,
    PROCEDURE,
)

_STEPS: tuple[DateRole, ...] = ("filing", "investigation", "decision", "known")
"""Of procedure, beside the trial; the first that the case names is the step."""

_Run = tuple[str, int, int]
"""A law with the first and the last of some of its articles."""
_EVENTS: tuple[tuple[Sequence[_Run], Sequence[DateRole], str], ...] = (
    (
        ((CIVIL_CODE, 1119, 1163), (INHERITANCE_LAW, 1, 37)),
        ("death",),
        "succession opens at death",
    ),
    (
        ((CIVIL_CODE, 188, 199), (GENERAL_PART, 188, 199), (GENERAL_PRINCIPLES, 135, 141)),
        ("known", "due"),
        "limitation runs from then",
    ),
    (
        ((CIVIL_CODE, 1046, 1054), (MARRIAGE_LAW, 5, 12)),
        ("marriage",),
        "validity turns on the day of the marriage",
    ),
    (
        ((CIVIL_CODE, 464, 508), (CONTRACT_LAW, 1, 59)),
        ("contract",),
        "validity turns on the day of the contract",
    ),
)
"""Provisions that ask for the day of an event, with the reason; the facts count where the case
does not name it."""
_MARRIAGE_ENDED: Sequence[_Run] = ((CIVIL_CODE, 1076, 1092), (MARRIAGE_LAW, 31, 42))
_INJURIES = frozenset(
    f"最高人民法院关于{title}"
    for title in (
        "审理人身损害赔偿案件适用法律若干问题的解释",
        "确定民事侵权精神损害赔偿责任若干问题的解释",
    )
)


@dataclass(frozen=True, slots=True)
class RelevantDays:
    """The days of a case that count for a provision."""

    days: tuple[DateRange, ...]
    role: DateRole
    """The event they are the days of."""
    trial: DateRange | None = None
    """The trial, for administrative law the decision; where only a claim or suit is known, that."""
    note: str = ""
    """Why these days, or what was assumed."""


def relevant_days(work: str, number: ProvisionNumber, dates: CaseDates) -> RelevantDays:
    """The days of a case that count for a provision, with the trial as far as it is known."""
    branch = branch_of(work)
    if branch in PROCEDURE or work == PENALTIES_LAW:
        return _of_the_step(dates)
    return replace(_of_the_facts(work, number, branch, dates), trial=_trial(branch, dates))


def _of_the_step(dates: CaseDates) -> RelevantDays:
    """The day of the procedural step; without one the day asked about is taken to be it."""
    if dates.trial is not None:
        return RelevantDays((dates.trial,), "trial", dates.trial)
    for role in _STEPS:
        if found := dates.of(role):
            return RelevantDays((found[-1],), role, found[-1], note=f"the step is the {role}")
    assumed = f"{dates.facts[0].start} is taken as the day of the procedural step"
    note = "" if dates.origin == "today" else assumed
    return RelevantDays(dates.facts, "fact", note=note)


def _trial(branch: Branch, dates: CaseDates) -> DateRange | None:
    if dates.trial is not None:
        return dates.trial
    if branch not in ("criminal", "civil") and (decided := dates.of("decision")):
        return decided[-1]
    filed = dates.of("filing") if branch == "criminal" else dates.of("claim", "filing")
    return filed[-1] if filed else None


def _of_the_facts(
    work: str, number: ProvisionNumber, branch: Branch, dates: CaseDates
) -> RelevantDays:
    facts = RelevantDays(dates.facts, "fact")
    if dates.origin == "option":
        return facts
    for runs, roles, note in _EVENTS:
        if _is_within(work, number, runs):
            return next(
                (
                    RelevantDays(found, role, note=note)
                    for role in roles
                    if (found := dates.of(role))
                ),
                facts,
            )
    if _is_within(work, number, _MARRIAGE_ENDED):
        return _end_of_the_marriage(dates)
    if work in _INJURIES and (died := dates.of("death")):
        wrong = tuple(days for days in dates.facts if days not in died)
        if wrong:
            note = "the wrongful act counts, not the death that came of it"
            return RelevantDays(wrong, "fact", note=note)
    if branch in ("civil", "labour") and len(dates.facts) > 1:
        began = dates.of("contract", "marriage", "will")
        later = tuple(days for days in dates.facts if days not in began)
        if later:
            note = "the later event counts, not the day the contract, job or marriage began"
            return RelevantDays(later, "fact", note=note)
    return facts


def _end_of_the_marriage(dates: CaseDates) -> RelevantDays:
    """A divorce and what follows from it: the divorce, else the suit, else the last fact."""
    for role in ("divorce", "filing", "trial", "judgment"):
        if found := dates.of(role):
            return RelevantDays(found[-1:], role, note="the marriage lasted until then")
    return RelevantDays(dates.facts[-1:], "fact")


def _is_within(work: str, number: ProvisionNumber, runs: Sequence[_Run]) -> bool:
    return any(work == title and first <= number.main <= last for title, first, last in runs)
