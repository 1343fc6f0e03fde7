"""The answer that needs no model: the provisions that governed, why, and what changed since.

It quotes and explains; it draws no conclusion of its own, and says so. It abstains where nothing
in the corpus speaks to the question, and tells "not in force then", "not found" and "not covered"
apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from inforce.dates import DateRange
from inforce.errors import UnknownWorkError
from inforce.law.applicability import Applicability, governing
from inforce.law.diff import Piece, diff
from inforce.law.lineage import align, similarity
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import branch_of, find_work
from inforce.law.timeline import Lookup, Span, Timeline
from inforce.retrieval.analysis import QueryAnalysis
from inforce.retrieval.fusion import SMOOTHING
from inforce.retrieval.statutes import Coverage, SearchResult, TimeContext

if TYPE_CHECKING:
    from inforce.library import Library

QUOTATIONS = 3
"""Provisions quoted at most, beside those the question names."""

LEAST_SUPPORT = 0.2
"""Share of a question's keywords a provision must contain to be quoted."""

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
    """The words that changed; empty where nothing did."""


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
    """Share of the question's keywords found in it, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An extractive answer to a question."""

    question: str
    analysis: QueryAnalysis
    time: TimeContext
    quotations: tuple[Quotation, ...]
    absences: tuple[Lookup, ...]
    """Provisions the question names that cannot be quoted, each with its reason."""
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
    named = _named(library, then.analysis)
    quoted: list[Quotation] = []
    absent: list[Lookup] = []
    for timeline in named:
        quotation = _quote(library, timeline, then.analysis, days, trial)
        if quotation:
            quoted.append(quotation)
        else:
            absent.append(timeline.versions_in(days))
    if not named:
        quoted += _supported(library, then, ever, days, trial)
    return Answer(question, then.analysis, then.time, tuple(quoted), tuple(absent), then.coverage)


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
    library: Library,
    then: SearchResult,
    ever: SearchResult,
    days: DateRange,
    trial: date | None,
) -> Iterator[Quotation]:
    """Quotations of what was found, best first, as far as they speak to the question."""
    count = 0
    for work, number in _by_rank(then, ever):
        timeline = library.corpus.timeline(work, number)
        quotation = _quote(library, timeline, then.analysis, days, trial)
        if quotation and quotation.support >= LEAST_SUPPORT:
            count += 1
            yield quotation
        if count == QUOTATIONS:
            return


def _by_rank(*results: SearchResult) -> list[tuple[str, ProvisionNumber]]:
    """Provisions found, fused over searches: a match in any wording counts for its past ones."""
    scores: dict[tuple[str, ProvisionNumber], float] = {}
    for result in results:
        seen: set[tuple[str, ProvisionNumber]] = set()
        for hit in result.hits:
            key = (hit.provision.work, hit.provision.number)
            if key not in seen:
                seen.add(key)
                scores[key] = scores.get(key, 0.0) + 1 / (SMOOTHING + len(seen))
    return sorted(scores, key=lambda key: (-scores[key], key[0], key[1].sort_key))


def _quote(
    library: Library,
    timeline: Timeline,
    analysis: QueryAnalysis,
    days: DateRange,
    trial: date | None,
) -> Quotation | None:
    """A quotation of the wording that governs, or ``None`` where there is none to quote."""
    ruled = governing(timeline, branch_of(timeline.work), facts=days, trial=trial)
    chosen = (ruled.span,) if ruled.span else ruled.alternatives
    wordings = tuple(span for span in chosen if span.state == "in_force")
    if not wordings:
        return None
    named = library.corpus.captions(timeline.work, timeline.number)
    captions = tuple(dict.fromkeys(c.name for c in named if c.window.overlaps(days)))
    return Quotation(
        timeline.work,
        timeline.number,
        ruled,
        wordings,
        _today(library, timeline, wordings[-1]),
        captions,
        named=any(asked.number == timeline.number for asked in analysis.provisions),
        support=_support(analysis, timeline, captions),
    )


def _support(analysis: QueryAnalysis, timeline: Timeline, captions: Sequence[str]) -> float:
    """Share of the question's keywords that occur in any wording, a crime name or the title."""
    if not analysis.keywords:
        return 1.0
    texts = [span.provision.text for span in timeline.spans if span.provision]
    read = " ".join((timeline.work, *captions, *texts))
    return sum(word in read for word in analysis.keywords) / len(analysis.keywords)


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
            return _compared("amended", timeline.work, quoted.provision, current, score)
    successors = (timeline.work, *_successors(timeline.work))
    for work in successors:
        found = _counterpart(library, work, quoted.provision)
        if found:
            since: Since = "moved" if work == timeline.work else "replaced"
            return _compared(since, work, quoted.provision, found.span, found.score)
    if current:
        return _compared("amended", timeline.work, quoted.provision, current, 0.0)
    return Today("not_covered" if now.answer == "not_covered" else "repealed")


def _compared(since: Since, work: str, old: Provision, span: Span, score: float) -> Today:
    assert span.provision is not None
    pieces = diff(old.text, span.provision.text) if score else ()
    if len(pieces) == 1 and since == "moved":
        pieces = ()
    return Today(since, work, span.provision.number, span, score, pieces)


@dataclass(frozen=True, slots=True)
class _Counterpart:
    span: Span
    score: float


def _counterpart(library: Library, work: str, old: Provision) -> _Counterpart | None:
    """The provision of a law in force today whose text is most like an earlier one's."""
    if work not in library.corpus.titles():
        return None
    today = library.clock()
    edition = next((span for span in library.editions(work) if today in span.window), None)
    if edition is None or edition.version is None:
        return None
    links = align([old], library.corpus.provisions(edition.version), order="free")
    if not links:
        return None
    best = max(links, key=lambda link: link.score)
    found = library.corpus.timeline(work, best.new).version_at(today).found
    return _Counterpart(found[0], best.score) if found else None


def _successors(work: str) -> tuple[str, ...]:
    known = find_work(work)
    return known.succeeded_by if known else ()
