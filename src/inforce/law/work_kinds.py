"""The kind of work a title names: a law, an instrument that amends a law, an interpretation.

Read from the title, and from the text only where titles do not say. A pure function: no corpus is
asked. Ranks follow 立法法 (2023), arts. 98-102: the constitution above laws, laws above
administrative regulations, these above local regulations and rules. Judicial interpretations bind
the courts in applying laws (法释 documents: 最高人民法院关于司法解释工作的规定, art. 5).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from inforce.law.regions import region_of

WorkKind = Literal[
    "constitution",
    "law",
    "decision",
    "regulation",
    "rule",
    "interpretation",
    "reply",
    "local",
    "amendment",
    "crime_names",
    "material",
]
"""``decision``: of the National People's Congress or its Standing Committee, with rules of its own.
``rule``: of a department (部门规章), or a title that does not say who enacted it.
``reply``: a judicial interpretation that answers one question (批复).
``amendment``: an instrument that amends or repeals other works; what it enacts is in these.
``crime_names``: a list of the names of crimes (确定罪名的规定).
``material``: no law: a guide, a technical standard."""

_AMENDING = re.compile(r"^[^《]*修正案$|关于(?:修改|部分修改|修订|废止).*决定$")
_AMENDED = re.compile(
    r"关于(?:修改|部分修改|废止)《?(?P<title>[^《》〈〉]*(?:〈[^〉]*〉[^《》〈〉]*)*)》?"
)
_CRIME_NAMES = re.compile(r"确定罪名|罪名的(?:补充)?规定|适用罪名")
_JUDICIAL = re.compile(r"^(?:最高人民法院|最高人民检察院)|^人民(?:法院|检察院)[^组]")
_REPLY = re.compile(r"批复$|答复$|复函$|的函$|问题的?(?:批复|答复|复函)")
_CONGRESS = re.compile(r"^(?:第.{1,3}届)?全国人民代表大会(?:常务委员会)?关于")
_LAW = re.compile(r"(?:法|法典|通则|总则|组织法|章程)$")
_NO_LAW = re.compile(r"办法$|方法$|说法$")
_LOCAL = re.compile(
    r"^[^关于《]{2,10}自治[县州旗]|^(?:中国（[^）]+）)?[^《]{0,10}(?:自由贸易试验区|示范区|合作区)条例$"
    r"|市人民代表大会常务委员会"
)
_BRACKETS = re.compile(r"（[^（）]*）$|\([^()]*\)$")
_MATERIAL = re.compile(r"攻略|指南$|鉴定标准$|指引$|案例|汇编$|目录$")
_NATIONAL = "中华人民共和国"


@cache
def kind_of(title: str) -> WorkKind:
    """The kind of work a title names.

    >>> kind_of("中华人民共和国刑法修正案（九）"), kind_of("中华人民共和国民法典")
    ('amendment', 'law')
    >>> kind_of("青岛市客运出租汽车管理条例"), kind_of("工伤保险条例")
    ('local', 'regulation')
    """
    name = _BRACKETS.sub("", "".join(title.split()))
    if _CRIME_NAMES.search(name):
        return "crime_names"
    if _AMENDING.search(name):
        return "amendment"
    if name in ("宪法", f"{_NATIONAL}宪法"):
        return "constitution"
    if _JUDICIAL.search(name):
        return "reply" if _REPLY.search(name) else "interpretation"
    if _CONGRESS.search(name):
        return "decision"
    if region_of(name) or _LOCAL.search(name):
        return "local"
    return _enacted(name)


def _enacted(name: str) -> WorkKind:
    if _LAW.search(name) and not _NO_LAW.search(name):
        return "law"
    if _MATERIAL.search(name):
        return "material"
    return "regulation" if "条例" in name or name.startswith("国务院") else "rule"
