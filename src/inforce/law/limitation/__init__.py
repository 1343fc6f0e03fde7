"""Limitation of prosecution and of claims: the period, its days, and whether it ran out.

A step of the same chain as the question which law governs: the maximum of the penalty that governs
gives the period of prosecution, the day a claim could be enforced chooses the law on its period.
"""

from inforce.law.limitation.claims import asks_about_limitation, limitation_of_claim
from inforce.law.limitation.periods import Cited, Limitation, LimitationResult, Period
from inforce.law.limitation.prosecution import limitation_of_prosecution

__all__ = [
    "Cited",
    "Limitation",
    "LimitationResult",
    "Period",
    "asks_about_limitation",
    "limitation_of_claim",
    "limitation_of_prosecution",
]
