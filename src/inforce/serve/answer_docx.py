"""An answer as a Word file, to be handed on: with its days, rules and doubts."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Final

from docx import Document as new_document
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor

from inforce.answering.answer import Absence, Answer, Quotation
from inforce.answering.today import Today
from inforce.documents.docx_package import printable
from inforce.language import Language, cited
from inforce.language.messages import messages
from inforce.law.applicability import Applicability
from inforce.law.caveats import days_in_force, span_caveats
from inforce.law.diff import Piece
from inforce.law.limitation import Limitation
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Span
from inforce.serve.page_templates import ABSENCES, TODAY

DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
"""The type of Word files."""

_DELETED: Final = RGBColor(0xA1, 0x1D, 0x1D)
_INSERTED: Final = RGBColor(0x1C, 0x6B, 0x3A)
_SERIF: Final = "SimSun"


def as_docx(answer: Answer, language: Language) -> bytes:
    """Write an answer as a Word file."""
    return _Writer(language).write(answer)


class _Writer:
    def __init__(self, language: Language) -> None:
        translated = messages(language)
        self._language: Language = language
        self._: Callable[[str], str] = translated.text
        self._sentence: Callable[[str], str] = translated.sentence
        self._days = translated.days
        self._file: Any = new_document()
        normal = self._file.styles["Normal"]
        normal.font.size = Pt(11)
        normal.element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), _SERIF)

    def write(self, answer: Answer) -> bytes:
        properties = self._file.core_properties
        properties.author, properties.title = "inforce", printable(answer.question[:200])
        properties.comments = ""
        self._heading(answer.question[:200], 1)
        during = ", ".join(map(self._days, answer.time.during)) or self._("any date")
        self._labelled(self._("Days"), during)
        if answer.limitation:
            self._limitation(answer.limitation)
        for quotation in answer.quotations:
            self._quotation(quotation)
        if answer.found_nothing:
            nothing = self._("Nothing in this corpus speaks to the question; no answer is given.")
            self._paragraph(nothing)
        if answer.absences:
            self._heading(self._("Not quoted"), 2)
        for absence in answer.absences:
            self._absence(absence)
        for work in answer.coverage.not_held:
            text = self._("Not covered: {work} is not in this corpus").format(work=work)
            self._paragraph(text)
        self._small(self._("Extractive answer: provisions are quoted, no conclusion is drawn."))
        searched = self._("Searched {documents} wordings of {works} laws (corpus {snapshot})")
        coverage = answer.coverage
        self._small(
            searched.format(
                documents=coverage.documents,
                works=coverage.works,
                snapshot=coverage.snapshot[:12],
            )
        )
        stream = io.BytesIO()
        self._file.save(stream)
        return stream.getvalue()

    def _quotation(self, quotation: Quotation) -> None:
        self._heading(self._cited(quotation.work, quotation.number), 2)
        if quotation.applicability.verdict == "cannot_decide":
            self._paragraph(self._("It cannot be decided which wording governs:"))
        for span in quotation.wordings:
            self._span(span)
        self._why(quotation.applicability)
        if quotation.limitation:
            self._limitation(quotation.limitation)
        self._today(quotation.today)

    def _span(self, span: Span) -> None:
        parts = [f"{self._('in force')} {self._sentence(days_in_force(span))}"]
        if span.version:
            parts += [span.version.label, span.version.instrument]
        self._small(" · ".join(filter(None, parts)))
        if span.provision:
            for line in span.provision.text.splitlines():
                self._paragraph(line, style="Intense Quote")
        for caveat in span_caveats(span):
            self._small(self._sentence(caveat))

    def _why(self, ruled: Applicability) -> None:
        translate = self._sentence
        self._labelled(
            self._("Why"), f"{translate(ruled.rule.statement)} ({translate(ruled.rule.source)})"
        )
        for reason in (*ruled.reasons, *ruled.steps):
            self._paragraph(translate(reason), style="List Bullet")
        for question in ruled.establish:
            text = f"{self._('To establish:')} {translate(question)}"
            self._paragraph(text, style="List Bullet")
        for caveat in ruled.caveats:
            text = (
                f"{self._('See also:')} {translate(caveat.statement)} ({translate(caveat.source)})"
            )
            self._paragraph(text, style="List Bullet")

    def _today(self, today: Today) -> None:
        if today.since in TODAY:
            self._labelled(self._("Today:"), self._(TODAY[today.since]))
            return
        numbers = today.numbers or ((today.number,) if today.number else ())
        where = "、".join(self._cited(today.work, number) for number in numbers)
        if today.since == "amended":
            how = self._("reads differently")
        else:
            how = self._(today.basis)
            how = how.format(score=f"{today.score:.2f}")
        self._labelled(self._("Today:"), f"{where} {how}")
        if today.pieces:
            self._pieces(today.pieces)

    def _pieces(self, pieces: tuple[Piece, ...]) -> None:
        paragraph = self._file.add_paragraph()
        for piece in pieces:
            run = paragraph.add_run(printable(piece.text))
            if piece.kind == "deleted":
                run.font.strike, run.font.color.rgb = True, _DELETED
            elif piece.kind == "inserted":
                run.font.underline, run.font.color.rgb = True, _INSERTED

    def _limitation(self, found: Limitation) -> None:
        translate = self._sentence
        parts = [
            translate(found.of) + ":",
            translate(str(found.result)),
            f"({translate(found.rule.source)})",
        ]
        if found.period:
            parts.insert(1, translate(str(found.period)) + ",")
        self._labelled(self._("Limitation"), " ".join(parts))
        for step in (*found.steps, *found.establish):
            self._paragraph(translate(step), style="List Bullet")

    def _absence(self, absence: Absence) -> None:
        lookup = absence.lookup
        text = f"{self._(ABSENCES[lookup.answer])} {self._sentence(lookup.reason)}".strip()
        self._labelled(self._cited(lookup.work, lookup.number), text)
        self._why(absence.applicability)

    def _cited(self, work: str, number: ProvisionNumber) -> str:
        return cited(work, number.chinese, self._language)

    def _labelled(self, label: str, text: str) -> None:
        paragraph = self._file.add_paragraph()
        paragraph.add_run(printable(f"{label} ")).bold = True
        paragraph.add_run(printable(text))

    def _heading(self, text: str, level: int) -> None:
        self._file.add_heading(printable(text), level)

    def _paragraph(self, text: str, *, style: str | None = None) -> None:
        self._file.add_paragraph(printable(text), style)

    def _small(self, text: str) -> None:
        run = self._file.add_paragraph().add_run(printable(text))
        run.font.size = Pt(9.5)
