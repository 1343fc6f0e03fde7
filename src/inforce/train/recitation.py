"""What an answer says besides the article it recites: nothing that makes it another rule.

ROUGE-L forgives what it should not: it pays for the right words under a wrong number, for another
law, for 已废止 before the text, and for a text in which 不 is missing, 可以 stands for 应当 or one
party for the other. Here the answer is aligned with the article. What stands before and after it
may repeat the question and use the few words by which a quotation is introduced. The text itself is
a quotation: nothing may differ in it but punctuation, white space, 的 and 之.

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
"""Characters in a row that tell where the recited text begins and ends; fewer in a short one."""

_MEANS_NOTHING = re.compile(r"[\W_的之]*")
"""What may differ within the text."""

_NEGATES = re.compile("[不未无非没否勿废失假伪误?？]|撤销|取代|代替|有疑")

_INTRODUCES = re.compile(
    "规定|内容|全文|条文|原文|正文|如下|当时|有效|施行|版本|修正|修订|根据|依照|依据|按照|以上|回答"
    "|中华人民共和国|[为是的该本条款在于时年月日自起答中即第]"
)
_TITLE = re.compile("《[^《》]+》")
_SILENT = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class _Difference:
    """A place where an answer and the article differ."""

    added: str
    """What the answer has more; empty where it has less."""
    removed: str
    is_outside: bool
    """Before the recited text, or after it."""


def claims_nothing_else(answer: str, article: str, question: str) -> bool:
    """Whether an answer recites an article and says nothing else of it.

    Args:
        answer: as the policy gave it.
        article: the wording asked for.
        question: what may be repeated: the law, the number, the day.
    """
    return all(_is_harmless(one, question) for one in _differences(answer, article))


def _differences(answer: str, article: str) -> Iterator[_Difference]:
    said, text = without_headings(answer), without_headings(article)
    codes = list(Indel.opcodes(text, said))
    anchor = min(_ANCHOR, max(1, len(text) // 2))
    recited = [one for one in codes if one.tag == "equal" and one.src_end - one.src_start >= anchor]
    first = recited[0].dest_start if recited else len(said)
    last = recited[-1].dest_end if recited else 0
    for one in codes:
        if one.tag != "equal":
            yield _Difference(
                said[one.dest_start : one.dest_end],
                text[one.src_start : one.src_end],
                one.dest_end <= first or one.dest_start >= last,
            )


def _is_harmless(one: _Difference, question: str) -> bool:
    if not _MEANS_NOTHING.fullmatch(one.removed):
        return False
    if one.is_outside:
        names_others = set(_TITLE.findall(one.added)) - set(_TITLE.findall(question))
        is_explained = not _unexplained(one.added, question)
        return is_explained and not names_others and not _NEGATES.search(one.added)
    return bool(_MEANS_NOTHING.fullmatch(one.added))


def _unexplained(said: str, question: str) -> str:
    """What is neither the question's nor an introduction; another year claims another version."""
    left = _INTRODUCES.sub("", _without_repeated(said, question))
    return _SILENT.sub("", left)


def _without_repeated(said: str, question: str) -> str:
    """A text without the parts of two and more characters that a question has too."""
    left: list[str] = []
    place = 0
    while place < len(said):
        length = 0
        while place + length < len(said) and said[place : place + length + 1] in question:
            length += 1
        if length < 2:
            left.append(said[place])
        place += length if length >= 2 else 1
    return "".join(left)
