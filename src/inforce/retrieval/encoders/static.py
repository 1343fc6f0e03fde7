"""The shipped encoder: a vector for each word and pair of characters, added up.

A text is the sum of the vectors of its terms, each weighted by the root of its count and by a gain
that differs for questions and for passages (我 counts little in a question); scaled to length one.
Vectors and gains are learnt by `recipes/finding.sh`: from the statutes themselves, from judgments,
and from questions with the articles that answer them. Encoding needs numpy only, and less than a
millisecond a question.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain, repeat
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
    """Return the terms of a text that may have a vector: words, and pairs of characters."""
    return [*tokenize(text), *(_BIGRAM + pair for pair in bigrams(text))]


@dataclass(frozen=True, slots=True)
class Weights:
    """The learnt weights of the encoder: one row a term."""

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

    analysers = (tokenize, bigrams)
    """The analysers that cut a text into its terms (`inforce.store.TermEncoder`)."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._name = f"{DEFAULT}:{weights.digest}"
        rows = {term: row for row, term in enumerate(weights.terms)}
        self._pairs = {term[1:]: row for term, row in rows.items() if _is_pair(term)}
        self._words = {term: row for term, row in rows.items() if not _is_pair(term)}
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
            self._encode(Counter(tokenize(text)), Counter(bigrams(text)), role, out[row])
        return out

    def encode_terms(self, terms: Sequence[Sequence[str]], *, role: Role) -> Matrix:
        """As `encode`, of texts whose words and pairs are known, with spaces between."""
        words, pairs = terms
        out = np.zeros((len(words), self.dimension), dtype=np.float32)
        for row, (own_words, own_pairs) in enumerate(zip(words, pairs, strict=True)):
            self._encode(
                Counter(own_words.split(" ")), Counter(own_pairs.split(" ")), role, out[row]
            )
        return out

    def _encode(self, words: Counter[str], pairs: Counter[str], role: Role, out: Matrix) -> None:
        """Write the vector of a text into ``out``, which is zero, by the counts of its terms."""
        number = len(words) + len(pairs)
        found = chain(
            map(self._words.get, words, repeat(-1)), map(self._pairs.get, pairs, repeat(-1))
        )
        rows = np.fromiter(found, dtype=np.int64, count=number)
        counts = np.fromiter(chain(words.values(), pairs.values()), dtype=np.int64, count=number)
        known = rows >= 0
        rows = rows[known]
        if not len(rows):
            return
        weights = np.sqrt(counts[known], dtype=np.float32) * self._gains[role][rows]
        vector = weights @ self._weights.vectors.take(rows, axis=0).astype(np.float32)
        length = float(np.linalg.norm(vector))
        out[:] = vector / np.float32(length) if length else vector


def _is_pair(term: str) -> bool:
    return len(term) == 3 and term.startswith(_BIGRAM) and not term[1:].isascii()


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
