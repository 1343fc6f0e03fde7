"""The body of an answer, unpacked piece by piece, so that a small answer cannot become a huge one.

A few kilobytes of gzip can unpack to gigabytes; the limit holds for what was unpacked, and nothing
beyond it is ever in memory.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Literal, Protocol

import httpx

ACCEPTED_ENCODINGS = "gzip, deflate"
"""What `read_body` can unpack within a limit."""

_PIECE = 64 * 2**10


class BodyTooLarge(Exception):
    """There is more than the limit; carries what was read up to it."""

    def __init__(self, limit: int, start: bytes) -> None:
        self.limit = limit
        self.start = start
        super().__init__(f"larger than {limit} bytes")


class BodyMalformed(Exception):
    """The body is not packed the way its header says, or is cut off."""


class _Unpacker(Protocol):
    def pieces(self, data: bytes) -> Iterator[bytes]: ...

    def finish(self) -> None: ...


async def read_body(response: httpx.Response, *, limit: int) -> bytes:
    """The whole body, unpacked.

    Raises:
        BodyTooLarge: as soon as there is more than ``limit`` bytes.
        BodyMalformed: if it cannot be unpacked.
    """
    unpacker = _unpacker(response.headers.get("content-encoding", ""))
    body = bytearray()
    async for piece in _unpacked(response.aiter_raw(), unpacker):
        body += piece
        if len(body) > limit:
            raise BodyTooLarge(limit, bytes(body[:limit]))
    return bytes(body)


async def _unpacked(raw: AsyncIterator[bytes], unpacker: _Unpacker) -> AsyncIterator[bytes]:
    async for data in raw:
        for piece in unpacker.pieces(data):
            yield piece
    unpacker.finish()


def _unpacker(encoding: str) -> _Unpacker:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return _Plain()
    if name in ("gzip", "x-gzip"):
        return _Zlib("gzip")
    if name == "deflate":
        return _Zlib("deflate")
    raise BodyMalformed(f"packed in a way that was not asked for ({name[:40]!r})")


class _Plain:
    def pieces(self, data: bytes) -> Iterator[bytes]:
        yield data

    def finish(self) -> None:
        return None


class _Zlib:
    """gzip and deflate, never more than one piece at a time."""

    def __init__(self, form: Literal["gzip", "deflate"]) -> None:
        self._form = form
        self._begin()
        self._begun = False

    def _begin(self) -> None:
        self._inner = zlib.decompressobj(zlib.MAX_WBITS | (16 if self._form == "gzip" else 0))

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inner.eof:
                if self._form == "deflate":
                    return
                self._begin()  # gzip may come in several members (RFC 1952 2.2)
            yield self._step(data)
            data = self._inner.unconsumed_tail or self._inner.unused_data

    def _step(self, data: bytes) -> bytes:
        try:
            piece = self._inner.decompress(data, _PIECE)
        except zlib.error as error:
            if self._form == "gzip" or self._begun:
                raise BodyMalformed("damaged: it cannot be unpacked") from error
            # Some servers send deflate without its header (RFC 9110 8.4.1.2 notes them).
            self._inner = zlib.decompressobj(-zlib.MAX_WBITS)
            self._begun = True
            return self._step(data)
        self._begun = True
        return piece

    def finish(self) -> None:
        if not self._inner.eof and self._begun:
            raise BodyMalformed("cut off before its end")
