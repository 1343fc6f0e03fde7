"""Bytes off the disk, within limits: nothing read here can fill the memory or hang.

Gzip is recognised by its first bytes, not by the file's name. Every limit is a named constant and
every refusal names the file and, where there is one, the line.
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from inforce.errors import InputError

OnProblem = Callable[[InputError], None]
"""Told of each record or file that could not be used, while the rest is loaded."""

MAX_FILE = 64 * 2**20
"""Bytes a file read in one piece may have; the longest statute has about half a mebibyte."""
MAX_LINE = 16 * 2**20
"""Bytes one line of a JSONL file may have; a line is one version of one law."""
EXPANSION_FLOOR = 64 * 2**20
"""Bytes any compressed file may expand to, whatever its ratio."""
MAX_EXPANSION = 100
"""Above that floor, how many times its size a file may expand; statutes compress 4 to 12 times."""

GZIP = b"\x1f\x8b"
"""What a gzip file begins with."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its number (from 1) and its bytes."""

    number: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and the encoding it was found to be in."""

    text: str
    encoding: str


def open_file(path: Path) -> BinaryIO:
    """Open a regular file; pipes, devices and folders are refused, so that nothing can hang.

    Raises:
        InputError: if it is missing, not a regular file, or may not be read.
    """
    if path.exists() and not path.is_file():
        raise InputError("not a regular file", path=path)
    try:
        return path.open("rb")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"cannot be opened: {reason}", path=path) from error


def read_file(path: Path) -> bytes:
    """All bytes of a file, decompressed if it is gzipped.

    Raises:
        InputError: if it cannot be read, is empty, is damaged, or exceeds `MAX_FILE`.
    """
    with open_file(path) as stream:
        return read_stream(stream, path=path)


def read_stream(stream: BinaryIO, *, path: Path | str) -> bytes:
    """All bytes of an open file, decompressed if they are gzipped; see `read_file`."""
    try:
        data = unpacked(stream).read(MAX_FILE + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"the compressed data is cut short or damaged: {error}", path=path
        ) from error
    if len(data) > MAX_FILE:
        raise InputError(f"more than {MAX_FILE // 2**20} MiB; split it", path=path)
    if not data.strip():
        raise InputError("an empty file", path=path)
    return data


def unpacked(stream: BinaryIO) -> BinaryIO:
    """The same bytes without gzip, where the stream begins like gzip."""
    start = stream.read(len(GZIP))
    stream.seek(0)
    return cast("BinaryIO", gzip.GzipFile(fileobj=stream)) if start == GZIP else stream


def numbered_lines(stream: BinaryIO, *, path: Path | str, on_problem: OnProblem) -> Iterator[Line]:
    """The lines that are not blank, one at a time, decompressed on the way.

    A line that is too long is reported and skipped. Damaged compression, or data that expands
    beyond all reason, is reported and ends the file; the lines before it have been handed out.
    """
    budget = max(EXPANSION_FLOOR, MAX_EXPANSION * _size(stream))
    plain = unpacked(stream)
    number, empty = 0, True
    try:
        while chunk := plain.readline(MAX_LINE + 1):
            number += 1
            budget -= len(chunk)
            if len(chunk) > MAX_LINE:
                budget -= _skip_rest(plain, chunk, budget)
                on_problem(_too_long(path, number))
            elif not chunk.isspace():
                yield Line(number, chunk)
            if budget < 0:
                on_problem(_expands_too_far(path, number))
                return
            empty = empty and chunk.isspace()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        on_problem(_damaged(path, number + 1, error))
        return
    if empty:
        on_problem(InputError("an empty file", path=path))


def decode(data: bytes, *, path: Path | str) -> Decoded:
    """Read a text file's bytes as UTF-8, UTF-16 with a byte order mark, or GB18030; strictly.

    Raises:
        InputError: if it is none of them, or holds NUL characters; names the first bad line.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(data, (encoding,), path=path)
    likely = ("utf-8",) if looks_like_utf8(data) else ("utf-8", "gb18030")
    return _checked(data, likely, path=path)


def looks_like_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8, if perhaps damaged; GB18030 read as UTF-8 is nearly all damage."""
    text = data.decode("utf-8", errors="replace")
    foreign = len(text) - len(text.encode("ascii", errors="ignore"))
    return text.count("\ufffd") * 4 <= foreign


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def _checked(data: bytes, encodings: tuple[str, ...], *, path: Path | str) -> Decoded:
    failures: list[UnicodeDecodeError] = []
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            failures.append(error)
        else:
            return _without_nul(Decoded(text, encoding), path=path)
    line = data.count(b"\n", 0, failures[0].start) + 1
    tried = " nor ".join(encodings)
    raise InputError(
        f"a character that is not {tried}; save the file as UTF-8", path=path, line=line
    )


def _without_nul(decoded: Decoded, *, path: Path | str) -> Decoded:
    position = decoded.text.find("\0")
    if position >= 0:
        line = decoded.text.count("\n", 0, position) + 1
        raise InputError("a NUL character: this is not a text file", path=path, line=line)
    return decoded


def _size(stream: BinaryIO) -> int:
    size = stream.seek(0, 2)
    stream.seek(0)
    return size


def _skip_rest(stream: BinaryIO, chunk: bytes, budget: int) -> int:
    """Read to the end of an overlong line, or just past the budget; how many bytes that took."""
    skipped = 0
    while chunk and not chunk.endswith(b"\n") and skipped <= budget:
        chunk = stream.readline(MAX_LINE)
        skipped += len(chunk)
    return skipped


def _too_long(path: Path | str, line: int) -> InputError:
    return InputError(f"a line of more than {MAX_LINE // 2**20} MiB", path=path, line=line)


def _expands_too_far(path: Path | str, line: int) -> InputError:
    reason = f"expands to more than {MAX_EXPANSION} times its size; reading stopped here"
    return InputError(reason, path=path, line=line)


def _damaged(path: Path | str, line: int, error: Exception) -> InputError:
    reason = f"the compressed data is cut short or damaged here ({error}); fetch the file again"
    return InputError(reason, path=path, line=line)
