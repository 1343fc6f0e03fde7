"""Which choice an answer names, read in three steps as the released evaluation reads it."""

from __future__ import annotations

import re
from typing import Final

PARSE_ERROR: Final = "PARSE_ERROR"
"""No letter could be read: the answer is wrong, and counted apart."""

_STEPS: Final = (
    re.compile(r"ANSWER:\s*([A-D])", re.IGNORECASE),
    re.compile(r"\A([A-D])[.)\s]", re.IGNORECASE),
    re.compile(r"\b([A-D])\b"),
)
"""Said outright; first in the text; the first capital letter on its own, be it an article."""


def letter_of(text: str) -> str:
    """The letter A to D an answer names, or ``PARSE_ERROR``.

    >>> letter_of("It was revoked. Answer: b"), letter_of("c) in part"), letter_of("I think (D).")
    ('B', 'C', 'D')
    >>> letter_of("It was revoked.")
    'PARSE_ERROR'
    """
    stripped = text.strip()
    found = (step.search(stripped) for step in _STEPS)
    return next((match[1].upper() for match in found if match), PARSE_ERROR)
