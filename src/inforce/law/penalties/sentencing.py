"""The Supreme People's Court's method of sentencing: baseline, then the circumstances of the case.

A court takes a starting point within the statutory range, raises it to the baseline by what the
offence adds, and adjusts the baseline by the circumstances found: those that concern the offender's
capacity or part in the crime are multiplied first, all others are added and subtracted
(关于常见犯罪的量刑指导意见, 法发〔2021〕21号, part 二 and 三, in force since 2021-07-01). The
circumstances are in `data/sentencing.txt`.

>>> found = find_factors("被告人系累犯，归案后如实供述，认罪认罚。")
>>> [(one.name, one.share) for one in found]
[('累犯', 0.25), ('坦白', -0.1), ('认罪认罚', -0.15)]
>>> adjusted(24, found)
24
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from inforce.law.data import table


@dataclass(frozen=True, slots=True)
class SentencingFactor:
    """A circumstance that changes a sentence, and by which share of the baseline."""

    name: str
    share: float
    """Signed share of the baseline: the middle of what the guideline allows (-0.2 is 20 % less)."""
    bounds: tuple[float, float]
    """The smallest and the largest change the guideline allows."""
    first: bool = False
    """Multiplied before the others: it concerns capacity, part in the crime or its completion."""


_INCLUDED = {
    "胁从犯": ("从犯",),
    "自首": ("坦白", "当庭自愿认罪"),
    "坦白": ("当庭自愿认罪",),
    "认罪认罚": ("当庭自愿认罪",),
    "累犯": ("前科",),
    "赔偿并取得谅解": ("取得谅解", "赔偿损失"),
    "刑事和解": ("赔偿并取得谅解", "取得谅解", "赔偿损失"),
}
"""A circumstance is not counted again under a weaker name (part 三: no double counting)."""

_NOT = re.compile(
    "(?:(?:不构成|不属|不具有|不具备|不是|并非|不应认定|不予|不愿|不能|拒不|没有"
    "|未构成|未能|未曾|未获|未取得|未得到|未达成)[^。；，]{0,6}|[未无不])$"
)


def find_factors(facts: str) -> tuple[SentencingFactor, ...]:
    """The circumstances a text states, in the order of the guideline; denied ones are left out."""
    found = [
        factor
        for factor, words in _circumstances()
        if any(not _NOT.search(facts[: match.start()]) for match in words.finditer(facts))
    ]
    covered = {name for factor in found for name in _INCLUDED.get(factor.name, ())}
    return tuple(factor for factor in found if factor.name not in covered)


@cache
def _circumstances() -> tuple[tuple[SentencingFactor, re.Pattern[str]], ...]:
    """The table, with the words by which judgments say each circumstance."""
    rows: list[tuple[SentencingFactor, re.Pattern[str]]] = []
    for line in table("sentencing").splitlines():
        name, low, high, first, words = (cell.strip() for cell in line.split("|", 4))
        bounds = float(low), float(high)
        middle = round(sum(bounds) / 2, 3)
        factor = SentencingFactor(name, middle, bounds, first == "first")
        rows.append((factor, re.compile(words)))
    return tuple(rows)


def adjusted(baseline: float, factors: Iterable[SentencingFactor]) -> int:
    """The baseline in months, adjusted: first factors multiplied, the others added up.

    Rounded to whole months; never below zero. The statutory range is the caller's to keep.
    """
    rest = 0.0
    months = float(baseline)
    for factor in factors:
        if factor.first:
            months *= 1 + factor.share
        else:
            rest += factor.share
    return max(0, round(months * (1 + rest)))
