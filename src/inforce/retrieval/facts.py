"""What ranking needs to know of each provision, without opening its payload.

A few numbers a row: the law, the chapter, the kind of work, the length, the wording. They are
computed once, when the index is brought up to date, and stored beside it; an index without
the file (made on another machine) is read in full when it is first searched.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from inforce.law.kinds import WorkKind, kind_of
from inforce.law.places import Place, place_of
from inforce.retrieval.asked import chapter_group, fingerprint, law_group
from inforce.retrieval.documents import wording_of
from inforce.retrieval.glossary import short_title
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
    """The fields of `inforce.retrieval.documents.ProvisionText.payload` that count here."""

    work: str
    text: str
    path: str = ""


_decode = msgspec.json.Decoder(_Payload).decode


@dataclass(frozen=True)
class ProvisionFacts:
    """Columns over the rows of an index."""

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
    def places(self) -> tuple[Place | None, ...]:
        """The place of each work that is local."""
        local = KINDS.index("local")
        return tuple(
            place_of(work) if kind == local else None
            for work, kind in zip(self.works, self.kinds.tolist(), strict=True)
        )

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The `short_title` of each work."""
        return tuple(map(short_title, self.works))

    @cached_property
    def of_places(self) -> NDArray[np.bool_]:
        """Whether each work is of a place that is known."""
        return np.asarray([place is not None for place in self.places], dtype=np.bool_)

    @cached_property
    def are_local(self) -> NDArray[np.bool_]:
        """Whether each work holds in a place only, known or not."""
        return self.of_places | (self.kinds == KINDS.index("local"))

    def kind(self, row: int) -> WorkKind:
        """The kind of the work of a row."""
        return KINDS[self.kinds[self.rows["work"][row]]]

    def write(self, folder: Path) -> None:
        """Write the file, in place of an earlier one."""
        folder.mkdir(parents=True, exist_ok=True)
        names = json.dumps([_FORM, self.works, self.chapters], ensure_ascii=False).encode()
        temporary = folder / f".{_FILE}.{os.getpid()}"
        with temporary.open("wb") as file:
            np.savez(file, names=np.frombuffer(names, dtype=np.uint8), rows=self.rows)
        temporary.replace(folder / _FILE)


class GrowingFacts:
    """Facts of provisions that come one after the other, in the order of their rows.

    Args:
        facts: of the provisions before them.
    """

    def __init__(self, facts: ProvisionFacts | None = None) -> None:
        facts = facts or _EMPTY
        self._works, self._chapters = _numbered(facts.works), _numbered(facts.chapters)
        self._arrays = [facts.rows]
        self._waiting: list[tuple[int, int, int, int, bool]] = []

    def add(self, payload: str, wording: str = "") -> None:
        """The next provision, with the `fingerprint` of its text where that is known."""
        provision = _decode(payload)
        known = wording or fingerprint(provision.text)
        self._waiting.append(_row(provision, known, self._works, self._chapters))
        if len(self._waiting) == _CHUNK:
            self._store()

    def noting(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Hand documents on, with their provisions added."""
        for document in documents:
            self.add(document.payload, wording_of(document))
            yield document

    @property
    def so_far(self) -> ProvisionFacts:
        """Those of all provisions that came."""
        self._store()
        rows = np.concatenate(self._arrays)
        return ProvisionFacts(tuple(self._works), tuple(self._chapters), rows)

    def _store(self) -> None:
        self._arrays.append(np.asarray(self._waiting, dtype=_ROW))
        self._waiting = []


def read_facts(folder: Path | None, snapshot: Snapshot) -> ProvisionFacts:
    """The facts of the provisions of an index; those that the file lacks are read, and written."""
    facts = _read(folder) if folder else _EMPTY
    if len(facts.rows) > snapshot.rows:
        facts = _EMPTY
    known = len(facts.rows)
    if known < snapshot.rows:
        growing = GrowingFacts(facts)
        for start in range(known, snapshot.rows, _CHUNK):
            rows = range(start, min(start + _CHUNK, snapshot.rows))
            for payload in snapshot.payloads(rows):
                growing.add(payload)
        facts = growing.so_far
    if folder and known < snapshot.rows:
        with suppress(OSError):  # a folder that may not be written to: they are read again
            facts.write(folder)
    return facts


def _read(folder: Path) -> ProvisionFacts:
    """What the file holds; nothing, where there is none, or it is damaged or of another form."""
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
    return ProvisionFacts(tuple(works), tuple(chapters), rows)


_EMPTY = ProvisionFacts((), (), np.zeros(0, dtype=_ROW))


def _numbered(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _row(
    provision: _Payload, wording: str, works: dict[str, int], chapters: dict[str, int]
) -> tuple[int, int, int, int, bool]:
    chapter = chapter_group(provision.work, provision.path)
    text = provision.text
    return (
        works.setdefault(provision.work, len(works)),
        chapters.setdefault(chapter, len(chapters)),
        len(text),
        int(wording, 16),
        len(text) < _FORMAL_LENGTH and _FORMAL.search(text) is not None,
    )
