"""Sentences of a text in Chinese or English, with their places, and how alike two of them are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from inforce.retrieval.tokens import tokenize

_END = re.compile(r"[。！？!?；;]+[”’」』）)\"']*|\n+|(?<=[\w)\"”][.])\s+(?=[A-Z“\"(§\d])")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of a text."""

    start: int
    end: int


def sentences(text: str, *, longest: int) -> Iterator[Sentence]:
    """The sentences of a text in order, blanks around them left out.

    A sentence longer than ``longest`` characters is cut into pieces of that length.
    """
    start = 0
    for stop in [*(match.end() for match in _END.finditer(text)), len(text)]:
        first, last = start, stop
        start = stop
        while first < last and text[first].isspace():
            first += 1
        while first < last and text[last - 1].isspace():
            last -= 1
        for piece in range(first, last, longest):
            yield Sentence(piece, min(piece + longest, last))


def token_f1(left: Counter[str], right: Counter[str]) -> float:
    """Token-level F1: the harmonic mean of the shares of tokens two texts have in common.

    >>> round(token_f1(tokens_of("故意杀人的，处死刑"), tokens_of("故意杀人")), 2)
    0.57
    """
    common = (left & right).total()
    return 2 * common / (left.total() + right.total()) if common else 0.0


def tokens_of(text: str) -> Counter[str]:
    """The index terms of a text, counted."""
    return Counter(tokenize(text))
