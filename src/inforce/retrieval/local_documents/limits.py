"""What a folder and its files may cost to read: nothing found in a folder can fill the memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on reading; what exceeds one is reported with its path, and the rest is read."""

    bytes: int = 32 * 2**20
    """Of one file."""
    pages: int = 2_000
    """Of one PDF; the pages after these are left out, and that is reported."""
    characters: int = 5_000_000
    """Of the text of one file; what comes after is left out, and that is reported."""
    seconds: float = 60.0
    """To turn one HTML, PDF or Word file into text, in a process of its own."""
    memory: int = 2 * 2**30
    """Bytes of address space that process may take, where the system can limit it."""
    files: int = 100_000
    """In the folder and those below it."""
