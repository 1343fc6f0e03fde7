"""Nearest vectors among the rows a filter allows: exact while that is cheap, a graph beyond.

Up to `FLAT_LIMIT` rows every allowed vector is compared (a narrower filter makes it faster).
Above, a graph (HNSW over 8-bit codes) answers wide filters and an exact scan narrow ones: a graph
walked under a filter that allows one row in a hundred loses most of its recall, a scan does not.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inforce.errors import SearchIndexError
from inforce.retrieval.encoders.lsa import Matrix
from inforce.retrieval.engines import Scored
from inforce.retrieval.engines.validity import Mask

FLAT_LIMIT = 120_000
"""Rows up to which an exact scan of everything stays within a few milliseconds."""

SCAN_SHARE = 0.05
"""At or below this share of allowed rows an exact scan replaces the graph."""

_LINKS = 32
_BUILD_EFFORT = 80
_SEARCH_EFFORT = 128


class VectorIndex:
    """Holds the vectors of all rows, in row order, for inner-product search."""

    def __init__(self, vectors: Matrix, graph: Path | None = None) -> None:
        self._vectors = vectors
        self._faiss: Any = import_module("faiss")
        self._flat: Any = None if graph else _flat(self._faiss, vectors)
        self._graph: Any = _read_graph(self._faiss, graph) if graph else None

    def search(self, query: Matrix, *, allowed: Mask | None, k: int) -> list[Scored]:
        """The k rows nearest to a unit vector, best first; rows of no similarity are left out."""
        if not len(self._vectors) or not query.any():
            return []
        share = 1.0 if allowed is None else float(allowed.mean())
        if share == 0.0:
            return []
        if self._graph is not None and share <= SCAN_SHARE and allowed is not None:
            return self._scan(query, np.flatnonzero(allowed), k)
        return self._ask_faiss(query, allowed, k)

    def _ask_faiss(self, query: Matrix, allowed: Mask | None, k: int) -> list[Scored]:
        selector: Any = None
        if allowed is not None:
            bits = np.packbits(allowed, bitorder="little")
            selector = self._faiss.IDSelectorBitmap(bits)
        if self._graph is not None:
            options = self._faiss.SearchParametersHNSW(sel=selector, efSearch=_SEARCH_EFFORT)
            scores, rows = self._graph.search(query[None, :], k, params=options)
        else:
            options = self._faiss.SearchParameters(sel=selector)
            scores, rows = self._flat.search(query[None, :], k, params=options)
        return _ranked(rows[0], scores[0])

    def _scan(self, query: Matrix, rows: NDArray[np.intp], k: int) -> list[Scored]:
        scores = self._vectors[rows] @ query
        best = np.argsort(-scores, kind="stable")[:k]
        return _ranked(rows[best], scores[best])


def grow_graph(vectors: Matrix, path: Path, *, known: Path | None = None) -> None:
    """Write the graph over all vectors to ``path``.

    ``known`` is an earlier graph over the first of them: then only the others are added.
    """
    faiss: Any = import_module("faiss")
    graph = _read_graph(faiss, known) if known else _empty_graph(faiss, vectors)
    graph.add(vectors[graph.ntotal :])
    faiss.write_index(graph, str(path))


def _empty_graph(faiss: Any, vectors: Matrix) -> Any:
    graph = faiss.IndexHNSWSQ(
        vectors.shape[1], faiss.ScalarQuantizer.QT_8bit, _LINKS, faiss.METRIC_INNER_PRODUCT
    )
    graph.hnsw.efConstruction = _BUILD_EFFORT
    graph.train(vectors[:: max(1, len(vectors) // 50_000)])
    return graph


def _read_graph(faiss: Any, path: Path) -> Any:
    try:
        return faiss.read_index(str(path))
    except RuntimeError as error:
        raise SearchIndexError(
            f"{path} is damaged ({error}): rebuild it with: inforce corpus index --rebuild"
        ) from error


def _flat(faiss: Any, vectors: Matrix) -> Any:
    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(np.ascontiguousarray(vectors))
    return flat


def _ranked(rows: NDArray[np.integer[Any]], scores: Matrix) -> list[Scored]:
    """Positive scores only, best first, ties by row, so that the order is fixed."""
    pairs = [
        Scored(int(row), float(score))
        for row, score in zip(rows, scores, strict=True)
        if row >= 0 and score > 0
    ]
    return sorted(pairs, key=lambda scored: (-scored.score, scored.row))
