"""A Word file (.docx) that holds one law, as official registers hand them out.

A .docx is a zip archive of XML, and both can be made to explode: the archive is measured before
anything is unpacked, and XML that declares a document type is refused unread. Lines in messages are
paragraphs of the document, counted from 1 with the empty ones.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from inforce.corpus.loaders.layout import TextLine, is_numbered
from inforce.corpus.loaders.plain_text import law_of_lines
from inforce.errors import InputError
from inforce.law.model import Source, VersionText

MAX_MEMBERS = 1_000
"""Files in the archive; a law has about 15."""
MAX_UNPACKED = 64 * 2**20
"""Bytes all files in the archive may unpack to."""
RATIO_FLOOR = 4 * 2**20
MAX_RATIO = 100
"""Above the floor, how many times its size the archive may unpack to."""

_DOCUMENT = "word/document.xml"
_TRACKED = re.compile(rb"<w:(?:ins|del|moveFrom|moveTo)[ >]")
_NUMBERED = b"<w:numPr"
_DECLARATIONS = (b"<!DOCTYPE", b"<!ENTITY")


def parse_docx(data: bytes, *, path: Path | str, source: Source) -> VersionText:
    """The law in a Word file.

    Raises:
        InputError: if it is no Word file, could be a zip bomb, has tracked changes or automatic
            numbers (they are not part of the text), or as `parse_text`.
    """
    return law_of_lines(docx_lines(data, path=path), path=path, source=source)


def docx_lines(data: bytes, *, path: Path | str) -> tuple[TextLine, ...]:
    """The lines of a Word file that are not blank.

    Raises:
        InputError: if it is no Word file, could be a zip bomb, or has tracked changes or
            automatic numbers.
    """
    document = _document_xml(data, path)
    if _TRACKED.search(document):
        raise InputError("tracked changes: accept or reject them first", path=path)
    lines = tuple(_lines(data, path))
    if _NUMBERED in document and not any(is_numbered(line) for line in lines):
        reason = "articles are numbered automatically: turn the numbers into text first"
        raise InputError(reason, path=path)
    return lines


def _document_xml(data: bytes, path: Path | str) -> bytes:
    """The main part, once the archive has been found harmless."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _require_harmless(archive, len(data), path)
            return _read_parts(archive, path)[_DOCUMENT]
    except KeyError as error:
        raise InputError(
            f"a zip archive without {_DOCUMENT}: not a Word file", path=path
        ) from error
    except InputError:
        raise
    except Exception as error:  # zipfile lets out whatever damage makes it stumble on
        raise InputError(f"a damaged zip archive: {error}", path=path) from error


def _require_harmless(archive: zipfile.ZipFile, packed: int, path: Path | str) -> None:
    members = archive.infolist()
    unpacked = sum(member.file_size for member in members)
    if len(members) > MAX_MEMBERS:
        raise InputError(f"{len(members)} files in the archive; at most {MAX_MEMBERS}", path=path)
    if unpacked > MAX_UNPACKED or unpacked > max(RATIO_FLOOR, MAX_RATIO * packed):
        reason = f"unpacks from {packed:,} to {unpacked:,} bytes: refused as a possible zip bomb"
        raise InputError(reason, path=path)
    if any(member.flag_bits & 1 for member in members):
        raise InputError("encrypted: save it without a password", path=path)


def _read_parts(archive: zipfile.ZipFile, path: Path | str) -> dict[str, bytes]:
    """Every part; none may declare a document type, since that is how entities get in."""
    parts = {name: archive.read(name) for name in archive.namelist()}
    for name, part in parts.items():
        plain = part.replace(b"\0", b"").upper()  # UTF-16 hides the declaration behind NULs
        if any(declaration in plain for declaration in _DECLARATIONS):
            raise InputError(f"{name} declares a document type: refused", path=path)
    return parts


def _lines(data: bytes, path: Path | str) -> Iterator[TextLine]:
    for number, paragraph in enumerate(_paragraphs(data, path), 1):
        for line in paragraph.split("\n"):
            if text := line.strip():
                yield TextLine(number, text)


def _paragraphs(data: bytes, path: Path | str) -> list[str]:
    import docx

    try:
        return [paragraph.text for paragraph in docx.Document(io.BytesIO(data)).paragraphs]
    except Exception as error:  # python-docx and lxml have no common error for a damaged file
        reason = f"Word would not open this file either ({type(error).__name__}: {error})"
        raise InputError(reason, path=path) from error
