"""The law that came before today's: predecessors, superseded articles, titles no longer in use.

民法典 took the place of nine laws: which of them governed a matter before 2021-01-01 follows from
the book of 民法典 the matter is now in. For other laws the registry says what succeeded what.

>>> predecessors("中华人民共和国民法典", ProvisionNumber.article(188), date(2018, 5, 1))
('中华人民共和国民法总则', '中华人民共和国民法通则')
>>> predecessors("中华人民共和国民法典", ProvisionNumber.article(188), date(2016, 5, 1))
('中华人民共和国民法通则',)
"""

from __future__ import annotations

from datetime import date
from functools import cache

from inforce.law.numerals import ProvisionNumber
from inforce.law.registry import KNOWN_WORKS, STATE, find_work, name_key
from inforce.law.rules import (
    CIVIL_CODE,
    GENERAL_PART,
    GENERAL_PART_COMMENCED,
    GENERAL_PRINCIPLES,
    Reference,
)

_BOOKS = """
1-204     民法总则 民法通则
205-385   物权法 民法通则
386-462   物权法 担保法 民法通则
463-680   合同法 经济合同法 民法通则
681-702   担保法 合同法
703-978   合同法 经济合同法 技术合同法
979-988   民法总则 民法通则
989-1039  侵权责任法 民法总则 民法通则
1040-1092 婚姻法
1093-1118 收养法 婚姻法
1119-1163 继承法
1164-1258 侵权责任法 民法通则
"""
"""Books of 民法典 and what governed their matters before, the foremost law first."""


def predecessors(work: str, number: ProvisionNumber, day: date) -> tuple[str, ...]:
    """Titles of the laws in force on a day whose place a provision took, the foremost first."""
    if work == CIVIL_CODE:
        candidates = next(
            (works for first, last, works in _books() if first <= number.main <= last), ()
        )
    else:
        candidates = tuple(known.title for known in KNOWN_WORKS if work in known.succeeded_by)
    return tuple(title for title in candidates if _in_force(title, day))


_MARRIAGE_II = "最高人民法院关于适用《中华人民共和国婚姻法》若干问题的解释（二）"
_MARITAL_DEBTS = "最高人民法院关于审理涉及夫妻债务纠纷案件适用法律有关问题的解释"
_SUPERSEDED: dict[tuple[str, int], tuple[date, str, int]] = {
    (_MARRIAGE_II, 24): (date(2018, 1, 18), _MARITAL_DEBTS, 3),
    **{
        (GENERAL_PRINCIPLES, older): (GENERAL_PART_COMMENCED, GENERAL_PART, newer)
        for older, newer in ((135, 188), (136, 188), (137, 188), (139, 194), (140, 195), (141, 197))
    },
}
"""Articles that stayed in print while a newer rule on the same took their place: from which day,
and which (法释〔2018〕12号 art. 1; 法释〔2018〕2号 art. 4)."""


def superseding(work: str, number: ProvisionNumber, day: date) -> Reference | None:
    """The rule of a newer law that a provision, not repealed itself, gives way to on a day.

    民法通则 stayed in force beside 民法总则; its periods of limitation did not run any more for
    what began later. The newer rule goes before the older (立法法).

    >>> superseding(GENERAL_PRINCIPLES, ProvisionNumber.article(135), date(2019, 5, 1)).number.short
    '188'
    >>> superseding(GENERAL_PRINCIPLES, ProvisionNumber.article(135), date(2017, 9, 30))
    """
    found = None if number.branch else _SUPERSEDED.get((work, number.main))
    if found is None or day < found[0]:
        return None
    return Reference(found[1], ProvisionNumber.article(found[2]))


def _in_force(title: str, day: date) -> bool:
    known = find_work(title)
    if known is None or known.commenced is None:
        return False
    return known.commenced <= day and (known.ended is None or day < known.ended)


@cache
def _books() -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    rows = (line.split() for line in _BOOKS.strip().splitlines())
    return tuple(
        (int(first), int(last), tuple(f"{STATE}{name}" for name in names))
        for numbers, *names in rows
        for first, last in [numbers.split("-")]
    )


_TITLES = """
外资企业法 中外合资经营企业法 中外合作经营企业法 外商投资企业和外国企业所得税法
外国企业所得税法 中外合资经营企业所得税法 经济合同法 涉外经济合同法 技术合同法 民法通则
民法总则 婚姻法 继承法 收养法 担保法 合同法 物权法 侵权责任法 食品卫生法 食品卫生法（试行）
城市规划法 行政监察法 治安管理处罚条例 逮捕拘留条例 律师暂行条例 农业税条例 公民出境入境管理法
外国人入境出境管理法 海洋环境保护法（试行） 环境保护法（试行） 民事诉讼法（试行）
森林法（试行） 企业破产法（试行） 全民所有制工业企业法 村民委员会组织法（试行）
环境噪声污染防治法 现役军官法 预备役军官法 现役军官服役条例 惩治军人违反职责罪暂行条例
惩治反革命条例 惩治贪污条例 土地改革法 人民法院暂行组织条例 户口登记条例 学位条例
中国人民解放军军官军衔条例 中国人民解放军现役军官服役条例 国家建设征用土地条例 商标注册条例
固定资产投资方向调节税暂行条例 进出口商品检验条例 乡镇企业法
"""
"""Statutes no longer in force under that name, as far as they are certain, of which nothing but the
title is recorded (those with more are in `data/statutes.txt`)."""


def is_former_statute(title: str) -> bool:
    """Whether a title was that of a statute: citing it is not citing a law that never was."""
    return name_key(title) in _former_statutes()


@cache
def _former_statutes() -> frozenset[str]:
    return frozenset(map(name_key, _TITLES.split()))
