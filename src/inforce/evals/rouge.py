"""ROUGE-L over characters, as LegalSearch-R1 scores the recitation of articles.

White space is removed and every character is a token. With L the length of the longest common
subsequence, R = L / len(reference), P = L / len(answer), and beta = 1.2:
F = (1 + beta²) R P / (R + beta² P), zero where R or P is zero.
"""

from __future__ import annotations

import re

BETA = 1.2

_HEADING = re.compile(r"【[^】]*】")


def rouge_l(answer: str, reference: str, *, beta: float = BETA) -> float:
    """ROUGE-L of an answer against a reference, 0 to 1.

    >>> rouge_l("不适用缓刑", "不适用缓刑")
    1.0
    >>> rouge_l("", "不适用缓刑")
    0.0
    """
    from rapidfuzz.distance import LCSseq

    said, wanted = _characters(answer), _characters(reference)
    common = LCSseq.similarity(said, wanted)
    if not common:
        return 0.0
    recall, precision = common / len(wanted), common / len(said)
    return (1 + beta**2) * recall * precision / (recall + beta**2 * precision)


def without_headings(text: str) -> str:
    """The text less editorial headings in 【】, which are no part of the law."""
    return _HEADING.sub("", text)


def _characters(text: str) -> str:
    return "".join(text.split())
