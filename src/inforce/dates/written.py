"""A date expression as it is written, before it is resolved to a day.

`inforce.dates.chinese` and `inforce.dates.english` list the forms in which dates are written;
`inforce.dates.reading` finds them in a text and resolves them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Literal, NamedTuple


class Anchor(NamedTuple):
    """Where a relative expression counts from: 次年 is one year after the date before it.

    当年 without a month is the time of the facts (当年的规定), whatever date stands before it.
    """

    origin: Literal["previous", "facts", "today"]
    unit: Literal["year", "month", "day"]
    shift: int = 0

    @classmethod
    def ago(cls, count: int, unit: Literal["year", "month", "week", "day"]) -> Anchor:
        """So many years, months, weeks or days before today."""
        if unit == "week":
            return cls("today", "day", -7 * count)
        return cls("today", unit, -count)


class Part(NamedTuple):
    """Which months of the year, or days of the month, are meant: 上半年 is ``Part(1, 6)``."""

    first: int
    last: int
    """Included; 31 is the last day whatever the month, 120 the last month of a decade."""


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """One date expression and the offsets of its words."""

    start: int
    end: int
    _: KW_ONLY
    year: int | None = None
    short_year: int | None = None
    """The last two figures of a year (08年): the latest such year that is not to come."""
    month: int | None = None
    day: int | None = None
    part: Part | None = None
    anchor: Anchor | None = None
    needs_neighbour: bool = False
    """Whether it is a date only when joined to the one before it: the 28日 of 26日至28日."""
    may_borrow_year: bool = False
    """Whether it takes the year of the date it runs up to: the June of June to August 2018."""
    problem: str = ""
    """Why the writing itself cannot be read."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way of writing dates: its regular expression (verbose), and how a match is read."""

    name: str
    pattern: str
    read: Callable[[re.Match[str]], WrittenDate | None]
    """``None`` where the words are no date after all."""


_PLAIN = str.maketrans(
    "０１２３４５６７８９－—–―−‐‑～〜．／零○◯Ｏ",
    "0123456789-------~~./〇〇〇〇",
)


def as_plain(text: str) -> str:
    """The text with full-width digits and lookalike signs made plain, character for character."""
    return text.translate(_PLAIN)
