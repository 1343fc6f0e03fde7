"""Opening the corpus file, and saying in plain words why SQLite would not.

The file is in WAL mode: any number of readers go on undisturbed while one process writes. Commits
are synced in full: an `add` is one transaction, so it costs nothing, and what was reported as added
is still there after a power cut.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from inforce.corpus.migrations import age, migrate
from inforce.errors import CorpusError, MissingCorpusError

Mode = Literal["read", "write"]

PATIENCE_S = 5.0
"""How long to wait for another process that is writing."""

_ADVICE = {
    sqlite3.SQLITE_BUSY: "another process is adding to it; try again when that is done",
    sqlite3.SQLITE_NOTADB: "it is not a corpus; name another file",
    sqlite3.SQLITE_CORRUPT: "it is damaged; add its sources again to a new file",
    sqlite3.SQLITE_FULL: "the disk is full; nothing was added",
    sqlite3.SQLITE_READONLY: "its folder must be writable",
    sqlite3.SQLITE_CANTOPEN: "the file must be readable and its folder writable, for readers too "
    "(they keep a small -shm file beside it)",
}
_HOW_TO_MAKE_ONE = "make one with: inforce corpus add FILE"


def connect(path: Path, mode: Mode) -> sqlite3.Connection:
    """Open the file, made or brought up to date first where it is opened for writing.

    Raises:
        CorpusError: if it is missing or empty (`MissingCorpusError`), not a corpus, locked, made by
            a newer version of the code, or in a folder that cannot be made.
    """
    if mode == "write":
        _make_folder(path.parent)
    elif not path.is_file():
        raise MissingCorpusError(f"no corpus at {str(path)!r}; {_HOW_TO_MAKE_ONE}")
    with sqlite_errors(path):
        connection = _open(path, mode)
        try:
            _prepare(connection, path, mode)
        except BaseException:
            connection.close()
            raise
    return connection


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CorpusError(
            f"cannot make the folder {str(folder)!r} ({error.strerror}); "
            "name one you may write to in INFORCE_HOME"
        ) from error


@contextmanager
def sqlite_errors(path: Path) -> Generator[None, None, None]:
    """Turn what SQLite reports about the file into a `CorpusError` that says what to do."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise  # a mistake in this library or in its use, not a state of the file
    except sqlite3.DatabaseError as error:
        # The low byte is the kind of error; the rest is detail.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        advice = _ADVICE.get(code, "see the message before")
        raise CorpusError(f"cannot use the corpus {str(path)!r}: {error}; {advice}") from error


def _open(path: Path, mode: Mode) -> sqlite3.Connection:
    access = "ro" if mode == "read" else "rwc"
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={access}",
        uri=True,
        timeout=PATIENCE_S,
        isolation_level=None,  # transactions are begun and ended by name
        check_same_thread=False,  # `Corpus` guards the connection with a lock
    )


def _prepare(connection: sqlite3.Connection, path: Path, mode: Mode) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    found = age(connection)
    if found == "foreign":
        raise CorpusError(f"{str(path)!r} is a database but not a corpus; name another file")
    if found == "newer":
        raise CorpusError(f"the corpus {str(path)!r} was made by a newer inforce; upgrade inforce")
    if mode == "write":
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if found != "current":
            migrate(connection)
    elif found == "new":
        raise MissingCorpusError(f"the corpus {str(path)!r} is empty; {_HOW_TO_MAKE_ONE}")
    elif found == "older":
        raise CorpusError(
            f"the corpus {str(path)!r} was made by an older inforce; "
            "bring it up to date with: inforce corpus add FILE"
        )
