"""Metadata of indexed provisions, which ranking needs without opening their payloads.

A few numbers a row: the law, the chapter, the kind of work, the length, the wording. They are
computed once, when the index is brought up to date, and stored beside it as ``facts.npz``. Where
the file is missing (the index was made on another machine) the whole index is read at the first
search.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from inforce.law.regions import Region, region_of
from inforce.law.work_kinds import WorkKind, kind_of
from inforce.retrieval.glossary import short_title
from inforce.retrieval.known_questions import chapter_group, fingerprint, law_group
from inforce.retrieval.provisions import wording_of
from inforce.store import Document, Snapshot

KINDS: tuple[WorkKind, ...] = get_args(WorkKind)

_FILE = "facts.npz"
_FORM = 1
_CHUNK = 4096

_ROW = np.dtype(
    [("work", "<i4"), ("chapter", "<i4"), ("length", "<i4"), ("wording", "<u8"), ("formal", "?")]
)
_FORMAL = re.compile(r"制定本[法条规办细解]|自.{2,14}起(?:施行|实施)|负责解释|同时废止")
_FORMAL_LENGTH = 200
"""Articles that say why, since when and by whom an act is made answer no question but that."""


class _Payload(msgspec.Struct):
    """Some fields of `inforce.retrieval.provisions.ProvisionText.payload`."""

    work: str
    text: str
    path: str = ""


_decode = msgspec.json.Decoder(_Payload).decode


@dataclass(frozen=True)
class ProvisionMetadata:
    """Metadata of the provisions of an index, by row."""

    works: tuple[str, ...]
    chapters: tuple[str, ...]
    """`chapter_group` of each."""
    rows: NDArray[Any]
    """One `_ROW` a row; ``work`` and ``chapter`` point into the tuples."""

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """The kind of each work, as its place in `KINDS`."""
        return np.asarray([KINDS.index(kind_of(work)) for work in self.works], dtype=np.int64)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The `law_group` of each work."""
        return tuple(law_group(work) for work in self.works)

    @cached_property
    def places(self) -> tuple[Region | None, ...]:
        """The place of each work that is local."""
        local = KINDS.index("local")
        return tuple(
            region_of(work) if kind == local else None
            for work, kind in zip(self.works, self.kinds.tolist(), strict=True)
        )

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The `short_title` of each work."""
        return tuple(map(short_title, self.works))

    @cached_property
    def has_place(self) -> NDArray[np.bool_]:
        """For each work, whether it is local law of a place that is known."""
        return np.asarray([place is not None for place in self.places], dtype=np.bool_)

    @cached_property
    def is_local(self) -> NDArray[np.bool_]:
        """For each work, whether it is local law, of a known place or not."""
        return self.has_place | (self.kinds == KINDS.index("local"))

    def write(self, folder: Path) -> None:
        """Write the file, replacing an earlier one."""
        folder.mkdir(parents=True, exist_ok=True)
        names = json.dumps([_FORM, self.works, self.chapters], ensure_ascii=False).encode()
        temporary = folder / f".{_FILE}.{os.getpid()}"
        with temporary.open("wb") as file:
            np.savez(file, names=np.frombuffer(names, dtype=np.uint8), rows=self.rows)
        temporary.replace(folder / _FILE)


class MetadataBuilder:
    """Collects the metadata of provisions in the order of their rows.

    Args:
        before: metadata of the rows before them.
    """

    def __init__(self, before: ProvisionMetadata | None = None) -> None:
        before = before or _EMPTY
        self._works = {name: number for number, name in enumerate(before.works)}
        self._chapters = {name: number for number, name in enumerate(before.chapters)}
        self._arrays = [before.rows]
        self._waiting: list[tuple[int, int, int, int, bool]] = []

    def add(self, payload: str, wording: str = "") -> None:
        """Add the next provision, with the `fingerprint` of its text where that is known."""
        provision = _decode(payload)
        work, text = provision.work, provision.text
        chapter = chapter_group(work, provision.path)
        self._waiting.append(
            (
                self._works.setdefault(work, len(self._works)),
                self._chapters.setdefault(chapter, len(self._chapters)),
                len(text),
                int(wording or fingerprint(text), 16),
                len(text) < _FORMAL_LENGTH and _FORMAL.search(text) is not None,
            )
        )
        if len(self._waiting) == _CHUNK:
            self._store()

    def adding(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield documents on, adding the provision of each."""
        for document in documents:
            self.add(document.payload, wording_of(document))
            yield document

    def build(self) -> ProvisionMetadata:
        """Return the metadata of all provisions so far."""
        self._store()
        rows = np.concatenate(self._arrays)
        return ProvisionMetadata(tuple(self._works), tuple(self._chapters), rows)

    def _store(self) -> None:
        self._arrays.append(np.asarray(self._waiting, dtype=_ROW))
        self._waiting = []


def read_metadata(folder: Path | None, snapshot: Snapshot) -> ProvisionMetadata:
    """Return the metadata of an index: that of the file, completed from the index.

    The file is brought up to date, unless it cannot be written: then rows are read again next time.
    """
    found = _read(folder) if folder else _EMPTY
    if len(found.rows) > snapshot.rows:
        found = _EMPTY
    known = len(found.rows)
    if known == snapshot.rows:
        return found
    builder = MetadataBuilder(found)
    for start in range(known, snapshot.rows, _CHUNK):
        for payload in snapshot.payloads(range(start, min(start + _CHUNK, snapshot.rows))):
            builder.add(payload)
    found = builder.build()
    if folder:
        with suppress(OSError):
            found.write(folder)
    return found


def _read(folder: Path) -> ProvisionMetadata:
    """Return what the file has; nothing if it is missing, damaged or of another form."""
    try:
        with (
            (folder / _FILE).open("rb") as file,  # numpy leaves one that is damaged open
            np.load(file, allow_pickle=False) as arrays,
        ):
            form, works, chapters = json.loads(arrays["names"].tobytes())
            rows = arrays["rows"]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error):
        return _EMPTY
    if form != _FORM or rows.dtype != _ROW:
        return _EMPTY
    return ProvisionMetadata(tuple(works), tuple(chapters), rows)


_EMPTY = ProvisionMetadata((), (), np.zeros(0, dtype=_ROW))
