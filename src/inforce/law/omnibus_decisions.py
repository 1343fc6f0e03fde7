"""Commencement of decisions that amend many laws at once (table: `data/decisions.txt`).

>>> decision_commencement("关于修改〈会计法〉等十一部法律的决定", {date(2017, 11, 4)}, "海关法")
datetime.date(2017, 11, 5)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Literal

from inforce.law.data import table

_OF_REGULATIONS = "部分行政法规的决定"
_OF_INTERPRETATIONS = "类司法解释的决定"
Omnibus = Literal["regulation", "interpretation", ""]
"""What kind of law is amended by decisions that amend many at once, and are often not named."""


@dataclass(slots=True)
class _Decision:
    day: date
    commenced: date
    words: str
    exceptions: dict[str, date] = field(default_factory=dict[str, date])


def decision_commencement(
    decision: str, days: Collection[date], title: str, *, omnibus: Omnibus = ""
) -> date | None:
    """The first day in force of what an omnibus decision changed in one law, if it is recorded.

    Args:
        decision: its title as the history of the law gives it; may be empty.
        days: on which it was passed or promulgated.
        title: the law amended.
        omnibus: whether the law is a regulation of the State Council or an interpretation of the
            courts: decisions on those are found by the day alone where their title is not given.
    """
    of_kind = {"regulation": _OF_REGULATIONS, "interpretation": _OF_INTERPRETATIONS}
    for recorded in _decisions():
        unnamed = bool(omnibus) and not decision and of_kind[omnibus] in recorded.words
        if recorded.day in days and (
            recorded.words in decision or recorded.words == title or unnamed
        ):
            return recorded.exceptions.get(title, recorded.commenced)
    return None


@cache
def _decisions() -> tuple[_Decision, ...]:
    return tuple(_read(table("decisions").splitlines()))


def _read(lines: Iterable[str]) -> list[_Decision]:
    found: list[_Decision] = []
    for line in filter(str.strip, lines):
        parts = line.split()
        if line.startswith("  "):
            found[-1].exceptions[parts[1]] = date.fromisoformat(parts[0])
        else:
            days = [date.fromisoformat(part) for part in parts[:2]]
            found.append(_Decision(days[0], days[1], parts[2]))
    return found
