"""The questions of the statute benchmark: real questions, known items, and judged queries.

Everything is drawn with a seed from files that are not part of this repository.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from inforce.corpus.store import Corpus
from inforce.dates import DateRange, scan_dates, time_context
from inforce.law.citation import find_citations
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span

CRIMINAL_LAW = "中华人民共和国刑法"

UNDATED_CASE = DateRange.day(date(2016, 1, 1))
"""The day of criminal cases that name none: about when most of the collection were tried."""

RECITATION = "lar"
RECITATION_SHARE = 0.32
"""64 of 200 questions, which are all recitations in the data."""

_FILES = ("legalsearch_evaluation.jsonl", "legalsearch_ood_evaluation.jsonl")
_ASKED = re.compile(r"《(.+?)》(第[〇零一二三四五六七八九十百千]+条(?:之[一二三四五六七八九十]+)?)")
_BASIS = re.compile(r"法律依据(.*?)(?:律师解答|$)", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[。；])|\n")
_SHORTEST_SENTENCE = 16
_KNOWN_DAYS = (date(2000, 1, 1), date(2025, 12, 31))
_TRIES_A_LAW = 20


def today() -> date:
    """Return the fixed "today" of the benchmark, so that all runs are the same."""
    return date(2026, 11, 20)


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the 13-task benchmark."""

    id: str
    task: str
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A query with one right answer: a provision and its wording at the time."""

    query: str
    as_of: DateRange | None
    """The date passed with the query; ``None`` where the query itself names it."""
    work: str
    number: ProvisionNumber
    text: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A query with its relevant provisions (law, number)."""

    query: str
    as_of: DateRange | None
    relevant: frozenset[tuple[str, ProvisionNumber]]


def read_questions(data: Path) -> list[Question]:
    """Read all questions of the 13 tasks, in the order of the files."""
    folder = data / "legalsearch_r1"
    records = (json.loads(line) for name in _FILES for line in _lines(folder / name))
    return [
        Question(str(one["id"]), one["type"], one["question"], one["answer"]) for one in records
    ]


def sample_questions(questions: Sequence[Question], size: int, *, seed: int) -> list[Question]:
    """Draw a fixed mix: about a third recitations, the rest evenly from the other twelve tasks.

    With 200 all 64 recitations are in, and 11 or 12 of each other task; the order is shuffled.
    """
    rng = random.Random(seed)
    tasks: dict[str, list[Question]] = {}
    for question in questions:
        tasks.setdefault(question.task, []).append(question)
    piles = {task: rng.sample(pile, len(pile)) for task, pile in sorted(tasks.items())}
    recitations = piles.pop(RECITATION)[: round(size * RECITATION_SHARE)]
    others = [one for rank in zip(*piles.values(), strict=True) for one in rank]
    chosen = recitations + others[: size - len(recitations)]
    return rng.sample(chosen, len(chosen))


def recitations(questions: Sequence[Question]) -> dict[str, KnownItem]:
    """Return the recitation questions as known items, by id."""
    items: dict[str, KnownItem] = {}
    for question in questions:
        if question.task == RECITATION:
            law, article = _match(_ASKED, question.text).groups()
            number = ProvisionNumber.parse(article)
            items[question.id] = KnownItem(question.text, None, law, number, question.answer)
    return items


def verbatim_items(corpus: Corpus, size: int, *, seed: int) -> list[KnownItem]:
    """Draw provisions in force on a random day, each with a sentence from its middle as query.

    Laws are drawn first, so that a long code does not outweigh the others. A sentence with a date,
    or one that is also in another provision of the same law, is not used.
    """
    rng = random.Random(seed)
    titles = corpus.titles()
    items: list[KnownItem] = []
    while len(items) < size:
        item = _verbatim(corpus, rng.choice(titles), rng)
        if item:
            items.append(item)
    return items


def judged_cases(data: Path, size: int, *, seed: int) -> list[Judged]:
    """Draw criminal cases: the facts are the query, the applied articles of 刑法 are relevant."""
    lines = list(_lines(data / "ljp" / "cases.jsonl.gz"))
    rng = random.Random(seed)
    cases = (json.loads(line) for line in rng.sample(lines, len(lines)))
    judged = (_judged_case(case) for case in cases if case["meta"].get("relevant_articles"))
    return [one for _, one in zip(range(size), judged, strict=False)]


def judged_consultations(questions: Sequence[Question], corpus: Corpus) -> list[Judged]:
    """Return the ``lcs`` questions with the cited articles that are in the corpus."""
    numbers = {work: frozenset(corpus.numbers(work)) for work in corpus.titles()}
    judged = (
        Judged(question.text, None, _legal_basis(question.answer, numbers))
        for question in questions
        if question.task == "lcs"
    )
    return [one for one in judged if one.relevant]


def _legal_basis(
    answer: str, numbers: Mapping[str, frozenset[ProvisionNumber]]
) -> frozenset[tuple[str, ProvisionNumber]]:
    """Return the articles an answer cites itself, not those that a quoted text refers to."""
    basis = _BASIS.search(answer)
    citations = find_citations(basis[1], titles=numbers) if basis else ()
    return frozenset(
        (citation.work, portion.number)
        for citation in citations
        for portion in citation.portions
        if citation.kind != "reference"
        and citation.work is not None
        and portion.number in numbers.get(citation.work, ())
    )


def _judged_case(case: Mapping[str, Any]) -> Judged:
    articles = {str(article) for article in case["meta"]["relevant_articles"]}
    relevant = frozenset((CRIMINAL_LAW, ProvisionNumber.parse(article)) for article in articles)
    return Judged(case["fact"], None if _dated(case["fact"]) else UNDATED_CASE, relevant)


def _verbatim(corpus: Corpus, title: str, rng: random.Random) -> KnownItem | None:
    day = _random_day(rng)
    in_force = _in_force(corpus, title, day)
    for number, text in rng.sample(in_force, min(_TRIES_A_LAW, len(in_force))):
        sentence = _middle_sentence(text)
        alone = sum(sentence in other for _, other in in_force) == 1
        if len(sentence) >= _SHORTEST_SENTENCE and alone and not _dated(sentence):
            return KnownItem(sentence, DateRange.day(day), title, number, text)
    return None


def _in_force(corpus: Corpus, title: str, day: date) -> list[tuple[ProvisionNumber, str]]:
    spans: list[tuple[ProvisionNumber, Span]] = [
        (timeline.number, span)
        for timeline in corpus.timelines(title)
        for span in timeline.version_at(day).found
    ]
    return [(number, span.provision.text) for number, span in spans if span.provision]


def _dated(text: str) -> bool:
    return bool(time_context(scan_dates(text, clock=today).mentions))


def _middle_sentence(text: str) -> str:
    sentences = [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]
    return sentences[len(sentences) // 2] if sentences else ""


def _random_day(rng: random.Random) -> date:
    first, last = _KNOWN_DAYS
    return first + timedelta(days=rng.randrange((last - first).days + 1))


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.search(text)
    if found is None:
        raise ValueError(f"a recitation question that names no article: {text!r}")
    return found


def _lines(path: Path) -> Iterator[str]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    yield from filter(str.strip, text.split("\n"))
