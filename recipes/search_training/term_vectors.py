"""Term vectors: texts as bags of terms, where vectors start, and how they are learnt by contrast.

A question is to be nearer to its provision than to others. The loss is InfoNCE (van den Oord et al.
2018) in both directions over the pairs of a batch, with further passages as negatives; gradients
are written out, so that numpy and scipy suffice, and the optimizer is Adam over the rows that occur
in a batch (Kingma & Ba 2015). One thread and fixed orders of addition: the same seed gives the same
bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from inforce.store import Matrix

Bags = Any
"""A scipy CSR matrix, float32: texts by terms, values are square roots of counts."""

_RARE, _ASKED = 3, 5
"""Fewest texts with a term, and fewest questions with a term that belongs to questions."""

_SPARE_DIRECTIONS = 16
_PASSES = 3

_SMALL = 1e-6
_NEVER = -1e4
"""Similarity of a passage that must not count as a negative."""


class Vocabulary:
    """The terms that get a vector: those of several questions, then the most common ones of texts.

    Everyday words (打官司, 坐牢, 咋办) are rare in law: by the counts of all texts half of the
    words of questions would have no vector.
    """

    def __init__(
        self, texts: Iterable[Sequence[str]], questions: Iterable[Sequence[str]], *, size: int
    ) -> None:
        counts: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        self.texts = 0
        for terms in texts:
            counts.update(set(terms))
            self.texts += 1
        for terms in questions:
            asked.update(set(terms))
            self.texts += 1
        counts.update(asked)
        common = sorted(
            ((n, term) for term, n in counts.items() if n >= _RARE),
            key=lambda one: (asked[one[1]] < _ASKED, -one[0], one[1]),
        )[:size]
        self.terms = tuple(term for _, term in common)
        self.rows = {term: row for row, term in enumerate(self.terms)}
        frequency = np.asarray([n for n, _ in common], dtype=np.float32)
        self.inverse_frequency = np.log(self.texts / frequency).astype(np.float32)

    def __len__(self) -> int:
        return len(self.terms)

    def bags(self, texts: Iterable[Sequence[str]]) -> Bags:
        """Return texts, each a list of terms, as a matrix."""
        starts, columns, values = [0], list[int](), list[int]()
        for terms in texts:
            counts = Counter(self.rows[term] for term in terms if term in self.rows)
            for column in sorted(counts):
                columns.append(column)
                values.append(counts[column])
            starts.append(len(columns))
        return sparse.csr_matrix(
            (
                np.sqrt(np.asarray(values, dtype=np.float32)),
                np.asarray(columns, dtype=np.int32),
                np.asarray(starts, dtype=np.int64),
            ),
            shape=(len(starts) - 1, len(self)),
        )


def main_directions(
    bags: Bags, inverse_frequency: NDArray[np.float32], *, dimension: int, seed: int
) -> Matrix:
    """Return a unit vector for each term by latent semantic analysis.

    This is a randomized singular value decomposition (Halko et al. 2011) of the texts, weighted by
    inverse frequency and scaled to length one.
    """
    weighted: Any = bags.multiply(inverse_frequency[None, :]).tocsr().astype(np.float32)
    lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    scaled: Any = cast(Any, sparse).diags(1 / np.where(lengths > 0, lengths, 1)).dot(weighted)
    scaled = scaled.tocsr().astype(np.float32)
    random = np.random.default_rng(seed)
    size = dimension + _SPARE_DIRECTIONS
    sketch: Any = scaled @ random.standard_normal((scaled.shape[1], size)).astype(np.float32)
    for _ in range(_PASSES):
        basis, _ = np.linalg.qr(sketch)
        across, _ = np.linalg.qr(scaled.T @ basis)
        sketch = scaled @ across
    basis, _ = np.linalg.qr(sketch)
    _, _, directions = np.linalg.svd((scaled.T @ basis).T, full_matrices=False)
    vectors = np.ascontiguousarray(directions[:dimension].T, dtype=np.float32)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(norms > 0, norms, 1)).astype(np.float32)


def thinned(bags: Bags, share: float, random: np.random.Generator) -> Bags:
    """Drop a random share of the terms of texts."""
    found = bags.copy()
    found.data = found.data * (random.random(len(found.data)) >= share)
    return found


# Learning


@dataclass
class TermVectors:
    """A vector and two gains (as logarithms) for each term."""

    vectors: Matrix
    query_gain: NDArray[np.float32]
    passage_gain: NDArray[np.float32]

    def copy(self) -> TermVectors:
        """Return a copy."""
        return TermVectors(self.vectors.copy(), self.query_gain.copy(), self.passage_gain.copy())

    def queries(self, bags: Bags) -> Matrix:
        """Encode questions as unit vectors."""
        return _unit(_gained(bags, self.query_gain) @ self.vectors)[0]

    def passages(self, bags: Bags) -> Matrix:
        """Encode passages as unit vectors."""
        return _unit(_gained(bags, self.passage_gain) @ self.vectors)[0]


@dataclass(frozen=True)
class Batch:
    """Questions and passages; passage i answers question i, further passages answer none."""

    queries: Bags
    passages: Bags
    not_negative: NDArray[np.bool_]
    """``(questions, passages)``: pairs that must not be pushed apart; the diagonal is False."""


class Learner:
    """Adam over the rows that occur in a batch."""

    def __init__(self, start: TermVectors, *, rate: float, temperature: float = 0.05) -> None:
        self.learnt = start
        self._rate = rate
        self._temperature = temperature
        self._moments = [
            _Moments(array.shape) for array in (start.vectors, start.query_gain, start.passage_gain)
        ]

    def step(self, batch: Batch, pace: float, *, gain_pace: float = 1.0) -> float:
        """Learn from a batch at a share of the learning rate; returns the loss."""
        loss, rows, *gradients = _gradients(self.learnt, batch, self._temperature)
        learnt = self.learnt
        arrays = (learnt.vectors, learnt.query_gain, learnt.passage_gain)
        paces = (pace, pace * gain_pace, pace * gain_pace)
        for array, gradient, moments, one in zip(
            arrays, gradients, self._moments, paces, strict=True
        ):
            array[rows] -= self._rate * one * moments.direction(rows, gradient)
        return loss


class _Moments:
    def __init__(self, shape: tuple[int, ...], first: float = 0.9, second: float = 0.99) -> None:
        self._mean = np.zeros(shape, dtype=np.float32)
        self._square = np.zeros(shape, dtype=np.float32)
        self._first, self._second, self._steps = first, second, 0

    def direction(self, rows: NDArray[np.int64], gradient: Matrix) -> Matrix:
        self._steps += 1
        mean = self._first * self._mean[rows] + (1 - self._first) * gradient
        square = self._second * self._square[rows] + (1 - self._second) * gradient**2
        self._mean[rows], self._square[rows] = mean, square
        unbiased = mean / (1 - self._first**self._steps)
        scale = np.sqrt(square / (1 - self._second**self._steps)) + 1e-8
        return (unbiased / scale).astype(np.float32)


def _gradients(
    learnt: TermVectors, batch: Batch, temperature: float
) -> tuple[float, NDArray[np.int64], Matrix, Matrix, Matrix]:
    """Return the loss, the rows that occur, and the gradients of their vectors and gains."""
    query_terms = _gained(batch.queries, learnt.query_gain)
    passage_terms = _gained(batch.passages, learnt.passage_gain)
    queries, query_lengths = _unit(query_terms @ learnt.vectors)
    passages, passage_lengths = _unit(passage_terms @ learnt.vectors)
    loss, slope = _contrast(queries @ passages.T / temperature, batch.not_negative)
    slope /= temperature
    by_query = _through_length(slope @ passages, queries, query_lengths)
    by_passage = _through_length(slope.T @ queries, passages, passage_lengths)
    rows = np.union1d(query_terms.indices, passage_terms.indices).astype(np.int64)
    for_queries = query_terms.T.tocsr()[rows] @ by_query
    for_passages = passage_terms.T.tocsr()[rows] @ by_passage
    vectors = learnt.vectors[rows]
    return (
        loss,
        rows,
        (for_queries + for_passages).astype(np.float32),
        (for_queries * vectors).sum(axis=1),
        (for_passages * vectors).sum(axis=1),
    )


def _contrast(similarity: Matrix, not_negative: NDArray[np.bool_]) -> tuple[float, Matrix]:
    """Compute InfoNCE from questions to passages and, at half the weight, back."""
    similarity[not_negative] = _NEVER
    count = len(similarity)
    own = np.arange(count)
    forth = _softmax(similarity)
    loss = float(-np.log(forth[own, own] + 1e-9).mean())
    back = _softmax(similarity[:, :count].T)
    forth[own, own] -= 1
    back[own, own] -= 1
    slope = forth / count
    slope[:, :count] += 0.5 * back.T / count
    return loss, slope.astype(np.float32)


def _softmax(similarity: Matrix) -> Matrix:
    weights = np.exp(similarity - similarity.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _gained(bags: Bags, gain: NDArray[np.float32]) -> Bags:
    found = bags.copy()
    found.data = found.data * np.exp(gain)[found.indices]
    return found


def _unit(sums: Matrix) -> tuple[Matrix, Matrix]:
    lengths = np.linalg.norm(sums, axis=1, keepdims=True) + _SMALL
    return sums / lengths, lengths


def _through_length(gradient: Matrix, unit: Matrix, lengths: Matrix) -> Matrix:
    """Return the gradient before vectors were scaled to length one."""
    return (gradient - unit * (gradient * unit).sum(axis=1, keepdims=True)) / lengths
