"""Words as they are compared: of a quotation, of parts of a provision, and how they differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from inforce.law.diff import Piece, diff
from inforce.law.ids import Portion
from inforce.law.numerals import ProvisionNumber, parse_numeral
from inforce.law.portions import Paragraph, paragraphs
from inforce.law.timeline import Span
from inforce.retrieval.wordings import fold
from inforce.verification.quotations import segments
from inforce.verification.terms import plain_numbers, tokens

_ENDS = " \n。，；：、,;:.“”「」"
"""What may be at the ends of a quotation and is not compared."""
_TAG = re.compile(r"</?[a-z]{1,8}[^<>]{0,40}>")
"""Marks of web pages that are in many collections of answers."""
_PARAGRAPH = re.compile(r"(?<=[。：；])[ \u3000]+(?=\S)")
_ITEM_NUMBER = re.compile(r"[（(][一二三四五六七八九十]{1,3}[）)]")
_ITEM_HEAD = re.compile(r"(?:^|[：:；;。，\n])\s*[（(]([一二三四五六七八九十]{1,3})[）)]")
_AND_SO_ON = re.compile(r"等+[。；]?$")
"""At the end of a quotation, that it goes on in the law."""
_FIRST_WORDS, _LONGEST_HEADING = 8, 16
"""Letters an article is known by at its head, and of a heading before them."""
_HEADING = re.compile(r"【[^】\n]{1,40}】")
"""An editor's heading of an article or a paragraph, which is no word of the law."""
_ITEMS = re.compile(r"(?=[（(][一二三四五六七八九十]{1,3}[）)])")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a quotation as they are compared, part by part between its ellipses."""

    parts: tuple[str, ...]
    whole: str
    written: str

    @classmethod
    def of(cls, text: str, *, by_item: bool = False) -> Words:
        """Fold the words of a quotation.

        Args:
            text: as written.
            by_item: whether items may be left out without a sign of it.
        """
        text = _AND_SO_ON.sub("", _HEADING.sub("", text))
        pieces = [_TAG.sub("", text[one.start : one.end]) for one in segments(text)]
        if by_item:
            pieces = [part for piece in pieces for part in _ITEM_NUMBER.split(piece)]
        parts = tuple(part for piece in pieces if (part := plain_numbers(fold(piece).text)))
        return cls(parts, "".join(parts), " … ".join(pieces))

    def without_first(self, letters: int) -> Words:
        """The words without some letters at their head."""
        parts = list(self.parts)
        while parts and letters >= len(parts[0]):
            letters -= len(parts.pop(0))
        if parts:
            parts[0] = parts[0][letters:]
        return Words(tuple(parts), "".join(parts), self.written)

    def is_in(self, folded: str) -> bool:
        """Whether a wording has all the parts, in their order."""
        at = 0
        for part in self.parts:
            found = folded.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return bool(self.parts)

    def likeness(self, folded: str) -> float:
        """How nearly a wording has these words, 0 to 1, by its most similar stretch."""
        if not self.whole or not folded:
            return 0.0
        if len(self.whole) > 2 * len(folded):
            return 0.0
        short = len(self.whole) <= len(folded)
        score = fuzz.partial_ratio(self.whole, folded) if short else fuzz.ratio(self.whole, folded)
        return score / 100


def without_heading(words: Words, wordings: Iterable[str]) -> Words:
    """The words without what editors put between a number and the words (第五条 解除合同 …)."""
    for folded in wordings:
        at = words.whole.find(folded[:_FIRST_WORDS])
        if 0 < at <= _LONGEST_HEADING and len(folded) >= _FIRST_WORDS:
            return words.without_first(at)
    return words


def paragraphs_of(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a provision; in a text without lines, a blank behind a stop begins one.

    >>> len(paragraphs_of("对于累犯，不适用缓刑。 有前款行为的，从重处罚。"))
    2
    """
    return tuple(paragraphs(text if "\n" in text else _PARAGRAPH.sub("\n", text)))


def item_numbers(text: str) -> set[int]:
    r"""The numbers of the items of a provision, also of a list with paragraphs between its items.

    >>> item_numbers("下列情形：\n（一）甲。\n甲之外，另有规定。\n（二）乙。")
    {1, 2}
    """
    return {parse_numeral(match[1]) for match in _ITEM_HEAD.finditer(text)}


def portions_of(number: ProvisionNumber, text: str) -> Iterator[tuple[Portion, str]]:
    """The paragraphs and items of a provision with their words; a paragraph before its items."""
    for at, paragraph in enumerate(paragraphs_of(text), 1):
        yield Portion(number, at), paragraph.excerpt.text
        for item in paragraph.items:
            yield Portion(number, at, item.number), item.excerpt.text


def cited_parts(pieces: Sequence[tuple[Portion, str]], cited: Portion) -> Iterator[str]:
    """The words of the parts that are cited; an item's with those that introduce its list."""
    lead = ""
    for one, piece in pieces:
        if one.item is None:
            lead = next(iter(_ITEMS.split(piece)), "")
        if one.item == cited.item and cited.paragraph in (None, one.paragraph):
            yield f"{lead}{piece}" if one.item else piece


def has_portion(text: str, portion: Portion) -> bool:
    """Whether a provision has a paragraph or item."""
    if portion.paragraph is None:
        return portion.item is None or portion.item in item_numbers(text)
    found = paragraphs_of(text)
    if portion.paragraph > len(found):
        return False
    items = found[portion.paragraph - 1].items
    return portion.item is None or portion.item in {item.number for item in items}


def words_of(text: str, portion: Portion) -> str:
    """The words of a paragraph or item of a provision; empty if it has none such."""
    pieces = portions_of(portion.number, text)
    return next(
        (
            piece
            for one, piece in pieces
            if one.item == portion.item and portion.paragraph in (None, one.paragraph)
        ),
        "",
    )


def difference(words: Words, span: Span) -> tuple[Piece, ...]:
    """How the quotation differs from the most similar stretch of a wording."""
    assert span.provision is not None
    folded = fold(span.provision.text)
    if not words.whole:
        return ()
    aligned = fuzz.partial_ratio_alignment(words.whole, folded.text)
    if aligned is None or aligned.dest_end <= aligned.dest_start:
        return ()
    if len(words.whole) > len(folded.text):
        return diff(span.provision.text, words.written, words=tokens)
    start, end = folded.span(aligned.dest_start, aligned.dest_end)
    return diff(span.provision.text[start:end], words.written.strip(_ENDS), words=tokens)
