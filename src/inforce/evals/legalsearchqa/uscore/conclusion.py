"""Whether an answer decides: disclaimers on one side, rules and conditions on the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_Parts = tuple[re.Pattern[str], ...]
"""What has to follow one another, whatever is between."""


def _compiled(*patterns: str) -> tuple[_Parts, ...]:
    """The parts of each pattern: whole, ``case.*by.*case`` takes hours on "case by case by …"."""
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
"""Found within one line, and inside words: "illegal advice" is among them."""

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
"""Inside words, too: "not specified" holds a "no" and an "if"."""


def decisiveness(text: str) -> float:
    """M: 0 for a clear decision, 1 for nothing but disclaimers; the first rule that holds."""
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
    """Whether each part occurs in a line behind the one before it."""
    end = 0
    for part in parts:
        found = part.search(line, end)
        if found is None:
            return False
        end = found.end()
    return True
