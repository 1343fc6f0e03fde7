"""Whether an answer says where it holds."""

from __future__ import annotations

import re
from typing import Final, Literal

Jurisdiction = Literal["California", "New York", "Federal"]

_GROUPS: Final = (
    r"federal|u\.?s\.?|united states|nationwide",
    r"state|california|new york|texas|florida|illinois|pennsylvania|ohio",
    r"eu|european union|europe|gdpr|general data protection regulation",
    r"supreme court|circuit|district court|court of appeals",
    r"jurisdiction|county|city|municipality|local",
)
"""Federal, state, European, a court, a place. The pronoun "us" is federal, too."""

_KINDS = tuple(re.compile(rf"\b(?:{group})\b") for group in _GROUPS)


def jurisdiction(text: str, expected: Jurisdiction | None = None) -> float:
    """J: 1 where no place is named; less the better it is said.

    Args:
        text: the answer.
        expected: where the question is at home: naming it is then all that counts.
    """
    lower = text.lower()
    kinds = sum(bool(kind.search(lower)) for kind in _KINDS)
    if not kinds:
        return 1.0
    if expected:
        return 0.0 if expected.lower() in lower else 0.5
    return 0.2 if kinds > 1 else 0.4


def expected_in(question: str) -> Jurisdiction | None:
    """Where a question is at home, by the released rule: the letters "us" anywhere are federal.

    >>> expected_in("Must a New York landlord pay?"), expected_in("Who must pay?")
    ('New York', 'Federal')
    """
    lower = question.lower()
    if "california" in lower:
        return "California"
    if "new york" in lower:
        return "New York"
    return "Federal" if "federal" in lower or "us" in lower else None
