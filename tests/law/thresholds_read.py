"""The amounts that the sentences of an interpretation state: what the table is compared with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from inforce.errors import IdentifierError
from inforce.law.numerals import parse_numeral
from inforce.law.penalties.amounts import find_money


@dataclass(frozen=True, slots=True)
class ReadThreshold:
    """A threshold as a sentence of an interpretation states it."""

    article: int
    word: str
    low: Decimal
    high: Decimal


def read_thresholds(text: str) -> tuple[ReadThreshold, ...]:
    """The amounts a provision of an interpretation gives for words of 刑法, in its order.

    Read are the sentences that enumerate (…以上、…以上的，应当分别认定为刑法第二百六十四条规定的
    “…”、“…”), that state one (…以上不满…的，应当认定为…规定的“…”) and the first alternatives of
    lists (具有下列情形之一的，应当认定为…规定的“…”：（一）…数额在…以上). What depends on further
    circumstances is left out.
    """
    return tuple(dict.fromkeys(_read(text)))


_AMOUNT = r"[0-9〇零一二三四五六七八九十百千两.]{1,8}(?:百|千|万|百万|千万|亿)?元"
_SPAN = rf"{_AMOUNT}(?:至{_AMOUNT})?以上(?:不满{_AMOUNT})?"
_ARTICLE = (
    "第(?P<article>[一二三四五六七八九十百]+)条(?:之[一二三四五六七八九])?"
    "(?:第[一二三四五六七八九]款)?(?:第[一二三四五六七八九]项)?"
)
_WORD = "[“‘][^”’]{2,16}[”’]"
_STATED = re.compile(
    rf"(?P<spans>{_SPAN}(?:[、，]{_SPAN}){{0,3}})的，(?:应当)?(?:分别)?(?:认定)?(?:为|属于)"
    rf"(?:(?:刑法)?{_ARTICLE}规定的)?(?P<words>{_WORD}(?:、?{_WORD}){{0,3}})"
)
_LISTED = re.compile(
    rf"具有下列情形之一的，应当认定为(?:刑法)?{_ARTICLE}规定的(?P<words>{_WORD})[：:]\s*"
    rf"[（(]一[）)][^；。\n，]{{0,24}}(?:数额在|达到)(?P<spans>{_SPAN})的?[；。]"
)
_CRIME = re.compile(
    rf"数额在(?P<spans>{_SPAN})的，应当依照刑法{_ARTICLE}的?规定(?:以[^，。]{{2,12}}罪)?"
    "(?:追究刑事责任|定罪处罚)"
)
_UNITS = re.compile("^(?:第[一二三四五六七八九十]+条)?\\s*单位")
_DEPENDS = re.compile("具有下列情形|同时具有|具有[^，。]{2,30}情形之一")


def _read(text: str) -> Iterator[ReadThreshold]:
    for paragraph in text.split("\n"):
        if not _UNITS.match(paragraph.strip()):
            yield from _sentences(paragraph)
    for pattern in (_LISTED, _CRIME):
        for match in pattern.finditer(text):
            yield from _matched(match, _number(match["article"]))


def _sentences(paragraph: str) -> Iterator[ReadThreshold]:
    """The enumerating sentences of a paragraph; an article named once holds for what follows."""
    named = next((number for name, number in _BY_NAME.items() if name in paragraph), None)
    for match in _STATED.finditer(paragraph):
        if match["article"]:
            named = _number(match["article"])
        if not _DEPENDS.search(paragraph[max(0, match.start() - 60) : match.start()]):
            yield from _matched(match, named)


_BY_NAME = {"集资诈骗": 192}
"""Offences of which interpretations speak by name where others cite the article."""


def _matched(match: re.Match[str], article: int | None) -> Iterator[ReadThreshold]:
    words = [""]
    if "words" in match.groupdict():
        words = re.findall("[“‘]([^”’]+)[”’]", match["words"])
    spans = re.findall(_SPAN, match["spans"])
    if article is None or len(spans) != len(words):
        return
    for span, word in zip(spans, words, strict=True):
        money = find_money(span.split("不满")[0])
        if money:
            yield ReadThreshold(article, word, money[0].low, money[-1].low)


def _number(chinese: str) -> int | None:
    try:
        return parse_numeral(chinese)
    except IdentifierError:
        return None
