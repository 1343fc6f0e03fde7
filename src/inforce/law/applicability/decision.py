"""From the dates of a case to the wording that governs: the rules, in the order they are asked.

1. Procedure follows the step: the general law of penalties, and the branches of procedure, unless
   an instrument has a rule of its own for an event before the law was amended.
2. An instrument on the reach of another law is applied in the cases decided since it commenced.
3. A special rule about the provision decides before every general one.
4. An interpretation is applied in the cases its final articles name, a provision that speaks of
   facts before its law since it commenced.
5. Criminal law, the law that 民法典 replaced, and administrative penalties each have their own
   general rule; all other law does not reach back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from inforce.dates import CaseDates, Conduct, DateRange
from inforce.errors import DateError
from inforce.law import rules
from inforce.law.applicability.branches import (
    administrative,
    civil,
    concerns_the_civil_code,
    procedure,
)
from inforce.law.applicability.criminal import criminal
from inforce.law.applicability.days import relevant_days
from inforce.law.applicability.interpretations import (
    interpretation,
    on_earlier_facts,
    transitional,
)
from inforce.law.applicability.special_rules import (
    by_earlier_event,
    by_special_rule,
    concerned_rules,
    is_transitional,
)
from inforce.law.applicability.values import (
    Applicability,
    Case,
    ReachedCases,
    by_time_of_facts,
    undecided,
)
from inforce.law.penalties.amounts import CaseFacts
from inforce.law.penalties.fines import states_a_penalty
from inforce.law.registry import Branch, branch_of
from inforce.law.timeline import Span, Timeline


def decide(
    timeline: Timeline,
    dates: CaseDates,
    *,
    facts: CaseFacts | None = None,
    reached_cases: ReachedCases = "unstated",
    counterpart: Span | None = None,
    former_offences: Sequence[Timeline] = (),
) -> Applicability:
    """Which wording of a provision governs a case.

    Args:
        timeline: what the provision said on every day.
        dates: the dates of the case; those that count for the provision are picked out of them.
        facts: what is known of the case beside its dates.
        reached_cases: in which cases an interpretation says it is applied.
        counterpart: what the rule reads at the trial, where the law was renumbered meanwhile.
        former_offences: what punished the conduct before, where the provision is a new crime.
    """
    relevant = relevant_days(timeline.work, timeline.number, dates)
    branch = branch_of(timeline.work)
    results: list[Applicability] = []
    for days in relevant.days:
        trial = relevant.trial
        case = Case(
            timeline=timeline,
            facts=days,
            trial=None if trial is None or _precedes(trial, days) else trial,
            conduct=dates.conduct,
            dates=dates,
            about=facts or CaseFacts(),
            reached_cases=reached_cases,
            counterpart=counterpart,
            former_offences=tuple(former_offences),
        )
        results.append(_judge(case, branch))
    result = _joined(results)
    notes = (note for note in (relevant.note, *dates.notes) if note)
    return replace(result, counted=relevant, reasons=(*result.reasons, *notes))


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
    if tried is not None and _precedes(tried, facts):
        raise DateError(str(tried), f"the trial cannot come before the facts ({facts})")
    about = case or CaseFacts()
    return _judge(
        Case(timeline=timeline, facts=facts, trial=tried, conduct=conduct, about=about), branch
    )


def _precedes(trial: DateRange, facts: DateRange) -> bool:
    return trial.end is not None and trial.end <= facts.start


def _judge(case: Case, branch: Branch) -> Applicability:
    work = case.timeline.work
    if work == rules.PENALTIES_LAW:
        return procedure(case, rules.PENALTY_PROCEDURE)
    if branch in rules.PROCEDURE:
        return by_earlier_event(case) or procedure(case, rules.PROCEDURE[branch])
    if is_transitional(work):
        return transitional(case)
    special = by_special_rule(case)
    if special is not None:
        return special
    if work.startswith("最高人民"):
        return interpretation(case, branch)
    if earlier := on_earlier_facts(case):
        return earlier
    if branch == "criminal":
        result = criminal(case)
    elif branch == "civil" and concerns_the_civil_code(work):
        result = civil(case)
    elif states_a_penalty(case.timeline):
        result = administrative(case)
    else:
        result = by_time_of_facts(case, rules.NOT_RETROACTIVE)
    caveats = (
        special.rule
        for special in concerned_rules(case)
        if special.met(case.dates, case.about.text) is not False
    )
    return replace(result, caveats=tuple(dict.fromkeys((*result.caveats, *caveats))))


def _joined(results: Sequence[Applicability]) -> Applicability:
    """One result for facts of several days: decided if every one of them leads to one wording."""
    first = results[0]
    if len(results) == 1 or all(
        judged.verdict == "decided" and judged.span == first.span for judged in results
    ):
        return first
    spans = [judged.span for judged in results if judged.span]
    spans += [span for judged in results for span in judged.alternatives]
    between = tuple(sorted(dict.fromkeys(spans), key=lambda span: span.window.start))
    reasons = tuple(dict.fromkeys(reason for judged in results for reason in judged.reasons))
    statement = "the facts are of several days, under different law; establish which day counts"
    caveats = tuple(dict.fromkeys(rule for judged in results for rule in judged.caveats))
    return undecided(first.rule, statement, *reasons, between=between, caveats=caveats)
