"""Special rules: what an instrument says of single provisions for facts before it.

The rules are in `data/special_rules.txt`, so that a lawyer can check them line by line. A
rule brings a later provision to earlier facts, keeps the former one, or gives a rule of its own;
some depend on an event of the case (a new will made since the later law) or on what the case is
about (a printed form, a duress).

>>> found = special_rules("中华人民共和国民法典", ProvisionNumber.article(761))
>>> [(one.rule.source, one.effect) for one in found]
[('法释〔2020〕15号 art. 12', 'new')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Literal, cast

from inforce.dates import CaseDates, DateRange, DateRole
from inforce.law.applicability.values import Applicability, Case, decided, undecided
from inforce.law.data import table
from inforce.law.numerals import ProvisionNumber
from inforce.law.rules import CIVIL_CODE, Reference, Rule
from inforce.law.timeline import Span

Effect = Literal["new", "old", "own", "judge", "note"]
"""``new``: the later law reaches the earlier facts; ``old``: the former stays; ``own``: the
instrument itself gives the rule; ``judge``: the court has to choose; ``note``: it decides nothing
by itself."""

Side = Literal["since", "before", "within"]


@dataclass(frozen=True, slots=True)
class ProvisionRun:
    """Provisions of one work: a single number, or a run of articles (民法典 arts. 761-769)."""

    work: str
    first: ProvisionNumber
    last: ProvisionNumber

    def __contains__(self, reference: Reference) -> bool:
        return reference.work == self.work and self.first <= reference.number <= self.last


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """What an instrument says of some provisions for facts before a day."""

    rule: Rule
    effect: Effect
    before: date
    """The first day of the later law; facts from this day on are not concerned."""
    provisions: tuple[ProvisionRun, ...]
    """The provisions of the later law it is about."""
    displaced: tuple[ProvisionRun, ...] = ()
    """The provisions of the former law whose place these take."""
    words: str = ""
    """A pattern the description of the case must have."""
    event: DateRole | None = None
    side: Side = "since"
    """Where the event must lie: on or after the day, before it, or within years before it."""
    years: int = 0

    @property
    def asks_for_earlier_event(self) -> bool:
        """Whether its condition is an event before the later law, whenever the other facts are."""
        return self.event is not None and self.side != "since"

    def met(self, dates: CaseDates | None, text: str) -> bool | None:
        """Whether its condition is met; ``None`` where that cannot be known."""
        if self.words and text and not re.search(self.words, text):
            return False
        if self.words and not text:
            return None
        if self.event is None:
            return True
        roles: tuple[DateRole, ...] = (
            ("result", "death") if self.event == "result" else (self.event,)
        )
        events = dates.of(*roles) if dates else ()
        if not events:
            return False if self.event == "result" else None
        return any(self._is_in_place(days) for days in events)

    def _is_in_place(self, days: DateRange) -> bool:
        if self.side == "since":
            return days.start >= self.before
        earliest = self.before.replace(year=self.before.year - self.years)
        return days.start < self.before and (self.side == "before" or days.start >= earliest)


def special_rules(work: str, number: ProvisionNumber) -> tuple[SpecialRule, ...]:
    """The special rules about a provision of the later law, in the order of the table."""
    reference = Reference(work, number)
    return tuple(rule for rule in _all() if any(reference in run for run in rule.provisions))


def displacing(work: str, number: ProvisionNumber) -> tuple[SpecialRule, ...]:
    """The special rules that put a provision of the later law in the place of this one."""
    reference = Reference(work, number)
    return tuple(rule for rule in _all() if any(reference in run for run in rule.displaced))


def is_transitional(work: str) -> bool:
    """Whether a work is an instrument on which facts another law applies to."""
    return work in _instruments() or bool(_TRANSITIONAL.search(work))


_TRANSITIONAL = re.compile("时间效力|适用刑法第十二条|施行时尚未审结|施行时未结案件|修改决定施行后")


@cache
def _instruments() -> frozenset[str]:
    found = {ref.work for rule in _all() for ref in rule.rule.provisions}
    return frozenset(work for work in found if work.startswith("最高人民") and "时间效力" in work)


@cache
def _all() -> tuple[SpecialRule, ...]:
    blocks = table("special_rules").split("\n\n")
    return tuple(rule for block in blocks for rule in _read_block(block))


_EVENT = re.compile("(?P<event>[a-z]+) (?P<side>since|before|within)(?: (?P<years>[0-9]+))?$")


def _read_block(block: str) -> Iterator[SpecialRule]:
    number, title, head, *lines = block.splitlines()
    cells = [cell.strip() for cell in head.split("|")]
    before, work = date.fromisoformat(cells[0]), cells[1]
    document = number.strip("[]")
    for line, statement in zip(lines[::2], lines[1::2], strict=True):
        article, effect, concerned, displaced, condition = (
            cell.strip() for cell in line.split("|", 4)
        )
        rule = Rule(
            f"special/{document}/{article}/{effect}/{concerned.split(',')[0]}",
            statement.strip(),
            f"{document} art. {article}",
            (Reference.parse(title, article),),
        )
        words = re.match("/(.*)/", condition)
        event = _EVENT.search(condition)
        yield SpecialRule(
            rule,
            cast(Effect, effect),
            before,
            tuple(_read_runs(work, concerned)),
            tuple(_read_displaced(displaced)),
            words[1] if words else "",
            cast(DateRole, event["event"]) if event else None,
            cast(Side, event["side"]) if event else "since",
            int(event["years"] or 0) if event else 0,
        )


def _read_displaced(cell: str) -> Iterator[ProvisionRun]:
    """Runs of several works: ``中华人民共和国继承法 17-20; 中华人民共和国担保法 40``."""
    for part in filter(None, map(str.strip, cell.split(";"))):
        work, _, numbers = part.partition(" ")
        yield from _read_runs(work, numbers)


def _read_runs(work: str, numbers: str) -> Iterator[ProvisionRun]:
    for number in numbers.split(","):
        first, dash, last = number.strip().partition("-")
        if dash and int(last) > int(first):
            yield ProvisionRun(work, ProvisionNumber.parse(first), ProvisionNumber.parse(last))
        else:
            single = ProvisionNumber.parse(number.strip())
            yield ProvisionRun(work, single, single)


# --- decided by a special rule


def concerned_rules(case: Case) -> list[SpecialRule]:
    """The special rules about the provision that apply to facts and a trial of these days."""
    return [
        rule
        for rule in special_rules(case.timeline.work, case.timeline.number)
        if _begun(case, rule) < rule.before
        and (case.trial is None or case.trial.start >= rule.before)
    ]


def _begun(case: Case, rule: SpecialRule) -> date:
    """The day on which the facts began: for 民法典 the first fact of the case.

    A will of before 2021 is read by art. 23 of its rules although the testator died later.
    """
    if rule.effect == "new" and case.timeline.work == CIVIL_CODE and case.dates:
        return min(case.facts.start, *(days.start for days in case.dates.facts))
    return case.facts.start


def by_special_rule(case: Case) -> Applicability | None:
    """The decision by a special rule; ``None`` where none decides.

    Without a trial it is not known whether the case is one that was pending, except where it was
    still investigated after the later law had commenced: then the former law may stay.
    """
    if case.trial is None:
        for rule in concerned_rules(case):
            step = case.last_step
            pending = step is not None and step.start >= rule.before
            if pending and rule.effect in ("old", "own") and rule.met(case.dates, case.about.text):
                return _decide_by(rule, case, case.facts)
        return None
    for rule in concerned_rules(case):
        if rule.effect != "note" and rule.met(case.dates, case.about.text):
            return _decide_by(rule, case, case.trial)
    for rule in displacing(case.timeline.work, case.timeline.number):
        pending = case.facts.start < rule.before <= case.trial.start
        if pending and rule.met(case.dates, case.about.text):
            place = rule.provisions[0]
            reason = f"{place.work} {place.first.chinese} applies in its place ({rule.rule.source})"
            absent = Span(case.trial, "absent", reason=reason)
            result = decided(rule.rule, case.trial, absent, rule.rule.statement)
            return replace(result, authority=rule.rule.provisions)
    return None


def _decide_by(rule: SpecialRule, case: Case, trial: DateRange) -> Applicability:
    at_trial = case.at_trial
    match rule.effect:
        case "new" if len(at_trial) == 1:
            result = decided(rule.rule, trial, at_trial[0], rule.rule.statement)
        case "old" if len(case.wordings) == 1:
            result = decided(rule.rule, case.facts, case.wordings[0], rule.rule.statement)
        case "own":
            return _by_rule_of_its_own(rule, case)
        case _:
            between = tuple(dict.fromkeys((*case.wordings, *at_trial)))
            result = undecided(rule.rule, rule.rule.statement, between=between)
    return replace(result, authority=rule.rule.provisions)


def by_earlier_event(case: Case) -> Applicability | None:
    """The decision where an instrument has a rule of its own for a step after an earlier event.

    A judgment that became final before 民事诉讼法 was amended is reopened by 法释〔2012〕23号.
    """
    for rule in special_rules(case.timeline.work, case.timeline.number):
        asked = rule.effect == "own" and rule.asks_for_earlier_event
        if asked and rule.met(case.dates, case.about.text):
            return _by_rule_of_its_own(rule, case)
    return None


def _by_rule_of_its_own(rule: SpecialRule, case: Case) -> Applicability:
    """No wording of the provision governs: the instrument gives a rule of its own."""
    absent = Span(case.facts, "absent", reason=f"{rule.rule.source} gives its own rule")
    result = decided(rule.rule, case.facts, absent, rule.rule.statement)
    return replace(result, authority=rule.rule.provisions)


def displaced_by(case: Case) -> tuple[Rule, ...]:
    """Rules that would put 民法典 in the place of a former provision, if the case is pending."""
    found = displacing(case.timeline.work, case.timeline.number)
    return tuple(rule.rule for rule in found if rule.met(case.dates, case.about.text) is not False)
