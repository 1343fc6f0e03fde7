"""Hedges and vague times: the words of an answer that leave something open."""

from __future__ import annotations

import re
from typing import Final

HEDGES: Final = (
    # what may be so
    *("may", "might", "could", "possibly", "potentially", "likely", "probably", "perhaps"),
    *("seemingly", "apparently", "arguably", "presumably", "conceivably", "plausibly"),
    # what it looks like
    *("seems", "appears", "looks like", "suggests", "indicates", "implies", "hints"),
    *("it seems", "it appears"),
    # what is not known
    *("unclear", "uncertain", "unsure", "ambiguous", "debatable", "questionable", "doubtful"),
    *("unknown", "undetermined"),
    # what holds in part
    *("generally", "typically", "usually", "often", "sometimes", "occasionally", "rarely"),
    *("seldom", "in some cases", "in certain cases"),
    # what is assumed
    *("assume", "assuming", "suppose", "supposing", "hypothetically", "theoretically", "if"),
    *("provided that", "in case"),
    # what somebody thinks
    *("I think", "I believe", "in my opinion", "in my view", "to my knowledge"),
    *("as far as I know", "from what I understand"),
    # what may have changed since
    *("as of my last update", "subject to change", "may have changed"),
    *("at the time of writing", "current as of", "last I checked"),
)
"""Those with a capital I are never found, as the text is in lower case: so was it published."""

VAGUE_TIMES: Final = (
    *("recent", "recently", "lately", "current", "currently", "ongoing", "pending"),
    *("forthcoming", "upcoming", "soon", "in the near future", "in the past", "historically"),
    *("as of my last update", "at some point", "eventually"),
)

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_EXACT_TIME = re.compile(
    r"\b(?:\d{4}|\d{1,2}/\d{1,2}/\d{2,4}"
    rf"|(?:{_MONTHS})\s+\d{{1,2}},?\s+\d{{4}}"
    r"|(?:Q[1-4]\s+)?\d{4}|(?:Spring|Summer|Fall|Winter)\s+\d{4})\b",
    re.IGNORECASE,
)
"""Any number of four digits counts as a year."""

_MOST_HEDGES = 10
"""Hedges in a hundred words that are as many as can be."""


def _whole(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(phrase)}\b")


_HEDGES = tuple(map(_whole, HEDGES))
_VAGUE_TIMES = tuple(map(_whole, VAGUE_TIMES))


def hedging(text: str) -> float:
    """H: hedges in a hundred words, ten or more being 1. A phrase in a phrase counts twice.

    >>> hedging("It seems that a permit may be needed here, in my view.")
    1.0
    """
    lower = text.lower()
    words = len(lower.split())
    if not words:
        return 0.0
    hedges = sum(len(phrase.findall(lower)) for phrase in _HEDGES)
    return min(hedges / words * 100, _MOST_HEDGES) / _MOST_HEDGES


def temporal_vagueness(text: str) -> float:
    """T: vague times, each word once, among all times; one half where there is none at all."""
    lower = text.lower()
    vague = sum(bool(phrase.search(lower)) for phrase in _VAGUE_TIMES)
    exact = len(_EXACT_TIME.findall(text))
    return vague / (vague + exact) if vague or exact else 0.5
