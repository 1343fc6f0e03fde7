"""Collections in a Milvus: numbered tables, and an alias for the one in use.

Files of the owner of a build, and the lock of the writers of this machine, are in a folder here.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from inforce.corpus.home import MilvusAddress
from inforce.errors import SearchIndexError
from inforce.store._lock import writer_lock, writing_under_lock
from inforce.store.milvus._ledger import Ledger, State, ledger_of
from inforce.store.milvus._snapshot import MilvusSnapshot
from inforce.store.milvus._tables import Milvus, Table, shown
from inforce.store.milvus._writer import MilvusWriter, OpenBuild
from inforce.store.protocol import REMEDY, Collection, Description, Store
from inforce.store.schema import Schema


class MilvusStore(Store):
    """Collections in a Milvus.

    Args:
        address: where it is.
        remedy: what to do about a collection that cannot be read, for messages.

    Raises:
        MissingExtraError: if pymilvus is not installed.
        SearchIndexError: if Milvus cannot be reached.
    """

    def __init__(self, address: MilvusAddress, *, remedy: str = REMEDY) -> None:
        self.milvus = Milvus(address.uri, token=address.token)
        self.remedy = remedy
        self.folder = address.folder
        self._shown = shown(address.uri)

    def __str__(self) -> str:
        return f"the Milvus at {self._shown!r}"

    def current(self, name: str) -> str:
        return self.milvus.target_of(_alias(name))

    def describe(self, name: str) -> Description | None:
        build = self.current(name)
        if not build:
            return None
        state = self._state_of(build)
        return Description(build, state.encoder, state.note, state.documents, None)

    def files(self, name: str, build: str) -> Path:
        return self.folder / name / build

    def open(self, name: str, schema: Schema) -> Collection:
        return _MilvusCollection(self, name, schema)

    @contextmanager
    def replace(
        self, name: str, schema: Schema, *, fingerprint: str = "", wait: float = 0.0
    ) -> Generator[MilvusWriter]:
        with writing_under_lock(self.folder / name, wait=wait):
            form = State(
                channels=schema.versions,
                encoder=schema.encoder_name,
                dimension=schema.encoder.dimension if schema.encoder else 0,
                fingerprint=fingerprint,
            )
            build = self._continued(name, form) or self._begun(name, form)
            try:
                writer = MilvusWriter(self.tables_of(build, schema))
                writer.resume()
                yield writer
                writer.commit()
            except BaseException:
                if not fingerprint:
                    self._drop(name, build)
                raise
            self.milvus.point(_alias(name), build)
            for other in self._builds(name):
                if other != build:
                    self._drop(name, other)

    @contextmanager
    def lock(self, name: str, *, wait: float = 0.0) -> Generator[None]:
        with writer_lock(self.folder / name, wait=wait):
            yield

    def remove(self, name: str) -> bool:
        builds = self._builds(name)
        if builds:
            with self.lock(name):
                if self.current(name):
                    self.milvus.call("drop_alias", _alias(name))
                for build in builds:
                    self._drop(name, build)
        return bool(builds)

    def unfinished(self, name: str) -> bool:
        return bool(set(self._builds(name)) - {self.current(name)})

    def _builds(self, name: str) -> list[str]:
        own = re.compile(rf"{_alias(name)}_\d+")
        return [table for table in self.milvus.tables() if own.fullmatch(table)]

    def _continued(self, name: str, form: State) -> str:
        """A build that was interrupted and made from the same input; or empty."""
        current = self.current(name)
        for build in reversed(self._builds(name)):
            if form.fingerprint and build != current and self._is_of(build, form):
                return build
        return ""

    def tables_of(self, build: str, schema: Schema) -> OpenBuild:
        """The tables of a build."""
        ledger = Ledger(self.milvus, build, remedy=self.remedy)
        return OpenBuild(build, schema, Table(self.milvus, build), ledger)

    def _state_of(self, build: str) -> State:
        ledger = Ledger(self.milvus, build, remedy=self.remedy)
        ledger.load()
        return ledger.state()

    def _is_of(self, build: str, form: State) -> bool:
        try:
            state = self._state_of(build)
        except SearchIndexError:
            return False
        own = (state.channels, state.encoder, state.dimension, state.fingerprint)
        return own == (form.channels, form.encoder, form.dimension, form.fingerprint)

    def _begun(self, name: str, form: State) -> str:
        current = self.current(name)
        for build in self._builds(name):
            if build != current:
                self._drop(name, build)
        build = f"{_alias(name)}_{int(current[-4:] or 0) + 1:04d}"
        self.milvus.create_documents(build, form.dimension)
        self.milvus.create_ledger(ledger_of(build))
        Ledger(self.milvus, build, remedy=self.remedy).commit(form)
        return build

    def _drop(self, name: str, build: str) -> None:
        self.milvus.drop(build)
        self.milvus.drop(ledger_of(build))
        shutil.rmtree(self.files(name, build), ignore_errors=True)


class _MilvusCollection(Collection):
    """A collection in Milvus: it looks at the state before each search, and follows it."""

    def __init__(self, store: MilvusStore, name: str, schema: Schema) -> None:
        self.schema = schema
        self._store = store
        self._name = name
        self._opening = RLock()
        self._build = self._opened()
        self._snapshot = self._build.snapshot()

    def snapshot(self) -> MilvusSnapshot:
        try:
            self._snapshot = self._build.snapshot(self._snapshot)
        except SearchIndexError:
            with self._opening:
                if self._build.name == self._store.current(self._name):
                    raise
                self._build = self._opened()  # made anew meanwhile, and the old tables removed
                self._snapshot = self._build.snapshot()
        return self._snapshot

    @contextmanager
    def writing(self, *, wait: float = 0.0) -> Generator[MilvusWriter]:
        with writing_under_lock(self._store.folder / self._name, wait=wait):
            self.snapshot()
            yield MilvusWriter(self._build)

    def _opened(self) -> OpenBuild:
        name, store = self._store.current(self._name), self._store
        if not name:
            raise SearchIndexError(f"no index {self._name!r} in {store}: {store.remedy}")
        build = store.tables_of(name, self.schema)
        build.documents.load()
        build.ledger.load()
        state, where = build.ledger.state(), f"{name!r} in {store}"
        self.schema.require(state.channels, state.encoder, where=where, remedy=store.remedy)
        return build


def _alias(name: str) -> str:
    """The name of a collection among the tables of a Milvus."""
    return f"inforce_{re.sub(r'[^0-9a-zA-Z]', '_', name)}"
