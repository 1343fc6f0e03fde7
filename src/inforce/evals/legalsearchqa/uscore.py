"""The U-Score of L-MARS (equation 1): a measure, by rule, of how uncertain an answer sounds.

It is the weighted sum of five parts, each from 0 (certain) to 1 (uncertain). The rules are those of
the evaluation released with the paper, quirks included: they count words, whatever is true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import reduce
from operator import add, mul
from typing import Final, Literal

# The weight of the sources an answer cites

_CLASSES: Final = (
    (1.0, r"\.gov|\.court|supreme\.justia|courtlistener\.com|\.eu/|\.europa\.eu|gdpr-info\.eu"),
    (0.7, r"\.edu|justia\.com|findlaw\.com|law\.cornell|\.org\.uk|\.ac\.uk"),
    (0.5, r"nolo\.com|avvo\.com|lawyers\.com|americanbar\.org|lexology\.com|mondaq\.com"),
    (0.2, r"reddit\.com|quora\.com|forum|blog|medium\.com"),
)
"""Primary, official, reputable and user-written sources; the first matching class counts."""

_WEIGHTS = tuple((weight, re.compile(pattern)) for weight, pattern in _CLASSES)
_OTHER = 0.1
_ENOUGH = 1.5
"""One primary and one reputable source, for example."""

_ADDRESS = re.compile(r"https?://[^\s)]+")


def citations(text: str, sources: Sequence[str] = ()) -> float:
    """C: the missing weight of the sources; 1 if there are none.

    Args:
        text: the answer.
        sources: addresses or names of sources; by default the addresses in the text.
    """
    cited = sources or _ADDRESS.findall(text)
    return 1 - min(1.0, sum(map(weight, cited)) / _ENOUGH)


def weight(source: str) -> float:
    """The weight of a source.

    >>> weight("https://www.irs.gov/x"), weight("https://law.cornell.edu/"), weight("a book")
    (1.0, 0.7, 0.1)
    """
    lower = source.lower()
    return next((value for value, pattern in _WEIGHTS if pattern.search(lower)), _OTHER)


# Decisiveness: disclaimers against rules and conditions

_Parts = tuple[re.Pattern[str], ...]
"""Patterns that have to follow one another, with anything between them."""


def _compiled(*patterns: str) -> tuple[_Parts, ...]:
    """Each pattern in parts: as a whole, ``case.*by.*case`` takes hours on "case by case by …"."""
    return tuple(tuple(map(re.compile, pattern.split(".*"))) for pattern in patterns)


_NON_COMMITTAL: Final = _compiled(
    r"consult.*(?:attorney|lawyer|counsel)",
    r"seek.*(?:legal|professional).*advice",
    r"situation.*(?:could|may|might).*(?:evolve|change|vary)",
    r"depends on.*(?:specific|individual|particular).*circumstances",
    r"cannot provide.*(?:legal|specific).*advice",
    r"for.*(?:informational|educational).*purposes",
    r"not.*legal.*advice",
    r"varies.*by.*(?:state|jurisdiction|location)",
    r"case.*by.*case.*basis",
)
"""Matched within one line, and inside words: "illegal advice" matches."""

_DECISIVE: Final = _compiled(
    r"\b(?:yes|no|definitely|certainly|absolutely|clearly)\b",
    r"\b(?:must|required|prohibited|allowed|permitted|forbidden)\b",
    r"\b(?:legal|illegal|lawful|unlawful|valid|invalid)\b",
    r"\b(?:entitled|eligible|qualified|authorized)\b",
    r"\b(?:up to|maximum|minimum|exactly|specifically)\b",
    r"\b(?:is determined|will be|can be|applies to)\b",
    r"\d\s*(?:million|euros?|dollars?|%|percent)",
)
_CONDITIONAL: Final = _compiled(
    r"if.*then",
    r"provided that",
    r"as long as",
    r"when.*(?:you|the)",
    r"(?:yes|no).*(?:if|when|provided)",
)
"""Matched inside words, too: "not specified" has a "no" and an "if"."""


def decisiveness(text: str) -> float:
    """M: 0 for a clear decision, 1 for disclaimers alone; by the first rule that applies."""
    lower = text.lower()
    disclaimers, rules = _present(_NON_COMMITTAL, lower), _present(_DECISIVE, lower)
    if disclaimers >= 3:
        return 1.0
    if disclaimers and not rules:
        return 0.8
    if rules and _present(_CONDITIONAL, lower):
        return 0.3
    return 0.0 if rules >= 2 else 0.5


def _present(patterns: Sequence[_Parts], text: str) -> int:
    lines = text.split("\n")
    return sum(
        any(_follow(parts, line) for line in (lines if len(parts) > 1 else (text,)))
        for parts in patterns
    )


def _follow(parts: _Parts, line: str) -> bool:
    """True if each part occurs in a line after the one before it."""
    end = 0
    for part in parts:
        found = part.search(line, end)
        if found is None:
            return False
        end = found.end()
    return True


# The jurisdiction an answer names

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
    """J: 1 if no place is named; less for a clearer statement.

    Args:
        text: the answer.
        expected: the jurisdiction of the question; then only its mention counts.
    """
    lower = text.lower()
    kinds = sum(bool(kind.search(lower)) for kind in _KINDS)
    if not kinds:
        return 1.0
    if expected:
        return 0.0 if expected.lower() in lower else 0.5
    return 0.2 if kinds > 1 else 0.4


def expected_in(question: str) -> Jurisdiction | None:
    """The jurisdiction of a question, by the released rule: the letters "us" anywhere are federal.

    >>> expected_in("Must a New York landlord pay?"), expected_in("Who must pay?")
    ('New York', 'Federal')
    """
    lower = question.lower()
    if "california" in lower:
        return "California"
    if "new york" in lower:
        return "New York"
    return "Federal" if "federal" in lower or "us" in lower else None


# The words of an answer that express doubt

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
"""Phrases with a capital I never match, since the text is in lower case: as published."""

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
"""Hedges in a hundred words that give the highest value."""


def _whole(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(phrase)}\b")


_HEDGES = tuple(map(_whole, HEDGES))
_VAGUE_TIMES = tuple(map(_whole, VAGUE_TIMES))


def hedging(text: str) -> float:
    """H: hedges in a hundred words, as a share of ten. A phrase within a phrase counts twice.

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
    """T: the share of vague times, each word once, among all times; one half if there are none."""
    lower = text.lower()
    vague = sum(bool(phrase.search(lower)) for phrase in _VAGUE_TIMES)
    exact = len(_EXACT_TIME.findall(text))
    return vague / (vague + exact) if vague or exact else 0.5


# The weighted sum of the five parts, and its meaning in words

Band = Literal["highly certain", "good", "moderate", "high uncertainty", "very high uncertainty"]


@dataclass(frozen=True, slots=True)
class Parts:
    """How uncertain an answer is in five respects, each from 0 (certain) to 1; or their weights."""

    hedging: float
    temporal_vagueness: float
    citations: float
    jurisdiction: float
    decisiveness: float

    def weighed(self, weights: Parts | None = None) -> float:
        """The U-Score, by the weights of the released code without others; lower is better."""
        return reduce(add, map(mul, astuple(self), astuple(weights or CODE)))


CODE: Final = Parts(0.20, 0.10, 0.25, 0.20, 0.25)
"""The weights of the released evaluation."""

PAPER: Final = Parts(0.25, 0.20, 0.25, 0.15, 0.15)
"""The weights of equation 1; its 1-C, 1-J and 1-D are the parts here."""


_BANDS: tuple[tuple[float, Band], ...] = (
    (0.2, "highly certain"),
    (0.4, "good"),
    (0.6, "moderate"),
    (0.8, "high uncertainty"),
)


def parts_of(
    text: str, *, sources: Sequence[str] = (), expected: Jurisdiction | None = None
) -> Parts:
    """Compute the five parts of an answer.

    Args:
        text: the answer.
        sources: its sources; by default the addresses in the text, as for the paper's figures.
        expected: the jurisdiction of the question, if its mention is to count.
    """
    return Parts(
        hedging(text),
        temporal_vagueness(text),
        citations(text, sources),
        jurisdiction(text, expected),
        decisiveness(text),
    )


def band(score: float) -> Band:
    """A U-Score in words.

    >>> band(0.19), band(0.2), band(0.8)
    ('highly certain', 'good', 'very high uncertainty')
    """
    for below, word in _BANDS:
        if score < below:
            return word
    return "very high uncertainty"
