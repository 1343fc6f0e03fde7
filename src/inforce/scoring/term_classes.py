"""Prison terms in classes: the ten of PLJP and the eleven of TopJudge, LADAN and NeurJudge.

Both have the same cuts. Upper ends are inclusive: 12 months are 九个月到一年, 13 are 一到两年.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from statistics import median_low

from inforce.scoring.cases import Case

CUTS = (0, 6, 9, 12, 24, 36, 60, 84, 120)
"""The longest term of each class, in months; the last class has none."""

NO_TERM = "其他"

TEN = (
    NO_TERM,
    "六个月以下",
    "六到九个月",
    "九个月到一年",
    "一到两年",
    "二到三年",
    "三到五年",
    "五到七年",
    "七到十年",
    "十年以上",
)
"""The names of PLJP's classes; the number of a class is its place."""

DEATH_OR_LIFE = 0
"""TopJudge's class of sentences that are no fixed term."""


def ten(months: int) -> int:
    """PLJP's class: 0 for no fixed term (death and life too), then 1 to 9, the longest last.

    >>> [ten(months) for months in (0, 6, 7, 12, 13, 120, 121)]
    [0, 1, 2, 3, 4, 8, 9]
    """
    return bisect_left(CUTS, months) if months > 0 else 0


def eleven(months: int, *, life_or_death: bool = False) -> int:
    """TopJudge's class: 0 for death or life, then 1 (over ten years) to 10 (no term).

    >>> eleven(121), eleven(6), eleven(0), eleven(0, life_or_death=True)
    (1, 9, 10, 0)
    """
    return DEATH_OR_LIFE if life_or_death else len(TEN) - ten(months)


def usual_months(train: Sequence[Case]) -> dict[int, int]:
    """The median term, in months, of each of the ten classes that occurs.

    It lies in its class, so that a predicted class can be written in months.
    """
    months: dict[int, list[int]] = defaultdict(list)
    for case in train:
        if case.months is not None:
            months[ten(case.months)].append(case.months)
    return {term: median_low(months[term]) for term in sorted(months)}
