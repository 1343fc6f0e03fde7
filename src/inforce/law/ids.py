"""Identifiers of laws, their versions and their parts, in the Akoma Ntoso / FRBR manner.

A *work* is the law as such, an *expression* is what it said at a date, a *portion* is an article or
a part of one. ``@`` names exactly the version that began on a day, ``:`` the one in force on a day
(the distinction of AKN naming and of Indigo). Identifiers are printed in plain characters;
percent-encoding is read, not written.

>>> law = WorkId("中华人民共和国刑法")
>>> print(ExpressionId(law, date(2011, 5, 1), "begun"))
/akn/cn/act/中华人民共和国刑法/zho@2011-05-01
>>> portion = Portion.parse("art_133-1__para_1__item_3")
>>> portion.chinese
'第一百三十三条之一第一款第三项'
>>> parse("/akn/cn/act/中华人民共和国刑法/zho:2015-06-30/~art_74").portion.number.chinese
'第七十四条'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal, Self
from urllib.parse import unquote

from inforce.errors import IdentifierError
from inforce.law.numerals import ProvisionNumber, format_numeral, parse_numeral

Moment = Literal["begun", "in_force"]
"""How an expression is chosen: the version begun on the day, or the one in force on it."""

_SIGNS: dict[Moment, str] = {"begun": "@", "in_force": ":"}
_MOMENTS: dict[str, Moment] = {sign: moment for moment, sign in _SIGNS.items()}

_IRI = re.compile(
    r"""
    /akn/(?P<country>[a-z]{2})/act/(?P<title>[^/]+)
    (?: /(?P<language>[a-z]{3})(?P<sign>[@:])(?P<day>\d{4}-\d{2}-\d{2}) )?
    (?: /~(?P<portion>[^/]+) )?
    """,
    re.VERBOSE | re.ASCII,
)
_PORTION = re.compile(
    r"(?P<number>.+?)(?:__para_(?P<para>[1-9]\d{0,3}))?(?:__item_(?P<item>[1-9]\d{0,3}))?"
)
_NUMERAL = r"[0-9０-９〇零一二三四五六七八九十百千]+"
_WRITTEN_PORTION = re.compile(
    rf"""
    (?=.*[款项]$) (?P<number>.+?) \s*
    (?: 第?\s*(?P<para>{_NUMERAL})\s*款\s* )?
    (?: 第?\s*[（(]?(?P<item>{_NUMERAL})[）)]?\s*项 )?
    """,
    re.VERBOSE,
)
_NOT_IN_TITLES = re.compile(r"[/%\x00-\x1f\x7f]|^\s|\s$|^$")


@dataclass(frozen=True, slots=True)
class WorkId:
    """A law as such; its official title identifies it."""

    title: str
    country: str = "cn"

    def __post_init__(self) -> None:
        if _NOT_IN_TITLES.search(self.title):
            raise IdentifierError(self.title, "not a title: empty, or with '/', '%' or line breaks")

    def __str__(self) -> str:
        return f"/akn/{self.country}/act/{self.title}"


@dataclass(frozen=True, slots=True)
class ExpressionId:
    """What a law said at a date: the version begun on that day, or the one in force on it."""

    work: WorkId
    day: date
    moment: Moment
    language: str = "zho"

    def __str__(self) -> str:
        return f"{self.work}/{self.language}{_SIGNS[self.moment]}{self.day.isoformat()}"


@dataclass(frozen=True, slots=True)
class Portion:
    """A part of a law: an article, one of its paragraphs (款), or an item (项) of either."""

    number: ProvisionNumber
    paragraph: int | None = None
    item: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``art_133-1__para_2__item_3`` or ``第133条之一第2款第三项``, or an article alone.

        Raises:
            IdentifierError: if it is of neither form.
        """
        if match := _WRITTEN_PORTION.fullmatch(text.strip()):
            return cls(
                ProvisionNumber.parse(match["number"]),
                _counted(match["para"], text),
                _counted(match["item"], text),
            )
        match = _PORTION.fullmatch(text)
        if match is None:
            raise IdentifierError(text, "not a portion (try art_133-1__para_2__item_3)")
        paragraph, item = match["para"], match["item"]
        number = ProvisionNumber.parse(match["number"])
        return cls(number, int(paragraph) if paragraph else None, int(item) if item else None)

    @property
    def chinese(self) -> str:
        """As a judgment writes it: ``第一百三十三条之一第二款第三项``."""
        paragraph = f"第{format_numeral(self.paragraph)}款" if self.paragraph else ""
        item = f"第{format_numeral(self.item)}项" if self.item else ""
        return f"{self.number.chinese}{paragraph}{item}"

    def __str__(self) -> str:
        paragraph = f"__para_{self.paragraph}" if self.paragraph else ""
        item = f"__item_{self.item}" if self.item else ""
        return f"{self.number.iri}{paragraph}{item}"


@dataclass(frozen=True, slots=True)
class ProvisionId:
    """A portion of a law, or of what the law said at a date."""

    of: WorkId | ExpressionId
    portion: Portion

    def __str__(self) -> str:
        return f"{self.of}/~{self.portion}"


def parse(text: str) -> WorkId | ExpressionId | ProvisionId:
    """Read an identifier; ``str`` of the result is its canonical form.

    Raises:
        IdentifierError: if it is not of the form
            ``/akn/cn/act/TITLE[/zho@DATE or /zho:DATE][/~PORTION]``.
    """
    match = _IRI.fullmatch(text)
    if match is None:
        raise IdentifierError(text, "not an identifier (try /akn/cn/act/中华人民共和国刑法)")
    found: WorkId | ExpressionId = WorkId(_decoded(match["title"], text), match["country"])
    if match["day"]:
        day = _day(match["day"], text)
        found = ExpressionId(found, day, _MOMENTS[match["sign"]], match["language"])
    if match["portion"]:
        return ProvisionId(found, Portion.parse(_decoded(match["portion"], text)))
    return found


def _decoded(part: str, whole: str) -> str:
    try:
        return unquote(part, errors="strict")
    except UnicodeDecodeError as error:
        raise IdentifierError(whole, "its percent-encoding is not UTF-8") from error


def _day(text: str, whole: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise IdentifierError(whole, f"no calendar has the day {text}") from error


def _counted(numeral: str | None, text: str) -> int | None:
    number = parse_numeral(numeral) if numeral else None
    if number == 0:
        raise IdentifierError(text, "paragraphs (款) and items (项) are counted from one")
    return number
