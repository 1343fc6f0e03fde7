"""Texts as bags of terms: the vocabulary, sparse matrices of counts, and where vectors start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from inforce.store import Matrix

Bags = Any
"""A scipy CSR matrix, float32: a text a row, a term a column, the root of the count."""

_RARE, _ASKED = 3, 5
"""How many texts a term must be in, and how many questions to be a word of questions."""

_SPARE_DIRECTIONS = 16
_PASSES = 3


class Vocabulary:
    """The terms that get a vector: those of several questions, then the most common of texts.

    What people say (打官司, 坐牢, 咋办) is rare in law: by the counts of all texts half of the
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
        """Texts, given as terms, as a matrix."""
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
    """A vector of length one for each term: where it is in the corpus.

    Latent semantic analysis by a randomized singular value decomposition (Halko et al. 2011) of
    the texts, weighted by inverse frequency and scaled to length one.
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
    """The same texts without a share of their terms, drawn anew each time."""
    found = bags.copy()
    found.data = found.data * (random.random(len(found.data)) >= share)
    return found
