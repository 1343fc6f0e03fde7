"""Training of the weights of `inforce.retrieval.ranker` on questions whose answers are known.

The features that are themselves trained on questions (what was asked, the encoder) are computed,
for each question, from the other folds only: else they would look better than they are for a new
question. The sums are learned by a listwise logistic loss (a softmax over the candidates of a
question; Cao et al. 2007), the chances by a logistic regression over the candidates read.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from inforce.dates import DateRange
from inforce.retrieval.candidates import CandidateSearch, DenseChannel
from inforce.retrieval.features import FEATURES, OF_CHANNELS
from inforce.retrieval.known_questions import KnownQuestions, Level, QuestionWords
from inforce.retrieval.metadata import ProvisionMetadata
from inforce.retrieval.query import SearchQuery
from inforce.retrieval.ranker import (
    OF_CHANCE,
    OF_QUESTION,
    SHORTLIST,
    Ranker,
    chance_features,
    question_features,
)
from inforce.store import Matrix, Scored, Snapshot
from search_training.questions import KnownQuestion
from search_training.rules import Rules

Split = Literal["blocks", "random"]
"""``blocks``: neighbouring questions, often on the same matter, are in one fold. Questions that
were written for one rule are spread over all folds, since a user's question is rarely the first
about a rule."""

FOLDS = 5

_NEGATIVES = 110
"""Number of wrong candidates of each question in the first round of training."""
_DECAY = 3e-3
_CHANCE_DECAY = 1e-5
_QUESTION_DECAY = 1e-2
_SET_QUESTION = {"foreign": -12.0}
_SET = {"caption": 2.5, "heading": 1.0, "place": 1.0}
"""Weights set by hand: hardly a question names a crime as courts do, a chapter, or a place whose
regulations it is about."""


_Loss = Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]]
"""Returns a value and its gradient."""


@dataclass(frozen=True)
class Example:
    """A question on a day, and the fingerprints of the wordings that answer it."""

    question: int
    """Index of the question; -1 for examples that are no question of the list."""
    query: SearchQuery
    works: tuple[str, ...]
    day: DateRange
    relevant: frozenset[str]
    weight: float = 1.0


@dataclass(frozen=True)
class Featured:
    """An example with its candidates and their features."""

    example: Example
    rows: NDArray[np.int64]
    features: Matrix
    """``(n, len(FEATURES))``."""
    is_right: NDArray[np.bool_]
    familiar: tuple[float, float] = (0.0, 0.0)
    """`Candidates.familiar`."""


class Ranking(NamedTuple):
    """The candidates of an example as a search would rank them."""

    places: NDArray[np.int64]
    """Indices of the candidates, the best first."""
    chances: Matrix
    """Of the candidates whose texts were read."""
    answerable: float


def folds_of(questions: Sequence[KnownQuestion], split: Split, *, seed: int = 0) -> list[int]:
    """Assign a fold to each question."""
    found = [0] * len(questions)
    by_collection: dict[str, list[int]] = defaultdict(list)
    for place, question in enumerate(questions):
        by_collection[question.collection].append(place)
    for places in by_collection.values():
        places.sort(key=lambda place: questions[place].number)
        if split == "random":
            np.random.default_rng(seed).shuffle(places)
        for at, place in enumerate(places):
            is_written = questions[place].collection == "written"
            found[place] = at % FOLDS if is_written else at * FOLDS // len(places)
    return found


def asked_records(
    questions: Iterable[KnownQuestion],
    queries: Sequence[SearchQuery],
    facts: ProvisionMetadata,
    rules: Rules,
    train: Sequence[int],
) -> list[QuestionWords]:
    """Count the words of some questions by article (all its wordings), chapter and law."""
    known = list(questions)
    place = _places(facts)
    words: dict[tuple[Level, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    counts: Counter[tuple[Level, tuple[str, ...]]] = Counter()
    for one in train:
        asked = dict.fromkeys(queries[one].question_words, 1)
        for gold in known[one].gold:
            groups = {group for wording in gold for group in place.get(wording, ())}
            keys: list[tuple[Level, tuple[str, ...]]] = [
                ("article", tuple(sorted(rules.wordings(gold))))
            ]
            keys.extend(("chapter", (name,)) for name in sorted({chapter for chapter, _ in groups}))
            keys.extend(("law", (name,)) for name in sorted({law for _, law in groups}))
            for key in keys:
                words[key].update(asked)
                counts[key] += 1
    return [
        QuestionWords(level, names, counts[level, names], words[level, names])
        for level, names in words
    ]


def _places(facts: ProvisionMetadata) -> Mapping[str, set[tuple[str, str]]]:
    """Return the chapter and law groups of each wording."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in facts.rows:
        name = f"{int(row['wording']):010x}"
        found[name].add((facts.chapters[int(row["chapter"])], facts.groups[int(row["work"])]))
    return found


class TrainedDense:
    """A dense channel with the vectors of an encoder in training, not those of the index."""

    def __init__(
        self,
        vectors: Matrix,
        encode: Callable[[str], Matrix],
        in_force: Callable[[tuple[DateRange, ...]], NDArray[np.bool_]],
    ) -> None:
        self._vectors = vectors
        self.encode = encode
        self._in_force = in_force

    def nearest(self, vector: Matrix, *, during: Sequence[DateRange], k: int) -> list[Scored]:
        """Find the best k rows."""
        scores = np.where(self._in_force(tuple(during)), self._vectors @ vector, -1)
        best = np.argpartition(-scores, k)[:k]
        best = best[np.lexsort((best, -scores[best]))]
        return [Scored(int(row), float(scores[row])) for row in best if scores[row] > 0]

    def scores(self, vector: Matrix, rows: Sequence[int]) -> Matrix:
        """Return the cosines of some rows."""
        return self._vectors[np.asarray(rows, dtype=np.int64)] @ vector


def featured(
    examples: Iterable[Example],
    snapshot: Snapshot,
    facts: ProvisionMetadata,
    asked: KnownQuestions,
    dense: DenseChannel,
) -> Iterator[Featured]:
    """Yield each example with its candidates and all their features."""
    search = CandidateSearch(snapshot, facts, asked, dense)
    for example in examples:
        found = search.candidates(example.query, during=(example.day,), works=example.works)
        if not len(found):
            continue
        wordings = facts.rows["wording"][found.rows]
        right = np.asarray([int(one, 16) for one in example.relevant], dtype=np.uint64)
        features = search.with_texts(found, np.arange(len(found)))
        is_right = np.isin(wordings, right)
        yield Featured(example, found.rows, features, is_right, found.familiar)


# Training


def learned_ranker(items: Sequence[Featured], *, seed: int = 0) -> Ranker:
    """Train all weights; examples without an answer only train the chances."""
    random = np.random.default_rng(seed)
    answered = [one for one in items if one.is_right.any() and one.example.weight > 0]
    channels = len(OF_CHANNELS)
    first = _listwise([_thinned(one, random) for one in answered], channels)
    weights = {"channels": dict(zip(OF_CHANNELS, first, strict=True)) | _SET}
    short = [_shortlisted(one, Ranker(weights)) for one in items]
    final = _listwise(
        [one for one in short if one.is_right.any() and one.example.weight > 0], len(FEATURES)
    )
    weights["all"] = dict(zip(FEATURES, final, strict=True)) | _SET
    ranker = Ranker(weights)
    questions = [one for one in short if one.example.weight == 1.0]
    answered = [one for one in short if one.example.relevant]
    weights["chance"] = dict(zip(OF_CHANCE, _chance_weights(answered, ranker), strict=True))
    of_questions = dict(zip(OF_QUESTION, _question_weights(questions, ranker), strict=True))
    weights["question"] = of_questions | _SET_QUESTION
    return Ranker(weights)


def ranking(one: Featured, ranker: Ranker) -> Ranking:
    """Rank the candidates of an example as a search would."""
    order = _order(one, ranker)
    best = order[:SHORTLIST]
    features = one.features[best]
    again = np.lexsort((one.rows[best], -ranker.sums(features)))
    answerable = ranker.answerable(one.example.query, features, one.familiar)
    chances = answerable * ranker.chances(features)[again]
    return Ranking(np.concatenate([best[again], order[SHORTLIST:]]), chances, answerable)


def _order(one: Featured, ranker: Ranker) -> NDArray[np.int64]:
    return ranker.shortlist(one.rows, one.features[:, : len(OF_CHANNELS)])


def _shortlisted(one: Featured, ranker: Ranker) -> Featured:
    best = _order(one, ranker)[:SHORTLIST]
    return replace(
        one, rows=one.rows[best], features=one.features[best], is_right=one.is_right[best]
    )


def _thinned(one: Featured, random: np.random.Generator) -> Featured:
    wrong = np.flatnonzero(~one.is_right)
    some = random.choice(wrong, min(_NEGATIVES, len(wrong)), replace=False)
    best = np.sort(np.concatenate([np.flatnonzero(one.is_right), some]))
    return replace(
        one, rows=one.rows[best], features=one.features[best], is_right=one.is_right[best]
    )


def _listwise(items: Sequence[Featured], columns: int) -> list[float]:
    """Fit weights of the first columns by a softmax over the candidates of each question."""
    table = np.concatenate([one.features[:, :columns] for one in items]).astype(np.float32)
    deviation = table.std(axis=0)
    usable = deviation > 1e-6
    scale = np.where(usable, deviation, 1.0)
    table = (table - table.mean(axis=0)) / scale * usable
    right = np.concatenate([one.is_right for one in items]).astype(np.float32)
    lengths = np.asarray([len(one.rows) for one in items])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    of = np.repeat(np.arange(len(items)), lengths)
    weights = np.asarray([one.example.weight for one in items], dtype=np.float32)
    target = right / np.add.reduceat(right, starts)[of] * weights[of]
    total = float(weights.sum())

    def loss(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        sums = table @ at.astype(np.float32)
        sums -= np.maximum.reduceat(sums, starts)[of]
        shares = np.exp(sums)
        norms = np.add.reduceat(shares, starts)
        value = -float((target * (sums - np.log(norms)[of])).sum()) / total
        slope = table.T @ (shares / norms[of] * weights[of] - target) / total
        return value + _DECAY * float(at @ at) / 2, slope.astype(float) + _DECAY * at

    found = _least(loss, columns, steps=80)
    return (found / scale * usable).tolist()


def _chance_weights(items: Sequence[Featured], ranker: Ranker) -> list[float]:
    """Fit the weights of `OF_CHANCE` on questions that have an answer."""
    tables = [chance_features(one.features, ranker.sums(one.features)) for one in items]
    right = np.concatenate([one.is_right for one in items])
    return _logistic(np.concatenate(tables), right, np.ones(len(right)), decay=_CHANCE_DECAY)


def _question_weights(items: Sequence[Featured], ranker: Ranker) -> list[float]:
    """Fit the weights of `OF_QUESTION`; questions with an answer weigh twice as much in all."""
    rows = [
        question_features(one.example.query, one.features, ranker.sums(one.features), one.familiar)
        for one in items
    ]
    has_answer = np.asarray([bool(one.example.relevant) for one in items])
    share = float(has_answer.mean())
    weights = np.where(has_answer, 2 / share, 1 / max(1 - share, 1e-6))
    return _logistic(np.stack(rows), has_answer, weights, decay=_QUESTION_DECAY)


def _logistic(
    table: Matrix, right: NDArray[np.bool_], weights: NDArray[np.float64], *, decay: float
) -> list[float]:
    """Fit a logistic regression; the first column is the bias and has no weight decay."""
    scale = np.maximum(table.std(axis=0), 1e-6).astype(np.float64)
    scale[0] = 1.0
    scaled, target = table / scale, right.astype(np.float64)
    penalty = np.concatenate([[0.0], np.ones(len(scale) - 1)]) * decay
    total = float(weights.sum())

    def loss(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits = scaled @ at
        value = float((weights * (np.logaddexp(0, logits) - target * logits)).sum()) / total
        slope = scaled.T @ (weights * (1 / (1 + np.exp(-logits)) - target)) / total
        return value + float(penalty @ at**2) / 2, slope + penalty * at

    return (_least(loss, len(scale), steps=300) / scale).tolist()


def _least(loss: _Loss, size: int, *, steps: int) -> NDArray[np.float64]:
    """Minimise a loss by L-BFGS, beginning at zero."""
    minimize: Any = cast(Any, optimize).minimize
    options = {"maxiter": steps}
    return minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options=options).x
