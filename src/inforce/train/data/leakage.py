"""What is evaluated is not trained on: known by fingerprint, however it is laid out.

Three things are compared: the whole question, its stem without label and options (the facts of a
case, which several collections ask about), and the wording an article is to be recited in.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from inforce.scoring.overlap import without_headings
from inforce.train.data.examples import Example
from inforce.train.data.sources import read_sources

_LABELS = re.compile(r"^\s*(?:案件事实|事实|问题|题目|指令|用户提问)\s*[:：]\s*")
_OPTIONS = re.compile(r"\n\s*(?:选项\s*[:：]|A\s*[:：、.．])")
_CONSULTED = re.compile(r"\A.*?用户提问\s*[:：]", re.DOTALL)
_YEAR_PUT_FIRST = re.compile(r"^在(?:19|20)\d\d年的时间背景下，")
_HINTS = re.compile(r"\n\s*(?:相关法条|罪名)\s*[:：]")
_NO_WORD = re.compile(r"[\W_]+")


def fingerprints(example: Example) -> frozenset[str]:
    """What an example is known by."""
    texts = {example.question, stem(example.question)}
    wordings = {without_headings(example.answer)} if example.task == "lar" else set[str]()
    return frozenset(map(fingerprint, texts | wordings))


def stem(question: str) -> str:
    r"""A question without its label, the year put before it, its options, and hints at the law.

    >>> stem("问题: 在2018年的时间背景下，下列哪项正确？\n选项:\nA: 甲\nB: 乙")
    '下列哪项正确？'
    """
    text = _CONSULTED.sub("", question, count=1)
    text = _HINTS.split(_OPTIONS.split(text, maxsplit=1)[0], maxsplit=1)[0]
    text = _LABELS.sub("", text)
    return _YEAR_PUT_FIRST.sub("", text).strip()


def fingerprint(text: str) -> str:
    """The same for texts that differ in width, case, spaces or punctuation only.

    >>> fingerprint("某甲，盗窃 4,000元。") == fingerprint("某甲,盗窃4000元")
    True
    """
    folded = _NO_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())
    return hashlib.sha256(folded.encode("utf-8", errors="replace")).hexdigest()


def evaluated(paths: Iterable[Path]) -> frozenset[str]:
    """The fingerprints of evaluation files, in any form a training set is made from.

    Raises:
        InputError: if one cannot be read: an evaluation passed over would be a leak.
    """
    sources = read_sources(list(paths))
    return frozenset(
        mark for source in sources for example in source.examples for mark in fingerprints(example)
    )
