"""The one door: what the Python call, the command line and every server answer with.

>>> with open_library() as library:
...     library.at("刑法", "74", on="2010-06-01").lookup.answer
'found'
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from inforce.corpus import home
from inforce.corpus.ingest import EMPTY_SNAPSHOT
from inforce.corpus.store import Corpus
from inforce.dates import Clock, DateRange, system_clock
from inforce.errors import DateError, MissingCorpusError
from inforce.lawbook import AsOf, LawBook, require_question

if TYPE_CHECKING:
    from inforce.answering.answer import Answer
    from inforce.retrieval.engines.batches import Progress


class Library(LawBook):
    """The law book, and who answers questions from it.

    Args:
        corpus: an open corpus.
        index: the folder of its search index (or a Milvus).
        clock: what "today" means.
        progress: called with the number of documents indexed since the last call.
        model: a model id that reads questions (see `inforce.llm.completion`); rules read them
            without one, and what the rules read stands in any case.

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
    ) -> None:
        super().__init__(corpus, index, clock=clock, progress=progress, complete=_reader(model))

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
        judged = None if trial is None else _one_day(self.when(trial), str(trial))
        return answer(self, question, facts=facts, trial=judged)


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
    question has an answer; ``on_first_use`` is then called with its path.

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
    try:
        index = home.index_location(folder)
        return Library(corpus, index, clock=clock, progress=progress, model=model)
    except BaseException:
        corpus.close()
        raise


def _reader(model: str) -> Callable[[str], str] | None:
    if not model:
        return None
    from inforce.llm import completion

    return completion.completion(model)


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


def _one_day(days: DateRange, text: str) -> date:
    """The day of an event: where the rules turn on it, nobody should choose it silently."""
    if not days.is_single_day:
        raise DateError(text, "the day of the trial is needed, not a longer time")
    return days.start
