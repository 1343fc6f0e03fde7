"""Prepares documents for an index, some hundred at a time: cuts their terms, packs their records.

Cutting Chinese text into terms takes twice the time of indexing it, so many documents are shared
out among threads. That pays because the segmenter and zlib let other threads run meanwhile, if they
are given much at a time: with a call for each document, threads would mostly wait for Python's
lock, so analysers take many texts at once (`Channel.analyse_many`).
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal

from inforce.store.schema import Document, Schema

BATCH = 256
"""Documents prepared at a time: about 25 ms of work for judgments of 450 characters."""

MAX_THREADS = 8
"""More would only wait for Python's lock."""

Priority = Literal["normal", "low"]
"""``low``: those who search meanwhile go first."""

_LOW = 5
"""How much lower, as `nice` counts."""

Pack = Callable[[Sequence[tuple[str, str]]], list[bytes]]
"""Makes blocks of keys and payloads."""

_AHEAD = 2
"""Batches under way for each thread: one in work, one waiting."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some documents, and what an index takes of them, in the same order."""

    documents: Sequence[Document]
    terms: Sequence[Sequence[str]]
    """For each channel, the terms of each document with spaces between."""
    blocks: Sequence[bytes]
    """Keys and payloads as ``pack`` made them; empty without it."""


def prepared(
    documents: Iterable[Document],
    schema: Schema,
    *,
    threads: int | None = None,
    priority: Priority = "normal",
    pack: Pack | None = None,
) -> Iterator[Batch]:
    """Yield documents prepared in batches of some hundred, in the order they come.

    Args:
        documents: any stream; read no further ahead than the work under way.
        schema: says which channels there are.
        threads: how many to start; by default one a core. Zero: all work is done in this one, as it
            is anyway where there are only few documents.
        priority: of these threads.
        pack: what an index stores beside the terms.
    """
    count = min(usable_cores(), MAX_THREADS) if threads is None else threads
    stream = iter(documents)
    first = list(islice(stream, 2 * BATCH))
    remaining = chain(first, stream)
    batches = iter(lambda: list(islice(remaining, BATCH)), [])
    if count == 0 or len(first) < 2 * BATCH:
        for batch in batches:
            yield _prepare(batch, schema, pack)
        return
    lower = _lower_priority if priority == "low" else None
    pool = ThreadPoolExecutor(count, thread_name_prefix="preparing", initializer=lower)
    try:
        under_way: deque[Future[Batch]] = deque()
        for batch in batches:
            under_way.append(pool.submit(_prepare, batch, schema, pack))
            if len(under_way) > _AHEAD * count:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def usable_cores() -> int:
    """Return the cores this process may use; zero where a second thread would gain nothing."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return cores if cores > 1 else 0


def _prepare(documents: Sequence[Document], schema: Schema, pack: Pack | None) -> Batch:
    texts = [document.text for document in documents]
    terms = [
        [" ".join(channel.analyse(text)) for text in texts]
        if channel.analyse_many is None
        else channel.analyse_many(texts)
        for channel in schema.channels
    ]
    return Batch(
        documents, terms, pack([(one.key, one.payload) for one in documents]) if pack else []
    )


def _lower_priority() -> None:
    """Let other threads and processes run before this one, where the system can (Linux)."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOW)
