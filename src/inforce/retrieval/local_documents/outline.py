"""Where the headings of a text are, so that every passage can say what it stands under.

Markdown says so itself. Elsewhere a heading is a short line that begins as Chinese and English
legal texts number theirs: 第一章, 第二节, 一、, Chapter 3, Article IV.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from inforce.retrieval.local_documents.texts import Section

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST_HEADING = 60
"""Characters; a longer line is a sentence."""

_LINE_END = re.compile(r"\r\n?|\n")
_MARKS = re.compile(r"[*_`]+|\s*#+\s*$")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:\s*(.+?)\s*$", re.MULTILINE)
_NUMERAL = "[〇零一二三四五六七八九十百千0-9０-９]+"
_LEVELS: tuple[re.Pattern[str], ...] = (
    re.compile(rf"第{_NUMERAL}(?:部分|编|分编)|(?:part|book|title)\s+(?:[ivxlc]+|\d+)\b", re.I),
    re.compile(rf"第{_NUMERAL}章|chapter\s+(?:[ivxlc]+|\d+)\b", re.I),
    re.compile(rf"第{_NUMERAL}节|(?:section|article|schedule)\s+(?:[ivxlc]+|\d+)\b", re.I),
    re.compile("[一二三四五六七八九十]+、"),
    re.compile("[(（][一二三四五六七八九十]+[)）]"),
)
_SENTENCE_END = ("。", "；", ";", "，", ",", ".", "：“")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, the position of its line, and how deep it stands (1 is outermost)."""

    level: int
    text: str
    start: int
    end: int
    """The first character after its line or lines."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A title (empty if the text has none) and the sections of a text."""

    title: str
    sections: tuple[Section, ...]


def markdown_outline(text: str) -> Outline:
    r"""The outline of a Markdown text; its title is that of its front matter or first heading.

    >>> markdown_outline("# Lease\n\nBetween A and B.\n\n## Rent\n\n900 a month.").sections[1]
    Section(heading='Rent', start=27, end=48)
    """
    headings = list(_markdown_headings(text))
    front = _FRONT_MATTER.match(text)
    stated = _FRONT_TITLE.search(front[1]) if front else None
    if stated:
        return Outline(stated[1].strip("\"'"), sections(text, headings))
    top = headings[0] if headings and headings[0].level == 1 else None
    return Outline(top.text if top else "", sections(text, headings, title=top))


def plain_outline(text: str) -> Outline:
    r"""The outline of a text without marks; its title is its first line, if that is short.

    >>> [s.heading for s in plain_outline("租赁合同\n第一章 租金\n每月九百元。").sections]
    ['', '第一章 租金']
    """
    lines = list(_lines(text))
    headings = [one for one in map(_numbered, lines) if one]
    first = next((line for line in lines if line.text), None)
    titled = first is not None and _is_short(first.text)
    return Outline(first.text if first and titled else "", sections(text, headings))


def sections(
    text: str, headings: Iterable[Heading], *, title: Heading | None = None
) -> tuple[Section, ...]:
    """The parts of a text between headings; the title is not repeated above every part."""
    found = list(headings)
    edges = [*(one.start for one in found), len(text)]
    parts = [Section("", 0, edges[0])]
    above: list[Heading] = []
    following = [*found[1:], None][: len(found)]
    for (start, end), heading, after in zip(pairwise(edges), found, following, strict=True):
        above = [*(one for one in above if one.level < heading.level), heading]
        only_leads_on = after is not None and after.level > heading.level
        if not (only_leads_on and not text[heading.end : end].strip()):
            path = " / ".join(one.text for one in above if one is not title)
            parts.append(Section(path, start, end))
    return tuple(part for part in parts if text[part.start : part.end].strip())


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int
    end: int


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for match in _LINE_END.finditer(text):
        yield _Line(text[start : match.start()].strip(), start, match.end())
        start = match.end()
    yield _Line(text[start:].strip(), start, len(text))


def _numbered(line: _Line) -> Heading | None:
    if not _is_short(line.text):
        return None
    for level, form in enumerate(_LEVELS, 1):
        if form.match(line.text):
            return Heading(level, line.text, line.start, line.end)
    return None


def _is_short(line: str) -> bool:
    return 0 < len(line) <= LONGEST_HEADING and not line.endswith(_SENTENCE_END)


def _markdown_headings(text: str) -> Iterator[Heading]:
    starts = [0, *(match.end() for match in _LINE_END.finditer(text)), len(text)]
    front = _FRONT_MATTER.match(text)
    hidden = front.end() if front else 0
    tokens = _blocks(text)
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.map and opening.level == 0:
            first, last = opening.map
            if starts[first] >= hidden and (words := _MARKS.sub("", inline.content).strip()):
                level = int(opening.tag.removeprefix("h"))
                yield Heading(level, words, starts[first], starts[last])


def _blocks(text: str) -> list[Token]:
    return _parser().parse(text)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])  # words inside lines do not matter here
    return parser


def offsets(lines: Iterable[str], *, separator: int = 1) -> list[int]:
    """Where each line begins once the lines are joined by a separator of that many characters."""
    lengths = (len(line) + separator for line in lines)
    return [0, *accumulate(lengths)]
