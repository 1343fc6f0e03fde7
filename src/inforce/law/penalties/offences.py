"""Offences of 刑法: which one the words of a set of facts point to, and which were created when.

The words are those of indictments. This is a first guess for looking the law up, not a legal
characterisation: what the facts amount to is for whoever reads the law that was found.

>>> likely_offences("被告人甲秘密窃取他人手机一部，价值3000元")
('盗窃',)
>>> article_of("盗窃").short
'264'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache

from inforce.law.data import table
from inforce.law.numerals import ProvisionNumber


@dataclass(frozen=True, slots=True)
class _Offence:
    name: str
    article: ProvisionNumber
    words: re.Pattern[str]


_OFFENCES = tuple(
    _Offence(name, ProvisionNumber.parse(article), re.compile(words, re.DOTALL))
    for line in table("offences").splitlines()
    for name, article, words in [line.split(maxsplit=2)]
)
_GENERAL = {
    "合同诈骗": "诈骗",
    "信用卡诈骗": "诈骗",
    "集资诈骗": "诈骗",
    "贷款诈骗": "诈骗",
    "保险诈骗": "诈骗",
    "挪用公款": "挪用资金",
    "非国家工作人员受贿": "受贿",
    "利用影响力受贿": "受贿",
    "单位行贿": "行贿",
    "销售假冒注册商标的商品": "假冒注册商标",
}
"""The general offence whose name is part of that of a special one."""


def likely_offences(facts: str) -> tuple[str, ...]:
    """Names of offences (without 罪) the words point to; those named most often first."""
    counts = {offence.name: len(offence.words.findall(facts)) for offence in _OFFENCES}
    for special, general in _GENERAL.items():
        if counts[special]:
            counts[general] = 0
    ranked = sorted((name for name in counts if counts[name]), key=lambda name: -counts[name])
    return tuple(ranked)


def article_of(offence: str) -> ProvisionNumber | None:
    """The article of 刑法 (since 1997) that punishes an offence; ``None`` for unknown names."""
    return next(
        (entry.article for entry in _OFFENCES if entry.name == offence.removesuffix("罪")),
        None,
    )


def penal_article(offence: str) -> ProvisionNumber | None:
    """The article that states the ranges of punishment: 受贿 is punished by that on 贪污."""
    article = article_of(offence)
    return ProvisionNumber.article(383) if article == ProvisionNumber.article(386) else article


@dataclass(frozen=True, slots=True)
class NewOffence:
    """A crime that an amendment created, and the articles that punished the conduct before."""

    number: ProvisionNumber
    since: date
    former: tuple[ProvisionNumber, ...]
    source: str


def new_offence(number: ProvisionNumber) -> NewOffence | None:
    """The record of an article of 刑法 that punishes conduct which others punished before.

    Whether the new article governs earlier acts is a comparison of two articles (刑法 art. 12).
    """
    return _new_offences().get(number)


@cache
def _new_offences() -> dict[ProvisionNumber, NewOffence]:
    found: dict[ProvisionNumber, NewOffence] = {}
    for line in table("new_offences").splitlines():
        article, since, former, source = (cell.strip() for cell in line.split("|"))
        number = ProvisionNumber.parse(article)
        numbers = tuple(map(ProvisionNumber.parse, former.split(",")))
        found[number] = NewOffence(number, date.fromisoformat(since), numbers, source)
    return found
