"""The law that came before today's: predecessors, superseded articles, titles no longer in use.

民法典 took the place of nine laws: which of them governed a matter before 2021-01-01 follows from
the book of 民法典 the matter is now in. For other laws the registry says what succeeded what.
What stated a single rule before is in `data/civil_code.txt` and `data/former_rules.txt`.

>>> predecessors("中华人民共和国民法典", ProvisionNumber.article(188), date(2018, 5, 1))
('中华人民共和国民法总则', '中华人民共和国民法通则')
>>> predecessors("中华人民共和国民法典", ProvisionNumber.article(188), date(2016, 5, 1))
('中华人民共和国民法通则',)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from inforce.law.alignment import Link, similarity
from inforce.law.data import table
from inforce.law.model import Provision
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
1-142     民法总则 民法通则
143-175   民法总则 合同法 民法通则
176-204   民法总则 民法通则
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


@dataclass(frozen=True, slots=True)
class FormerRule:
    """What stated a rule before the provision that states it now."""

    work: str
    numbers: tuple[ProvisionNumber, ...] = ()
    """None where no text of it is at hand."""
    since: date | None = None
    """Its first day, where the registry does not know it."""

    def in_force(self, day: date) -> bool:
        """Whether its law was in force on a day."""
        return self.since <= day if self.since else _in_force(self.work, day)


def former_rules(work: str, number: ProvisionNumber) -> tuple[FormerRule, ...] | None:
    """What is recorded to have stated a rule before a provision, the foremost first.

    Empty where the rule is recorded to be new, ``None`` where nothing is recorded.

    >>> [found] = former_rules("中华人民共和国个人信息保护法", ProvisionNumber.article(66))
    >>> found.work, [one.short for one in found.numbers], found.in_force(date(2021, 10, 1))
    ('中华人民共和国网络安全法', ['64'], True)
    >>> former_rules("中华人民共和国民法典", ProvisionNumber.article(366))  # right of habitation
    ()
    """
    return _former_rules().get((work, number))


def later_rules(work: str, number: ProvisionNumber) -> tuple[Reference, ...]:
    """The provisions of 民法典 recorded to state a rule of a law whose place it took.

    >>> [one.number.short for one in later_rules(f"{STATE}合同法", ProvisionNumber.article(54))]
    ['147', '148', '150', '151']
    """
    return tuple(Reference(CIVIL_CODE, later) for later in _later_rules().get((work, number), ()))


def recorded_successors(work: str, old: Provision, text: Iterable[Provision]) -> tuple[Link, ...]:
    """The provisions of a text that are recorded to state the rule of a former law now."""
    later = {reference.number for reference in later_rules(work, old.number)}
    found = [provision for provision in text if provision.number in later]
    kind = "split" if len(found) > 1 else "amended"
    return tuple(
        Link(old.number, one.number, similarity(old.text, one.text), kind) for one in found
    )


@cache
def _later_rules() -> Mapping[tuple[str, ProvisionNumber], Sequence[ProvisionNumber]]:
    found: dict[tuple[str, ProvisionNumber], list[ProvisionNumber]] = {}
    for (code, later), rules in sorted(_former_rules().items()):
        for rule in rules if code == CIVIL_CODE else ():
            for number in rule.numbers:
                found.setdefault((rule.work, number), []).append(later)
    return found


@cache
def _former_rules() -> Mapping[tuple[str, ProvisionNumber], tuple[FormerRule, ...]]:
    found: dict[tuple[str, ProvisionNumber], tuple[FormerRule, ...]] = {}
    for later, run, rules in (*_of_single_laws(), *_of_the_civil_code()):
        for number in _numbers(run):
            found[later, number] = (*found.get((later, number), ()), *rules)
    return found


def _of_single_laws() -> Iterator[tuple[str, str, tuple[FormerRule, ...]]]:
    for line in filter(None, table("former_rules").split("\n")):
        later, run, work, numbers, since, _ = (cell.strip() for cell in line.split("|"))
        first_day = date.fromisoformat(since) if since else None
        yield later, run, (FormerRule(work, tuple(_numbers(numbers)), first_day),)


def _of_the_civil_code() -> Iterator[tuple[str, str, tuple[FormerRule, ...]]]:
    for line in filter(None, table("civil_code").split("\n")):
        run, former = (cell.strip() for cell in line.split("|"))
        named = (one.split(maxsplit=1) for one in former.split(";") if former != "new")
        yield (
            CIVIL_CODE,
            run,
            tuple(FormerRule(f"{STATE}{name}", tuple(_numbers(run))) for name, run in named),
        )


def _numbers(cell: str) -> Iterator[ProvisionNumber]:
    """The articles of ``8-12`` (a run), ``133-1`` (a branch of 133) and ``6, 13``."""
    for one in filter(None, map(str.strip, cell.split(","))):
        first, dash, last = one.partition("-")
        if dash and int(last) > int(first):
            yield from map(ProvisionNumber.article, range(int(first), int(last) + 1))
        else:
            yield ProvisionNumber.parse(one)


_MARRIAGE_II = "最高人民法院关于适用《中华人民共和国婚姻法》若干问题的解释（二）"
_MARITAL_DEBTS = "最高人民法院关于审理涉及夫妻债务纠纷案件适用法律有关问题的解释"
_SUPERSEDED: dict[tuple[str, int], tuple[date, str, int]] = {
    (_MARRIAGE_II, 24): (date(2018, 1, 18), _MARITAL_DEBTS, 3),
    (f"{STATE}劳动法", 82): (date(2008, 5, 1), f"{STATE}劳动争议调解仲裁法", 27),
    **{
        (GENERAL_PRINCIPLES, older): (GENERAL_PART_COMMENCED, GENERAL_PART, newer)
        for older, newer in ((135, 188), (136, 188), (137, 188), (139, 194), (140, 195), (141, 197))
    },
}
"""Articles that stayed in print while a newer rule on the same took their place: from which day,
and which (法释〔2018〕12号 art. 1; 法释〔2018〕2号 art. 4; 劳动争议调解仲裁法 arts. 27, 54)."""


def superseding(
    work: str, number: ProvisionNumber, day: date, *, tried: date | None = None
) -> Reference | None:
    """The rule of a newer law that a provision, not repealed itself, gives way to on a day.

    民法通则 stayed in force beside 民法总则; its periods of limitation did not run any more for
    what began later. The newer rule goes before the older (立法法). An interpretation goes before
    an older one in all that is tried after its first day, whenever the facts were.

    Args:
        work: the law of the provision.
        number: its number.
        day: the first day of the facts.
        tried: the day of the suit or the trial, where it is known.

    >>> superseding(GENERAL_PRINCIPLES, ProvisionNumber.article(135), date(2019, 5, 1)).number.short
    '188'
    >>> superseding(GENERAL_PRINCIPLES, ProvisionNumber.article(135), date(2017, 9, 30))
    """
    found = None if number.branch else _SUPERSEDED.get((work, number.main))
    if found is None:
        return None
    if tried and found[1].startswith("最高人民"):
        day = max(day, tried)
    if day < found[0]:
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
