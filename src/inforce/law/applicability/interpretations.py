"""Judicial interpretations, and instruments on the reach of other laws in time."""

from __future__ import annotations

from collections.abc import Mapping

from inforce.law import transition
from inforce.law.applicability.values import Applicability, Case, alike, decided, undecided
from inforce.law.registry import Branch
from inforce.law.timeline import Span

_REACHES: Mapping[str, str] = {
    "pending": "not finally decided when it commences",
    "filed": "filed since it commenced",
    "facts": "of facts since it commenced",
}


def transitional(case: Case) -> Applicability:
    """An instrument on the reach of a law: applied in the cases decided since it commenced."""
    if case.trial is not None and len(case.at_trial) == 1:
        return decided(transition.TRANSITIONAL, case.trial, case.at_trial[0])
    reason = "no judgment is stated; it is applied in the cases decided since it commenced"
    return decided(transition.TRANSITIONAL, case.facts, case.wordings[-1], reason)


def interpretation(case: Case, branch: Branch) -> Applicability:
    """司法解释时间效力规定: reaches back with its law; an earlier interpretation comes first."""
    criminal = branch == "criminal"
    rule = transition.INTERPRETATION if criminal else transition.OTHER_INTERPRETATION
    first, *others = case.wordings
    later = case.at_trial[0] if len(case.at_trial) == 1 else None
    if first.state == "in_force" and not others and (later is None or alike(first, later)):
        return decided(rule, case.facts, first)
    if not criminal and later is not None:
        result = _civil_interpretation(case, first, later)
        if result is not None:
            return result
    if case.trial is None and first.state == "absent" and not others:
        return decided(rule, case.facts, first)
    reason = (
        "establish which interpretation was in force at the act, and which is more favourable"
        if criminal
        else "its final article has to be read for the cases it reaches"
    )
    between = tuple(dict.fromkeys((*case.wordings, *case.at_trial)))
    return undecided(rule, reason, between=between)


def _civil_interpretation(case: Case, first: Span, later: Span) -> Applicability | None:
    """By what the interpretation says of the cases it reaches, and by the law it explains."""
    assert case.trial is not None
    commenced = transition.CIVIL_CODE_COMMENCED
    code = "民法典" in case.timeline.work
    if code and case.facts.start < commenced and not case.lasted:
        absent = Span(case.facts, "absent", reason="民法典 does not govern facts before 2021-01-01")
        return decided(transition.CIVIL_OLD, case.facts, absent)
    if first.state == "in_force" and later.state == "absent" and case.facts.start < commenced:
        return decided(transition.CIVIL_OLD, case.facts, first)
    if later.state != "in_force":
        return None
    filed = case.dates.of("filing") if case.dates else ()
    match case.reach:
        case "pending":
            reached = True
        case "filed" if filed:
            reached = filed[-1].start >= later.window.start
        case "facts":
            reached = case.facts.start >= later.window.start
        case _:
            return None
    cases = _REACHES[case.reach]
    if reached:
        why = f"it says that it reaches cases {cases}"
        return decided(transition.OTHER_INTERPRETATION, case.trial, later, why)
    if first.state == "in_force":
        why = f"the later interpretation says that it reaches only cases {cases}"
        return decided(transition.OTHER_INTERPRETATION, case.facts, first, why)
    return None
