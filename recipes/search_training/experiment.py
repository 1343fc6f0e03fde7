"""The data for the training of statute search, and its cross-validation over five folds.

One process, one thread; the same data, seed and machine arithmetic give the same files.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inforce.corpus.loaders import load
from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.retrieval.analysis import RuleAnalyser
from inforce.retrieval.encoders.static import terms_of
from inforce.retrieval.glossary import shipped_english, shipped_lay_words
from inforce.retrieval.index import index_files, open_index, update_index
from inforce.retrieval.known_questions import KnownQuestions, QuestionWords, fingerprint
from inforce.retrieval.metadata import ProvisionMetadata, read_metadata
from inforce.retrieval.provisions import ProvisionText, statute_documents
from inforce.retrieval.query import SearchQuery, search_query
from inforce.store import Matrix, Snapshot
from search_training.encoder import (
    PairData,
    QuestionData,
    all_pairs,
    learn_pairs,
    learn_questions,
    pair_data,
    passage_vectors,
)
from search_training.exclusion import read_evaluated
from search_training.pairs import Passages
from search_training.questions import (
    GoldIndex,
    KnownQuestion,
    read_questions,
    written_questions,
)
from search_training.ranking import (
    FOLDS,
    Example,
    Featured,
    Split,
    TrainedDense,
    asked_records,
    featured,
    folds_of,
)
from search_training.rules import Rules, rules_of
from search_training.term_vectors import TermVectors, Vocabulary

DAY = date(2024, 1, 1)
"""The day whose law the answers are from."""

STATUTES = ("versions", "laws_current", "laws_local")

_OTHER_DAYS = tuple(date(year, 6, 1) for year in (2008, 2015, 2018, 2020, 2026))
_OTHER_DAY_WEIGHT, _TERMS_ONLY_WEIGHT, _SENTENCE_WEIGHT = 0.5, 0.3, 0.5
_WRITTEN_EVERY, _WRITTEN_WEIGHT = 21, 0.5
_SENTENCES = 200
_MOST_WORDINGS = 8
_OTHERS_DEPTH, _OTHERS = 50, 40
_SENTENCE_END = re.compile(r"(?<=[。；])|\n")
_SHORTEST = 16

Report = Callable[[str], None]
ReadQuestion = tuple[SearchQuery, tuple[str, ...]]
"""The query of a question, and the laws it names."""


@dataclass(frozen=True)
class Statutes:
    """The statutes as indexed; arrays and sequences are by row of the index."""

    snapshot: Snapshot
    facts: ProvisionMetadata
    provisions: Sequence[ProvisionText]
    passages: NDArray[np.int64]
    """Index of the passage; -1 for local law, which is none."""
    rules: Rules
    in_force: Callable[[tuple[DateRange, ...]], NDArray[np.bool_]]
    """Tells which rows are in force during some days."""


@dataclass(frozen=True)
class Data:
    """Statutes, questions, and the data of both stages of the encoder."""

    statutes: Statutes
    questions: Sequence[KnownQuestion]
    queries: Sequence[ReadQuestion]
    """By question."""
    read: Callable[[str], ReadQuestion]
    pairs: PairData
    asked: QuestionData
    start: TermVectors
    """The encoder after the first stage."""


def prepare(data: Path, home: Path, *, seed: int, report: Report) -> Data:
    """Read everything, index the statutes, and train the first stage of the encoder."""
    evaluated = read_evaluated(data)
    with Corpus.open(home / "corpus.db", mode="write") as corpus:
        for name in STATUTES:
            path = data / "statutes" / f"{name}.jsonl.gz"
            corpus.add(load(path, on_problem=lambda problem: report(str(problem))))
        provisions = [ProvisionText.of(one.payload) for one in statute_documents(corpus)]
        gold = GoldIndex([one for one in provisions if _is_in_force(one, DateRange.day(DAY))])
        public, written = (
            [one for one in found if not evaluated.covers(one.text)]
            for found in (read_questions(data / "questions", gold), written_questions(provisions))
        )
        questions = public + written
        report(f"{len(provisions)} wordings, {len(public)} + {len(written)} questions")
        relevant = frozenset[str]().union(*(question.relevant for question in public))
        rules = rules_of(
            corpus, {one.work for one in provisions if fingerprint(one.text) in relevant}
        )
        update_index(corpus, home / "index")
    passages = Passages(provisions)
    statutes = _indexed(home / "index", passages, rules)
    read = _reader(statutes.facts)
    queries = [read(question.text) for question in questions]
    every_pair = all_pairs(passages, data, shipped_lay_words(), evaluated, seed=seed)
    pairs = pair_data(passages, every_pair, (query.encoded for query, _ in queries))
    report(f"{len(passages.all)} passages, {len(every_pair)} pairs, {len(pairs.vocabulary)} terms")
    start = learn_pairs(pairs, seed=seed, report=report)
    asked = _question_data(questions, [query for query, _ in queries], statutes, pairs.vocabulary)
    return Data(statutes, questions, queries, read, pairs, asked, start)


def _indexed(index: Path, passages: Passages, rules: Rules) -> Statutes:
    snapshot = open_index(index).snapshot()
    provisions = [ProvisionText.of(one) for one in snapshot.payloads(range(snapshot.rows))]

    @cache
    def in_force(days: tuple[DateRange, ...]) -> NDArray[np.bool_]:
        return np.asarray([_is_in_force(one, *days) for one in provisions])

    return Statutes(
        snapshot,
        read_metadata(index_files(index), snapshot),
        provisions,
        np.asarray([passages.place_of(one) for one in provisions], dtype=np.int64),
        rules,
        in_force,
    )


def _is_in_force(provision: ProvisionText, *days: DateRange) -> bool:
    window = provision.window
    return window is not None and any(window.overlaps(day) for day in days)


def _reader(facts: ProvisionMetadata) -> Callable[[str], ReadQuestion]:
    analyse = RuleAnalyser(titles=facts.works)

    def read(text: str) -> ReadQuestion:
        analysis = analyse(text)
        works = (*analysis.works, *analysis.implied_works)
        return search_query(analysis), works

    return read


def _question_data(
    questions: Sequence[KnownQuestion],
    queries: Sequence[SearchQuery],
    statutes: Statutes,
    vocabulary: Vocabulary,
) -> QuestionData:
    """Find the passages that answer each question, and others that share words with it."""
    with_wording: dict[str, list[int]] = defaultdict(list)
    for provision, passage in zip(statutes.provisions, statutes.passages.tolist(), strict=True):
        if passage >= 0 and passage not in (found := with_wording[fingerprint(provision.text)]):
            found.append(passage)
    return QuestionData(
        vocabulary.bags(terms_of(query.encoded) for query in queries),
        tuple(_answers(question, statutes.rules, with_wording) for question in questions),
        tuple(
            _others(question, query, statutes)
            for question, query in zip(questions, queries, strict=True)
        ),
    )


def _answers(
    question: KnownQuestion, rules: Rules, with_wording: Mapping[str, Sequence[int]]
) -> tuple[tuple[int, ...], ...]:
    """Return the passages of each provision, and those of the same rule at other times."""
    found: list[tuple[int, ...]] = []
    for gold in question.gold:
        for wordings in (gold, rules.wordings(gold) - gold):
            of_rule = {passage for one in wordings for passage in with_wording.get(one, ())}
            if of_rule and (wordings == gold or len(of_rule) < _MOST_WORDINGS):
                found.append(tuple(sorted(of_rule)))
    return tuple(found)


def _others(question: KnownQuestion, query: SearchQuery, statutes: Statutes) -> tuple[int, ...]:
    """Return passages that share words with a question and do not answer it."""
    if not query.words:
        return ()
    day = DateRange.day(DAY)
    found = statutes.snapshot.search("words", query.words, during=(day,), k=_OTHERS_DEPTH)
    wordings = statutes.facts.rows["wording"]
    passages = [
        int(statutes.passages[one.row])
        for one in found
        if f"{wordings[one.row]:010x}" not in question.relevant
    ]
    return tuple(passage for passage in passages if passage >= 0)[:_OTHERS]


def examples_of(data: Data, *, seed: int = 0) -> list[Example]:
    """Make examples of all questions on the day of their answers, of some also on other days.

    On an earlier day a question is answered by the predecessor of its article (`rules_of`). Some
    questions are also reduced to bare terms, as a question in English is by the translation of its
    terms.
    """
    draw = random.Random(seed)
    english = sorted({term for term in shipped_english().chinese if len(term) > 1})
    found: list[Example] = []
    for place, question in enumerate(data.questions):
        query, works = data.queries[place]
        if question.collection == "written":
            if place % _WRITTEN_EVERY == 0 and (days := _days_of(data, question)):
                day = DateRange.day(draw.choice(days))
                found.append(Example(place, query, works, day, question.relevant, _WRITTEN_WEIGHT))
            continue
        found.append(Example(place, query, works, DateRange.day(DAY), question.relevant))
        wordings = data.statutes.rules.wordings(question.relevant)
        if place % 2 == 0 and wordings != question.relevant:
            day = DateRange.day(draw.choice(_OTHER_DAYS))
            found.append(Example(place, query, works, day, wordings, _OTHER_DAY_WEIGHT))
        terms = _longest([term for term in english if term in query.content])
        if place % 5 == 0 and len(terms) > 1:
            bare = replace(data.read("，".join(terms))[0], is_translated=True)
            found.append(
                Example(place, bare, (), DateRange.day(DAY), question.relevant, _TERMS_ONLY_WEIGHT)
            )
    return found


def _days_of(data: Data, question: KnownQuestion) -> list[date]:
    """Return the days on which a provision that answers a question was in force."""
    rows = data.statutes.facts.rows["wording"]
    right = np.isin(rows, np.asarray([int(one, 16) for one in question.relevant], dtype=np.uint64))
    days = (DAY, *_OTHER_DAYS)
    return [day for day in days if (data.statutes.in_force((DateRange.day(day),)) & right).any()]


def other_examples(data: Data, *, seed: int = 5) -> list[Example]:
    """Make examples of sentences of statutes, and of questions without an answer."""
    draw, day, statutes = random.Random(seed), DateRange.day(DAY), data.statutes
    rows = np.flatnonzero((statutes.passages >= 0) & statutes.in_force((day,)))
    in_force = [statutes.provisions[row] for row in rows.tolist()]
    found: list[Example] = []
    while len(found) < min(_SENTENCES, len(in_force)):
        provision = draw.choice(in_force)
        parts = _SENTENCE_END.split(provision.text)
        if sentences := [part for part in parts if len(part) > _SHORTEST]:
            query, works = data.read(draw.choice(sentences))
            wording = frozenset((fingerprint(provision.text),))
            found.append(Example(-1, query, works, day, wording, _SENTENCE_WEIGHT))
    for text in read_lines(Path(__file__).parent / "unanswerable.txt"):
        query, works = data.read(text)
        found.append(Example(-1, query, works, day, frozenset()))
    return found


def read_lines(file: Path) -> list[str]:
    """Read the lines of a file of questions, without comments."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def out_of_fold(
    data: Data, split: Split, *, seed: int, report: Report
) -> Iterator[tuple[int, Featured]]:
    """Yield the fold and features of all examples; features are trained on the other folds."""
    folds = folds_of(data.questions, split)
    examples, others = examples_of(data), other_examples(data)
    for fold in range(FOLDS):
        train = [place for place, of in enumerate(folds) if of != fold]
        learnt = learn_questions(data.start, data.pairs, data.asked, train, seed=seed)
        asked = KnownQuestions.of(records_of(data, train))
        own = [one for one in examples if folds[one.question] == fold] + others[fold::FOLDS]
        report(f"fold {fold + 1} of {FOLDS}: {len(own)} examples")
        dense = _dense(data, learnt)
        for item in featured(own, data.statutes.snapshot, data.statutes.facts, asked, dense):
            yield fold, item


def records_of(data: Data, train: Sequence[int]) -> list[QuestionWords]:
    """Count the words of some of the questions by what answers them."""
    queries = [query for query, _ in data.queries]
    return asked_records(data.questions, queries, data.statutes.facts, data.statutes.rules, train)


def _dense(data: Data, learnt: TermVectors) -> TrainedDense:
    def encode(text: str) -> Matrix:
        return learnt.queries(data.pairs.vocabulary.bags([terms_of(text)]))[0]

    vectors_of_passages = passage_vectors(learnt, data.pairs.passages)
    passages = data.statutes.passages
    vectors = np.zeros((len(passages), vectors_of_passages.shape[1]), dtype=np.float32)
    vectors[passages >= 0] = vectors_of_passages[passages[passages >= 0]]
    return TrainedDense(vectors, encode, data.statutes.in_force)


def _longest(terms: Sequence[str]) -> list[str]:
    """Return the terms that are no part of another."""
    return [one for one in terms if not any(one != other and one in other for other in terms)]
