"""Collections in a folder: where their builds are, which one is in use, and who may write.

::

    index/                       the folder of the store
        precedent/               a collection
            CURRENT              the name of the build in use
            0001/                a build
                collection.json  its form: channels, encoder, what it is made from
                lexicon/         tantivy's files, the state of the collection among them
                payload.bin …    see `inforce.store.local.records`
            0002/                the next one while it is made
            writer.lock          held by whoever writes; SQLite's lock ends with its process
            writer.json          who that is, for messages

A build takes the place of the one in use in one step, the renaming of CURRENT.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import sqlite3
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec
import tantivy

from inforce.errors import SearchIndexError
from inforce.store.local.collection import LocalCollection
from inforce.store.local.lexicon import committed_state, one_kind_of_damage
from inforce.store.local.writer import LocalWriter, OpenBuild
from inforce.store.protocol import Description, OutdatedIndexError, Schema

FORMAT = 2
"""Of a build. 1 were the indexes of earlier releases, each kind with files of its own."""

REMEDY = "make it anew"

_CURRENT = "CURRENT"
_held = threading.local()


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What a build says of itself (``collection.json``)."""

    format: int = FORMAT
    channels: dict[str, int]
    """The version of each lexical channel's analyser."""
    encoder: str = ""
    dimension: int = 0
    fingerprint: str = ""
    """Names the input of a build, so that one that was interrupted continues with its own."""

    @classmethod
    def of(cls, schema: Schema, *, fingerprint: str = "") -> Form:
        """The form of a build with this schema."""
        return cls(
            channels=schema.versions,
            encoder=schema.encoder_name,
            dimension=schema.encoder.dimension if schema.encoder else 0,
            fingerprint=fingerprint,
        )


class LocalStore:
    """Collections in a folder of this machine.

    Args:
        folder: holds a folder for each collection.
        remedy: what to do about a collection that cannot be read, for messages.
    """

    def __init__(self, folder: Path, *, remedy: str = REMEDY) -> None:
        self.folder = folder
        self.remedy = remedy

    def __str__(self) -> str:
        return str(self.folder)

    def current(self, name: str) -> str:
        """Names the build in use; empty where there is none. Cheap to ask often."""
        try:
            build = (self.folder / name / _CURRENT).read_text(encoding="utf-8").strip()
        except (FileNotFoundError, NotADirectoryError):
            return ""
        return build if build.isdigit() and (self.folder / name / build).is_dir() else ""

    def describe(self, name: str) -> Description | None:
        """The collection in use; ``None`` where there is none."""
        build = self.current(name)
        if not build:
            return None
        folder = self.files(name, build)
        form = self._form(folder)
        with self._naming_damage(folder), one_kind_of_damage():
            index = tantivy.Index.open(str(folder / "lexicon"))
            searcher = index.searcher()
            state = committed_state(searcher, index.schema)
            if state is None:
                raise ValueError("nothing was ever committed to it")
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        return Description(
            build, form.encoder, state.note, searcher.num_docs - 1, round(size / 1e6, 1)
        )

    def files(self, name: str, build: str) -> Path:
        """The folder of a build."""
        return self.folder / name / build

    def open(self, name: str, schema: Schema) -> LocalCollection:
        """Open a collection."""
        return LocalCollection(self, name, schema)

    @contextmanager
    def replace(
        self, name: str, schema: Schema, *, fingerprint: str = "", wait: float = 0.0
    ) -> Generator[LocalWriter]:
        """Make a collection anew; see `inforce.store.Store.replace`."""
        with self.lock(name, wait=wait):
            form = Form.of(schema, fingerprint=fingerprint)
            folder = self._continued(name, form) or self._begun(name, form)
            try:
                with self._open_build(folder, schema, form).writing("normal") as writer:
                    writer.resume()
                    yield writer
                    writer.grow_graph()
                    writer.commit()
            except BaseException:
                if not fingerprint:
                    shutil.rmtree(folder, ignore_errors=True)
                raise
            self._use(name, folder.name)

    @contextmanager
    def lock(self, name: str, *, wait: float = 0.0) -> Generator[None]:
        """Be the only one who writes to a collection; see `inforce.store.Store.lock`."""
        with writer_lock(self.folder / name, wait=wait):
            yield

    def remove(self, name: str) -> bool:
        """Delete a collection with unfinished builds."""
        folder = self.folder / name
        if not folder.is_dir():
            return False
        with self.lock(name):
            (folder / _CURRENT).unlink(missing_ok=True)
        shutil.rmtree(folder)
        return True

    def unfinished(self, name: str) -> bool:
        """Whether a build of it was begun and not completed."""
        current = self.current(name)
        return any(path.name != current for path in self._builds(name))

    def open_build(self, name: str, build: str, schema: Schema) -> OpenBuild:
        """Open a build of a collection.

        Raises:
            SearchIndexError: if it is damaged, or has another schema.
        """
        folder = self.files(name, build)
        form = self._form(folder)
        schema.require(form.channels, form.encoder, where=f"in {folder}", remedy=self.remedy)
        if not (folder / "lexicon" / "meta.json").is_file():
            raise self._damaged(folder, ValueError("lexicon/meta.json is missing"))
        return self._open_build(folder, schema, form)

    def _open_build(self, folder: Path, schema: Schema, form: Form) -> OpenBuild:
        damaged = partial(self._damaged, folder)
        return OpenBuild(folder, schema, dimension=form.dimension, damaged=damaged)

    def _form(self, folder: Path) -> Form:
        path = folder / "collection.json"
        try:
            fields = msgspec.json.decode(path.read_bytes())
            written = fields["format"]
            if written < FORMAT:
                raise OutdatedIndexError(
                    f"the index in {folder} was made by an earlier release: {self.remedy}"
                )
            if written > FORMAT:
                raise SearchIndexError(
                    f"the index in {folder} has format {written}, this release reads "
                    f"{FORMAT}: update inforce, or {self.remedy}"
                )
            return msgspec.convert(fields, Form)
        except FileNotFoundError:
            if not folder.is_dir():
                raise SearchIndexError(
                    f"the index in {folder} was removed: open it again"
                ) from None
            raise self._damaged(folder, ValueError("collection.json is missing")) from None
        except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError) as error:
            raise self._damaged(folder, error) from error

    def _builds(self, name: str) -> list[Path]:
        found = (self.folder / name).glob("*")
        return sorted(path for path in found if path.name.isdigit() and path.is_dir())

    def _continued(self, name: str, form: Form) -> Path | None:
        """A build that was interrupted and made from the same input, if it can be continued."""
        if not form.fingerprint:
            return None
        current = self.current(name)
        for folder in reversed(self._builds(name)):
            try:
                if folder.name != current and self._form(folder) == form:
                    tantivy.Index.open(str(folder / "lexicon"))
                    return folder
            except (SearchIndexError, ValueError):
                continue
        return None

    def _begun(self, name: str, form: Form) -> Path:
        current = self.current(name)
        for path in self._builds(name):
            if path.name != current:
                shutil.rmtree(path)
        folder = self.folder / name / f"{int(current or 0) + 1:04d}"
        (folder / "lexicon").mkdir(parents=True)
        (folder / "collection.json").write_bytes(msgspec.json.encode(form))
        return folder

    def _use(self, name: str, build: str) -> None:
        folder = self.folder / name
        temporary = folder / f"{_CURRENT}.new"
        temporary.write_text(build, encoding="utf-8")
        _sync(folder / build, folder)
        temporary.replace(folder / _CURRENT)
        _sync(folder)
        for path in self._builds(name):
            if path.name != build:
                shutil.rmtree(path, ignore_errors=True)

    def _damaged(self, folder: Path, error: BaseException) -> SearchIndexError:
        return SearchIndexError(f"the index in {folder} is damaged ({error}): {self.remedy}")

    @contextmanager
    def _naming_damage(self, folder: Path) -> Generator[None]:
        try:
            yield
        except ValueError as error:
            raise self._damaged(folder, error) from error


@contextmanager
def writer_lock(folder: Path, *, wait: float) -> Generator[None]:
    """Be the only writer there, in this process and others; a thread that is may call it again.

    Raises:
        SearchIndexError: if another is, after so many seconds.
    """
    held: set[Path] = _held.__dict__.setdefault("folders", set[Path]())
    if folder in held:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "writer.lock", timeout=wait)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise SearchIndexError(
                f"{_holder(folder)} is writing the index in {folder}; try again when it is done"
            ) from error
        _sign(folder)
        held.add(folder)
        try:
            yield
        finally:
            held.discard(folder)


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


def _sync(*folders: Path) -> None:
    """Wait until the lists of files of folders are on the disk (POSIX only)."""
    if os.name != "posix":
        return
    for folder in folders:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
