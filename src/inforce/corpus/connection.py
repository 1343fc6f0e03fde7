"""Connections to the corpus file, and SQLite's errors in plain words.

The file is in WAL mode: any number of readers go on undisturbed while one process writes. Commits
are synced in full: an `add` is one transaction, so it costs nothing, and what was reported as added
is still there after a power cut. A new file appears under its name whole, with all its tables.

In a folder that nobody may write to (a share, a mounted image) readers make no file beside it.

A process forks only while none of its threads is inside SQLite: a child inherits SQLite's own locks
as they are at that moment, and one that was held would be held for ever.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from inforce.corpus.migrations import age, migrate
from inforce.errors import CorpusError, MissingCorpusError, StorageError
from inforce.files import make_folder

Mode = Literal["read", "write"]

PATIENCE_S = 5.0
"""Seconds to wait for another process that is writing."""

MOST_READERS = 4
"""Threads that read at the same time; more would only wait for Python's lock."""

_FORK_PATIENCE_S = 30.0
"""Seconds a fork waits for threads that read or write; longer than any of these should take."""

_ADVICE = {
    sqlite3.SQLITE_BUSY: "another process is adding to it; try again when that is done",
    sqlite3.SQLITE_NOTADB: "it is not a corpus; name another file",
    sqlite3.SQLITE_CORRUPT: "it is damaged; add its sources again to a new file",
    sqlite3.SQLITE_FULL: "the disk is full; nothing was added",
    sqlite3.SQLITE_READONLY: "its folder must be writable",
    sqlite3.SQLITE_IOERR: "the disk is full, or failed; nothing was added",
    sqlite3.SQLITE_CANTOPEN: "the file must be readable, and its folder writable for those who add",
}
_HOW_TO_MAKE_ONE = "make one with: inforce corpus add FILE"
_NO_WAL = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
"""Errors of SQLite where it cannot make the files of a WAL beside a corpus: nobody may write to the
folder, or the disk is full."""


class _FileState(NamedTuple):
    """Identifies a file that was opened, to notice when another took its place."""

    device: int
    inode: int
    changed_ns: int = 0
    """This and the sizes only where SQLite itself does not notice changes."""
    size: int = 0
    log_size: int = 0


class _Reader(NamedTuple):
    """A connection, and the state of the file it was opened to."""

    connection: sqlite3.Connection
    is_immutable: bool
    state: _FileState


class _OfThread(threading.local):
    connection: sqlite3.Connection | None = None


class _Depth(threading.local):
    count: int = 0


class _ForkGuard:
    """``with _FORK_GUARD:`` around every use of SQLite; blocks may be inside each other."""

    def __init__(self) -> None:
        self._depth = _Depth()
        self._changed = threading.Condition()
        self._inside = 0
        self._is_forking = False

    def __enter__(self) -> None:
        if self._depth.count == 0:
            with self._changed:
                self._changed.wait_for(lambda: not self._is_forking)
                self._inside += 1
        self._depth.count += 1

    def __exit__(self, *_: object) -> None:
        self._depth.count -= 1
        if self._depth.count == 0:
            with self._changed:
                self._inside -= 1
                if self._is_forking:
                    self._changed.notify_all()

    def before(self) -> None:
        """Wait until no other thread is inside, and let none in."""
        own = min(self._depth.count, 1)
        self._changed.acquire()
        self._is_forking = True
        self._changed.wait_for(lambda: self._inside <= own, _FORK_PATIENCE_S)

    def after_in_parent(self) -> None:
        """Let threads in again."""
        self._is_forking = False
        self._changed.notify_all()
        self._changed.release()

    def after_in_child(self) -> None:
        """Begin anew: of the threads there is only this one."""
        self._changed = threading.Condition()
        self._inside = min(self._depth.count, 1)
        self._is_forking = False


_FORK_GUARD = _ForkGuard()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_FORK_GUARD.before,
        after_in_parent=_FORK_GUARD.after_in_parent,
        after_in_child=_FORK_GUARD.after_in_child,
    )


class Connections:
    """The connections of this process to one corpus file: one for each thread that reads at a time.

    A corpus open for writing has one, and its threads take turns. A process that was forked leaves
    the connections of its parent alone, as SQLite demands, and opens its own.
    """

    def __init__(self, path: Path, mode: Mode) -> None:
        """Open the first one.

        Raises:
            CorpusError: see `Corpus.open`.
        """
        self.path = path
        self.mode: Mode = mode
        self._is_closed = False
        self._begin()
        with _FORK_GUARD:
            if mode == "write":
                _prepare_writing(path)
            elif not path.is_file():
                raise MissingCorpusError(f"no corpus at {str(path)!r}; {_HOW_TO_MAKE_ONE}")
            self._idle.append(self._connect())

    def _begin(self) -> None:
        """Begin without a connection: in a new object, or in a process that was forked."""
        self._process = os.getpid()
        self._turns = threading.BoundedSemaphore(1 if self.mode == "write" else MOST_READERS)
        self._of_thread = _OfThread()
        self._idle: list[_Reader] = []

    @contextmanager
    def connection(self) -> Generator[sqlite3.Connection]:
        """Take a connection that no other thread uses; nested blocks of a thread share one."""
        if self._process != os.getpid():
            _OF_PARENTS.append(self._idle)
            self._begin()
        if self._of_thread.connection is not None:
            yield self._of_thread.connection
            return
        with self._turns, _FORK_GUARD, sqlite_errors(self.path):
            reader = self._take()
            self._of_thread.connection = reader.connection
            try:
                yield reader.connection
            finally:
                self._of_thread.connection = None
                self._give_back(reader)

    @property
    def of_this_thread(self) -> sqlite3.Connection | None:
        """The connection that this thread is using, if any."""
        return None if self._process != os.getpid() else self._of_thread.connection

    def close(self) -> None:
        """Close the file; connections in use are closed when they are returned."""
        self._is_closed = True
        if self._process == os.getpid():
            while self._idle:
                self._idle.pop().connection.close()

    def _take(self) -> _Reader:
        if self._is_closed:
            raise sqlite3.ProgrammingError("the corpus was closed")
        while self._idle:
            try:
                reader = self._idle.pop()
            except IndexError:  # another thread was faster
                break
            if reader.state == _file_state(self.path, exact=reader.is_immutable):
                return reader
            reader.connection.close()  # another file has its name now
        return self._connect()

    def _give_back(self, reader: _Reader) -> None:
        if self._is_closed:
            reader.connection.close()
            return
        self._idle.append(reader)
        if reader.is_immutable and reader.state != _file_state(self.path, exact=True):
            raise CorpusError(
                f"the corpus {str(self.path)!r} was changed while it was read; try again"
            )

    def _connect(self) -> _Reader:
        with sqlite_errors(self.path):
            state = _file_state(self.path, exact=False)
            try:
                return _Reader(_opened(self.path, self.mode), False, state)
            except sqlite3.OperationalError as error:
                if self.mode == "write" or _kind(error) not in _NO_WAL:
                    raise
            return self._connect_immutable()

    def _connect_immutable(self) -> _Reader:
        """Connect where nothing can be written: SQLite then reads no file but the corpus."""
        state = _file_state(self.path, exact=True)
        if state.log_size:
            raise CorpusError(
                f"the corpus {str(self.path)!r} cannot be read where it is: its last changes are "
                f"in {self.path.name}-wal, which is only read where something can be written; "
                "copy both"
            )
        return _Reader(_opened(self.path, self.mode, "&immutable=1"), True, state)


_OF_PARENTS: list[list[_Reader]] = []
"""Connections of a process before it was forked: closing them here would break its locks."""


def _file_state(path: Path, *, exact: bool) -> _FileState:
    try:
        found = path.stat()
    except OSError:
        return _FileState(0, 0)
    if not exact:
        return _FileState(found.st_dev, found.st_ino)
    log = _log_size(path)
    return _FileState(found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size, log)


def _log_size(path: Path) -> int:
    """Bytes of the changes that are not in the file yet."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        return 0


def _prepare_writing(path: Path) -> None:
    """Make the file and its folder, where they do not exist."""
    try:
        make_folder(path.parent)
    except StorageError as error:
        raise CorpusError(
            f"cannot make the folder {str(path.parent)!r} ({error.reason}); "
            "name one you may write to in INFORCE_HOME"
        ) from error
    for leftover in path.parent.glob(f"{path.name}.*.new"):  # of one who was killed
        if path.exists():
            leftover.unlink(missing_ok=True)
    if not path.exists():
        with sqlite_errors(path):
            _make(path)


def _make(path: Path) -> None:
    """Make a corpus that holds nothing; if others do so as well, it is the file of one of them."""
    if _log_size(path):
        raise CorpusError(
            f"there is no corpus {str(path)!r}, but {path.name}-wal with changes to one: restore "
            "the corpus, or remove that file to begin anew"
        )
    new = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.new")
    try:
        new.touch(mode=0o600)
        with closing(sqlite3.connect(new, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            migrate(connection)
            connection.execute("PRAGMA journal_mode = WAL")
        try:
            os.link(new, path)
        except (FileExistsError, FileNotFoundError):
            if not path.exists():
                raise
        except OSError:  # a file system without links
            new.replace(path)
    except sqlite3.OperationalError:
        if not path.exists():  # else another was faster, and cleared the leftovers away
            raise
    finally:
        new.unlink(missing_ok=True)


@contextmanager
def sqlite_errors(path: Path) -> Generator[None, None, None]:
    """Turn what SQLite reports about the file into a `CorpusError` that says what to do."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise  # a mistake in this library or in its use, not a state of the file
    except sqlite3.DatabaseError as error:
        advice = _ADVICE.get(_kind(error), "see the message before")
        raise CorpusError(f"cannot use the corpus {str(path)!r}: {error}; {advice}") from error


def _kind(error: sqlite3.Error) -> int:
    """The low byte is the kind of error; the rest is detail."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _opened(path: Path, mode: Mode, options: str = "") -> sqlite3.Connection:
    access = "ro" if mode == "read" else "rw"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={access}{options}",
        uri=True,
        timeout=PATIENCE_S,
        isolation_level=None,  # transactions are begun and ended by name
        check_same_thread=False,  # `Connections` gives each to one thread at a time
    )
    try:
        _prepare(connection, path, mode)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, mode: Mode) -> None:
    if not path.stat().st_size:
        raise CorpusError(
            f"the corpus {str(path)!r} has 0 bytes: it was emptied, or is none; restore it, or "
            "remove it to begin anew"
        )
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
