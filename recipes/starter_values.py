"""What is said of a law of the starter corpus: its texts, and where a copy is mended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Mend:
    """A piece of text in the copy, what the official print has instead, and why."""

    data: str
    ours: str
    why: str


@dataclass(frozen=True)
class Supplied:
    """A version the research data lacks, with the articles written out from the official text."""

    label: str
    valid_from: str
    valid_to: str
    promulgated: str
    texts: Mapping[str, str]
    paths: Mapping[str, str]
    why: str


@dataclass(frozen=True)
class Before:
    """A text the research data lacks, known from the one after it, but for what the act changed."""

    label: str
    valid_from: str
    promulgated: str
    later: str
    """The first day in force of the text after it."""
    changed: tuple[int, ...]
    """The articles of the later text whose words the act changed."""
    deleted: int
    """The article of the earlier text that the act deleted; those behind it moved up by one."""
    why: str


@dataclass(frozen=True)
class Law:
    """One file of the starter corpus."""

    slug: str
    title: str
    instruments: Mapping[str, str]
    """By first day in force: the law or decision that made the version."""
    note: str = ""
    category: str = "法律"
    mends: tuple[Mend, ...] = ()
    headings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Headings of the copy that the official print words otherwise; ``""`` where it has none."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """By first day in force: what to call a version, where the copy calls it by a date."""
    copies: frozenset[tuple[str, str]] = frozenset()
    """The copies taken, by label and owner of the repository, where the data has several."""
    begins: Mapping[str, str] = field(default_factory=dict[str, str])
    """By label: the first day in force, where the record states none; the histories show it."""
    supplied: tuple[Supplied, ...] = ()
    before: Before | None = None
    as_of: str = ""
    """The day up to which every act is known; for a law that has ended none is needed."""
