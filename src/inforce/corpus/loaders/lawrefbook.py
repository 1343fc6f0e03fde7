"""Markdown in the manner of LawRefBook/Laws: one law a file.

``# title``, dated history lines, ``<!-- INFO END -->``, then headings (``##``, ``###``, ``####``)
and paragraphs that begin with 第X条. The file's name may carry the date: ``公司法(2023-12-29).md``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from inforce.corpus.loaders.layout import Split, TextLine, split_header, text_lines
from inforce.corpus.loaders.single_law import single_law
from inforce.corpus.loaders.statute_text import parse_body
from inforce.documents.charset import decode_strictly
from inforce.errors import InputError
from inforce.law.model import Source, VersionText

INFO_END = "<!-- INFO END -->"
_HEADING = re.compile(r"(#{1,6})\s*(.*)", re.DOTALL)
_LIST_ITEM = re.compile(r"[-*]\s+")


def parse_lawrefbook(data: bytes, *, path: Path | str, source: Source) -> VersionText:
    """The law in a Markdown file.

    Raises:
        InputError: if it has no title, or its articles are not in order; names the line.
    """
    decoded = decode_strictly(data, path=path)
    lines = [_unmarked(line) for line in text_lines(decoded.text)]
    if not lines or lines[0].level != 1 or not lines[0].text:
        raise InputError(
            "no title: the first line must be '# ' and the law's title", path=path, line=1
        )
    parts = _history_and_law(lines[1:])
    body = parse_body([line for line in parts.after if not _is_comment(line)], path=path)
    remarks = () if decoded.encoding.startswith("utf") else (f"decoded from {decoded.encoding}",)
    title = "".join(lines[0].text.split())
    return single_law(title, parts.before, body, path=path, source=source, remarks=remarks)


def _unmarked(line: TextLine) -> TextLine:
    """The same line without its Markdown signs."""
    match = _HEADING.fullmatch(line.text)
    if match:
        return TextLine(line.number, match[2], len(match[1]))
    return TextLine(line.number, _LIST_ITEM.sub("", line.text, count=1))


def _history_and_law(lines: Sequence[TextLine]) -> Split:
    end = next((i for i, line in enumerate(lines) if line.text == INFO_END), None)
    if end is None:
        return split_header(lines)
    return Split(tuple(lines[:end]), tuple(lines[end + 1 :]))


def _is_comment(line: TextLine) -> bool:
    return line.text.startswith("<!--") and line.text.endswith("-->")
