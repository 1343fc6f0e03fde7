"""The encoder that ships: a vector for each word and pair of characters, added up.

A text is the sum of the vectors of its terms, each weighted by the root of its count and by a gain
that differs for questions and for passages (我 counts little in a question); scaled to length one.
Vectors and gains are learnt by `recipes/finding.sh` (`inforce.train.finding.contrastive`): from the
statutes themselves, from judgments, and from questions with the articles that answer them. Encoding
needs numpy only, and less than a millisecond a question.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from inforce.errors import SearchIndexError
from inforce.retrieval.encoders import DEFAULT
from inforce.retrieval.tokens import bigrams, tokenize
from inforce.store import Matrix, Role

_SHIPPED = "encoder.npz"

_BIGRAM = "#"
"""Before a pair of characters, which may also be a word."""


def terms_of(text: str) -> list[str]:
    """The terms of a text that may have a vector: words, and pairs of characters after ``#``."""
    return [*tokenize(text), *(_BIGRAM + pair for pair in bigrams(text))]


@dataclass(frozen=True, slots=True)
class Weights:
    """What the encoder has learnt: one row a term."""

    terms: tuple[str, ...]
    vectors: NDArray[np.int8]
    """``(len(terms), dimension)``; to be multiplied by `scale`."""
    scale: NDArray[np.float32]
    """``(len(terms),)``: what one step of a row's integers is worth."""
    query_gain: NDArray[np.float32]
    passage_gain: NDArray[np.float32]

    def write(self, path: Path) -> None:
        """Write one file, the same bytes for the same weights."""
        with path.open("wb") as file:
            np.savez(
                file,
                terms=np.frombuffer("\n".join(self.terms).encode(), dtype=np.uint8),
                vectors=self.vectors,
                scale=self.scale,
                query_gain=self.query_gain,
                passage_gain=self.passage_gain,
            )

    @classmethod
    def read(cls, file: Path | BinaryIO) -> Weights:
        """Read what `write` wrote.

        Raises:
            SearchIndexError: if it is damaged.
        """
        try:
            with np.load(file, allow_pickle=False) as arrays:
                return cls(
                    tuple(arrays["terms"].tobytes().decode().split("\n")),
                    arrays["vectors"],
                    arrays["scale"],
                    arrays["query_gain"],
                    arrays["passage_gain"],
                )
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise SearchIndexError(f"the weights of the encoder are damaged: {error}") from error

    @property
    def digest(self) -> str:
        """Changes whenever a weight does."""
        digest = hashlib.sha256("\n".join(self.terms).encode())
        for array in (self.vectors, self.scale, self.query_gain, self.passage_gain):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]


class StaticEncoder:
    """Adds up the vectors of the terms of a text."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._name = f"{DEFAULT}:{weights.digest}"
        self._rows = {term: row for row, term in enumerate(weights.terms)}
        self._gains: dict[Role, NDArray[np.float32]] = {
            "query": weights.query_gain * weights.scale,
            "passage": weights.passage_gain * weights.scale,
        }

    @property
    def name(self) -> str:
        """Changes whenever the vectors would."""
        return self._name

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return int(self._weights.vectors.shape[1])

    def encode(self, texts: Sequence[str], *, role: Role) -> Matrix:
        """Vectors of the texts; a text without a known term is the zero vector."""
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            out[row] = self.encode_terms(Counter(terms_of(text)), role=role)
        return out

    def encode_terms(self, counts: Counter[str], *, role: Role) -> Matrix:
        """The vector of a text whose terms are counted."""
        known = [
            (row, n) for term, n in counts.items() if (row := self._rows.get(term)) is not None
        ]
        if not known:
            return np.zeros(self.dimension, dtype=np.float32)
        rows, frequency = (np.asarray(column) for column in zip(*known, strict=True))
        weights = np.sqrt(frequency, dtype=np.float32) * self._gains[role][rows]
        vector = weights @ self._weights.vectors[rows].astype(np.float32)
        length = float(np.linalg.norm(vector))
        return vector / np.float32(length) if length else vector


@cache
def shipped_encoder() -> StaticEncoder:
    """The encoder of this release.

    Raises:
        SearchIndexError: if its file is missing or damaged.
    """
    with resources.as_file(resources.files("inforce.retrieval.data") / _SHIPPED) as path:
        return StaticEncoder(Weights.read(path))


def quantized(terms: Iterable[str], vectors: Matrix, query: Matrix, passage: Matrix) -> Weights:
    """Weights with each row rounded to integers of one byte."""
    largest = np.abs(vectors).max(axis=1)
    scale = np.where(largest > 0, largest / 127, 1).astype(np.float32)
    rounded = np.rint(vectors / scale[:, None]).astype(np.int8)
    return Weights(
        tuple(terms), rounded, scale, query.astype(np.float32), passage.astype(np.float32)
    )
