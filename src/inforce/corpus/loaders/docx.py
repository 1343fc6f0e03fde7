"""A Word file (.docx) that holds one law, as official registers hand them out.

Lines in messages are paragraphs of the file, counted from 1 with the empty ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from inforce.corpus.loaders.layout import TextLine, is_numbered
from inforce.corpus.loaders.plain_text import law_of_lines
from inforce.documents.document import Document
from inforce.documents.parsing import shared_parser
from inforce.errors import InputError
from inforce.law.model import Source, VersionText


def parse_docx(data: bytes, *, path: Path | str, source: Source) -> VersionText:
    """The law in a Word file.

    Raises:
        InputError: if it cannot be read whole, has tracked changes or automatic numbers (they are
            not part of the text), or as `parse_text`.
    """
    document, lines = _read(data, path=path)
    has_tables = any(block.kind == "table_cell" for block in document.blocks)
    remarks = ("tables are left out",) if has_tables else ()
    return law_of_lines(lines, path=path, source=source, remarks=remarks)


def docx_lines(data: bytes, *, path: Path | str) -> tuple[TextLine, ...]:
    """The lines of a Word file that are not blank, without tables.

    Raises:
        InputError: as `parse_docx`, but for what makes a law.
    """
    return _read(data, path=path)[1]


def _read(data: bytes, *, path: Path | str) -> tuple[Document, tuple[TextLine, ...]]:
    document = shared_parser().parse(data, name=str(path), format="docx")
    if document.omitted:
        raise InputError(f"too large for a law: {document.omitted}", path=path)
    changes = [change for block in document.blocks for change in block.revisions]
    if any(change.kind != "hidden" for change in changes):
        raise InputError("tracked changes: accept or reject them first", path=path)
    lines = tuple(_lines(document))
    is_renumbered = any(block.numbered for block in document.blocks)
    if is_renumbered and not any(is_numbered(line) for line in lines):
        reason = "articles are numbered automatically: turn the numbers into text first"
        raise InputError(reason, path=path)
    return document, lines


def _lines(document: Document) -> Iterator[TextLine]:
    for block in document.blocks:
        if block.kind in ("heading", "paragraph") and block.paragraph is not None:
            for line in document.block_text(block).split("\n"):
                if text := line.strip():
                    yield TextLine(block.paragraph.index + 1, text)
