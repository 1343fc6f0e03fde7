"""Training the encoder that ships (`inforce.retrieval.encoders.static`), in two stages.

First from pairs made of statutes, judgments and precedents (`pairs`), then from questions with the
provisions that answer them, mixed with pairs of the first stage so that these are not forgotten.
`recipes/finding.sh` runs it: one process, one thread, the same bytes for the same seed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from inforce.retrieval.encoders.static import Weights, quantized, terms_of
from inforce.retrieval.glossary import LayGlossary
from inforce.store import Matrix
from search_training.exclusion import EvaluatedTexts, training_cases
from search_training.pairs import (
    SHARES,
    Pair,
    PairKind,
    Passages,
    fact_pairs,
    glossary_pairs,
    precedent_pairs,
    statute_pairs,
)
from search_training.term_vectors import (
    Bags,
    Batch,
    Learner,
    TermVectors,
    Vocabulary,
    main_directions,
    thinned,
)

DIMENSION = 128
TERMS = 66_000

_STEPS, _BATCH, _RATE, _DROPPED = 600, 1_024, 0.01, 0.3
_FINE_STEPS, _FINE_BATCH, _FINE_RATE, _FINE_DROPPED = 900, 384, 0.01, 0.3
_REPEATED = 0.45
"""Number of pairs of the first stage for each question of the second."""
_GAIN_PACE = 0.5

Report = Callable[[str], None]


@dataclass(frozen=True)
class PairData:
    """The data of the first stage, as bags of terms."""

    vocabulary: Vocabulary
    passages: Bags
    queries: Bags
    passage_of: NDArray[np.int64]
    chapter_of: NDArray[np.int64]
    rows_of: Mapping[PairKind, NDArray[np.int64]]


def all_pairs(
    passages: Passages, data: Path, glossary: LayGlossary, evaluated: EvaluatedTexts, *, seed: int
) -> list[Pair]:
    """Make the pairs of every kind, none of them from a text of an evaluation."""
    return [
        *statute_pairs(passages, seed=seed),
        *fact_pairs(passages, training_cases(data / "ljp" / "cases.jsonl.gz", evaluated)),
        *precedent_pairs(passages, data / "sources" / "precedents.jsonl", evaluated),
        *glossary_pairs(passages, glossary),
    ]


def pair_data(passages: Passages, pairs: Sequence[Pair], questions: Iterable[str]) -> PairData:
    """Count the terms of all texts; questions only contribute to the choice of terms."""
    of_passages = [terms_of(passage.encoded) for passage in passages.all]
    of_pairs = [terms_of(pair.query) for pair in pairs]
    others = [
        terms
        for pair, terms in zip(pairs, of_pairs, strict=True)
        if pair.kind in ("fact", "precedent", "glossary")  # the others are parts of the passages
    ]
    asked = map(terms_of, questions)
    vocabulary = Vocabulary([*of_passages, *others], asked, size=TERMS)
    rows: dict[PairKind, list[int]] = defaultdict(list)
    for row, pair in enumerate(pairs):
        rows[pair.kind].append(row)
    chapters: dict[tuple[str, str], int] = {}
    return PairData(
        vocabulary,
        vocabulary.bags(of_passages),
        vocabulary.bags(of_pairs),
        np.asarray([pair.passage for pair in pairs], dtype=np.int64),
        np.asarray(
            [chapters.setdefault((one.work, one.path), len(chapters)) for one in passages.all],
            dtype=np.int64,
        ),
        {kind: np.asarray(found, dtype=np.int64) for kind, found in rows.items()},
    )


def learn_pairs(data: PairData, *, seed: int, report: Report) -> TermVectors:
    """Run the first stage: from main directions of the corpus, by contrast over the pairs."""
    random = np.random.default_rng(seed)
    inverse = data.vocabulary.inverse_frequency
    gain = np.log(np.maximum(inverse, 0.3)).astype(np.float32)
    vectors = main_directions(data.passages, inverse, dimension=DIMENSION, seed=seed)
    learner = Learner(TermVectors(vectors, gain.copy(), gain.copy()), rate=_RATE)
    losses: list[float] = []
    for step in range(_STEPS):
        drawn = _drawn(data, _BATCH, random)
        passages = data.passage_of[drawn]
        batch = Batch(
            thinned(data.queries[drawn], _DROPPED, random),
            thinned(data.passages[passages], 0.6 * _DROPPED, random),
            _not_negative(data, drawn),
        )
        losses.append(learner.step(batch, _pace(step, _STEPS, 50), gain_pace=_GAIN_PACE))
        if (step + 1) % 100 == 0:
            report(f"pairs: step {step + 1} of {_STEPS}, loss {np.mean(losses[-100:]):.4f}")
    return learner.learnt


@dataclass(frozen=True)
class QuestionData:
    """The data of the second stage, by question."""

    bags: Bags
    answers: tuple[tuple[tuple[int, ...], ...], ...]
    """For each provision that answers the question, the passages with its wordings."""
    others: tuple[tuple[int, ...], ...]
    """Passages that a search finds and that do not answer the question."""


def learn_questions(
    start: TermVectors,
    data: PairData,
    asked: QuestionData,
    train: Sequence[int],
    *,
    seed: int,
    steps: int = _FINE_STEPS,
) -> TermVectors:
    """Run the second stage on some of the questions, without changing ``start``."""
    random = np.random.default_rng(seed)
    known = [(one, answer) for one in train for answer in asked.answers[one]]
    learner = Learner(_with_words_of_questions(start, data, asked, known), rate=_FINE_RATE)
    for step in range(steps):
        drawn = [known[int(at)] for at in random.choice(len(known), _FINE_BATCH)]
        right = [answer[int(random.integers(len(answer)))] for _, answer in drawn]
        wrong = [
            others[int(random.integers(len(others)))]
            for one, _ in drawn
            if (others := asked.others[one])
        ]
        again = _drawn(data, int(_REPEATED * _FINE_BATCH), random)
        passages = np.concatenate([right, data.passage_of[again], wrong]).astype(np.int64)
        queries: Any = cast(Any, sparse).vstack(
            [asked.bags[[one for one, _ in drawn]], data.queries[again]]
        )
        batch = Batch(
            thinned(queries.tocsr(), _FINE_DROPPED, random),
            thinned(data.passages[passages], 0.6 * _FINE_DROPPED, random),
            _answers_too(asked, drawn, passages, questions=len(drawn) + len(again)),
        )
        learner.step(batch, _pace(step, steps, 20))
    return learner.learnt


def _with_words_of_questions(
    start: TermVectors,
    data: PairData,
    asked: QuestionData,
    known: Sequence[tuple[int, tuple[int, ...]]],
) -> TermVectors:
    """Give terms that only questions have the mean of the provisions that answer them.

    The mean of all answers is subtracted, so that 啥, which is in every question, means nothing.
    """
    found = start.copy()
    met = np.asarray(data.passages.sum(axis=0) + data.queries.sum(axis=0)).ravel()
    fresh = np.flatnonzero(met == 0)
    questions = [one for one, _ in known]
    answers = passage_vectors(start, data.passages[[answer[0] for _, answer in known]])
    answers -= answers.mean(axis=0)
    bags: Any = (asked.bags[questions] > 0).astype(np.float32).tocsc()[:, fresh]
    vectors = np.asarray(bags.T @ answers)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found.vectors[fresh] = vectors / np.where(lengths > 0, lengths, 1)
    return found


def weights_of(vocabulary: Vocabulary, learnt: TermVectors) -> Weights:
    """Return the weights to write: terms in alphabetical order, one byte per number."""
    order = sorted(range(len(vocabulary)), key=vocabulary.terms.__getitem__)
    return quantized(
        [vocabulary.terms[row] for row in order],
        learnt.vectors[order],
        np.exp(learnt.query_gain[order]),
        np.exp(learnt.passage_gain[order]),
    )


def _drawn(data: PairData, size: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw rows of pairs, of each kind its share."""
    return np.concatenate(
        [
            random.choice(data.rows_of[kind], int(size * share))
            for kind, share in SHARES.items()
            if kind in data.rows_of
        ]
    )


def _not_negative(data: PairData, drawn: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the same passage as no negative; for a heading, any passage of its chapter."""
    passages = data.passage_of[drawn]
    chapters = data.chapter_of[passages]
    headings = np.isin(drawn, data.rows_of.get("heading", np.zeros(0, dtype=np.int64)))
    same = passages[:, None] == passages[None, :]
    of_chapter = chapters[:, None] == chapters[None, :]
    found = same | (of_chapter & (headings[:, None] | headings[None, :]))
    np.fill_diagonal(found, val=False)
    return found


def _answers_too(
    asked: QuestionData,
    drawn: Sequence[tuple[int, tuple[int, ...]]],
    passages: NDArray[np.int64],
    *,
    questions: int,
) -> NDArray[np.bool_]:
    """Mark passages of a batch that also answer a question of it."""
    found = passages[:questions, None] == passages[None, :]
    for row, (one, _) in enumerate(drawn):
        answers = [place for answer in asked.answers[one] for place in answer]
        found[row] |= np.isin(passages, answers)
    own = np.arange(questions)
    found[own, own] = False
    return found


def _pace(step: int, steps: int, warm: int) -> float:
    return min(1.0, (step + 1) / warm) * (1 - step / steps)


def passage_vectors(learnt: TermVectors, bags: Bags, *, at_a_time: int = 20_000) -> Matrix:
    """Encode many passages as unit vectors."""
    parts = [
        learnt.passages(bags[at : at + at_a_time]) for at in range(0, bags.shape[0], at_a_time)
    ]
    return np.concatenate(parts)
