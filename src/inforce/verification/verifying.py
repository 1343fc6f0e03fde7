"""A document checked: its citations, its quotations, its crime names and its case numbers.

``inforce verify`` and `inforce.library.Library.verify` are the doors to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.documents.document import Document
from inforce.law.transition import CRIMINAL_LAW
from inforce.lawbook import LawBook
from inforce.retrieval.wordings import Folded, Passage, WordingIndex, fold
from inforce.verification.case_numbers import CaseTitle, case_number_findings
from inforce.verification.checking import CitationCheck
from inforce.verification.citations import (
    Cited,
    instrument,
    read_citations,
    said_not_yet,
    within,
)
from inforce.verification.crime_names import caption_end, crime_name_findings
from inforce.verification.days import DocumentDays, Stretch
from inforce.verification.findings import Finding, Verified
from inforce.verification.law import CheckedLaw
from inforce.verification.old_numbers import OldNumbers
from inforce.verification.places import Context
from inforce.verification.quotations import (
    Quoted,
    Recitals,
    attributed,
    is_former,
    marked_quotations,
    stated_recitals,
)
from inforce.verification.quoting import QuotationCheck

_PIECE = 40_000
"""Characters whose words are looked up at a time: bounds the memory a long document takes."""
_CANDIDATES = 24
"""Wordings compared with one quotation."""

_BESIDE = 20
"""Citations before words without marks, and after, that are looked at: else each would be compared
with every one in its paragraph."""
_ALONE = 0.8
"""Share of the letters of its paragraph from which words are all there is in it."""
_SENTENCE = re.compile(r"[^。\n]+。?")
_CLAUSE = re.compile(r"[^。；\n]+[。；]?")
_LINE = re.compile(r"(?<!\S)(?![>\s]*$)[^\s>][^\n]*[^\s\n]")

Progress = Callable[[int, int], None]
"""Called with the characters done and the characters there are."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a document, with the wordings that share words with it."""

    start: int
    end: int
    passages: tuple[Passage, ...]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    """Of the passages, in their order."""


class Verifier:
    """Checks documents against the laws of a corpus; may be used for any number of them.

    Args:
        book: the laws held, and what today is.
        wordings: the fingerprints of all their wordings.
        title_of: the title of the case that has a number, where a source of cases is held.
    """

    def __init__(
        self, book: LawBook, wordings: WordingIndex, *, title_of: CaseTitle | None = None
    ) -> None:
        self._book = book
        self._law = CheckedLaw(book)
        self._title_of = title_of
        self.wordings = wordings

    def verify(
        self,
        document: Document,
        *,
        on: DateRange | None = None,
        trial: DateRange | None = None,
        progress: Progress = lambda done, total: None,
    ) -> Verified:
        """Everything there is to say of a document.

        Args:
            document: what was read of the file.
            on: the days of the facts; without them they are read in the document.
            trial: the day of the trial or of the procedural step.
            progress: called with the characters done and the characters there are.
        """
        reading = _Reading(document, self._law, self.wordings, on, trial, self._title_of)
        return reading.verified(progress)


class _Reading:
    """One document while it is checked."""

    def __init__(
        self,
        document: Document,
        law: CheckedLaw,
        wordings: WordingIndex,
        on: DateRange | None,
        trial: DateRange | None,
        title_of: CaseTitle | None,
    ) -> None:
        self._document = document
        self._title_of = title_of
        self._law = law
        self._wordings = wordings
        self._folded = fold(document.text)
        self._cited = read_citations(document, law)
        citations = [one.citation for one in self._cited]
        self._is_law = instrument(document, law) is not None
        marked = tuple(marked_quotations(document, self._folded, citations))
        self._marked = attributed(marked, citations, document.text)
        apart = [Stretch(one.start, one.end) for one in (*marked, *citations)]
        self._days = DocumentDays(
            document,
            clock=law.book.clock,
            facts=on or _made_on(document, law),
            trial=trial,
            apart=apart,
            citing=[one.start for one in citations],
        )
        with_words = frozenset(
            (self._cited[one.citation].work, portion.number)
            for one in self._marked
            if one.citation is not None
            for portion in citations[one.citation].portions
        )
        self._citations = CitationCheck(
            law,
            self._days,
            OldNumbers(document, self._cited, law, with_words),
            said_not_yet(document.text, self._cited),
        )
        self._quotations = QuotationCheck(law, self._days)

    def verified(self, progress: Progress) -> Verified:
        document, total = self._document, len(self._document.text)
        found: list[Finding] = []
        recited: list[Stretch] = []
        for piece in () if self._is_law else self._pieces():  # a law does not quote itself
            quoted = [(one, self._candidates(one, piece)) for one in self._quoted(piece)]
            self._law.look_up_places(text_id for _, near in quoted for text_id in near)
            for one, near in quoted:
                for finding in self._quotations_of(one, near):
                    found.append(finding)
                    recited.append(Stretch(finding.start, finding.end))
            progress(piece.end, total)
        for cited in self._cited:
            if not cited.own_clause and not within(cited.citation, recited):
                found += self._citations.findings(cited)
        names = crime_name_findings(document, self._law, self._days)
        found += [one for one in names if not _is_within(one, recited)]
        found += case_number_findings(document, self._days, self._title_of)
        where = cache(document.locate)
        located = [
            replace(one, locations=where(one.start, one.end))
            for one in sorted(found, key=lambda one: (one.start, one.end, one.subject))
        ]
        return Verified(
            document.name,
            document.format,
            document.title,
            document.text,
            tuple(located),
            self._law.held,
            unread(document),
        )

    def _pieces(self) -> Iterator[_Piece]:
        """The document in parts that end where a block does."""
        blocks, text = self._document.blocks, self._document.text
        start = 0
        while start < len(text):
            end = start + _PIECE
            if end < len(text):
                at = bisect_left(blocks, end, key=lambda one: one.start)
                end = blocks[at].start if at < len(blocks) else len(text)
            else:
                end = len(text)
            first, last = self._folded.between(start, end)
            part = Folded(self._folded.text[first:last], self._folded.origins[first:last])
            found = tuple(
                one._replace(start=one.start + first, end=one.end + first)
                for one in self._wordings.passages(part)
            )
            starts, ends = (np.array([one[at] for one in found], np.int64) for at in (1, 2))
            yield _Piece(start, end, found, starts, ends)
            start = max(end, start + 1)

    def _quoted(self, piece: _Piece) -> Sequence[Quoted]:
        """The quotations that begin in a part, marked ones first."""
        marked = [one for one in self._marked if piece.start <= one.start < piece.end]
        taken = [Stretch(one.start, one.end) for one in marked]
        citations = [one.citation for one in self._cited]
        found = list(Recitals(self._document, self._folded, citations, taken).of(piece.passages))
        taken = sorted(
            (Stretch(one.start, one.end) for one in (*marked, *found)), key=lambda one: one.start
        )
        stated = stated_recitals(self._document, citations, taken)
        here = [one for one in stated if piece.start <= one.start < piece.end]
        return sorted((*marked, *found, *here), key=lambda one: one.start)

    def _candidates(self, quoted: Quoted, piece: _Piece) -> tuple[int, ...]:
        """The wordings that share words with a quotation, those with most in common first."""
        first, last = self._folded.between(quoted.start, quoted.end)
        shared = np.minimum(piece.ends, last) - np.maximum(piece.starts, first)
        found: dict[int, None] = {}
        for at in np.argsort(-shared, kind="stable"):
            if shared[at] <= 0 or len(found) == _CANDIDATES:
                break
            found[piece.passages[at].text_id] = None
        return tuple(found)

    def _quotations_of(self, quoted: Quoted, candidates: tuple[int, ...]) -> Iterator[Finding]:
        """What is so of a quotation; of words without marks, sentence by sentence if need be.

        Where a recital ends only a comparison shows: the next sentence may be somebody's own.
        """
        quoted = self._without_caption(quoted)
        if self._is_citation(quoted):
            return
        alone = quoted.marked or self._is_alone(quoted)
        whole = self._quotation(quoted, candidates, alone)
        if quoted.marked and (whole is None or not whole.is_right):
            yield from self._of_lines(quoted, candidates) or ([whole] if whole else ())
            return
        parts = [] if quoted.marked else list(self._parts(quoted, _SENTENCE))
        if whole is not None and (len(parts) < 2 or whole.kind != "misquoted"):
            yield whole
            return
        for part in parts if len(parts) > 1 else []:
            finding = self._quotation(part, candidates, alone)
            found = [finding] if finding else self._of_clauses(part, candidates, alone)
            yield from found
        if len(parts) == 1:
            yield from self._of_clauses(quoted, candidates, alone)

    def _of_lines(self, quoted: Quoted, candidates: tuple[int, ...]) -> Sequence[Finding]:
        """What is so of the lines of a quotation, if one by one they are nearer to the law.

        Who quotes paragraphs of an article in a block often leaves out others between them.
        """
        parts = list(self._parts(quoted, _LINE))
        if len(parts) < 2:
            return ()
        found = [self._quotation(part, candidates, True) for part in parts]
        return [one for one in found if one] if any(one and one.is_right for one in found) else ()

    def _of_clauses(
        self, quoted: Quoted, candidates: tuple[int, ...], alone: bool
    ) -> Sequence[Finding]:
        """What is so of the clauses of a sentence of which, as a whole, nothing can be said."""
        parts = list(self._parts(quoted, _CLAUSE))
        if len(parts) < 2:
            return ()
        found = (self._quotation(part, candidates, alone) for part in parts)
        return tuple(one for one in found if one is not None)

    def _without_caption(self, quoted: Quoted) -> Quoted:
        """A quotation of 刑法 without the crime's name that editors head an article with."""
        cited = self._cited[quoted.citation] if quoted.citation is not None else None
        if cited is None or cited.work != CRIMINAL_LAW:
            return quoted
        start = caption_end(self._document.text, quoted.start, quoted.end)
        return replace(quoted, start=start)

    def _is_citation(self, quoted: Quoted) -> bool:
        """Whether words without marks are nothing but a citation, such as a line by itself."""
        at = bisect_left(self._cited, quoted.start, key=lambda one: one.citation.start)
        if quoted.marked or at == len(self._cited):
            return False
        one = self._cited[at].citation
        before = self._letters(quoted.start, one.start)
        return one.start < quoted.end and not before and self._letters(one.end, quoted.end) <= 0

    def _parts(self, quoted: Quoted, part: re.Pattern[str]) -> Iterator[Quoted]:
        for match in part.finditer(self._document.text, quoted.start, quoted.end):
            if match[0].strip():
                yield replace(quoted, start=match.start(), end=match.end())

    def _is_alone(self, quoted: Quoted) -> bool:
        """Whether words without marks fill the paragraphs they are in."""
        first, last = (self._days.paragraph(at) for at in (quoted.start, quoted.end - 1))
        return self._letters(quoted.start, quoted.end) >= _ALONE * self._letters(
            first.start, last.end
        )

    def _letters(self, start: int, end: int) -> int:
        first, last = self._folded.between(start, end)
        return last - first

    def _quotation(
        self, quoted: Quoted, candidates: tuple[int, ...], alone: bool
    ) -> Finding | None:
        cited = self._cited[quoted.citation] if quoted.citation is not None else None
        if cited is not None and cited.own_clause:
            cited = None
        days = self._citations.days_of(cited) if cited else self._days.at(quoted.start, quoted.end)
        case = self._days.case(days) if days else None
        written = self._document.text[quoted.start : quoted.end]
        context = Context(
            cited,
            days,
            case,
            candidates,
            self._document.text[cited.citation.start : quoted.start] if cited else "",
            is_former(quoted, self._document.text) or (cited is not None and cited.former),
            alone,
            self._beside(quoted),
        )
        return self._quotations.finding(quoted, written, context)

    def _beside(self, quoted: Quoted) -> tuple[Cited, ...]:
        """What is cited in the paragraph of words: the nearest, where that is much."""
        near = self._days.paragraph(quoted.start)
        first, at, last = (
            bisect_left(self._cited, place, key=lambda one: one.citation.start)
            for place in (near.start, quoted.start, near.end)
        )
        first, last = max(first, at - _BESIDE), min(last, at + _BESIDE)
        return tuple(one for one in self._cited[first:last] if not one.own_clause)


def _made_on(document: Document, law: CheckedLaw) -> DateRange | None:
    """The day a document that is a law itself commenced: what it cites is the law of then."""
    work = instrument(document, law)
    spans = law.book.editions(work) if work else ()
    starts = [span.window.start for span in spans if span.version]
    named = [
        one for one in starts if f"{one.year}年{one.month}月{one.day}日" in document.text[:600]
    ]
    day = (named or starts[-1:] or [None])[0]
    return DateRange.day(day) if day else None


def _is_within(finding: Finding, stretches: Sequence[Stretch]) -> bool:
    """Whether a crime name is one of the words of a law."""
    return any(one.start <= finding.start and finding.end <= one.end for one in stretches)


def unread(document: Document) -> tuple[str, ...]:
    """What of a document is not known, so that nothing was checked in it."""
    found: list[str] = []
    if document.pages_without_text:
        pages = ", ".join(map(str, document.pages_without_text))
        found.append(f"pages without text (scanned): {pages}")
    if document.omitted:
        found.append(document.omitted)
    return tuple(found)
