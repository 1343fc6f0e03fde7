"""HTTP responses: bodies unpacked piece by piece within a limit, and ``Retry-After``.

A few kilobytes of gzip can unpack to gigabytes; the limit holds for what was unpacked, and nothing
beyond it is ever in memory.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

import httpx

ACCEPTED_ENCODINGS = "gzip, deflate"
"""Encodings that `read_body` can unpack within a limit."""

_PIECE = 64 * 2**10


class BodyTooLarge(Exception):
    """There is more than the limit; carries what was read up to it."""

    def __init__(self, limit: int, start: bytes) -> None:
        self.start = start
        super().__init__(f"larger than {limit} bytes")


class BodyMalformed(Exception):
    """The body is not packed the way its header says, or is cut off."""


async def read_body(response: httpx.Response, *, limit: int) -> bytes:
    """The whole body, unpacked.

    Raises:
        BodyTooLarge: as soon as there is more than ``limit`` bytes.
        BodyMalformed: if it cannot be unpacked.
    """
    packed = response.headers.get("content-encoding", "").strip().lower()
    if packed not in _FORMS:
        raise BodyMalformed(f"packed in a way that was not asked for ({packed[:40]!r})")
    form = _FORMS[packed]
    unpacker = _Zlib(form) if form else None
    body = bytearray()
    async for data in response.aiter_raw():
        for piece in unpacker.pieces(data) if unpacker else (data,):
            body += piece
            if len(body) > limit:
                raise BodyTooLarge(limit, bytes(body[:limit]))
    if unpacker:
        unpacker.finish()
    return bytes(body)


def retry_after(response: httpx.Response, now: datetime) -> float | None:
    """Seconds a server asks to wait: a number or a date (RFC 9110 10.2.3); or ``None``."""
    value = str(response.headers.get("retry-after", "")).strip()
    if value.isascii() and value.isdecimal():
        return float(value[:9])
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, IndexError, TypeError):
        return None
    return max(0.0, (when.replace(tzinfo=when.tzinfo or UTC) - now).total_seconds())


_Form = Literal["gzip", "deflate"]
_FORMS: dict[str, _Form | None] = {
    "": None,
    "identity": None,
    "gzip": "gzip",
    "x-gzip": "gzip",
    "deflate": "deflate",
}


class _Zlib:
    """gzip and deflate, never more than one piece at a time."""

    def __init__(self, form: _Form) -> None:
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
