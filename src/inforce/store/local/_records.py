"""Payloads, days, vectors and deletions of a build, by row, stored beside its lexicon.

::

    payload.bin   blocks of `BLOCK` documents: four bytes of length, then zlib of MessagePack
    rows.bin      sixteen bytes a row: where its block begins times 256 plus its number in the
                  block, the first day, the first day no longer
    vectors.bin   float32, the dimension of the encoder a row; only with a dense channel
    deleted.bin   eight bytes for each row that no longer counts

Numbers are little-endian. The files only grow, and a commit (of the lexicon, see `State`) says how
far they count: a reader maps that much of them and needs no lock, and a writer cuts off what one
that died left behind. The payload of a deleted document stays until the collection is made anew.

Payloads are not in the lexicon because that copies what it holds several times while it grows: with
ten million judgments inside, tens of gigabytes would be read, written, and held in memory.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.store._days import Days, Mask, overlapping
from inforce.store.protocol import Undated
from inforce.store.schema import Matrix

BLOCK = 8
"""Documents compressed together: more save little space, and a hit decompresses them all."""

_BLOCKS_CACHED = 256
"""Blocks a reader caches: what is ranked is shown soon after, and neighbours are found together."""

_SAMPLE = 16_384
"""Rows by which the share of given days is estimated."""

MAX_BLOCK = 2**28
"""Bytes a block may expand to; anything larger is damage."""

_ROW = np.dtype([("block", "<u8"), ("first", "<i4"), ("end", "<i4")])
_LEVEL = 1
_LENGTH = struct.Struct("<I")
_NUMBERS = 256

Record = tuple[str, str]

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Record]).decode


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A collection as of a commit."""

    generation: int = 0
    rows: int = 0
    payload_bytes: int = 0
    deleted: int = 0
    """Rows that no longer count."""
    undated: int = 0
    longer: int = 0
    """Rows whose days are known and more than one."""
    graph: int = 0
    """Rows that the graph over the vectors covers; 0 where there is none."""
    note: str = ""
    parent: str = ""
    """The parent of the last row: the passages of one document may be parted by a commit."""


def packed(records: Sequence[Record]) -> list[bytes]:
    """Return records as blocks."""
    return [
        zlib.compress(_encode(records[start : start + BLOCK]), _LEVEL)
        for start in range(0, len(records), BLOCK)
    ]


class RecordWriter:
    """Appends records; they count once the lexicon has committed a state that includes them.

    Raises:
        ValueError: if a file is shorter than the last state says.
    """

    def __init__(self, folder: Path, state: State, dimension: int) -> None:
        self.rows, self.payload_bytes, self.deleted = state.rows, state.payload_bytes, state.deleted
        self._folder = folder
        self._dimension = dimension
        self._changed: set[BinaryIO] = set()
        with ExitStack() as stack:
            self._payload, self._rows, self._deleted, self._vectors = (
                stack.enter_context(_appending(folder / name, size))
                for name, size in _sizes(state, dimension).items()
            )
            self._open = stack.pop_all()

    def append(
        self, blocks: Sequence[bytes], days: Sequence[tuple[int, int]], vectors: Matrix | None
    ) -> None:
        """Add as many rows as there are days; ``blocks`` are their records, `packed`."""
        added = np.zeros(len(days), dtype=_ROW)
        for number, block in enumerate(blocks):
            some = slice(number * BLOCK, (number + 1) * BLOCK)
            count = len(added[some])
            added["block"][some] = self.payload_bytes * _NUMBERS + np.arange(count)
            self._payload.write(_LENGTH.pack(len(block)))
            self._payload.write(block)
            self.payload_bytes += _LENGTH.size + len(block)
        added["first"], added["end"] = np.asarray(days, dtype=np.int32).T
        self._rows.write(added.tobytes())
        self._changed.update((self._payload, self._rows))
        if vectors is not None:
            self._vectors.write(np.ascontiguousarray(vectors, dtype=np.float32).tobytes())
            self._changed.add(self._vectors)
        self.rows += len(days)

    def delete(self, rows: Sequence[int]) -> None:
        """Let rows no longer count."""
        self._deleted.write(np.asarray(rows, dtype="<i8").tobytes())
        self._changed.add(self._deleted)
        self.deleted += len(rows)

    def vectors(self) -> Matrix:
        """All vectors so far."""
        self._vectors.flush()
        return _vectors(self._folder, self.rows, self._dimension)

    def sync(self) -> None:
        """Wait until everything is on the disk."""
        for file in self._changed:
            file.flush()
            os.fsync(file.fileno())
        self._changed.clear()

    def close(self) -> None:
        """Let go of the files; what was not synced does not count, and may not fit on the disk."""
        with suppress(OSError):
            self._open.close()


class _Sample(NamedTuple):
    """The days of some rows, evenly spread, of so many."""

    first: Days
    end: Days
    rows: int


class Records:
    """The records of a commit; the dimension of vectors is 0 without a dense channel.

    The sample of days of an earlier commit of the same build may serve.

    Raises:
        ValueError: if a file is missing or too short.
    """

    def __init__(
        self, folder: Path, state: State, dimension: int, *, earlier: Records | None = None
    ) -> None:
        sizes = _sizes(state, dimension)
        payload, rows, deleted, _ = (_mapped(folder / name, sizes[name]) for name in sizes)
        self._payload = payload
        self._rows: NDArray[np.void] = np.frombuffer(rows, dtype=_ROW)
        self._deleted: NDArray[np.int64] = np.frombuffer(deleted, dtype="<i8")
        self.vectors = _vectors(folder, state.rows, dimension)
        known = None if earlier is None else earlier.__dict__.get("_sample")
        self._earlier_sample: _Sample | None = known
        # Not a method of this object: a cache that holds who holds it is freed by chance.
        self._block = lru_cache(_BLOCKS_CACHED)(partial(_block_at, payload))

    @property
    def first(self) -> Days:
        """The first day of each row."""
        return self._rows["first"]

    @property
    def end(self) -> Days:
        """The first day no longer of each row."""
        return self._rows["end"]

    @cached_property
    def alive(self) -> Mask:
        """Rows that count.

        Raises:
            ValueError: if rows that there are not were deleted.
        """
        alive = np.ones(len(self._rows), dtype=np.bool_)
        if len(self._deleted) and not 0 <= self._deleted.min() <= self._deleted.max() < len(alive):
            raise ValueError("deleted.bin names rows that there are not")
        alive[self._deleted] = False
        return alive

    def share(self, during: tuple[DateRange, ...], undated: Undated) -> float:
        """Return about which share of the documents answers for these days, 0 to 1."""
        sample = self._sample
        found = overlapping(sample.first, sample.end, during, undated=undated)
        return float(found.mean()) if len(found) else 0.0

    def allowed(self, during: tuple[DateRange, ...], undated: Undated) -> Mask | None:
        """Return the rows that count and answer for these days; ``None`` for all rows."""
        alive = self.alive
        if during:
            alive = alive & overlapping(*self._days, during, undated=undated)
        return None if alive.all() else alive

    @cached_property
    def _sample(self) -> _Sample:
        known, rows = self._earlier_sample, len(self._rows)
        if known and known.rows > 0.9 * rows:
            return known
        step = max(1, rows // _SAMPLE)
        return _Sample(self.first[::step].copy(), self.end[::step].copy(), rows)

    @cached_property
    def _days(self) -> tuple[Days, Days]:
        """The days of all rows; side by side in memory they are compared twice as fast."""
        return self.first.copy(), self.end.copy()

    def record(self, row: int) -> Record:
        """Return the key and the payload of a row.

        Raises:
            ValueError: if what is on the disk is no record.
        """
        with _naming(row):
            start, number = divmod(int(self._rows["block"][row]), _NUMBERS)
            return self._block(start)[number]

    def all(self) -> Iterator[Record]:
        """Yield the records of all rows that count, in order.

        Raises:
            ValueError: if what is on the disk is no record.
        """
        last, block = -1, list[Record]()
        for row in np.flatnonzero(self.alive).tolist():
            with _naming(row):
                start, number = divmod(int(self._rows["block"][row]), _NUMBERS)
                if start != last:
                    last, block = start, _block_at(self._payload, start)
                record = block[number]
            yield record


def _block_at(payload: mmap.mmap | bytes, start: int) -> list[Record]:
    (length,) = _LENGTH.unpack_from(payload, start)
    start += _LENGTH.size
    machine = zlib.decompressobj()
    data = machine.decompress(payload[start : start + length], MAX_BLOCK)
    if not machine.eof:
        raise zlib.error("a block that is cut short or too large")
    return _decode(data)


@contextmanager
def _naming(row: int) -> Generator[None]:
    """Name the row that cannot be read."""
    try:
        yield
    except (struct.error, zlib.error, msgspec.MsgspecError, IndexError, OverflowError) as error:
        raise ValueError(f"row {row} of payload.bin cannot be read: {error}") from error


def _sizes(state: State, dimension: int) -> dict[str, int]:
    """How much of each file counts."""
    return {
        "payload.bin": state.payload_bytes,
        "rows.bin": _ROW.itemsize * state.rows,
        "deleted.bin": 8 * state.deleted,
        "vectors.bin": 4 * dimension * state.rows,
    }


def _vectors(folder: Path, rows: int, dimension: int) -> Matrix:
    data = _mapped(folder / "vectors.bin", 4 * rows * dimension)
    return np.frombuffer(data, dtype="<f4").reshape(rows, dimension)


def _appending(path: Path, size: int) -> BinaryIO:
    """A file to append to, cut to the size that counts."""
    file = path.open("ab")
    found = file.tell()
    if found < size:
        file.close()
        raise ValueError(f"{path.name} has {found} bytes where {size} were committed")
    file.truncate(size)
    file.seek(size)
    return file


def _mapped(path: Path, size: int) -> mmap.mmap | bytes:
    """The first bytes of a file, for reading."""
    if not size:
        return b""
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno()).st_size
            if found < size:
                raise ValueError(f"{path.name} has {found} bytes where {size} were committed")
            return mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
    except FileNotFoundError as error:
        raise ValueError(f"{path.name} is missing") from error
