"""Writing files so that nothing is lost and nobody else reads them.

A file is written whole or not at all (`write_file`), or line by line, each whole line on disk
before the next (`LineFile`); a disk that is full is an error that says so, and what was written
before it is still there. What holds a person's work (`private`) is readable by that person only,
whatever the umask.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self

from inforce.errors import StorageError

FREE_BYTES: Final = 4 * 2**20
"""Bytes that must be free after each line: what is paid for next must find room."""

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PRIVATE: Final = 0o600
_SHARED: Final = 0o666

_umask_before: int | None = None
"""The umask of the person, once `keep_private` was called."""


def keep_private() -> None:
    """Make all files of this process readable by their owner only.

    For programs, not for libraries. `write_file` still applies the umask of before to what is not
    private.
    """
    global _umask_before
    before = os.umask(0o077)
    _umask_before = before if _umask_before is None else _umask_before


def make_folder(path: Path) -> None:
    """Make a folder, with those above it, that only its owner may enter.

    Raises:
        StorageError: if it cannot be made.
    """
    with storage_errors(path):
        for folder in (*reversed(path.parents), path):
            if not folder.exists():
                folder.mkdir(mode=0o700, exist_ok=True)
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def write_file(path: Path, content: bytes | str, *, private: bool = False) -> None:
    """Write a file that appears whole or not at all, also after a crash or on a full disk.

    A file that is replaced keeps its mode; a link is followed; what is no file (a pipe, a device)
    is written to.

    Raises:
        StorageError: if it cannot be written; the file of before is still there.
    """
    data = content.encode() if isinstance(content, str) else content
    with storage_errors(path):
        target = path.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        if not target.parent.is_dir():
            make_folder(target.parent)
        with _replacing(target, private=private) as handle:
            _write_all(handle, data)


@contextmanager
def _replacing(target: Path, *, private: bool) -> Generator[int]:
    """A new file that takes the place of another once the block has filled it."""
    new = target.with_name(f".{target.name[:60]}.{secrets.token_hex(4)}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    handle = os.open(new, flags, _PRIVATE if private else _SHARED)
    try:
        try:
            _set_mode(handle, target, private=private)
            yield handle
            os.fsync(handle)
        finally:
            os.close(handle)
        new.replace(target)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _set_mode(handle: int, target: Path, *, private: bool) -> None:
    """The mode of the file that is replaced, else that of the person's umask or a private one."""
    if not hasattr(os, "fchmod"):
        return
    if target.exists():
        os.fchmod(handle, stat.S_IMODE(target.stat().st_mode))
    elif not private and _umask_before is not None:
        os.fchmod(handle, _SHARED & ~_umask_before)


def whole_lines(data: bytes) -> bytes:
    r"""The lines that were written whole: up to the last line break, without bytes of zero.

    After a loss of power a file may end in zeros, in half a line, or in both.

    >>> whole_lines(b"a\nb\n\0\0\0"), whole_lines(b"a\nb"), whole_lines(b"a\n\0\0b\n")
    (b'a\nb\n', b'a\n', b'a\nb\n')
    """
    whole, end, _ = data.rpartition(b"\n")
    return b"\n".join(line.strip(b"\0") for line in whole.split(b"\n")) + end if end else b""


class LineFile:
    """A private file that grows by lines, each on disk before `append` returns.

    A last line that a crash cut off is removed first: the whole lines are copied to a new file,
    which takes the place of the old one once it is on disk.

    Raises:
        StorageError: if it cannot be written, or another process writes to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with storage_errors(path):
            if not path.parent.is_dir():
                make_folder(path.parent)
            self._handle = self._opened()
            try:
                self._repair()
            except BaseException:
                self.close()
                raise

    def _repair(self) -> None:
        data = self.path.read_bytes()
        if (whole := whole_lines(data)) != data:
            with _replacing(self.path.resolve(), private=True) as handle:
                _write_all(handle, whole)
            self.close()
            self._handle = self._opened()

    def _opened(self) -> int:
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _PRIVATE)
        try:
            _lock(handle)
        except OSError:
            os.close(handle)
            raise StorageError(
                "another process writes to this file: wait for it, or name another", path=self.path
            ) from None
        return handle

    def append(self, line: bytes) -> None:
        """Write a line, and see that there is room for the next.

        Raises:
            StorageError: if the disk is full, or nearly: what was written before is still there.
        """
        with storage_errors(self.path):
            end = os.fstat(self._handle).st_size
            try:
                _write_all(self._handle, line + b"\n")
                os.fsync(self._handle)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._handle, end)
                raise
            if _free_bytes(self._handle) < FREE_BYTES:
                raise OSError(errno.ENOSPC, "the disk is nearly full")

    def close(self) -> None:
        """Close the file; others may write to it."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def storage_errors(path: Path) -> Generator[None]:
    """Turn what the system reports about a file that is written into a `StorageError`."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            reason = "the disk is full: what was written before is still there; free some space"
        else:
            reason = f"cannot be written: {error.strerror or error}"
        raise StorageError(reason, path=path) from error


def _write_all(handle: int, data: bytes) -> None:
    """Write every byte: a nearly full disk takes some of them and says so only by their number."""
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _sync_folder(folder: Path) -> None:
    """Without this the name of a new file may be lost with the power."""
    with suppress(OSError):  # not every system opens folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _lock(handle: int) -> None:
    """Lock a file for this process; the system unlocks what a killed process held.

    Raises:
        BlockingIOError: if another holds it.
    """
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        return  # a file system without locks


def _free_bytes(handle: int) -> int:
    """Bytes that can still be written."""
    free = FREE_BYTES
    with suppress(OSError, AttributeError):
        system = os.fstatvfs(handle)
        free = system.f_bavail * system.f_frsize
    with suppress(ImportError, OSError, ValueError):
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
        if most != resource.RLIM_INFINITY:
            free = min(free, most - os.fstat(handle).st_size)
    return free
