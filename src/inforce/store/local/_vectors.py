"""Nearest vectors among the rows a filter allows: exact while that is cheap, a graph beyond.

Up to `FLAT_LIMIT` rows every allowed vector is compared (a narrower filter makes it faster).
Above, a graph (HNSW over 8-bit codes) answers wide filters and an exact scan narrow ones: a graph
walked under a filter that allows one row in a hundred loses most of its recall, a scan does not.

Either covers the rows there were when it was made; those added since, the tail, are scanned. So a
new document is found at once, and the rest is not read again for it.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inforce.store._days import Mask
from inforce.store.protocol import Scored
from inforce.store.schema import Matrix

FLAT_LIMIT = 120_000
"""Rows up to which an exact scan of everything stays within a few milliseconds."""

SCAN_SHARE = 0.05
"""At or below this share of allowed rows an exact scan replaces the graph."""

TAIL = 10_000
"""Rows scanned beside what is indexed, at most; more are indexed anew."""

_LINKS = 32
_BUILD_EFFORT = 80
_SEARCH_EFFORT = 128
_SAME_SCORE = 6
"""Decimals of a score that count."""


class _Base:
    """The indexed rows, which are the first ones, flat or as a graph."""

    def __init__(self, vectors: Matrix, graph: Path | None) -> None:
        self.graph = graph
        self.rows = len(vectors)
        self._vectors = vectors

    @cached_property
    def _index(self) -> Any:
        """Made at the first search.

        Raises:
            ValueError: if the graph is damaged.
        """
        faiss: Any = import_module("faiss")
        if self.graph:
            return _read_graph(faiss, self.graph)
        flat = faiss.IndexFlatIP(self._vectors.shape[1])
        flat.add(np.ascontiguousarray(self._vectors))
        return flat

    def nearest(self, query: Matrix, allowed: Mask | None, k: int) -> list[Scored]:
        faiss: Any = import_module("faiss")
        selector: Any = None
        if allowed is not None:
            selector = faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
        options = (
            faiss.SearchParametersHNSW(sel=selector, efSearch=max(_SEARCH_EFFORT, k))
            if self.graph
            else faiss.SearchParameters(sel=selector)
        )
        scores, rows = self._index.search(query[None, :], k, params=options)
        return _ranked(rows[0], scores[0])


class VectorIndex:
    """The vectors of all rows, in row order, for inner-product search.

    A graph is over the first ``graph_rows`` of them. What the index of an earlier commit has read
    is used again.
    """

    def __init__(
        self,
        vectors: Matrix,
        graph: Path | None = None,
        *,
        graph_rows: int = 0,
        earlier: VectorIndex | None = None,
    ) -> None:
        self.vectors = vectors
        covered = vectors[:graph_rows] if graph else vectors
        known = earlier._base if earlier else None
        usable = known and known.graph == graph and 0 <= len(covered) - known.rows <= TAIL
        self._base = known if known and usable else _Base(covered, graph)

    def search(self, query: Matrix, *, allowed: Mask | None, k: int) -> list[Scored]:
        """The k rows nearest to a unit vector, best first; rows of no similarity are left out.

        Raises:
            ValueError: if the graph is damaged.
        """
        if not len(self.vectors) or not query.any():
            return []
        share = 1.0 if allowed is None else float(allowed.mean())
        if share == 0.0:
            return []
        if self._base.graph and share <= SCAN_SHARE and allowed is not None:
            return self._scan(query, np.flatnonzero(allowed), k)
        base = self._base.rows
        head = None if allowed is None else allowed[:base]
        found = self._base.nearest(query, head, k) if base else []
        if base < len(self.vectors):
            tail = np.arange(base, len(self.vectors))
            found += self._scan(query, tail if allowed is None else tail[allowed[base:]], k)
            found.sort(key=lambda scored: (-scored.score, scored.row))
        return found[:k]

    def _scan(self, query: Matrix, rows: NDArray[np.intp], k: int) -> list[Scored]:
        scores = self.vectors[rows] @ query
        best = np.argsort(-scores, kind="stable")[:k]
        return _ranked(rows[best], scores[best])


def grow_graph(vectors: Matrix, path: Path, *, known: Path | None = None) -> None:
    """Write the graph over all vectors to ``path``.

    ``known`` is an earlier graph over the first of them: then only the others are added.
    """
    faiss: Any = import_module("faiss")
    graph = _read_graph(faiss, known) if known else _empty_graph(faiss, vectors)
    graph.add(np.ascontiguousarray(vectors[graph.ntotal :]))
    faiss.write_index(graph, str(path))


def _empty_graph(faiss: Any, vectors: Matrix) -> Any:
    graph = faiss.IndexHNSWSQ(
        vectors.shape[1], faiss.ScalarQuantizer.QT_8bit, _LINKS, faiss.METRIC_INNER_PRODUCT
    )
    graph.hnsw.efConstruction = _BUILD_EFFORT
    graph.train(np.ascontiguousarray(vectors[:: max(1, len(vectors) // 50_000)]))
    return graph


def _read_graph(faiss: Any, path: Path) -> Any:
    try:
        return faiss.read_index(str(path))
    except RuntimeError as error:
        raise ValueError(str(error)) from error


def _ranked(rows: NDArray[np.integer[Any]], scores: Matrix) -> list[Scored]:
    """Positive scores only, best first, ties by row, so that the order is fixed."""
    counts = (rows >= 0) & (scores > 0)
    rows, rounded = rows[counts], np.round(scores[counts].astype(np.float64), _SAME_SCORE)
    order = np.lexsort((rows, -rounded))
    return list(map(Scored, rows[order].tolist(), rounded[order].tolist()))
