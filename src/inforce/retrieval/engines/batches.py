"""How documents come to an engine: each once, some thousands at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from inforce.retrieval.engines import Document

BATCH = 2_000
"""Documents tokenised and encoded at a time: bounds memory, and is how often progress is told."""

Progress = Callable[[int], None]
"""Told how many documents were added since it was last told."""


def unknown(documents: Iterable[Document], known: Iterable[str]) -> Iterator[Document]:
    """Documents whose key was not seen before, neither in the index nor in the stream."""
    seen = set(known)
    for document in documents:
        if document.key not in seen:
            seen.add(document.key)
            yield document


def batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """The documents in lists of `BATCH`, the last one shorter."""
    stream = iter(documents)
    while batch := list(islice(stream, BATCH)):
        yield batch
