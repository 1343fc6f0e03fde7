"""The documents themselves, beside the index of their words: compressed, append-only, by row.

They stay out of the index because an index copies what it holds several times while it grows: with
ten million judgments inside, that would be tens of gigabytes read, written, and held in memory::

    texts/blocks.bin    blocks of `BLOCK` documents: four bytes of length, then zlib of MessagePack
    texts/rows.bin      eight bytes a row: where its block begins, times 256, plus its place in it

Numbers are little-endian. A row is written once and never changed, so a reader needs no lock: rows
that its index knows are complete. What is replaced or deleted stays in the file, unreachable, until
the source is made anew.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import msgspec

from inforce.retrieval.sources.source import SourceDocument

TEXTS = "texts"
"""The folder of these files inside that of the source."""

BLOCK = 8
"""Documents compressed together: more save little space, and a hit decompresses them all."""

MAX_BLOCK = 2**28
"""Bytes a block may expand to; anything larger is damage."""

_LEVEL = 1
_ROW = struct.Struct("<Q")
_LENGTH = struct.Struct("<I")
_PLACES = 256

_encode = msgspec.msgpack.Encoder().encode
_decode_block = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
_decode = msgspec.msgpack.Decoder(SourceDocument).decode


def packed(records: Sequence[bytes]) -> list[bytes]:
    """Documents as blocks; each document is given as `encoded`."""
    return [
        zlib.compress(_encode([msgspec.Raw(one) for one in records[start : start + BLOCK]]), _LEVEL)
        for start in range(0, len(records), BLOCK)
    ]


def encoded(document: SourceDocument) -> bytes:
    """A document as bytes."""
    return _encode(document)


def decoded(record: bytes) -> SourceDocument:
    """The document of some bytes."""
    return _decode(record)


class TextWriter:
    """Appends documents; they count from `sync` on."""

    def __init__(self, folder: Path) -> None:
        (folder / TEXTS).mkdir(parents=True, exist_ok=True)
        self._blocks = (folder / TEXTS / "blocks.bin").open("ab")
        self._rows = (folder / TEXTS / "rows.bin").open("ab")
        self.rows = self._rows.tell() // _ROW.size
        self._rows.truncate(self.rows * _ROW.size)  # a crash may have cut the last one short

    def append(self, blocks: Sequence[bytes], count: int) -> None:
        """Add so many documents, given as `packed`."""
        places = array("Q")
        for number, block in enumerate(blocks):
            start = self._blocks.tell()
            self._blocks.write(_LENGTH.pack(len(block)))
            self._blocks.write(block)
            held = min(BLOCK, count - number * BLOCK)
            places.extend(start * _PLACES + place for place in range(held))
        self._rows.write(b"".join(map(_ROW.pack, places)))
        self.rows += count

    def cut(self, rows: int) -> None:
        """Forget all rows from this one on; only where nobody reads.

        Raises:
            ValueError: if there are fewer.
        """
        if rows > self.rows:
            raise ValueError(f"{rows} documents are indexed and {self.rows} are there")
        self._rows.flush()
        self._rows.truncate(rows * _ROW.size)
        self._rows.seek(0, os.SEEK_END)
        if not rows:
            self._blocks.truncate(0)
            self._blocks.seek(0)
        self.rows = rows

    def sync(self) -> None:
        """Wait until everything is on the disk."""
        for file in (self._blocks, self._rows):
            file.flush()
            os.fsync(file.fileno())

    def close(self) -> None:
        """Let go of the files."""
        self._blocks.close()
        self._rows.close()


class Texts:
    """The documents as they were when opened; later rows need opening again.

    Raises:
        ValueError: if a file is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._blocks = _mapped(folder / TEXTS / "blocks.bin")
        self._rows = _mapped(folder / TEXTS / "rows.bin")

    def document(self, row: int) -> SourceDocument:
        """The document of a row.

        Raises:
            ValueError: if what is on the disk is no document.
        """
        try:
            (where,) = _ROW.unpack_from(self._rows, row * _ROW.size)
            start, place = divmod(where, _PLACES)
            (length,) = _LENGTH.unpack_from(self._blocks, start)
            start += _LENGTH.size
            block = _expanded(self._blocks[start : start + length])
            return _decode(cast(bytes, _decode_block(block)[place]))
        except (struct.error, zlib.error, msgspec.MsgspecError, IndexError) as error:
            raise ValueError(f"row {row} of its texts cannot be read: {error}") from error


def _expanded(block: bytes) -> bytes:
    machine = zlib.decompressobj()
    data = machine.decompress(block, MAX_BLOCK)
    if not machine.eof:
        raise zlib.error("a block that is cut short or too large")
    return data


def _mapped(path: Path) -> mmap.mmap | bytes:
    try:
        with path.open("rb") as file:
            if not path.stat().st_size:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError as error:
        raise ValueError(f"{path.name} is missing") from error
