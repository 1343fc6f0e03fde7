"""The overlap of two texts, character by character, as LegalSearch-R1 measures recitations.

White space is removed and every character is a token. The paper's averages are of ROUGE-L alone:
with L the length of the longest common subsequence, R = L / len(reference), P = L / len(answer) and
beta = 1.2, F = (1 + beta²) R P / (R + beta² P), zero if R or P is zero.
"""

from __future__ import annotations

import math
from collections import Counter

BETA = 1.2
BLEU_ORDER = 4


def without_headings(text: str) -> str:
    """The text without editorial headings in 【】, which are no part of the law."""
    *closed, rest = text.split("】")
    return "".join(map(_without_heading, closed)) + rest


def _without_heading(text: str) -> str:
    """The text before a heading at its end; the whole text and a 】 if there is none."""
    before, bracket, _ = text.partition("【")
    return before if bracket else f"{text}】"


def rouge_l(answer: str, reference: str) -> float:
    """ROUGE-L of an answer against a reference, 0 to 1.

    >>> rouge_l("不适用缓刑", "不适用缓刑"), rouge_l("", "不适用缓刑")
    (1.0, 0.0)
    """
    from rapidfuzz.distance import LCSseq

    answer, reference = _characters(answer), _characters(reference)
    common = LCSseq.similarity(answer, reference)
    if not common:
        return 0.0
    recall, precision = common / len(reference), common / len(answer)
    return (1 + BETA**2) * recall * precision / (recall + BETA**2 * precision)


def character_f1(answer: str, reference: str) -> float:
    """F1 of the characters of an answer, each counted as often as the reference has it.

    >>> character_f1("甲甲乙", "甲乙丙丁丁")  # two are shared: P 2/3, R 2/5
    0.5
    """
    answer, reference = _characters(answer), _characters(reference)
    if not answer and not reference:
        return 1.0
    shared = (Counter(answer) & Counter(reference)).total()
    return 2 * shared / (len(answer) + len(reference))


def jaccard(answer: str, reference: str) -> float:
    """The share of the characters of either text that are in both.

    >>> jaccard("甲甲乙", "甲乙丙丁")
    0.5
    """
    answered, expected = set(_characters(answer)), set(_characters(reference))
    either = answered | expected
    return len(answered & expected) / len(either) if either else 1.0


def bleu4(answer: str, reference: str) -> float:
    """BLEU of n-grams of one to four characters, smoothed: if no n-gram is shared, 1 in 2ⁿ counts.

    Zero for an answer of fewer than four characters, which has no 4-gram.

    >>> bleu4("不适用缓刑", "不适用缓刑"), bleu4("缓刑", "缓刑")
    (1.0, 0.0)
    """
    answer, reference = _characters(answer), _characters(reference)
    if len(answer) < BLEU_ORDER:
        return 0.0
    longer = len(answer) > len(reference)
    brevity = 1.0 if longer else math.exp(1 - len(reference) / len(answer))
    logs = [math.log(_precision(answer, reference, n)) for n in range(1, BLEU_ORDER + 1)]
    return brevity * math.exp(math.fsum(logs) / BLEU_ORDER)


def _precision(answer: str, reference: str, n: int) -> float:
    answered, expected = _ngrams(answer, n), _ngrams(reference, n)
    shared, total = (answered & expected).total(), answered.total()
    return shared / total if shared else 1 / (total * 2**n)


def _ngrams(text: str, n: int) -> Counter[str]:
    return Counter(text[start : start + n] for start in range(len(text) - n + 1))


def _characters(text: str) -> str:
    return "".join(text.split())
