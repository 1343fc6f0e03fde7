"""Our search and the published pipeline, side by side in one process: speed and quality.

Quality is the share of known items found first, and the share of relevant articles found.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from building import CORPUS, INDEX
from questions import (
    Judged,
    KnownItem,
    Question,
    judged_cases,
    judged_consultations,
    read_questions,
    recitations,
    sample_questions,
    today,
    verbatim_items,
)
from reference import Reference, read_chunks
from rich.console import Console
from rich.progress import track

from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.law.numerals import ProvisionNumber
from inforce.lawbook import LawBook
from inforce.retrieval.analysis import RuleAnalyser
from inforce.retrieval.encoders import DEFAULT, open_encoder
from inforce.retrieval.request_limits import LONGEST_QUESTION
from inforce.scoring.overlap import rouge_l, without_headings

T = TypeVar("T")

WARM_UP = 3
"""Number of questions before the clock runs."""

K = 10
SAME_TEXT = 0.9
"""Lowest ROUGE-L of the right text; other versions of it score less."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of questions."""

    questions: int
    verbatim: int
    cases: int
    subset: int
    """Cases, and consultations, that the slow reference gets."""

    def tenth(self) -> Sizes:
        """A tenth of everything, for a smoke test."""
        return Sizes(self.questions // 10, self.verbatim // 10, self.cases // 10, self.subset // 10)


@dataclass(frozen=True, slots=True)
class Both(Generic[T]):
    """The same figure of our search and of the reference."""

    ours: T
    reference: T

    def map(self, measure: Callable[[T], float]) -> Both[float]:
        """Apply a measure to both."""
        return Both(measure(self.ours), measure(self.reference))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Figures of the comparison; shares are 0 to 1, each with its number of items."""

    questions: int
    p50_ms: Both[float]
    p95_ms: Both[float]
    recitations: int
    recitation_hit_1: Both[float]
    verbatim: int
    verbatim_hit_1: Both[float]
    subset: int
    cases_recall_10: Both[float]
    consultations_recall_10: Both[float]
    """Recall on the first cases and consultations, as many as the reference has time for."""
    all_cases: int
    all_cases_recall_10: float
    all_consultations: int
    all_consultations_recall_10: float
    """Recall of our search on all of them."""
    chunks: int
    reference_build_s: float

    @property
    def ratio(self) -> float:
        """Median time of the reference divided by ours."""
        return self.p50_ms.reference / self.p50_ms.ours


@dataclass(frozen=True, slots=True)
class _Items:
    """All questions, drawn once."""

    warm_up: Sequence[Question]
    questions: Sequence[Question]
    recitations: dict[str, KnownItem]
    verbatim: Sequence[KnownItem]
    cases: Sequence[Judged]
    consultations: Sequence[Judged]


@dataclass(frozen=True, slots=True)
class _Answered:
    """Time and success of both searches on one question."""

    ms: Both[float]
    hit: Both[bool] | None


def compare(data: Path, home: Path, *, sizes: Sizes, seed: int) -> Comparison:
    """Run both pipelines on the same questions, one thread each, interleaved in one process."""
    faiss: Any = import_module("faiss")
    faiss.omp_set_num_threads(1)
    with LawBook(Corpus.open(home / CORPUS), home / INDEX, clock=today) as book:
        return _measured(book, _draw(data, book.corpus, sizes, seed), sizes)


def _measured(book: LawBook, items: _Items, sizes: Sizes) -> Comparison:
    started = time.perf_counter()
    both, chunks = _open_both(book)
    build_s = time.perf_counter() - started
    # The reference has millions of objects: garbage collection would slow both down.
    gc.collect()
    gc.freeze()
    answered = _interleave(both, items)
    few = slice(sizes.subset)
    hits = [one.hit for one in answered if one.hit]
    return Comparison(
        questions=len(answered),
        p50_ms=_percentile(answered, 50),
        p95_ms=_percentile(answered, 95),
        recitations=len(hits),
        recitation_hit_1=Both(fmean(h.ours for h in hits), fmean(h.reference for h in hits)),
        verbatim=len(items.verbatim),
        verbatim_hit_1=both.map(lambda search: hit_rate(search, items.verbatim)),
        subset=sizes.subset,
        cases_recall_10=both.map(lambda search: recall(search, items.cases[few])),
        consultations_recall_10=both.map(lambda search: recall(search, items.consultations[few])),
        all_cases=len(items.cases),
        all_cases_recall_10=recall(both.ours, items.cases),
        all_consultations=len(items.consultations),
        all_consultations_recall_10=recall(both.ours, items.consultations),
        chunks=chunks,
        reference_build_s=build_s,
    )


def _draw(data: Path, corpus: Corpus, sizes: Sizes, seed: int) -> _Items:
    every = read_questions(data)
    chosen = sample_questions(every, sizes.questions + WARM_UP, seed=seed)
    return _Items(
        chosen[:WARM_UP],
        chosen[WARM_UP:],
        recitations(chosen),
        verbatim_items(corpus, sizes.verbatim, seed=seed),
        judged_cases(data, sizes.cases, seed=seed),
        judged_consultations(every, corpus),
    )


def _open_both(book: LawBook) -> tuple[Both[Search], int]:
    """Open both pipelines over one corpus; returns also the number of chunks."""
    chunks = read_chunks(book.corpus)
    reference = Reference(chunks, open_encoder(DEFAULT))
    analyse = RuleAnalyser(titles=book.corpus.titles(), clock=today)

    def ours(query: str, as_of: DateRange | None) -> list[Found]:
        asked = query[:LONGEST_QUESTION]  # the facts of a judgment can be longer
        found = (hit.provision for hit in book.search(asked, as_of=as_of, k=K).hits)
        return [Found(one.work, one.number, one.text) for one in found]

    def published(query: str, as_of: DateRange | None) -> list[Found]:
        analysis = analyse(query)
        during = (as_of,) if as_of else analysis.time_info
        found = reference.search(analysis, during=during, k=K)
        return [Found(one.work, one.number, one.wording) for one in found]

    return Both(ours, published), len(chunks)


def _interleave(both: Both[Search], items: _Items) -> list[_Answered]:
    for question in items.warm_up:
        both.ours(question.text, None)
        both.reference(question.text, None)
    questions = watched(items.questions, "questions")
    return [_answer(both, one, items.recitations.get(one.id)) for one in questions]


def _answer(both: Both[Search], question: Question, known: KnownItem | None) -> _Answered:
    started = time.perf_counter()
    ours = both.ours(question.text, None)
    between = time.perf_counter()
    reference = both.reference(question.text, None)
    done = time.perf_counter()
    ms = Both((between - started) * 1000, (done - between) * 1000)
    return _Answered(ms, Both(is_hit(ours, known), is_hit(reference, known)) if known else None)


def _percentile(answered: Sequence[_Answered], percent: int) -> Both[float]:
    return Both(
        float(np.percentile([one.ms.ours for one in answered], percent)),
        float(np.percentile([one.ms.reference for one in answered], percent)),
    )


# Quality


@dataclass(frozen=True, slots=True)
class Found:
    """A provision a search returned."""

    work: str
    number: ProvisionNumber
    text: str


class Search(Protocol):
    """Either pipeline: finds the best ``K`` provisions for a query, on a date if there is one."""

    def __call__(self, query: str, as_of: DateRange | None) -> Sequence[Found]:
        """Return the provisions, best first."""
        ...


def is_hit(found: Sequence[Found], item: KnownItem) -> bool:
    """Tell whether the first result is the right provision in the wording of the time."""
    if not found or (found[0].work, found[0].number) != (item.work, item.number):
        return False
    return rouge_l(found[0].text, without_headings(item.text)) >= SAME_TEXT


def hit_rate(search: Search, items: Sequence[KnownItem]) -> float:
    """Return the share of known items found first."""
    return fmean(is_hit(search(one.query, one.as_of), one) for one in watched(items, "items"))


def recall(search: Search, judged: Sequence[Judged]) -> float:
    """Return the mean share of relevant articles among the first ``K`` results."""
    queries = watched(judged, "queries")
    return fmean(_share(search(one.query, one.as_of), one) for one in queries)


def watched(items: Sequence[T], what: str) -> Iterable[T]:
    """Iterate with a progress bar, if standard error is a terminal."""
    console = Console(stderr=True)
    return track(items, what, console=console, disable=not console.is_terminal, transient=True)


def _share(found: Sequence[Found], judged: Judged) -> float:
    articles = {(one.work, one.number) for one in found}
    return len(judged.relevant & articles) / len(judged.relevant)
