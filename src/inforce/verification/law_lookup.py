"""Cached look-ups in the corpus: what a name means, what a provision said and became."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from rapidfuzz import fuzz

from inforce.answering.governing_law import governing_law
from inforce.corpus.store import TextPlace
from inforce.dates import CaseDates, DateRange
from inforce.errors import UnknownWorkError
from inforce.law.alignment import align
from inforce.law.applicability.special_rules import special_rules
from inforce.law.former_law import recorded_successors
from inforce.law.ids import Portion
from inforce.law.lineage import counterparts
from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.amounts import CaseFacts
from inforce.law.registry import branch_of, find_work, instrument_of
from inforce.law.rules import CIVIL_CODE, Rule
from inforce.law.timeline import Span, Timeline
from inforce.lawbook import LawBook, provision_id
from inforce.retrieval.text_reuse import fold
from inforce.verification.findings import CheckedDays, Evidence, LawsHeld, Suggestion
from inforce.verification.substitutions import plain_numbers

_NO_FACTS = CaseFacts()
_INTERPRETERS = ("最高人民法院", "最高人民检察院")
_COMPANY_LAW, _COMPANY_LAW_RENEWED = "中华人民共和国公司法", date(2024, 7, 1)
_CACHED = 4_096
_ITEM_NUMBER = re.compile(
    r"(?m)(?:^|(?<=[：:；;。]))\s*(?:[（(][一二三四五六七八九十]{1,3}[）)]|[一二三四五六七八九十]{1,3}、)"
)

Status = Literal["in_force", "absent", "uncovered", "undecided"]
"""Of a provision on some days; ``undecided``: several wordings come into question, and which of
them governs is not for this library to say."""


@dataclass(frozen=True, slots=True)
class Governing:
    """What governed on the days of a case."""

    status: Status
    spans: tuple[Span, ...]
    """The span that governed, or all that come into question."""
    rule: Rule | None = None
    reasons: tuple[str, ...] = ()
    changed_within: bool = False
    """Whether nothing is decided because the provision changed within the days."""

    @property
    def wordings(self) -> tuple[Span, ...]:
        """The spans that have a text."""
        return tuple(span for span in self.spans if span.provision is not None)


@dataclass(frozen=True, slots=True)
class Boundary:
    """The day on which a provision or a law came into force, or ceased to be in force."""

    kind: Literal["not_yet", "no_longer"]
    day: date
    instrument: str = ""
    nearest: Span | None = None
    """The wording in force before it ended, or after it began."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A provision under another number, or in another law."""

    work: str
    number: ProvisionNumber
    score: float
    """Likeness of the texts, 0 to 1."""
    is_recorded: bool = False
    """Whether a reviewed table says so, and not the likeness."""


class _Resolved(NamedTuple):
    title: str | None
    """Of the law in the corpus that a name certainly means."""
    similar: tuple[str, ...]
    """Titles that may have been meant, where none certainly is."""


class LawLookup:
    """What a corpus, and the registry of known laws, can say of a citation.

    One object for one document or many: results are cached.
    """

    def __init__(self, book: LawBook) -> None:
        self.book = book
        self.corpus = book.corpus
        self.today = book.clock()
        self._resolve = lru_cache(_CACHED)(self._resolve_name)
        self.governing = lru_cache(_CACHED)(self._governing)
        self.folded = lru_cache(_CACHED)(self._folded)
        self.unnumbered = lru_cache(512)(self._unnumbered)
        self.moved = lru_cache(512)(self._moved)
        self.provision_with = lru_cache(512)(self._provision_with)
        self.text_on = lru_cache(64)(book.text_on)
        self.text = lru_cache(_CACHED)(self.corpus.text)
        """A stored wording by its id."""
        self._places: dict[int, list[TextPlace]] = {}

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The titles of all laws of the corpus."""
        return self.corpus.titles()

    @cached_property
    def corpus_state(self) -> LawsHeld:
        """The number of laws, the snapshot, and the day taken as today."""
        return LawsHeld(len(self.titles), self.corpus.snapshot(), self.today.isoformat())

    def title(self, name: str) -> str | None:
        """The title in the corpus that a name means; ``None`` if no law is certainly meant."""
        return self._resolve(name).title

    def similar_titles(self, name: str) -> tuple[str, ...]:
        """Titles in the corpus that may have been meant by a name that is not in it."""
        return self._resolve(name).similar

    def _resolve_name(self, name: str) -> _Resolved:
        try:
            return _Resolved(self.corpus.resolve(name), ())
        except UnknownWorkError as error:
            return _Resolved(None, error.suggestions)

    def timeline(self, work: str, number: ProvisionNumber) -> Timeline:
        """What a provision said on every day.

        The points of an amendment (一、二、三、) are cited as articles: 修正案（九）第四十四条.
        """
        found = self.corpus.timeline(work, number)
        if number.kind == "article" and not any(span.provision for span in found.spans):
            point = self.corpus.timeline(work, replace(number, kind="point"))
            if any(span.provision for span in point.spans):
                return point
        return found

    def _governing(self, work: str, number: ProvisionNumber, dates: CaseDates) -> Governing:
        timeline = self.timeline(work, number)
        decision = governing_law(self.book, timeline, dates, _NO_FACTS)
        if decision.verdict == "decided" and decision.span is not None:
            span = decision.span
            return Governing(span.state, (span,), decision.rule, decision.reasons)
        within = any(len(timeline.versions_in(days).spans) > 1 for days in dates.facts)
        spans = decision.alternatives or timeline.versions_in(dates.hull).spans
        return Governing("undecided", spans, decision.rule, decision.reasons, within)

    def evidence(self, timeline: Timeline, span: Span) -> Evidence:
        """A wording in the form in which findings show it."""
        assert span.provision is not None
        return Evidence(
            provision_id(timeline, span),
            timeline.work,
            timeline.number,
            span.window,
            span.provision.text,
            span.provision.hash,
            span.version.instrument if span.version else "",
            span.date_status == "presumed",
        )

    def _folded(self, text: str) -> str:
        return plain_numbers(fold(text).text)

    def _unnumbered(self, text: str) -> str:
        """The same without the numbers at the heads of items, which many leave out."""
        return self._folded(_ITEM_NUMBER.sub("", text))

    def boundary(self, timeline: Timeline, days: DateRange) -> Boundary | None:
        """The beginning or the end that keeps a provision from being in force on some days."""
        before = [one for one in timeline.spans if one.provision and one.window.start < days.start]
        after = [one for one in timeline.spans if one.provision and one.window.start >= days.start]
        if before:
            last = before[-1]
            ended = last.window.end
            if ended is None:
                return None
            by = next((one for one in timeline.spans if one.window.start == ended), None)
            instrument = by.version.instrument if by and by.version else ""
            return Boundary("no_longer", ended, instrument, last)
        if after:
            first = after[0]
            made = first.version.instrument if first.version else ""
            return Boundary("not_yet", first.window.start, made, first)
        return None

    def boundary_of_law(self, name: str, days: DateRange) -> Boundary | None:
        """The same of a whole law, as far as the registry of known laws tells."""
        known = find_work(name)
        if known is None:
            return None
        if known.ended is not None and days.start >= known.ended:
            successors = "、".join(known.succeeded_by)
            return Boundary("no_longer", known.ended, successors)
        if known.commenced is not None and days.end is not None and days.end <= known.commenced:
            made = instrument_of(known.title, start=known.commenced) or ""
            return Boundary("not_yet", known.commenced, made)
        return None

    def _moved(self, work: str, number: ProvisionNumber, last: date, day: date) -> Moved | None:
        """Where the rule that a provision had on its ``last`` day is on another day."""
        old, new = self.text_on(work, last), self.text_on(work, day)
        if old and new:
            links = [one for one in counterparts(number, old, new) if one.new != number]
            return Moved(work, links[0].new, links[0].score) if links else None
        known = find_work(work)
        text = next((one for one in old if one.number == number), None)
        if known is None or text is None:
            return None
        for successor in known.succeeded_by:
            later = self.text_on(successor, day)
            recorded = recorded_successors(work, text, later)
            if links := recorded or align([text], later, order="free"):
                best = max(links, key=lambda link: link.score)
                return Moved(successor, best.new, best.score, is_recorded=bool(recorded))
        return None

    def _provision_with(self, work: str, words: str, day: date) -> Moved | None:
        """The provision of a law that has some words on a day, or has them most nearly."""
        folded = self.folded(words)
        found = [
            Moved(
                work, one.number, 1.0 if folded in text else fuzz.partial_ratio(folded, text) / 100
            )
            for one in self.text_on(work, day)
            if len(text := self.folded(one.text)) >= len(folded) / 2
        ]
        return max(found, key=lambda one: one.score, default=None)

    def suggestion(self, work: str, portion: Portion, days: DateRange) -> Suggestion:
        """A provision to cite, with what it says on the days."""
        found = self.timeline(work, portion.number).versions_in(days).found
        text = found[-1].provision.text if found and found[-1].provision else ""
        return Suggestion(work, portion, days, text)

    def look_up_places(self, text_ids: Iterable[int]) -> None:
        """Cache the provisions of stored wordings, found in one pass over the corpus."""
        wanted = set(text_ids) - self._places.keys()
        self._places.update({text_id: [] for text_id in wanted})
        for place in self.corpus.text_places(wanted) if wanted else ():
            self._places[place.text_id].append(place)

    def places_of(self, text_ids: Iterable[int]) -> dict[int, list[TextPlace]]:
        """The provisions that ever read as stored wordings do."""
        wanted = list(text_ids)
        self.look_up_places(wanted)
        return {text_id: self._places[text_id] for text_id in wanted}

    def edition(self, work: str, hint: str) -> DateRange | None:
        """The days in force of the version a document names: 1997年, 2018年修正, 2020-12-26."""
        digits = "".join(one for one in hint if one.isdigit())[:4]
        year = int(digits) if len(digits) == 4 else 0
        matching = [
            span
            for span in self.book.editions(work)
            if span.version
            and (
                year in (span.window.start.year, _year(span.version.promulgated))
                or (year and str(year) in span.version.label)
            )
        ]
        made = [one for one in matching if one.version and _year(one.version.promulgated) == year]
        chosen = made or matching
        return chosen[-1].window if chosen else None


def _year(day: date | None) -> int:
    return day.year if day else 0


def _is_stated(work: str, number: ProvisionNumber | None) -> bool:
    """Whether 法释〔2020〕15号 applies an article of 民法典 to earlier facts.

    Its rules on later harm and later wills do not count: they turn on those later days.
    """
    return (
        work == CIVIL_CODE
        and number is not None
        and any(
            one.effect in ("new", "own") and one.event not in ("result", "will")
            for one in special_rules(work, number)
        )
    )


def may_reach_back(
    work: str, since: date, days: CheckedDays, number: ProvisionNumber | None = None
) -> bool:
    """Whether a rule that commenced after the days of the facts may govern them all the same.

    A judicial interpretation is applied to what is tried after it commenced, whenever the facts
    were, unless it says otherwise (高检发释字〔2001〕5号 art. 2 for criminal cases). A court may
    apply 民法典, and 公司法 of 2023, to earlier facts for reasons no text decides (法释〔2020〕15号
    arts. 2 and 3; 法释〔2024〕7号 art. 1). Where a case was decided on a day not stated, the days
    in the document need not be those the court applied a law to; criminal laws never reach back.
    Of some articles of 民法典 a text says that they do (法释〔2020〕15号 arts. 6 to 27).
    """
    if since <= days.facts[0].start:
        return False
    if days.trial is None:
        tried = days.decided or _is_stated(work, number) or work.startswith(_INTERPRETERS)
    else:
        tried = days.trial.end is None or days.trial.end > since
    reaches = work.startswith((*_INTERPRETERS, CIVIL_CODE)) or (
        work == _COMPANY_LAW and since >= _COMPANY_LAW_RENEWED
    )
    return tried and (reaches or (days.decided and branch_of(work) != "criminal"))
