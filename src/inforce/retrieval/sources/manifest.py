"""The card at the front of a source's folder: which source it is, and how it is kept.

::

    sources/precedent/           the source that is served
        source.json              this card
        bm25/ and texts/         the index of the words, and the documents
        hybrid/                  or both in one, with vectors
    sources/precedent.building/  one being made; never served, renamed to the above when complete
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

import msgspec

from inforce.errors import SearchIndexError
from inforce.retrieval.sources.source import SourceName

FORMAT = 1

IndexKind = Literal["bm25", "hybrid"]
"""``bm25``: words only, for any number of documents. ``hybrid``: words and vectors, fused."""

StoredName = Literal["guideline", "precedent", "book", "interpretation"]
"""The sources that are made from files and kept."""

STORED_NAMES: tuple[StoredName, ...] = get_args(StoredName)

_FILE = "source.json"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder says of itself."""

    source: SourceName
    kind: IndexKind
    fingerprint: str = ""
    """Names the input of the build, so that a build that was killed continues with its own."""
    format: int = FORMAT


def building_folder(folder: Path) -> Path:
    """Where the next state of a source is made."""
    return folder.with_name(f"{folder.name}.building")


def served_folder(folder: Path) -> Path:
    """Where a source is read from: between the two renames of `publish`, what it is replacing."""
    old = replaced_folder(folder)
    return old if old.exists() and not folder.exists() else folder


def replaced_folder(folder: Path) -> Path:
    """What `publish` is about to delete."""
    return folder.with_name(f"{folder.name}.old")


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the card, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f"{_FILE}.new"
    temporary.write_bytes(msgspec.json.encode(manifest))
    temporary.replace(folder / _FILE)


def read_manifest(folder: Path) -> Manifest | None:
    """The card of a folder; ``None`` where there is none.

    Raises:
        SearchIndexError: if it is damaged, or of a format this release does not know.
    """
    try:
        data = (folder / _FILE).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        written = msgspec.json.decode(data)
        known = written["format"]
        if known != FORMAT:
            raise SearchIndexError(
                f"the source in {folder} has format {known}, this release reads {FORMAT}: "
                f"update inforce, or {repair(folder)}"
            )
        return msgspec.convert(written, Manifest)
    except (msgspec.DecodeError, KeyError, TypeError) as error:
        raise damaged(folder, error) from error


def damaged(folder: Path, error: BaseException) -> SearchIndexError:
    """The error for a source whose files do not fit together; it names the repair."""
    return SearchIndexError(f"the source in {folder} is damaged ({error}): {repair(folder)}")


@contextmanager
def naming_damage(folder: Path) -> Generator[None]:
    """Tantivy answers damaged files with a ValueError or a panic, which is no `Exception`."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, ValueError) or type(error).__name__ == "PanicException":
            raise damaged(folder, error) from error
        raise


def repair(folder: Path) -> str:
    """What to do about a source that cannot be read."""
    return f"make it anew with: inforce sources add {folder.name} FILE... --rebuild"


def publish(folder: Path) -> None:
    """Serve what was built: one rename; what was served before goes."""
    old = replaced_folder(folder)
    if folder.exists():
        shutil.rmtree(old, ignore_errors=True)
        folder.rename(old)
    building_folder(folder).rename(folder)
    if os.name == "posix":
        handle = os.open(folder.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    shutil.rmtree(old, ignore_errors=True)
