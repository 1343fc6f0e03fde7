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

    def __contains__(self, one: Reference) -> bool:
        return one.work == self.work and self.first <= one.number <= self.last


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
    one = Reference(work, number)
    return tuple(s for s in _all() if any(one in concerned for concerned in s.provisions))


def displacing(work: str, number: ProvisionNumber) -> tuple[SpecialRule, ...]:
    """The special rules that put a provision of the later law in the place of this one."""
    one = Reference(work, number)
    return tuple(s for s in _all() if any(one in former for former in s.displaced))


def is_transitional(work: str) -> bool:
    """Whether a work is an instrument on which facts another law applies to."""
    return work in _instruments() or bool(_TRANSITIONAL.search(work))


_TRANSITIONAL = re.compile("时间效力|适用刑法第十二条|施行时尚未审结|施行时未结案件|修改决定施行后")


@cache
def _instruments() -> frozenset[str]:
    found = {ref.work for one in _all() for ref in one.rule.provisions}
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
            one = ProvisionNumber.parse(number.strip())
            yield ProvisionRun(work, one, one)


# --- decided by a special rule


def concerned_rules(case: Case) -> list[SpecialRule]:
    """The special rules about the provision that apply to facts and a trial of these days."""
    return [
        one
        for one in special_rules(case.timeline.work, case.timeline.number)
        if _begun(case, one) < one.before and (case.trial is None or case.trial.start >= one.before)
    ]


def _begun(case: Case, one: SpecialRule) -> date:
    """The day on which the facts began: for 民法典 the first fact of the case.

    A will of before 2021 is read by art. 23 of its rules although the testator died later.
    """
    if one.effect == "new" and case.timeline.work == CIVIL_CODE and case.dates:
        return min(case.facts.start, *(days.start for days in case.dates.facts))
    return case.facts.start


def by_special_rule(case: Case) -> Applicability | None:
    """The decision by a special rule; ``None`` where none decides, or the trial is not known."""
    if case.trial is None:
        return None
    for one in concerned_rules(case):
        if one.effect != "note" and one.met(case.dates, case.about.text):
            return _decide_by(one, case, case.trial)
    for one in displacing(case.timeline.work, case.timeline.number):
        pending = case.facts.start < one.before <= case.trial.start
        if pending and one.met(case.dates, case.about.text):
            place = one.provisions[0]
            reason = f"{place.work} {place.first.chinese} applies in its place ({one.rule.source})"
            absent = Span(case.trial, "absent", reason=reason)
            result = decided(one.rule, case.trial, absent, one.rule.statement)
            return replace(result, authority=one.rule.provisions)
    return None


def _decide_by(one: SpecialRule, case: Case, trial: DateRange) -> Applicability:
    at_trial = case.at_trial
    match one.effect:
        case "new" if len(at_trial) == 1:
            result = decided(one.rule, trial, at_trial[0], one.rule.statement)
        case "old" if len(case.wordings) == 1:
            result = decided(one.rule, case.facts, case.wordings[0], one.rule.statement)
        case "own":
            return _by_rule_of_its_own(one, case)
        case _:
            between = tuple(dict.fromkeys((*case.wordings, *at_trial)))
            result = undecided(one.rule, one.rule.statement, between=between)
    return replace(result, authority=one.rule.provisions)


def by_earlier_event(case: Case) -> Applicability | None:
    """The decision where an instrument has a rule of its own for a step after an earlier event.

    A judgment that became final before 民事诉讼法 was amended is reopened by 法释〔2012〕23号.
    """
    for one in special_rules(case.timeline.work, case.timeline.number):
        asked = one.effect == "own" and one.asks_for_earlier_event
        if asked and one.met(case.dates, case.about.text):
            return _by_rule_of_its_own(one, case)
    return None


def _by_rule_of_its_own(one: SpecialRule, case: Case) -> Applicability:
    """No wording of the provision governs: the instrument gives a rule of its own."""
    absent = Span(case.facts, "absent", reason=f"{one.rule.source} gives its own rule")
    result = decided(one.rule, case.facts, absent, one.rule.statement)
    return replace(result, authority=one.rule.provisions)


def displaced_by(case: Case) -> tuple[Rule, ...]:
    """Rules that would put 民法典 in the place of a former provision, if the case is pending."""
    found = displacing(case.timeline.work, case.timeline.number)
    return tuple(one.rule for one in found if one.met(case.dates, case.about.text) is not False)
