"""How much two texts share, character by character, as LegalSearch-R1 measures recitations.

White space is removed and every character is a token. ROUGE-L alone enters the paper's averages:
with L the length of the longest common subsequence, R = L / len(reference), P = L / len(answer) and
beta = 1.2, F = (1 + beta²) R P / (R + beta² P), zero where R or P is zero.
"""

from __future__ import annotations

import math
from collections import Counter

BETA = 1.2
BLEU_ORDER = 4


def without_headings(text: str) -> str:
    """The text less editorial headings in 【】, which are no part of the law."""
    *closed, rest = text.split("】")
    return "".join(map(_without_heading, closed)) + rest


def _without_heading(text: str) -> str:
    """What stands before a heading that ends with the text; all of it where none does."""
    before, bracket, _ = text.partition("【")
    return before if bracket else f"{text}】"


def rouge_l(answer: str, reference: str, *, beta: float = BETA) -> float:
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
    return (1 + beta**2) * recall * precision / (recall + beta**2 * precision)


def character_f1(answer: str, reference: str) -> float:
    """F1 of the characters of an answer, each as often as the reference has it.

    >>> character_f1("甲甲乙", "甲乙丙丁丁")  # two are shared: P 2/3, R 2/5
    0.5
    """
    answer, reference = _characters(answer), _characters(reference)
    if not answer and not reference:
        return 1.0
    shared = (Counter(answer) & Counter(reference)).total()
    return 2 * shared / (len(answer) + len(reference))


def jaccard(answer: str, reference: str) -> float:
    """Characters both texts use, of all that either uses.

    >>> jaccard("甲甲乙", "甲乙丙丁")
    0.5
    """
    ours, theirs = set(_characters(answer)), set(_characters(reference))
    return len(ours & theirs) / len(ours | theirs) if ours or theirs else 1.0


def bleu4(answer: str, reference: str) -> float:
    """BLEU of n-grams of one to four characters, smoothed: of n shared by none, 1 in 2ⁿ of them.

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
    ours, theirs = _ngrams(answer, n), _ngrams(reference, n)
    shared, total = (ours & theirs).total(), ours.total()
    return shared / total if shared else 1 / (total * 2**n)


def _ngrams(text: str, n: int) -> Counter[str]:
    return Counter(text[start : start + n] for start in range(len(text) - n + 1))


def _characters(text: str) -> str:
    return "".join(text.split())
