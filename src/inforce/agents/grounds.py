"""Whether an answer is one: not a refusal, not cut off, not about sources nobody found.

Support is checked sentence by sentence, and an answer may state what no wording can show (a letter,
a sum). But where nothing at all speaks for it, and it declines, or cites only what this run never
saw, then it is no answer, however it was tagged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from inforce.agents.answer import Draft, Sentence
from inforce.tools.evidence import Evidence

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
CUT_OFF = "the model was cut off before its end: the answer is partial"
UNBORNE = "no sentence of the answer is borne by the wording of what was found"

_LAST_WORDS = 20
"""Characters by which the end of a text is known."""


def grounded(
    draft: Draft,
    sentences: Sequence[Sentence],
    evidence: Sequence[Evidence],
    *,
    cut_off: Sequence[str] = (),
) -> Draft:
    """The draft, or what it really is.

    Args:
        draft: what the agent hands over.
        sentences: its sentences with their support.
        evidence: everything the run found.
        cut_off: replies the model could not end.
    """
    if draft.outcome != "answered":
        return draft
    if not any(one.support for one in sentences):
        if declines(draft.text):
            return replace(draft, outcome="abstained", note=draft.note or "the model declined")
        made_up = list(never_found(draft.text, evidence))
        if made_up and len(made_up) == len(set(_CITED.findall(draft.text))):
            named = ", ".join(one.strip(_MARKS) for one in made_up[:3])
            told = f"nothing found supports the answer, which cites what was never found: {named}"
            return Draft("", "abstained", f"{told}. The model said: {draft.text}")
        if evidence:
            draft = replace(draft, note="; ".join(filter(None, [draft.note, UNBORNE])))
    if _ends_like(draft.text, cut_off):
        return replace(draft, outcome="turn_limit", note=CUT_OFF)
    return draft


def declines(text: str) -> bool:
    """Whether a text begins by saying that there will be no answer.

    >>> declines("I'm sorry, but I can't help with that."), declines("累犯不适用缓刑。")
    (True, False)
    """
    return bool(_DECLINES.match(_OPENING.sub("", text)))


def never_found(text: str, evidence: Iterable[Evidence]) -> Iterator[str]:
    """Laws, cases, addresses and quotations of a text that stand in nothing that was found."""
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
