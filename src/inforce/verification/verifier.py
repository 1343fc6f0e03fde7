"""The check of a document: its citations, quotations, crime names and case numbers.

`Verifier.verify` goes through a document in these steps:

1. find its citations and resolve them (`citations`), and its marked quotations (`quotations`);
2. read its dates (`document_dates`);
3. compare each quotation with the law of its days (`quotation_check`), in parts of the document
   small enough for their look-up in the fingerprints of all wordings;
4. check each citation that is not inside a quotation (`citation_check`);
5. check crime names and case numbers, and locate every finding in the file.
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
from inforce.law.rules import CRIMINAL_LAW
from inforce.lawbook import LawBook
from inforce.retrieval.text_reuse import Folded, Passage, WordingIndex, fold
from inforce.verification.case_numbers import CaseTitle, case_number_findings
from inforce.verification.citation_check import CitationCheck
from inforce.verification.citations import ResolvedCitation, read_citations, title_of_law
from inforce.verification.crime_names import caption_end, crime_name_findings
from inforce.verification.document_dates import DocumentDates
from inforce.verification.findings import Finding, TextRange, Verified
from inforce.verification.law_lookup import LawLookup
from inforce.verification.matching import QuotationContext
from inforce.verification.old_numbers import OldNumbers
from inforce.verification.quotation_check import QuotationCheck
from inforce.verification.quotations import (
    Quotation,
    Recitals,
    attributed,
    is_former,
    marked_quotations,
    stated_recitals,
)

_PART = 40_000
"""Characters whose words are looked up at a time: bounds the memory a long document takes."""
_CANDIDATES = 24
"""Wordings compared with one quotation."""
_NEARBY = 20
"""Citations before words without marks, and after, that are looked at: else each would be compared
with every one in its paragraph."""
_ALONE = 0.8
"""Share of the letters of its paragraph from which a quotation fills it."""
_SENTENCE = re.compile(r"[^。\n]+。?")
_CLAUSE = re.compile(r"[^。；\n]+[。；]?")
_LINE = re.compile(r"(?<!\S)(?![>\s]*$)[^\s>][^\n]*[^\s\n]")

Progress = Callable[[int, int], None]
"""Called with the characters done and the characters there are."""


@dataclass(frozen=True, slots=True)
class _Part:
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
        book: the laws, and the day taken as today.
        wordings: the fingerprints of all their wordings.
        title_of: looks up the title of a case by its number, where there is a source of cases.
    """

    def __init__(
        self, book: LawBook, wordings: WordingIndex, *, title_of: CaseTitle | None = None
    ) -> None:
        self._law = LawLookup(book)
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
        """Check a document.

        Args:
            document: as it was read from the file.
            on: the days of the facts; without them they are read in the document.
            trial: the day of the trial or of the procedural step.
            progress: called with the characters done and the characters there are.
        """
        check = _DocumentCheck(document, self._law, self.wordings, on, trial)
        quotations = list(check.quotation_findings(progress))
        recited = [TextRange(one.start, one.end) for one in quotations]
        findings = [
            *quotations,
            *check.citation_findings(recited),
            *(
                one
                for one in crime_name_findings(document, check.dates)
                if not _is_inside(one.start, one.end, recited)
            ),
            *case_number_findings(document, check.dates, self._title_of),
        ]
        findings.sort(key=lambda one: (one.start, one.end, one.subject))
        locate = cache(document.locate)
        return Verified(
            document.name,
            document.format,
            document.title,
            document.text,
            tuple(replace(one, locations=locate(one.start, one.end)) for one in findings),
            self._law.corpus_state,
            _unread(document),
        )


class _DocumentCheck:
    """The check of one document: its citations, quotations and dates, and the findings on them."""

    def __init__(
        self,
        document: Document,
        law: LawLookup,
        wordings: WordingIndex,
        on: DateRange | None,
        trial: DateRange | None,
    ) -> None:
        self._document = document
        self._law = law
        self._wordings = wordings
        self._folded = fold(document.text)
        self._cited = read_citations(document, law)
        citations = [one.citation for one in self._cited]
        self._is_law = title_of_law(document, law) is not None
        marked = tuple(marked_quotations(document, self._folded, citations))
        self._marked = attributed(marked, citations, document.text)
        self.dates = DocumentDates(
            document,
            clock=law.book.clock,
            facts=on or _commencement_of_law(document, law),
            trial=trial,
            excluded=[TextRange(one.start, one.end) for one in (*marked, *citations)],
            citing=[one.start for one in citations],
        )
        quoted = frozenset(
            (self._cited[one.citation].work, portion.number)
            for one in self._marked
            if one.citation is not None
            for portion in citations[one.citation].portions
        )
        old_numbers = OldNumbers(document, self._cited, law, quoted)
        self._citation_check = CitationCheck(law, self.dates, old_numbers)
        self._quotation_check = QuotationCheck(law)

    def quotation_findings(self, progress: Progress) -> Iterator[Finding]:
        """The findings on quotations; the text of a law has none, as it does not quote itself."""
        for part in () if self._is_law else self._parts():
            quotations = [(one, self._candidates(one, part)) for one in self._quotations_in(part)]
            self._law.look_up_places(text_id for _, ids in quotations for text_id in ids)
            for quotation, candidates in quotations:
                yield from self._check_quotation(quotation, candidates)
            progress(part.end, len(self._document.text))

    def citation_findings(self, recited: Sequence[TextRange]) -> Iterator[Finding]:
        """The findings on citations that are not part of a quotation."""
        for cited in self._cited:
            inside = _is_inside(cited.citation.start, cited.citation.end, recited)
            if not cited.own_clause and not inside:
                yield from self._citation_check.findings(cited)

    def _parts(self) -> Iterator[_Part]:
        """The document in parts that end where a block does."""
        blocks, length = self._document.blocks, len(self._document.text)
        start = 0
        while start < length:
            at = bisect_left(blocks, start + _PART, key=lambda one: one.start)
            end = blocks[at].start if start + _PART < length and at < len(blocks) else length
            first, last = self._folded.between(start, end)
            folded = Folded(self._folded.text[first:last], self._folded.origins[first:last])
            passages = tuple(
                one._replace(start=one.start + first, end=one.end + first)
                for one in self._wordings.passages(folded)
            )
            yield _Part(
                start,
                end,
                passages,
                np.array([one.start for one in passages], np.int64),
                np.array([one.end for one in passages], np.int64),
            )
            start = max(end, start + 1)

    def _quotations_in(self, part: _Part) -> Sequence[Quotation]:
        """The quotations that begin in a part: marked ones, recitals, and stated ones."""
        marked = [one for one in self._marked if part.start <= one.start < part.end]
        taken = [TextRange(one.start, one.end) for one in marked]
        citations = [one.citation for one in self._cited]
        recitals = Recitals(self._document, self._folded, citations, taken)
        found = [*marked, *recitals.find(part.passages)]
        found.sort(key=lambda one: one.start)
        taken = [TextRange(one.start, one.end) for one in found]
        stated = stated_recitals(self._document, citations, taken)
        found += [one for one in stated if part.start <= one.start < part.end]
        return sorted(found, key=lambda one: one.start)

    def _candidates(self, quotation: Quotation, part: _Part) -> tuple[int, ...]:
        """Ids of the wordings that share words with a quotation, those with the most first."""
        first, last = self._folded.between(quotation.start, quotation.end)
        shared = np.minimum(part.ends, last) - np.maximum(part.starts, first)
        found: dict[int, None] = {}
        for at in np.argsort(-shared, kind="stable"):
            if shared[at] <= 0 or len(found) == _CANDIDATES:
                break
            found[part.passages[at].text_id] = None
        return tuple(found)

    def _check_quotation(
        self, quotation: Quotation, candidates: tuple[int, ...]
    ) -> Iterator[Finding]:
        """The findings on a quotation; on words without marks sentence by sentence if need be.

        Where a recital ends only a comparison shows: the next sentence may be somebody's own.
        Paragraphs quoted in one block often leave out others between them.
        """
        quotation = self._without_caption(quotation)
        if self._is_only_citation(quotation):
            return
        alone = quotation.marked or self._fills_paragraphs(quotation)
        whole = self._finding(quotation, candidates, alone)
        if quotation.marked:
            lines: list[Finding] = []
            if whole is None or not whole.is_right:
                lines = self._findings_of_parts(quotation, _LINE, candidates, alone)
            if any(one.is_right for one in lines):
                yield from lines
            elif whole is not None:
                yield whole
            return
        sentences = list(self._split(quotation, _SENTENCE))
        if whole is not None and (len(sentences) < 2 or whole.kind != "misquoted"):
            yield whole
            return
        for sentence in sentences if len(sentences) > 1 else (quotation,):
            finding = self._finding(sentence, candidates, alone) if len(sentences) > 1 else None
            if finding is not None:
                yield finding
            else:
                yield from self._findings_of_parts(sentence, _CLAUSE, candidates, alone)

    def _findings_of_parts(
        self,
        quotation: Quotation,
        pattern: re.Pattern[str],
        candidates: tuple[int, ...],
        alone: bool,
    ) -> list[Finding]:
        """The findings on the lines or clauses of a quotation; none if it is only one."""
        parts = list(self._split(quotation, pattern))
        found = [self._finding(one, candidates, alone) for one in parts if len(parts) > 1]
        return [one for one in found if one is not None]

    def _split(self, quotation: Quotation, pattern: re.Pattern[str]) -> Iterator[Quotation]:
        for match in pattern.finditer(self._document.text, quotation.start, quotation.end):
            if match[0].strip():
                yield replace(quotation, start=match.start(), end=match.end())

    def _finding(
        self, quotation: Quotation, candidates: tuple[int, ...], alone: bool
    ) -> Finding | None:
        text = self._document.text
        cited = self._citation_of(quotation)
        if cited is not None and cited.own_clause:
            cited = None
        days = (
            self._citation_check.days_of(cited)
            if cited
            else self.dates.at(quotation.start, quotation.end)
        )
        context = QuotationContext(
            quotation,
            text[quotation.start : quotation.end],
            cited,
            days,
            case=self.dates.case(days) if days else None,
            candidates=candidates,
            lead=text[cited.citation.start : quotation.start] if cited else "",
            former=is_former(quotation, text) or (cited is not None and cited.former),
            alone=alone,
            nearby=self._citations_near(quotation.start),
        )
        return self._quotation_check.finding(context)

    def _citation_of(self, quotation: Quotation) -> ResolvedCitation | None:
        return None if quotation.citation is None else self._cited[quotation.citation]

    def _citations_near(self, place: int) -> tuple[ResolvedCitation, ...]:
        """The citations in the paragraph of a place; the nearest, where there are many."""
        paragraph = self.dates.paragraph(place)
        first, at, last = (
            bisect_left(self._cited, one, key=lambda one: one.citation.start)
            for one in (paragraph.start, place, paragraph.end)
        )
        near = self._cited[max(first, at - _NEARBY) : min(last, at + _NEARBY)]
        return tuple(one for one in near if not one.own_clause)

    def _without_caption(self, quotation: Quotation) -> Quotation:
        """A quotation of 刑法 without the crime's name that editors head an article with."""
        cited = self._citation_of(quotation)
        if cited is None or cited.work != CRIMINAL_LAW:
            return quotation
        start = caption_end(self._document.text, quotation.start, quotation.end)
        return replace(quotation, start=start)

    def _is_only_citation(self, quotation: Quotation) -> bool:
        """Whether words without marks are nothing but a citation, such as a line by itself."""
        at = bisect_left(self._cited, quotation.start, key=lambda one: one.citation.start)
        if quotation.marked or at == len(self._cited):
            return False
        one = self._cited[at].citation
        before = self._letters(quotation.start, one.start)
        return (
            one.start < quotation.end and not before and self._letters(one.end, quotation.end) <= 0
        )

    def _fills_paragraphs(self, quotation: Quotation) -> bool:
        """Whether words without marks fill the paragraphs they are in."""
        first, last = (self.dates.paragraph(at) for at in (quotation.start, quotation.end - 1))
        letters = self._letters(quotation.start, quotation.end)
        return letters >= _ALONE * self._letters(first.start, last.end)

    def _letters(self, start: int, end: int) -> int:
        first, last = self._folded.between(start, end)
        return last - first


def _commencement_of_law(document: Document, law: LawLookup) -> DateRange | None:
    """The day on which a document that is a law itself commenced; it cites the law of that day."""
    work = title_of_law(document, law)
    spans = law.book.editions(work) if work else ()
    starts = [span.window.start for span in spans if span.version]
    named = [
        one for one in starts if f"{one.year}年{one.month}月{one.day}日" in document.text[:600]
    ]
    day = (named or starts[-1:] or [None])[0]
    return DateRange.day(day) if day else None


def _is_inside(start: int, end: int, ranges: Sequence[TextRange]) -> bool:
    return any(one.start <= start and end <= one.end for one in ranges)


def _unread(document: Document) -> tuple[str, ...]:
    """The parts of a document that could not be read, so that nothing was checked in them."""
    found: list[str] = []
    if document.pages_without_text:
        pages = ", ".join(map(str, document.pages_without_text))
        found.append(f"pages without text (scanned): {pages}")
    if document.omitted:
        found.append(document.omitted)
    return tuple(found)
