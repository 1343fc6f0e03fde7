"""The sources a person keeps: one folder each, under ``sources`` in the data folder.

Precedents, guidelines and interpretations are searched by words (BM25), books by words and meaning.
Statutes are searched in the corpus and a person's own files where they lie; neither is kept here.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from inforce.errors import InputError, SearchIndexError
from inforce.retrieval.encoders import Encoder
from inforce.retrieval.sources.bm25 import Bm25Source
from inforce.retrieval.sources.building import build_bm25
from inforce.retrieval.sources.hybrid import HybridSource, build_hybrid
from inforce.retrieval.sources.loading import SourceFiles
from inforce.retrieval.sources.manifest import (
    STORED_NAMES,
    IndexKind,
    StoredName,
    building_folder,
    read_manifest,
    replaced_folder,
    served_folder,
)
from inforce.retrieval.sources.source import Source, SourceDocument, SourceName

StoredSource = Bm25Source | HybridSource

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Kept:
    """A source that is kept, or one whose making was interrupted."""

    name: StoredName
    kind: IndexKind
    documents: int
    """Documents or passages; 0 while it is being made, or damaged."""
    megabytes: float
    state: Literal["ready", "being made", "damaged"]
    folder: str


@dataclass(frozen=True, slots=True)
class AddedToSource:
    """What adding files did."""

    source: StoredName
    action: Literal["made", "extended"]
    added: int
    """Documents or passages put in."""
    replaced: int
    """Documents that had been there before under the same id."""
    documents: int
    """Documents or passages in the source now."""
    resumed_at: int = 0
    """Documents that a build killed earlier had put in."""


def folder_of(home: Path, name: StoredName) -> Path:
    """Where a source is kept."""
    return home / "sources" / name


def open_sources(home: Path, *, encoder: Encoder | None = None) -> dict[SourceName, Source]:
    """The sources kept in a data folder, by name; those never made are missing.

    Raises:
        SearchIndexError: if one is damaged, or of another format; the message names the repair.
    """
    return {
        name: open_source(home, name, encoder=encoder)
        for name in STORED_NAMES
        if served_folder(folder_of(home, name)).exists()
    }


def open_source(home: Path, name: StoredName, *, encoder: Encoder | None = None) -> StoredSource:
    """One source.

    Raises:
        SearchIndexError: if it was never made, is damaged, or of another format.
    """
    folder = served_folder(folder_of(home, name))
    if not folder.exists():
        half = building_folder(folder).exists()
        state = "is half made" if half else "has not been made"
        raise SearchIndexError(
            f"the source {name!r} {state}: make it with: inforce sources add {name} FILE..."
        )
    manifest = read_manifest(folder)
    if manifest is not None and manifest.kind == "hybrid":
        return HybridSource(folder, encoder=encoder)
    return Bm25Source(folder)


def add_files(
    home: Path,
    files: SourceFiles,
    *,
    name: StoredName,
    rebuild: bool = False,
    encoder: Encoder | None = None,
    progress: Progress | None = None,
) -> AddedToSource:
    """Add the documents of files to a source, or make it from them if there is none.

    Making one can be interrupted: the same call continues it. Adding to one is all or nothing.

    Raises:
        InputError: if the files hold no document at all.
        SearchIndexError: if another process is writing, or the source is damaged.
    """
    folder = folder_of(home, name)
    if served_folder(folder).exists() and not rebuild:
        source = open_source(home, name, encoder=encoder)
        written = source.add(_told(files, progress))
        return AddedToSource(name, "extended", written.added, written.replaced, len(source))
    _require_documents(files)
    if name == "book":
        built = build_hybrid(folder, name, files, encoder=encoder, progress=progress)
    else:
        built = build_bm25(folder, name, files, fingerprint=files.fingerprint, progress=progress)
    return AddedToSource(name, "made", built.documents, 0, built.documents, built.resumed_at)


def list_sources(home: Path) -> list[Kept]:
    """What is kept, in a fixed order."""
    kept: list[Kept] = []
    for name in STORED_NAMES:
        folder = folder_of(home, name)
        served, building = served_folder(folder), building_folder(folder)
        kind: IndexKind = "hybrid" if name == "book" else "bm25"
        if served.exists():
            count = _count(home, name)
            state = "damaged" if count is None else "ready"
            kept.append(Kept(name, kind, count or 0, _megabytes(served), state, str(served)))
        if building.exists():
            kept.append(Kept(name, kind, 0, _megabytes(building), "being made", str(building)))
    return kept


def _count(home: Path, name: StoredName) -> int | None:
    """Documents of a source; ``None`` if it cannot be read."""
    try:
        return len(open_source(home, name))
    except SearchIndexError:
        return None


def remove_source(home: Path, name: StoredName) -> bool:
    """Delete a source, with what was left of builds; tells whether there was anything.

    Raises:
        SearchIndexError: if another process is writing to it.
    """
    folder = folder_of(home, name)
    there = [
        one for one in (folder, building_folder(folder), replaced_folder(folder)) if one.exists()
    ]
    if folder.exists():
        _require_idle(folder)
    for one in there:
        shutil.rmtree(one)
    return bool(there)


def _require_idle(folder: Path) -> None:
    """Refuse while somebody writes; what is damaged may go."""
    try:
        source = Bm25Source(folder)
    except SearchIndexError:
        return
    with source.writing():
        pass


def _require_documents(files: SourceFiles) -> None:
    if next(iter(files), None) is None:
        names = ", ".join(map(str, files.paths))
        raise InputError("no document to add: none can be read, or all are kept out", path=names)


def _told(files: SourceFiles, progress: Progress | None) -> Iterator[SourceDocument]:
    for document in files:
        if progress:
            progress(1)
        yield document


def _megabytes(folder: Path) -> float:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return round(size / 1e6, 1)
