"""Reads a PDF page by page, so that a finding can name its page.

PDFium reads fast (60 pages of Chinese in 0.2 s) and keeps columns apart. It loses a character that
is alone in its line in a font the file does not carry; such pages are read by pdfminer.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterable
from ctypes import byref, c_float
from importlib import import_module
from itertools import accumulate
from typing import Any

from inforce.documents.document import Document, Progress, UnreadableDocumentError
from inforce.documents.limits import DocumentLimits
from inforce.documents.outline import first_line, plain_blocks
from inforce.errors import MissingExtraError

_RESERVE = 0.8
"""Share of the time limit after which no further page is begun: what was read counts."""
_PAGE_BREAK = "\n\n"
_NO_CHARACTER = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")
_MOST_UNREADABLE = 0.5
"""Share of a page's characters without a meaning above which the page counts as a scan."""


def read_pdf(
    data: bytes, *, name: str, limits: DocumentLimits, progress: Progress | None = None
) -> Document:
    """Read the text of a PDF, as many pages as the limits allow.

    Raises:
        UnreadableDocumentError: if it is encrypted or damaged, or no page has text (a scan).
        MissingExtraError: if the library that reads PDFs is not installed.
    """
    began = time.monotonic()
    pdf = _open(data, name)
    careful = _Pdfminer(data)
    total, texts, size = len(pdf), list[str](), 0
    deadline = began + _RESERVE * limits.seconds_for(total)
    for number in range(min(total, limits.pages)):
        if time.monotonic() > deadline or size > limits.characters:
            break
        texts.append(_page_text(pdf, number, careful, name))
        size += len(texts[-1])
        if progress:
            progress(number + 1, total)
    text = _PAGE_BREAK.join(texts)
    pages = [0, *accumulate(len(page) + len(_PAGE_BREAK) for page in texts)][:-1]
    ends = [*(start - len(_PAGE_BREAK) for start in pages[1:]), len(text)]
    blocks = tuple(
        block
        for start, end in zip(pages, ends, strict=True)
        for block in plain_blocks(text, start, end)
    )
    return Document(
        name,
        "pdf",
        _stated_title(pdf) or first_line(text, blocks),
        text,
        blocks,
        tuple(pages),
        tuple(number for number, page in enumerate(texts, start=1) if not page),
        omitted=""
        if len(texts) == total
        else f"only the first {len(texts)} of {total} pages were read",
    )


def _open(data: bytes, name: str) -> Any:
    try:
        pdfium: Any = import_module("pypdfium2")
    except ImportError as error:
        raise MissingExtraError("reading PDF files", "documents") from error
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if "assword" in str(error) or "ecurity" in str(error):
            reason = "encrypted: save a copy without a password"
            raise UnreadableDocumentError("encrypted", reason, path=name) from error
        raise _damaged(name) from error


def _damaged(name: str) -> UnreadableDocumentError:
    return UnreadableDocumentError("damaged", "a damaged PDF", path=name)


def _page_text(pdf: Any, number: int, careful: _Pdfminer, name: str) -> str:
    """Return the text of a page; empty where there is none, or none that is readable."""
    pdfium: Any = import_module("pypdfium2")
    try:
        page = pdf[number]
        text = careful.text(number) if _loses_text(page) else ""
        text = text or page.get_textpage().get_text_range()
    except pdfium.PdfiumError as error:
        raise _damaged(name) from error
    # U+FFFE is a hyphen at the end of a line
    text = text.replace("\ufffe", "-\n").replace("\r\n", "\n").replace("\r", "\n")
    plain = _NO_CHARACTER.sub("", text)
    if len(text) - len(plain) > _MOST_UNREADABLE * len(text):
        return ""
    return "\n".join(line.rstrip() for line in plain.split("\n")).strip("\n")


def _loses_text(page: Any) -> bool:
    """Return whether something on a page has no width, as the file does not carry its font."""
    raw: Any = import_module("pypdfium2.raw")
    left, bottom, right, top = (c_float() for _ in range(4))
    edges = byref(left), byref(bottom), byref(right), byref(top)
    for found in _text_objects(raw, page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject):
        if not raw.FPDFPageObj_GetBounds(found, *edges) or right.value - left.value > 0.01:
            continue
        if raw.FPDFFont_GetIsEmbedded(raw.FPDFTextObj_GetFont(found)) == 0:
            return True
    return False


def _text_objects(raw: Any, parent: Any, count: Any, get: Any, depth: int = 0) -> Iterable[Any]:
    for place in range(count(parent)):
        found = get(parent, place)
        kind = raw.FPDFPageObj_GetType(found)
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            yield found
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth < 8:
            inner = raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject
            yield from _text_objects(raw, found, *inner, depth + 1)


class _Pdfminer:
    """The slower reader, for pages of which PDFium would lose a character."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._pages: list[Any] | None = None

    def text(self, number: int) -> str:
        """The text of a page, counted from 0; empty if it cannot be read either."""
        try:
            if self._pages is None:
                high_level: Any = import_module("pdfminer.high_level")
                self._pages = list(high_level.PDFPage.get_pages(io.BytesIO(self._data)))
            return self._laid_out(self._pages[number])
        except Exception:  # it lets out whatever damage makes it stumble on; PDFium reads on
            return ""

    def _laid_out(self, page: Any) -> str:
        interpreter: Any = import_module("pdfminer.pdfinterp")
        converter: Any = import_module("pdfminer.converter")
        layout: Any = import_module("pdfminer.layout")
        written, resources = io.StringIO(), interpreter.PDFResourceManager()
        device = converter.TextConverter(resources, written, laparams=layout.LAParams())
        interpreter.PDFPageInterpreter(resources, device).process_page(page)
        return "\n".join(line for line in written.getvalue().split("\n") if line.strip(" \f"))


def _stated_title(pdf: Any) -> str:
    """The title its properties state, unless that is what programs put there by themselves."""
    stated = str(pdf.get_metadata_value("Title")).strip()
    automatic = stated.lower().startswith(("microsoft word -", "untitled", "(anonymous"))
    return "" if automatic or not stated.isprintable() or len(stated) > 200 else stated
