"""A term within the tier of the law that fits the facts; none where the tier cannot be known.

What is estimated is the point within the tier: the median of similar cases that are in it, else a
third into it, moved by the sentencing factors. The tier is the law's: its kinds of punishment and
its limits are never left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median
from typing import Final

from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.amounts import CaseFacts
from inforce.law.penalties.prison_term import PrisonTerm
from inforce.law.penalties.ranges import FIXED_TERM, LIFE, LONGEST_TERM, SHORTEST_TERM, PenaltyRange
from inforce.law.penalties.sentencing import SentencingFactor, adjusted
from inforce.law.penalties.tier_selection import choose_offence, select_tiers
from inforce.law.penalties.tiers import read_offences

_DETENTION: Final = 2
"""Rank of 拘役 on the scale of `inforce.law.penalties.ranges`."""
_SHORTEST_DETENTION: Final = 1
_LONGEST_DETENTION: Final = 6
"""Months of 拘役: 刑法 art. 42."""
_SEVERAL_CRIMES = re.compile("罪[、和及](?:犯)?[^，。；、]{2,16}罪|数罪")


@dataclass(frozen=True, slots=True)
class FittingTier:
    """The tier the facts fall under, or why it cannot be known."""

    range: PenaltyRange | None
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ApplicableText:
    """A wording that may apply, and the days whose interpretations give its amounts."""

    text: str
    days: tuple[date, ...]
    """The day of the act, of the trial, or both: then the more favourable counts."""


def fitting_tier(
    wordings: Iterable[ApplicableText], article: ProvisionNumber, facts: CaseFacts
) -> FittingTier:
    """The one tier the facts fall under in every wording that may apply."""
    if _SEVERAL_CRIMES.search(facts.text):
        return FittingTier(None, ("涉及数罪，各罪幅度与并罚须分别判断",))
    found: dict[str, PenaltyRange] = {}
    why: list[str] = []
    for wording in wordings:
        offence = choose_offence(read_offences(wording.text), facts)
        if offence is None:
            return FittingTier(None, ("条文规定了几种犯罪，事实未写明属于哪一种",))
        fitted = [
            select_tiers(offence, facts, article=article.main, day=day) for day in wording.days
        ]
        why += [why for one in fitted for why in (*one.reasons, *one.assumed)]
        if not all(one.facts_decide and not one.below and len(one.tiers) == 1 for one in fitted):
            return FittingTier(None, (*dict.fromkeys(why), "事实不足以确定适用哪一法定刑幅度"))
        ranges = [one.tiers[0].range for one in fitted]
        tier = min(ranges, key=lambda one: (one.highest, one.lowest))
        found[tier.text] = tier
    if len(found) != 1:
        return FittingTier(None, ("没有检得规定法定刑的条文，或者适用哪一文本不能确定",))
    return FittingTier(next(iter(found.values())), tuple(dict.fromkeys(why)))


def estimate(
    tier: PenaltyRange, similar: Sequence[PrisonTerm], factors: Sequence[SentencingFactor]
) -> PrisonTerm | None:
    """A term within a tier; ``None`` where it has no term of months (only life or death)."""
    low, high = _limits(tier)
    if low > high:
        return None
    fitting = [one.months for one in similar if one.months and low <= one.months <= high]
    start = low + (high - low) / 3
    months = round(median(fitting)) if fitting else adjusted(start, factors)
    months = min(max(months, low), high)
    detention = tier.highest.rank == _DETENTION or months < SHORTEST_TERM
    return PrisonTerm("detention" if detention else "imprisonment", months)


def in_tier(tier: PenaltyRange, similar: Sequence[PrisonTerm]) -> list[PrisonTerm]:
    """The sentences of similar cases that are within a tier."""
    low, high = _limits(tier)
    return [one for one in similar if one.months and low <= one.months <= high]


def _limits(tier: PenaltyRange) -> tuple[int, int]:
    """The shortest and the longest term of months a tier allows."""
    if tier.highest.rank < _DETENTION or tier.lowest.rank >= LIFE:
        return 1, 0
    if tier.highest.rank == _DETENTION:
        return _SHORTEST_DETENTION, _LONGEST_DETENTION
    high = tier.highest.months if tier.highest.rank == FIXED_TERM else LONGEST_TERM
    if tier.lowest.rank == FIXED_TERM:
        return max(tier.lowest.months, SHORTEST_TERM), high
    return (_SHORTEST_DETENTION if "拘役" in tier.text else SHORTEST_TERM), high
