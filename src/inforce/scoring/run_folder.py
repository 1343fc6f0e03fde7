"""The lock on the folder of a run: one process at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from inforce.errors import StorageError, UserError
from inforce.files import make_folder

LOCK = "run.lock"


@contextmanager
def locked(folder: Path) -> Generator[None]:
    """Lock a folder for as long as the block lasts; the folder is made if it does not exist.

    SQLite locks files on every system, and a killed process gives up its lock.

    Raises:
        UserError: if another process works there, or the folder cannot be written to.
    """
    try:
        make_folder(folder)
        lock = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
    except (StorageError, sqlite3.OperationalError) as error:
        raise UserError(f"cannot write to {folder} ({error}): name another --output") from error
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                reason = (
                    f"another run is working in {folder}: wait for it, or name another --output"
                )
            else:
                reason = f"cannot write to {folder} ({error}): name another --output"
            raise UserError(reason) from error
        yield
