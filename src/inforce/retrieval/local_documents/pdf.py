"""A PDF as text, page by page (pdfplumber); pages stay known, so that a hit can name its page."""

from __future__ import annotations

import io
import time
from importlib import import_module
from typing import Any

from inforce.errors import InputError, MissingExtraError
from inforce.retrieval.local_documents.limits import Limits
from inforce.retrieval.local_documents.outline import offsets, plain_outline
from inforce.retrieval.local_documents.plain import titled
from inforce.retrieval.local_documents.texts import DocumentText

_RESERVE = 0.8
"""Share of the time limit after which no further page is begun: what was read is kept."""


def read_pdf(data: bytes, *, name: str, limits: Limits) -> DocumentText:
    """The text of a PDF, as many pages as the limits allow.

    Raises:
        InputError: if it is encrypted, damaged, or holds no text (a scan).
        MissingExtraError: if the library that reads PDFs is not installed.
    """
    deadline = time.monotonic() + _RESERVE * limits.seconds
    with _open(data, name) as pdf:
        total = _page_count(pdf, name)
        texts: list[str] = []
        for page in pdf.pages[: limits.pages]:
            if time.monotonic() > deadline or sum(map(len, texts)) > limits.characters:
                break
            texts.append(_page_text(page, name))
        title = _stated_title(pdf)
    text = "\n\n".join(texts)
    starts = tuple(offsets(texts, separator=2)[:-1])
    document = titled(text, plain_outline(text), name=name, title=title, pages=starts)
    if len(texts) == total:
        return document
    return _shortened(document, read=len(texts), total=total)


def _open(data: bytes, name: str) -> Any:
    try:
        pdfplumber: Any = import_module("pdfplumber")
    except ImportError as error:
        raise MissingExtraError("reading PDF files", "web") from error
    try:
        return pdfplumber.open(io.BytesIO(data))
    except Exception as error:  # pdfminer lets out whatever damage makes it stumble on
        raise _unreadable(error, name) from error


def _page_count(pdf: Any, name: str) -> int:
    try:
        return len(pdf.pages)
    except Exception as error:  # as above: pages are counted from a tree that may be damaged
        raise _unreadable(error, name) from error


def _page_text(page: Any, name: str) -> str:
    try:
        return str(page.extract_text() or "")
    except Exception as error:  # as above
        raise _unreadable(error, name) from error
    finally:
        page.close()


def _stated_title(pdf: Any) -> str:
    """The title its properties state, unless that is what programs put there by themselves."""
    properties: dict[str, Any] = pdf.metadata or {}
    stated = str(properties.get("Title") or "").strip()
    automatic = stated.lower().startswith(("microsoft word -", "untitled")) or "\0" in stated
    return "" if automatic or not stated.isprintable() or len(stated) > 200 else stated


def _unreadable(error: Exception, name: str) -> InputError:
    kinds = {type(one).__name__ for one in (error, error.__cause__, *error.args)}
    if "MemoryError" in kinds:
        return InputError("needs more memory than it may take to read", path=name)
    if any("Password" in kind or "Encryption" in kind for kind in kinds):
        return InputError("encrypted: save a copy without a password", path=name)
    return InputError(f"a damaged PDF ({type(error).__name__})", path=name)


def _shortened(document: DocumentText, *, read: int, total: int) -> DocumentText:
    words = f"only the first {read} of {total} pages were read"
    return DocumentText(
        document.title, document.text, document.sections, document.pages, shortened=words
    )
