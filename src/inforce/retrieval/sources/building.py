"""Making a BM25 source from a stream: bounded memory, resumable, never served half done.

A build lives in a folder of its own that nobody reads, and commits every `COMMIT_EVERY` documents.
Killed, it goes on after the last commit if it is given the same input again, else it begins anew.
When complete it takes the place of the source in one rename.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from inforce.errors import SearchIndexError
from inforce.retrieval.sources.bm25 import create_index
from inforce.retrieval.sources.bm25_writer import Bm25Writer, open_writer
from inforce.retrieval.sources.manifest import (
    Manifest,
    building_folder,
    publish,
    read_manifest,
    write_manifest,
)
from inforce.retrieval.sources.preparing import prepared
from inforce.retrieval.sources.source import SourceDocument, SourceName

COMMIT_EVERY = 200_000
"""Documents between commits: what a kill costs at most, half a minute of work."""

Progress = Callable[[int], None]
"""Told how many documents were put in since it was last told."""


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made."""

    documents: int
    """In the source now: of two with one id the later one counts."""
    resumed_at: int
    """Documents of the stream that a build killed earlier had put in; 0 for a fresh build."""


def build_bm25(
    folder: Path,
    source: SourceName,
    documents: Iterable[SourceDocument],
    *,
    fingerprint: str = "",
    progress: Progress | None = None,
    processes: int | None = None,
    commit_every: int = COMMIT_EVERY,
) -> Built:
    """Make the source in ``folder`` from documents, replacing what it held.

    Args:
        folder: where it will be served from.
        source: which source it is.
        documents: read once, in order. To continue a build, the first of them are passed over.
        fingerprint: names the input. A build that was killed is continued only where it is not
            empty and the same as before; else it is made anew.
        progress: told from time to time.
        processes: that prepare documents; by default one a core, 0 for none.
        commit_every: documents between commits.

    Raises:
        SearchIndexError: if another process is building it, or the disk is full.
    """
    building = building_folder(folder)
    wanted = Manifest(source=source, kind="bm25", fingerprint=fingerprint)
    continued = bool(fingerprint) and _unfinished(building) == wanted
    with open_writer(building, create_index(_ready(building)), source) as writer:
        if continued:
            writer.resume()
        else:
            writer.clear()
            write_manifest(building, wanted)
        resumed_at = writer.rows
        rest = islice(documents, resumed_at, None)
        _fill(writer, rest, progress=progress, processes=processes, commit_every=commit_every)
        count = writer.documents
    publish(folder)
    return Built(count, resumed_at)


def _fill(
    writer: Bm25Writer,
    documents: Iterable[SourceDocument],
    *,
    progress: Progress | None,
    processes: int | None,
    commit_every: int,
) -> None:
    committed = writer.rows
    for batch in prepared(documents, processes=processes):
        writer.put(batch)
        if writer.rows - committed >= commit_every:
            writer.commit()
            committed = writer.rows
        if progress:
            progress(len(batch.documents))
    writer.commit()


def _ready(building: Path) -> Path:
    """The folder of the build; one that cannot be opened any more is begun anew."""
    building.mkdir(parents=True, exist_ok=True)
    try:
        create_index(building)
    except SearchIndexError:
        shutil.rmtree(building)
        building.mkdir()
    return building


def _unfinished(building: Path) -> Manifest | None:
    """What a build killed earlier was making, if it can be continued."""
    try:
        return read_manifest(building)
    except SearchIndexError:
        return None
