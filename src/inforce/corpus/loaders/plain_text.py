"""Plain text of one law: UTF-8, UTF-16 with a byte order mark, or GB18030.

The title on the first line (or lines), the note on adoption in brackets, a table of contents if
there is one, headings, articles.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inforce.corpus.loaders.layout import TextLine, split_header, split_title, text_lines
from inforce.corpus.loaders.single_law import single_law
from inforce.corpus.loaders.statute_text import parse_body
from inforce.documents.charset import decode_strictly
from inforce.errors import InputError
from inforce.law.model import Source, VersionText


def parse_text(data: bytes, *, path: Path | str, source: Source) -> VersionText:
    """The law in a text file.

    Raises:
        InputError: if it is no text, no statute, or its articles are not in order; names the line.
    """
    decoded = decode_strictly(data, path=path)
    remarks = () if decoded.encoding.startswith("utf") else (f"decoded from {decoded.encoding}",)
    return law_of_lines(text_lines(decoded.text), path=path, source=source, remarks=remarks)


def law_of_lines(
    lines: Sequence[TextLine], *, path: Path | str, source: Source, remarks: Sequence[str] = ()
) -> VersionText:
    """The law in the lines of a text, whatever they were read from.

    Raises:
        InputError: as `parse_text`.
    """
    titled = split_title(lines, path=path)
    parts = split_header(titled.rest)
    body = parse_body(parts.after, path=path)
    if all(each.number.kind == "whole" for each in body.articles) and not parts.before:
        reason = "no article (第一条 …), no point (一、…) and no note on adoption: not a statute"
        raise InputError(reason, path=path, line=1)
    return single_law(titled.title, parts.before, body, path=path, source=source, remarks=remarks)
