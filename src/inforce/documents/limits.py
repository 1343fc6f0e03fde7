"""Limits on reading a file that somebody else wrote: size, time, memory."""

from __future__ import annotations

from dataclasses import dataclass

EXPANSION_FLOOR = 16 * 2**20
"""Bytes that any compressed file may unpack to, whatever its ratio."""
MAX_EXPANSION = 200
"""Above that floor, how many times its size it may unpack to; statutes compress 4 to 12 times."""


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """Bounds on one document.

    A file above one of the first eight is refused, with the reason; what a document has beyond the
    last three is left out, and `Document.omitted` says so.
    """

    bytes: int = 32 * 2**20
    seconds: float = 60.0
    """To turn the file into text, in a process of its own."""
    page_seconds: float = 0.0
    """How much more each page of a PDF may take."""
    memory: int = 2 * 2**30
    """Bytes of address space that process may take, where the system can limit it."""
    archive_files: int = 5_000
    """In a Word file; most of them are pictures."""
    unpacked: int = 256 * 2**20
    """Bytes all files in a Word file may unpack to."""
    part: int = 64 * 2**20
    """Bytes one XML part of a Word file may unpack to."""
    pages: int = 2_000
    characters: int = 5_000_000
    blocks: int = 100_000
    """Paragraphs, headings and table cells."""

    def seconds_for(self, pages: int) -> float:
        """Return the seconds that a file of so many pages may take.

        >>> DocumentLimits(page_seconds=0.2).seconds_for(2_000)
        460.0
        """
        return self.seconds + self.page_seconds * min(pages, self.pages)


DEFAULT_LIMITS = DocumentLimits()
PATIENT_LIMITS = DocumentLimits(page_seconds=0.2)
"""For a file that somebody names on their own machine, and waits for."""


def expansion_limit(packed: int) -> int:
    """Return the bytes that so many compressed bytes may unpack to."""
    return max(EXPANSION_FLOOR, MAX_EXPANSION * packed)
