"""Overlapping windows of a text, each within one section (L-MARS, section 3.3).

The paper's windows are 500 characters long and begin every 100 characters. Its published code lets
neighbours share 100 characters instead, which is ``Windowing(stride=400)``: a fifth of the windows,
and a passage may be cut where no other window holds it whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inforce.documents.document import Document, Section
from inforce.errors import UserError


@dataclass(frozen=True, slots=True)
class Windowing:
    """How texts are cut, in characters."""

    size: int = 500
    stride: int = 100
    """From the start of one window to the start of the next."""

    def __post_init__(self) -> None:
        if not 0 < self.stride <= self.size:
            raise UserError(
                f"windows of {self.size} characters every {self.stride}: the stride must be "
                "positive and at most the size, or text would be left out"
            )


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text, and the headings it is under."""

    section: str
    start: int
    end: int


def windows(document: Document, windowing: Windowing) -> Iterator[Window]:
    """The windows of a text in order; together they cover all of it but blank edges."""
    for section in document.sections:
        yield from _within(document.text, section, windowing)


def _within(text: str, section: Section, windowing: Windowing) -> Iterator[Window]:
    part = text[section.start : section.end]
    start = section.start + len(part) - len(part.lstrip())
    end = section.start + len(part.rstrip())
    while start < end:
        stop = min(start + windowing.size, end)
        yield Window(section.heading, start, stop)
        if stop == end:
            return
        start += windowing.stride
