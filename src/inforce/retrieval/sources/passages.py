"""Cuts a long document into passages that an agent can read: at headings and paragraphs, verbatim.

Each passage is a piece of the text as it stands, in order, nothing left out but white space between
them; it knows the headings it is under.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from inforce.language import sentences
from inforce.retrieval.sources.source import PASSAGE_MARK, SourceDocument

PASSAGE = 1_000
"""Characters a passage has at most; a longer sentence stays whole up to three times that."""

_HEADING = re.compile(
    r"(?P<marks>\#{1,6})\s*(?P<title>\S.{0,80})"
    r"|(?P<unit>第[一二三四五六七八九十百零〇\d]+[编章节])\s*.{0,60}"
    r"|(?P<number>[一二三四五六七八九十]+、)[^。；：，]{1,40}"
)
_LEVELS = {"编": 7, "章": 8, "节": 9}
_NUMBERED = 10


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some lines under the same headings: where they begin and end in the text."""

    start: int
    end: int
    section: str


def passages(document: SourceDocument, *, size: int = PASSAGE) -> list[SourceDocument]:
    """Return the passages of a document, each a document; itself where it is short enough.

    >>> [one.id for one in passages(SourceDocument("a", "t", "甲。" * 30), size=40)]
    ['a#1', 'a#2']
    """
    if len(document.text) <= size:
        return [document]
    text = document.text
    pieces = [one for one in _pieces(text, size) if text[one.start : one.end].strip()]
    return [
        replace(
            document,
            id=f"{document.id}{PASSAGE_MARK}{number}",
            text=text[piece.start : piece.end].strip(),
            section=piece.section or document.section,
            details={**document.details, "passage": f"{number} of {len(pieces)}"},
        )
        for number, piece in enumerate(pieces, 1)
    ]


def _pieces(text: str, size: int) -> Iterator[_Piece]:
    """Paragraphs joined up to the size, never across a heading."""
    start = end = 0
    section, headings = "", list[_Heading]()
    for line in _short_lines(text, size):
        heading = _heading(text[line].strip())
        if end > start and (heading or line.stop - start > size):
            yield _Piece(start, end, section)
            start = line.start
        if heading:
            headings = [*(one for one in headings if one.level < heading.level), heading]
            section = " / ".join(one.title for one in headings)
        end = line.stop
    yield _Piece(start, end, section)


def _short_lines(text: str, size: int) -> Iterator[slice]:
    """The lines of a text in order, long ones cut behind sentences."""
    start = 0
    for line in text.splitlines(keepends=True):
        if len(line) <= size:
            yield slice(start, start + len(line))
        else:
            yield from _sentences(line, start, size)
        start += len(line)


def _sentences(line: str, offset: int, size: int) -> Iterator[slice]:
    """A long line in pieces of whole sentences; a sentence beyond all bounds is cut."""
    begun = 0
    for sentence in sentences(line, longest=3 * size):
        if sentence.end - begun > size and sentence.start > begun:
            yield slice(offset + begun, offset + sentence.start)
            begun = sentence.start
    if begun < len(line):
        yield slice(offset + begun, offset + len(line))


def _heading(line: str) -> _Heading | None:
    found = _HEADING.fullmatch(line)
    if found is None:
        return None
    if marks := found["marks"]:
        return _Heading(len(marks), found["title"].strip())
    unit = found["unit"]
    return _Heading(_LEVELS[unit[-1]] if unit else _NUMBERED, line)
