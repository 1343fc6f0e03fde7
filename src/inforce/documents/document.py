"""A document as text, with the place of each of its characters in the original file.

All of a document's text is one string, and a block is a stretch of it: a paragraph, a heading, a
cell of a table, a footnote. A finding about ``text[start:end]`` is located in the original by
`Document.locate`: its block, its page, and in a Word file the paragraph where a comment can be set.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Literal

from inforce.errors import InputError

Progress = Callable[[int, int], None]
"""Called with the pages read and the pages there are."""

Format = Literal["text", "markdown", "html", "pdf", "docx"]

BlockKind = Literal[
    "heading",
    "paragraph",
    "table_cell",
    "quote",
    "code",
    "footnote",
    "endnote",
    "comment",
    "header",
    "footer",
]

_BESIDE: frozenset[BlockKind] = frozenset(("footnote", "endnote", "comment", "header", "footer"))
"""Blocks after the body, under none of its headings."""

_EMPHASIS = str.maketrans("", "", "*_`")

UnreadableCause = Literal[
    "no_text",
    "encrypted",
    "damaged",
    "not_text",
    "unknown_format",
    "too_large",
    "too_slow",
    "too_much_memory",
    "crashed",
]
"""``no_text``: pages without a single character, as of a scan; ``not_text``: bytes that stand for
no characters; ``crashed``: the parser did not survive the file."""


class UnreadableDocumentError(InputError):
    """A document that cannot be read; nothing is known about what it says."""

    def __init__(self, cause: UnreadableCause, reason: str, *, path: str) -> None:
        self.cause: UnreadableCause = cause
        super().__init__(reason, path=path)


@dataclass(frozen=True, slots=True)
class WordParagraph:
    """A paragraph of a Word file: the ``index``-th ``w:p`` element (from 0) of one of its parts."""

    part: str
    """``word/document.xml``, ``word/footnotes.xml``, ``word/header1.xml``, …"""
    index: int


@dataclass(frozen=True, slots=True)
class Revision:
    """A tracked change, or hidden text: what is inserted is in the text, the others are not."""

    kind: Literal["insertion", "deletion", "hidden"]
    start: int
    end: int
    """In the document's text; a deletion is at a place and has no length."""
    text: str = ""
    """The words that were deleted or are hidden."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a document's text of one kind."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    """Of a heading, 1 for a title; 0 for anything else."""
    paragraph: WordParagraph | None = None
    numbered: bool = False
    """Whether Word numbers it: the number is shown and is not in the text."""
    reference: int | None = None
    """Where in the text a footnote, endnote or comment is referred to."""
    revisions: tuple[Revision, ...] = ()


class TextBuilder:
    """Builds the text of a document from blocks: a line each, but one for the cells of a row."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.size = 0
        self.row = self.cell = 0
        """Rows and cells of tables begun so far."""
        self._pieces: list[str] = []
        self._last = (0, 0)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def append(self, words: str, kind: BlockKind) -> int:
        """Append the words of a block behind a separator; returns where they begin."""
        place = (self.row, self.cell) if kind == "table_cell" else (0, 0)
        separator = "\n" if self._pieces else ""
        if place != (0, 0) and place[0] == self._last[0]:
            separator = " " if place == self._last else " | "
        self._last = place
        self._pieces += (separator, words)
        start = self.size + len(separator)
        self.size = start + len(words)
        return start


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text under one heading."""

    heading: str
    """The headings above it, outermost first, joined by `` / ``; empty before the first one."""
    start: int
    """Its first character, the heading included."""
    end: int


@dataclass(frozen=True, slots=True)
class Location:
    """The place of a stretch of text in the original, as far as it is in one block."""

    block: int
    """The number of the block in the document, from 0."""
    start: int
    """Characters from the beginning of the block; in a Word file, of the paragraph."""
    end: int
    page: int | None
    """From 1; ``None`` for formats without pages."""
    line: int | None
    """Of a text or Markdown file, from 1; ``None`` for other formats."""
    paragraph: WordParagraph | None


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a file, block by block."""

    name: str
    format: Format
    title: str
    """As the document states it, or else the name of its file."""
    text: str
    """Of text and Markdown files exactly the file's characters."""
    blocks: tuple[Block, ...]
    """In the order of the text; outside are only blanks, separators and Markdown's marks."""
    pages: tuple[int, ...] = ()
    """The beginnings of the pages in the text, for formats that have pages."""
    pages_without_text: tuple[int, ...] = ()
    """Scanned pages, from 1: nothing is known about what they say."""
    published: date | None = None
    """As a web page says of itself."""
    encoding: str = ""
    omitted: str = ""
    """The parts left out because of a limit, in words; empty: nothing."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The parts between headings, in order; the title is not repeated above every part."""
        headings = [block for block in self.blocks if block.kind == "heading"]
        starts = (self.text.rfind("\n", 0, block.start) + 1 for block in headings)
        body = next((one.start for one in self.blocks if one.kind in _BESIDE), len(self.text))
        edges = [*starts, body]
        found = [Section("", 0, edges[0])]
        above: list[Block] = []
        following = [*headings[1:], None][: len(headings)]
        for (start, end), heading, after in zip(pairwise(edges), headings, following, strict=True):
            above = [*(one for one in above if one.level < heading.level), heading]
            leads_on = after is not None and after.level > heading.level
            if not (leads_on and not self.text[heading.end : end].strip()):
                found.append(Section(self._path(above), start, end))
        found.append(Section("", body, len(self.text)))
        return tuple(part for part in found if self.text[part.start : part.end].strip())

    def _path(self, above: list[Block]) -> str:
        words = [self.text[one.start : one.end].translate(_EMPHASIS).strip() for one in above]
        if words and above[0].level == 1 and words[0] == self.title:
            del words[0]
        return " / ".join(words)

    def page(self, position: int) -> int | None:
        """Return the page a character is on, from 1; ``None`` where there are no pages."""
        return bisect_right(self.pages, position) or None

    def line(self, position: int) -> int | None:
        """Return the line of the file a character is on, from 1; ``None`` for other formats."""
        if self.format not in ("text", "markdown"):
            return None
        return self.text.count("\n", 0, position) + 1

    def block_text(self, block: Block) -> str:
        """Return the words of a block."""
        return self.text[block.start : block.end]

    def locate(self, start: int, end: int) -> tuple[Location, ...]:
        """Return where ``text[start:end]`` is in the original, block by block.

        Raises:
            ValueError: if that is no stretch of this text.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"characters {start} to {end} of {len(self.text)}")
        first = bisect_right(self.blocks, start, key=lambda block: block.end)
        found: list[Location] = []
        for number in range(first, len(self.blocks)):
            block = self.blocks[number]
            if block.start >= max(end, start + 1):
                break
            begins, stops = max(start, block.start), min(end, block.end)
            found.append(
                Location(
                    number,
                    begins - block.start,
                    stops - block.start,
                    self.page(begins),
                    self.line(begins),
                    block.paragraph,
                )
            )
        return tuple(found)
