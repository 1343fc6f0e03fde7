"""Headings and paragraphs of a text without marks, recognised by the form of its lines.

A heading is a short line that begins as Chinese and English legal texts number theirs: 第一章,
第二节, 一、, Chapter 3, Article IV. A line goes on in the next one where it was broken at the
margin, as in every PDF and in much plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from inforce.documents.document import Block

LONGEST_HEADING = 60
"""Characters; a longer line is a sentence."""

_LINE = re.compile(r"[^\r\n]+")
_LINE_END = re.compile(r"\r\n?|\n")
_NUMERAL = "[〇零一二三四五六七八九十百千0-9０-９]{1,12}"
_LEVELS: tuple[re.Pattern[str], ...] = (
    re.compile(rf"第{_NUMERAL}(?:部分|编|分编)|(?:part|book|title)\s+(?:[ivxlc]+|\d+)\b", re.I),
    re.compile(rf"第{_NUMERAL}章|chapter\s+(?:[ivxlc]+|\d+)\b", re.I),
    re.compile(rf"第{_NUMERAL}节|(?:section|article|schedule)\s+(?:[ivxlc]+|\d+)\b", re.I),
    re.compile("[一二三四五六七八九十]{1,3}、"),
    re.compile("[(（][一二三四五六七八九十]{1,3}[)）]"),
)
_SENTENCE_END = ("。", "；", ";", "，", ",", ".", "：“")
_PARAGRAPH_END = ("。", "；", ";", "：", ":", ".", "！", "？", "!", "?", "”", "）", ")")
_BEGINS_PARAGRAPH = re.compile(
    rf"\u3000|[ \t]{{2}}|\t|第{_NUMERAL}条|[-*•·●○■◆]\s|"
    r"[(（]?(?:\d{1,3}|[一二三四五六七八九十]{1,3})[)）.、](?!\d)|[(（][a-zA-Z][)）]"
)
_MARGIN = 30
"""Columns from which the longest line of a text shows where its margin is."""
_SHORT_LINE = 0.75
"""Share of the longest line's width below which a line ended because its paragraph did."""


class _Line(NamedTuple):
    start: int
    end: int


def heading_level(line: str) -> int:
    """Return the level of a numbered heading, 2 for the outermost; 0 for a line that is none.

    >>> heading_level("第一章 租金"), heading_level("第一条 每月九百元。")
    (3, 0)
    """
    if not is_short(line):
        return 0
    return next((level for level, form in enumerate(_LEVELS, 2) if form.match(line)), 0)


def is_short(line: str) -> bool:
    """Return whether a line may be a heading or a title: short, and no sentence."""
    return 0 < len(line) <= LONGEST_HEADING and not line.endswith(_SENTENCE_END)


def plain_blocks(text: str, start: int = 0, end: int | None = None) -> Iterator[Block]:
    r"""Yield the paragraphs and numbered headings of a text, or of one page of it.

    >>> text = "Lease\nChapter 1\nThe rent is 900 a month, to be paid in\nadvance.\n"
    >>> [(one.kind, text[one.start : one.end]) for one in plain_blocks(text)][1:]
    [('heading', 'Chapter 1'), ('paragraph', 'The rent is 900 a month, to be paid in\nadvance.')]
    """
    lines = list(_lines(text, start, len(text) if end is None else end))
    widest = max((_width(text[line.start : line.end]) for line in lines), default=0)
    begun: _Line | None = None
    for line in lines:
        words = text[line.start : line.end].strip()
        level = heading_level(words)
        if level and widest >= _MARGIN and _width(words) >= _SHORT_LINE * widest:
            level = 0  # the beginning of a sentence that goes on in the next line
        if begun is not None and (level or _begins(text, begun, line, widest)):
            yield _block(text, begun)
            begun = None
        if level:
            yield _block(text, line, level)
        else:
            begun = _Line(begun.start if begun else line.start, line.end)
    if begun is not None:
        yield _block(text, begun)


def _begins(text: str, begun: _Line, line: _Line, widest: float) -> bool:
    """Return whether a line begins a new paragraph."""
    if widest < _MARGIN or _BEGINS_PARAGRAPH.match(text, line.start, line.end):
        return True
    if len(_LINE_END.findall(text, begun.end, line.start)) > 1:
        return True
    last = _Line(max(begun.start, text.rfind("\n", begun.start, begun.end) + 1), begun.end)
    above = text[last.start : last.end].rstrip()
    width = _width(above)
    return width < _SHORT_LINE * widest or (above.endswith(_PARAGRAPH_END) and width < widest)


def _width(line: str) -> float:
    """Return the columns of a line: a Chinese character (three bytes of UTF-8) takes two."""
    return (len(line) + len(line.encode("utf-8", "replace"))) / 2


def _block(text: str, line: _Line, level: int = 0) -> Block:
    piece = text[line.start : line.end]
    start = line.start + len(piece) - len(piece.lstrip())
    return Block(
        "heading" if level else "paragraph", start, line.start + len(piece.rstrip()), level
    )


def _lines(text: str, start: int, end: int) -> Iterator[_Line]:
    """The lines that are not blank."""
    for match in _LINE.finditer(text, start, end):
        if not match[0].isspace():
            yield _Line(match.start(), match.end())


def first_line(text: str, blocks: Sequence[Block]) -> str:
    """Return the title of a text without marks: its first line, if that is short."""
    words = text[blocks[0].start : blocks[0].end].partition("\n")[0].strip() if blocks else ""
    return words if is_short(words) else ""
