"""The difference between two wordings of a provision, word by word, as values.

>>> for piece in diff("对于累犯，不适用缓刑。", "对于累犯和犯罪集团的首要分子，不适用缓刑。"):
...     print(piece.kind, piece.text)
equal 对于累犯
inserted 和犯罪集团的首要分子
equal ，不适用缓刑。
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

PieceKind = Literal["equal", "deleted", "inserted"]

_MOST_MATCHES = 100_000
"""Pairs of equal words. Texts with more are compared by paragraphs, so that the time is bounded."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that both wordings have, or only the earlier, or only the later one."""

    kind: PieceKind
    text: str


Splitter = Callable[[str], Sequence[str]]
"""Cuts a text into the words that are compared; joined they give the text."""


def dictionary_words(text: str) -> Sequence[str]:
    """Words by dictionary; characters where the segmenter does not give the text back exactly."""
    import rjieba  # here, because the dictionary takes a moment to load, and 32 MB

    words = rjieba.cut(text)
    return words if "".join(words) == text else list(text)


def diff(old: str, new: str, *, words: Splitter = dictionary_words) -> tuple[Piece, ...]:
    """The pieces that turn an earlier wording into a later one, in reading order.

    Equal and deleted pieces joined give ``old``; equal and inserted pieces joined give ``new``.
    Neighbouring pieces differ in kind, and where both occur the deletion comes first.

    Args:
        old: the earlier wording.
        new: the later wording.
        words: cuts both into what is compared.
    """
    runs = groupby(_changes(old, new, words), key=lambda change: change.is_equal)
    joined = (sum(run, start=_Change("", "")) for _, run in runs)
    return tuple(piece for change in _tidied(joined) for piece in change.pieces())


def changed_share(old: str, new: str) -> float:
    """The share of characters that changed, 0 to 1: those deleted and inserted, of those in both.

    Spaces and line breaks do not count. 0 is the same wording, 1 nothing in common.
    """
    changed = total = 0
    for piece in diff(old, new):
        length = len("".join(piece.text.split()))
        total += 2 * length if piece.kind == "equal" else length
        changed += 0 if piece.kind == "equal" else length
    return changed / total if total else 0.0


@dataclass(frozen=True, slots=True)
class _Change:
    """A stretch of the earlier wording and what replaced it; equal where nothing changed."""

    old: str
    new: str

    @property
    def is_equal(self) -> bool:
        return self.old == self.new

    @property
    def is_replacement(self) -> bool:
        return bool(self.old and self.new) and not self.is_equal

    @property
    def is_island(self) -> bool:
        """One unchanged character: between two replacements it only disturbs the reading."""
        return self.is_equal and len(self.old) == 1

    def __add__(self, other: _Change) -> _Change:
        return _Change(self.old + other.old, self.new + other.new)

    def pieces(self) -> Iterator[Piece]:
        if self.is_equal:
            yield Piece("equal", self.old)
            return
        if self.old:
            yield Piece("deleted", self.old)
        if self.new:
            yield Piece("inserted", self.new)


def _changes(old: str, new: str, split: Splitter) -> Iterator[_Change]:
    old_words, new_words = split(old), split(new)
    if _comparable(old_words, new_words):
        yield from _matched(old_words, new_words)
        return
    old_lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if not _comparable(old_lines, new_lines):
        yield _Change(old, new)
        return
    for change in _matched(old_lines, new_lines):
        words = split(change.old), split(change.new)
        if change.is_replacement and _comparable(*words):
            yield from _matched(*words)
        else:
            yield change


def _comparable(old: Sequence[str], new: Sequence[str]) -> bool:
    others = Counter(new)
    return sum(count * others[item] for item, count in Counter(old).items()) <= _MOST_MATCHES


def _matched(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for _, i, j, k, m in matcher.get_opcodes():
        yield _Change("".join(old[i:j]), "".join(new[k:m]))


def _tidied(changes: Iterable[_Change]) -> list[_Change]:
    """Changes without the islands between two replacements: these and the island become one."""
    tidy: list[_Change] = []
    for change in changes:
        while (
            change.is_replacement
            and len(tidy) > 1
            and tidy[-1].is_island
            and tidy[-2].is_replacement
        ):
            island, before = tidy.pop(), tidy.pop()
            change = before + island + change
        tidy.append(change)
    return tidy
