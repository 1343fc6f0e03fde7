"""Limits on one search, whether a person, a server or a model asks."""

from __future__ import annotations

from inforce.errors import UserError

LONGEST_QUESTION = 10_000
"""Characters of a question; ten times the facts of a case as people tell them."""
LONGEST_QUERY = 200_000
"""Characters that are searched for in a source: a whole judgment, to find ones like it."""
MOST_RESULTS = 1_000


def require_count(k: object) -> int:
    """Return the number of results asked for.

    >>> require_count(5)
    5

    Raises:
        UserError: if it is no whole number, or not from 1 to `MOST_RESULTS`.
    """
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MOST_RESULTS:
        raise UserError(
            f"k is {str(k)[:40]}: ask for a whole number of results, 1 to {MOST_RESULTS:,}"
        )
    return k


def require_length(text: str, *, most: int = LONGEST_QUESTION) -> str:
    """Return a question, if it is not too long to be read.

    Raises:
        UserError: says what to do.
    """
    if len(text) > most:
        raise UserError(
            f"the question has {len(text):,} characters, at most {most:,} are read: shorten it, or "
            "check a whole document with inforce verify"
        )
    return text
