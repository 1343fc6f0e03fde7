"""Many documents made ready for an index at once, on all cores, in order and with little memory.

Cutting Chinese text into words holds Python's lock and takes twice the time of indexing it, so it
is done in processes (`inforce.retrieval.sources.preparing_process`). They are started by name and
not by `multiprocessing`, which would run the caller's script again in each of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO, Literal, Self, cast

import msgspec

import inforce
from inforce.errors import InternalError
from inforce.retrieval.sources.preparing_process import Prepared, prepare, read_frame, write_frame
from inforce.retrieval.sources.source import SourceDocument
from inforce.retrieval.sources.texts import encoded

BATCH = 512
"""Documents sent to a process at a time: about 60 ms of work for judgments of 450 characters."""

MAX_PROCESSES = 16

Priority = Literal["normal", "low"]
"""``low``: those who search meanwhile go first."""

_NICENESS: dict[Priority, str] = {"normal": "0", "low": "5"}

_AHEAD = 2
"""Batches under way for each process: one in work, one waiting."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some documents, and what an index takes of them, in the same order."""

    documents: Sequence[SourceDocument]
    prepared: Prepared


def prepared(
    documents: Iterable[SourceDocument],
    *,
    processes: int | None = None,
    priority: Priority = "normal",
) -> Iterator[Batch]:
    """Prepare documents some hundred at a time, in the order they come.

    Args:
        documents: any stream; read no further ahead than the work under way.
        processes: how many to start; by default one a core. Zero: all work is done in this one, as
            it is anyway where there are only few documents.
        priority: of these processes.

    Raises:
        InternalError: if a process died.
    """
    count = usable_cores() if processes is None else processes
    stream = iter(documents)
    first = list(islice(stream, 2 * BATCH))
    batches = _batches(chain(first, stream))
    if count == 0 or len(first) < 2 * BATCH:
        yield from map(prepared_here, batches)
        return
    with _Pool(min(count, MAX_PROCESSES), priority) as pool:
        yield from pool.prepare(batches)


def prepared_here(documents: Sequence[SourceDocument]) -> Batch:
    """Prepare some documents in this process."""
    return Batch(documents, prepare([encoded(document) for document in documents]))


def usable_cores() -> int:
    """Cores this process may use; zero where a second process would gain nothing."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return cores if cores > 1 else 0


def _batches(stream: Iterable[SourceDocument]) -> Iterator[list[SourceDocument]]:
    remaining = iter(stream)
    while batch := list(islice(remaining, BATCH)):
        yield batch


class _Pool:
    """Some processes, each spoken to by one thread at a time."""

    def __init__(self, count: int, priority: Priority) -> None:
        self._count = count
        self._priority: Priority = priority
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        self._closing = ExitStack()

    def __enter__(self) -> Self:
        for _ in range(self._count):
            process = _Process(self._priority)
            self._closing.callback(process.close)
            self._idle.put(process)
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="preparing")
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        self._closing.close()

    def prepare(self, batches: Iterator[list[SourceDocument]]) -> Iterator[Batch]:
        under_way: deque[tuple[list[SourceDocument], Future[Prepared]]] = deque()
        for batch in batches:
            records = [encoded(document) for document in batch]
            under_way.append((batch, self._threads.submit(self._ask, records)))
            if len(under_way) >= _AHEAD * self._count:
                yield _finished(*under_way.popleft())
        while under_way:
            yield _finished(*under_way.popleft())

    def _ask(self, records: list[bytes]) -> Prepared:
        process = self._idle.get()
        try:
            return process.ask(records)
        finally:
            self._idle.put(process)


def _finished(documents: list[SourceDocument], answer: Future[Prepared]) -> Batch:
    return Batch(documents, answer.result())


class _Process:
    """One process that prepares."""

    def __init__(self, priority: Priority) -> None:
        root = str(Path(inforce.__file__).resolve().parents[1])
        path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
        module = "inforce.retrieval.sources.preparing_process"
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, _NICENESS[priority]],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._input = cast(BinaryIO, self._process.stdin)
        self._output = cast(BinaryIO, self._process.stdout)

    def ask(self, records: list[bytes]) -> Prepared:
        """What an index takes of these documents."""
        try:
            write_frame(self._input, msgspec.msgpack.encode(records))
            body = read_frame(self._output)
        except BrokenPipeError:
            body = None
        if body is None:
            status = self._process.wait()
            raise InternalError(
                f"a process that cuts texts into words ended with status {status}; "
                "if the system ran out of memory, try again with fewer programs running"
            )
        return msgspec.msgpack.decode(body, type=Prepared)

    def close(self) -> None:
        """Let it end, and wait for it."""
        with suppress(BrokenPipeError):  # it is gone already
            self._input.close()
        self._output.close()
        self._process.wait()
