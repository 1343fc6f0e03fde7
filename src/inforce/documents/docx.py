"""A Word file (.docx) as text, with all that a reader of it sees, and where each word is.

Body, tables, footnotes, endnotes, comments, headers and footers. Of tracked changes insertions are
text and deletions are not; both are flagged. Each block names its paragraph, and `paragraph_text`
maps the characters of a paragraph to its runs, so that a comment can be set exactly there.

Read with lxml, part by part: python-docx knows no footnotes and no tracked changes, and parses all
parts of a file.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from inforce.documents.document import (
    Block,
    BlockKind,
    Document,
    Revision,
    TextBuilder,
    WordParagraph,
)
from inforce.documents.docx_package import WordPackage
from inforce.documents.limits import DocumentLimits
from inforce.documents.outline import first_line, heading_level

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"

_PARAGRAPH, _TABLE, _ROW, _CELL = f"{_W}p", f"{_W}tbl", f"{_W}tr", f"{_W}tc"
_TEXT_BOX = f"{_W}txbxContent"
_RUN = f"{_W}r"
_CHARACTERS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}
_DELETIONS = frozenset((f"{_W}del", f"{_W}moveFrom"))
_INSERTIONS = frozenset((f"{_W}ins", f"{_W}moveTo"))
_SILENT = frozenset((f"{_W}pPr", f"{_W}rPr", f"{_W}rt", f"{_W}instrText", _FALLBACK, _TEXT_BOX))
"""Properties, field codes, phonetic guides, copies for old programs; text boxes come after."""
_NOTES: dict[str, BlockKind] = {
    f"{_W}footnote": "footnote",
    f"{_W}endnote": "endnote",
    f"{_W}comment": "comment",
}
_REFERENCES: dict[str, BlockKind] = {f"{name}Reference": kind for name, kind in _NOTES.items()}

_HEADING_NAME = re.compile(r"(?:heading|标题)\s{0,3}([1-9])", re.I)
_LONGEST_HEADING = 200
"""Characters; a longer paragraph is text, whatever its outline level."""
_TITLE_NAMES = ("title", "标题")
_OFF = ("0", "false", "off", "none")


class Piece(NamedTuple):
    """Some characters of a paragraph, the element they are in, and the run that element is in."""

    start: int
    end: int
    element: Any
    run: Any


class Reference(NamedTuple):
    """A reference in a paragraph to a note or a comment, by its number in its part."""

    kind: BlockKind
    number: str
    place: int


@dataclass(frozen=True, slots=True)
class ParagraphText:
    """The text of a paragraph, with the element each character is in."""

    text: str
    pieces: tuple[Piece, ...]
    revisions: tuple[Revision, ...]
    """At places of this text."""
    references: tuple[Reference, ...]


def paragraph_text(paragraph: Any) -> ParagraphText:
    """Return the text of a ``w:p`` element as a reader of the file sees it.

    Its characters are, place by place, those of the paragraph's block in a `Document` (where line
    breaks inside headings and table cells are blanks).
    """
    collector = _Collector()
    collector.collect(paragraph, run=None, inserted=False)
    end = collector.size
    for mark in paragraph.iterfind(f"{_W}pPr/{_W}rPr/*"):
        if mark.tag in _DELETIONS:
            collector.revisions.append(Revision("deletion", end, end, "\n"))
        elif mark.tag in _INSERTIONS:
            collector.revisions.append(Revision("insertion", end, end))
    return ParagraphText(
        "".join(collector.words),
        tuple(collector.pieces),
        tuple(collector.revisions),
        tuple(collector.references),
    )


class _Collector:
    """Collects the text of one paragraph."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.size = 0
        self.pieces: list[Piece] = []
        self.revisions: list[Revision] = []
        self.references: list[Reference] = []

    def collect(self, element: Any, *, run: Any, inserted: bool) -> None:
        for child in element:
            tag, begin = child.tag, self.size
            if tag in _SILENT:
                continue
            if tag in _DELETIONS or (tag == _RUN and _is_hidden(child)):
                kind = "deletion" if tag in _DELETIONS else "hidden"
                removed = "".join(map(_words, child.iter()))
                self.revisions.append(Revision(kind, begin, begin, removed))
            elif words := _words(child):
                self.words.append(words)
                self.size += len(words)
                self.pieces.append(Piece(begin, self.size, child, run))
            elif tag in _REFERENCES:
                number = child.get(f"{_W}id") or ""
                self.references.append(Reference(_REFERENCES[tag], number, begin))
            else:
                inner = inserted or tag in _INSERTIONS
                self.collect(child, run=child if tag == _RUN else run, inserted=inner)
                if inner and not inserted:
                    self.revisions.append(Revision("insertion", begin, self.size))


def _words(element: Any) -> str:
    if element.tag in (f"{_W}t", f"{_W}delText"):
        return element.text or ""
    return _CHARACTERS.get(element.tag, "")


def _is_hidden(run: Any) -> bool:
    vanish = run.find(f"{_W}rPr/{_W}vanish")
    return vanish is not None and (vanish.get(f"{_W}val") or "").lower() not in _OFF


def read_docx(data: bytes, *, name: str, limits: DocumentLimits) -> Document:
    """Read the text of a Word file.

    Raises:
        UnreadableDocumentError: if it is encrypted, damaged, no Word file, or could be a zip bomb.
    """
    package = WordPackage(data, name, limits)
    reader = _Reader(_Styles(package.tree(f"{posixpath.dirname(package.main)}/styles.xml")), limits)
    reader.read(package.main, package.tree(package.main), "paragraph")
    body = len(reader.builder.blocks)
    for part, kind in package.related_parts():
        reader.read(part, package.tree(part), kind)
    text, blocks = reader.builder.text, list(reader.referring_blocks())
    if not any(block.kind == "heading" for block in blocks):
        # In a file without styles, headings are recognised by their numbers, as in plain text.
        for number, block in enumerate(blocks[:body]):
            level = heading_level(text[block.start : block.end].strip())
            if level and block.kind == "paragraph":
                blocks[number] = replace(block, kind="heading", level=level)
    title = next((text[one.start : one.end] for one in blocks[:body] if one.level == 1), "")
    title = title or package.stated_title() or first_line(text, blocks[:body])
    return Document(name, "docx", title, text, tuple(blocks), omitted=reader.omitted)


class _Reader:
    """Reads the parts of a file one after the other."""

    def __init__(self, styles: _Styles, limits: DocumentLimits) -> None:
        self.builder = TextBuilder()
        self.omitted = ""
        self._styles = styles
        self._most = limits.blocks
        self._notes: dict[int, tuple[BlockKind, str]] = {}
        self._references: dict[tuple[BlockKind, str], int] = {}

    def read(self, part: str, root: Any, kind: BlockKind) -> None:
        """Append the blocks of a part; none of a part that is not there."""
        if root is not None:
            places = {element: place for place, element in enumerate(root.iter(_PARAGRAPH))}
            self._walk(root, _Context(part, places, kind))

    def referring_blocks(self) -> Iterator[Block]:
        """Yield the blocks, notes and comments with the place they are referred to."""
        for number, block in enumerate(self.builder.blocks):
            note = self._notes.get(number)
            yield replace(block, reference=self._references.get(note)) if note else block

    def _walk(self, element: Any, context: _Context) -> None:
        for child in element:
            tag = child.tag
            if self.omitted:
                return
            if tag == _PARAGRAPH:
                self._paragraph(child, context)
                for box in child.iter(_TEXT_BOX):
                    if _is_shown(box, child):
                        self._walk(box, context)
            elif tag in _NOTES:
                if child.get(f"{_W}type", "normal") == "normal":
                    self._walk(child, replace(context, note=child.get(f"{_W}id") or ""))
            elif tag != _FALLBACK:
                self.builder.row += tag == _ROW
                self.builder.cell += tag == _CELL
                is_cell = context.kind == "paragraph" and tag == _CELL
                self._walk(child, replace(context, kind="table_cell") if is_cell else context)

    def _paragraph(self, element: Any, context: _Context) -> None:
        found = paragraph_text(element)
        start = self.builder.size
        if len(self.builder.blocks) >= self._most:
            self.omitted = f"only the first {self._most:,} paragraphs were read"
        elif found.text.strip() or found.revisions:
            start = self._add(found, self._styles.of(element), context, context.places[element])
        for kind, number, place in found.references:
            self._references.setdefault((kind, number), start + place)

    def _add(self, found: ParagraphText, style: _Style, context: _Context, index: int) -> int:
        """Append the block of a paragraph; returns where it begins."""
        is_heading = (
            style.level > 0
            and context.kind == "paragraph"
            and 0 < len(found.text.strip()) <= _LONGEST_HEADING
        )
        kind: BlockKind = "heading" if is_heading else context.kind
        one_line = is_heading or kind == "table_cell"
        builder = self.builder
        start = builder.append(found.text.replace("\n", " ") if one_line else found.text, kind)
        if context.note:
            self._notes[len(builder.blocks)] = (context.kind, context.note)
        builder.blocks.append(
            Block(
                kind,
                start,
                builder.size,
                style.level if is_heading else 0,
                WordParagraph(context.part, index),
                style.numbered,
                revisions=tuple(
                    replace(one, start=one.start + start, end=one.end + start)
                    for one in found.revisions
                ),
            )
        )
        return start


@dataclass(frozen=True, slots=True)
class _Context:
    """The place of a paragraph in the file."""

    part: str
    places: dict[Any, int]
    kind: BlockKind
    note: str = ""


def _is_shown(box: Any, paragraph: Any) -> bool:
    """Return whether a text box is this paragraph's own, and no copy for old programs."""
    for above in box.iterancestors():
        if above is paragraph:
            return True
        if above.tag in (_FALLBACK, _PARAGRAPH):
            return False
    return False


class _Style(NamedTuple):
    level: int = 0
    numbered: bool = False


class _Styles:
    """The heading levels and numbering that the styles of a file give."""

    def __init__(self, root: Any) -> None:
        found = root.iter(f"{_W}style") if root is not None else ()
        self._elements: dict[str, Any] = {one.get(f"{_W}styleId") or "": one for one in found}
        self._known: dict[str, _Style] = {}

    def of(self, paragraph: Any) -> _Style:
        """Return the level of a heading (1: the title, 0: none), and whether Word numbers it."""
        properties = paragraph.find(f"{_W}pPr")
        if properties is None:
            return _Style()
        named = properties.find(f"{_W}pStyle")
        style = self._style(named.get(f"{_W}val") or "" if named is not None else "")
        level, numbered = _outline_level(properties), _is_numbered(properties)
        return _Style(
            style.level if level is None else level,
            style.numbered if numbered is None else numbered,
        )

    def _style(self, name: str) -> _Style:
        if name not in self._known:
            self._known[name] = _Style()  # for styles based on themselves
            self._known[name] = self._looked_up(name)
        return self._known[name]

    def _looked_up(self, name: str) -> _Style:
        element = self._elements.get(name)
        if element is None:
            return _Style()
        based = element.find(f"{_W}basedOn")
        above = self._style(based.get(f"{_W}val") or "") if based is not None else _Style()
        called = element.find(f"{_W}name")
        words = ((called.get(f"{_W}val") or "") if called is not None else "").strip().lower()
        heading = _HEADING_NAME.fullmatch(words)
        properties = element.find(f"{_W}pPr")
        level = _outline_level(properties) if properties is not None else None
        numbered = _is_numbered(properties) if properties is not None else None
        if heading or words in _TITLE_NAMES:
            level = int(heading[1]) + 1 if heading else 1
        return _Style(
            above.level if level is None else level,
            above.numbered if numbered is None else numbered,
        )


def _outline_level(properties: Any) -> int | None:
    """Return the level of a heading, 2 for the outermost, 0 for text; ``None``: not stated."""
    stated = properties.find(f"{_W}outlineLvl")
    value = (stated.get(f"{_W}val") or "") if stated is not None else ""
    if not value.isdecimal():
        return None
    return int(value) + 2 if int(value) < 9 else 0


def _is_numbered(properties: Any) -> bool | None:
    if properties.find(f"{_W}numPr") is None:
        return None
    number = properties.find(f"{_W}numPr/{_W}numId")
    return number is None or number.get(f"{_W}val") != "0"
