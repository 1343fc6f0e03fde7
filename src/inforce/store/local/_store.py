"""Collections in a folder: where their builds are, and which one is in use.

::

    index/                       the folder of the store
        precedent/               a collection
            CURRENT              the name of the build in use
            0001/                a build
                collection.json  its form: channels, encoder, what it is made from
                lexicon/         tantivy's files, and the state of the collection
                payload.bin …    see `inforce.store.local._records`
            0002/                the next one while it is made
            writer.lock, writer.json

A build takes the place of the one in use in one step, the renaming of CURRENT.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import RLock
from typing import NamedTuple

import msgspec

from inforce.errors import SearchIndexError
from inforce.store._lock import naming_refusal, writer_lock, writing_under_lock
from inforce.store.local._lexicon import count_documents, last_state, naming_damage
from inforce.store.local._snapshot import LocalSnapshot
from inforce.store.local._writer import LocalWriter, OpenBuild
from inforce.store.protocol import REMEDY, Collection, Description, Store, require_format
from inforce.store.schema import Schema

FORMAT = 2
"""The format of a build. Format 1 were the indexes of the first release."""

_CURRENT = "CURRENT"


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """The description of a build (``collection.json``)."""

    format: int = FORMAT
    channels: dict[str, int]
    """The version of each lexical channel's analyser."""
    encoder: str = ""
    dimension: int = 0
    fingerprint: str = ""
    """Names the input of a build, so that one that was interrupted continues with its own."""


class LocalStore(Store):
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
        build = self._named(name)
        if build and not build.isdigit():
            raise SearchIndexError(
                f"{self.folder / name / _CURRENT} is damaged: it names no index ({build[:40]!r}): "
                f"{self.remedy}"
            )
        return build if build and self.files(name, build).is_dir() else ""

    def _named(self, name: str) -> str:
        """Return the contents of CURRENT; empty where there is none."""
        try:
            named = (self.folder / name / _CURRENT).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except IsADirectoryError as error:
            raise self._damaged(self.folder / name, error) from error
        return named.decode("ascii", errors="replace").strip() or "nothing"

    def _last(self, name: str) -> str:
        """The build in use, for who makes it anew: none where CURRENT is damaged."""
        with suppress(SearchIndexError):
            return self.current(name)
        return ""

    def describe(self, name: str) -> Description | None:
        while build := self.current(name):
            try:
                return self._description(build, self.files(name, build))
            except SearchIndexError:
                if self.current(name) == build:  # else another took its place meanwhile
                    raise
        return None

    def _description(self, build: str, folder: Path) -> Description:
        form = self._form(folder)
        with naming_damage(partial(self._damaged, folder)):
            documents = count_documents(folder / "lexicon")
            _, state = last_state(folder / "lexicon")
            if state is None:
                raise ValueError("nothing was ever committed to it")
        return Description(build, form.encoder, state.note, documents, _megabytes(folder))

    def files(self, name: str, build: str) -> Path:
        return self.folder / name / build

    def open(self, name: str, schema: Schema) -> Collection:
        return _LocalCollection(self, name, schema)

    @contextmanager
    def replace(
        self, name: str, schema: Schema, *, fingerprint: str = "", wait: float = 0.0
    ) -> Generator[LocalWriter]:
        with self.writing(name, wait=wait):
            form = Form(
                channels=schema.versions,
                encoder=schema.encoder_name,
                dimension=schema.encoder.dimension if schema.encoder else 0,
                fingerprint=fingerprint,
            )
            with naming_refusal():
                folder = self._continued(name, form) or self._begun(name, form)
            try:
                with self._build(folder, schema, form.dimension).writing("normal") as writer:
                    writer.resume()
                    yield writer
                    writer.grow_graph()
                    writer.commit()
            except BaseException:
                if not fingerprint:
                    shutil.rmtree(folder, ignore_errors=True)
                raise
            with naming_refusal():
                self._use(name, folder.name)

    @contextmanager
    def writing(self, name: str, *, wait: float) -> Generator[None]:
        """Write under the lock of a collection, after what killed writers left was removed."""
        with writing_under_lock(self.folder / name, wait=wait):
            self._remove_leftovers(name)
            yield

    @contextmanager
    def lock(self, name: str, *, wait: float = 0.0) -> Generator[None]:
        with writer_lock(self.folder / name, wait=wait):
            self._remove_leftovers(name)
            yield

    def _remove_leftovers(self, name: str) -> None:
        """Remove builds of those who were killed, but for what the next one can go on with."""
        current = self._last(name)
        for folder in self._builds(name) if current else ():
            if folder.name != current and not self._can_be_continued(folder):
                shutil.rmtree(folder, ignore_errors=True)

    def _can_be_continued(self, folder: Path) -> bool:
        try:
            return bool(self._form(folder).fingerprint)
        except SearchIndexError:
            return False

    def remove(self, name: str) -> bool:
        folder = self.folder / name
        if not folder.is_dir():
            return False
        with self.lock(name):
            (folder / _CURRENT).unlink(missing_ok=True)
        shutil.rmtree(folder)
        return True

    def unfinished(self, name: str) -> bool:
        current = self._last(name)
        return any(path.name != current for path in self._builds(name))

    def open_build(self, name: str, build: str, schema: Schema) -> OpenBuild:
        """Open a build of a collection.

        Raises:
            SearchIndexError: if it is damaged, or has another schema.
        """
        folder = self.files(name, build)
        form = self._form(folder)
        schema.require(form.channels, form.encoder, where=f"in {folder}", remedy=self.remedy)
        if not (folder / "lexicon" / "meta.json").is_file():  # or else it would be made
            raise self._damaged(folder, ValueError("lexicon/meta.json is missing"))
        return self._build(folder, schema, form.dimension)

    def _build(self, folder: Path, schema: Schema, dimension: int) -> OpenBuild:
        damaged = partial(self._damaged, folder)
        return OpenBuild(folder, schema, dimension=dimension, damaged=damaged)

    def _form(self, folder: Path) -> Form:
        try:
            written = msgspec.json.decode((folder / "collection.json").read_bytes())
            require_format(written["format"], FORMAT, where=f"in {folder}", remedy=self.remedy)
            return msgspec.convert(written, Form)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._damaged(folder, error) from error

    def _builds(self, name: str) -> list[Path]:
        found = (self.folder / name).glob("*")
        return sorted(path for path in found if path.name.isdigit() and path.is_dir())

    def _continued(self, name: str, form: Form) -> Path | None:
        """A build that was interrupted and made from the same input, if it can be continued."""
        current = self._last(name)
        for folder in self._builds(name) if form.fingerprint else ():
            try:
                if folder.name != current and self._form(folder) == form:
                    last_state(folder / "lexicon")
                    return folder
            except (SearchIndexError, ValueError, OSError):
                continue
        return None

    def _begun(self, name: str, form: Form) -> Path:
        current = self._last(name)
        for path in self._builds(name):
            if path.name != current:
                shutil.rmtree(path)
        folder = self.files(name, f"{int(current or 0) + 1:04d}")
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
        if not folder.is_dir():
            return SearchIndexError(f"the index in {folder} was removed: {self.remedy}")
        return SearchIndexError(f"the index in {folder} is damaged ({error}): {self.remedy}")


class _Seen(NamedTuple):
    """The commit opened last, with the stamp by which a later one is noticed."""

    build: OpenBuild
    stamp: tuple[int, int]
    snapshot: LocalSnapshot


class _LocalCollection(Collection):
    """A collection in a folder: it looks at the files before each search, and follows them."""

    def __init__(self, store: LocalStore, name: str, schema: Schema) -> None:
        self.schema = schema
        self._store = store
        self._name = name
        self._opening = RLock()
        self._seen = self._open(None)

    def snapshot(self) -> LocalSnapshot:
        seen = self._seen
        if not self._is_latest(seen):
            with self._opening:
                if not self._is_latest(self._seen):
                    self._seen = self._open(self._seen)
                seen = self._seen
        return seen.snapshot

    @contextmanager
    def writing(self, *, wait: float = 0.0) -> Generator[LocalWriter]:
        with self._store.writing(self._name, wait=wait):
            self.snapshot()
            with self._seen.build.writing("low") as writer:
                yield writer

    def _is_latest(self, seen: _Seen) -> bool:
        try:
            current = self._store.current(self._name)
            return current == seen.build.folder.name and seen.build.lexicon.stamp == seen.stamp
        except FileNotFoundError:
            return False

    def _open(self, seen: _Seen | None) -> _Seen:
        """The last commit of the build in use, though others may replace either meanwhile."""
        while True:
            name = self._store.current(self._name)
            if not name:
                remedy = self._store.remedy
                raise SearchIndexError(f"no index {self._name!r} in {self._store}: {remedy}")
            try:
                if seen and seen.build.folder.name == name:
                    build, earlier = seen.build, seen.snapshot
                else:
                    build, earlier = self._store.open_build(self._name, name, self.schema), None
                with naming_damage(build.damaged):
                    stamp = build.lexicon.stamp
                return _Seen(build, stamp, build.snapshot(earlier))
            except SearchIndexError:
                if self._store.current(self._name) == name:
                    raise


def _megabytes(folder: Path) -> float:
    """The size of its files; some may be removed while they are counted."""
    size = 0
    for inside, _, files in os.walk(folder):
        for name in files:
            with suppress(FileNotFoundError):
                size += (Path(inside) / name).stat().st_size
    return round(size / 1e6, 1)


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
