"""What the last articles of a text say, as values (read by `final_provisions_reading`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from inforce.law.numerals import ProvisionNumber


@dataclass(frozen=True, slots=True)
class PartCommencement:
    """Articles that came into force on a day of their own."""

    numbers: tuple[ProvisionNumber, ...]
    day: date


@dataclass(frozen=True, slots=True)
class Repeal:
    """A law that a text puts an end to, by the title it is called by there."""

    title: str
    made: date | None = None
    """The day by which it is distinguished from others of its title (``2020年4月13日公布的``)."""


@dataclass(frozen=True, slots=True)
class FinalProvisions:
    """What the last articles of a text say of dates."""

    commenced: date | None = None
    on_promulgation: bool = False
    parts: tuple[PartCommencement, ...] = ()
    repeals: tuple[Repeal, ...] = ()
