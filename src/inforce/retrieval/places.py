"""Where the search index of a corpus lives: in a folder, or in a Milvus.

Either way a new index is made beside the one in use and takes its place in one step, so a crash
leaves the old one in use.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from inforce.corpus.home import IndexLocation, MilvusAddress
from inforce.errors import SearchIndexError
from inforce.retrieval.encoders import Encoder
from inforce.retrieval.encoders.lsa import LsaEncoder
from inforce.retrieval.engines import Document, Engine
from inforce.retrieval.engines.batches import Progress
from inforce.retrieval.engines.local import LocalEngine
from inforce.retrieval.engines.milvus import MilvusEngine
from inforce.retrieval.engines.milvus_ledger import Ledger
from inforce.retrieval.engines.milvus_tables import Milvus, shown
from inforce.retrieval.engines.segments import read_manifest

COLLECTION = "inforce_statutes"
"""The name of the index in use in a Milvus: another name for the table that was made last."""

_CURRENT = "CURRENT"


class IndexEngine(Engine, Protocol):
    """An engine that also knows its encoder, its keys, and a note of its owner."""

    @property
    def encoder(self) -> Encoder:
        """What turns texts into its vectors."""
        ...

    @property
    def note(self) -> str:
        """What the owner of the index last wrote on it."""
        ...

    @property
    def encoder_name(self) -> str:
        """The encoder that filled this index."""
        ...

    def __len__(self) -> int: ...

    def keys(self) -> frozenset[str]:
        """The keys of all documents."""
        ...

    def add(self, documents: Iterable[Document], *, progress: Progress | None = None) -> int:
        """Store documents not known yet; they are visible everywhere when this returns."""
        ...

    def annotate(self, note: str) -> None:
        """Write a note on the index."""
        ...


@dataclass(frozen=True, slots=True)
class Standing:
    """The index in use, as far as can be said without opening it."""

    build: str
    """Its name in the place; a new one for every index made."""
    encoder: str
    note: str


class Place(Protocol):
    """Holds the index in use, and the next one while it is made."""

    @property
    def folder(self) -> Path:
        """What of it is on this machine; writers on this machine take turns there."""
        ...

    def current(self) -> str:
        """Names the index in use; empty where there is none yet."""
        ...

    def standing(self) -> Standing | None:
        """The index in use; ``None`` where there is none yet."""
        ...

    def open(self, build: str, encoder: Encoder | None) -> IndexEngine:
        """Open an index; without an encoder, with the LSA model kept with it.

        Raises:
            SearchIndexError: if there is none, it is damaged, or another encoder filled it.
        """
        ...

    def replacing(self, encoder: Encoder) -> AbstractContextManager[IndexEngine]:
        """A new, empty index; it is in use once the block ends without an error."""
        ...


def place_of(location: IndexLocation) -> Place:
    """The place at a location."""
    if isinstance(location, MilvusAddress):
        return MilvusPlace(location)
    return FolderPlace(location)


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """A folder: numbered indexes, and a file that names the one in use."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    def current(self) -> str:
        """Names the index in use; empty where there is none yet."""
        try:
            name = (self.folder / _CURRENT).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return ""
        current = self.folder / name
        return name if current.is_dir() and current != self.folder else ""

    def standing(self) -> Standing | None:
        """The index in use; ``None`` where there is none yet."""
        current = self.current()
        manifest = read_manifest(self.folder / current) if current else None
        return Standing(current, manifest.encoder, manifest.note) if manifest else None

    def open(self, build: str, encoder: Encoder | None) -> IndexEngine:
        """Open an index; without an encoder, with the LSA model kept with it."""
        return LocalEngine(self.folder / build, encoder=encoder)

    @contextmanager
    def replacing(self, encoder: Encoder) -> Generator[IndexEngine]:
        """A new index, in use once the block ends without an error."""
        taken = [int(path.name) for path in self.folder.glob("*") if path.name.isdigit()]
        target = self.folder / _numbered(taken)
        yield LocalEngine.create(target, encoder)
        _point_to(self.folder, target.name)
        _remove_folders(self.folder, but=target.name)


@dataclass(frozen=True, slots=True)
class MilvusPlace:
    """A Milvus: numbered tables, and another name for the one in use.

    LSA models stay in a folder of this machine, under the name of their table.
    """

    address: MilvusAddress

    @property
    def folder(self) -> Path:
        """Holds the LSA models."""
        return self.address.folder

    def __str__(self) -> str:
        return f"the Milvus at {shown(self.address.uri)!r}"

    def current(self) -> str:
        """Names the index in use; empty where there is none yet."""
        return self._connected().called(COLLECTION)

    def standing(self) -> Standing | None:
        """The index in use; ``None`` where there is none yet."""
        milvus = self._connected()
        current = milvus.called(COLLECTION)
        if not current:
            return None
        ledger = Ledger(milvus, current)
        ledger.load()
        state = ledger.state()
        return Standing(current, state.encoder, state.note)

    def open(self, build: str, encoder: Encoder | None) -> IndexEngine:
        """Open an index; without an encoder, with the LSA model kept on this machine."""
        return MilvusEngine(
            self.address.uri,
            encoder=encoder or self._kept(build),
            collection=build,
            token=self.address.token,
        )

    @contextmanager
    def replacing(self, encoder: Encoder) -> Generator[IndexEngine]:
        """A new index, in use once the block ends without an error."""
        milvus = self._connected()
        taken = [name.removeprefix(f"{COLLECTION}_") for name in milvus.tables()]
        table = f"{COLLECTION}_{_numbered([int(name) for name in taken if name.isdigit()])}"
        if isinstance(encoder, LsaEncoder):
            encoder.save(self.folder / table)
        yield MilvusEngine.create(
            self.address.uri, encoder, collection=table, token=self.address.token
        )
        milvus.call(table, COLLECTION)
        for name in milvus.tables():
            if name.startswith(f"{COLLECTION}_") and not name.startswith(table):
                milvus.drop(name)
        _remove_folders(self.folder, but=table)

    def _connected(self) -> Milvus:
        return Milvus(self.address.uri, token=self.address.token)

    def _kept(self, table: str) -> LsaEncoder:
        folder = self.folder / table
        if not folder.is_dir():
            raise SearchIndexError(
                f"the index {table!r} was made on another machine: copy its LSA model from there "
                f"to {folder}, or make the index anew with: inforce corpus index --rebuild"
            )
        return LsaEncoder.load(folder)


def _point_to(folder: Path, build: str) -> None:
    temporary = folder / f"{_CURRENT}.new"
    temporary.write_text(build, encoding="utf-8")
    temporary.replace(folder / _CURRENT)


def _numbered(taken: Iterable[int]) -> str:
    return f"{max(taken, default=0) + 1:04d}"


def _remove_folders(folder: Path, *, but: str) -> None:
    for path in folder.glob("*"):
        if path.is_dir() and path.name != but:
            shutil.rmtree(path, ignore_errors=True)
