"""Collections in a Milvus: numbered tables, and an alias for the one in use.

What the owner keeps of a build, and the lock of the writers of this machine, are in a folder here.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from inforce.corpus.home import MilvusAddress
from inforce.errors import SearchIndexError
from inforce.store.local.folder import REMEDY, writer_lock
from inforce.store.milvus.collection import MilvusCollection, MilvusWriter, OpenBuild
from inforce.store.milvus.ledger import Ledger, State, ledger_of
from inforce.store.milvus.tables import Milvus, shown
from inforce.store.protocol import Description, Schema


class MilvusStore:
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
        self._address = address

    def __str__(self) -> str:
        return f"the Milvus at {shown(self._address.uri)!r}"

    def current(self, name: str) -> str:
        """Names the build in use; empty where there is none."""
        return self.milvus.target_of(_alias(name))

    def describe(self, name: str) -> Description | None:
        """The collection in use; ``None`` where there is none."""
        build = self.current(name)
        if not build:
            return None
        ledger = Ledger(self.milvus, build, remedy=self.remedy)
        ledger.load()
        state = ledger.state()
        return Description(build, state.encoder, state.note, state.documents, None)

    def files(self, name: str, build: str) -> Path:
        """A folder of this machine for what the owner keeps of a build."""
        return self._address.folder / name / build

    def open(self, name: str, schema: Schema) -> MilvusCollection:
        """Open a collection."""
        return MilvusCollection(self, name, schema)

    @contextmanager
    def replace(
        self, name: str, schema: Schema, *, fingerprint: str = "", wait: float = 0.0
    ) -> Generator[MilvusWriter]:
        """Make a collection anew; see `inforce.store.Store.replace`."""
        with self.lock(name, wait=wait):
            form = State(
                channels=schema.versions,
                encoder=schema.encoder_name,
                dimension=schema.encoder.dimension if schema.encoder else 0,
                fingerprint=fingerprint,
            )
            build = self._continued(name, form) or self._begun(name, form)
            try:
                writer = MilvusWriter(OpenBuild(self, build, schema))
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
        """Be the only one of this machine who writes to a collection."""
        with writer_lock(self._address.folder / name, wait=wait):
            yield

    def remove(self, name: str) -> bool:
        """Delete a collection with unfinished builds."""
        builds = self._builds(name)
        if builds:
            with self.lock(name):
                self.milvus.remove_alias(_alias(name))
                for build in builds:
                    self._drop(name, build)
        return bool(builds)

    def unfinished(self, name: str) -> bool:
        """Whether a build of it was begun and not completed."""
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

    def _is_of(self, build: str, form: State) -> bool:
        try:
            ledger = Ledger(self.milvus, build, remedy=self.remedy)
            ledger.load()
            state = ledger.state()
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


def _alias(name: str) -> str:
    """The name of a collection among the tables of a Milvus."""
    return f"inforce_{re.sub(r'[^0-9a-zA-Z]', '_', name)}"
