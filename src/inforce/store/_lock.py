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

from inforce.store.protocol import IndexBusyError

_of_thread = threading.local()


@contextmanager
def writer_lock(folder: Path, *, wait: float) -> Generator[None]:
    """Be the only one who may write in a folder.

    Raises:
        IndexBusyError: if another is, after so many seconds; the message says who.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "writer.lock", timeout=wait)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise IndexBusyError(
                f"{_holder(folder)} is writing the index in {folder}; try again when it is done"
            ) from error
        _sign(folder)
        _idle_locks().add(folder)
        try:
            yield
        finally:
            _idle_locks().discard(folder)


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
