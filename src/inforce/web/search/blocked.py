"""Whether a text is content at all, or a web server's way of saying no.

The rule is L-MARS's: a result is blocked if its content is shorter than 30 characters or holds one
of eleven error messages. A Chinese character counts as two: fifteen of them make a sentence. Ours
adds that an error message is short: a long page may refer to a request that timed out.
"""

from __future__ import annotations

import unicodedata
from typing import Final

LEAST: Final = 30
"""Characters a text needs to say anything."""

LONGEST_REFUSAL: Final = 800
"""Characters beyond which a text is no error message, whatever is in it."""

MARKERS: Final = (
    "http error",
    "403 client error",
    "404 client error",
    "connection error",
    "timed out",
    "javascript is disabled",
    "could not extract content",
    "no search results",
    "serper error",
    "search_error",
    "api request failed",
)
"""What is in a text that is an error message; compared in lower case."""


def why_blocked(text: str) -> str:
    """Why a text is no content; empty if it is some.

    >>> why_blocked("403 Client Error: Forbidden for url: https://example.com")
    'it reads "403 client error"'
    >>> why_blocked("The starting point is six months of detention.")
    ''
    >>> why_blocked("")
    'it is empty'
    """
    if not text.strip():
        return "it is empty"
    lowered = text.strip().casefold()
    for marker in MARKERS if len(lowered) <= LONGEST_REFUSAL else ():
        if marker in lowered:
            return f'it reads "{marker}"'
    return "" if _columns(text.strip(), enough=LEAST) >= LEAST else "it is too short"


def _columns(text: str, *, enough: int) -> int:
    """Characters, wide ones counted twice; counting stops once there are enough."""
    counted = 0
    for character in text:
        counted += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if counted >= enough:
            break
    return counted
