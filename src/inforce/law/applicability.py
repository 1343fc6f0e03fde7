"""Which version governs: from the dates of a case and the branch of law to the text, with the rule.

The answer is either *decided*, with the days whose law governs, or *cannot decide*, with every
wording that comes into question and what a person would have to establish. The rules themselves and
their sources are in `inforce.law.transition`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Literal

from inforce.dates import DateRange
from inforce.errors import DateError
from inforce.law import transition
from inforce.law.penalties import Severity, compare_severity, find_ranges
from inforce.law.registry import Branch, find_work
from inforce.law.timeline import Span, Timeline
from inforce.law.transition import Rule

Verdict = Literal["decided", "cannot_decide"]

Conduct = Literal["unknown", "continuing", "repeated"]
"""What a range of fact days means: one lasting fact, a series, or (``unknown``) perhaps one day."""


_PROCEDURE: Mapping[Branch, Rule] = MappingProxyType(
    {
        "criminal procedure": transition.CRIMINAL_PROCEDURE,
        "civil procedure": transition.CIVIL_PROCEDURE,
        "administrative procedure": transition.ADMINISTRATIVE_PROCEDURE,
    }
)


@dataclass(frozen=True, slots=True)
class Applicability:
    """Which wording of a provision governs, by which rule, and what is left to judge."""

    verdict: Verdict
    rule: Rule
    """The rule that decided; where nothing could be decided, the rule that asks the question."""
    governing: DateRange | None
    """The days to look the law up at; ``None`` where it cannot be decided."""
    span: Span | None
    """What the provision said then; its state says if it was absent or is not covered."""
    reasons: tuple[str, ...]
    """Why, in sentences; what would have to be known where it cannot be decided."""
    alternatives: tuple[Span, ...] = ()
    """Every wording that comes into question where it cannot be decided, in order of time."""
    caveats: tuple[Rule, ...] = ()
    """Rules that may still displace the result and need a person's judgement."""

    @property
    def governs(self) -> bool:
        """Whether this provision, in some known wording, was found to govern."""
        return self.span is not None and self.span.state == "in_force"


def governing(
    timeline: Timeline,
    branch: Branch,
    *,
    facts: DateRange,
    trial: date | None = None,
    conduct: Conduct = "unknown",
) -> Applicability:
    """Which wording of a provision governs facts of these days.

    Args:
        timeline: what the provision said on every day.
        branch: the branch of law it belongs to; see `inforce.law.registry.branch_of`.
        facts: the day or days of the facts.
        trial: the day of the judgment or of the procedural step, where known.
        conduct: what a range of several days means.

    Raises:
        DateError: if the trial comes before the facts.
    """
    if trial is not None and trial < facts.start:
        raise DateError(trial.isoformat(), f"the trial cannot come before the facts ({facts})")
    case = _Case(timeline, facts, trial, conduct)
    if branch in _PROCEDURE:
        return _procedure(case, _PROCEDURE[branch])
    if timeline.work.startswith("最高人民"):
        return _interpretation(case, branch)
    match branch:
        case "criminal":
            return _criminal(case)
        case "civil" if _concerns_the_civil_code(timeline.work):
            return _civil(case)
        case "administrative":
            return _administrative(case)
        case _:
            return _by_time_of_facts(case, transition.NOT_RETROACTIVE)


def reference_days(
    branch: Branch, *, facts: DateRange, trial: date | None = None
) -> DateRange | None:
    """The days at which to search first: those of the trial for procedure, of the facts otherwise.

    ``None`` for procedure without a trial date.
    """
    if branch not in _PROCEDURE:
        return facts
    return None if trial is None else DateRange.day(trial)


@dataclass(frozen=True, slots=True)
class _Case:
    timeline: Timeline
    facts: DateRange
    trial: date | None
    conduct: Conduct

    @property
    def wordings(self) -> tuple[Span, ...]:
        """What the provision said during the facts: more than one if it changed meanwhile."""
        return self.timeline.versions_in(self.facts).spans

    @property
    def at_trial(self) -> Span | None:
        if self.trial is None:
            return None
        return self.timeline.version_at(self.trial).spans[0]

    @property
    def changed_later(self) -> bool:
        """Whether the provision is known to have changed after the facts."""
        begun = self.wordings[-1].window.start
        return any(span.window.start > begun for span in self.timeline.spans)

    @property
    def lasted(self) -> bool:
        return self.conduct != "unknown"

    def special_rules(self) -> tuple[Rule, ...]:
        work, number = self.timeline.work, self.timeline.number
        return transition.special_rules(work, number, facts_from=self.facts.start, trial=self.trial)


def _decided(
    rule: Rule, days: DateRange, span: Span, *reasons: str, caveats: tuple[Rule, ...] = ()
) -> Applicability:
    told = (*reasons, *([span.reason] if span.reason else []))
    return Applicability("decided", rule, days, span, told, caveats=caveats)


def _undecided(
    rule: Rule, *reasons: str, between: tuple[Span, ...], caveats: tuple[Rule, ...] = ()
) -> Applicability:
    return Applicability("cannot_decide", rule, None, None, reasons, between, caveats)


def _changed_meanwhile(case: _Case) -> str:
    days = ", ".join(span.window.start.isoformat() for span in case.wordings[1:])
    return (
        f"the provision changed within the days of the facts ({days}); establish on which side of "
        "the change the facts lie, or that they lasted across it"
    )


def _text(span: Span) -> str | None:
    return span.provision.text if span.provision else None


def _alike(span: Span, other: Span) -> bool:
    """Whether two spans are known to say the same, or to say nothing."""
    known = "uncovered" not in (span.state, other.state)
    return known and _text(span) == _text(other)


def _criminal(case: _Case) -> Applicability:
    """刑法 art. 12: the law of the act, unless the law at trial is more lenient."""
    *earlier, act = case.wordings
    days = case.facts.intersection(act.window)
    assert days is not None
    if not earlier:
        result = _by_lenity(case, act)
    elif case.lasted:
        result = _by_lenity(replace(case, facts=days), act)
        if result.governing == days:
            result = replace(result, rule=transition.CRIMINAL_CONTINUING)
    else:
        reason = _changed_meanwhile(case)
        result = _undecided(transition.CRIMINAL_ACT, reason, between=case.wordings)
    return replace(result, caveats=(*result.caveats, *case.special_rules()))


def _by_lenity(case: _Case, act: Span) -> Applicability:
    trial = case.at_trial
    if trial is None:
        return _untried(case, act)
    if _alike(act, trial):
        rule = transition.CRIMINAL_ACT if trial == act else transition.CRIMINAL_SAME
        return _decided(rule, case.facts, act, "the provision reads the same at trial")
    if act.provision and trial.provision:
        severity = compare_severity(act.provision, trial.provision)
        return _by_severity(case, act, trial, severity)
    if act.state == "absent" and trial.provision and find_ranges(trial.provision.text):
        reason = "whether another provision covered the act at the time is not checked"
        return _decided(transition.CRIMINAL_ACT, case.facts, act, reason)
    missing = act if act.provision is None else trial
    reason = f"the law of the act and the law at trial cannot be compared: {missing.reason}"
    return _undecided(transition.CRIMINAL_ACT, reason, between=(act, trial))


def _untried(case: _Case, act: Span) -> Applicability:
    if not case.changed_later:
        return _decided(transition.CRIMINAL_ACT, case.facts, act)
    reason = "no trial date is given, so a more lenient later law was not looked for"
    caveats = (transition.CRIMINAL_LIGHTER,)
    return _decided(transition.CRIMINAL_ACT, case.facts, act, reason, caveats=caveats)


def _by_severity(case: _Case, act: Span, trial: Span, severity: Severity) -> Applicability:
    reasons = (f"the law at trial, seen from the law of the act: {severity.reason}",)
    if _changed_between(case, act, trial):
        reasons += ("a further wording in between was not compared; art. 12 names only these two",)
    match severity.result:
        case "lighter":
            assert case.trial is not None
            days = DateRange.day(case.trial)
            return _decided(transition.CRIMINAL_LIGHTER, days, trial, *reasons)
        case "heavier":
            return _decided(transition.CRIMINAL_ACT, case.facts, act, *reasons)
        case "same":
            return _decided(transition.CRIMINAL_SAME, case.facts, act, *reasons)
        case "cannot decide":
            return _undecided(transition.CRIMINAL_LIGHTER, *reasons, between=(act, trial))


def _changed_between(case: _Case, act: Span, trial: Span) -> bool:
    after, before = act.window.start, trial.window.start
    return any(after < span.window.start < before for span in case.timeline.spans)


def _interpretation(case: _Case, branch: Branch) -> Applicability:
    """司法解释时间效力规定: reaches back with its law; an earlier interpretation comes first."""
    criminal = branch == "criminal"
    rule = transition.INTERPRETATION if criminal else transition.OTHER_INTERPRETATION
    first, *others = case.wordings
    later = case.at_trial
    if first.state == "in_force" and not others and (later is None or _alike(first, later)):
        return _decided(rule, case.facts, first)
    reason = (
        "establish which interpretation was in force at the act, and which is more favourable"
        if criminal
        else "its final article has to be read for the cases it reaches"
    )
    between = (*case.wordings, *([later] if later and later not in case.wordings else []))
    return _undecided(rule, reason, between=between)


def _procedure(case: _Case, rule: Rule) -> Applicability:
    """程序从新: the law in force when the step is taken."""
    span = case.at_trial
    if span is not None and case.trial is not None:
        return _decided(rule, DateRange.day(case.trial), span)
    reason = "procedure follows the day of the step, and neither it nor the trial date is given"
    later = case.timeline.versions_in(DateRange(case.facts.start, None)).spans
    return _undecided(rule, reason, between=later)


def _civil(case: _Case) -> Applicability:
    """民法典时间效力规定 art. 1: the law of the time; lasting facts follow 民法典."""
    commenced = transition.CIVIL_CODE_COMMENCED
    before = case.facts.start < commenced
    since = case.facts.intersection(DateRange(commenced, None))
    if before and since and case.lasted:
        result = _by_time_of_facts(replace(case, facts=since), transition.CIVIL_CONTINUING)
    else:
        rule = transition.CIVIL_OLD if before else transition.CIVIL_NEW
        result = _by_time_of_facts(case, rule)
    if before and (case.trial is None or case.trial >= commenced):
        result = replace(result, caveats=_civil_caveats(case))
    return result


def _civil_caveats(case: _Case) -> tuple[Rule, ...]:
    """What may still bring 民法典 to facts before it: arts. 2 and 3 and the special provisions."""
    silent = (transition.CIVIL_SILENT,) if case.wordings[0].state != "in_force" else ()
    succession = (transition.SUCCESSION,) if _concerns_succession(case.timeline) else ()
    return (transition.CIVIL_BETTER, *silent, *succession, *case.special_rules())


def _concerns_the_civil_code(work: str) -> bool:
    """Whether 民法典时间效力规定 speaks of this law: 民法典 itself and what it replaced."""
    known = find_work(work)
    replaced = known is not None and transition.CIVIL_CODE in known.succeeded_by
    return work == transition.CIVIL_CODE or replaced


def _concerns_succession(timeline: Timeline) -> bool:
    """继承法, and the book of 民法典 that took its place (arts. 1119-1163)."""
    in_book = timeline.work == transition.CIVIL_CODE and 1119 <= timeline.number.main <= 1163
    return in_book or timeline.work == transition.INHERITANCE_LAW


def _administrative(case: _Case) -> Applicability:
    """立法法 art. 104; for penalties decided since 2021-07-15, 行政处罚法 art. 37."""
    result = _by_time_of_facts(case, transition.NOT_RETROACTIVE)
    trial = case.at_trial
    if trial is None or case.trial is None or result.span is None:
        return result
    lenity = case.trial >= transition.PENALTIES_LENITY_COMMENCED
    if not lenity or _alike(result.span, trial):
        return result
    reason = "whether the wording at the decision is lighter has to be compared by a person"
    return _undecided(transition.ADMINISTRATIVE_LIGHTER, reason, between=(result.span, trial))


def _by_time_of_facts(case: _Case, rule: Rule) -> Applicability:
    """立法法 art. 104: laws do not reach back, save to protect rights better."""
    favourable = (transition.MORE_FAVOURABLE,) if case.changed_later else ()
    caveats = favourable + case.special_rules()
    first, *others = case.wordings
    if others:
        return _undecided(rule, _changed_meanwhile(case), between=case.wordings, caveats=caveats)
    return _decided(rule, case.facts, first, caveats=caveats)
