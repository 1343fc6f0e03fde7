"""The Supreme People's Court's method of sentencing: baseline, then the circumstances of the case.

A court takes a starting point within the statutory range, raises it to the baseline by what the
offence adds, and adjusts the baseline by the circumstances found: those that concern the offender's
capacity or part in the crime are multiplied first, all others are added and subtracted
(关于常见犯罪的量刑指导意见, 法发〔2021〕21号, part 二 and 三, in force since 2021-07-01).

>>> found = find_factors("被告人系累犯，归案后如实供述，认罪认罚。")
>>> [(one.name, one.share) for one in found]
[('累犯', 0.25), ('坦白', -0.1), ('认罪认罚', -0.15)]
>>> adjusted(24, found)
24
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SentencingFactor:
    """A circumstance that changes a sentence, and by which share of the baseline."""

    name: str
    share: float
    """Signed share of the baseline: the middle of what the guideline allows (-0.2 is 20 % less)."""
    bounds: tuple[float, float]
    """The smallest and the largest change the guideline allows."""
    first: bool = False
    """Multiplied before the others: it concerns capacity, part in the crime or its completion."""


@dataclass(frozen=True, slots=True)
class _Circumstance:
    factor: SentencingFactor
    words: re.Pattern[str]


def _factor(
    name: str, low: float, high: float, words: str, *, first: bool = False
) -> _Circumstance:
    middle = round((low + high) / 2, 3)
    factor = SentencingFactor(name, middle, (low, high), first)
    return _Circumstance(factor, re.compile(words))


_CIRCUMSTANCES = (
    _factor(
        "未成年人犯罪",
        -0.6,
        -0.1,
        "未成年被告人|犯罪时(?:未满|不满)十八周岁|(?:被告人|嫌疑人|其|均)[^。；，]{0,10}系未成年人",
        first=True,
    ),
    _factor(
        "已满七十五周岁",
        -0.5,
        0.0,
        "(?:被告人|嫌疑人|其)[^。；，]{0,10}(?:已满|年满)七十五周岁",
        first=True,
    ),
    _factor("又聋又哑或盲人", -0.5, 0.0, "又聋又哑|系盲人", first=True),
    _factor(
        "限制刑事责任能力",
        -0.4,
        -0.1,
        "限制(?:刑事)?责任能力|尚未完全丧失辨认",
        first=True,
    ),
    _factor("防卫过当", -0.6, -0.2, "防卫过当", first=True),
    _factor("犯罪预备", -0.6, -0.3, "犯罪预备|系预备犯", first=True),
    _factor("犯罪未遂", -0.5, -0.1, "未遂|未能得逞|未得逞", first=True),
    _factor("犯罪中止", -0.6, -0.3, "犯罪中止|自动放弃犯罪", first=True),
    _factor("从犯", -0.5, -0.2, "从犯|起(?:到)?次要作用|起(?:到)?辅助作用", first=True),
    _factor("胁从犯", -0.6, -0.4, "胁从犯|被胁迫参加", first=True),
    _factor("累犯", 0.1, 0.4, "累犯"),
    _factor("前科", 0.0, 0.1, "有前科|曾因[^。；]{2,40}(?:判处|判刑)"),
    _factor("自首", -0.4, 0.0, "自首|(?:主动|自动|自行)[^。；，]{0,16}投案"),
    _factor("立功", -0.2, 0.0, "立功|检举揭发"),
    _factor("坦白", -0.2, 0.0, "坦白|如实供述"),
    _factor("当庭自愿认罪", -0.1, 0.0, "当庭(?:自愿)?认罪|自愿认罪"),
    _factor("认罪认罚", -0.3, 0.0, "认罪认罚"),
    _factor(
        "退赃退赔",
        -0.3,
        0.0,
        "退赃|退赔|退还(?:全部)?赃款|赃[款物](?:(?![未没无])[^。；，]){0,10}(?:发还|追回)",
    ),
    _factor("赔偿并取得谅解", -0.4, 0.0, "赔偿[^。；]{0,40}谅解|谅解[^。；]{0,20}赔偿"),
    _factor("取得谅解", -0.2, 0.0, "谅解"),
    _factor("赔偿损失", -0.3, 0.0, "赔偿(?:了)?(?:被害人|经济|全部|其)?[^。；，]{0,12}损失"),
    _factor("刑事和解", -0.5, 0.0, "刑事和解|达成和解"),
    _factor(
        "对象为弱势人员", 0.0, 0.2, "(?:被害人|对|向|针对)[^。；]{0,16}(?:残疾人|孕妇|年老体弱)"
    ),
)
"""What the guideline names, with the shares it allows; the words are how judgments say it."""

_INCLUDED = {
    "胁从犯": ("从犯",),
    "自首": ("坦白", "当庭自愿认罪"),
    "坦白": ("当庭自愿认罪",),
    "认罪认罚": ("当庭自愿认罪",),
    "累犯": ("前科",),
    "赔偿并取得谅解": ("取得谅解", "赔偿损失"),
    "刑事和解": ("赔偿并取得谅解", "取得谅解", "赔偿损失"),
}
"""A circumstance is not counted again under a weaker name (part 三: no double counting)."""

_NOT = re.compile(
    "(?:(?:不构成|不属|不具有|不具备|不是|并非|不应认定|不予|不愿|不能|拒不|没有"
    "|未构成|未能|未曾|未获|未取得|未得到|未达成)[^。；，]{0,6}|[未无不])$"
)


def find_factors(facts: str) -> tuple[SentencingFactor, ...]:
    """The circumstances a text states, in the order of the guideline; denied ones are left out."""
    found = [
        circumstance.factor for circumstance in _CIRCUMSTANCES if _stated(circumstance.words, facts)
    ]
    covered = {name for factor in found for name in _INCLUDED.get(factor.name, ())}
    return tuple(factor for factor in found if factor.name not in covered)


def adjusted(baseline: float, factors: Iterable[SentencingFactor]) -> int:
    """The baseline in months, adjusted: first factors multiplied, the others added up.

    Rounded to whole months; never below zero. The statutory range is the caller's to keep.
    """
    rest = 0.0
    months = float(baseline)
    for factor in factors:
        if factor.first:
            months *= 1 + factor.share
        else:
            rest += factor.share
    return max(0, round(months * (1 + rest)))


def _stated(words: re.Pattern[str], facts: str) -> bool:
    """Whether a text states a circumstance at least once without denying it."""
    return any(not _NOT.search(facts[: match.start()]) for match in words.finditer(facts))
