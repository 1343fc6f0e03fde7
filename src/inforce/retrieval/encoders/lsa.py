"""Latent semantic analysis: the encoder that needs no weights.

TF-IDF over our tokens, reduced by a truncated singular value decomposition fitted on the corpus
itself (Deerwester et al. 1990). Fitting uses scikit-learn; encoding needs numpy only, so a query
costs well under a millisecond and no heavy import.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from inforce.errors import SearchIndexError
from inforce.retrieval.tokens import tokenize
from inforce.store import Matrix, Role

T = TypeVar("T")

DIMENSION = 256
MAX_TERMS = 40_000
FIT_SAMPLE = 30_000
"""Documents the decomposition is fitted on; the rest are projected. More changed no result."""

SMALL = 100
"""Below this many documents a word most of them share may still be all that tells two apart."""


class LsaEncoder:
    """Projects bags of words onto the main directions of meaning of a corpus."""

    def __init__(self, terms: Sequence[str], idf: NDArray[np.float32], components: Matrix) -> None:
        self._columns = {term: column for column, term in enumerate(terms)}
        self._terms = tuple(terms)
        self._idf = idf
        self._components = components
        self.name = f"lsa:{_digest(self._terms, idf, components)}"

    @property
    def dimension(self) -> int:
        """Length of each vector: at most 256, fewer for a small corpus."""
        return int(self._components.shape[1])

    def encode(self, texts: Sequence[str], *, role: Role = "query") -> Matrix:
        """Vectors of the texts; a text without a known term is the zero vector."""
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            out[row] = self._project(tokenize(text))
        return out

    def _project(self, tokens: Sequence[str]) -> Matrix:
        counts = Counter(
            column for token in tokens if (column := self._columns.get(token)) is not None
        )
        if not counts:
            return np.zeros(self.dimension, dtype=np.float32)
        columns = np.fromiter(counts.keys(), dtype=np.int64, count=len(counts))
        frequency = np.fromiter(counts.values(), dtype=np.float32, count=len(counts))
        weights = (1.0 + np.log(frequency)) * self._idf[columns]
        vector = weights.astype(np.float32) @ self._components[columns]
        length = float(np.linalg.norm(vector))
        return vector / np.float32(length) if length else vector

    def save(self, folder: Path) -> None:
        """Write the model as two plain arrays and a list of terms."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "terms.json").write_text(
            json.dumps(self._terms, ensure_ascii=False), encoding="utf-8"
        )
        np.save(folder / "idf.npy", self._idf)
        np.save(folder / "components.npy", self._components)

    @classmethod
    def load(cls, folder: Path) -> LsaEncoder:
        """Read a saved model; the components stay on disk until a query needs their rows.

        Raises:
            SearchIndexError: if a file is missing or damaged.
        """
        try:
            terms = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
            idf = np.load(folder / "idf.npy")
            components = np.load(folder / "components.npy", mmap_mode="r")
        except (OSError, ValueError, EOFError) as error:
            raise SearchIndexError(
                f"the encoder in {folder} is damaged ({error}); "
                "rebuild it with: inforce corpus index --rebuild"
            ) from error
        return cls(terms, idf, components)


def fit_lsa(documents: Sequence[str], *, dimension: int = DIMENSION, seed: int = 0) -> LsaEncoder:
    """Fit the encoder on documents given as space-joined tokens; deterministic for a seed.

    Cost: about 4 s and 400 MB for 80,000 provisions on two cores.
    """
    if not any(documents):
        return LsaEncoder((), np.zeros(0, dtype=np.float32), np.zeros((0, 1), dtype=np.float32))
    algebra: Any = import_module("sklearn.utils.extmath")
    features: Any = import_module("sklearn.feature_extraction.text")

    vectorizer = features.TfidfVectorizer(
        analyzer=str.split,
        sublinear_tf=True,
        dtype=np.float32,
        min_df=min(3, 1 + len(documents) // 500),
        max_df=0.25 if len(documents) >= SMALL else 1.0,
        max_features=MAX_TERMS,
    )
    matrix = vectorizer.fit_transform(fit_sample(documents))
    size = max(1, min(dimension, min(matrix.shape) - 1))
    _, _, directions = algebra.randomized_svd(matrix, size, n_iter=3, random_state=seed)
    components = np.ascontiguousarray(directions.T, dtype=np.float32)
    terms: list[str] = vectorizer.get_feature_names_out().tolist()
    return LsaEncoder(terms, vectorizer.idf_.astype(np.float32), components)


def fit_sample(documents: Sequence[T]) -> Sequence[T]:
    """Every n-th document, so that at most `FIT_SAMPLE` are seen and every law is among them."""
    return documents[:: max(1, -(-len(documents) // FIT_SAMPLE))]


def _digest(terms: Sequence[str], idf: NDArray[np.float32], components: Matrix) -> str:
    digest = hashlib.sha256("\n".join(terms).encode())
    digest.update(idf.tobytes())
    digest.update(np.ascontiguousarray(components[:64]).tobytes())
    digest.update(str(components.shape).encode())
    return digest.hexdigest()[:16]
