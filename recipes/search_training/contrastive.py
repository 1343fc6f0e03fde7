"""Learning term vectors by contrast: a question is nearer to its provision than to others.

InfoNCE (van den Oord et al. 2018) in both directions over the pairs of a batch, with further
passages as negatives; gradients written out, so that numpy and scipy suffice, and Adam with the
moments of the rows that a batch touches (Kingma & Ba 2015). One thread, fixed orders of addition:
the same seed gives the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inforce.store import Matrix
from search_training.bags import Bags

_SMALL = 1e-6
_NEVER = -1e4
"""The similarity of a passage that must not count as a negative."""


@dataclass
class TermVectors:
    """What is learnt: a vector and two gains (their logarithms) a term."""

    vectors: Matrix
    query_gain: NDArray[np.float32]
    passage_gain: NDArray[np.float32]

    def copy(self) -> TermVectors:
        """The same, to be changed."""
        return TermVectors(self.vectors.copy(), self.query_gain.copy(), self.passage_gain.copy())

    def queries(self, bags: Bags) -> Matrix:
        """Unit vectors of questions."""
        return _unit(_gained(bags, self.query_gain) @ self.vectors)[0]

    def passages(self, bags: Bags) -> Matrix:
        """Unit vectors of passages."""
        return _unit(_gained(bags, self.passage_gain) @ self.vectors)[0]


@dataclass(frozen=True)
class Batch:
    """Questions and passages; passage i answers question i, those beyond answer none."""

    queries: Bags
    passages: Bags
    not_negative: NDArray[np.bool_]
    """``(questions, passages)``: pairs that must not be pushed apart, i and i left aside."""


class Learner:
    """Adam over the rows that a batch touches."""

    def __init__(self, start: TermVectors, *, rate: float, temperature: float = 0.05) -> None:
        self.learnt = start
        self._rate = rate
        self._temperature = temperature
        self._moments = [
            _Moments(array.shape) for array in (start.vectors, start.query_gain, start.passage_gain)
        ]

    def step(self, batch: Batch, pace: float, *, gain_pace: float = 1.0) -> float:
        """Learn from a batch at a share of the rate; returns the loss."""
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
    """The loss, the rows concerned, and the gradients of vectors and gains there."""
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
    """InfoNCE from questions to passages and, at half the weight, back."""
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
    """The gradient of what was scaled to length one."""
    return (gradient - unit * (gradient * unit).sum(axis=1, keepdims=True)) / lengths
