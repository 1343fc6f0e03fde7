"""Checks that an answer which recites an article says nothing that makes it another rule.

ROUGE-L is too lenient: it pays for the right words under a wrong number or of another law, for
已废止 before the text, and for a text in which 不 is missing, 可以 replaces 应当, or one party
replaces the other. Here the answer is aligned with the article. Before and after the recited text
it may repeat the question and use the few words by which a quotation is introduced; within the
text, only punctuation, white space, 的 and 之 may differ.

>>> asked = "《民法典》第五条怎么说？"
>>> claims_nothing_else("《民法典》第五条规定：应当赔偿。", "应当赔偿。", asked)
True
>>> claims_nothing_else("第九条：应当赔偿。", "应当赔偿。", asked)
False
>>> claims_nothing_else("可以赔偿，但不可抗力的除外。", "应当赔偿，但不可抗力的除外。", asked)
False
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from inforce.scoring.overlap import without_headings

_ANCHOR = 5
"""Matching characters in a row by which the recited text is located; fewer in a short article."""

_NEUTRAL = re.compile(r"[\W_的之]*")
"""Characters that may differ within the recited text."""

_NEGATES = re.compile("[不未无非没否勿废失假伪误?？]|撤销|取代|代替|有疑")

_INTRODUCES = re.compile(
    "规定|内容|全文|条文|原文|正文|如下|当时(?:有效|施行)?|版本|根据|依照|依据|按照|以上|回答"
    "|中华人民共和国|[为是的该本条款在于时年月日答中即]"
)
_N = "[〇零一二三四五六七八九十百千]+"
_NUMBER = re.compile(rf"第(?:\d+|{_N})[编章节条款项目](?:之{_N})?")
_TITLE = re.compile("《[^《》]+》")
_SILENT = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class _Difference:
    """A passage in which answer and article differ."""

    added: str
    """Text only in the answer."""
    removed: str
    """Text only in the article."""
    is_outside: bool
    """Whether it is before or after the recited text."""


def claims_nothing_else(answer: str, article: str, question: str) -> bool:
    """Tell whether an answer recites an article and makes no other claim about it.

    Args:
        answer: the policy's.
        article: the right wording.
        question: what may be repeated: the law, the number, the day.
    """
    return all(_is_harmless(one, question) for one in _differences(answer, article))


def _differences(answer: str, article: str) -> Iterator[_Difference]:
    answered, text = without_headings(answer), without_headings(article)
    codes = list(Indel.opcodes(text, answered))
    anchor = min(_ANCHOR, max(1, len(text) // 2))
    recited = [one for one in codes if one.tag == "equal" and one.src_end - one.src_start >= anchor]
    first = recited[0].dest_start if recited else len(answered)
    last = recited[-1].dest_end if recited else 0
    for one in codes:
        if one.tag != "equal":
            yield _Difference(
                answered[one.dest_start : one.dest_end],
                text[one.src_start : one.src_end],
                one.dest_end <= first or one.dest_start >= last,
            )


def _is_harmless(one: _Difference, question: str) -> bool:
    if not _NEUTRAL.fullmatch(one.removed):
        return False
    if one.is_outside:
        names_others = any(
            set(names.findall(one.added)) - set(names.findall(question))
            for names in (_TITLE, _NUMBER)
        )
        # Another year in it would claim another version, so only known words may introduce the
        # text.
        rest = _INTRODUCES.sub("", _without_repeated(one.added, question))
        return not (_SILENT.sub("", rest) or names_others or _NEGATES.search(one.added))
    return bool(_NEUTRAL.fullmatch(one.added))


def _without_repeated(text: str, question: str) -> str:
    """Remove the parts of two and more characters that are in the question too."""
    rest: list[str] = []
    place = 0
    while place < len(text):
        length = 0
        while place + length < len(text) and text[place : place + length + 1] in question:
            length += 1
        if length < 2:
            rest.append(text[place])
        place += length if length >= 2 else 1
    return "".join(rest)
