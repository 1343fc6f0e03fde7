"""Scores of verification: errors that are found, and right citations that are reported as wrong.

`Scores` are over generated documents; `MarkedScores` over documents written by hand, in which every
citation is marked as right or wrong: ``[[+|…]]`` is right; ``[[-misquoted|…]]`` is wrong, and lists
the findings that name the error; of ``[[?|…]]`` the law is not in the corpus. A line ``=== 律师函``
begins a document and states its sort.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from inforce.evals.briefs.generator import EXPECTED, Brief, Item, SeededError
from inforce.verification.findings import Finding, Verified

_SHOWN = 200
"""Examples of mistakes that are stored."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """An error that was not found, or a right citation that was reported as wrong."""

    text: str
    error: SeededError | None
    found: tuple[str, ...]
    """The findings there: kind, subject and reason."""


@dataclass(slots=True)
class Scores:
    """Counts over generated documents."""

    errors: Counter[SeededError] = field(default_factory=Counter[SeededError])
    found: Counter[SeededError] = field(default_factory=Counter[SeededError])
    """Errors in whose paragraph something is reported as wrong."""
    named: Counter[SeededError] = field(default_factory=Counter[SeededError])
    """Errors that are reported by the right name."""
    unchecked: Counter[SeededError] = field(default_factory=Counter[SeededError])
    """Errors that were reported as not checked."""
    right: int = 0
    accused: int = 0
    """Right citations that are reported as wrong."""
    right_unchecked: int = 0
    mistakes: list[Mistake] = field(default_factory=list[Mistake])

    @property
    def recall(self) -> float:
        """The share of errors that were found."""
        return self.found.total() / self.errors.total() if self.errors else 0.0

    @property
    def precision(self) -> float:
        """The share of reported paragraphs in which something is wrong."""
        accused = self.found.total() + self.accused
        return self.found.total() / accused if accused else 0.0

    @property
    def false_alarms(self) -> float:
        """The share of right paragraphs that are reported."""
        return self.accused / self.right if self.right else 0.0

    def add(self, brief: Brief, verified: Verified) -> None:
        """Count one document."""
        for item in brief.items:
            findings = [one for one in verified.findings if _touches(one, item)]
            wrong = [one for one in findings if one.is_wrong]
            unchecked = any(one.kind == "not_checked" for one in findings)
            if item.error is None:
                self.right += 1
                self.accused += bool(wrong)
                self.right_unchecked += bool(not wrong and (unchecked or not findings))
                missed = bool(wrong)
            else:
                self.errors[item.error] += 1
                self.found[item.error] += bool(wrong)
                self.named[item.error] += any(one.kind in EXPECTED[item.error] for one in wrong)
                self.unchecked[item.error] += bool(not wrong and unchecked)
                missed = not wrong
            if missed and len(self.mistakes) < _SHOWN:
                said = tuple(f"{one.kind} {one.subject} {one.reason}".strip() for one in findings)
                self.mistakes.append(Mistake(brief.text[item.start : item.end], item.error, said))


_TITLE = re.compile(r"^=== ?(.*)\n", re.M)
_MARK = re.compile(r"\[\[(\+|\?|-[a-z_,]+)\||\]\]")


@dataclass(frozen=True, slots=True)
class Passage:
    """A marked part of a document, with the expected findings."""

    start: int
    end: int
    errors: frozenset[str]
    """The kinds of finding that name the error; empty if the words are right."""
    checkable: bool = True
    """False if the cited law is not in the corpus."""


@dataclass(frozen=True, slots=True)
class MarkedDocument:
    """A document without its marks."""

    sort: str
    """Judgment, letter, essay, …"""
    text: str
    passages: tuple[Passage, ...]


@dataclass(slots=True)
class MarkedScores:
    """Counts over the marked passages of documents."""

    errors: int = 0
    found: int = 0
    named: int = 0
    right: int = 0
    accused: int = 0
    unchecked: int = 0
    """Right passages that are not reported as right."""
    elsewhere: int = 0
    """Reports of an error where nothing is marked."""
    passed: int = 0
    """Passages reported as right or wrong although their law is not in the corpus."""
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
            is_marked = any(_touches(one, passage) for passage in document.passages)
            if one.is_wrong and not is_marked:
                self.elsewhere += 1
                self.mistakes.append(f"accused elsewhere, {document.sort}: {one.text}")

    def _add(self, passage: Passage, here: Sequence[Finding]) -> str:
        """Count one passage; return the mistake that was made, if any."""
        wrong = [one for one in here if one.is_wrong]
        if passage.errors:
            self.errors += 1
            self.found += bool(wrong)
            self.named += any(one.kind in passage.errors for one in wrong)
            return "" if wrong else "missed"
        if not passage.checkable:
            is_reported = any(one.kind != "not_checked" for one in here)
            self.passed += is_reported
            return "not held" if is_reported else ""
        self.right += 1
        self.accused += bool(wrong)
        self.unchecked += not any(one.is_wrong or one.is_right for one in here)
        return "accused" if wrong else ""


def _touches(finding: Finding, part: Item | Passage) -> bool:
    return finding.start < part.end and part.start < finding.end


def read_marked(written: str) -> Iterator[MarkedDocument]:
    """Read the documents of a file.

    >>> [one] = read_marked(f"=== 律师函{chr(10)}依照[[+|刑法第七十四条]]。")
    >>> one.text, one.passages[0].start
    ('依照刑法第七十四条。', 2)
    """
    parts = _TITLE.split(written)[1:]
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
