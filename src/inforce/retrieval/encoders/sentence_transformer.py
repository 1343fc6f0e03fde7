"""A sentence-transformers model from a local folder (or a hub name, where there is a network)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np

from inforce.errors import MissingExtraError, ModelError
from inforce.store import Matrix, Role

_BATCH = 64
"""Texts encoded at a time."""


class _Model(Protocol):
    def encode_query(self, sentences: list[str], **options: object) -> Any: ...
    def encode_document(self, sentences: list[str], **options: object) -> Any: ...


class SentenceTransformerEncoder:
    """Encodes with any sentence-transformers model; query prompts come from its own config."""

    def __init__(self, path: str) -> None:
        self._model = _load(path)
        self.name = f"st:{path}"

    @property
    def dimension(self) -> int:
        """Length of each vector: measured once, as not every model states it."""
        return self._dimension

    @cached_property
    def _dimension(self) -> int:
        return int(self.encode(["法"], role="query").shape[1])

    def encode(self, texts: Sequence[str], *, role: Role) -> Matrix:
        """Unit vectors of the texts."""
        encode = self._model.encode_query if role == "query" else self._model.encode_document
        vectors = encode(
            list(texts),
            batch_size=_BATCH,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)


def _load(path: str) -> _Model:
    try:
        library = import_module("sentence_transformers")
    except ImportError as error:
        raise MissingExtraError("a sentence-transformers encoder", "encoders") from error
    try:
        return cast(_Model, library.SentenceTransformer(path))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"cannot load a sentence-transformers model from {path!r}: {error}"
        ) from error
