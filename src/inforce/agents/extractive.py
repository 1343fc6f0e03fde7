"""The answer that needs no model: the provisions that governed, why, and what changed since.

It quotes and explains; it draws no conclusion of its own, and says so. It abstains where nothing
in the corpus speaks to the question, and tells "not in force then", "not found" and "not covered"
apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from inforce.agents.today import Today, today_of
from inforce.dates import DateRange, find_dates, hull
from inforce.law.applicability import Applicability, governing
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import Branch, branch_of
from inforce.law.timeline import Lookup, Span, Timeline
from inforce.retrieval.analysis import QueryAnalysis
from inforce.retrieval.statutes import Coverage, SearchResult, TimeContext

if TYPE_CHECKING:
    from inforce.library import Library

QUOTATIONS = 3
"""Provisions quoted at most, beside those the question names."""

LEAST_SUPPORT = 0.2
"""Weight share of a question's keywords a provision must contain to be quoted."""

HALF_AS_GOOD = 0.5
"""A provision with less than this share of the best one's relevance is not quoted beside it."""

_AVERAGE_LENGTH = 150
_LENGTH_MATTERS = 0.25
"""Characters of an average article, and how much longer ones are marked down (BM25's b)."""

_DEPTH = 30


@dataclass(frozen=True, slots=True)
class Quotation:
    """A provision that governed, verbatim, with the rule that selected it."""

    work: str
    number: ProvisionNumber
    applicability: Applicability
    wordings: tuple[Span, ...]
    """The wording that governed; several where the rules cannot decide between them."""
    today: Today
    captions: tuple[str, ...] = ()
    named: bool = False
    """Whether the question itself names the provision."""
    support: float = 1.0
    """Weight share of the question's keywords found in it, 0 to 1."""
    assumptions: tuple[str, ...] = ()
    """What had to be assumed where the question does not say."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A provision that did not apply then, why, and what it came to say later."""

    lookup: Lookup
    later: Span | None
    """Its first wording after the days asked about; ``None`` where it has none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An extractive answer to a question."""

    question: str
    analysis: QueryAnalysis
    time: TimeContext
    quotations: tuple[Quotation, ...]
    absences: tuple[Absence, ...]
    """Provisions named, or found to speak to the question, that did not apply; with the reason."""
    coverage: Coverage
    method: Literal["extractive"] = "extractive"

    @property
    def abstains(self) -> bool:
        """Whether nothing could be quoted."""
        return not self.quotations


def answer(
    library: Library, question: str, *, facts: DateRange | None = None, trial: date | None = None
) -> Answer:
    """Answer a question from the corpus.

    Args:
        library: where the law is.
        question: what is asked.
        facts: the days of the facts; they win over dates in the question.
        trial: the day of the trial, for the rules that need it.

    Raises:
        DateError: if the only date in the question cannot be read, or the trial comes before the
            facts.
    """
    then = library.statutes.search(question, as_of=facts, k=_DEPTH)
    ever = library.statutes.search(then.analysis, k=_DEPTH, when="any")
    days = hull(then.time.during)
    if then.time.origin == "today":
        find_dates(question, clock=library.clock)  # one that cannot be read must not become today
        trial = trial or days.start
    case = _Case(library, then.analysis, days, trial)
    named = library.named(then.analysis.provisions)
    if named or then.coverage.not_held:
        quoted, absent = case.quote(named)
    else:
        found = (library.corpus.timeline(*one) for one in _by_rank(then, ever))
        quoted, absent = case.quote(_relevant(found, case), most=QUOTATIONS)
    return Answer(question, then.analysis, then.time, quoted, absent, then.coverage)


class _Quoted(NamedTuple):
    quotations: tuple[Quotation, ...]
    absences: tuple[Absence, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """A question with its dates, and the library that answers it."""

    library: Library
    analysis: QueryAnalysis
    days: DateRange
    trial: date | None

    def quote(self, timelines: Iterable[Timeline], *, most: int | None = None) -> _Quoted:
        """Quotations of the provisions that governed, and of those that did not, the reason.

        A provision that speaks to the question but was not in force then is told as such: that
        the law of today did not apply is part of the answer. So is the silence of the wording that
        governed, where a later one makes its provision the most relevant (刑法 74 on ringleaders
        before 2011-05-01); of less relevant ones only wordings that speak themselves are quoted.
        """
        quoted: list[Quotation] = []
        absent: list[Absence] = []
        for place, timeline in enumerate(timelines):
            quotation = _quote(self, timeline)
            if quotation is None:
                absent.append(_absence(timeline, self.days))
            elif most is None or place == 0 or self._speaks(quotation):
                quoted.append(quotation)
            if len(quoted) == most:
                break
        return _Quoted(tuple(quoted), tuple(absent[:most]))

    def _speaks(self, quotation: Quotation) -> bool:
        """Whether the wording that governed, not only a later one, speaks to the question."""
        texts = [span.provision.text for span in quotation.wordings if span.provision]
        read = " ".join((quotation.work, *quotation.captions, *texts))
        return self.library.statutes.support(self.analysis, read) >= LEAST_SUPPORT

    def support(self, timeline: Timeline, *, length_matters: float = 0.0) -> float:
        """How far the wording that speaks most to the question does so, 0 to 1."""
        captions = self.library.corpus.captions(timeline.work, timeline.number)
        names = " ".join((timeline.work, *(caption.name for caption in captions)))
        return max(
            (
                self.library.statutes.support(self.analysis, f"{names} {span.provision.text}")
                / _length_factor(span.provision.text, length_matters)
                for span in timeline.spans
                if span.provision
            ),
            default=0.0,
        )


def _length_factor(text: str, weight: float) -> float:
    return 1 - weight + weight * len(text) / _AVERAGE_LENGTH


def _relevant(timelines: Iterable[Timeline], case: _Case) -> list[Timeline]:
    """Of what was found, what speaks to the question, the most relevant first."""
    speaking = [timeline for timeline in timelines if case.support(timeline) >= LEAST_SUPPORT]
    relevance = [case.support(one, length_matters=_LENGTH_MATTERS) for one in speaking]
    least = HALF_AS_GOOD * max(relevance, default=0.0)
    ranked = sorted(zip(relevance, speaking, strict=True), key=lambda pair: -pair[0])
    return [timeline for score, timeline in ranked if score >= least]


def _by_rank(*results: SearchResult) -> list[tuple[str, ProvisionNumber]]:
    """Provisions by their best rank in any search: a later wording may be what finds a rule."""
    ranks: dict[tuple[str, ProvisionNumber], list[int]] = {}
    for result in results:
        found = dict.fromkeys((hit.provision.work, hit.provision.number) for hit in result.hits)
        for rank, key in enumerate(found):
            ranks.setdefault(key, []).append(rank)
    absent = _DEPTH * len(results)
    return sorted(
        ranks,
        key=lambda key: (
            min(ranks[key]),
            sum(ranks[key]) + absent * (len(results) - len(ranks[key])),
            key[0],
            key[1].sort_key,
        ),
    )


def _absence(timeline: Timeline, days: DateRange) -> Absence:
    lookup = timeline.versions_in(days)
    later = (
        span
        for span in timeline.spans
        if span.state == "in_force" and days.end and span.window.start >= days.end
    )
    return Absence(lookup, next(later, None))


def _quote(case: _Case, timeline: Timeline) -> Quotation | None:
    """A quotation of the wording that governs, or ``None`` where there is none to quote."""
    branch = branch_of(timeline.work)
    step, assumptions = _step(branch, case.days, case.trial)
    ruled = governing(timeline, branch, facts=case.days, trial=step)
    chosen = (ruled.span,) if ruled.span else ruled.alternatives
    wordings = tuple(span for span in chosen if span.state == "in_force")
    if not wordings:
        return None
    captions = case.library.corpus.captions(timeline.work, timeline.number)
    names = tuple(dict.fromkeys(c.name for c in captions if c.window.overlaps(case.days)))
    return Quotation(
        timeline.work,
        timeline.number,
        ruled,
        wordings,
        today_of(case.library, timeline, wordings[-1]),
        names,
        named=any(asked.number == timeline.number for asked in case.analysis.provisions),
        support=case.support(timeline),
        assumptions=assumptions,
    )


def _step(
    branch: Branch, days: DateRange, trial: date | None
) -> tuple[date | None, tuple[str, ...]]:
    """The day of the trial; for procedure without one, the day asked about is taken to be it."""
    if trial is None and branch in ("criminal procedure", "civil procedure"):
        assumed = f"{days.start} is taken as the day of the procedural step (say --trial if not)"
        return days.start, (assumed,)
    return trial, ()
