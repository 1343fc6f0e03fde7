"""Support for an answer in the evidence: sentence by sentence, and as a whole; by rule.

A sentence is supported by a text that contains most of its words and every number it states. This
is a check of wording, not of reasoning: it finds sentences without support; it cannot find a wrong
conclusion from right sources. An answer may state what no wording can show (a letter, a sum); but
where no sentence is supported, and it declines, or cites only what this run never found, then it is
no answer, however it was tagged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from inforce import language
from inforce.agents.runtime.answer import Draft, Sentence
from inforce.retrieval.tokens import tokenize
from inforce.tools.evidence import Evidence

LEAST_SHARE = 0.6
"""Share of a sentence's words that a text must contain to support it."""

NEARLY_AS_GOOD = 0.1
"""How much of that share a text may lack against the best one and still be named beside it: where
one text says the whole sentence, others that merely use most of its words support nothing."""

MOST_SUPPORT = 3
"""Texts named for a sentence, at most."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|第[〇零一二三四五六七八九十百千万]+[条款项]")
_MARK = re.compile(r"\[\d+(?:[,、，\s]+\d+)*\]")
"""A citation mark such as [2]: no word of the sentence."""

_MARK_AND_BLANK = re.compile(rf"[ \t]*{_MARK.pattern}")
_MARKS_AFTER = re.compile(rf"([。！？；!?;.])[ \t]*({_MARK.pattern}(?:[ \t]*{_MARK.pattern})*)")
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"[\s,，]+")

_DECLINES = re.compile(
    r"(?:i(?:['’]m| am) (?:sorry|unable|not able)|(?:i |we )?(?:can(?:not|['’]t| not)|won['’]t)\b"
    r"|sorry\b|as an ai\b|很?抱歉|对不起|不好意思|我?(?:无法|不能)(?:回答|提供|协助|帮助|处理|判断)"
    r"|作为(?:一个|一名)?(?:ai|人工智能|语言模型))",
    re.IGNORECASE,
)
_OPENING = re.compile(r"^[\s#*>\-“\"']+")
_CITED = re.compile(
    r"《[^《》]{1,80}》|https?://[^\s\"'<>，。；）)]{4,300}"
    r"|[A-Z][\w.'’-]{1,40} v\. [A-Z][\w.'’-]{1,40}|“[^“”]{10,400}”"
)
_MARKS = "《》“”"
_CUT_OFF = "the model was cut off before its end: the answer is partial"
UNSUPPORTED = "no sentence of the answer is supported by the wording of what was found"

_LAST_WORDS = 20
"""Characters by which the end of a text is known."""


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
    """The sentences of a text, each with the evidence that supports it: what it cites first.

    Args:
        text: an answer.
        evidence: what it may rest on.
        numbered: ids of evidence, as the marks ``[1]``, ``[2]`` in the text count them. These
            marks are taken out: a source that is cited counts only if it supports the sentence.
    """
    return tuple(_supported(one, evidence, numbered) for one in sentences(text))


def _supported(sentence: str, evidence: Sequence[Evidence], numbered: Sequence[str]) -> Sentence:
    plain = _MARK_AND_BLANK.sub("", sentence).strip() if numbered else sentence
    cited = [
        numbered[number - 1] for number in cited_numbers(sentence) if 0 < number <= len(numbered)
    ]
    first = [one for one in evidence if one.id in cited]
    rest = [one for one in evidence if one.id not in cited]
    supporting = (*support_of(plain, first), *support_of(plain, rest))
    return Sentence(plain, supporting[:MOST_SUPPORT])


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


def reviewed(
    draft: Draft,
    sentences: Sequence[Sentence],
    evidence: Sequence[Evidence],
    *,
    cut_off: Sequence[str] = (),
) -> Draft:
    """Review a draft by its support: it may be an abstention, or partial.

    Its sentences come with their support; ``cut_off`` are replies that the model could not end.
    """
    if draft.outcome != "answered":
        return draft
    if not any(one.support for one in sentences):
        if _declines(draft.text):
            return replace(draft, outcome="abstained", note=draft.note or "the model declined")
        made_up = list(_never_found(draft.text, evidence))
        if made_up and len(made_up) == len(set(_CITED.findall(draft.text))):
            named = ", ".join(one.strip(_MARKS) for one in made_up[:3])
            why = f"nothing found supports the answer, which cites what was never found: {named}"
            return Draft("", "abstained", f"{why}. The model said: {draft.text}")
        if evidence:
            draft = replace(draft, note="; ".join(filter(None, [draft.note, UNSUPPORTED])))
    if _ends_like(draft.text, cut_off):
        return replace(draft, outcome="turn_limit", note=_CUT_OFF)
    return draft


def _declines(text: str) -> bool:
    """Whether a text begins by saying that there will be no answer.

    >>> _declines("I'm sorry, but I can't help with that."), _declines("累犯不适用缓刑。")
    (True, False)
    """
    return bool(_DECLINES.match(_OPENING.sub("", text)))


def _never_found(text: str, evidence: Iterable[Evidence]) -> Iterator[str]:
    """Laws, cases, addresses and quotations of a text that are in nothing that was found."""
    found = "\n".join(_plain(f"{one.title} {one.url} {one.id} {one.text}") for one in evidence)
    for cited in sorted(set(_CITED.findall(text))):
        if _plain(cited.strip(_MARKS).removeprefix("中华人民共和国")) not in found:
            yield cited


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).lower()


def _ends_like(text: str, cut_off: Iterable[str]) -> bool:
    """Whether the last words of a text are those of a reply that was cut off."""
    last = _word_characters(text)[-_LAST_WORDS:]
    return bool(last) and any(_word_characters(one[-400:]).endswith(last) for one in cut_off)


def _word_characters(text: str) -> str:
    return re.sub(r"\W+", "", text)
