"""Criminal law: the law of the act, unless the law at trial is more lenient (刑法 art. 12)."""

from __future__ import annotations

import re
from dataclasses import replace

from inforce.dates import DateRange
from inforce.law import rules
from inforce.law.applicability.values import (
    Applicability,
    Case,
    alike,
    changed_meanwhile,
    decided,
    undecided,
)
from inforce.law.penalties.elements import reviewed_changes
from inforce.law.penalties.ranges import find_ranges
from inforce.law.penalties.severity import ActAndTrial, Severity, compare_severity
from inforce.law.timeline import Span


def criminal(case: Case) -> Applicability:
    """刑法 art. 12: the law of the act, unless the law at trial is more lenient."""
    *earlier, act = case.wordings
    if not earlier:
        return _compare_with_trial(case, act)
    if not case.lasted:
        reason = changed_meanwhile(case.wordings, "facts")
        return undecided(rules.CRIMINAL_ACT, reason, between=case.wordings)
    days = case.facts.intersection(act.window)
    assert days is not None
    result = _compare_with_trial(replace(case, facts=days), act)
    if result.governing == days:
        result = replace(result, rule=rules.CRIMINAL_CONTINUING)
    return result


def _compare_with_trial(case: Case, act: Span) -> Applicability:
    if case.trial is None:
        caveats = (rules.CRIMINAL_LIGHTER,) if case.changed_later else ()
        step = _step_under_a_later_wording(case, act)
        if step is None:
            return decided(rules.CRIMINAL_ACT, case.facts, act, caveats=caveats)
        result = _compare_with_trial(replace(case, trial=step), act)
        reasons = (*result.reasons, f"no trial is stated: it comes after {step}")
        caveats = tuple(dict.fromkeys((*result.caveats, *caveats)))
        return replace(result, reasons=reasons, caveats=caveats)
    trial, *others = case.at_trial
    if others:
        reason = changed_meanwhile(case.at_trial, "trial")
        between = tuple(dict.fromkeys((act, trial, *others)))
        return undecided(rules.CRIMINAL_LIGHTER, reason, between=between)
    if act.text is not None and trial.text is not None:
        between_days = _days_compared(case, case.trial, act, trial)
        severity = compare_severity(act.text, trial.text, facts=case.about, between=between_days)
        result = _by_severity(case, case.trial, act, trial, severity)
        return _with_wordings_between(case, act, trial, result)
    if alike(act, trial):
        return decided(rules.CRIMINAL_ACT, case.facts, act)
    if act.state == "absent" and trial.text and find_ranges(trial.text):
        return _new_crime(case, case.trial, act, trial, trial.text)
    if trial.state == "absent" and act.text and re.match("犯本(?:节|章)", act.text):
        reason = "it only aggravated; it is gone"
        return decided(rules.CRIMINAL_LIGHTER, case.trial, trial, reason)
    if act.state == "absent" and trial.text and _is_known_to_favour(case, trial):
        reason = "the rule is new since the act, and by a reading of it favours every accused"
        return decided(rules.CRIMINAL_LIGHTER, case.trial, trial, reason)
    missing = act if act.provision is None else trial
    reason = f"the law of the act and the law at trial cannot be compared: {missing.reason}"
    return undecided(rules.CRIMINAL_ACT, reason, between=(act, trial))


def _is_known_to_favour(case: Case, trial: Span) -> bool:
    reviewed = reviewed_changes(case.timeline.number.short, (trial.window.start,))
    return reviewed is not None and reviewed.result == "lighter"


def _step_under_a_later_wording(case: Case, act: Span) -> DateRange | None:
    """The last step before a trial that is not known: an arrest or a charge under a later wording.

    The trial comes after it, and so under that wording, or one that is later still.
    """
    steps = case.dates.of("investigation", "filing") if case.dates else ()
    last = max(steps, key=lambda days: days.start, default=None)
    if last is None or act.window.end is None or last.start < act.window.end:
        return None
    return last


def _days_compared(case: Case, tried: DateRange, act: Span, trial: Span) -> ActAndTrial:
    changes = tuple(
        span.window.start
        for span in case.timeline.spans
        if act.window.start < span.window.start <= trial.window.start
    )
    last = case.facts.last or case.facts.start
    return ActAndTrial(case.timeline.number, last, tried.start, changes)


def _by_severity(
    case: Case, tried: DateRange, act: Span, trial: Span, severity: Severity
) -> Applicability:
    reason = f"the law at trial, seen from the law of the act: {severity.reason}"
    if severity.result == "same" and act == trial:
        result = decided(rules.CRIMINAL_ACT, case.facts, act, "the provision reads the same")
    elif severity.result == "same":
        result = decided(rules.CRIMINAL_SAME, case.facts, act, reason)
    elif severity.by_interpretation:  # one wording: which tier of it fits is the question
        favourable = {
            "lighter": "the later interpretation is more favourable and is applied",
            "heavier": "the interpretation of the time of the act is applied",
        }.get(severity.result, "which interpretation is more favourable has to be established")
        caveats = (rules.INTERPRETATION,)
        result = decided(rules.CRIMINAL_SAME, case.facts, act, favourable, reason, caveats=caveats)
    elif severity.result == "lighter":
        result = decided(rules.CRIMINAL_LIGHTER, tried, trial, reason)
    elif severity.result == "heavier":
        result = decided(rules.CRIMINAL_ACT, case.facts, act, reason)
    else:
        result = undecided(rules.CRIMINAL_LIGHTER, reason, between=(act, trial))
    return replace(result, steps=severity.steps, establish=severity.establish)


def _with_wordings_between(
    case: Case, act: Span, trial: Span, result: Applicability
) -> Applicability:
    """The result, with the wordings in force only between act and trial taken into account."""
    between = [
        span
        for span in case.timeline.spans
        if act.window.start < span.window.start < trial.window.start and span.provision
    ]
    if not between:
        return result
    lighter = next((span for span in between if _is_lighter(case, span, result.span)), None)
    if lighter is None:
        statement = "a further wording in between was compared; it changes nothing"
        return replace(result, reasons=(*result.reasons, statement))
    statement = f"the wording in force {lighter.window} was lighter than the one that governs"
    caveats = (*result.caveats, rules.CRIMINAL_BETWEEN)
    return replace(result, reasons=(*result.reasons, statement), caveats=caveats)


def _is_lighter(case: Case, span: Span, than: Span | None) -> bool:
    if than is None or than.text is None or span.text is None:
        return False
    is_later = than.window.start < span.window.start
    earlier, later = (than, span) if is_later else (span, than)
    assert earlier.text is not None and later.text is not None
    days = earlier.window.start, later.window.start
    between = ActAndTrial(case.timeline.number, *days, changes=days[1:])
    severity = compare_severity(earlier.text, later.text, facts=case.about, between=between)
    return severity.result == ("lighter" if is_later else "heavier")


def _new_crime(case: Case, tried: DateRange, act: Span, trial: Span, created: str) -> Applicability:
    """A crime created since the act: no crime then, or another article's, which may be heavier."""
    for former in case.former_offences:
        spans = former.versions_in(case.facts).found
        text = spans[0].text if len(spans) == 1 else None
        if text is None:
            continue
        severity = compare_severity(text, created)
        lightest_maximum = min(tier.highest for tier in find_ranges(text))
        lighter = lightest_maximum > max(tier.highest for tier in find_ranges(created))
        statement = f"the conduct fell under {former.work} {former.number.chinese} then"
        if lighter or severity.result == "lighter":
            why = f"{statement}, whose lightest maximum is above that of the new crime"
            return decided(rules.CRIMINAL_LIGHTER, tried, trial, why)
        why = f"{statement}, which is not heavier"
        return decided(rules.CRIMINAL_ACT, case.facts, act, why)
    reason = "whether another provision covered the act at the time is not checked"
    return decided(rules.CRIMINAL_ACT, case.facts, act, reason)
