"""Numerical features of the facts of a case, for the predictor of terms.

Sums, weights of drugs, alcohol, injuries, numbers of things, ages and days are extracted by rule,
as are the circumstances of the Supreme People's Court's guideline and the term the prosecution
proposes. They are not attributed to persons. The court's own term is not among them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import log10, prod

from inforce.errors import IdentifierError
from inforce.law.numerals import parse_numeral
from inforce.law.penalties.amounts import find_drugs, find_money, read_facts
from inforce.law.penalties.sentencing import find_factors

_HAN = "〇零一二两三四五六七八九十百"
# Never inside a longer number, so that a run of figures is scanned only once.
_N = rf"(?:(?<![\d.])\d{{1,6}}(?:\.\d{{1,4}})?|(?<![{_HAN}])[{_HAN}]{{1,5}})"
_TERM = re.compile(rf"({_N})年(?:({_N})个?月)?|({_N})个月")
_PROPOSAL = re.compile(r"(?:建议|提请)[^。；]{0,60}")
_LONGEST_TERM = 25 * 12
"""Months; a longer "term" is a year of the calendar."""

_GRAMS = re.compile(rf"({_N})余?多?(千克|公斤|克)")
_ALCOHOL = re.compile(r"(?<![\d.])(\d{2,3}(?:\.\d{1,4})?)\s?(?:mg|毫克|㎎)", re.IGNORECASE)
_STIMULANTS = frozenset({"甲基苯丙胺", "海洛因", "可卡因", "MDMA"})
"""Drugs with about the same thresholds (刑法 art. 347 and 法释〔2016〕8号 art. 1)."""

_DAY = re.compile(r"(?<!\d)((?:19|20)\d{2})年(\d{1,2})月\d{1,2}日(?!出?生)")
_BORN = re.compile(r"(?<!\d)((?:19|20)\d{2})年(\d{1,2})月\d{1,2}日出?生")
_AGE = re.compile(rf"({_N})周?岁")
_OLDEST = 100

_CONVICTED_BEFORE = re.compile(
    r"(?:因|犯)[^。；]{0,40}(?:判处|被判|判刑|劳动教养|行政拘留|行政处罚|刑满释放)"
    r"|前科|刑满释放|劣迹"
)
_THINGS = {
    "times": "次|起|宗",
    "people": "人|名",
    "objects": "部|台|辆|张|本|枚|份|条",
    "pieces": "个|册",
    "plants and animals": "株|棵|只|头",
    "packages": "粒|盒|瓶|颗|片|包|袋|箱",
    "measured": "立方米|亩|公顷|平方米",
    "weighed": "吨|公斤|千克|斤",
    "years of age": "岁",
}
_COUNTED = {
    name: re.compile(rf"({_N})余?多?万?(?:余|多)?(?:{units})") for name, units in _THINGS.items()
}
_INJURIES = ("轻微伤", "轻伤二级", "轻伤一级", "轻伤", "重伤二级", "重伤一级", "重伤", "死亡")
_WORDS = re.findall(
    r"\S+",
    """
    多次 团伙 纠集 伙同 聚众 持 刀 枪 在逃 另案处理 已判刑 从犯 主犯 未遂 入户 夜 公共场所 抢 麻醉
    幼女 十四周岁 未成年 被害人 被害人过错 民间矛盾 邻里 琐事 家属
    退 赔 谅解 赃物 发还 追回 自首 投案 电话通知 传唤 抓获 坦白 如实供述 认罪 立功
    累犯 再犯 曾因 前科 刑满释放 缓刑 假释 数罪 二罪 两罪 拘役 罚金 取保候审 逮捕 刑事拘留
    数额较大 数额巨大 数额特别巨大 情节严重 情节特别严重 情节较轻
    逃逸 全部责任 主要责任 同等责任 无证 醉酒 网 微信 公司 单位 国家工作人员 职务
    冰毒 海洛因 氯胺酮 大麻 麻古 甲基苯丙胺 K粉 贩卖 容留 吸食 一级 二级 特情 卧底
    民警 公安机关 经审理查明 公诉机关指控 被告人 ×
    """,
)


def features(fact: str) -> Mapping[str, float]:
    """Return the features of a case by name; the names are the same for every case.

    >>> found = features("共窃得3000元，2015年4月1日投案，建议判处××至一年。")
    >>> found["proposed at most"], found["days"], found["投案"], found["grams"]
    (12.0, 1, 1, 0.0)
    """
    return {
        "characters": len(fact),
        **_sums(fact),
        **_weights(fact),
        **_proposed(fact),
        **_times(fact),
        **_circumstances(fact),
        **_counts(fact),
        **{word: fact.count(word) for word in (*_INJURIES, *_WORDS)},
    }


def _sums(fact: str) -> dict[str, float]:
    money = [float(one.low) for one in find_money(fact)]
    sum_that_counts = read_facts(fact).money
    return {
        "largest sum": _log(max(money, default=0.0)),
        "all sums": _log(sum(money)),
        "sums": len(money),
        "sum that counts": _log(float(sum_that_counts.low)) if sum_that_counts else -1.0,
    }


def _weights(fact: str) -> dict[str, float]:
    """Return weights of drugs in hundredths of a gram, since most cases are about less than one."""
    named = find_drugs(fact)
    stimulants = float(sum(one.grams for one in named if one.drug in _STIMULANTS))
    others = float(sum(one.grams for one in named)) - stimulants
    grams = [
        _number(number) * (1.0 if unit == "克" else 1000.0) for number, unit in _GRAMS.findall(fact)
    ]
    return {
        "stimulants": _log(100 * stimulants),
        "other drugs": _log(100 * max(others, 0.0)),
        "most grams": _log(100 * max(grams, default=0.0)),
        "grams": _log(100 * sum(grams)),
        "weights": len(grams),
        "alcohol": max(map(float, _ALCOHOL.findall(fact)), default=0.0),
    }


def _proposed(fact: str) -> dict[str, float]:
    """Return the term the prosecution proposes, in months; 0 where it proposes none."""
    terms: list[float] = []
    for proposal in _PROPOSAL.findall(fact):
        terms = [one for one in _terms(proposal) if 0 < one <= _LONGEST_TERM] or terms
    return {
        "proposed at least": min(terms, default=0.0),
        "proposed at most": max(terms, default=0.0),
    }


def _terms(text: str) -> list[float]:
    return [
        _number(only_months) if only_months else 12 * _number(years) + _number(months)
        for years, months, only_months in _TERM.findall(text)
    ]


def _times(fact: str) -> dict[str, float]:
    """Return the first and last day, in years, and the youngest age, of victim or offender."""
    days, births = (
        [int(year) + int(month) / 12 for year, month in pattern.findall(fact)]
        for pattern in (_DAY, _BORN)
    )
    first, last = min(days, default=0.0), max(days, default=0.0)
    ages = [
        *map(_number, _AGE.findall(fact)),
        *(first - birth for birth in births),
    ]
    return {
        "first day": first,
        "last day": last,
        "between": last - first,
        "days": len(days),
        "youngest": min((one for one in ages if 0 < one < _OLDEST), default=-1.0),
        "convicted before": len(_CONVICTED_BEFORE.findall(fact)),
    }


def _circumstances(fact: str) -> dict[str, float]:
    """Return the number of the guideline's circumstances, and their shares added and multiplied."""
    shares = [one.share for one in find_factors(fact)]
    return {
        "circumstances": len(shares),
        "shares added": sum(shares),
        "shares multiplied": prod(1 + one for one in shares),
    }


def _counts(fact: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, pattern in _COUNTED.items():
        numbers = [_number(one) for one in pattern.findall(fact)]
        found[f"most {name}"] = _log(max(numbers, default=0.0))
        found[f"all {name}"] = _log(sum(numbers))
        found[f"how often {name}"] = len(numbers)
    return found


def _log(amount: float) -> float:
    return log10(1 + amount)


def _number(text: str) -> float:
    """Parse a number in digits or in words; 0 if it is none (百 in a name)."""
    try:
        return float(text) if text[:1].isdigit() else float(parse_numeral(text)) if text else 0.0
    except IdentifierError:
        return 0.0


def rows(facts: Sequence[str]) -> list[list[float]]:
    """Return the features of cases, one row for each."""
    return [list(features(one).values()) for one in facts]
