"""The one door: what the Python call, the command line and every server answer with.

A `Library` is a corpus with its search index, opened. Each method is one question a person has, and
returns a value; `inforce.wire.as_wire` turns any of them into JSON.

>>> with open_library() as library:
...     library.at("刑法", "74", on="2010-06-01").lookup.answer
'found'
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Self

from inforce.corpus import home
from inforce.corpus.ingest import EMPTY_SNAPSHOT
from inforce.corpus.store import Corpus
from inforce.dates import Clock, DateRange, parse_when, system_clock
from inforce.errors import DateError, MissingCorpusError, UnknownWorkError, UserError
from inforce.law.caveats import days_ahead
from inforce.law.lineage import Lineage, follow
from inforce.law.model import Caption, Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Claim, Lookup, Span, Timeline, build_timeline

if TYPE_CHECKING:
    from inforce.agents.extractive import Answer
    from inforce.law.diff import Piece
    from inforce.retrieval.analysis import Analyser, ProvisionAsked
    from inforce.retrieval.engines.batches import Progress
    from inforce.retrieval.index import IndexReport
    from inforce.retrieval.statutes import SearchResult, StatuteSearch, Understood, When

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
    today: date
    """What the clock says; days after it lie ahead."""

    @property
    def lies_ahead(self) -> bool:
        """Whether days were asked for that have not come yet."""
        return days_ahead(self.lookup, self.today) is not None


@dataclass(frozen=True, slots=True)
class History:
    """Everything a provision ever said, as far as the corpus goes back."""

    timeline: Timeline
    captions: tuple[Caption, ...]
    descent: tuple[Descent, ...]
    """The same rule under its other numbers: computed from the texts, with a score, not stated."""
    snapshot: str


@dataclass(frozen=True, slots=True)
class Descent:
    """A provision of one version of a law, followed forward through its later versions."""

    since: date
    """The first day of the version it starts from."""
    lineage: Lineage
    days: tuple[date, ...]
    """The first day of each version reached, one for each number of the lineage."""


@dataclass(frozen=True, slots=True)
class ProvisionDiff:
    """A provision at two dates, and the words that changed between them."""

    earlier: Lookup
    later: Lookup
    pieces: tuple[Piece, ...]
    """Empty unless both dates have exactly one wording."""
    changed_share: float
    """Share of characters deleted or inserted, 0 to 1."""


class Library:
    """A corpus with its search index: ask it about the law at a date.

    Args:
        corpus: an open corpus.
        index: the folder of its search index (or a Milvus); made at the first search if it is
            missing or old.
        clock: what "today" means.
        progress: told how many documents were indexed, whenever that takes a while.
        model: a model id that reads questions (see `inforce.llm.completion`); rules read them
            without one, and what the rules read stands in any case.
    """

    def __init__(
        self,
        corpus: Corpus,
        index: home.IndexLocation,
        *,
        clock: Clock = system_clock,
        progress: Progress | None = None,
        model: str = "",
    ) -> None:
        self.corpus = corpus
        self.clock = clock
        self._index = index
        self._progress = progress
        self._model = model
        self._statutes: StatuteSearch | None = None
        self._shown = ("", "")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the corpus file."""
        self.corpus.close()

    def at(self, law: str, article: str, *, on: AsOf) -> ProvisionAt:
        """What an article said on a day, or during a month or year.

        Raises:
            UnknownWorkError: if the corpus has never heard of the law.
            DateError, IdentifierError: if the date or the number cannot be read.
        """
        work, number = self.corpus.resolve(law), ProvisionNumber.parse(article)
        timeline = self.corpus.timeline(work, number)
        lookup = timeline.versions_in(self.when(on))
        return ProvisionAt(
            lookup,
            self._captions(work, number, lookup),
            _after(timeline, lookup),
            self.corpus.snapshot(),
            self.clock(),
        )

    def history(self, law: str, article: str) -> History:
        """Every wording an article ever had, with what changed it, and where it went."""
        work, number = self.corpus.resolve(law), ProvisionNumber.parse(article)
        timeline = self.corpus.timeline(work, number)
        return History(
            timeline,
            self.corpus.captions(work, number),
            self._descents(work, number),
            self.corpus.snapshot(),
        )

    def diff(self, law: str, article: str, *, earlier: AsOf, later: AsOf) -> ProvisionDiff:
        """How an article differs between two dates, word by word."""
        from inforce.law.diff import changed_share, diff

        work, number = self.corpus.resolve(law), ProvisionNumber.parse(article)
        timeline = self.corpus.timeline(work, number)
        before, after = (timeline.versions_in(self.when(on)) for on in (earlier, later))
        texts = [_only_text(lookup) for lookup in (before, after)]
        if texts[0] is None or texts[1] is None:
            return ProvisionDiff(before, after, (), 0.0)
        return ProvisionDiff(
            before, after, diff(texts[0], texts[1]), changed_share(texts[0], texts[1])
        )

    def search(
        self, query: str, *, as_of: AsOf | None = None, k: int = 5, when: When = "in_force"
    ) -> SearchResult:
        """The provisions that answer a question, under the law of a date.

        Args:
            query: in Chinese or English, with or without a date.
            as_of: the days to search under; win over dates in the query.
            k: how many results.
            when: ``any`` for every wording there ever was, whatever the date.

        Raises:
            UserError: if there is no question, or both a date and any date are asked for.
            DateError: if ``as_of`` cannot be read.
        """
        _require_words(query)
        if as_of is not None and when == "any":
            raise UserError(f"any date was asked for, and {str(as_of)!r}: leave one of them out")
        asked = None if as_of is None else self.when(as_of)
        return self.statutes.search(query, as_of=asked, k=k, when=when)

    def understood(self, query: str) -> Understood:
        """What a search makes of a question, and the days it would look at.

        Raises:
            UserError: if there is no question.
        """
        _require_words(query)
        return self.statutes.understood(query)

    def ask(self, question: str, *, as_of: AsOf | None = None, trial: AsOf | None = None) -> Answer:
        """An extractive answer: the governing provisions, why they govern, and what changed since.

        Args:
            question: in Chinese or English, with or without a date.
            as_of: the day (or days) of the facts; wins over dates in the question.
            trial: the day of the trial, where the rules need it (criminal and procedural law).

        Raises:
            UserError: if there is no question.
            DateError: if a date cannot be read, the trial is not one day, or comes before the
                facts.
        """
        from inforce.agents.extractive import answer

        _require_words(question)
        facts = None if as_of is None else self.when(as_of)
        judged = None if trial is None else _one_day(self.when(trial), str(trial))
        return answer(self, question, facts=facts, trial=judged)

    def named(self, provisions: Iterable[ProvisionAsked]) -> tuple[Timeline, ...]:
        """The timelines of provisions a question names, as far as their laws are held."""
        timelines: list[Timeline] = []
        for asked in provisions:
            if asked.work is not None:
                with suppress(UnknownWorkError):  # told as not held in the coverage of the answer
                    work = self.corpus.resolve(asked.work)
                    timelines.append(self.corpus.timeline(work, asked.number))
        return tuple(timelines)

    def when(self, text: AsOf) -> DateRange:
        """The days a date stands for.

        Raises:
            DateError: if it cannot be read, or no calendar has it.
        """
        if isinstance(text, DateRange):
            return text
        return DateRange.day(text) if isinstance(text, date) else parse_when(text, clock=self.clock)

    def update_index(self, *, encoder: str = "", rebuild: bool = False) -> IndexReport:
        """Bring the search index up to date with the corpus."""
        from inforce.retrieval.index import update_index

        return update_index(
            self.corpus, self._index, encoder=encoder, rebuild=rebuild, progress=self._progress
        )

    @property
    def statutes(self) -> StatuteSearch:
        """The statute search; its index is brought up to date first, whoever changed the corpus."""
        from inforce.retrieval.index import current_build

        snapshot = self.corpus.snapshot()
        if self._statutes is None or self._shown != (snapshot, current_build(self._index)):
            self._statutes = self._open_statutes(snapshot)
            self._shown = (snapshot, current_build(self._index))
        return self._statutes

    def _open_statutes(self, snapshot: str) -> StatuteSearch:
        from inforce.retrieval.index import open_index
        from inforce.retrieval.statutes import StatuteSearch

        self.update_index()
        engine = open_index(self._index)
        titles = self.corpus.titles()
        return StatuteSearch(
            engine,
            self._analyser(titles),
            titles=titles,
            snapshot=snapshot,
            documents=len(engine),
            known_on=self.corpus.known_on,
            clock=self.clock,
        )

    def _analyser(self, titles: Collection[str]) -> Analyser:
        from inforce.retrieval.analysis import ModelAnalyser, RuleAnalyser

        names = {caption.name for title in titles for caption in self.corpus.captions(title)}
        rules = RuleAnalyser(titles=titles, captions=names, clock=self.clock)
        if not self._model:
            return rules
        from inforce.llm.completion import completion

        return ModelAnalyser(completion(self._model), rules)

    def editions(self, work: str) -> tuple[Span, ...]:
        """The versions of a law that answer for its days, in order of time.

        Versions compete as the claims on one provision do: the better dated wins each day.
        """
        whole = ProvisionNumber("whole")
        claims = [
            Claim(version, Provision(whole, version.text_hash))
            for version in self.corpus.versions(work)
        ]
        timeline = build_timeline(work, whole, claims)
        return tuple(span for span in timeline.spans if span.state == "in_force")

    def _captions(self, work: str, number: ProvisionNumber, lookup: Lookup) -> tuple[Caption, ...]:
        named = self.corpus.captions(work, number)
        return tuple(caption for caption in named if caption.window.overlaps(lookup.as_of))

    def _descents(self, work: str, number: ProvisionNumber) -> tuple[Descent, ...]:
        """Follow each wording of the number forward to where the law carries it now."""
        editions = self.editions(work)
        texts = [self.corpus.provisions(span.version) for span in editions if span.version]
        found: dict[ProvisionNumber, Descent] = {}
        for first in range(len(texts) - 1):
            lineage = follow(number, texts[first:])
            days = [span.window.start for span in editions[first:]][: len(lineage.numbers)]
            if any(reached != number for reached in lineage.numbers):
                found.setdefault(lineage.numbers[-1], Descent(days[0], lineage, tuple(days)))
        return tuple(found.values())


def open_library(
    home_folder: Path | None = None,
    *,
    clock: Clock = system_clock,
    progress: Progress | None = None,
    model: str = "",
    on_first_use: Callable[[Path], None] | None = None,
) -> Library:
    """Open the library of a data folder (``INFORCE_HOME``, or the usual place of this system).

    A folder without a corpus, or with an empty one, gets the starter corpus, so that the first
    question has an answer; ``on_first_use`` is told where.

    Raises:
        CorpusError: if the folder cannot be made, or its corpus not be read.
    """
    folder = home_folder or home.home()
    path = folder / home.corpus_path().name
    corpus = _open_filled(path)
    if corpus is None:
        corpus = _open_starter(path)
        if on_first_use:
            on_first_use(path)
    index = home.index_location(folder)
    return Library(corpus, index, clock=clock, progress=progress, model=model)


def _open_filled(path: Path) -> Corpus | None:
    """The corpus, if there is anything in it: a first use may have been interrupted."""
    try:
        corpus = Corpus.open(path)
    except MissingCorpusError:
        return None
    if corpus.snapshot() != EMPTY_SNAPSHOT:
        return corpus
    corpus.close()
    return None


def _open_starter(path: Path) -> Corpus:
    """The corpus, filled with the starter laws unless another process just filled it."""
    from inforce.corpus.starter import starter_texts

    with Corpus.open(path, mode="write") as corpus:
        if corpus.snapshot() == EMPTY_SNAPSHOT:
            corpus.add(starter_texts())
    return Corpus.open(path)


def _require_words(question: str) -> None:
    if not question.strip():
        raise UserError("the question is empty: ask something, such as 2010年累犯能否适用缓刑？")
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise UserError(f"the question is not text: {error.reason}") from error


def _one_day(days: DateRange, text: str) -> date:
    """The day of an event: where the rules turn on it, nobody should choose it silently."""
    if not days.is_single_day:
        raise DateError(text, "the day of the trial is needed, not a longer time")
    return days.start


def _after(timeline: Timeline, lookup: Lookup) -> Span | None:
    """The span that follows the last wording found, or else the days asked for."""
    spans = lookup.found or lookup.spans
    end = spans[-1].window.end if spans else None
    return next((span for span in timeline.spans if span.window.start == end), None)


def _only_text(lookup: Lookup) -> str | None:
    spans: Sequence[Span] = lookup.found
    if len(spans) != 1 or spans[0].provision is None:
        return None
    return spans[0].provision.text
