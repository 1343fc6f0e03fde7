"""Documents written by hand in which every citation is marked as right or wrong.

``[[+|…]]`` is right; ``[[-misquoted|…]]`` is wrong, and these are the findings that name the error.
A line ``=== 律师函`` begins a document and says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inforce.verification.findings import Finding

_HEAD = re.compile(r"^=== ?(.*)\n", re.M)
_MARK = re.compile(r"\[\[(\+|-[a-z_,]+)\||\]\]")


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a document, and what is to be found of them."""

    start: int
    end: int
    errors: frozenset[str]
    """The kinds of finding that name the error; empty where the words are right."""


@dataclass(frozen=True, slots=True)
class MarkedDocument:
    """A document without its marks."""

    sort: str
    """Judgment, letter, essay, …"""
    text: str
    passages: tuple[Passage, ...]


@dataclass(slots=True)
class MarkedScores:
    """What was found of the marked passages of some documents."""

    errors: int = 0
    found: int = 0
    named: int = 0
    right: int = 0
    accused: int = 0
    mistakes: list[str] = field(default_factory=list[str])

    def add(self, document: MarkedDocument, findings: Iterable[Finding]) -> None:
        """Count one document."""
        wrong = [one for one in findings if one.is_wrong]
        for passage in document.passages:
            here = [one for one in wrong if one.start < passage.end and passage.start < one.end]
            words = document.text[passage.start : passage.end]
            if not passage.errors:
                self.right += 1
                self.accused += bool(here)
                if here:
                    self.mistakes.append(f"accused, {document.sort}: {words}")
                continue
            self.errors += 1
            self.found += bool(here)
            self.named += any(one.kind in passage.errors for one in here)
            if not here:
                self.mistakes.append(f"missed, {document.sort}: {words}")


def read_marked(written: str) -> Iterator[MarkedDocument]:
    """The documents of a file.

    >>> [one] = read_marked(f"=== 律师函{chr(10)}依照[[+|刑法第七十四条]]。")
    >>> one.text, one.passages[0].start
    ('依照刑法第七十四条。', 2)
    """
    parts = _HEAD.split(written)[1:]
    for sort, body in zip(parts[::2], parts[1::2], strict=True):
        text, passages, at = "", list[Passage](), 0
        opened: list[tuple[int, str]] = []
        for mark in _MARK.finditer(body):
            text, at = text + body[at : mark.start()], mark.end()
            if mark[1]:
                opened.append((len(text), mark[1]))
            else:
                start, kinds = opened.pop()
                errors = frozenset(kinds[1:].split(",")) - {""}
                passages.append(Passage(start, len(text), errors))
        yield MarkedDocument(sort, text + body[at:], tuple(passages))
