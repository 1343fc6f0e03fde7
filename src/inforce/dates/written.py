"""One date expression as it stands in a text, before anybody asks which day it means.

`inforce.dates.chinese` and `inforce.dates.english` say how dates are written, as `Form` values;
`inforce.dates.scanner` looks for them; `inforce.dates.mentions` says what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple


class Anchor(NamedTuple):
    """Where a relative expression counts from: 次年 is one year after the date before it."""

    origin: Literal["previous", "today"]
    unit: Literal["year", "month", "day"]
    shift: int = 0


class Part(NamedTuple):
    """Which months of the year, or days of the month, are meant: 上半年 is ``Part(1, 6)``."""

    first: int
    last: int
    """Included; 31 is the last day whatever the month, 120 the last month of a decade."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenDate:
    """One date expression and the offsets of its words."""

    start: int
    end: int
    year: int | None = None
    short_year: int | None = None
    """The last two figures of a year (08年): the latest such year that is not to come."""
    month: int | None = None
    day: int | None = None
    part: Part | None = None
    anchor: Anchor | None = None
    needs_neighbour: bool = False
    """It is a date only when joined to the one before it: the 28日 of 26日至28日."""
    may_borrow_year: bool = False
    """It takes the year of the date it runs up to: the June of June to August 2018."""
    problem: str = ""
    """Why the writing itself cannot be read."""


@dataclass(frozen=True, slots=True)
class Form:
    """A manner of writing dates: its regular expression (verbose), and what a match of it says."""

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


def number(digits: str | None) -> int | None:
    """The value of Arabic digits, where there are any."""
    return int(digits) if digits else None
