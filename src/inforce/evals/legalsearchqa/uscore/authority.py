"""What an answer cites: enough sources, of enough weight."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_CLASSES: Final = (
    (1.0, r"\.gov|\.court|supreme\.justia|courtlistener\.com|\.eu/|\.europa\.eu|gdpr-info\.eu"),
    (0.7, r"\.edu|justia\.com|findlaw\.com|law\.cornell|\.org\.uk|\.ac\.uk"),
    (0.5, r"nolo\.com|avvo\.com|lawyers\.com|americanbar\.org|lexology\.com|mondaq\.com"),
    (0.2, r"reddit\.com|quora\.com|forum|blog|medium\.com"),
)
"""Primary, official, reputable and written by users; the first class that fits counts."""

_WEIGHTS = tuple((weight, re.compile(pattern)) for weight, pattern in _CLASSES)
_OTHER = 0.1
_ENOUGH = 1.5
"""One primary and one reputable source, for example."""

_ADDRESS = re.compile(r"https?://[^\s)]+")


def citations(text: str, sources: Sequence[str] = ()) -> float:
    """C: what is lacking in the weight of the sources; 1 where there is none.

    Args:
        text: the answer; the addresses in it are its sources where none are given.
        sources: addresses or names of sources.
    """
    cited = sources or _ADDRESS.findall(text)
    return 1 - min(1.0, sum(map(weight, cited)) / _ENOUGH)


def weight(source: str) -> float:
    """How much a source counts.

    >>> weight("https://www.irs.gov/x"), weight("https://law.cornell.edu/"), weight("a book")
    (1.0, 0.7, 0.1)
    """
    lower = source.lower()
    return next((value for value, pattern in _WEIGHTS if pattern.search(lower)), _OTHER)
