"""Which offence the words of a set of facts point to: a first guess, for looking the law up.

The words are those of indictments. This is a way into the sources, not a legal characterisation:
what the facts amount to is for whoever reads the law that was found.

>>> likely_offences("被告人甲秘密窃取他人手机一部，价值3000元")
('盗窃',)
>>> article_of("盗窃").short
'264'
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from inforce.law.data import table
from inforce.law.numerals import ProvisionNumber


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    article: ProvisionNumber
    words: re.Pattern[str]


def _read(line: str) -> _Entry:
    name, article, words = line.split(maxsplit=2)
    return _Entry(name, ProvisionNumber.parse(article), re.compile(words, re.DOTALL))


_ENTRIES = tuple(map(_read, table("offences").splitlines()))
_SHORTER = {
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


def likely_offences(facts: str) -> tuple[str, ...]:
    """Names of offences (without 罪) the words point to; those named most often first."""
    counts = {one.name: len(one.words.findall(facts)) for one in _ENTRIES}
    for special, general in _SHORTER.items():
        if counts[special]:
            counts[general] = 0
    ranked = sorted((one for one in counts if counts[one]), key=lambda one: -counts[one])
    return tuple(ranked)


def article_of(offence: str) -> ProvisionNumber | None:
    """The article of 刑法 (since 1997) that punishes an offence; ``None`` for unknown names."""
    return next((one.article for one in _ENTRIES if one.name == offence.removesuffix("罪")), None)


def penal_article(offence: str) -> ProvisionNumber | None:
    """The article that states the ranges of punishment: 受贿 is punished by that on 贪污."""
    article = article_of(offence)
    return ProvisionNumber.article(383) if article == ProvisionNumber.article(386) else article
