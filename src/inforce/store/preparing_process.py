"""Prepare documents in a process of its own, started by `inforce.store.preparing`.

Reads and writes frames: four bytes of length (big endian), then MessagePack. A frame with a `Job`
is answered by a frame with `Prepared`. Ends when its input does.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import BinaryIO

import msgspec

from inforce.store.local.records import Record, packed
from inforce.store.protocol import Analyser

_LENGTH = 4


class Job(msgspec.Struct, frozen=True, array_like=True):
    """What is to be prepared of some documents."""

    records: list[Record]
    texts: list[list[str]]
    """Texts of each document, for the channels that index them."""
    which: list[int]
    """For each channel, the number of its texts."""


class Prepared(msgspec.Struct, frozen=True, array_like=True):
    """What an index takes of some documents."""

    terms: list[list[str]]
    """For each channel, the terms of each document with spaces between."""
    blocks: list[bytes]
    """The records (`inforce.store.local.records.packed`)."""


def prepare(job: Job, analysers: Sequence[Analyser]) -> Prepared:
    """Cut texts into terms, and compress the records."""
    terms = [
        [" ".join(analyse(text)) for text in job.texts[number]]
        for analyse, number in zip(analysers, job.which, strict=True)
    ]
    return Prepared(terms, packed(job.records))


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame; ``None`` at the end of the stream."""
    head = stream.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    size = int.from_bytes(head)
    body = stream.read(size)
    return body if len(body) == size else None


def write_frame(stream: BinaryIO, body: bytes) -> None:
    """Write a frame, and send it."""
    stream.write(len(body).to_bytes(_LENGTH))
    stream.write(body)
    stream.flush()


def imported(name: str) -> Analyser:
    """The function of a name such as ``package.module:function``."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


def main() -> None:
    """Answer frames until there are no more; arguments: how much lower to rank, the analysers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    gc.disable()  # nothing here refers to itself, and looking for that takes a tenth of the time
    analysers = [imported(name) for name in sys.argv[2:]]
    while (body := read_frame(sys.stdin.buffer)) is not None:
        job = msgspec.msgpack.decode(body, type=Job)
        write_frame(sys.stdout.buffer, msgspec.msgpack.encode(prepare(job, analysers)))


if __name__ == "__main__":
    main()
