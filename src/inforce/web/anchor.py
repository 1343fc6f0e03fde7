"""The part of a page a search snippet was taken from (L-MARS, section 3.3).

The sentence most like the snippet, by token-level F1, is the anchor; the text around it is what the
search engine meant. Menus and the rest of a long page stay outside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from inforce.language import Sentence, sentences
from inforce.retrieval.tokens import tokenize

WINDOW = 2_500
"""Characters around the anchor (L-MARS, section 3.3)."""
CAP = 4_000
"""Characters a passage can have at most (L-MARS, table 2)."""
SEARCHED = 400_000
"""Characters of a text that are compared with the snippet."""

_ELLIPSIS = re.compile(r"\.{3,}|…+|·{3,}")


@dataclass(frozen=True, slots=True)
class AnchoredPassage:
    """A stretch of a text, and the sentence in it that it was chosen for."""

    text: str
    start: int
    end: int
    anchor: Sentence | None
    """``None``: no sentence shares a word with the snippet; the passage is the beginning."""
    score: float
    """Token-level F1 of the anchor and the snippet, 0 to 1."""


def anchored(text: str, snippet: str, *, window: int = WINDOW, cap: int = CAP) -> AnchoredPassage:
    """The part of a text that a snippet points to.

    Args:
        text: the whole text.
        snippet: what the search engine showed of it.
        window: characters around the anchor; more, up to ``cap``, where a sentence is begun.
        cap: characters the passage can have at most.
    """
    if not 0 < window <= cap:
        raise ValueError(f"a window of {window} characters under a cap of {cap}")
    found = list(sentences(text[:SEARCHED], longest=window))
    anchor, score = _best(text, found, snippet)
    if anchor is None:
        return AnchoredPassage(text[:cap].rstrip(), 0, len(text[:cap].rstrip()), None, 0.0)
    start, end = _around(anchor, len(text), window)
    start, end = _whole_sentences(found, start, end, cap=cap)
    return AnchoredPassage(text[start:end], start, end, anchor, score)


def _best(text: str, found: Iterable[Sentence], snippet: str) -> tuple[Sentence | None, float]:
    """The sentence most like the snippet, the first of equals; a snippet may have several parts."""
    parts = [tokens_of(part) for part in {snippet, *_ELLIPSIS.split(snippet)} if part.strip()]
    best, score = None, 0.0
    for one in found:
        tokens = tokens_of(text[one.start : one.end])
        likeness = max((token_f1(tokens, part) for part in parts), default=0.0)
        if likeness > score:
            best, score = one, likeness
    return best, score


def _around(anchor: Sentence, length: int, window: int) -> tuple[int, int]:
    """A window with the anchor in its middle, moved where it would leave the text."""
    start = anchor.start - (window - (anchor.end - anchor.start)) // 2
    start = max(0, min(start, length - window))
    return start, min(length, start + window)


def _whole_sentences(
    found: Iterable[Sentence], start: int, end: int, *, cap: int
) -> tuple[int, int]:
    """Take in the sentences a window cuts; where that is above the cap, leave them out."""
    touched = [one for one in found if one.start < end and one.end > start]
    if touched[-1].end - touched[0].start > cap:
        touched = [one for one in touched if one.start >= start and one.end <= end]
    return touched[0].start, touched[-1].end


def token_f1(left: Counter[str], right: Counter[str]) -> float:
    """Token-level F1: the harmonic mean of the shares of tokens two texts have in common.

    >>> round(token_f1(tokens_of("故意杀人的，处死刑"), tokens_of("故意杀人")), 2)
    0.57
    """
    common = (left & right).total()
    return 2 * common / (left.total() + right.total()) if common else 0.0


def tokens_of(text: str) -> Counter[str]:
    """The index terms of a text, counted."""
    return Counter(tokenize(text))
