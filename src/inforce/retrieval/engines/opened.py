"""One commit of an index, opened for reading: it never changes, so threads may share it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np

from inforce.errors import SearchIndexError
from inforce.retrieval.encoders.lsa import Matrix
from inforce.retrieval.engines import TimeFilter, segments, validity
from inforce.retrieval.engines.segments import Manifest
from inforce.retrieval.engines.vectors import VectorIndex


class OpenedCommit:
    """The rows of a commit: their days, vectors and payloads, and which of them still count.

    Raises:
        SearchIndexError: if a file it names is missing or damaged.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.manifest = manifest
        self._folder = folder
        self._segments = [segments.read_segment(folder, name) for name in manifest.segments]
        sizes = [len(segment.payloads) for segment in self._segments]
        if sum(sizes) != manifest.rows:
            raise SearchIndexError(
                f"the index in {folder} is damaged ({sum(sizes)} rows, not {manifest.rows}): "
                "rebuild it with: inforce corpus index --rebuild"
            )
        self._bases = np.cumsum([0, *sizes])[:-1]
        self._windows = np.concatenate(
            [validity.windows([]), *(segment.valid for segment in self._segments)]
        )
        self.alive = np.ones(manifest.rows, dtype=np.bool_)
        self.alive[segments.read_deleted(folder, manifest)] = False

    def allowed(self, during: TimeFilter) -> validity.Mask:
        """Rows that count and whose days overlap any of the ranges; all that count for none."""
        return self.alive & validity.mask(self._windows, during) if during else self.alive

    def payload(self, row: int) -> str:
        """The payload of a row."""
        position = int(np.searchsorted(self._bases, row, side="right")) - 1
        return self._segments[position].payloads[row - int(self._bases[position])]

    def rows_by_key(self) -> dict[str, int]:
        """Key to row, over all segments; the last row of a key that was deleted and re-added."""
        keys = (
            key
            for name in self.manifest.segments
            for key in segments.read_segment(self._folder, name, keys=True).keys
        )
        return {key: row for row, key in enumerate(keys)}

    @cached_property
    def vectors(self) -> VectorIndex:
        """All vectors, ready to be searched; made at the first dense search."""
        graph = self._folder / self.manifest.graph if self.manifest.graph else None
        return VectorIndex(self._all_vectors(), graph)

    def _all_vectors(self) -> Matrix:
        parts = [segment.vectors for segment in self._segments]
        if len(parts) == 1:
            return parts[0]
        empty = np.zeros((0, self.manifest.dimension), dtype=np.float32)
        return np.concatenate([empty, *parts])
