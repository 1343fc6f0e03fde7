"""The law book: the law at a date, as answers, tools and agents read it.

A `LawBook` is a corpus with its statute search. Each method is one question a person has, and
returns a value; `inforce.wire.as_wire` turns any of them into JSON.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar

from inforce.dates import Clock, DateRange, parse_when, system_clock
from inforce.errors import DateError, UnknownWorkError, UserError
from inforce.law.caveats import caveats, part_asked
from inforce.law.ids import ExpressionId, Moment, Portion, ProvisionId, WorkId
from inforce.law.model import Caption, Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Lookup, Span, Timeline
from inforce.retrieval.request_limits import require_length

if TYPE_CHECKING:
    from inforce.corpus.home import IndexLocation
    from inforce.corpus.links import Links
    from inforce.corpus.store import Corpus
    from inforce.law.diff import Piece
    from inforce.law.lineage import Lineage
    from inforce.retrieval.analysis import Analyser, ProvisionAsked
    from inforce.retrieval.index import IndexReport
    from inforce.retrieval.statutes import (
        Distinct,
        SearchResult,
        StatuteSearch,
        Understood,
        When,
    )
    from inforce.retrieval.text_reuse import WordingIndex
    from inforce.retrieval.updating import Following, UpdatingSearch
    from inforce.store import Progress

P = ParamSpec("P")
T = TypeVar("T")
B = TypeVar("B", bound="LawBook")

AsOf = str | date | DateRange
"""A date as people give it: ``"2010-06"``, ``"2010年6月"``, ``"today"``, a day, or a range."""


@dataclass(frozen=True, slots=True)
class ProvisionAt:
    """What a provision said at a date, what others call it, and whether it has changed since."""

    lookup: Lookup
    captions: tuple[Caption, ...]
    """Names in official use at the date; no part of the law."""
    next_change: Span | None
    """What follows the days asked for: another wording, a repeal; ``None`` if nothing does."""
    snapshot: str
    caveats: tuple[str, ...]
    """Sentences to be said with it: how far it is known, and whether the days lie ahead."""
    links: Links
    """What interprets it, what cites it and what it cites; no part of the law."""


@dataclass(frozen=True, slots=True)
class Descent:
    """A provision of one version of a law, followed forward through its later versions."""

    since: date
    """The first day of the version it starts from."""
    lineage: Lineage
    days: tuple[date, ...]
    """The first day of each version reached, one for each number of the lineage."""


@dataclass(frozen=True, slots=True)
class History:
    """Everything a provision ever said, as far as the corpus goes back."""

    timeline: Timeline
    captions: tuple[Caption, ...]
    descent: tuple[Descent, ...]
    """The same rule under its other numbers: computed from the texts, with a score, not stated."""
    snapshot: str
    links: Links
    """What ever cited it and what it ever cited; no part of the law."""


@dataclass(frozen=True, slots=True)
class ProvisionDiff:
    """A provision at two dates, and the words that changed between them."""

    earlier: Lookup
    later: Lookup
    pieces: tuple[Piece, ...]
    """Empty unless both dates have exactly one wording."""
    changed_share: float
    """Share of characters deleted or inserted, 0 to 1."""
    caveats: tuple[str, ...] = ()
    """What must be said with it (`inforce.law.caveats`)."""


def _of_one_state(answer: Callable[Concatenate[B, P], T]) -> Callable[Concatenate[B, P], T]:
    """Read an answer from a single state of the corpus, which others may change meanwhile."""

    @wraps(answer)
    def answered(book: B, *given: P.args, **options: P.kwargs) -> T:
        with book.corpus.one_state():
            return answer(book, *given, **options)

    return answered


class LawBook:
    """A corpus with its statute search: what the law was at a date.

    May be used from many threads at once, and after a fork. Laws that any process adds are seen by
    the next question (see `statutes`).

    Args:
        corpus: an open corpus.
        index: the folder of its search index (or a Milvus); made at the first search if it is
            missing or old.
        clock: what "today" means.
        progress: called with the number of documents indexed since the last call.
        complete: a language model that reads questions, as a function from prompt to reply; rules
            read them without one, and dates found by the rules count in any case.
        following: whether a question waits for the index of a corpus that was changed.
    """

    def __init__(
        self,
        corpus: Corpus,
        index: IndexLocation,
        *,
        clock: Clock = system_clock,
        progress: Progress | None = None,
        complete: Callable[[str], str] | None = None,
        following: Following = "at_once",
    ) -> None:
        self.corpus = corpus
        self.clock = clock
        self._index = index
        self._progress = progress
        self._complete = complete
        self._following: Following = following
        self._opening = threading.Lock()
        self._fingerprinting = threading.Lock()
        """A lock of its own: searches do not wait while fingerprints are made."""
        self._process = os.getpid()
        self._statute_search: UpdatingSearch | None = None
        self._wordings: WordingIndex | None = None
        self._fingerprinted = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the corpus file and the index."""
        if self._statute_search is not None:
            self._statute_search.close()
        self._statute_search = None
        self._wordings = None
        self.corpus.close()

    def when(self, text: AsOf) -> DateRange:
        """The days a date stands for.

        Raises:
            DateError: if it cannot be read, or no calendar has it.
        """
        return days_of(text, clock=self.clock)

    @_of_one_state
    def at(self, law: str, article: str, *, on: AsOf) -> ProvisionAt:
        """What an article said on a day, or during a month or year.

        A paragraph or item (``第74条第1款``) is shown with the article it is part of.

        Raises:
            UnknownWorkError: if the corpus has never heard of the law.
            DateError, IdentifierError: if the date or the number cannot be read.
        """
        from inforce.corpus.links import links_at

        portion = Portion.parse(article)
        timeline = self._timeline(law, article)
        lookup = timeline.versions_in(self.when(on))
        return ProvisionAt(
            lookup,
            self.captions(timeline.work, timeline.number, during=lookup.as_of),
            _next_change(timeline, lookup),
            self.corpus.snapshot(),
            (*part_asked(lookup, portion), *caveats(lookup, today=self.clock())),
            links_at(self.corpus, lookup),
        )

    def lookup(self, law: str, article: str, *, on: AsOf) -> Lookup:
        """What an article said on a day, as `at`, without what belongs to it."""
        return self._timeline(law, article).versions_in(self.when(on))

    @_of_one_state
    def links(
        self,
        work: str,
        number: ProvisionNumber,
        window: DateRange,
        *,
        during: Sequence[DateRange] = (),
    ) -> Links:
        """What belongs to a wording that was found: what interprets it, cites it, and it cites.

        Args:
            work: the official title of the law.
            number: of the provision.
            window: the days on which it read so.
            during: the days asked about; the first day of the wording where none is among them.
        """
        from inforce.corpus.links import links_at

        asked = (window.intersection(one) for one in during)
        days = next(filter(None, asked), DateRange.day(window.start))
        return links_at(self.corpus, self.corpus.timeline(work, number).versions_in(days))

    @_of_one_state
    def history(self, law: str, article: str) -> History:
        """Every wording an article ever had, with what changed it, and where it went."""
        from inforce.corpus.links import links_ever

        timeline = self._timeline(law, article)
        return History(
            timeline,
            self.captions(timeline.work, timeline.number),
            self._descents(timeline.work, timeline.number),
            self.corpus.snapshot(),
            links_ever(self.corpus, timeline),
        )

    @_of_one_state
    def diff(self, law: str, article: str, *, earlier: AsOf, later: AsOf) -> ProvisionDiff:
        """How an article differs between two dates, word by word."""
        from inforce.law.diff import changed_share, diff

        timeline = self._timeline(law, article)
        before, after = (timeline.versions_in(self.when(on)) for on in (earlier, later))
        said = [one for lookup in (before, after) for one in caveats(lookup, today=self.clock())]
        notes = tuple(dict.fromkeys(said))
        old, new = _only_text(before), _only_text(after)
        if old is None or new is None:
            return ProvisionDiff(before, after, (), 0.0, notes)
        return ProvisionDiff(before, after, diff(old, new), changed_share(old, new), notes)

    def search(
        self,
        query: str,
        *,
        as_of: AsOf | None = None,
        k: int = 5,
        when: When = "in_force",
        distinct: Distinct = "wording",
    ) -> SearchResult:
        """The provisions that answer a question, under the law of a date.

        Args:
            query: in Chinese or English, with or without a date.
            as_of: the days to search under; win over dates in the query.
            k: how many results.
            when: ``any`` for every wording there ever was, whatever the date.
            distinct: ``provision`` for only the best wording of each provision.

        Raises:
            UserError: if there is no question, both a date and any date are asked for, or ``k`` is
                not from 1 to 1,000.
            DateError: if ``as_of`` cannot be read.
        """
        require_question(query)
        if as_of is not None and when == "any":
            raise UserError(f"any date was asked for, and {str(as_of)!r}: leave one of them out")
        days = None if as_of is None else self.when(as_of)
        statutes = self.statutes
        with self.corpus.one_state():
            return statutes.search(query, as_of=days, k=k, when=when, distinct=distinct)

    def understood(self, query: str) -> Understood:
        """What a search makes of a question, and the days it would look at.

        Raises:
            UserError: if there is no question.
        """
        require_question(query)
        return self.statutes.understood(query)

    def timelines(self, provisions: Iterable[ProvisionAsked]) -> tuple[Timeline, ...]:
        """The timelines of provisions a question names, as far as their laws are held."""
        found: list[Timeline] = []
        for asked in provisions:
            if asked.work is not None:
                with suppress(UnknownWorkError):  # `Coverage.not_held` of a search names the law
                    work = self.corpus.resolve(asked.work)
                    found.append(self.corpus.timeline(work, asked.number))
        return tuple(found)

    def captions(
        self, work: str, number: ProvisionNumber, *, during: DateRange | None = None
    ) -> tuple[Caption, ...]:
        """What others call a provision, ever or during some days; no part of the law."""
        names = self.corpus.captions(work, number)
        return tuple(one for one in names if during is None or one.window.overlaps(during))

    def editions(self, work: str) -> tuple[Span, ...]:
        """The versions of a law that answer for its days, in order of time."""
        return self.corpus.editions(work)

    def text_on(self, work: str, day: date) -> tuple[Provision, ...]:
        """The provisions of the text of a law in force on a day; none where no such text is held.

        For comparing whole texts: a single provision on a day is `at`.
        """
        if work not in self.corpus.titles():
            return ()
        edition = next((span for span in self.editions(work) if day in span.window), None)
        if edition is None and self.corpus.dating(work).earlier:
            found = (
                span for one in self.corpus.timelines(work) for span in one.version_at(day).found
            )
            return tuple(span.provision for span in found if span.provision)
        whole = edition.version if edition else None
        text = {one.number: one for one in self.corpus.provisions(whole)} if whole else {}
        for part in self.corpus.versions(work):
            start, end = part.validity.start, part.validity.end
            if part.scope is None or start is None or day < start or (end and end <= day):
                continue
            later = edition is not None and start > edition.window.start
            for one in self.corpus.provisions(part):
                if later or one.number not in text:
                    text[one.number] = one
        return tuple(text[number] for number in sorted(text))

    def update_index(self, *, encoder: str = "", rebuild: bool = False) -> IndexReport:
        """Bring the search index up to date with the corpus."""
        from inforce.retrieval.index import update_index

        return update_index(
            self.corpus, self._index, encoder=encoder, rebuild=rebuild, progress=self._progress
        )

    def index_damage(self) -> tuple[str, ...]:
        """What in the search index is not as the corpus has it, a sentence each."""
        from inforce.retrieval.index import index_damage

        return index_damage(self.corpus, self._index)

    @property
    def statutes(self) -> StatuteSearch:
        """The statute search, which follows the corpus whoever changes it.

        The question that first meets a changed corpus waits for its index (unless ``following`` is
        ``beside``); others are answered from the one before, and `Coverage.is_current` says so.
        """
        from inforce.retrieval.updating import UpdatingSearch

        self._leave_to_parent()
        with self._opening:
            if self._statute_search is None:
                self._statute_search = UpdatingSearch(
                    self.corpus,
                    self._index,
                    analyser=self._analyser,
                    clock=self.clock,
                    progress=self._progress,
                    following=self._following,
                )
        return self._statute_search.search()

    @property
    def searched_snapshot(self) -> str:
        """The snapshot of the corpus that searches see now; empty before the first search.

        An earlier one than the corpus has, while the index of a changed corpus is made.
        """
        return self._statute_search.shows if self._statute_search is not None else ""

    @property
    def wordings(self) -> WordingIndex:
        """The fingerprints of every wording held, for quotations; made at the first use."""
        from inforce.retrieval.text_reuse import open_wordings

        self._leave_to_parent()
        with self._fingerprinting:
            snapshot = self.corpus.snapshot()
            if self._wordings is None or self._fingerprinted != snapshot:
                folder = self.corpus.path.parent
                self._wordings = open_wordings(self.corpus, folder, progress=self._progress)
                self._fingerprinted = snapshot
            return self._wordings

    def _leave_to_parent(self) -> None:
        """Replace the locks after a fork: another thread of the parent may have held one."""
        if self._process != os.getpid():
            self._opening, self._fingerprinting = threading.Lock(), threading.Lock()
            self._process = os.getpid()

    def _analyser(self) -> Analyser:
        from inforce.retrieval.analysis import ModelAnalyser, RuleAnalyser

        titles = self.corpus.titles()
        names = {caption.name for title in titles for caption in self.corpus.captions(title)}
        rules = RuleAnalyser(titles=titles, captions=names, clock=self.clock)
        return ModelAnalyser(self._complete, rules) if self._complete else rules

    def _timeline(self, law: str, article: str) -> Timeline:
        return self.corpus.timeline(self.corpus.resolve(law), Portion.parse(article).number)

    def _descents(self, work: str, number: ProvisionNumber) -> tuple[Descent, ...]:
        """Follow each wording of the number forward to where the law carries it now."""
        from inforce.law.lineage import LineageTracer

        editions = self.editions(work)
        texts = [self.corpus.provisions(span.version) for span in editions if span.version]
        tracer = LineageTracer(texts)
        found: dict[ProvisionNumber, Descent] = {}
        for first in range(len(texts) - 1):
            lineage = tracer.follow(number, range(first, len(texts)))
            days = [span.window.start for span in editions[first:]][: len(lineage.numbers)]
            if any(reached != number for reached in lineage.numbers):
                found.setdefault(lineage.numbers[-1], Descent(days[0], lineage, tuple(days)))
        return tuple(found.values())


def days_of(text: AsOf, *, clock: Clock) -> DateRange:
    """The days a date stands for.

    Raises:
        DateError: if it cannot be read, or no calendar has it.
    """
    if isinstance(text, DateRange):
        return text
    return DateRange.day(text) if isinstance(text, date) else parse_when(text, clock=clock)


def day_of(text: AsOf, *, clock: Clock) -> date:
    """The day of a trial: where the rules turn on it, nobody should choose it silently.

    Raises:
        DateError: if it cannot be read, or is longer than a day.
    """
    days = days_of(text, clock=clock)
    if not days.is_single_day:
        raise DateError(str(text), "the day of the trial is needed, not a longer time")
    return days.start


def provision_id(timeline: Timeline, span: Span) -> str:
    """The identifier of a provision in the version that began this wording.

    Where no version is known to have begun on the first day of the span, it is the one in force on
    that day.
    """
    begun = span.version is not None and span.version.validity.start == span.window.start
    moment: Moment = "begun" if begun else "in_force"
    work = WorkId(timeline.work.replace("/", "／").replace("%", "％"))
    return str(ProvisionId(ExpressionId(work, span.window.start, moment), Portion(timeline.number)))


def require_question(text: str) -> None:
    """Refuse a question that is empty, no text, or too long.

    Raises:
        UserError: says what to do.
    """
    if not text.strip():
        raise UserError("the question is empty: ask something, such as 2010年累犯能否适用缓刑？")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UserError(f"the question is not text: {error.reason}") from error
    require_length(text)


def _next_change(timeline: Timeline, lookup: Lookup) -> Span | None:
    """The span that follows the last wording found, or else the days asked for."""
    spans = lookup.found or lookup.spans
    end = spans[-1].window.end if spans else None
    return next((span for span in timeline.spans if span.window.start == end), None)


def _only_text(lookup: Lookup) -> str | None:
    spans = lookup.found
    return spans[0].provision.text if len(spans) == 1 and spans[0].provision else None
