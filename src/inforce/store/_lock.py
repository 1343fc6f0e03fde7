"""One writer at a time, in any number of processes of this machine.

SQLite's lock ends with its process, however that ends.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import threading
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from inforce.errors import SearchIndexError
from inforce.store.protocol import IndexBusyError, ReadOnlyIndexError

_of_thread = threading.local()


@contextmanager
def writer_lock(folder: Path, *, wait: float) -> Generator[None]:
    """Be the only one who may write in a folder.

    Raises:
        IndexBusyError: if another is, after so many seconds; the message says who.
        ReadOnlyIndexError: if the folder may not be written to.
        SearchIndexError: if the disk is full.
    """
    with naming_refusal():
        folder.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(folder / "writer.lock", timeout=wait)
    with closing(lock):
        with naming_refusal():
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                raise IndexBusyError(
                    f"{_holder(folder)} is writing the index in {folder}; try again when it is done"
                ) from error
            _sign(folder)
        _idle_locks().add(folder)
        try:
            yield
        finally:
            _idle_locks().discard(folder)


_FULL = ("no space left", "disk is full", "disk quota", "file too large")
_NOT_WRITABLE = ("read-only", "readonly", "permission denied", "unable to open")
"""Words of SQLite, tantivy and the system; tantivy passes on those of the system alone."""


def refusal(error: BaseException) -> SearchIndexError | None:
    """Return the error for a refusal of the system to write; ``None`` for any other error.

    >>> import errno, os
    >>> print(refusal(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    the disk is full: free some space and try again; the index is as it was
    """
    if not isinstance(error, OSError | ValueError | sqlite3.OperationalError):
        return None
    said = str(error).lower()
    if any(words in said for words in _FULL):
        return SearchIndexError(
            "the disk is full: free some space and try again; the index is as it was"
        )
    if "worker thread" in said:  # tantivy's, of which it says no more
        return SearchIndexError(
            "the index could not be written: the disk is full, or failed; the index is as it was"
        )
    if any(words in said for words in _NOT_WRITABLE):
        return ReadOnlyIndexError(
            f"the folder of the index may not be written to ({error}): make the index as one who "
            "may, with: inforce corpus index"
        )
    return None


@contextmanager
def naming_refusal() -> Generator[None]:
    """Name a full disk, and a folder that may not be written to, as what they are."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        if refused := refusal(error):
            raise refused from error
        raise


@contextmanager
def writing_under_lock(folder: Path, *, wait: float) -> Generator[None]:
    """Write in a folder: under the lock that this thread holds, but not twice, or under a new one.

    Raises:
        IndexBusyError: if another writes, after so many seconds.
    """
    with ExitStack() as stack:
        if folder not in _idle_locks():
            stack.enter_context(writer_lock(folder, wait=wait))
        _idle_locks().discard(folder)
        try:
            yield
        finally:
            _idle_locks().add(folder)


def _idle_locks() -> set[Path]:
    """The folders that this thread holds the lock of, and does not write in."""
    return _of_thread.__dict__.setdefault("locks", set[Path]())


def _sign(folder: Path) -> None:
    holder = {
        "process": os.getpid(),
        "machine": platform.node(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    (folder / "writer.json").write_text(json.dumps(holder), encoding="utf-8")


def _holder(folder: Path) -> str:
    try:
        holder = json.loads((folder / "writer.json").read_text(encoding="utf-8"))
        return f"process {holder['process']} on {holder['machine']} (since {holder['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
