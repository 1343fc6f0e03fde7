"""Finds provisions, of any law and time, that share words with a text (text reuse).

Every wording the corpus holds is reduced to fingerprints: hashes of runs of eight characters, of
which the least in every five neighbours is stored (winnowing; Schleimer, Wilkerson and Aiken,
SIGMOD 2003). Any twelve characters in a row that a text shares with a wording are found. Blanks,
punctuation and the width of characters do not count.

The fingerprints are two sorted arrays beside the corpus, mapped into memory and made anew when
the corpus has changed. A text is looked up in the arrays' order, part by part, and each part of
them is let go of: a long text reads nearly all of them, but never has all of them in memory.
"""

from __future__ import annotations

import mmap
import os
import shutil
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from inforce.corpus.store import Corpus, StoredText

RUN = 8
"""Characters a fingerprint is made of."""
WINDOW = 5
"""Neighbouring fingerprints of which at least one is stored."""
MOST_OWNERS = 400
"""A run that more wordings have is a set phrase and points to none of them."""

_STRETCH = 2**18
"""Fingerprints looked through at a time, after which the pages that hold them are let go of:
bounds the memory a long text takes."""
_CHUNK = 4_000
"""Wordings hashed at a time: bounds the memory the building takes."""
_FARTHEST = 40
"""Characters without a shared run that two parts of one passage may be apart."""
_FEWEST_RUNS = 2
"""Shared runs below which a likeness is chance."""
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
_FILES = ("hashes", "owners", "texts")

_BACKSLASH = "\\"
_BREAKS = np.array([ord(one) for one in "nrt"], np.uint32)

Codes = NDArray[np.uint32]


class Folded(NamedTuple):
    """A text for comparison: letters and digits in one width, with the origin of each."""

    text: str
    origins: NDArray[np.int64]
    """For each character of ``text``, its place in the original."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the original that ``text[start:end]`` comes from."""
        return int(self.origins[start]), int(self.origins[end - 1]) + 1

    def between(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of ``text`` that comes from ``original[start:end]``."""
        first, last = np.searchsorted(self.origins, (start, end))
        return int(first), int(last)


def fold(text: str) -> Folded:
    """Return a text without what does not count in a comparison of words.

    >>> fold("对于累犯， 不适用缓刑。").text
    '对于累犯不适用缓刑'
    """
    codes = _codes(text)
    folded = _folded_codes(codes)
    if _BACKSLASH in text:  # breaks of lines that were written out (\\n), as in records of models
        folded[1:][(codes[:-1] == ord(_BACKSLASH)) & np.isin(codes[1:], _BREAKS)] = 0
    origins = np.flatnonzero(folded)
    return Folded(folded[origins].astype("<u4").tobytes().decode("utf-32-le"), origins)


def _folded_codes(codes: Codes) -> Codes:
    """Return each character as it is compared; 0 for those that do not count."""
    distinct, where = np.unique(codes, return_inverse=True)
    return np.array([_folded(chr(code)) for code in distinct], dtype=np.uint32)[where]


def _folded(character: str) -> int:
    """Return the code of a character as it is compared; 0 for one that does not count."""
    plain = unicodedata.normalize("NFKC", character).casefold()[:1]
    return ord(plain) if plain.isalnum() else 0


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode("utf-32-le", errors="replace"), dtype="<u4")


class Passage(NamedTuple):
    """A stretch of a text that shares words with a wording."""

    text_id: int
    """The id of the wording, as `inforce.corpus.store.Corpus.stored_texts` numbers them."""
    start: int
    end: int
    """In the folded text; what is shared, without what may differ before and after it."""
    runs: int
    """How many stored runs are shared."""


@dataclass(frozen=True, slots=True)
class WordingIndex:
    """The fingerprints of every wording of a corpus; use `open_wordings`."""

    hashes: NDArray[np.uint32]
    owners: NDArray[np.uint32]
    texts: NDArray[np.int64]

    def passages(self, folded: Folded) -> tuple[Passage, ...]:
        """Return the stretches of a text that wordings share, those with most in common first."""
        positions, owners = self._hits(folded)
        if not len(positions):
            return ()
        order = np.lexsort((positions, owners))
        positions, owners = positions[order], owners[order]
        breaks = (np.diff(owners) != 0) | (np.diff(positions) > _FARTHEST)
        starts = np.concatenate(([0], np.flatnonzero(breaks) + 1))
        ends = np.concatenate((starts[1:], [len(positions)]))
        enough = ends - starts >= _FEWEST_RUNS
        found = [
            Passage(
                int(self.texts[owners[start]]),
                int(positions[start]),
                int(positions[end - 1]) + RUN,
                int(end - start),
            )
            for start, end in zip(starts[enough], ends[enough], strict=True)
        ]
        return tuple(sorted(found, key=lambda one: (-one.runs, one.start, one.text_id)))

    def _hits(self, folded: Folded) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """Return the places of a text where a stored run begins, each with a wording of it."""
        wanted = _narrow(_runs(_codes(folded.text)))
        order = np.argsort(wanted, kind="stable")
        edges = np.searchsorted(wanted[order], self.hashes[_STRETCH::_STRETCH])
        places, owners = [np.zeros(0, np.int64)], [np.zeros(0, np.uint32)]
        for part in np.split(order, edges):
            if not len(part):
                continue
            first = np.searchsorted(self.hashes, wanted[part], side="left")
            counts = np.searchsorted(self.hashes, wanted[part], side="right") - first
            counts[counts > MOST_OWNERS] = 0
            within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
            places.append(np.repeat(part, counts))
            owners.append(self.owners[np.repeat(first, counts) + within])
            _let_go(self.hashes)
            _let_go(self.owners)
        return np.concatenate(places), np.concatenate(owners)


def _let_go(array: NDArray[np.uint32]) -> None:
    """Take the pages of a mapped array out of this process; they come back when they are read."""
    mapped = getattr(array, "_mmap", None)
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _runs(codes: Codes) -> NDArray[np.uint64]:
    """Return a hash of the run of characters that begins at each place."""
    number = len(codes) - RUN + 1
    if number <= 0:
        return np.zeros(0, np.uint64)
    hashes = np.zeros(number, np.uint64)
    for offset in range(RUN):
        hashes = hashes * _MULTIPLIER + codes[offset : offset + number].astype(np.uint64)
        hashes ^= hashes >> np.uint64(29)
    return hashes * _MULTIPLIER  # else the last character would hardly reach the upper half


def _narrow(hashes: NDArray[np.uint64]) -> NDArray[np.uint32]:
    return (hashes >> np.uint64(32)).astype(np.uint32)


def _winnowed(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the places whose hash is the least of some window of neighbours."""
    edge = np.full(WINDOW - 1, _NONE)
    padded = np.concatenate((edge, hashes, edge))
    windows = len(hashes) + WINDOW - 1
    least = padded[:windows].copy()
    for offset in range(1, WINDOW):
        np.minimum(least, padded[offset : offset + windows], out=least)
    best = least[: len(hashes)].copy()
    for offset in range(1, WINDOW):
        np.maximum(best, least[offset : offset + len(hashes)], out=best)
    return np.flatnonzero((best == hashes) & (hashes != _NONE))


def open_wordings(
    corpus: Corpus, folder: Path, *, progress: Callable[[int], None] | None = None
) -> WordingIndex:
    """Open the fingerprints of a corpus: those stored in a folder, or made now and stored there.

    A folder that cannot be written to is no reason to fail: they are then made for this process.
    """
    path = folder / f"wordings-{corpus.snapshot()[:16]}"
    with suppress(OSError, ValueError, EOFError):
        return _mapped(path)
    index = _built(corpus.stored_texts(), progress)
    with suppress(OSError):
        _store(index, path)
    with suppress(OSError, ValueError, EOFError):  # stored now, or by another process meanwhile
        return _mapped(path)
    return index


def _mapped(path: Path) -> WordingIndex:
    """Open the arrays in a folder.

    Raises:
        OSError, ValueError, EOFError: if it is missing or damaged.
    """
    index = WordingIndex(*(np.load(path / f"{name}.npy", mmap_mode="r") for name in _FILES))
    if len(index.hashes) != len(index.owners):
        raise ValueError("the arrays do not go together")
    return index


def _store(index: WordingIndex, path: Path) -> None:
    """Write the arrays under another name first: a folder of this name is always whole.

    What is left of other states is removed, and what was damaged; not what another process is
    writing of this one.
    """
    for old in path.parent.glob("wordings-*"):
        if not old.name.startswith(f"{path.name}."):
            shutil.rmtree(old, ignore_errors=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    partial.mkdir(parents=True)
    try:
        for name in _FILES:
            np.save(partial / f"{name}.npy", getattr(index, name))
        partial.rename(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _built(stored: Iterable[StoredText], progress: Callable[[int], None] | None) -> WordingIndex:
    hashes, owners, texts = list[NDArray[np.uint32]](), list[NDArray[np.uint32]](), list[int]()
    remaining = iter(stored)
    while chunk := list(islice(remaining, _CHUNK)):
        found, of = _fingerprints([one.text for one in chunk])
        hashes.append(found)
        owners.append((of + len(texts)).astype(np.uint32))
        texts += [one.id for one in chunk]
        if progress:
            progress(len(chunk))
    joined = np.concatenate(hashes) if hashes else np.zeros(0, np.uint32)
    owned = np.concatenate(owners) if owners else np.zeros(0, np.uint32)
    order = np.lexsort((owned, joined))
    return WordingIndex(joined[order], owned[order], np.array(texts, np.int64))


def _fingerprints(texts: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the runs of some texts that are to be stored, and the text each is of."""
    folded = _folded_codes(_codes("".join(texts)))
    counts = folded != 0
    owners = np.repeat(np.arange(len(texts)), [len(text) for text in texts])[counts]
    ends = np.cumsum(np.bincount(owners, minlength=len(texts)))
    hashes = _runs(folded[counts])
    owner = owners[: len(hashes)]
    crossing = np.arange(len(hashes)) + RUN > ends[owner]
    hashes[crossing] = _NONE
    chosen = _winnowed(hashes)
    return _narrow(hashes[chosen]), owner[chosen]


def by_text(passages: Iterable[Passage]) -> dict[int, list[Passage]]:
    """Group the passages of one text by the wording they share words with."""
    found: defaultdict[int, list[Passage]] = defaultdict(list)
    for passage in passages:
        found[passage.text_id].append(passage)
    return dict(found)
