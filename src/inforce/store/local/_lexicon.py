"""The inverted index of a build (tantivy): terms of the channels, exact terms, names, days, rows.

Terms are cut by us and indexed without positions. Tantivy's commit is that of the collection: one
rename of its list of files, ``meta.json``, which bears a number, the stamp of the commit. The state
that the commit leads to is written to ``next.json`` before, together with the stamp before, and
called ``state-STAMP.json`` after. So ``next.json`` is the state as soon as the stamp is another.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import msgspec
import tantivy

from inforce.errors import SearchIndexError
from inforce.store._lock import refusal
from inforce.store.local._records import State
from inforce.store.schema import EXACT, Document

Damaged = Callable[[BaseException], SearchIndexError]
"""Makes the error for files that do not fit together; it names the remedy."""

_DAMAGE = (
    ValueError,
    IndexError,
    FileNotFoundError,
    IsADirectoryError,
    NotADirectoryError,
    msgspec.MsgspecError,
)
_NEXT = "next.json"
_NOBODY = "\0"
"""A name that no document has."""


@contextmanager
def naming_damage(damaged: Damaged) -> Generator[None]:
    """Name the remedy where files are damaged: tantivy panics then, which is no `Exception`.

    A full disk and a folder that may not be written to are named as what they are.
    """
    try:
        yield
    except SearchIndexError:
        raise
    except BaseException as error:
        if refused := refusal(error):
            raise refused from error
        if isinstance(error, _DAMAGE) or type(error).__name__ == "PanicException":
            raise damaged(error) from error
        raise


def field_of(channel: str) -> str:
    """The field that holds the terms of a channel."""
    return channel if channel == EXACT else f"terms_{channel}"


def lexicon_fields(channels: Iterable[str]) -> tantivy.Schema:
    """The fields of a lexicon."""
    builder = tantivy.SchemaBuilder()
    for channel in channels:
        builder.add_text_field(field_of(channel), tokenizer_name="whitespace", index_option="freq")
    for field in (EXACT, "name"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    for field in ("row", "first", "end"):
        builder.add_unsigned_field(field, indexed=True, fast=True)
    return builder.build()


def entry(
    row: int, document: Document, days: tuple[int, int], terms: Mapping[str, str]
) -> tantivy.Document:
    """A document as tantivy takes it; ``terms`` are those of each channel, by spaces."""
    made = tantivy.Document()
    for channel, text in terms.items():
        if text:
            made.add_text(field_of(channel), text)
    made.add_text("name", document.key)
    if document.parent:
        made.add_text("name", document.parent)
    for term in document.exact:
        made.add_text(EXACT, term)
    made.add_unsigned("row", row)
    made.add_unsigned("first", days[0])
    made.add_unsigned("end", days[1])
    return made


class Lexicon:
    """The lexicon in a folder, made if there is none. Errors are those of `naming_damage`."""

    def __init__(self, folder: Path, channels: Iterable[str]) -> None:
        self.fields = lexicon_fields(channels)
        self._folder = folder
        self._opening = Lock()
        self._index, self._links = self._files_now()

    @property
    def stamp(self) -> tuple[int, int]:
        """Changes with every commit; cheap to ask often."""
        status = (self._folder / "meta.json").stat()
        return status.st_ino, status.st_mtime_ns

    def committed(self) -> tuple[tantivy.Searcher, State | None]:
        """The last commit, with its state; no state before the first."""
        with self._opening:
            while True:
                stamp, state = last_state(self._folder)
                if self._links is None:
                    self._index.reload()
                else:
                    self._index, self._links = self._files_now()
                searcher = self._index.searcher()
                if _stamp(self._folder) == stamp:  # else another commit was made meanwhile
                    return searcher, state

    def writer(self, heap: int) -> tantivy.IndexWriter:
        """The one writer, with so many bytes for documents not written out yet."""
        # An index knows the files that there were when it was opened, and only those are cleared
        # away: one that was killed may have left others, whose names this one will use again.
        index, links = self._files_now()
        if links is not None:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self._folder))
        writer = index.writer(heap, num_threads=1)
        writer.garbage_collect_files()
        _settle(self._folder)
        return writer

    def commit(self, writer: tantivy.IndexWriter, state: State) -> None:
        """Make all that was written durable, together with the state it leads to."""
        writer.delete_documents_by_term("name", _NOBODY)  # without any change, no new stamp
        _announce(self._folder, state)
        writer.commit()
        _settle(self._folder)

    def _files_now(self) -> tuple[tantivy.Index, _Links | None]:
        links = _links(self._folder)
        index = tantivy.Index(self.fields, path=links.name if links else str(self._folder))
        index.config_reader("manual")  # we look ourselves, before each search
        return index, links


class _Links:
    """A folder of links to the files of a lexicon, removed with the last reference to it."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.name = tempfile.mkdtemp(prefix="inforce-lexicon-")
        weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)
        for path in files:
            (Path(self.name) / path.name).symlink_to(path.absolute())


def _links(folder: Path) -> _Links | None:
    """Return links to the files of a lexicon that may not be written to, where tantivy may lock.

    ``None`` where it may be written to.
    """
    if os.access(folder, os.W_OK):
        return None
    return _Links([path for path in folder.iterdir() if not path.name.endswith(".lock")])


def count_documents(folder: Path) -> int:
    """The documents of the last commit of a lexicon."""
    links = _links(folder)
    return tantivy.Index.open(links.name if links else str(folder)).searcher().num_docs


def last_state(folder: Path) -> tuple[int, State | None]:
    """The stamp and the state of the last commit; no state before the first.

    Raises:
        ValueError: if it is missing or damaged.
    """
    stamp = 0
    for _ in range(100):  # files are renamed while we look
        stamp = _stamp(folder)
        found = _read(folder / _state_name(stamp))
        if found is None and (announced := _read(folder / _NEXT)) and announced.after != stamp:
            found = announced
        if found or not stamp:
            return stamp, found.state if found else None
    raise ValueError(f"{_state_name(stamp)} is missing")


class _Announced(msgspec.Struct, frozen=True):
    after: int
    """The stamp of the commit before."""
    state: State


class _Meta(msgspec.Struct, frozen=True):
    opstamp: int


_META = msgspec.json.Decoder(_Meta)
_ANNOUNCED = msgspec.json.Decoder(_Announced)


def _stamp(folder: Path) -> int:
    """The number of the last commit; 0 before the first."""
    return _META.decode((folder / "meta.json").read_bytes()).opstamp


def _state_name(stamp: int) -> str:
    return f"state-{stamp}.json"


def _announce(folder: Path, state: State) -> None:
    """Write the state that the next commit leads to."""
    with (folder / f"{_NEXT}.new").open("wb") as file:
        file.write(msgspec.json.encode(_Announced(_stamp(folder), state)))
        file.flush()
        os.fsync(file.fileno())
    (folder / f"{_NEXT}.new").replace(folder / _NEXT)


def _settle(folder: Path) -> None:
    """Give the announced state, if it was committed, the name of its commit; clear the others."""
    name = _state_name(stamp := _stamp(folder))
    if (announced := _read(folder / _NEXT)) and announced.after != stamp:
        (folder / _NEXT).replace(folder / name)
    for path in folder.glob("state-*.json"):
        if path.name != name:
            path.unlink(missing_ok=True)


def _read(path: Path) -> _Announced | None:
    try:
        return _ANNOUNCED.decode(path.read_bytes())
    except FileNotFoundError:
        return None
