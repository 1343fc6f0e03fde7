"""Prepare documents in a process of its own, started by `inforce.retrieval.sources.preparing`.

Reads and writes frames: four bytes of length (big endian), then MessagePack. A frame of encoded
documents is answered by a frame of `Prepared`. Ends when its input does.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import BinaryIO

import msgspec

from inforce.retrieval.sources.records import text_to_index
from inforce.retrieval.sources.texts import decoded, packed
from inforce.retrieval.tokens import tokenize

_LENGTH = 4


class Prepared(msgspec.Struct, frozen=True, array_like=True):
    """What an index takes of some documents."""

    words: list[str]
    """Of each document: the words to find it by, with spaces between."""
    blocks: list[bytes]
    """The documents themselves (`inforce.retrieval.sources.texts.packed`)."""


def prepare(records: Sequence[bytes]) -> Prepared:
    """Cut the texts of encoded documents into words, and compress the documents."""
    words = [" ".join(tokenize(text_to_index(decoded(record)))) for record in records]
    return Prepared(words, packed(records))


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame; ``None`` at the end of the stream."""
    head = stream.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    size = int.from_bytes(head)
    body = stream.read(size)
    return body if len(body) == size else None


def write_frame(stream: BinaryIO, body: bytes) -> None:
    """Write a frame and see it off."""
    stream.write(len(body).to_bytes(_LENGTH))
    stream.write(body)
    stream.flush()


def main() -> None:
    """Answer frames until there are no more; the argument says how much lower to rank."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    while (body := read_frame(sys.stdin.buffer)) is not None:
        records = msgspec.msgpack.decode(body, type=list[bytes])
        write_frame(sys.stdout.buffer, msgspec.msgpack.encode(prepare(records)))


if __name__ == "__main__":
    main()
