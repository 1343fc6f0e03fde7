"""The answer that needs no model: the provisions that governed, why, and what changed since.

It quotes and explains; it draws no conclusion of its own, and says so. It abstains where nothing
in the corpus speaks to the question, and keeps "not in force then", "not found" and "not covered"
apart. Where the law a question needs is not held, that is said, and nothing is quoted in its place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from inforce.answering.answer import Absence, Answer, Quotation
from inforce.answering.applicable import applicability
from inforce.answering.consequences import asks_sanction, sanctions_of
from inforce.answering.earlier import Earlier, in_an_earlier_law, under_its_number_then
from inforce.answering.limitation import asked_limitation, of_offence
from inforce.answering.selection import NEARLY_AS_LIKELY, Candidate, Selection, select
from inforce.answering.today import Today, today_of
from inforce.corpus.links import Links
from inforce.dates import CaseDates, DateRange, read_case_dates
from inforce.errors import UnknownWorkError
from inforce.law.applicability import Applicability
from inforce.law.fitting import CaseFacts, read_facts
from inforce.law.limitation import Limitation
from inforce.law.lineage import similarity
from inforce.law.predecessors import displacing, predecessors
from inforce.law.reference_days import days_that_count
from inforce.law.special_rules import special_rules
from inforce.law.timeline import Lookup, Span, Timeline
from inforce.law.transition import CRIMINAL_LAW, TRANSITIONAL, Reference
from inforce.lawbook import LawBook
from inforce.retrieval.statutes import Hit


def answer(
    book: LawBook,
    question: str,
    *,
    facts: DateRange | None = None,
    trial: DateRange | None = None,
) -> Answer:
    """Answer a question from the law book.

    A provision that speaks to the question but was not in force then is an absence: that the law of
    today did not apply is part of the answer. So is the silence of the wording that governed, where
    a later one makes its provision the most relevant (刑法 74 on ringleaders before 2011-05-01); of
    less relevant provisions only wordings that speak to the question themselves are quoted.

    Args:
        book: where the law is.
        question: what is asked.
        facts: the days of the facts; they win over dates in the question.
        trial: the day of the trial; it wins too.

    Raises:
        DateError: if the only date in the question cannot be read, or the trial comes before the
            facts.
    """
    selected = select(book, question, facts=facts)
    dates = read_case_dates(question, clock=book.clock, as_of=facts, trial=trial)
    if dates.origin == "today" and selected.time.origin == "question":  # a model read them
        dates = replace(dates, facts=selected.time.during, origin="question")
    answered = _Answering(book, selected, dates, read_facts(question), not_held=selected.missed)
    answered.run()
    coverage = selected.coverage
    missing = tuple(dict.fromkeys((*coverage.not_held, *answered.not_held)))
    return Answer(
        question,
        selected.analysis,
        replace(selected.time, dates=dates),
        tuple(answered.quoted),
        tuple(answered.absent[: selected.most]),
        replace(coverage, not_held=missing),
        answered.limitation,
    )


_AS_LIKELY = 0.9
"""Where the law that most likely answers was not in force then, or is not known for then, only what
is about as likely is quoted: the rest would be quoted in its place."""

_VERY_LIKELY = 0.4
"""Chance from which law of the time is quoted beside the name of a law that is not held."""

_SURE = 0.7
"""The same where none is held of the laws that answer such questions: in a small corpus something
is always likely."""

_READ_BESIDE = ("note", "new", "own")
"""Effects of rules on the law in time that are read beside a provision: of the others (`old`,
`judge`) the decision on the law that governs speaks."""

_SAME_MATTER = 0.4
"""Similarity from which two provisions are taken for the same rule, before and after."""

_RELATED = 0.25
"""The same of a provision that is likely to answer by itself."""

_ASKS_WHICH_LAW = re.compile(
    "溯及|从旧兼从轻|新法[^，。？]{0,8}(?:旧|老)法|(?:旧|老)法[^，。？]{0,8}新法|还是[^，。？]{0,8}(?:民法典|新法|旧法)"
    "|(?:按照?|用|适用|依照?|依据|援引|看)[^，。？]{0,8}(?:新法|旧法|老法|民法典|哪部法|哪个法|哪一部法)"
    "|(?i:which (?:law|version) (?:applies|governs)|retroactiv)"
)

_ASKS_NUMBER_NOW = re.compile(
    "(?:现在|现行|如今|目前|今天|眼下)[^，。？]{0,12}(?:哪一?|第?几|多少)条"
    "|民法典(?:的|里|中)?(?:是|在)?(?:哪一?|第?几)条"
    "|(?i:(?:which|what) (?:article|number|provision)[^.?]{0,30}(?:now|today|current)"
    "|(?:now|today|current)[^.?]{0,30}(?:which|what) (?:article|number|provision))"
)
"""Who names an article of the past and asks where its rule is now asks about today as well."""


@dataclass(slots=True)
class _Answering:
    """One answer in the making: candidates are judged in order until enough are quoted."""

    book: LawBook
    selected: Selection
    dates: CaseDates
    about: CaseFacts
    quoted: list[Quotation] = field(default_factory=list[Quotation])
    absent: list[Absence] = field(default_factory=list[Absence])
    not_held: tuple[str, ...] = ()
    limitation: Limitation | None = None

    def run(self) -> None:
        least, foremost = self._limited(), True
        for candidate in self.selected.candidates:
            if candidate.chance < least and not self._answers_beside(candidate):
                break
            self._judge(candidate)
            if foremost and self.quoted and asks_sanction(self.selected.analysis.query):
                self._take_sanction(self.quoted[0], candidate.chance)
            if foremost and (self.quoted or self.absent):
                least = max(least, candidate.chance * self._share_wanted())
                foremost = False
            if self._number_quoted() == self.selected.most:
                break
        if self.absent and not (self.quoted or self.not_held or self.limitation):
            self._take_its_like()
        self.quoted = [one for one in self.quoted if not self._gives_way(one)]

    def _gives_way(self, former: Quotation) -> bool:
        """Whether a later law takes the place of what a former one says of the matter."""
        if former.named or former.is_authority or not former.wordings[0].provision:
            return False
        day, text = former.wordings[0].window.start, former.wordings[0].provision.text
        for one in self.quoted:
            if one is former or not one.applicability.authority or not one.wordings[0].provision:
                continue
            if former.work in predecessors(one.work, one.number, day):
                return True
            alike = similarity(text, one.wordings[0].provision.text) >= _SAME_MATTER
            if former.work == one.work and day < one.wordings[0].window.start and alike:
                return True
        return False

    def _answers_beside(self, candidate: Candidate) -> bool:
        """Whether law of the time very likely answers, though a law that might is not held."""
        found = candidate.found
        return bool(
            self.not_held
            and self.limitation is None
            and found is not None
            and candidate.chance >= (_SURE if self.selected.missed else _VERY_LIKELY)
            and self._in_force_then(found)
        )

    def _take_its_like(self) -> None:
        """Quote law of the time that said what the likeliest provision, not in force yet, now says.

        Of crimes likeness says nothing: their articles share the words of penalties, and what
        punished the conduct before is recorded (`inforce.law.new_offences`).
        """
        foremost, lookup = self.selected.candidates[0], self.absent[0].lookup
        said = foremost.found.provision if foremost.found else None
        its_own = (foremost.timeline.work, foremost.timeline.number) == (lookup.work, lookup.number)
        if said is None or not its_own or lookup.answer != "not_in_force":
            return
        if foremost.timeline.work == CRIMINAL_LAW:
            return
        alike: list[tuple[float, Hit]] = []
        for hit in self.selected.then:
            one = hit.provision
            if one.work == foremost.timeline.work:
                continue
            likely = hit.score >= foremost.chance * NEARLY_AS_LIKELY
            score = similarity(said.text, one.text)
            if score >= (_RELATED if likely else _SAME_MATTER):
                alike.append((score, hit))
        for _, hit in sorted(alike, key=lambda pair: -pair[0])[: self.selected.most]:
            timeline = self.book.corpus.timeline(hit.provision.work, hit.provision.number)
            self._take(timeline, self._ruled(timeline), hit.score)

    def _in_force_then(self, found: Span) -> bool:
        return all(found.window.overlaps(days) for days in self.dates.facts)

    def _number_quoted(self) -> int:
        return sum(not one.is_authority for one in self.quoted)

    def _share_wanted(self) -> float:
        """How likely others must be beside the foremost: more, where its law is not known."""
        if self.selected.most is None:
            return 0.0
        if self.quoted or not self.absent:
            return NEARLY_AS_LIKELY
        if self.not_held:
            return math.inf
        return _AS_LIKELY

    def _limited(self) -> float:
        """Quote what states the period of limitation, where the question asks about one.

        Nothing else is quoted where its law is not held.
        """
        if self.selected.most is None:
            return 0.0
        self.limitation = asked_limitation(self.book, self.dates, self.about)
        for one in self.limitation.cited if self.limitation else ():
            self._cite(one.provision, on=DateRange.day(one.on))
        return math.inf if self.not_held or self.absent else 0.0

    def _judge(self, candidate: Candidate) -> None:
        timeline, found = candidate.timeline, candidate.found
        ruled = self._ruled(timeline)
        if found is not None and not (ruled.authority and ruled.governs):
            counted = days_that_count(timeline.work, timeline.number, self.dates).days[0]
            day = (ruled.governing or counted).start
            then = under_its_number_then(self.book, timeline, found, day)
            if then is None:
                self.absent.append(self._another_rule(timeline, ruled, day))
                return
            if then is not timeline:
                timeline, ruled = then, self._ruled(then)
            if not ruled.wordings and not ruled.authority:
                self._look_earlier(timeline, found, ruled, candidate.chance)
                return
        self._take(timeline, ruled, candidate.chance)

    def _look_earlier(
        self, timeline: Timeline, found: Span, ruled: Applicability, chance: float
    ) -> None:
        """What governed in the place of a rule that was not there yet.

        A rule that had ended before the facts is no part of the answer; nor is the later form of
        one that is quoted already, which is shown beside it as the law of today.
        """
        day = days_that_count(timeline.work, timeline.number, self.dates).days[0].start
        absent = ruled.span is not None and ruled.span.state == "absent"
        if absent and found.window.end is not None and found.window.end <= day:
            return
        earlier = in_an_earlier_law(self.book, timeline, found, day) if absent else Earlier()
        if earlier.timelines and all(map(self._is_quoted, earlier.timelines)):
            return
        self._leave_out(timeline, ruled)
        self.not_held = (*self.not_held, *earlier.not_held)
        for one in earlier.timelines:
            self._take(one, self._ruled(one), chance)

    def _take(self, timeline: Timeline, ruled: Applicability, chance: float) -> None:
        """Quote a provision, or state that it did not apply; what decided it is quoted too."""
        if self._is_quoted(timeline):
            return
        wordings = ruled.wordings
        if not wordings:
            self._leave_out(timeline, ruled)
            if self._is_named(timeline):
                self._take_successor(timeline, chance)
            return
        counted = days_that_count(timeline.work, timeline.number, self.dates).days[0]
        newer = displacing(timeline.work, timeline.number, counted.start)
        if newer and not self._is_named(timeline):
            self._cite(newer, on=counted)
            return
        self.quoted.append(self._quotation(timeline, ruled, wordings, chance))
        if self._is_named(timeline) and _ASKS_NUMBER_NOW.search(self.selected.analysis.query):
            self._take_present(self.quoted[-1].today)
        for reference in ruled.authority:
            self._cite(reference)
        for reference in self._on_the_law_in_time(timeline, ruled):
            self._cite_transitional(reference)

    def _take_sanction(self, quoted: Quotation, chance: float) -> None:
        """Quote what states the sanction of a provision that states none itself."""
        wording = quoted.wordings[0]
        if wording.provision is None or quoted.is_authority:
            return
        governing = quoted.applicability.governing or wording.window
        law = self.book.text_on(quoted.work, max(governing.start, wording.window.start))
        for number in sanctions_of(wording.provision, law):
            timeline = self.book.corpus.timeline(quoted.work, number)
            self._take(timeline, self._ruled(timeline), chance)

    def _on_the_law_in_time(self, timeline: Timeline, ruled: Applicability) -> Iterator[Reference]:
        """What to read beside a provision: the rule that decided, where a question asks for it.

        And what its law says of facts on both sides of its commencement.
        """
        if _ASKS_WHICH_LAW.search(self.selected.analysis.query):
            yield from ruled.rule.provisions
        begun, end = self.dates.facts[0].start, self.dates.facts[-1].end
        for one in special_rules(timeline.work, timeline.number):
            earlier = begun < one.before or one.is_of_former_events
            across = earlier and (end is None or one.before < end)
            if one.effect in _READ_BESIDE and across and one.met(self.dates, self.about.text):
                yield from one.rule.provisions

    def _take_successor(self, timeline: Timeline, chance: float) -> None:
        """What took the place of a provision that is named for days after its law had ended."""
        day = days_that_count(timeline.work, timeline.number, self.dates).days[0].start
        spans = (span for span in timeline.spans if span.state == "in_force")
        ended = [span for span in spans if span.window.end and span.window.end <= day]
        since = today_of(self.book, timeline, ended[-1]) if ended else None
        if since and since.since == "replaced" and since.number:
            newer = self.book.corpus.timeline(since.work, since.number)
            self._take(newer, self._ruled(newer), chance)

    def _take_present(self, today: Today) -> None:
        """Quote where the rule of an article of the past is today."""
        now = CaseDates(self.dates.today, facts=(DateRange.day(self.dates.today),))
        for number in today.numbers:
            timeline = self.book.corpus.timeline(today.work, number)
            ruled = applicability(self.book, timeline, now, self.about)
            if ruled.wordings and not self._is_quoted(timeline):
                self.quoted.append(self._quotation(timeline, ruled, ruled.wordings))

    def _cite(self, reference: Reference, *, on: DateRange | None = None) -> None:
        """Quote a provision a decision rests on; ``on`` says the day whose wording counts."""
        try:
            work = self.book.corpus.resolve(reference.work)
        except UnknownWorkError:
            self.not_held = (*self.not_held, reference.work)
            return
        timeline = self.book.corpus.timeline(work, reference.number)
        if self._is_quoted(timeline):
            return
        ruled = self._ruled(timeline) if on is None else self._read_on(timeline, on)
        wordings = ruled.wordings
        if wordings:
            cited = self._quotation(timeline, ruled, wordings)
            self.quoted.append(replace(cited, is_authority=on is None))
        elif on is not None:
            self._leave_out(timeline, ruled, on)

    def _cite_transitional(self, reference: Reference) -> None:
        """Quote a rule on the law in time as it reads when the case is decided.

        Without a trial: as it read at the last of the facts, or as it reads today.
        """
        try:
            work = self.book.corpus.resolve(reference.work)
        except UnknownWorkError:
            return
        timeline = self.book.corpus.timeline(work, reference.number)
        if self._is_quoted(timeline):
            return
        today = DateRange.day(self.dates.today)
        for on in [self.dates.trial] if self.dates.trial else [self.dates.facts[-1], today]:
            span = timeline.versions_in(on).spans[-1]
            if span.state == "in_force":
                ruled = Applicability("decided", TRANSITIONAL, on, span, (TRANSITIONAL.statement,))
                cited = self._quotation(timeline, ruled, (span,))
                self.quoted.append(replace(cited, is_authority=True))
                return

    def _read_on(self, timeline: Timeline, on: DateRange) -> Applicability:
        """A provision on limitation as it read on the day that counts for the period."""
        span = timeline.versions_in(on).spans[0]
        if self.limitation is None:
            return self._ruled(timeline)
        reasons = (*self.limitation.steps, *filter(None, [span.reason]))
        return Applicability("decided", self.limitation.rule, on, span, reasons)

    def _is_quoted(self, timeline: Timeline) -> bool:
        key = timeline.work, timeline.number
        return any((one.work, one.number) == key for one in self.quoted)

    def _is_named(self, timeline: Timeline) -> bool:
        return any(one.number == timeline.number for one in self.selected.analysis.provisions)

    def _ruled(self, timeline: Timeline) -> Applicability:
        return applicability(self.book, timeline, self.dates, self.about)

    def _quotation(
        self,
        timeline: Timeline,
        ruled: Applicability,
        wordings: tuple[Span, ...],
        chance: float = 1.0,
    ) -> Quotation:
        during = ruled.governing or wordings[0].window
        captions = self.book.captions(timeline.work, timeline.number, during=during)
        return Quotation(
            timeline.work,
            timeline.number,
            ruled,
            wordings,
            today_of(self.book, timeline, wordings[-1]),
            tuple(dict.fromkeys(caption.name for caption in captions)),
            named=self._is_named(timeline),
            support=chance,
            limitation=of_offence(timeline.work, timeline.number, ruled, self.dates, self.about),
        )

    def _leave_out(
        self, timeline: Timeline, ruled: Applicability, on: DateRange | None = None
    ) -> None:
        """A provision that did not apply: what it said then, and what it came to say later."""
        counted = days_that_count(timeline.work, timeline.number, self.dates).days
        days = on or DateRange(counted[0].start, counted[-1].end)
        later = (
            span
            for span in timeline.spans
            if span.state == "in_force" and days.end and span.window.start >= days.end
        )
        self.absent.append(Absence(timeline.versions_in(days), next(later, None), ruled))
        for reference in ruled.authority if on is None else ():
            self._cite(reference)

    def _another_rule(self, timeline: Timeline, ruled: Applicability, day: date) -> Absence:
        """The law was renumbered: what was found had no counterpart in the text of the day."""
        reason = "the law was renumbered since, and its text of then has no such rule"
        days = DateRange.day(day)
        lookup = Lookup("not_in_force", timeline.work, timeline.number, days, (), reason)
        later = next((s for s in timeline.spans if s.provision and s.window.start > day), None)
        return Absence(lookup, later, ruled)


def links_of(book: LawBook, answer: Answer) -> list[Links | None]:
    """What cites each provision quoted, on the days asked about."""
    return [
        book.links(one.work, one.number, one.wordings[0].window, during=answer.time.during)
        if one.wordings
        else None
        for one in answer.quotations
    ]
