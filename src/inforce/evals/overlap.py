"""How much two texts share, character by character, as LegalSearch-R1 measures recitations.

White space is removed and every character is a token. These three stand beside ROUGE-L
(`inforce.evals.rouge`), which alone counts in the paper's averages.
"""

from __future__ import annotations

import math
from collections import Counter

BLEU_ORDER = 4


def character_f1(answer: str, reference: str) -> float:
    """F1 of the characters of an answer, each as often as the reference has it.

    >>> character_f1("甲甲乙", "甲乙丙丁丁")  # two are shared: P 2/3, R 2/5
    0.5
    """
    said, wanted = _characters(answer), _characters(reference)
    if not said and not wanted:
        return 1.0
    shared = (Counter(said) & Counter(wanted)).total()
    return 2 * shared / (len(said) + len(wanted))


def jaccard(answer: str, reference: str) -> float:
    """Characters both texts use, of all that either uses.

    >>> jaccard("甲甲乙", "甲乙丙丁")
    0.5
    """
    said, wanted = set(_characters(answer)), set(_characters(reference))
    return len(said & wanted) / len(said | wanted) if said or wanted else 1.0


def bleu4(answer: str, reference: str) -> float:
    """BLEU of runs of one to four characters, smoothed: of n shared by none, 1 in 2ⁿ of them.

    Zero for an answer of fewer than four characters, which has no run of four.

    >>> bleu4("不适用缓刑", "不适用缓刑"), bleu4("缓刑", "缓刑")
    (1.0, 0.0)
    """
    said, wanted = _characters(answer), _characters(reference)
    if len(said) < BLEU_ORDER:
        return 0.0
    logs = [math.log(_precision(said, wanted, n)) for n in range(1, BLEU_ORDER + 1)]
    return _brevity(said, wanted) * math.exp(math.fsum(logs) / BLEU_ORDER)


def _precision(said: str, wanted: str, n: int) -> float:
    mine, theirs = _runs(said, n), _runs(wanted, n)
    shared, total = (mine & theirs).total(), mine.total()
    return shared / total if shared else 1 / (total * 2**n)


def _brevity(said: str, wanted: str) -> float:
    """What an answer loses that is shorter than the reference."""
    return 1.0 if len(said) > len(wanted) else math.exp(1 - len(wanted) / len(said))


def _runs(text: str, n: int) -> Counter[str]:
    return Counter(text[start : start + n] for start in range(len(text) - n + 1))


def _characters(text: str) -> str:
    return "".join(text.split())
