"""The quotations of an amending instrument: which words are to be in the law.

A quotation may run over several paragraphs. The legislature opens each of them with “ and closes
only the last; the courts open only the first. Quotation marks inside are ‘ and ’ in official print
and “ and ” in many copies. Every quotation is taken out and replaced by one character, so that the
sentence that remains can be read by the grammar.

>>> mask = Masker()
>>> mask.feed("将第九条中的“七日”修改为“十日”。") == f"将第九条中的{sign(0)}修改为{sign(1)}。"
True
>>> [one.text for one in mask.quotations]
['七日', '十日']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from inforce.corpus.compile.lawtree import Refusal

_FIRST = 0xE000
_LAST = 0xF8FF
SIGN = f"[{chr(_FIRST)}-{chr(_LAST)}]"
"""Matches a character that stands for a quotation."""

_AFTER_CLOSE = re.compile(
    r"\s*(?:$|[。；，、：:;,.!！？）)“]|(?:修改|改为|作为|删|增加|合并|后|前|之|的|第|原|和|与|及|并|将|同时))"
)
"""What may follow the mark that closes a quotation; anything else is still quoted."""

_GOES_ON = re.compile(
    r"原?第|将|在|增加|新增|补充|删|取消|同时|此外|另外|以下|以[后下]各|此后|其后|后续|[此之后]后各|各[条款项]|其他|其余|条文"
    r"|并(?=将|增|删|对)|对|相应|依次|序号|顺序"
)
"""What begins a new clause right after a quotation that ended with a stop of its own."""

_INNER = {"‘": "“", "’": "”"}


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words quoted by an instrument, one string a paragraph, as they are to be in the law."""

    paragraphs: tuple[str, ...]
    closed: bool = True
    """Whether the closing mark is there; words of an open quotation are never used."""
    stop: str = ""
    """The mark of punctuation right after the closing mark, if there is one."""

    @property
    def text(self) -> str:
        """The paragraphs, one a line."""
        return "\n".join(self.paragraphs)


Quoted = tuple[Quotation, ...]
"""Quotations that follow one another without a 、: the paragraphs of one text."""


def joined(quotations: Sequence[Quotation]) -> Quotation:
    """The one text that quotations are the paragraphs of.

    Raises:
        Refusal: if a closing mark is missing, or nothing is quoted.
    """
    if not all(quotation.closed for quotation in quotations):
        raise Refusal("a quotation is not closed: the mark ” is missing in this copy")
    paragraphs = tuple(line for quotation in quotations for line in quotation.paragraphs)
    if not paragraphs:
        raise Refusal("the quotation is empty")
    return Quotation(paragraphs, stop=quotations[-1].stop)


def sign(index: int) -> str:
    """The character that stands for a quotation in the masked text of its point.

    Raises:
        ValueError: if one point has more quotations than there are such characters.
    """
    if index > _LAST - _FIRST:
        raise ValueError("too many quotations in one point")
    return chr(_FIRST + index)


def is_sign(character: str) -> bool:
    """Whether a character stands for a quotation."""
    return chr(_FIRST) <= character <= chr(_LAST)


def index_of(character: str) -> int:
    """The quotation a character stands for."""
    return ord(character) - _FIRST


@dataclass(slots=True)
class Masker:
    """Reads the lines of one point and takes their quotations out."""

    quotations: list[Quotation] = field(default_factory=list[Quotation])
    _depth: int = 0
    _paragraphs: list[str] = field(default_factory=list[str])

    @property
    def is_open(self) -> bool:
        """Whether a quotation runs on into the next line."""
        return self._depth > 0

    def feed(self, line: str) -> str:
        """One line without its quotations; each that ended in it has become one character."""
        rest: list[str] = []
        position, start = 0, 0
        if self._depth:
            self._depth = 1
            position = start = 1 if _continues(line) else 0
        while position < len(line):
            char = line[position]
            if self._depth == 0 and char != "“":
                rest.append("\ufffd" if is_sign(char) else char)  # of a private font: unreadable
            elif char == "“":
                self._depth += 1
                start = position + 1 if self._depth == 1 else start
            elif char == "”":
                self._depth -= 1
                if self._depth == 0:
                    self._paragraphs.append(line[start:position])
                    rest.append(self._close(stop=line[position + 1 : position + 2]))
                    ended = line[:position].endswith(("。", "；"))
                    rest.append("。" if ended and _GOES_ON.match(line, position + 1) else "")
            position += 1
        if self._depth:
            self._paragraphs.append(line[start:])
        return "".join(rest)

    def abandon(self) -> str:
        """End a quotation whose closing mark is missing; the character that stands for it."""
        return self._close(closed=False)

    def add(self, paragraphs: list[str]) -> str:
        """New wording printed without quotation marks; the character that stands for it."""
        self._paragraphs = list(paragraphs)
        return self._close()

    def _close(self, *, closed: bool = True, stop: str = "") -> str:
        words = tuple(as_printed(text).strip() for text in self._paragraphs)
        paragraphs = tuple(text for text in words if text)
        stop = stop if stop in tuple("。；，") else ""
        self.quotations.append(Quotation(paragraphs, closed, stop))
        self._paragraphs = []
        self._depth = 0
        return sign(len(self.quotations) - 1)


def _continues(line: str) -> bool:
    """Whether the “ at the head of a line only says that the quotation goes on.

    It does not where a closing mark would then follow in the middle of a sentence: “甲”是指…
    begins with a word that is itself in quotation marks.
    """
    if not line.startswith("“"):
        return False
    depth = 1
    for position, char in enumerate(line[1:], 1):
        depth += (char == "“") - (char == "”")
        if depth == 0:
            return _AFTER_CLOSE.match(line, position + 1) is not None
    return True


def as_printed(text: str) -> str:
    """Quoted words as the law prints them: inner marks ‘ ’ become “ ”, and “ ” within them ‘ ’.

    >>> as_printed("和‘三个代表’重要思想")
    '和“三个代表”重要思想'
    """
    if "‘" not in text:
        return text
    depth, printed = 0, list[str]()
    for char in text:
        if char in _INNER and (char == "‘" or depth):
            depth += 1 if char == "‘" else -1
            printed.append(_INNER[char])
        elif depth and char in "“”":
            printed.append("‘" if char == "“" else "’")
        else:
            printed.append(char)
    return "".join(printed)
