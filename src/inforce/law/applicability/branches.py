"""The rules of procedure, of civil and of administrative law."""

from __future__ import annotations

from dataclasses import replace

from inforce.dates import DateRange
from inforce.law import rules
from inforce.law.applicability.special_rules import displaced_by
from inforce.law.applicability.values import (
    Applicability,
    Case,
    alike,
    by_time_of_facts,
    changed_meanwhile,
    decided,
    undecided,
)
from inforce.law.penalties.fines import compare_fines
from inforce.law.registry import find_work
from inforce.law.rules import Rule


def procedure(case: Case, rule: Rule) -> Applicability:
    """程序从新: the law in force when the step is taken."""
    spans = case.at_trial
    if case.trial is None and case.dates is not None:
        return by_time_of_facts(case, rule)
    if case.trial is not None and len(spans) == 1:
        return decided(rule, case.trial, spans[0])
    if case.trial is not None:
        return undecided(rule, changed_meanwhile(spans, "step"), between=spans)
    reason = "procedure follows the day of the step, and neither it nor the trial date is given"
    later = case.timeline.versions_in(DateRange(case.facts.start, None)).spans
    return undecided(rule, reason, between=later)


def civil(case: Case) -> Applicability:
    """民法典时间效力规定 art. 1: the law of the time; lasting facts follow 民法典."""
    commenced = rules.CIVIL_CODE_COMMENCED
    before = case.facts.start < commenced
    since = case.facts.intersection(DateRange(commenced, None))
    if before and since and case.lasted:
        result = by_time_of_facts(replace(case, facts=since), rules.CIVIL_CONTINUING)
    else:
        rule = rules.CIVIL_OLD if before else rules.CIVIL_NEW
        result = by_time_of_facts(case, rule)
    if before and (case.trial is None or case.trial.start >= commenced):
        result = replace(result, caveats=_civil_caveats(case))
    return result


def _civil_caveats(case: Case) -> tuple[Rule, ...]:
    """The rules by which 民法典 may still reach facts before it: arts. 2 and 3."""
    silent = (rules.CIVIL_SILENT,) if case.wordings[0].state != "in_force" else ()
    work, number = case.timeline.work, case.timeline.number
    in_succession_book = work == rules.CIVIL_CODE and 1119 <= number.main <= 1163
    concerned = in_succession_book or work == rules.INHERITANCE_LAW
    succession = (rules.SUCCESSION,) if concerned else ()
    return (rules.CIVIL_BETTER, *silent, *succession, *displaced_by(case))


def concerns_the_civil_code(work: str) -> bool:
    """Whether 民法典时间效力规定 is about a law: 民法典 itself, or one that it replaced."""
    known = find_work(work)
    replaced = known is not None and rules.CIVIL_CODE in known.succeeded_by
    return work == rules.CIVIL_CODE or replaced


def administrative(case: Case) -> Applicability:
    """立法法 art. 104; for penalties decided since 2021-07-15, 行政处罚法 art. 37."""
    result = by_time_of_facts(case, rules.NOT_RETROACTIVE)
    if not case.at_trial or case.trial is None or result.span is None:
        return result
    later, *others = case.at_trial
    lenity = case.trial.start >= rules.PENALTIES_LENITY_COMMENCED
    if not lenity or (not others and alike(result.span, later)):
        return result
    rule = rules.ADMINISTRATIVE_LIGHTER
    if others:
        reason = changed_meanwhile(case.at_trial, "decision")
        return undecided(rule, reason, between=(result.span, *case.at_trial))
    if not result.span.provision or not later.provision:
        reason = f"the penalty cannot be compared: {later.reason or result.span.reason}"
        return undecided(rule, reason, between=(result.span, later))
    found = compare_fines(result.span.provision.text, later.provision.text)
    statement = f"the law at the decision, seen from the law of the violation: {found.reason}"
    match found.result:
        case "lighter":
            chosen = decided(rule, case.trial, later, statement)
        case "heavier" | "same":
            chosen = decided(rule, case.facts, result.span, statement)
        case "cannot decide":
            chosen = undecided(rule, statement, between=(result.span, later))
    return replace(chosen, authority=rule.provisions, establish=found.establish)
