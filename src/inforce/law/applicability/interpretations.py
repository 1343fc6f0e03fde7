"""Judicial interpretations, and what speaks of facts before it: instruments and single provisions.

An interpretation says in its final articles in which cases it is applied: as a rule those not
finally decided when it commences, sometimes only those filed since or of facts since. One of 民法典
is not applied to facts before 民法典.

>>> read_reached_cases("本解释施行后尚未终审的案件，适用本解释；施行前已经终审的，不适用本解释。")
'pending'
>>> read_reached_cases("本规定施行后，人民法院新受理的一审民间借贷纠纷案件，适用本规定。")
'filed'
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from inforce.dates import DateRange
from inforce.law import rules
from inforce.law.applicability.values import (
    Applicability,
    Case,
    ReachedCases,
    alike,
    decided,
    undecided,
)
from inforce.law.registry import Branch
from inforce.law.timeline import Span

_FACTS = re.compile(
    "行为发生在本(?:规定|解释)施行前的，不适用|施行(?:以)?后发生的[^，。]{0,20}适用本"
)
_FILED = re.compile(
    "(?:新受理|受理)的?(?:一审|第一审)[^。]{0,20}案件，?(?:可以)?适用本|施行后[^。]{0,12}新受理"
)
_PENDING = re.compile(
    "(?:尚未(?:终审|审结|审查终结|执行终结|处理)|正在审理|尚在(?:一审|审理))[^。；]{0,40}"
    "(?:适用本|依照本|，适用|适用修改后)|一律适用"
)
_BEFORE_THIS_LAW = re.compile("本(?:法|条例|规定|办法|决定)(?:施行|实施|生效|公布)[之以]?前")
_BEFORE_A_DAY = re.compile(
    r"(?:^|\n|。)(?P<year>[0-9]{4})年(?P<month>[0-9]{1,2})月(?P<day>[0-9]{1,2})日[之以]?前[^，。]{0,6}"
    "(?:登记|设立|成立|注册|批准|取得)"
)
_OF_THEN = re.compile(
    "当时|当年|那时|那会儿|(?i:(?:law|rules?) (?:of|at) (?:that|the) time|in those days|back then)"
)
_IN_WORDS: Mapping[ReachedCases, str] = {
    "pending": "not finally decided when it commences",
    "filed": "filed since it commenced",
    "facts": "of facts since it commenced",
}


def read_reached_cases(text: str) -> ReachedCases:
    """The cases in which an interpretation is applied, by the text of its final articles."""
    if _FACTS.search(text):
        return "facts"
    if _FILED.search(text):
        return "filed"
    return "pending" if _PENDING.search(text) else "unstated"


def transitional(case: Case) -> Applicability:
    """An instrument on which facts a law applies to: for the cases decided since it commenced."""
    if case.trial is not None and len(case.at_trial) == 1:
        return decided(rules.TRANSITIONAL, case.trial, case.at_trial[0])
    reason = "no judgment is stated; it is applied in the cases decided since it commenced"
    step = case.last_step or case.facts
    return decided(rules.TRANSITIONAL, step, case.timeline.versions_in(step).spans[-1], reason)


def on_earlier_facts(case: Case) -> Applicability | None:
    """A provision that itself says what becomes of facts before its law (公司法 art. 266 para. 2).

    It is applied since it commenced: as of the trial, or today. ``None`` where the provision says
    nothing of the kind, or had a wording during the facts, or the law of then is asked for.
    """
    if case.dates is None or _OF_THEN.search(case.about.text):
        return None
    if any(span.state == "in_force" for span in case.wordings):
        return None
    asked = case.trial or DateRange.day(case.dates.today)
    spans = case.timeline.versions_in(asked).spans
    text = spans[0].text if len(spans) == 1 else None
    if text is None:
        return None
    absent = all(span.state == "absent" for span in case.wordings)
    if (absent and _BEFORE_THIS_LAW.search(text)) or _speaks_of_days_after(text, case.facts):
        return decided(rules.ON_EARLIER_FACTS, asked, spans[0])
    return None


def _speaks_of_days_after(text: str, facts: DateRange) -> bool:
    """Whether a provision is about what was registered before a day, and these facts were."""
    return any(
        (facts.start.year, facts.start.month, facts.start.day)
        <= (int(found["year"]), int(found["month"]), int(found["day"]))
        for found in _BEFORE_A_DAY.finditer(text)
    )


def interpretation(case: Case, branch: Branch) -> Applicability:
    """司法解释时间效力规定: reaches back with its law; an earlier interpretation comes first."""
    criminal = branch == "criminal"
    rule = rules.INTERPRETATION if criminal else rules.OTHER_INTERPRETATION
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
    """By the cases the interpretation says it is applied in, and by the law it explains."""
    assert case.trial is not None
    commenced = rules.CIVIL_CODE_COMMENCED
    code = "民法典" in case.timeline.work
    if code and case.facts.start < commenced and not case.lasted:
        absent = Span(case.facts, "absent", reason="民法典 does not govern facts before 2021-01-01")
        return decided(rules.CIVIL_OLD, case.facts, absent)
    if first.state == "in_force" and later.state == "absent" and case.facts.start < commenced:
        return decided(rules.CIVIL_OLD, case.facts, first)
    if later.state != "in_force":
        return None
    filed = case.dates.of("filing") if case.dates else ()
    match case.reached_cases:
        case "pending":
            reached = True
        case "filed" if filed:
            reached = filed[-1].start >= later.window.start
        case "facts":
            reached = case.facts.start >= later.window.start
        case _:
            return None
    cases = _IN_WORDS[case.reached_cases]
    if reached:
        why = f"it says that it reaches cases {cases}"
        return decided(rules.OTHER_INTERPRETATION, case.trial, later, why)
    if first.state == "in_force":
        why = f"the later interpretation says that it reaches only cases {cases}"
        return decided(rules.OTHER_INTERPRETATION, case.facts, first, why)
    return None
