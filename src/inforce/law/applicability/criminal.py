"""Criminal law: the law of the act, unless the law at trial is more lenient (刑法 art. 12)."""

from __future__ import annotations

import re
from dataclasses import replace

from inforce.law import transition
from inforce.law.applicability.values import (
    Applicability,
    Case,
    alike,
    changed_meanwhile,
    decided,
    text_of,
    undecided,
)
from inforce.law.lenity import Compared, Severity, compare_severity
from inforce.law.penalties import find_ranges
from inforce.law.timeline import Span


def criminal(case: Case) -> Applicability:
    """刑法 art. 12: the law of the act, unless the law at trial is more lenient."""
    *earlier, act = case.wordings
    days = case.facts.intersection(act.window)
    assert days is not None
    if not earlier:
        return _by_lenity(case, act)
    if not case.lasted:
        reason = changed_meanwhile(case.wordings, "facts")
        return undecided(transition.CRIMINAL_ACT, reason, between=case.wordings)
    result = _by_lenity(replace(case, facts=days), act)
    if result.governing == days:
        result = replace(result, rule=transition.CRIMINAL_CONTINUING)
    return result


def _by_lenity(case: Case, act: Span) -> Applicability:
    if case.trial is None:
        return _untried(case, act)
    trial, *others = case.at_trial
    if others:
        reason = changed_meanwhile(case.at_trial, "trial")
        between = tuple(dict.fromkeys((act, trial, *others)))
        return undecided(transition.CRIMINAL_LIGHTER, reason, between=between)
    if act.provision and trial.provision:
        return _by_severity(case, act, trial, _compare(case, act, trial))
    if alike(act, trial):
        return decided(transition.CRIMINAL_ACT, case.facts, act)
    if act.state == "absent" and trial.provision and find_ranges(trial.provision.text):
        return _new_crime(case, act, trial)
    if act.provision and trial.state == "absent" and _only_aggravates(act):
        return decided(
            transition.CRIMINAL_LIGHTER, case.trial, trial, "it only aggravated; it is gone"
        )
    missing = act if act.provision is None else trial
    reason = f"the law of the act and the law at trial cannot be compared: {missing.reason}"
    return undecided(transition.CRIMINAL_ACT, reason, between=(act, trial))


def _only_aggravates(span: Span) -> bool:
    return bool(re.match("犯本(?:节|章)", text_of(span) or ""))


def _untried(case: Case, act: Span) -> Applicability:
    if not case.changed_later:
        return decided(transition.CRIMINAL_ACT, case.facts, act)
    caveats = (transition.CRIMINAL_LIGHTER,)
    return decided(transition.CRIMINAL_ACT, case.facts, act, caveats=caveats)


def _compare(case: Case, act: Span, trial: Span) -> Severity:
    assert act.provision is not None and trial.provision is not None
    last = case.facts.last or case.facts.start
    assert case.trial is not None
    changes = tuple(
        span.window.start
        for span in case.timeline.spans
        if act.window.start < span.window.start <= trial.window.start
    )
    over = Compared(case.timeline.number, last, case.trial.start, changes)
    return compare_severity(act.provision, trial.provision, facts=case.about, over=over)


def _by_severity(case: Case, act: Span, trial: Span, severity: Severity) -> Applicability:
    assert case.trial is not None
    reasons = (f"the law at trial, seen from the law of the act: {severity.reason}",)
    if severity.result == "same" and act == trial:
        result = decided(transition.CRIMINAL_ACT, case.facts, act, "the provision reads the same")
    elif severity.result == "same":
        result = decided(transition.CRIMINAL_SAME, case.facts, act, *reasons)
    elif severity.by_interpretation:
        result = _by_interpretation(case, act, severity, reasons)
    elif severity.result == "lighter":
        result = decided(transition.CRIMINAL_LIGHTER, case.trial, trial, *reasons)
    elif severity.result == "heavier":
        result = decided(transition.CRIMINAL_ACT, case.facts, act, *reasons)
    else:
        result = undecided(transition.CRIMINAL_LIGHTER, *reasons, between=(act, trial))
    result = replace(result, steps=severity.steps, establish=severity.establish)
    return _with_between(case, act, trial, result)


def _by_interpretation(
    case: Case, act: Span, severity: Severity, reasons: tuple[str, ...]
) -> Applicability:
    """The same statute, other thresholds: the wording is one, which tier fits is the question."""
    favourable = {
        "lighter": "the later interpretation is more favourable and is applied",
        "heavier": "the interpretation of the time of the act is applied",
    }.get(severity.result, "which interpretation is more favourable has to be established")
    result = decided(transition.CRIMINAL_SAME, case.facts, act, favourable, *reasons)
    return replace(result, caveats=(transition.INTERPRETATION,))


def _with_between(case: Case, act: Span, trial: Span, result: Applicability) -> Applicability:
    """What wordings in force only between act and trial mean: said, and a caveat where lighter."""
    between = [
        span
        for span in case.timeline.spans
        if act.window.start < span.window.start < trial.window.start and span.provision
    ]
    if not between:
        return result
    chosen = result.span
    lighter = [
        span for span in between if chosen and chosen.provision and _is_lighter(case, chosen, span)
    ]
    if lighter:
        statement = (
            f"the wording in force {lighter[0].window} was lighter than the one that governs"
        )
        caveats = (*result.caveats, transition.CRIMINAL_BETWEEN)
        return replace(result, reasons=(*result.reasons, statement), caveats=caveats)
    statement = "a further wording in between was compared; it changes nothing"
    return replace(result, reasons=(*result.reasons, statement))


def _is_lighter(case: Case, chosen: Span, other: Span) -> bool:
    assert chosen.provision is not None and other.provision is not None
    days = sorted((chosen.window.start, other.window.start))
    over = Compared(case.timeline.number, days[0], days[1], (days[1],))
    earlier, later = (
        (chosen, other) if chosen.window.start < other.window.start else (other, chosen)
    )
    assert earlier.provision is not None and later.provision is not None
    result = compare_severity(
        earlier.provision, later.provision, facts=case.about, over=over
    ).result
    return result == ("lighter" if other is later else "heavier")


def _new_crime(case: Case, act: Span, trial: Span) -> Applicability:
    """A crime created since the act: no crime then, or another article's, which may be heavier."""
    assert case.trial is not None and trial.provision is not None
    for former in case.former:
        spans = former.versions_in(case.facts).found
        if len(spans) != 1 or spans[0].provision is None:
            continue
        severity = compare_severity(spans[0].provision, trial.provision)
        lighter = min(r.highest for r in find_ranges(spans[0].provision.text)) > max(
            r.highest for r in find_ranges(trial.provision.text)
        )
        statement = f"the conduct fell under {former.work} {former.number.chinese} then"
        if lighter or severity.result == "lighter":
            why = f"{statement}, whose lightest maximum is above that of the new crime"
            return decided(transition.CRIMINAL_LIGHTER, case.trial, trial, why)
        return decided(
            transition.CRIMINAL_ACT, case.facts, act, f"{statement}, which is not heavier"
        )
    reason = "whether another provision covered the act at the time is not checked"
    return decided(transition.CRIMINAL_ACT, case.facts, act, reason)
