"""From the dates of a case to the wording that governs: which rule is asked, and in what order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType

from inforce.dates import CaseDates, Conduct, DateRange
from inforce.errors import DateError
from inforce.law import transition
from inforce.law.applicability.criminal import criminal
from inforce.law.applicability.interpretations import interpretation, transitional
from inforce.law.applicability.other import (
    administrative,
    civil,
    concerns_the_civil_code,
    procedure,
)
from inforce.law.applicability.special import by_event_of_before, by_special_rule, concerned_rules
from inforce.law.applicability.values import Applicability, Case, by_time_of_facts, undecided
from inforce.law.fines import states_a_penalty
from inforce.law.fitting import CaseFacts
from inforce.law.reach import Reach
from inforce.law.reference_days import CountedDays, days_that_count
from inforce.law.registry import Branch, branch_of
from inforce.law.special_rules import is_transitional
from inforce.law.timeline import Span, Timeline
from inforce.law.transition import Rule

_PROCEDURE: Mapping[Branch, Rule] = MappingProxyType(
    {
        "criminal procedure": transition.CRIMINAL_PROCEDURE,
        "civil procedure": transition.CIVIL_PROCEDURE,
        "administrative procedure": transition.ADMINISTRATIVE_PROCEDURE,
    }
)


def decide(
    timeline: Timeline,
    dates: CaseDates,
    *,
    facts: CaseFacts | None = None,
    reach: Reach = "unstated",
    later: Span | None = None,
    former: Sequence[Timeline] = (),
) -> Applicability:
    """Which wording of a provision governs a case.

    Args:
        timeline: what the provision said on every day.
        dates: the dates of the case; those that count for the provision are picked out of them.
        facts: what is known of the case beside its dates.
        reach: which cases an interpretation says it reaches.
        later: what the rule reads at the trial, where the law was renumbered meanwhile.
        former: what punished the conduct before, where the provision is a new crime.
    """
    counted = days_that_count(timeline.work, timeline.number, dates)
    branch = branch_of(timeline.work)
    found = [
        _judge(
            Case(
                timeline,
                days,
                _not_before(counted, days),
                dates.conduct,
                dates,
                facts or CaseFacts(),
                reach,
                later,
                tuple(former),
            ),
            branch,
        )
        for days in counted.days
    ]
    result = _joined(found)
    notes = (counted.note, *dates.notes)
    return replace(
        result, counted=counted, reasons=(*result.reasons, *(note for note in notes if note))
    )


def governing(
    timeline: Timeline,
    branch: Branch,
    *,
    facts: DateRange,
    trial: DateRange | date | None = None,
    conduct: Conduct = "unknown",
    case: CaseFacts | None = None,
) -> Applicability:
    """Which wording of a provision governs facts of these days.

    Args:
        timeline: what the provision said on every day.
        branch: the branch of law it belongs to; see `inforce.law.registry.branch_of`.
        facts: the day or days of the facts.
        trial: the day or days of the judgment or of the procedural step, where known.
        conduct: what a range of several days means.
        case: what is known of the case beside its dates.

    Raises:
        DateError: if the trial comes before the facts.
    """
    tried = DateRange.day(trial) if isinstance(trial, date) else trial
    if tried is not None and tried.end is not None and tried.end <= facts.start:
        raise DateError(str(tried), f"the trial cannot come before the facts ({facts})")
    return _judge(Case(timeline, facts, tried, conduct, None, case or CaseFacts()), branch)


def reference_days(
    branch: Branch, *, facts: DateRange, trial: date | None = None
) -> DateRange | None:
    """The days at which to search first: those of the trial for procedure, of the facts otherwise.

    ``None`` for procedure without a trial date.
    """
    if branch not in _PROCEDURE:
        return facts
    return None if trial is None else DateRange.day(trial)


def _not_before(counted: CountedDays, facts: DateRange) -> DateRange | None:
    """The trial, unless it would come before these facts."""
    trial = counted.trial
    if trial is None or (trial.end is not None and trial.end <= facts.start):
        return None
    return trial


def _joined(found: Sequence[Applicability]) -> Applicability:
    """One result for facts of several days: decided if every one of them leads to one wording."""
    first = found[0]
    if len(found) == 1 or all(one.verdict == "decided" and one.span == first.span for one in found):
        return first
    spans = [one.span for one in found if one.span] + [s for one in found for s in one.alternatives]
    between = tuple(sorted(dict.fromkeys(spans), key=lambda span: span.window.start))
    reasons = tuple(dict.fromkeys(reason for one in found for reason in one.reasons))
    statement = "the facts are of several days, under different law; establish which day counts"
    caveats = tuple(dict.fromkeys(rule for one in found for rule in one.caveats))
    return undecided(first.rule, statement, *reasons, between=between, caveats=caveats)


def _judge(case: Case, branch: Branch) -> Applicability:
    if case.timeline.work == transition.PENALTIES_LAW:
        return procedure(case, transition.PENALTY_PROCEDURE)
    if branch in _PROCEDURE:
        return by_event_of_before(case) or procedure(case, _PROCEDURE[branch])
    if is_transitional(case.timeline.work):
        return transitional(case)
    special = by_special_rule(case)
    if special is not None:
        return special
    if case.timeline.work.startswith("最高人民"):
        return interpretation(case, branch)
    match branch:
        case "criminal":
            result = criminal(case)
        case "civil" if concerns_the_civil_code(case.timeline.work):
            result = civil(case)
        case _ if states_a_penalty(case.timeline):
            result = administrative(case)
        case _:
            rule = transition.NOT_RETROACTIVE
            result = by_time_of_facts(case, rule)
    notes = tuple(
        one.rule
        for one in concerned_rules(case)
        if one.met(case.dates, case.about.text) is not False
    )
    return replace(result, caveats=tuple(dict.fromkeys((*result.caveats, *notes))))
