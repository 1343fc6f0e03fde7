"""Tokens of legal Chinese (and English), and the lexical channels made of them.

Compounds are indexed together with their parts (故意杀人罪 also gives 故意 and 杀人), widths
are folded, and function words are left out. One function serves documents and queries alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol

from inforce.store import Channel

_CHINESE_STOP_WORDS = """
的 了 和 与 或 或者 及 以及 并 并且 而 而且 在 于 是 为 对 对于 由 从 以 被 把 将 向 到 至
其 该 此 这 那 之 所 等 有 也 都 就 但 但是 且 不 我 你 他 她 它 我们 你们 他们 一个
什么 怎么 如何 哪 哪些 哪个 吗 呢 吧 啊 请 请问 请你 可以 是否 能否 应该 需要 现在 目前
根据 关于 按照 依照 第 条 款 项
"""
_ENGLISH_STOP_WORDS = """
the a an of in on to for and or is are was were be by with at as it its this that which
what how when under does do did
"""
_STOP_WORDS = frozenset(f"{_CHINESE_STOP_WORDS} {_ENGLISH_STOP_WORDS}".split())

_SIGNS = "，。、：；（）《》“”‘’？！×—·【】〔〕○●□"
_USUAL = re.compile(rf"[\x00-\x7f\u4e00-\u9fa5\uff01-\uff5e{_SIGNS}]*")
"""Texts of these characters only are folded one by one, six times as fast as any text can be."""

_PLAIN = re.compile(
    rf"[\x00-\x22\x24\x27-\x2a\x2c\x2f-\x40\x5b-\x5e\x60-\x7f\u4e00-\u9fa5！（），：；？{_SIGNS}]*"
)
"""Texts of these only, as most are, need no folding at all."""

_WIDE = re.compile(r"[\uff02-\uff07\uff0a\uff0b\uff0d-\uff19\uff1c-\uff1e\uff20-\uff5e]")
"""Letters, digits and signs that may be part of a word; ，：；（）？！ part words either way."""

_WIDTH = 0xFEE0
"""The distance from the code of a narrow character to that of the wide one."""

_CHINESE = re.compile(r"[\u4e00-\u9fff]{2,}")

_JOINED = re.compile(r"[+#&._%-]{2}")
"""Signs that the segmenter may keep together: the only words without meaning of several signs."""


def is_term(word: str) -> bool:
    """Return whether a token has a letter, digit or ideograph and is no function word."""
    return word not in _STOP_WORDS and (word.isalnum() or any(map(str.isalnum, word)))


_LEFT_OUT = _STOP_WORDS | {
    one
    for one in (*map(chr, range(0x80)), *map(chr, range(0xFF01, 0xFF5F)), *_SIGNS, "\r\n")
    if not is_term(one)
}
"""All that is no term in a text of usual characters: looked up, as it comes again and again."""


class _Segmenter(Protocol):
    def cut_for_search(self, text: str) -> list[str]: ...


class _Analyzer(Protocol):
    def analyze(self, text: str) -> list[str]: ...


@cache
def _segmenter() -> _Segmenter:
    import rjieba  # a dictionary of some megabytes: load it when the first text comes

    return rjieba


_PARTS = "\0"
"""Parts texts that are cut together; a text that has it itself is cut alone."""

_LEFT_OUT_BUT_PARTS = _LEFT_OUT - {_PARTS}

_TOGETHER = 16
"""Texts cut in one call: a millisecond, in which other threads run."""


def tokenize(text: str) -> list[str]:
    """Return the index terms of a text in order, compounds and their parts."""
    folded = _fold_usual(text)
    if folded is not None:
        return [word for word in _segmenter().cut_for_search(folded) if word not in _LEFT_OUT]
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [word for word in _segmenter().cut_for_search(folded) if is_term(word)]


def bigrams(text: str) -> list[str]:
    """Return the pairs of neighbouring Chinese characters of a text, in order.

    >>> bigrams("醉驾入刑 2011")
    ['醉驾', '驾入', '入刑']
    """
    return [run[at : at + 2] for run in _CHINESE.findall(text) for at in range(len(run) - 1)]


def english_stems(text: str) -> list[str]:
    """Return the stems of the English words of a text, in order.

    >>> english_stems("My landlord kept the deposits")
    ['my', 'landlord', 'kept', 'deposit']
    """
    return _stemmer().analyze(text)


@cache
def _stemmer() -> _Analyzer:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    words = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.lowercase())
    return words.filter(Filter.stopword("english")).filter(Filter.stemmer("english")).build()


def tokenize_many(texts: Sequence[str]) -> list[str]:
    """Return the index terms of many texts, of each with spaces between; a few texts a call.

    >>> tokenize_many(["盗窃罪，", "the lease"]) == ["盗窃 盗窃罪", "lease"]
    True
    """
    joined: list[str] = []
    for start in range(0, len(texts), _TOGETHER):
        joined += _tokenize_together(texts[start : start + _TOGETHER])
    return joined


def _tokenize_together(texts: Sequence[str]) -> list[str]:
    folded = [_fold_usual(text) for text in texts]
    usual = [text if text is not None and _PARTS not in text else "" for text in folded]
    words = _segmenter().cut_for_search(f" {_PARTS} ".join(usual))
    terms = " ".join([word for word in words if word not in _LEFT_OUT_BUT_PARTS])
    found = [one.strip() for one in terms.split(_PARTS)]
    return [
        one if text is not None and _PARTS not in text else " ".join(tokenize(original))
        for one, text, original in zip(found, folded, texts, strict=True)
    ]


def _fold_usual(text: str) -> str | None:
    """Return a text of usual characters in one width and one case; ``None`` for any other."""
    if _PLAIN.fullmatch(text):
        return text
    if not _USUAL.fullmatch(text):
        return None
    folded = _WIDE.sub(lambda wide: chr(ord(wide[0]) - _WIDTH), text).casefold()
    return None if _JOINED.search(folded) else folded


WORDS = Channel("words", tokenize, analyse_many=tokenize_many)
"""Words, as every collection has them."""

TELLING_WORDS = replace(WORDS, max_share=0.5)
"""Words, without those that more than half of the documents of a large collection have."""

BIGRAMS = Channel("bigrams", bigrams)
"""Pairs of neighbouring characters: what the segmenter cuts differently in question and statute."""
