"""Detects the format of a file: by its first bytes, then by its media type or its name."""

from __future__ import annotations

import re
from pathlib import PurePath

from inforce.documents.document import Format

SUFFIXES: dict[str, Format] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".docx": "docx",
}
"""Endings of files that are read as documents."""

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MEDIA_TYPES: dict[str, Format] = {
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    _WORD: "docx",
}
_PDF = b"%PDF-"
_ZIP = b"PK\x03\x04"
COMPOUND_FILE = b"\xd0\xcf\x11\xe0"
"""What old .doc files and password-protected .docx files begin with."""
_LOOKS_LIKE_HTML = re.compile(
    rb"<(?:!doctype|html|head|body|meta|div|p|title|article)\b", re.IGNORECASE
)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def format_of(data: bytes, *, name: str = "", media_type: str = "") -> Format | None:
    r"""Return the format of a file, a page or a stream; ``None`` for no text in a known format.

    >>> format_of(b"%PDF-1.7 ..."), format_of(b"# Lease", name="a.md"), format_of(b"PK\x03\x04")
    ('pdf', 'markdown', 'docx')
    >>> format_of(b"\x89PNG\r\n\x00") is None
    True
    """
    start = data[:1_024].lstrip()
    stated = _MEDIA_TYPES.get(media_type) or SUFFIXES.get(PurePath(name).suffix.lower())
    if start.startswith(_PDF) or stated == "pdf":
        return "pdf"
    if stated == "docx":
        return "docx"
    if start.startswith(_ZIP):
        return "docx" if media_type in ("application/octet-stream", "") else None
    if start.startswith(COMPOUND_FILE) or (b"\0" in start and not start.startswith(_UTF_16)):
        return None
    if stated in ("markdown", "text"):
        return stated
    return "html" if stated == "html" or _LOOKS_LIKE_HTML.search(start) else "text"
