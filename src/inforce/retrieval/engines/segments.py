"""What an index keeps on disk beside its lexicon, so that a crash leaves the last commit.

Every commit writes one new segment folder, then replaces ``manifest.json`` in one rename; a
reader looks at the manifest only, so a half-written segment is never seen. Rows are numbered
across segments in the order of commits and never renumbered::

    manifest.json            format, encoder, rows, segments in order, deleted rows, graph, note
    segments/000001/         valid.npy, vectors.npy, payload.npy, offsets.npy, keys.json
    deleted-000002.npy       rows that no longer count
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inforce.errors import SearchIndexError
from inforce.retrieval.encoders.lsa import Matrix
from inforce.retrieval.engines.validity import Windows

FORMAT = 1
MERGE_ABOVE = 24
"""More segments than this are merged into one at the next commit."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The state of an index after a commit."""

    encoder: str
    dimension: int
    commit: int = 0
    rows: int = 0
    segments: tuple[str, ...] = ()
    deleted: str = ""
    graph: str = ""
    note: str = ""
    """Free for the owner of the index; statute search keeps the corpus snapshot here."""
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class Segment:
    """The rows of one commit."""

    keys: tuple[str, ...]
    valid: Windows
    vectors: Matrix
    payloads: Payloads


@dataclass(frozen=True, slots=True)
class Payloads:
    """Texts of rows, concatenated: row i is ``blob[offsets[i]:offsets[i + 1]]``, UTF-8."""

    blob: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Payloads:
        """Pack texts."""
        encoded = [text.encode() for text in texts]
        offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __getitem__(self, row: int) -> str:
        return self.blob[self.offsets[row] : self.offsets[row + 1]].tobytes().decode()

    def __len__(self) -> int:
        return len(self.offsets) - 1


def read_manifest(folder: Path) -> Manifest | None:
    """The last committed state, or ``None`` where no index was ever committed.

    Raises:
        SearchIndexError: if the manifest is damaged or of another format.
    """
    path = folder / "manifest.json"
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        fields["segments"] = tuple(fields["segments"])
        manifest = Manifest(**fields)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise SearchIndexError(f"{path} is damaged ({error}): {_REBUILD}") from error
    if manifest.format != FORMAT:
        raise SearchIndexError(f"{path} has format {manifest.format}, not {FORMAT}: {_REBUILD}")
    return manifest


_REBUILD = "rebuild it with: inforce corpus index --rebuild"


def commit(folder: Path, manifest: Manifest) -> None:
    """Make a state the last committed one, in one rename that survives a power cut."""
    temporary = folder / "manifest.json.new"
    with temporary.open("w", encoding="utf-8") as file:
        json.dump(asdict(manifest), file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / "manifest.json")
    _flush(folder)


def _flush(path: Path) -> None:
    """Wait until a file, or the list of files of a folder, is on the disk (POSIX only)."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_segment(folder: Path, manifest: Manifest, segment: Segment) -> Manifest:
    """Write the rows of a commit and return the manifest that will include them."""
    name = f"{manifest.commit + 1:06d}"
    target = folder / "segments" / name
    shutil.rmtree(target, ignore_errors=True)  # left by a commit that never finished
    target.mkdir(parents=True)
    np.save(target / "valid.npy", segment.valid)
    np.save(target / "vectors.npy", segment.vectors)
    np.save(target / "offsets.npy", segment.payloads.offsets)
    np.save(target / "payload.npy", segment.payloads.blob)
    (target / "keys.json").write_text(json.dumps(segment.keys, ensure_ascii=False), "utf-8")
    for path in [*target.iterdir(), target, target.parent]:
        _flush(path)
    return replace(
        manifest,
        commit=manifest.commit + 1,
        rows=manifest.rows + len(segment.keys),
        segments=(*manifest.segments, name),
    )


def write_deleted(folder: Path, manifest: Manifest, rows: NDArray[np.int64]) -> Manifest:
    """Write the rows that no longer count and return the manifest that will name them."""
    name = f"deleted-{manifest.commit + 1:06d}.npy"
    np.save(folder / name, rows)
    _flush(folder / name)
    return replace(manifest, commit=manifest.commit + 1, deleted=name)


def read_deleted(folder: Path, manifest: Manifest) -> NDArray[np.int64]:
    """The rows that no longer count.

    Raises:
        SearchIndexError: if the file is missing or damaged.
    """
    if not manifest.deleted:
        return np.zeros(0, dtype=np.int64)
    with _naming_damage(folder / manifest.deleted):
        return np.load(folder / manifest.deleted)


def read_segment(folder: Path, name: str, *, keys: bool = False) -> Segment:
    """Open a segment; arrays stay on disk until touched. Keys are read only where asked for.

    Raises:
        SearchIndexError: if a file is missing or damaged.
    """
    target = folder / "segments" / name
    with _naming_damage(target):
        return Segment(
            tuple(json.loads((target / "keys.json").read_text("utf-8"))) if keys else (),
            np.load(target / "valid.npy"),
            np.load(target / "vectors.npy", mmap_mode="r"),
            Payloads(
                np.load(target / "payload.npy", mmap_mode="r"), np.load(target / "offsets.npy")
            ),
        )


@contextmanager
def _naming_damage(path: Path) -> Generator[None]:
    try:
        yield
    except (OSError, ValueError, EOFError) as error:
        raise SearchIndexError(f"{path} is damaged ({error}): {_REBUILD}") from error


def join(parts: Sequence[Segment]) -> Segment:
    """One segment with the rows of several, in order."""
    sizes = [int(part.payloads.offsets[-1]) for part in parts]
    shifts = np.cumsum([0, *sizes[:-1]])
    offsets = [
        part.payloads.offsets[:-1] + shift for part, shift in zip(parts, shifts, strict=True)
    ]
    return Segment(
        tuple(key for part in parts for key in part.keys),
        np.concatenate([part.valid for part in parts]),
        np.concatenate([part.vectors for part in parts]),
        Payloads(
            np.concatenate([part.payloads.blob for part in parts]),
            np.concatenate([*offsets, np.asarray([sum(sizes)], dtype=np.int64)]),
        ),
    )


def merge(folder: Path, manifest: Manifest) -> Manifest:
    """Write all segments as one, keeping row numbers, and return the manifest that will use it."""
    whole = join([read_segment(folder, name, keys=True) for name in manifest.segments])
    return write_segment(folder, replace(manifest, segments=(), rows=0), whole)


def sweep(folder: Path, manifest: Manifest) -> None:
    """Remove what the manifest no longer names (readers that still use it keep it open)."""
    for path in (folder / "segments").glob("*"):
        if path.name not in manifest.segments:
            shutil.rmtree(path, ignore_errors=True)
    for path in [*folder.glob("deleted-*.npy"), *folder.glob("graph-*.faiss")]:
        if path.name not in (manifest.deleted, manifest.graph):
            path.unlink(missing_ok=True)
