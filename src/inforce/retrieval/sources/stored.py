"""Sources made from files: each a collection of the store, made, extended, listed and removed.

Precedents, guidelines and interpretations are searched by words (BM25), books by words and meaning.
Statutes are searched in the index of the corpus, a person's own files in an index of theirs.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from inforce.corpus.home import index_location
from inforce.errors import InputError, SearchIndexError
from inforce.retrieval.encoders import DEFAULT, open_encoder
from inforce.retrieval.sources.indexed import IndexedSource, build_source
from inforce.retrieval.sources.loading import SourceFiles
from inforce.retrieval.sources.source import (
    STORED_NAMES,
    Source,
    SourceDocument,
    SourceName,
    StoredName,
)
from inforce.store import Encoder, OutdatedIndexError, Progress, Store, open_store

IndexKind = Literal["bm25", "hybrid"]
"""``bm25``: words only. ``hybrid``: words and vectors, fused."""

SourceState = Literal["ready", "being made", "damaged", "outdated"]


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """A source, or one whose making was interrupted."""

    name: StoredName
    kind: IndexKind
    documents: int
    """Documents or passages; 0 unless it is ready."""
    megabytes: float | None
    """On this machine; ``None`` where a server holds it, or it is not ready."""
    state: SourceState
    """``outdated``: an earlier release made it."""


@dataclass(frozen=True, slots=True)
class AddedToSource:
    """The outcome of adding files."""

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


def source_store(home: Path, name: StoredName) -> Store:
    """Return the store of a source of a data folder."""
    remedy = f"make it anew with: inforce sources add {name} FILE... --rebuild"
    return open_store(index_location(home), remedy=remedy)


def open_sources(home: Path) -> dict[SourceName, Source]:
    """Open the sources of a data folder, by name; those never made are missing.

    Raises:
        SearchIndexError: if one is damaged, or of another format; the message names the remedy.
    """
    return {
        name: open_source(home, name)
        for name in STORED_NAMES
        if source_store(home, name).current(name) or _outdated(home, name)
    }


def open_source(home: Path, name: StoredName, *, encoder: Encoder | None = None) -> IndexedSource:
    """Open one source.

    Raises:
        OutdatedIndexError: if an earlier release made it.
        SearchIndexError: if it was never made, is damaged, or a later release made it.
    """
    store = source_store(home, name)
    if store.current(name):
        return IndexedSource(store, name, encoder=encoder)
    if folder := _outdated(home, name):
        raise OutdatedIndexError(
            f"the source in {folder} was made by an earlier release: "
            f"make it anew with: inforce sources add {name} FILE... --rebuild"
        )
    state = "is half made" if store.unfinished(name) else "has not been made"
    raise SearchIndexError(
        f"the source {name!r} {state}: make it with: inforce sources add {name} FILE..."
    )


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
    store = source_store(home, name)
    if not rebuild and (store.current(name) or _outdated(home, name)):
        source = open_source(home, name, encoder=encoder)
        written = source.add(_counted(files, progress))
        return AddedToSource(name, "extended", written.added, written.replaced, len(source))
    if next(iter(files), None) is None:
        names = ", ".join(map(str, files.paths))
        raise InputError("no document to add: none can be read, or all are kept out", path=names)
    built = build_source(
        store,
        name,
        files,
        fingerprint=files.fingerprint,
        encoder=(encoder or open_encoder(DEFAULT)) if name == "book" else None,
        progress=progress,
    )
    if folder := _outdated(home, name):
        shutil.rmtree(folder)
    return AddedToSource(name, "made", built.documents, 0, built.documents, built.resumed_at)


def list_sources(home: Path) -> list[SourceSummary]:
    """Return the sources of a data folder, in a fixed order."""
    found: list[SourceSummary] = []
    for name in STORED_NAMES:
        store = source_store(home, name)
        kind: IndexKind = "hybrid" if name == "book" else "bm25"
        try:
            if described := store.describe(name):
                kind = "hybrid" if described.encoder else "bm25"
                size = described.megabytes
                found.append(SourceSummary(name, kind, described.documents, size, "ready"))
            elif _outdated(home, name):
                found.append(SourceSummary(name, kind, 0, None, "outdated"))
        except OutdatedIndexError:
            found.append(SourceSummary(name, kind, 0, None, "outdated"))
        except SearchIndexError:
            found.append(SourceSummary(name, kind, 0, None, "damaged"))
        if store.unfinished(name):
            found.append(SourceSummary(name, kind, 0, None, "being made"))
    return found


def remove_source(home: Path, name: StoredName) -> bool:
    """Delete a source, with what was left of builds; returns whether there was anything.

    Raises:
        SearchIndexError: if another process is writing to it.
    """
    removed = source_store(home, name).remove(name)
    if folder := _outdated(home, name):
        shutil.rmtree(folder)
        removed = True
    return removed


def _outdated(home: Path, name: StoredName) -> Path | None:
    """Return the folder of a source that the first release made; it is recognised, not read."""
    folder = home / "sources" / name
    return folder if (folder / "source.json").is_file() else None


def _counted(files: SourceFiles, progress: Progress | None) -> Iterator[SourceDocument]:
    for document in files:
        if progress:
            progress(1)
        yield document
