"""The folder of a run belongs to one process at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from inforce.errors import UserError

LOCK = "run.lock"


@contextmanager
def alone_in(folder: Path) -> Generator[None]:
    """Hold a folder for as long as the block lasts; it is made if it is not there.

    SQLite locks files on every system, and whoever is killed lets go.

    Raises:
        UserError: if another process is at work there, or the folder cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
    except (OSError, sqlite3.OperationalError) as error:
        raise UserError(f"cannot write to {folder} ({error}): name another --output") from error
    with closing(lock):
        _seize(lock, folder)
        yield


def _seize(lock: sqlite3.Connection, folder: Path) -> None:
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            reason = f"a run is at work in {folder}: wait for it, or name another --output"
        else:
            reason = f"cannot write to {folder} ({error}): name another --output"
        raise UserError(reason) from error
