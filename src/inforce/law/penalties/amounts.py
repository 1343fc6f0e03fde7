"""Sums of money and weights of drugs, as facts and statutes write them, and those of one case.

>>> [str(one) for one in find_money("盗窃手机一部，价值2,800余元；贪污三十万元；骗得1.5万")]
['2800..2899.99元', '300000元', '15000元']
>>> find_drugs("贩卖甲基苯丙胺60克")[0].grams
Decimal('60')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from inforce.errors import IdentifierError
from inforce.law.numerals import parse_numeral

_HAN = "〇零一二三四五六七八九十百千两"
_NUMBER = (
    r"(?:\d{1,3}(?:[,，]\d{3}){1,4}(?:\.\d{1,2})?|\d{1,12}(?:\.\d{1,4})?"
    rf"|[{_HAN}]{{1,10}})"
)
_UNITS = {"": 1, "百": 100, "千": 1_000, "万": 10_000, "百万": 10**6, "千万": 10**7, "亿": 10**8}
_NOT_INSIDE = rf"(?<![\d.,〔第{_HAN}])"
# 2万3千元, 一亿二千万元: a second number counts on below the first one's unit.
_TAIL = rf"(?:(?P<tail>{_NUMBER})(?P<tail_unit>万|千|百)?)?"
_MONEY = re.compile(
    rf"(?:RMB|CNY|[¥￥])\s?(?P<priced>{_NUMBER})(?P<priced_unit>万)?(?:元|yuan)?"
    rf"|{_NOT_INSIDE}(?P<number>{_NUMBER})\s?(?P<more>多|余|来)?\s?"
    rf"(?:(?P<unit>百万|千万|百|千|万|亿)(?:{_TAIL}))?(?P<more_after>多|余)?\s?"
    r"(?:元|块钱?|人民币|RMB|yuan)"
    rf"|{_NOT_INSIDE}(?P<bare_number>{_NUMBER})\s?(?P<bare_more>多|余)?(?P<bare_unit>万|亿)"
    r"(?!\s?(?:人|次|户|条|张|件|部|公里|吨|份|名|册|平方|千瓦|辆|只|株|头|粒|支))",
    re.IGNORECASE,
)
_APPROXIMATELY = re.compile("(?:近|将近|不到|接近)$")

DRUGS = (
    *("甲基苯丙胺", "冰毒", "海洛因", "鸦片", "可卡因", "吗啡", "氯胺酮", "K粉", "大麻", "摇头丸"),
    *("麻古", "MDMA", "芬太尼", "甲卡西酮", "美沙酮", "杜冷丁", "哌替啶", "咖啡因"),
)
_SAME_DRUG = {
    "冰毒": "甲基苯丙胺",
    "麻古": "甲基苯丙胺",
    "K粉": "氯胺酮",
    "摇头丸": "MDMA",
    "杜冷丁": "哌替啶",
}
_GRAMS = {
    **{"毫克": Decimal("0.001"), "克": Decimal(1), "g": Decimal(1), "斤": Decimal(500)},
    **{"千克": Decimal(1000), "公斤": Decimal(1000), "kg": Decimal(1000)},
}
_DRUG = "|".join(DRUGS)
_WEIGHT = rf"(?P<number>{_NUMBER})\s?(?P<more>多|余)?\s?(?P<unit>毫克|千克|公斤|克|kg|g|斤)"
_DRUG_FIRST = re.compile(rf"(?P<drug>{_DRUG})[^，。；\d]{{0,8}}?{_WEIGHT}", re.IGNORECASE)
_WEIGHT_FIRST = re.compile(rf"{_WEIGHT}\s?(?:的|左右的?)?(?P<drug>{_DRUG})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Money:
    """A sum in yuan, exact or as a range (2000余元), and where a text has it."""

    low: Decimal
    high: Decimal
    start: int
    end: int

    def __str__(self) -> str:
        exact = f"{_plain(self.low)}元"
        return exact if self.low == self.high else f"{_plain(self.low)}..{_plain(self.high)}元"


@dataclass(frozen=True, slots=True)
class DrugWeight:
    """A weight of a drug."""

    drug: str
    """Its name in statutes: 冰毒 is 甲基苯丙胺."""
    grams: Decimal
    start: int
    end: int


def find_money(text: str) -> tuple[Money, ...]:
    """Every sum of money in a text, in order."""
    found: list[Money] = []
    for match in _MONEY.finditer(text):
        number = match["number"] or match["bare_number"] or match["priced"]
        value = _value(number)
        if value is None:
            continue
        unit = _UNITS[match["unit"] or match["bare_unit"] or match["priced_unit"] or ""]
        tail = _value(match["tail"]) if match["tail"] else None
        low = value * unit + (tail or 0) * _UNITS[match["tail_unit"] or ""]
        more = match["more"] or match["more_after"] or match["bare_more"]
        high = low + _rest(value) * unit - Decimal("0.01") if more else low
        if _APPROXIMATELY.search(text[max(0, match.start() - 2) : match.start()]):
            low, high = low * Decimal("0.9"), low - Decimal("0.01")
        found.append(Money(low, high, *match.span()))
    return tuple(found)


def find_drugs(text: str) -> tuple[DrugWeight, ...]:
    """Every weight of a drug a text names, in order."""
    found: dict[int, DrugWeight] = {}
    for pattern in (_WEIGHT_FIRST, _DRUG_FIRST):
        for match in pattern.finditer(text):
            value = _value(match["number"])
            if value is None or match.start("number") in found:
                continue
            name = next(drug for drug in DRUGS if drug.lower() == match["drug"].lower())
            grams = value * _GRAMS[match["unit"].lower()]
            weight = DrugWeight(_SAME_DRUG.get(name, name), grams, *match.span())
            found[match.start("number")] = weight
    return tuple(found[place] for place in sorted(found))


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What a description of a case states that a penalty can depend on."""

    text: str = ""
    money: Money | None = None
    """The sum that counts; ``None`` where none is stated, or several and no total."""
    several_sums: bool = False
    drugs: tuple[DrugWeight, ...] = ()
    unit: bool = False
    """Whether a unit (单位) is charged."""


_NOT_THE_SUM = re.compile(
    "(?:退|赔|罚|没收|追缴|缴纳|返还|归还|工资|谅解|押金|违法所得|获利|好处费|报酬|保证金)[^，。；]{0,8}$"
)
_A_THRESHOLD = re.compile(
    "元?(?:以上|以下|起(?:步|刑|点)|的?(?:标准|起点|门槛)|才|就(?:是|算|要|得|能|可|[判三五七十]))"
)
_TOTAL = re.compile("(?:共|合|总|累)计?[^，。；]{0,10}$")
_BY_UNIT = re.compile(
    "单位(?:犯|行贿|受贿|集资)|(?:公司|单位|企业)(?:以|为)单位|被告单位|以单位名义"
)


def read_facts(text: str) -> CaseFacts:
    """What a description of a case states: the sum that counts, drugs, and who is charged."""
    found = [(money, text[max(0, money.start - 14) : money.start]) for money in find_money(text)]
    counted = [(money, before) for money, before in found if not _NOT_THE_SUM.search(before)]
    stated = [one for one in counted if not _A_THRESHOLD.match(text, one[0].end)]
    counted = stated or counted
    sums = [money for money, _ in counted]
    totals = [money for money, before in counted if _TOTAL.search(before)]
    alike = len({(money.low, money.high) for money in sums}) == 1
    chosen = totals[-1] if totals else sums[0] if alike else None
    several = len(sums) > 1 and chosen is None
    return CaseFacts(text, chosen, several, find_drugs(text), bool(_BY_UNIT.search(text)))


def _value(number: str) -> Decimal | None:
    plain = number.replace(",", "").replace("，", "")
    if plain[0].isdigit():
        return Decimal(plain)
    try:
        return Decimal(parse_numeral(plain))
    except IdentifierError:
        return None


def _rest(value: Decimal) -> Decimal:
    """What 余 may add: one of the last figure stated (2000余 is below 3000, 3500余 below 3600)."""
    exponent = value.normalize().as_tuple().exponent
    return Decimal(10) ** exponent if isinstance(exponent, int) else Decimal(1)


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"
