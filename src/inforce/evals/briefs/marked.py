"""Documents written by hand in which every citation is marked as right or wrong.

``[[+|…]]`` is right; ``[[-misquoted|…]]`` is wrong, and these are the findings that name the error;
of ``[[?|…]]`` nothing can be said: its law is not held. A line ``=== 律师函`` begins a document and
says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from inforce.verification.findings import Finding

_HEAD = re.compile(r"^=== ?(.*)\n", re.M)
_MARK = re.compile(r"\[\[(\+|\?|-[a-z_,]+)\||\]\]")


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a document, and what is to be found of them."""

    start: int
    end: int
    errors: frozenset[str]
    """The kinds of finding that name the error; empty where the words are right."""
    checkable: bool = True
    """Whether the law it cites is one that is held."""


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
    unchecked: int = 0
    """Right passages of which it is not said that they are right."""
    elsewhere: int = 0
    """Findings that something is wrong where nothing is marked."""
    passed: int = 0
    """Passages said to be right or wrong though their law is not held."""
    mistakes: list[str] = field(default_factory=list[str])

    def add(self, document: MarkedDocument, findings: Iterable[Finding]) -> None:
        """Count one document."""
        found = list(findings)
        for passage in document.passages:
            words = document.text[passage.start : passage.end]
            mistake = self._add(passage, [one for one in found if _touches(one, passage)])
            if mistake:
                self.mistakes.append(f"{mistake}, {document.sort}: {words}")
        for one in found:
            if one.is_wrong and not any(_touches(one, passage) for passage in document.passages):
                self.elsewhere += 1
                self.mistakes.append(f"accused elsewhere, {document.sort}: {one.text}")

    def _add(self, passage: Passage, here: Sequence[Finding]) -> str:
        """Count one passage; the mistake that was made, if one was."""
        wrong = [one for one in here if one.is_wrong]
        if passage.errors:
            self.errors += 1
            self.found += bool(wrong)
            self.named += any(one.kind in passage.errors for one in wrong)
            return "" if wrong else "missed"
        if not passage.checkable:
            said = any(one.kind != "not_checked" for one in here)
            self.passed += said
            return "not held" if said else ""
        self.right += 1
        self.accused += bool(wrong)
        self.unchecked += not any(one.is_wrong or one.is_right for one in here)
        return "accused" if wrong else ""


def _touches(finding: Finding, passage: Passage) -> bool:
    return finding.start < passage.end and passage.start < finding.end


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
                passages.append(Passage(start, len(text), errors, checkable=kinds != "?"))
        yield MarkedDocument(sort, text + body[at:], tuple(passages))
