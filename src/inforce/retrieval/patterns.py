"""Patterns: which questions are about a matter, by the words that occur in them.

The form of the tables of `data/topics` and of `data/english_questions.tsv`; the README of the
former describes it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from inforce.retrieval.glossary import beginnings, english_words

T = TypeVar("T")

Classes = Mapping[str, tuple[str, ...]]
"""Words that mean the same in a question, by the name of their class (``@how_long``)."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words that a question has, and words that it has not."""

    having: tuple[tuple[str, ...], ...]
    """Of each group one word at least."""
    lacking: tuple[str, ...] = ()


class _Words(NamedTuple):
    """A pattern of the entry at a place, its words as sets."""

    at: int
    having: tuple[frozenset[str], ...]
    lacking: frozenset[str]


class PatternIndex(Generic[T]):
    """Finds, of many entries with patterns, those that a question matches.

    The words that occur in a question are looked up once; patterns are then compared as sets.
    """

    def __init__(self, entries: Iterable[tuple[Sequence[Pattern], T]]) -> None:
        entries = tuple(entries)
        self.values = tuple(value for _, value in entries)
        self._patterns = [
            _Words(at, tuple(map(frozenset, one.having)), frozenset(one.lacking))
            for at, (patterns, _) in enumerate(entries)
            for one in patterns
        ]
        self._first: dict[str, list[int]] = defaultdict(list)
        """The patterns whose group of fewest words has a word; the others are looked at then."""
        words: set[str] = set()
        for place, pattern in enumerate(self._patterns):
            for word in min(pattern.having, key=len):
                self._first[word].append(place)
            words.update(*pattern.having, pattern.lacking)
        self._beginning: dict[str, list[str]] = defaultdict(list)
        """All words by their first two characters."""
        for word in words:
            self._beginning[word[:2]].append(word)

    def matching(self, question: str) -> list[tuple[T, int]]:
        """The entries a question matches, in order, with the characters of it they account for."""
        said = self._said(question)
        found: dict[int, int] = {}
        for place in {place for word in said for place in self._first.get(word, ())}:
            at, having, lacking = self._patterns[place]
            if lacking.isdisjoint(said) and not any(map(said.isdisjoint, having)):
                much = sum(max(map(len, group & said)) for group in having)
                found[at] = max(found.get(at, 0), much)
        return [(self.values[at], found[at]) for at in sorted(found)]

    def _said(self, question: str) -> set[str]:
        """The words of patterns that occur in a question."""
        return {
            word
            for beginning in self._beginning.keys() & beginnings(question)
            for word in self._beginning[beginning]
            if word in question
        }


def read_patterns(
    cell: str, classes: Classes | None = None, *, fold: Callable[[str], str] = str
) -> tuple[Pattern, ...]:
    """The patterns of a cell.

    Args:
        cell: ways to ask, with ``/`` between them.
        classes: of words.
        fold: how the words are written in the questions that are compared.

    Raises:
        KeyError: if a class is named that there is not.
        ValueError: if a pattern has no word to know a question by.
    """
    patterns = tuple(_pattern(one, classes or {}, fold) for one in cell.split("/"))
    if not all(pattern.having for pattern in patterns):
        raise ValueError("a question needs a word to know it by")
    return patterns


def alternatives(text: str) -> tuple[str, ...]:
    """The words of a group."""
    return tuple(filter(None, map(str.strip, text.split("|"))))


def fold_english(text: str) -> str:
    """English text as patterns compare it: in lower case, plurals as singulars, ``_`` around words.

    Of a word that ends in ``*`` the beginning is compared.

    >>> fold_english("Fired without notice"), fold_english("terminat*")
    ('_fired_without_notice_', '_terminat')
    """
    folded = f"_{'_'.join(english_words(text))}_"
    return folded.removesuffix("_") if text.endswith("*") else folded


_GROUPS = re.compile(r"\s*&\s*")


def _pattern(text: str, classes: Classes, fold: Callable[[str], str]) -> Pattern:
    groups = [group for group in _GROUPS.split(text.strip()) if group]
    having = (_group(group, classes, fold) for group in groups if not group.startswith("!"))
    lacking = (_group(group[1:], classes, fold) for group in groups if group.startswith("!"))
    return Pattern(tuple(having), tuple(word for group in lacking for word in group))


def _group(text: str, classes: Classes, fold: Callable[[str], str]) -> tuple[str, ...]:
    words = (classes[word] if word.startswith("@") else (word,) for word in alternatives(text))
    return tuple(dict.fromkeys(fold(word) for one in words for word in one))
