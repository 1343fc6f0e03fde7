"""What a file says: its title, its text, and the headings its parts stand under."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text under one heading."""

    heading: str
    """The headings above it, outermost first, joined by `` / ``; empty before the first one."""
    start: int
    """Its first character, the heading included."""
    end: int
    """The first character after it."""


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of one file."""

    title: str
    text: str
    sections: tuple[Section, ...]
    """In order, without gaps that hold text."""
    pages: tuple[int, ...] = ()
    """Where each page begins in the text, for formats that have pages."""
    shortened: str = ""
    """What was left out because of a limit, in words; empty: nothing."""

    def page(self, position: int) -> int | None:
        """The page a character stands on, counted from 1; ``None`` where there are no pages."""
        return sum(start <= position for start in self.pages) or None
