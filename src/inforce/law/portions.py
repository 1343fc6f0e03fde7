"""Paragraphs (款) and items (项) within the text of an article, as verbatim pieces with offsets.

Every line of an article that does not begin with an item number is a paragraph; items （一）（二）…
belong to the paragraph above them (立法技术规范（试行）（一）, 法工委发〔2009〕62号). So do lines
of a list without numbers, each of which ends with a comma (宪法 art. 65).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, pairwise

from inforce.errors import IdentifierError
from inforce.law.ids import Portion
from inforce.law.model import Provision
from inforce.law.numerals import parse_numeral

_LINE = re.compile(r"[^\n]+")
_NUMERAL = r"[一二三四五六七八九十百]{1,6}"
_ITEM_LINE = re.compile(rf"\s*[（(]{_NUMERAL}[）)]")
_ITEM = re.compile(
    rf"(?:^|(?<=[：:；;。，\n]))[ \u3000]*(?P<whole>[（(](?P<number>{_NUMERAL})[）)])"
)
_SUBITEM_LINE = re.compile(r"\s*(?:\d{1,2}[.．、]|[（(]\d{1,2}[）)]|[①-⑳])")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of a text, verbatim, and where it stands: ``text == whole[start:end]``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """One item (项) of a paragraph, its number included in the text."""

    number: int
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph (款) of an article, its items included in the text."""

    excerpt: Excerpt
    items: tuple[Item, ...]


def paragraphs(text: str) -> tuple[Paragraph, ...]:
    r"""The paragraphs of an article, in order.

    >>> [p.excerpt.text for p in paragraphs("甲有下列情形的：\n（一）乙；\n（二）丙。\n丁。")]
    ['甲有下列情形的：\n（一）乙；\n（二）丙。', '丁。']
    """
    bounds: list[list[int]] = []
    for line in _LINE.finditer(text):
        before = text[bounds[-1][0] : bounds[-1][1]].rstrip() if bounds else ""
        continues = (
            _ITEM_LINE.match(line[0])
            or _SUBITEM_LINE.match(line[0])
            or before.endswith("，")
            or (before.endswith("：") and line[0].rstrip().endswith("，"))
        )
        if bounds and (continues or not line[0].strip()):
            bounds[-1][1] = line.end()
        elif line[0].strip():
            bounds.append([line.start(), line.end()])
    return tuple(_paragraph(text, start, end) for start, end in bounds)


def excerpt(provision: Provision, portion: Portion) -> Excerpt:
    """The verbatim text of a portion of a provision.

    An item asked for without its paragraph is found where only one paragraph has an item of that
    number.

    Raises:
        IdentifierError: if the provision is another one or has no such paragraph or item.
    """
    if portion.number != provision.number:
        raise IdentifierError(portion.chinese, f"it is not part of {provision.number.chinese}")
    found = paragraphs(provision.text)
    if portion.paragraph is not None:
        if portion.paragraph > len(found):
            reason = f"{provision.number.chinese} has only {len(found)} paragraph(s) (款)"
            raise IdentifierError(portion.chinese, reason)
        found = (found[portion.paragraph - 1],)
    if portion.item is not None:
        return _item(found, portion)
    if portion.paragraph is not None:
        return found[0].excerpt
    return Excerpt(0, len(provision.text), provision.text)


def _item(within: tuple[Paragraph, ...], portion: Portion) -> Excerpt:
    items = chain.from_iterable(paragraph.items for paragraph in within)
    matching = [item.excerpt for item in items if item.number == portion.item]
    if not matching:
        raise IdentifierError(portion.chinese, "there is no item (项) of that number")
    if len(matching) > 1:
        raise IdentifierError(portion.chinese, "several paragraphs have such an item: name the 款")
    return matching[0]


def _paragraph(text: str, start: int, end: int) -> Paragraph:
    marks = _marks(text[start:end])
    bounds = pairwise([*(start + mark for _, mark in marks), end])
    items = (
        Item(number, _excerpt(text, *bound))
        for (number, _), bound in zip(marks, bounds, strict=True)
    )
    return Paragraph(_excerpt(text, start, end), tuple(items))


def _marks(text: str) -> list[tuple[int, int]]:
    """Item numbers and where they stand; only a run 一, 二, 三 … counts, not a stray （五）."""
    marks: list[tuple[int, int]] = []
    for match in _ITEM.finditer(text):
        try:
            number = parse_numeral(match["number"])
        except IdentifierError:
            continue
        if number == len(marks) + 1:
            marks.append((number, match.start("whole")))
    return marks


def _excerpt(text: str, start: int, end: int) -> Excerpt:
    end = start + len(text[start:end].rstrip())
    return Excerpt(start, end, text[start:end])
