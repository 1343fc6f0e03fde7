"""Words of a law compared and found as a reader would: width, spaces and kinds of marks aside.

An instrument and the copy of the law it amends come from different hands: half-width marks in the
one are full-width in the other, and ‘甲’ in a quotation is “甲” in the law.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

DAY = r"[0-9０-９]{4}\s*年\s*[0-9０-９]{1,2}\s*月\s*[0-9０-９]{1,2}\s*日"
"""A calendar day as instruments print it."""

FIGURE = "[0-9〇零一二两三四五六七八九十百千]"
NUMERAL = f"{FIGURE}+"
"""A number as instruments print it."""

_DIGITS = re.compile(r"[0-9]+")
_MARKS = str.maketrans({"‘": "“", "’": "”", '"': "“", "'": "“", "﹒": ".", "·": "・"})


class Span(NamedTuple):
    """A stretch of a text."""

    start: int
    end: int


def day_of(text: str) -> date | None:
    """The calendar day written ``2021年3月1日``; ``None`` if no calendar has it."""
    year, month, day = map(int, _DIGITS.findall(unicodedata.normalize("NFKC", text)))
    try:
        return date(year, month, day)
    except ValueError:
        return None


def days_of(texts: Iterable[str]) -> list[date]:
    """The calendar days written in these words, those that no calendar has left out."""
    return [day for text in texts if (day := day_of(text)) is not None]


def folded(text: str) -> str:
    """What is compared: full width and half width alike, no spaces, one kind of quotation mark."""
    return _fold(text).text


class _Folded(NamedTuple):
    text: str
    positions: list[int]
    """Where each character of the folded text is in the original; and the end."""


def _fold(text: str) -> _Folded:
    characters: list[str] = []
    positions: list[int] = []
    for position, char in enumerate(text):
        for plain in unicodedata.normalize("NFKC", char).translate(_MARKS):
            if not plain.isspace():
                characters.append(plain)
                positions.append(position)
    positions.append(len(text))
    return _Folded("".join(characters), positions)


def find_words(words: str, text: str) -> list[Span]:
    """Every place where ``text`` has these words, without overlap.

    >>> find_words("甲,乙", "丙甲，乙。")
    [Span(start=1, end=4)]
    """
    wanted = folded(words)
    if not wanted:
        return []
    within = _fold(text)
    found: list[Span] = []
    start = within.text.find(wanted)
    while start >= 0:
        last = start + len(wanted) - 1
        found.append(Span(within.positions[start], within.positions[last] + 1))
        start = within.text.find(wanted, last + 1)
    return found


def same_words(left: str, right: str) -> bool:
    """Whether two texts differ in nothing but width, spaces and the kind of quotation marks."""
    return left == right or folded(left) == folded(right)


def without_stops(text: str) -> str:
    """The folded text without punctuation: what remains equal where only marks differ."""
    return re.sub(r"[\W_]+", "", folded(text))


ENDS = tuple("。；：，！？、…")
"""The marks with which a stretch of wording may end."""


def without_closing_marks(text: str) -> str:
    """A text without the quotation marks and brackets that close at its end."""
    return text.rstrip().rstrip("”’）)》〉】")


def with_stop(new: str, old: str, following: str = "") -> str:
    """New wording with the stop it needs where it is quoted without one: that of the old wording.

    Instruments quote an item as “（一）商品存在缺陷的” although the law goes on with a semicolon.
    """
    if not new.strip() or without_closing_marks(new).endswith(ENDS):
        return new
    last = old.rstrip()[-1:]
    if last in ENDS:
        return new.rstrip() + last
    return new.rstrip() + following if following in ENDS else new


_JOINS = ("以及", "和", "及", "或者", "或", "与")


def without_words(text: str, span: Span) -> str:
    """A text after some of its words were deleted: no mark is left that separates nothing.

    >>> without_words("受害人、被扶养人以及死者近亲属为权利人", Span(4, 8))
    '受害人以及死者近亲属为权利人'
    """
    before, gone, after = text[: span.start], text[span.start : span.end], text[span.end :]
    if before.endswith(("，", "、", "；", "：")) and after.startswith(tuple("。；，、：")):
        before = before[:-1]
    elif before.endswith(("，", "、", "；")) and not after and gone.endswith("。"):
        before = f"{before[:-1]}。"
    elif before.endswith("、") and after.startswith(_JOINS):
        before = before[:-1]
    if after.startswith(("，", "、", "；")) and (not before or before.endswith(tuple("。；："))):
        after = after[1:]
    return before + after
