"""The answer that needs no model: the provisions that governed, why, and what changed since.

It quotes and explains; it draws no conclusion of its own, and says so. It abstains where nothing
in the corpus speaks to the question, and tells "not in force then", "not found" and "not covered"
apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from inforce.dates import DateRange
from inforce.errors import UnknownWorkError
from inforce.law.applicability import Applicability, governing
from inforce.law.diff import Piece, diff
from inforce.law.lineage import align, similarity
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import Branch, branch_of, find_work
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
"""A provision with less than this share of the best one's support is not quoted beside it."""

_CANDIDATES = 8

_SAME_RULE = 0.5
"""Below this similarity the same number is taken to hold another rule: the law was renumbered."""

_DEPTH = 20

Since = Literal["unchanged", "amended", "moved", "replaced", "repealed", "not_covered"]
"""``moved``: under another number of the same law; ``replaced``: by a provision of another law."""


@dataclass(frozen=True, slots=True)
class Today:
    """What the law says now where it once said what is quoted."""

    since: Since
    work: str = ""
    number: ProvisionNumber | None = None
    span: Span | None = None
    score: float = 1.0
    """How alike the texts are, 0 to 1: ``moved`` and ``replaced`` are computed, not stated."""
    pieces: tuple[Piece, ...] = ()
    """The words that changed; empty where nothing did, or where the rule was split."""
    numbers: tuple[ProvisionNumber, ...] = ()
    """All provisions that carry the rule now, where it was split."""


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
    """
    then = library.statutes.search(question, as_of=facts, k=_DEPTH)
    ever = library.statutes.search(question, k=_DEPTH, when="any")
    days = _hull(then.time.during)
    if trial is None and then.time.origin == "today":
        trial = days.start
    case = _Case(library, then.analysis, days, trial)
    named = _named(library, then.analysis)
    if named or then.coverage.not_held:
        quoted, absent = case.quote(named)
    else:
        found = [library.corpus.timeline(*one) for one in _by_rank(then, ever)]
        quoted, absent = _supported(*case.quote(found[:_CANDIDATES]), case)
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

    def quote(self, timelines: Iterable[Timeline]) -> _Quoted:
        """Quotations of the provisions that governed, and the look-ups of those that did not."""
        quoted: list[Quotation] = []
        absent: list[Absence] = []
        for timeline in timelines:
            quotation = _quote(self, timeline)
            if quotation:
                quoted.append(quotation)
            else:
                absent.append(_absence(timeline, self.days))
        return _Quoted(tuple(quoted), tuple(absent))

    def support(self, timeline: Timeline, captions: Sequence[str] = ()) -> float:
        """How far a provision, in any of its wordings, speaks to the question."""
        texts = [span.provision.text for span in timeline.spans if span.provision]
        read = " ".join((timeline.work, *captions, *texts))
        return self.library.statutes.support(self.analysis, read)


def _hull(ranges: Sequence[DateRange]) -> DateRange:
    """From the first to the last day spoken of: facts may last, the rules decide what follows."""
    last = ranges[-1]
    return DateRange(ranges[0].start, last.end)


def _named(library: Library, analysis: QueryAnalysis) -> list[Timeline]:
    """The timelines of provisions the question names; laws not held are in the coverage."""
    timelines: list[Timeline] = []
    for asked in analysis.provisions:
        if asked.work is None:
            continue
        try:
            work = library.corpus.resolve(asked.work)
        except UnknownWorkError:
            continue
        timelines.append(library.corpus.timeline(work, asked.number))
    return timelines


def _supported(
    quotations: Sequence[Quotation], absences: Sequence[Absence], case: _Case
) -> _Quoted:
    """Of what was found, what speaks to the question; those first that speak most to it.

    A provision that would speak to it but was not in force then is told as such: that the law of
    today did not apply is part of the answer.
    """
    corpus = case.library.corpus
    lookups = [one.lookup for one in absences]
    supports = [case.support(corpus.timeline(one.work, one.number)) for one in lookups]
    best = max((*supports, *(one.support for one in quotations)), default=0.0)
    least = max(LEAST_SUPPORT, HALF_AS_GOOD * best)
    ranked = sorted(quotations, key=lambda quotation: -quotation.support)
    quoted = [one for one in ranked if one.support >= least]
    absent = [one for one, support in zip(absences, supports, strict=True) if support >= least]
    return _Quoted(tuple(quoted[:QUOTATIONS]), tuple(absent[:QUOTATIONS]))


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
        _today(case.library, timeline, wordings[-1]),
        names,
        named=any(asked.number == timeline.number for asked in case.analysis.provisions),
        support=case.support(timeline, names),
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


def _today(library: Library, timeline: Timeline, quoted: Span) -> Today:
    """Where the rule quoted stands now."""
    now = timeline.version_at(library.clock())
    assert quoted.provision is not None
    current = now.found[0] if now.found else None
    if current and current.provision:
        if current.provision.text == quoted.provision.text:
            return Today("unchanged", timeline.work, timeline.number, current)
        score = similarity(quoted.provision.text, current.provision.text)
        if score >= _SAME_RULE:
            same = _Counterpart(current, score, (timeline.number,))
            return _compared("amended", timeline.work, quoted.provision, same)
    for work in (timeline.work, *_successors(timeline.work)):
        found = _counterpart(library, work, quoted.provision)
        if found:
            here = "amended" if found.numbers == (timeline.number,) else "moved"
            since: Since = here if work == timeline.work else "replaced"
            return _compared(since, work, quoted.provision, found)
    if current:
        return Today("amended", timeline.work, timeline.number, current, score=0.0)
    return Today("not_covered" if now.answer == "not_covered" else "repealed")


def _compared(since: Since, work: str, old: Provision, found: _Counterpart) -> Today:
    """What is new in the counterpart; a rule that was split is named by its parts, not compared."""
    new = found.span.provision
    assert new is not None
    pieces = () if len(found.numbers) > 1 else diff(old.text, new.text)
    return Today(since, work, new.number, found.span, found.score, pieces, numbers=found.numbers)


@dataclass(frozen=True, slots=True)
class _Counterpart:
    span: Span
    score: float
    numbers: tuple[ProvisionNumber, ...]
    """Every provision that took over a part of the old one, in order."""


def _counterpart(library: Library, work: str, old: Provision) -> _Counterpart | None:
    """The provisions of a law in force today whose text is most like an earlier one's."""
    if work not in library.corpus.titles():
        return None
    today = library.clock()
    edition = next((span for span in library.editions(work) if today in span.window), None)
    if edition is None or edition.version is None:
        return None
    links = align([old], library.corpus.provisions(edition.version), order="free")
    if not links:
        return None
    best = max(links, key=lambda link: (link.kind != "split", link.score))
    found = library.corpus.timeline(work, best.new).version_at(today).found
    numbers = tuple(sorted(link.new for link in links))
    return _Counterpart(found[0], best.score, numbers) if found else None


def _successors(work: str) -> tuple[str, ...]:
    known = find_work(work)
    return known.succeeded_by if known else ()
