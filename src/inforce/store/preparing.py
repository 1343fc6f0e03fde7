"""Documents made ready for an index, some hundred at a time: their terms, and their records packed.

Cutting Chinese text into terms takes twice the time of indexing it, so many documents are shared
out among processes (`inforce.store.preparing_process`). These are started by name and not by
`multiprocessing`, which would run the caller's script again in each of them.
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
from inforce.store.preparing_process import Job, Prepared, prepare, read_frame, write_frame
from inforce.store.protocol import Channel, Document, Schema

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

    documents: Sequence[Document]
    prepared: Prepared


def prepared(
    documents: Iterable[Document],
    schema: Schema,
    *,
    processes: int | None = None,
    priority: Priority = "normal",
    packing: bool = True,
) -> Iterator[Batch]:
    """Prepare documents some hundred at a time, in the order they come.

    Args:
        documents: any stream; read no further ahead than the work under way.
        schema: says which channels there are.
        processes: how many to start; by default one a core. Zero: all work is done in this one, as
            it is anyway where there are only few documents.
        priority: of these processes.
        packing: whether records are packed as well, for `inforce.store.local.records`.

    Raises:
        InternalError: if a process died.
    """
    count = usable_cores() if processes is None else processes
    stream = iter(documents)
    first = list(islice(stream, 2 * BATCH))
    batches = _batches(chain(first, stream))
    if count == 0 or len(first) < 2 * BATCH or not all(map(_importable, schema.channels)):
        for batch in batches:
            job = _job(batch, schema, packing=packing)
            yield Batch(batch, prepare(job, [channel.analyse for channel in schema.channels]))
        return
    with _Pool(min(count, MAX_PROCESSES), schema, priority) as pool:
        yield from pool.prepare((batch, _job(batch, schema, packing=packing)) for batch in batches)


def usable_cores() -> int:
    """Cores this process may use; zero where a second process would gain nothing."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return cores if cores > 1 else 0


def _importable(channel: Channel) -> bool:
    """Whether a process can import its analyser by name."""
    return getattr(channel.analyse, "__qualname__", "<>").isidentifier()


def _batches(stream: Iterable[Document]) -> Iterator[list[Document]]:
    remaining = iter(stream)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def _job(documents: Sequence[Document], schema: Schema, *, packing: bool) -> Job:
    """The work on a batch; a text that several channels index is given once."""
    texts: list[list[str]] = []
    which: list[int] = []
    for channel in schema.channels:
        wanted = [document.text_of(channel.name) for document in documents]
        if wanted not in texts:
            texts.append(wanted)
        which.append(texts.index(wanted))
    records = [(one.key, one.payload) for one in documents] if packing else []
    return Job(records, texts, which)


class _Pool:
    """Some processes, each spoken to by one thread at a time."""

    def __init__(self, count: int, schema: Schema, priority: Priority) -> None:
        self._count = count
        self._channels = schema.channels
        self._priority: Priority = priority
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        self._closing = ExitStack()

    def __enter__(self) -> Self:
        for _ in range(self._count):
            process = _Process(self._channels, self._priority)
            self._closing.callback(process.close)
            self._idle.put(process)
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="preparing")
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        self._closing.close()

    def prepare(self, jobs: Iterator[tuple[list[Document], Job]]) -> Iterator[Batch]:
        under_way: deque[tuple[list[Document], Future[Prepared]]] = deque()
        for batch, job in jobs:
            under_way.append((batch, self._threads.submit(self._ask, job)))
            if len(under_way) >= _AHEAD * self._count:
                yield _finished(*under_way.popleft())
        while under_way:
            yield _finished(*under_way.popleft())

    def _ask(self, job: Job) -> Prepared:
        process = self._idle.get()
        try:
            return process.ask(job)
        finally:
            self._idle.put(process)


def _finished(documents: list[Document], answer: Future[Prepared]) -> Batch:
    return Batch(documents, answer.result())


class _Process:
    """One process that prepares."""

    def __init__(self, channels: Sequence[Channel], priority: Priority) -> None:
        root = str(Path(inforce.__file__).resolve().parents[1])
        path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
        functions = [one.analyse for one in channels]
        names = [f"{one.__module__}:{one.__qualname__}" for one in functions]
        module = "inforce.store.preparing_process"
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, _NICENESS[priority], *names],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._input = cast(BinaryIO, self._process.stdin)
        self._output = cast(BinaryIO, self._process.stdout)

    def ask(self, job: Job) -> Prepared:
        """What an index takes of these documents."""
        try:
            write_frame(self._input, msgspec.msgpack.encode(job))
            body = read_frame(self._output)
        except BrokenPipeError:
            body = None
        if body is None:
            status = self._process.wait()
            raise InternalError(
                f"a process that cuts texts into terms ended with status {status}; "
                "if the system ran out of memory, try again with fewer programs running"
            )
        return msgspec.msgpack.decode(body, type=Prepared)

    def close(self) -> None:
        """Let it end, and wait for it."""
        with suppress(BrokenPipeError):  # it is gone already
            self._input.close()
        self._output.close()
        self._process.wait()
