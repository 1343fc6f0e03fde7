"""An answer in the making: the provisions quoted so far, and how another one is added.

With a provision come others: the rule that decided which wording governs, what its law says of
facts on both sides of its commencement, what took its place, where it is today.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from inforce.answering.answer import Absence, Quotation
from inforce.answering.governing_law import governing_law
from inforce.answering.limitation import limitation_of_offence
from inforce.answering.today import Today, today_of
from inforce.dates import CaseDates, DateRange
from inforce.errors import UnknownWorkError
from inforce.law.applicability import Applicability
from inforce.law.applicability.days import relevant_days
from inforce.law.applicability.special_rules import (
    displacing,
    is_transitional,
    special_rules,
)
from inforce.law.former_law import superseding
from inforce.law.limitation import Limitation
from inforce.law.penalties.amounts import CaseFacts
from inforce.law.rules import TRANSITIONAL, Reference
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook
from inforce.retrieval.analysis import ProvisionAsked

_READ_BESIDE = ("note", "new", "own")
"""Effects of special rules that are read beside a provision: the others (`old`, `judge`) speak of
which law governs, and the decision on that states them."""

_ASKS_WHICH_LAW = re.compile(
    "溯及|从旧兼从轻|新法[^，。？]{0,8}(?:旧|老)法|(?:旧|老)法[^，。？]{0,8}新法|还是[^，。？]{0,8}(?:民法典|新法|旧法)"
    "|(?:按照?|用|适用|依照?|依据|援引|看)[^，。？]{0,8}(?:新法|旧法|老法|民法典|哪部法|哪个法|哪一部法)"
    "|(?:按照?|用|适用|依照?|依据|看)(?:哪一?年|(?:哪个|什么|啥)(?:时候|时期|年份|版本))的?(?:法|刑法|规定|标准)"
    "|(?:当时|那时|以前|事发时|原来)的?(?:法|法律|规定|标准|刑法)?[^，。？]{0,6}还是[^，。？]{0,6}(?:现在|今天|后来|新)"
    "|(?i:which (?:law|version) (?:applies|governs)|retroactiv)"
)

_ASKS_NUMBER_NOW = re.compile(
    "(?:现在|现行|如今|目前|今天|眼下)[^，。？]{0,12}(?:哪一?|第?几|多少)条"
    "|民法典(?:的|里|中)?(?:是|在)?(?:哪一?|第?几)条"
    "|(?i:(?:which|what) (?:article|number|provision)[^.?]{0,30}(?:now|today|current)"
    "|(?:now|today|current)[^.?]{0,30}(?:which|what) (?:article|number|provision))"
)
"""A question that names an article of the past and where its rule is now is about today as well."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is known of its case, and the law book that answers it."""

    text: str
    book: LawBook
    dates: CaseDates
    facts: CaseFacts
    provisions: tuple[ProvisionAsked, ...] = ()
    """The provisions it names."""

    def names(self, timeline: Timeline) -> bool:
        """Whether the question itself names the number of a provision."""
        return any(asked.number == timeline.number for asked in self.provisions)

    def governing_law(self, timeline: Timeline) -> Applicability:
        """Which wording of a provision governs the case."""
        return governing_law(self.book, timeline, self.dates, self.facts)

    def relevant_days(self, timeline: Timeline) -> tuple[DateRange, ...]:
        """The days of the case that count for a provision."""
        return relevant_days(timeline.work, timeline.number, self.dates).days

    def timeline(self, reference: Reference) -> Timeline | None:
        """The timeline of a provision; ``None`` where its law is not held."""
        try:
            work = self.book.corpus.resolve(reference.work)
        except UnknownWorkError:
            return None
        return self.book.corpus.timeline(work, reference.number)


@dataclass(frozen=True, slots=True)
class Draft:
    """What an answer has so far; each ``with_…`` returns the draft with more."""

    question: Question
    quotations: tuple[Quotation, ...] = ()
    absences: tuple[Absence, ...] = ()
    not_held: tuple[str, ...] = ()
    """Laws the question needs that are not held."""
    limitation: Limitation | None = None
    """Where the question asks about a period of limitation."""

    def quotes(self, timeline: Timeline) -> bool:
        """Whether a provision is quoted already."""
        key = timeline.work, timeline.number
        return any((quotation.work, quotation.number) == key for quotation in self.quotations)

    def with_provision(
        self, timeline: Timeline, chance: float, ruled: Applicability | None = None
    ) -> Draft:
        """Quote a provision, or state that it did not apply; what decided it is quoted too.

        Args:
            timeline: the provision.
            chance: that it is one of the provisions that answer, 0 to 1.
            ruled: which wording governs, where that is decided already.
        """
        if self.quotes(timeline):
            return self
        question = self.question
        ruled = ruled or question.governing_law(timeline)
        if not ruled.wordings:
            draft = self.with_absence(timeline, ruled)._with_displacing(timeline, ruled, chance)
            return draft._with_successor(timeline, chance) if question.names(timeline) else draft
        days = question.relevant_days(timeline)[0]
        tried = question.dates.trial or next(iter(question.dates.of("filing")), None)
        newer = superseding(
            timeline.work, timeline.number, days.start, tried=tried.start if tried else None
        )
        if newer and not question.names(timeline):
            return self.with_wording_on(newer, days)
        quotation = self._quotation(timeline, ruled, chance)
        draft = self._quoting(quotation)
        if quotation.named and _ASKS_NUMBER_NOW.search(question.text):
            draft = draft._with_present(quotation.today)
        for reference in ruled.authority:
            draft = draft._with_authority(reference)
        for reference in _read_beside(question, timeline, ruled):
            draft = draft._with_rule_on_time(reference)
        return draft

    def with_absence(self, timeline: Timeline, ruled: Applicability) -> Draft:
        """State that a provision did not apply, and quote what decided that."""
        days = self.question.relevant_days(timeline)
        during = DateRange(days[0].start, days[-1].end)
        draft = replace(self, absences=(*self.absences, _absence(timeline, ruled, during)))
        for reference in ruled.authority:
            draft = draft._with_authority(reference)
        return draft

    def with_wording_on(self, reference: Reference, on: DateRange) -> Draft:
        """Quote a provision as it read on the day that counts for a period of limitation."""
        timeline = self.question.timeline(reference)
        if timeline is None:
            return replace(self, not_held=(*self.not_held, reference.work))
        if self.quotes(timeline):
            return self
        if self.limitation is None or is_transitional(timeline.work):
            ruled = self.question.governing_law(timeline)
        else:
            span = timeline.versions_in(on).spans[0]
            reasons = (*self.limitation.steps, *filter(None, [span.reason]))
            ruled = Applicability("decided", self.limitation.rule, on, span, reasons)
        if ruled.wordings:
            return self._quoting(self._quotation(timeline, ruled))
        return replace(self, absences=(*self.absences, _absence(timeline, ruled, on)))

    def _with_authority(self, reference: Reference) -> Draft:
        """Quote a provision that decides which law governs another quotation."""
        timeline = self.question.timeline(reference)
        if timeline is None:
            return replace(self, not_held=(*self.not_held, reference.work))
        if self.quotes(timeline):
            return self
        ruled = self.question.governing_law(timeline)
        if not ruled.wordings:
            return self
        return self._quoting(replace(self._quotation(timeline, ruled), is_authority=True))

    def _with_rule_on_time(self, reference: Reference) -> Draft:
        """Quote a rule on the law in time as it reads when the case is decided.

        Without a trial: as it read at the last of the facts, or as it reads today.
        """
        timeline = self.question.timeline(reference)
        if timeline is None or self.quotes(timeline):
            return self
        dates = self.question.dates
        for on in [dates.trial] if dates.trial else [dates.facts[-1], DateRange.day(dates.today)]:
            span = timeline.versions_in(on).spans[-1]
            if span.state == "in_force":
                ruled = Applicability("decided", TRANSITIONAL, on, span, (TRANSITIONAL.statement,))
                return self._quoting(replace(self._quotation(timeline, ruled), is_authority=True))
        return self

    def _with_displacing(self, timeline: Timeline, ruled: Applicability, chance: float) -> Draft:
        """Quote the single provisions that a special rule puts in the place of one."""
        draft = self
        for rule in displacing(timeline.work, timeline.number):
            for run in rule.provisions if rule.rule == ruled.rule else ():
                later = self.question.timeline(Reference(run.work, run.first))
                if later is not None and run.first == run.last:
                    draft = draft.with_provision(later, chance)
        return draft

    def _with_successor(self, timeline: Timeline, chance: float) -> Draft:
        """Quote what took the place of a provision that is named for days after its law ended."""
        day = self.question.relevant_days(timeline)[0].start
        spans = (span for span in timeline.spans if span.state == "in_force")
        ended = [span for span in spans if span.window.end and span.window.end <= day]
        if not ended:
            return self
        book = self.question.book
        today = today_of(book, timeline, ended[-1])
        draft = self
        for number in today.numbers if today.since == "replaced" else ():
            draft = draft.with_provision(book.corpus.timeline(today.work, number), chance)
        return draft

    def _with_present(self, today: Today) -> Draft:
        """Quote where the rule of an article of the past is today."""
        draft, question = self, self.question
        now = question.dates.today
        dates = CaseDates(now, facts=(DateRange.day(now),))
        for number in today.numbers:
            timeline = question.book.corpus.timeline(today.work, number)
            ruled = governing_law(question.book, timeline, dates, question.facts)
            if ruled.wordings and not draft.quotes(timeline):
                draft = draft._quoting(self._quotation(timeline, ruled))
        return draft

    def _quoting(self, quotation: Quotation) -> Draft:
        return replace(self, quotations=(*self.quotations, quotation))

    def _quotation(
        self, timeline: Timeline, ruled: Applicability, chance: float = 1.0
    ) -> Quotation:
        question, wordings = self.question, ruled.wordings
        during = ruled.governing or wordings[0].window
        captions = question.book.captions(timeline.work, timeline.number, during=during)
        return Quotation(
            timeline.work,
            timeline.number,
            ruled,
            wordings,
            today_of(question.book, timeline, wordings[-1]),
            tuple(dict.fromkeys(caption.name for caption in captions)),
            named=question.names(timeline),
            support=chance,
            limitation=limitation_of_offence(timeline, ruled, question.dates, question.facts),
        )


def _absence(timeline: Timeline, ruled: Applicability, days: DateRange) -> Absence:
    """What a provision that did not apply said on some days, and what it came to say later."""
    later: Iterator[Span] = (
        span
        for span in timeline.spans
        if span.state == "in_force" and days.end and span.window.start >= days.end
    )
    return Absence(timeline.versions_in(days), next(later, None), ruled)


def _read_beside(
    question: Question, timeline: Timeline, ruled: Applicability
) -> Iterator[Reference]:
    """Rules to read beside a provision: the one that decided, where the question asks for it.

    And what its law says of facts on both sides of its commencement.
    """
    if _ASKS_WHICH_LAW.search(question.text):
        yield from ruled.rule.provisions
    begun, end = question.dates.facts[0].start, question.dates.facts[-1].end
    for rule in special_rules(timeline.work, timeline.number):
        earlier = begun < rule.before or rule.asks_for_earlier_event
        across = earlier and (end is None or rule.before < end)
        if rule.effect in _READ_BESIDE and across and rule.met(question.dates, question.facts.text):
            yield from rule.rule.provisions
