"""The library: what Python, the command line and every server answer with.

>>> with open_library() as library:
...     library.at("刑法", "74", on="2010-06-01").lookup.answer
'found'
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from inforce.corpus import home
from inforce.corpus.snapshots import EMPTY_SNAPSHOT
from inforce.corpus.store import Corpus
from inforce.dates import Clock, DateRange, system_clock
from inforce.errors import CorpusError, DateError, MissingCorpusError
from inforce.lawbook import AsOf, LawBook, day_of, require_question

if TYPE_CHECKING:
    from os import PathLike

    from inforce.agents.researcher import Report
    from inforce.agents.runtime.answer import ResearchAnswer
    from inforce.agents.runtime.research import Researcher
    from inforce.agents.runtime.run import Person
    from inforce.agents.runtime.trace_view import Step
    from inforce.agents.settings import ResearchOptions, ResearchSettings
    from inforce.answering.answer import Answer
    from inforce.documents.document import Document
    from inforce.llm.chat import ChatModel
    from inforce.retrieval.sources.lookups import CitingDocument
    from inforce.retrieval.updating import Following
    from inforce.store import Progress
    from inforce.verification.findings import Verified
    from inforce.verification.verifier import Verifier


class Library(LawBook):
    """A law book that also answers questions, checks documents and runs agents.

    May be used from any number of threads at once, and from asyncio: `aask`, `aresearch` and
    `aresearch_steps` leave the event loop free; every other method takes milliseconds, but its
    first search may build an index. Laws that any process adds are seen by the next question, but
    for those asked while the index is brought up to date: their `Coverage.is_current` is false.

    Args:
        corpus: an open corpus.
        index: the folder of its search index (or a Milvus).
        clock: what "today" means.
        progress: called with the number of documents indexed since the last call.
        model: a model id that reads questions (see `inforce.llm.models`); rules read them
            without one, and what the rules read counts in any case.
        folder: the data folder, where stored sources are; that of this person without one.
        following: ``beside``: no question waits for the index of a corpus that was changed.

    Raises:
        ModelError, MissingExtraError: if there is no such model.
    """

    def __init__(
        self,
        corpus: Corpus,
        index: home.IndexLocation,
        *,
        clock: Clock = system_clock,
        progress: Progress | None = None,
        model: str = "",
        folder: Path | None = None,
        following: Following = "at_once",
    ) -> None:
        super().__init__(
            corpus,
            index,
            clock=clock,
            progress=progress,
            complete=_reader(model),
            following=following,
        )
        self._folder = folder
        self._checks: Verifier | None = None

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
        from inforce.answering.extractive import answer

        require_question(question)
        facts = None if as_of is None else self.when(as_of)
        judged = None if trial is None else DateRange.day(day_of(trial, clock=self.clock))
        while True:
            before = self.corpus.snapshot()
            try:
                return answer(self, question, facts=facts, trial=judged)
            except CorpusError:
                if self.corpus.snapshot() == before:
                    raise
                # Laws were changed under the question: it is answered from what is held now.

    def citing_documents(self, law: str, article: str, *, on: AsOf) -> tuple[CitingDocument, ...]:
        """The precedents and guidelines of this folder that cite an article, the latest first.

        A document with a day means the article that had the number on that day; `at` has the
        provisions that cite it (``links``).

        Raises:
            UnknownWorkError: if the corpus has never heard of the law.
            DateError, IdentifierError: if the date or the number cannot be read.
            SearchIndexError: if a source is damaged, or of another release.
        """
        from inforce.corpus.citations import numbers_by_edition
        from inforce.retrieval.sources.lookups import citing_documents

        lookup = self.lookup(law, article, on=on)
        if not lookup.found:
            return ()
        day = max(lookup.found[0].window.start, lookup.as_of.start)
        editions = numbers_by_edition(self.corpus, lookup.work, lookup.number, day)
        return citing_documents(
            self._folder or home.home(),
            lookup.work,
            tuple(dict.fromkeys((lookup.number, *editions.values()))),
            number_on=lambda on: next(
                (number for window, number in editions.items() if on in window), None
            ),
        )

    def holds_documents(self) -> bool:
        """Whether precedents or guidelines are held, for `citing_documents` to look through."""
        from inforce.retrieval.sources.lookups import CITING
        from inforce.retrieval.sources.stored import source_store

        folder = self._folder or home.home()
        return any(source_store(folder, name).current(name) for name in CITING)

    def verify(
        self,
        document: Document | Path | str,
        *,
        on: AsOf | None = None,
        trial: AsOf | None = None,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Verified:
        """Whether what a document cites and quotes was the law on the days it is about.

        >>> with open_library() as library:
        ...     library.verify("2010年6月1日，依照《刑法》第七十四条处理。").outcome
        'right'

        Args:
            document: a file (Word, PDF, HTML, Markdown or text), a text, or a document that was
                read.
            on: the day or days of the facts; without them they are read in the document.
            trial: the day of the trial, or of the procedural step.
            progress: called with the characters checked and the characters there are.

        Raises:
            UnreadableDocumentError: if nothing is known of what the file says; one without any
                text is a finding instead: not checked.
            DateError: if a date cannot be read, or the trial comes before the facts.
        """
        from inforce.documents.document import UnreadableDocumentError
        from inforce.documents.limits import DEFAULT_LIMITS
        from inforce.documents.parsing import patient_parser
        from inforce.documents.plain import read_text

        days = None if on is None else self.when(on)
        judged = None if trial is None else DateRange.day(day_of(trial, clock=self.clock))
        if days and judged and judged.start < days.start:
            raise DateError(str(judged), f"the trial cannot come before the facts ({days})")
        if isinstance(document, str):
            most = DEFAULT_LIMITS.characters
            if len(document) > most:
                reason = f"{len(document):,} characters; at most {most:,}"
                raise UnreadableDocumentError("too_large", reason, path="text")
            document = read_text(document.encode(errors="replace"), name="text")
        elif isinstance(document, Path):
            try:
                document = patient_parser().read(document)
            except UnreadableDocumentError as error:
                if error.cause != "no_text":
                    raise
                return self.verify_nothing(error.path, error.reason)
        return self._verifier().verify(document, on=days, trial=judged, progress=progress)

    def verify_nothing(self, name: str, reason: str) -> Verified:
        """The result for a document without text, such as a scan: it was not checked."""
        from inforce.verification.findings import LawsHeld, Verified

        held = LawsHeld(len(self.corpus.titles()), self.corpus.snapshot(), self.clock().isoformat())
        return Verified(name, "", "", "", (), held, (reason,))

    def _verifier(self) -> Verifier:
        from inforce.verification.verifier import Verifier

        wordings = self.wordings
        if self._checks is None or self._checks.wordings is not wordings:
            self._checks = Verifier(self, wordings, title_of=self._title_of_case())
        return self._checks

    def _title_of_case(self) -> Callable[[str], str | None] | None:
        """Return a function that looks the numbers of cases up, where a source of cases is held."""
        from inforce.retrieval.sources.lookups import find_case, holds_cases

        folder = self._folder or home.home()
        if not holds_cases(folder):
            return None

        def title_of(number: str) -> str | None:
            found = find_case(folder, number)
            return found.title if found else None

        return title_of

    async def aask(
        self, question: str, *, as_of: AsOf | None = None, trial: AsOf | None = None
    ) -> Answer:
        """The same as `ask`, in a thread beside the event loop."""
        import asyncio

        return await asyncio.to_thread(self.ask, question, as_of=as_of, trial=trial)

    def research(
        self,
        question: str,
        settings: ResearchSettings | None = None,
        **options: Unpack[ResearchOptions],
    ) -> ResearchAnswer:
        """Let an agent answer a question: it plans, searches, and answers from what was found.

        >>> with open_library() as library:
        ...     library.research("2010年累犯能否适用缓刑？", agent="r1").outcome
        'answered'

        What happens on the way (a model that cannot be reached, a spent budget) is an outcome of
        the answer. Inside a running event loop, use `aresearch`: this call would block it.

        Args:
            question: in any language the agent and its model know.
            settings: who researches, with what, within which limits; R1 by rule, without a model,
                unless given.
            options: single settings, as `inforce.agents.settings.ResearchOptions` has them:
                ``agent="r1"``, ``model="openai:gpt-4o-mini"``, ``as_of="2010"``,
                ``sources="statutes,web"``, ``trace="run.jsonl"``, …

        Raises:
            UserError: if there is no question, or an option cannot be, or would be ignored.
            DateError: if a date cannot be read.
            ModelError, InputError, MissingExtraError: if the model or a source cannot be opened.
        """
        from inforce.llm.models import completed

        return completed(self.aresearch(question, settings, **options))

    async def aresearch(
        self,
        question: str,
        settings: ResearchSettings | None = None,
        *,
        person: Person | None = None,
        on_step: Callable[[Step], None] | None = None,
        report: Report | None = None,
        **options: Unpack[ResearchOptions],
    ) -> ResearchAnswer:
        """The same as `research`, for asyncio.

        Args:
            question: see `research`.
            settings: see `research`.
            person: answers the agent's own questions; without one they have no answer.
            on_step: called with each step as it happens.
            report: called with each of the person's files that could not be read.
            options: see `research`.
        """
        from inforce.agents.runtime.run import nobody
        from inforce.agents.runtime.trace_view import step_listener
        from inforce.agents.settings import ResearchSettings

        require_question(question)
        chosen = (settings or ResearchSettings()).with_options(options, clock=self.clock)
        async with self.researcher(chosen, report=report) as researcher:
            return await researcher.research(
                question,
                as_of=chosen.as_of,
                trial=chosen.trial,
                trace=chosen.trace,
                person=person or nobody,
                listener=step_listener(on_step) if on_step else None,
            )

    def aresearch_steps(
        self,
        question: str,
        settings: ResearchSettings | None = None,
        *,
        person: Person | None = None,
        **options: Unpack[ResearchOptions],
    ) -> AsyncGenerator[Step]:
        """The steps of a run as they happen; the last one holds the answer.

        ::

            async for step in library.aresearch_steps("2010年累犯能否适用缓刑？"):
                print(step)
            step.answer

        Each step has a number, a kind and a JSON form (`inforce.as_wire`), as server-sent events
        want them. Leaving the stream (``aclose``, a cancelled task) stops the run. Arguments and
        errors are those of `aresearch`.
        """
        from inforce.agents.runtime.research import streamed

        def start(put: Callable[[Step], None]) -> Coroutine[Any, Any, object]:
            return self.aresearch(question, settings, person=person, on_step=put, **options)

        return streamed(start)

    def researcher(
        self,
        settings: ResearchSettings,
        *,
        model: ChatModel | None = None,
        report: Report | None = None,
    ) -> AbstractAsyncContextManager[Researcher]:
        """An agent with its model and tools, open for any number of questions at once.

        See `inforce.agents.researcher.open_researcher`.
        """
        from inforce.agents.researcher import open_researcher

        return open_researcher(settings, self, model=model, folder=self._folder, report=report)


def open_library(
    home_folder: str | PathLike[str] | None = None,
    *,
    clock: Clock = system_clock,
    progress: Progress | None = None,
    model: str = "",
    on_first_use: Callable[[Path], None] | None = None,
    following: Following = "at_once",
) -> Library:
    """Open the library of a data folder (``INFORCE_HOME``, or the usual place of this system).

    A folder without a corpus, or with an empty one, gets the starter corpus, so that the first
    question has an answer; ``on_first_use`` is then called with its path. See `Library`.

    Raises:
        CorpusError: if the folder cannot be made, or its corpus not be read.
    """
    folder = Path(home_folder) if home_folder else home.home()
    path = folder / home.corpus_path().name
    corpus = _open_filled(path)
    if corpus is None:
        corpus = _open_starter(path)
        if on_first_use:
            on_first_use(path)
    try:
        index = home.index_location(folder)
        return Library(
            corpus,
            index,
            clock=clock,
            progress=progress,
            model=model,
            folder=folder,
            following=following,
        )
    except BaseException:
        corpus.close()
        raise


def _reader(model: str) -> Callable[[str], str] | None:
    if not model:
        return None
    from inforce.llm.models import completion

    return completion(model)


def _open_filled(path: Path) -> Corpus | None:
    """Open the corpus, unless it is empty: a first use may have been interrupted."""
    try:
        corpus = Corpus.open(path)
    except MissingCorpusError:
        return None
    if corpus.snapshot() != EMPTY_SNAPSHOT:
        return corpus
    corpus.close()
    return None


def _open_starter(path: Path) -> Corpus:
    """Open the corpus, filled with the starter laws unless another process just filled it."""
    from inforce.corpus.starter import starter_texts

    with Corpus.open(path, mode="write") as corpus:
        corpus.fill(starter_texts)
    return Corpus.open(path)
