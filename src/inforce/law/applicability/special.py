"""Special rules: what an instrument says of single provisions for facts before it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from inforce.law.applicability.values import Applicability, Case, decided, undecided
from inforce.law.special_rules import SpecialRule, displacing, special_rules
from inforce.law.timeline import Span
from inforce.law.transition import CIVIL_CODE, Rule


def concerned_rules(case: Case) -> list[SpecialRule]:
    """The special rules about the provision that these facts and this trial come under."""
    return [
        one
        for one in special_rules(case.timeline.work, case.timeline.number)
        if _begun(case, one) < one.before and (case.trial is None or case.trial.start >= one.before)
    ]


def _begun(case: Case, one: SpecialRule) -> date:
    """The day a rule asks for: of 民法典, the first fact, even if a later one opened the matter.

    A will of before 2021 is read by art. 23 of its rules although the testator died later.
    """
    if one.effect == "new" and case.timeline.work == CIVIL_CODE and case.dates:
        return min(case.facts.start, *(days.start for days in case.dates.facts))
    return case.facts.start


def by_special_rule(case: Case) -> Applicability | None:
    """What a special rule decides; ``None`` where none does, or the trial is not known."""
    for one in concerned_rules(case):
        met = one.met(case.dates, case.about.text)
        if one.effect == "note" or met is False:
            continue
        result = _by_special(case, one, certain=met is True)
        if result is not None:
            return result
    for one in displacing(case.timeline.work, case.timeline.number):
        due = case.facts.start < one.before and case.trial and case.trial.start >= one.before
        if due and one.met(case.dates, case.about.text) and case.trial:
            return _displaced(case, one)
    return None


def by_event_of_before(case: Case) -> Applicability | None:
    """What an instrument itself rules for a step of procedure after an event of before.

    A judgment that became final before 民事诉讼法 was amended is reopened by 法释〔2012〕23号.
    """
    for one in special_rules(case.timeline.work, case.timeline.number):
        former = one.effect == "own" and one.is_of_former_events
        if former and one.met(case.dates, case.about.text):
            return replace(_by_the_rule_itself(case, one), authority=one.rule.provisions)
    return None


def _by_the_rule_itself(case: Case, one: SpecialRule) -> Applicability:
    """No wording of the provision governs: the instrument gives a rule of its own."""
    absent = Span(case.facts, "absent", reason=f"{one.rule.source} gives its own rule")
    return decided(one.rule, case.facts, absent, one.rule.statement)


def _by_special(case: Case, one: SpecialRule, *, certain: bool) -> Applicability | None:
    span, later = case.wordings[-1], case.at_trial
    authority = one.rule.provisions
    if case.trial is None or not certain:
        return None
    match one.effect:
        case "new" if len(later) == 1:
            result = decided(one.rule, case.trial, later[0], one.rule.statement)
        case "old" if len(case.wordings) == 1:
            result = decided(one.rule, case.facts, span, one.rule.statement)
        case "own":
            result = _by_the_rule_itself(case, one)
        case _:
            between = tuple(dict.fromkeys((*case.wordings, *later)))
            result = undecided(one.rule, one.rule.statement, between=between)
    return replace(result, authority=authority)


def _displaced(case: Case, one: SpecialRule) -> Applicability:
    """The provision of the former law does not govern: the later law took its place."""
    assert case.trial is not None
    place = one.provisions[0]
    reason = f"{place.work} {place.first.chinese} applies in its place ({one.rule.source})"
    span = Span(case.trial, "absent", reason=reason)
    result = decided(one.rule, case.trial, span, one.rule.statement)
    return replace(result, authority=one.rule.provisions)


def displaced_by(case: Case) -> tuple[Rule, ...]:
    """Rules that would put 民法典 in the place of a former provision, if the case is pending."""
    found = displacing(case.timeline.work, case.timeline.number)
    return tuple(one.rule for one in found if one.met(case.dates, case.about.text) is not False)
