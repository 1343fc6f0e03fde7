"""Reads files within limits, so that none can fill the memory or hang.

Gzip is recognised by its first bytes, not by the file's name. Every limit is a named constant and
every refusal names the file and, where there is one, the line.
"""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn, cast

from inforce.documents.limits import MAX_EXPANSION, expansion_limit
from inforce.errors import InputError

OnProblem = Callable[[InputError], None]
"""Called with each record or file that could not be used, while the rest is loaded."""

MAX_FILE = 64 * 2**20
"""Bytes a file read in one piece may have; the longest statute has about half a mebibyte."""
MAX_LINE = 16 * 2**20
"""Bytes one line of a JSON Lines file may have; a line is one version of one law."""

GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""

_DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its number (from 1) and its bytes."""

    number: int
    data: bytes

    def text(self, path: Path | str) -> str:
        """The line as UTF-8; a byte order mark before the first one is dropped.

        Raises:
            InputError: if it is not UTF-8.
        """
        try:
            return self.data.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            reason = f"not UTF-8 (byte {error.start + 1} of the line): save the file as UTF-8"
            raise InputError(reason, path=path, line=self.number) from error


def raise_problem(problem: InputError) -> NoReturn:
    """Raise a problem: for readers that use a file whole or not at all."""
    raise problem


def open_file(path: Path, *, follow_links: bool = True) -> BinaryIO:
    """Open a regular file; pipes, devices and folders are refused, so that nothing can hang.

    Args:
        path: the file.
        follow_links: whether a link is opened, where the system can tell.

    Raises:
        InputError: if it is missing, not a regular file, or may not be read.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if not follow_links:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise InputError(f"cannot be read: {reason}", path=path) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InputError("not a regular file", path=path)
    return os.fdopen(descriptor, "rb")


def read_file(path: Path, *, limit: int = MAX_FILE) -> bytes:
    """Read all bytes of a file, decompressed if it is gzipped.

    Raises:
        InputError: if it cannot be read, is empty, is damaged, or exceeds the limit.
    """
    with open_file(path) as stream:
        return read_stream(stream, path=path, limit=limit)


def read_stream(stream: BinaryIO, *, path: Path | str, limit: int = MAX_FILE) -> bytes:
    """Read all bytes of an open file, decompressed if they are gzipped; see `read_file`."""
    try:
        data = unpacked(stream).read(limit + 1)
    except _DAMAGE as error:
        reason = f"the compressed data is cut short or damaged: {error}"
        raise InputError(reason, path=path) from error
    if len(data) > limit:
        raise InputError(f"more than {limit / 2**20:g} MiB; split it", path=path)
    if not data.strip():
        raise InputError("an empty file", path=path)
    return data


def unpacked(stream: BinaryIO) -> BinaryIO:
    """Return a stream of the same bytes, decompressed if they begin like gzip."""
    start = stream.read(len(GZIP))
    stream.seek(0)
    return cast("BinaryIO", gzip.GzipFile(fileobj=stream)) if start == GZIP else stream


def numbered_lines(stream: BinaryIO, *, path: Path | str, on_problem: OnProblem) -> Iterator[Line]:
    """Yield the lines that are not blank, decompressed on the way.

    A line that is too long is reported and skipped. Damaged compression, or data that expands
    beyond all reason, is reported and ends the file; the lines before it have been handed out.
    """
    budget = expansion_limit(stream.seek(0, os.SEEK_END))
    stream.seek(0)
    plain = unpacked(stream)
    number, is_empty = 0, True
    try:
        while chunk := plain.readline(MAX_LINE + 1):
            number += 1
            budget -= len(chunk)
            if len(chunk) > MAX_LINE:
                budget -= _skip_rest(plain, chunk, budget)
                reason = f"a line of more than {MAX_LINE // 2**20} MiB"
                on_problem(InputError(reason, path=path, line=number))
            elif not chunk.isspace():
                yield Line(number, chunk)
            if budget < 0:
                reason = f"expands to more than {MAX_EXPANSION} times its size"
                on_problem(InputError(f"{reason}; reading stopped here", path=path, line=number))
                return
            is_empty = is_empty and chunk.isspace()
    except _DAMAGE as error:
        reason = f"the compressed data is cut short or damaged here ({error})"
        on_problem(InputError(f"{reason}; fetch the file again", path=path, line=number + 1))
        return
    if is_empty:
        on_problem(InputError("an empty file", path=path))


def _skip_rest(stream: BinaryIO, chunk: bytes, budget: int) -> int:
    """Read to the end of an overlong line, or just past the budget; returns the bytes read."""
    skipped = 0
    while chunk and not chunk.endswith(b"\n") and skipped <= budget:
        chunk = stream.readline(MAX_LINE)
        skipped += len(chunk)
    return skipped


def folder_entries(folder: Path, *, root: Path, on_problem: OnProblem) -> list[Path]:
    """Return the files and folders in a folder by name, without hidden ones and links.

    A link out of the root folder is reported, not followed; what a link inside it leads to is
    found there anyway.
    """
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        on_problem(InputError(f"cannot be read: {error.strerror}", path=folder))
        return []
    entries: list[Path] = []
    for path in found:
        if path.name.startswith("."):
            continue
        if not _is_text(path.name):
            on_problem(InputError("skipped: its name is not UTF-8 text; rename it", path=path))
        elif not path.is_symlink():
            entries.append(path)
        elif not path.resolve().is_relative_to(root.resolve()):
            on_problem(InputError("skipped: a link out of the folder", path=path))
    return entries


def _is_text(name: str) -> bool:
    """Return whether a name can be stored and printed; old archives have other encodings."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
