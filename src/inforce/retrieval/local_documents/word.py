"""A Word file (.docx) as text: paragraphs and tables in order, headings by their style."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from inforce.errors import InputError
from inforce.retrieval.local_documents.outline import (
    Heading,
    Outline,
    offsets,
    plain_outline,
    sections,
)
from inforce.retrieval.local_documents.plain import titled
from inforce.retrieval.local_documents.texts import DocumentText

MAX_UNPACKED = 256 * 2**20
"""Bytes all files in the archive may unpack to; most are pictures."""
MAX_RATIO = 200
"""How many times its size the archive may unpack to, above `RATIO_FLOOR`."""
RATIO_FLOOR = 16 * 2**20

_LEVEL = re.compile(r"(?:heading|标题)\s*([1-9])", re.I)
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0"
"""What old .doc files and password-protected .docx files begin with."""


def read_docx(data: bytes, *, name: str) -> DocumentText:
    """The text of a Word file.

    Raises:
        InputError: if it is encrypted, damaged, no Word file, or could be a zip bomb.
    """
    _require_harmless(data, name)
    document = _open(data, name)
    try:
        styled = list(_lines(document))
        title = str(document.core_properties.title or "")
    except Exception as error:  # python-docx and lxml have no common error for a damaged file
        raise _damaged(error, name) from error
    text = "\n".join(line for _, line in styled)
    outline = _styled_outline(text, styled) or plain_outline(text)
    return titled(text, outline, name=name, title=outline.title or title)


def _require_harmless(data: bytes, name: str) -> None:
    if data.startswith(_COMPOUND_FILE):
        reason = "encrypted, or in Word's old format: save it as .docx without a password"
        raise InputError(reason, path=name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except Exception as error:  # zipfile lets out whatever damage makes it stumble on
        raise _damaged(error, name) from error
    unpacked = sum(member.file_size for member in members)
    if unpacked > min(MAX_UNPACKED, max(RATIO_FLOOR, MAX_RATIO * len(data))):
        reason = f"unpacks from {len(data):,} to {unpacked:,} bytes: a possible zip bomb"
        raise InputError(reason, path=name)
    if any(member.flag_bits & 1 for member in members):
        raise InputError("encrypted: save a copy without a password", path=name)


def _open(data: bytes, name: str) -> Any:
    docx: Any = import_module("docx")
    try:
        return docx.Document(io.BytesIO(data))
    except Exception as error:  # as above
        raise _damaged(error, name) from error


def _lines(document: Any) -> Iterator[tuple[int, str]]:
    """Each line with the level of its heading, 0 for running text."""
    for item in document.iter_inner_content():
        if hasattr(item, "rows"):
            for row in item.rows:
                cells = dict.fromkeys(cell.text.strip() for cell in row.cells)
                yield 0, " | ".join(cell.replace("\n", " ") for cell in cells if cell)
        else:
            level = _level(item) if item.text.strip() else 0
            yield level, item.text.replace("\n", " ") if level else item.text


def _level(paragraph: Any) -> int:
    """The title counts as a heading above all others."""
    style = str(paragraph.style.name or "") if paragraph.style is not None else ""
    if style.lower() in ("title", "标题"):
        return 1
    match = _LEVEL.fullmatch(style.strip())
    return int(match[1]) + 1 if match else 0


def _styled_outline(text: str, styled: list[tuple[int, str]]) -> Outline | None:
    starts = offsets(line for _, line in styled)
    headings = [
        Heading(level, line.strip(), start, start + len(line))
        for (level, line), start in zip(styled, starts, strict=False)
        if level
    ]
    if not headings:
        return None
    title = headings[0] if headings[0].level == 1 else None
    return Outline(title.text if title else "", sections(text, headings, title=title))


def _damaged(error: Exception, name: str) -> InputError:
    return InputError(f"a damaged Word file ({type(error).__name__}: {error})", path=name)
