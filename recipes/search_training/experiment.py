"""The whole of learning to find: encoder, what was asked, ranker; and what that is worth.

One process, one thread; the same files for the same data, seed and machine arithmetic.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inforce.corpus.loaders import load
from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.retrieval.analysis import RuleAnalyser
from inforce.retrieval.encoders.static import terms_of
from inforce.retrieval.glossary import EnglishGlossary, shipped_english, shipped_lay_words
from inforce.retrieval.index import index_files, open_index, update_index
from inforce.retrieval.known_questions import KnownQuestions, QuestionWords, fingerprint
from inforce.retrieval.metadata import ProvisionMetadata, read_metadata
from inforce.retrieval.provisions import ProvisionText, statute_documents
from inforce.retrieval.query import SearchQuery, search_query
from inforce.store import Matrix, Snapshot
from search_training.contrastive import TermVectors
from search_training.encoder import (
    PairData,
    QuestionData,
    all_pairs,
    learn_pairs,
    learn_questions,
    pair_data,
    passage_vectors,
)
from search_training.exclusion import ExaminedTexts, read_examined
from search_training.lineage import Rules, rules_of
from search_training.pairs import Passages
from search_training.questions import GoldIndex, KnownQuestion, Wording, read_questions
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
from search_training.written_questions import written_questions

DAY = date(2024, 1, 1)
"""The day of whose law the answers are."""

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
"""What is searched, and the laws that the question names."""


@dataclass(frozen=True)
class Data:
    """The statutes as indexed, the questions, and what both stages of the encoder learn from."""

    snapshot: Snapshot
    facts: ProvisionMetadata
    provisions_of_rows: Sequence[ProvisionText]
    questions: Sequence[KnownQuestion]
    queries: Sequence[ReadQuestion]
    read: Callable[[str], ReadQuestion]
    rules: Rules
    pairs: PairData
    start: TermVectors
    """After the first stage."""
    passage_of_row: NDArray[np.int64]
    """-1: none (local law)."""
    asked: QuestionData
    in_force: Callable[[Sequence[DateRange]], NDArray[np.bool_]]


def prepare(data: Path, home: Path, *, seed: int, report: Report) -> Data:
    """Read everything, index the statutes, and train the first stage of the encoder."""
    examined = read_examined(data)
    with Corpus.open(home / "corpus.db", mode="write") as corpus:
        for name in STATUTES:
            path = data / "statutes" / f"{name}.jsonl.gz"
            corpus.add(load(path, on_problem=lambda problem: report(str(problem))))
        provisions = [ProvisionText.of(one.payload) for one in statute_documents(corpus)]
        public = _questions(data, provisions, examined)
        written = [q for q in written_questions(provisions) if not examined.covers(q.text)]
        questions = public + written
        report(f"{len(provisions)} wordings, {len(public)} + {len(written)} questions")
        relevant = frozenset[str]().union(*(question.relevant for question in public))
        works = {one.work for one in provisions if fingerprint(one.text) in relevant}
        rules = rules_of(corpus, works)
        update_index(corpus, home / "index")
    snapshot = open_index(home / "index").snapshot()
    facts = read_metadata(index_files(home / "index"), snapshot)
    read = _reader(facts)
    queries = [read(question.text) for question in questions]
    passages = Passages(provisions)
    pairs = all_pairs(passages, data, shipped_lay_words(), examined, seed=seed)
    counted = pair_data(passages, pairs, (query.encoded for query, _ in queries))
    report(f"{len(passages.all)} passages, {len(pairs)} pairs, {len(counted.vocabulary)} terms")
    start = learn_pairs(counted, seed=seed, report=report)
    return _prepared(snapshot, facts, questions, queries, read, rules, passages, counted, start)


def _reader(facts: ProvisionMetadata) -> Callable[[str], ReadQuestion]:
    analyse, lay_words = RuleAnalyser(titles=facts.works), shipped_lay_words()

    def read(text: str) -> ReadQuestion:
        analysis = analyse(text)
        works = (*analysis.works, *analysis.implied_works)
        return search_query(analysis, lay_words), works

    return read


def _questions(
    data: Path, provisions: Sequence[ProvisionText], examined: ExaminedTexts
) -> list[KnownQuestion]:
    """Those whose answers are held in a wording of the day, and that no evaluation asks."""
    held = [
        Wording(one.work, one.number.chinese, one.text)
        for one in provisions
        if one.window and one.window.overlaps(DateRange.day(DAY))
    ]
    read = read_questions(data / "questions", GoldIndex(held))
    return [question for question in read if not examined.covers(question.text)]


def _prepared(
    snapshot: Snapshot,
    facts: ProvisionMetadata,
    questions: Sequence[KnownQuestion],
    queries: Sequence[ReadQuestion],
    read: Callable[[str], ReadQuestion],
    rules: Rules,
    passages: Passages,
    pairs: PairData,
    start: TermVectors,
) -> Data:
    of_rows = [ProvisionText.of(one) for one in snapshot.payloads(range(snapshot.rows))]
    passage_of_row = np.asarray([passages.place_of(one) for one in of_rows], dtype=np.int64)
    with_wording: dict[str, list[int]] = {}
    for one, at in zip(of_rows, passage_of_row.tolist(), strict=True):
        if at >= 0 and at not in (found := with_wording.setdefault(fingerprint(one.text), [])):
            found.append(at)
    asked = QuestionData(
        pairs.vocabulary.bags(terms_of(query.encoded) for query, _ in queries),
        tuple(_answers(question, rules, with_wording) for question in questions),
        tuple(
            _others(question, query, snapshot, facts, passage_of_row)
            for question, (query, _) in zip(questions, queries, strict=True)
        ),
    )
    return Data(
        snapshot,
        facts,
        of_rows,
        questions,
        queries,
        read,
        rules,
        pairs,
        start,
        passage_of_row,
        asked,
        _days_of_rows(of_rows),
    )


def examples_of(data: Data, *, seed: int = 0) -> list[Example]:
    """All questions as of the day of their answers, some also as of other days and as bare terms.

    A question answered by an article is answered by its predecessor in its time (`rules_of`). Bare
    terms are what is left of a question in English once its terms are translated.
    """
    draw, english = random.Random(seed), _terms(shipped_english())
    found: list[Example] = []
    for place, question in enumerate(data.questions):
        query, works = data.queries[place]
        if question.collection == "written":
            if place % _WRITTEN_EVERY == 0 and (days := _days_of(data, question)):
                day = DateRange.day(draw.choice(days))
                found.append(Example(place, query, works, day, question.relevant, _WRITTEN_WEIGHT))
            continue
        found.append(Example(place, query, works, DateRange.day(DAY), question.relevant))
        wordings = data.rules.wordings(question.relevant)
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
    """The days among those asked about on which something that answers it was in force."""
    rows = data.facts.rows["wording"]
    right = np.isin(rows, np.asarray([int(one, 16) for one in question.relevant], dtype=np.uint64))
    days = (DAY, *_OTHER_DAYS)
    return [day for day in days if (data.in_force((DateRange.day(day),)) & right).any()]


def other_examples(data: Data, *, seed: int = 5) -> list[Example]:
    """Sentences of statutes, answered by the provision they are from; questions without answer."""
    draw, day = random.Random(seed), DateRange.day(DAY)
    in_force = [
        data.provisions_of_rows[row]
        for row in np.flatnonzero((data.passage_of_row >= 0) & data.in_force((day,))).tolist()
    ]
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
    """The lines of a file of questions, less comments."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def out_of_fold(
    data: Data, split: Split, *, seed: int, report: Report
) -> Iterator[tuple[int, Featured]]:
    """All examples with their features, and their folds; nothing of its own fold is in any."""
    folds = folds_of(data.questions, split)
    examples, others = examples_of(data), other_examples(data)
    for fold in range(FOLDS):
        train = [place for place, of in enumerate(folds) if of != fold]
        learnt = learn_questions(data.start, data.pairs, data.asked, train, seed=seed)
        asked = KnownQuestions.of(records_of(data, train))
        own = [one for one in examples if folds[one.question] == fold] + others[fold::FOLDS]
        report(f"fold {fold + 1} of {FOLDS}: {len(own)} examples")
        dense = _dense(data, learnt)
        for item in featured(own, data.snapshot, data.facts, asked, dense):
            yield fold, item


def records_of(data: Data, train: Sequence[int]) -> list[QuestionWords]:
    """What some of the questions asked."""
    queries = [query for query, _ in data.queries]
    return asked_records(data.questions, queries, data.facts, data.rules, train)


def _encoder(data: Data, learnt: TermVectors) -> Callable[[str], Matrix]:
    def encode(text: str) -> Matrix:
        return learnt.queries(data.pairs.vocabulary.bags([terms_of(text)]))[0]

    return encode


def _dense(data: Data, learnt: TermVectors) -> TrainedDense:
    passages = passage_vectors(learnt, data.pairs.passages)
    vectors = np.zeros((data.snapshot.rows, passages.shape[1]), dtype=np.float32)
    held = data.passage_of_row >= 0
    vectors[held] = passages[data.passage_of_row[held]]
    return TrainedDense(vectors, _encoder(data, learnt), data.in_force)


def _answers(
    question: KnownQuestion, rules: Rules, places: Mapping[str, Sequence[int]]
) -> tuple[tuple[int, ...], ...]:
    """The passages that count as each provision, and those of the same rule at other times."""
    found: list[tuple[int, ...]] = []
    for gold in question.gold:
        for wordings in (gold, rules.wordings(gold) - gold):
            of_rule = tuple(sorted({at for one in wordings for at in places.get(one, ())}))
            if of_rule and (wordings == gold or len(of_rule) < _MOST_WORDINGS):
                found.append(of_rule)
    return tuple(found)


def _others(
    question: KnownQuestion,
    query: SearchQuery,
    snapshot: Snapshot,
    facts: ProvisionMetadata,
    passage_of_row: NDArray[np.int64],
) -> tuple[int, ...]:
    """Passages that share words with a question and do not answer it."""
    if not query.words:
        return ()
    day = DateRange.day(DAY)
    found = snapshot.search("words", query.words, during=(day,), k=_OTHERS_DEPTH)
    places = [
        int(passage_of_row[one.row])
        for one in found
        if f"{facts.rows['wording'][one.row]:010x}" not in question.relevant
    ]
    return tuple(place for place in places if place >= 0)[:_OTHERS]


def _days_of_rows(
    provisions: Sequence[ProvisionText],
) -> Callable[[Sequence[DateRange]], NDArray[np.bool_]]:
    """Tells which rows are in force during some days; the answers are remembered."""
    known: dict[tuple[DateRange, ...], NDArray[np.bool_]] = {}

    def in_force(during: Sequence[DateRange]) -> NDArray[np.bool_]:
        days = tuple(during)
        if days not in known:
            known[days] = np.asarray(
                [
                    one.window is not None and any(one.window.overlaps(day) for day in days)
                    for one in provisions
                ]
            )
        return known[days]

    return in_force


def _terms(glossary: EnglishGlossary) -> list[str]:
    return sorted({term for term in glossary.chinese if len(term) > 1})


def _longest(terms: Sequence[str]) -> list[str]:
    """Those that are no part of another."""
    return [one for one in terms if not any(one != other and one in other for other in terms)]
