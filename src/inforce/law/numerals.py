"""Article numbers as Chinese statutes write them, and as everybody else does.

>>> ProvisionNumber.parse("第一百三十三条之一")
ProvisionNumber(kind='article', main=133, branch=1)
>>> ProvisionNumber.parse("133-1").chinese
'第一百三十三条之一'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import Literal, Self

from inforce.errors import IdentifierError

NumberKind = Literal["preamble", "whole", "article", "point"]
"""``article`` 第一条; ``point`` 一、 (decisions); ``preamble`` 序; ``whole`` 全文."""

_DIGITS = {"〇": 0, "零": 0, **{c: i for i, c in enumerate("一二三四五六七八九", 1)}, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_NUMERAL = r"[0-9０-９〇零一二两三四五六七八九十百千]+"
_NUMERALS = "零一二三四五六七八九"
_PLACES = ((1000, "千"), (100, "百"), (10, "十"), (1, ""))
_MAX = 9999
"""No statute comes near it; a bound keeps hostile input short."""

_ARTICLE = re.compile(
    rf"""
    ^(?: 第?\s*(?P<main>{_NUMERAL})\s*条 (?: \s*之\s*(?P<branch>{_NUMERAL}) )?
       | (?:art_)?(?P<plain>{_NUMERAL}) (?: (?:-|之|bis_?) (?P<plain_branch>{_NUMERAL}) )?
    )$""",
    re.VERBOSE,
)
_POINT = re.compile(rf"^(?:(?P<chinese>{_NUMERAL})、|point_(?P<iri>[0-9]+))$")
_SINGLE: dict[str, NumberKind] = {
    "全文": "whole",
    "whole": "whole",
    "序": "preamble",
    "preamble": "preamble",
}


@total_ordering
@dataclass(frozen=True, slots=True)
class ProvisionNumber:
    """Which provision of a work: 第一百三十三条之一 is ``ProvisionNumber("article", 133, 1)``.

    Ordered as the law orders them: the preamble, then by number, then by branch (133, 133-1, 134).
    """

    kind: NumberKind
    main: int = 0
    branch: int = 0

    @classmethod
    def article(cls, main: int, branch: int = 0) -> Self:
        """An article by its number, and its 之 number where it has one."""
        return cls("article", main, branch)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a number in any usual form: ``第133条之一``, ``133-1``, ``art_133-1``, ``三、``.

        Raises:
            IdentifierError: if the text is none of them.
        """
        stripped = text.strip()
        if stripped in _SINGLE:
            return cls(_SINGLE[stripped])
        if match := _POINT.match(stripped):
            return cls("point", parse_numeral(match["chinese"] or match["iri"]))
        if match := _ARTICLE.match(stripped):
            main, branch = match["main"] or match["plain"], match["branch"] or match["plain_branch"]
            return cls("article", parse_numeral(main), parse_numeral(branch) if branch else 0)
        raise IdentifierError(text, "not an article number (try 133-1 or 第一百三十三条之一)")

    @property
    def chinese(self) -> str:
        """As the statute prints it: ``第一百三十三条之一``."""
        match self.kind:
            case "article":
                branch = f"之{format_numeral(self.branch)}" if self.branch else ""
                return f"第{format_numeral(self.main)}条{branch}"
            case "point":
                return f"{format_numeral(self.main)}、"
            case "whole":
                return "全文"
            case "preamble":
                return "序"

    @property
    def short(self) -> str:
        """As people type it: ``133-1``."""
        if self.kind == "article":
            return f"{self.main}-{self.branch}" if self.branch else str(self.main)
        return self.iri

    @property
    def iri(self) -> str:
        """As an Akoma Ntoso portion: ``art_133-1``."""
        match self.kind:
            case "article":
                return f"art_{self.short}"
            case "point":
                return f"point_{self.main}"
            case _:
                return self.kind

    @property
    def sort_key(self) -> int:
        """One integer that orders provisions within a work."""
        rank = 0 if self.kind == "preamble" else 1
        return (rank * (_MAX + 1) + self.main) * 1000 + self.branch

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, ProvisionNumber):
            return NotImplemented
        return (self.sort_key, self.kind) < (other.sort_key, other.kind)

    def __str__(self) -> str:
        return self.chinese


def parse_numeral(text: str) -> int:
    """Read a whole number up to 9999 in Chinese (一百零二, 一〇二) or Arabic numerals.

    Raises:
        IdentifierError: if it is empty, mixed, malformed or too large.
    """
    if text.isascii() and text.isdigit() or re.fullmatch(r"[０-９]+", text):
        value = int(text) if len(text) <= 4 else _MAX + 1
    elif text and all(c in _DIGITS for c in text) and len(text) > 1:
        value = int("".join(str(_DIGITS[c]) for c in text)) if len(text) <= 4 else _MAX + 1
    else:
        value = _parse_units(text)
    if value > _MAX:
        raise IdentifierError(text, "a number this large is not an article number")
    return value


def _parse_units(text: str) -> int:
    total, digit, last_unit = 0, -1, 10_000
    for char in text:
        if char in _DIGITS and digit in (-1, 0):
            digit = _DIGITS[char]
        elif char in _UNITS and _UNITS[char] < last_unit and digit != 0:
            last_unit = _UNITS[char]
            total += (1 if digit == -1 else digit) * last_unit
            digit = -1
        else:
            raise IdentifierError(text, "not a well-formed numeral")
    if not text:
        raise IdentifierError(text, "an empty numeral")
    return total + max(digit, 0)


def format_numeral(number: int) -> str:
    """Write a whole number up to 9999 as statutes do: 10 is 十, 102 is 一百零二, 110 is 一百一十.

    Raises:
        IdentifierError: if it is negative or above 9999.
    """
    if not 0 <= number <= _MAX:
        raise IdentifierError(str(number), "only 0 to 9999 can be an article number")
    if number < 10:
        return _NUMERALS[number]
    digits = ((number // unit % 10, name) for unit, name in _PLACES)
    written = "".join(f"{_NUMERALS[digit]}{name}" if digit else "零" for digit, name in digits)
    written = re.sub("零+", "零", written).strip("零")
    return written.removeprefix("一") if number < 20 else written
