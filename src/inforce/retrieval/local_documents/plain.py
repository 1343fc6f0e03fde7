"""Text files: which characters their bytes stand for, and Markdown and plain text read as such."""

from __future__ import annotations

import re
from pathlib import PurePath

from inforce.errors import InputError
from inforce.retrieval.local_documents.outline import Outline, markdown_outline, plain_outline
from inforce.retrieval.local_documents.texts import DocumentText

ENCODINGS = ("utf_8", "utf_16", "gb18030", "big5", "cp1252")
"""Those legal texts in Chinese and English come in; an open list would guess too freely."""

_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset=["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.I)
_HEAD = 4_096
"""Bytes of a page in which it may say its encoding."""


def decode(data: bytes, *, name: str, declared: str = "") -> str:
    """The characters of a text file: UTF-8 or as declared if that fits, or else as detected.

    Raises:
        InputError: if the bytes are no text in any of `ENCODINGS`.
    """
    for encoding in ("utf-8-sig", declared):
        try:
            text = data.decode(encoding) if encoding else None
        except (LookupError, UnicodeError):
            text = None
        if text is not None and "\0" not in text:
            return text
    from charset_normalizer import from_bytes

    found = from_bytes(data, cp_isolation=list(ENCODINGS)).best()
    text = str(found) if found else "\0"
    if "\0" in text:
        raise InputError("not a text file: save it as UTF-8", path=name)
    return text.removeprefix("\ufeff")


def declared_encoding(page: bytes) -> str:
    """The encoding an HTML page says it is in; empty if it says nothing."""
    match = _DECLARED.search(page[:_HEAD])
    return match[1].decode("ascii") if match else ""


def read_markdown(data: bytes, *, name: str) -> DocumentText:
    """A Markdown file; positions are those of its characters."""
    text = decode(data, name=name)
    return titled(text, markdown_outline(text), name=name)


def read_text(data: bytes, *, name: str) -> DocumentText:
    """A plain text file; positions are those of its characters."""
    text = decode(data, name=name)
    return titled(text, plain_outline(text), name=name)


def titled(
    text: str, outline: Outline, *, name: str, title: str = "", pages: tuple[int, ...] = ()
) -> DocumentText:
    """A text under the title it states, or else the one found in it, or else its file's name.

    Raises:
        InputError: if there is no text.
    """
    if not text.strip():
        raise InputError("no text in it (a scan has to be recognised first)", path=name)
    found = title.strip() or outline.title or PurePath(name).stem
    return DocumentText(found, text, outline.sections, pages)
