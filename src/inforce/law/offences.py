"""Which offence the words of a set of facts point to: a first guess, for looking the law up.

The words are those of indictments. This is a way into the sources, not a legal characterisation:
what the facts amount to is for whoever reads the law that was found.

>>> likely_offences("被告人甲秘密窃取他人手机一部，价值3000元")
('盗窃',)
"""

from __future__ import annotations

import re

_WORDS: tuple[tuple[str, str], ...] = (
    ("危险驾驶", "醉酒(?:后)?驾驶|酒后驾驶|血液.{0,12}(?:乙醇|酒精)"),
    ("交通肇事", "交通肇事|道路交通事故.{0,60}(?:主要|全部|同等)责任"),
    ("信用卡诈骗", "信用卡.{0,40}(?:透支|冒用)|恶意透支"),
    ("合同诈骗", "合同诈骗"),
    ("诈骗", "诈骗|骗取|骗得|骗走"),
    ("抢劫", "抢劫|持刀.{0,30}(?:抢|劫)"),
    ("抢夺", "抢夺|夺走|飞车"),
    ("盗窃", "盗窃|窃取|窃得|盗走|盗得|扒窃|偷走"),
    ("敲诈勒索", "敲诈|勒索"),
    ("职务侵占", "职务侵占|职务(?:上的|之)?便利.{0,40}(?:公司|单位).{0,30}(?:占为己有|侵占)"),
    ("挪用公款", "挪用公款"),
    ("挪用资金", "挪用.{0,10}资金"),
    ("贪污", "贪污"),
    ("受贿", "受贿|收受.{0,30}(?:财物|贿赂|现金)"),
    ("行贿", "行贿"),
    ("贩卖毒品", "贩卖.{0,20}(?:毒品|冰毒|海洛因|甲基苯丙胺|麻古)"),
    ("非法持有毒品", "非法持有.{0,20}毒品"),
    ("容留他人吸毒", "容留.{0,20}吸"),
    ("故意杀人", "故意杀人|杀害"),
    ("过失致人死亡", "过失致.{0,6}死亡"),
    ("强奸", "强奸|强行.{0,10}性关系"),
    ("聚众斗殴", "聚众斗殴|约架"),
    ("寻衅滋事", "寻衅滋事|随意殴打"),
    ("故意伤害", "故意伤害|轻伤|重伤"),
    ("非法拘禁", "非法拘禁|限制.{0,6}人身自由"),
    ("妨害公务", "妨害公务|阻碍.{0,20}(?:民警|执法|执行公务)"),
    ("开设赌场", "开设赌场|赌场"),
    ("赌博", "聚众赌博"),
    ("非法侵入住宅", "非法侵入.{0,6}住宅"),
    ("故意毁坏财物", "故意毁坏|毁坏财物"),
    ("放火", "放火"),
    ("失火", "失火|引发.{0,6}火灾"),
    ("盗伐林木", "盗伐"),
    ("滥伐林木", "滥伐|无证采伐"),
    ("非法狩猎", "非法狩猎|禁猎"),
    ("非法捕捞水产品", "非法捕捞|禁渔"),
    ("非法采矿", "非法采矿|无证开采"),
    ("污染环境", "污染环境|排放.{0,20}(?:废水|污染物)"),
)
_PATTERNS = tuple((offence, re.compile(words, re.DOTALL)) for offence, words in _WORDS)
_SHORTER = {"合同诈骗": "诈骗", "信用卡诈骗": "诈骗", "挪用公款": "挪用资金"}


def likely_offences(facts: str) -> tuple[str, ...]:
    """Names of offences (without 罪) the words point to; those named most often first."""
    counts = {offence: len(pattern.findall(facts)) for offence, pattern in _PATTERNS}
    for special, general in _SHORTER.items():
        if counts[special]:
            counts[general] = 0
    ranked = sorted((one for one in counts if counts[one]), key=lambda one: -counts[one])
    return tuple(ranked)
