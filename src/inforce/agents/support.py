"""Which sentences of an answer rest on what was found: checked word by word, by rule.

A sentence is supported by a text that contains most of its words and every number it states. This
is a check of wording, not of reasoning: it finds sentences nothing speaks for; it cannot find a
wrong conclusion from right sources.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from inforce import language
from inforce.agents.answer import Sentence
from inforce.retrieval.tokens import tokenize
from inforce.tools.evidence import Evidence

LEAST_SHARE = 0.6
"""Share of a sentence's words that a text must contain to support it."""

NEARLY_AS_GOOD = 0.1
"""How much of that share a text may lack against the best one and still be named beside it: where
one text says the whole sentence, others that merely use most of its words bear nothing."""

MOST_SUPPORT = 3
"""Texts named for a sentence, at most."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|第[〇零一二三四五六七八九十百千万]+[条款项]")
_MARK = re.compile(r"\[\d+(?:[,、，\s]+\d+)*\]")
"""A citation mark such as [2]: no word of the sentence."""

_MARK_AND_BLANK = re.compile(rf"[ \t]*{_MARK.pattern}")
_MARKS_AFTER = re.compile(rf"([。！？；!?;.])[ \t]*({_MARK.pattern}(?:[ \t]*{_MARK.pattern})*)")
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"[\s,，]+")


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, in order; headings and list items count as such.

    >>> sentences("累犯不适用缓刑。[1] 见刑法第七十四条。")
    ('累犯不适用缓刑[1]。', '见刑法第七十四条。')
    """
    joined = _MARKS_AFTER.sub(r"\2\1", text)  # a mark belongs to the sentence before it
    return tuple(joined[one.start : one.end] for one in language.sentences(joined))


def supported(
    text: str, evidence: Sequence[Evidence], *, numbered: Sequence[str] = ()
) -> tuple[Sentence, ...]:
    """The sentences of a text, each with the evidence that bears it: what it cites first.

    Args:
        text: an answer.
        evidence: what it may rest on.
        numbered: ids of evidence, as the marks ``[1]``, ``[2]`` in the text count them. These
            marks are taken out: a source that is cited counts only if it bears the sentence.
    """
    return tuple(_supported(one, evidence, numbered) for one in sentences(text))


def _supported(sentence: str, evidence: Sequence[Evidence], numbered: Sequence[str]) -> Sentence:
    plain = _MARK_AND_BLANK.sub("", sentence).strip() if numbered else sentence
    cited = [
        numbered[number - 1] for number in cited_numbers(sentence) if 0 < number <= len(numbered)
    ]
    first = [one for one in evidence if one.id in cited]
    rest = [one for one in evidence if one.id not in cited]
    bearing = (*support_of(plain, first), *support_of(plain, rest))
    return Sentence(plain, bearing[:MOST_SUPPORT])


def cited_numbers(sentence: str) -> list[int]:
    """The numbers a sentence cites; ``[1, 3]`` are two."""
    return [int(number) for mark in _MARK.findall(sentence) for number in _DIGITS.findall(mark)]


def support_of(sentence: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Ids of the evidence that supports a sentence, best first."""
    sentence = _MARK.sub("", sentence)
    words = frozenset(tokenize(sentence))
    if not words:
        return ()
    numbers = _numbers(sentence)
    shares = [(_share(words, numbers, one), place) for place, one in enumerate(evidence)]
    least = max(LEAST_SHARE, max((share for share, _ in shares), default=0.0) - NEARLY_AS_GOOD)
    good = sorted((-share, place) for share, place in shares if share >= least)
    return tuple(evidence[place].id for _, place in good[:MOST_SUPPORT])


def _share(words: frozenset[str], numbers: frozenset[str], evidence: Evidence) -> float:
    """The share of words a text contains; nothing if it lacks a number."""
    read = f"{evidence.title} {evidence.date} {evidence.status} {evidence.text}"
    if numbers and any(number not in _without_space(read) for number in numbers):
        return 0.0
    return len(words & _words(read)) / len(words)


def _numbers(sentence: str) -> frozenset[str]:
    return frozenset(_SPACE.sub("", number) for number in _NUMBER.findall(sentence))


@lru_cache(maxsize=4096)
def _without_space(text: str) -> str:
    return _SPACE.sub("", text)


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(tokenize(text))
