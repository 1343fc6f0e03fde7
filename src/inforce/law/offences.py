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

from inforce.law.numerals import ProvisionNumber

_TABLE = """
危险驾驶           133-1 醉酒(?:后)?驾驶|酒后驾驶|醉驾|危险驾驶|血液.{0,12}(?:乙醇|酒精)
妨害安全驾驶       133-2 妨害安全驾驶|(?:抢夺|抢控).{0,6}方向盘
交通肇事           133   交通肇事|道路交通事故.{0,60}(?:主要|全部|同等)责任
重大责任事故       134   重大责任事故|违章作业
信用卡诈骗         196   信用卡.{0,40}(?:透支|冒用)|恶意透支
合同诈骗           224   合同诈骗
集资诈骗           192   集资诈骗
贷款诈骗           193   贷款诈骗
保险诈骗           198   保险诈骗
诈骗               266   诈骗|骗取|骗得|骗走|骗了
抢劫               263   抢劫|持刀.{0,30}(?:抢|劫)
抢夺               267   抢夺(?!.{0,4}方向盘)|夺走|飞车
盗窃               264   盗窃|窃取|窃得|盗走|盗得|扒窃|偷走|偷了|偷窃
敲诈勒索           274   敲诈|勒索
侵占               270   (?<!职务)侵占罪
职务侵占           271   职务侵占|职务(?:上的|之)?便利.{0,40}(?:公司|单位).{0,30}(?:占为己有|侵占)
挪用公款           384   挪用公款
挪用资金           272   挪用.{0,10}资金
贪污               383   贪污
受贿               386   受贿|收受.{0,30}(?:财物|贿赂|现金)
非国家工作人员受贿 163   非国家工作人员受贿
利用影响力受贿     388-1 利用影响力受贿
行贿               390   行贿
单位行贿           393   单位行贿
巨额财产来源不明   395   巨额财产来源不明
滥用职权           397   滥用职权
玩忽职守           397   玩忽职守
贩卖毒品           347   (?:贩卖|走私|运输|制造).{0,20}(?:毒品|冰毒|海洛因|甲基苯丙胺|麻古)
非法持有毒品       348   非法持有.{0,20}(?:毒品|冰毒|海洛因|甲基苯丙胺)
容留他人吸毒       354   容留.{0,20}吸
故意杀人           232   故意杀人|杀害
过失致人死亡       233   过失致.{0,6}死亡
强奸               236   强奸|强行.{0,10}性关系
强制猥亵、侮辱     237   强制猥亵|猥亵
绑架               239   绑架
拐卖妇女、儿童     240   拐卖
聚众斗殴           292   聚众斗殴|约架
寻衅滋事           293   寻衅滋事|随意殴打
催收非法债务       293-1 催收非法债务
故意伤害           234   故意伤害|轻伤|重伤
虐待               260   虐待罪|虐待家庭成员
遗弃               261   遗弃罪
重婚               258   重婚
非法拘禁           238   非法拘禁|限制.{0,6}人身自由
侵犯公民个人信息   253-1 (?:出售|购买|非法获取|侵犯).{0,8}(?:公民)?个人信息
妨害公务           277   妨害公务|阻碍.{0,20}(?:民警|执法|执行公务)
招摇撞骗           279   招摇撞骗
代替考试           284-1 代替考试|替考|组织考试作弊
帮助信息网络犯罪活动 287-2 帮助信息网络犯罪活动|帮信
高空抛物           291-2 高空抛物罪
开设赌场           303   开设赌场|赌场
赌博               303   聚众赌博|赌博罪
虚假诉讼           307-1 虚假诉讼
掩饰、隐瞒犯罪所得 312   掩饰、?隐瞒|掩隐|销赃|收购赃物
拒不执行判决、裁定 313   拒不执行判决
组织卖淫           358   组织.{0,4}卖淫
引诱、容留、介绍卖淫 359 (?:容留|介绍|引诱).{0,6}卖淫
非法侵入住宅       245   非法侵入.{0,6}住宅
故意毁坏财物       275   故意毁坏|毁坏财物
拒不支付劳动报酬   276-1 拒不支付劳动报酬
放火               114   放火
失火               115   失火|引发.{0,6}火灾
非法持有枪支       128   非法持有.{0,6}枪支
生产、销售假药     141   (?:生产|销售|提供).{0,6}假药
生产、销售有毒、有害食品 144 有毒、?有害食品
走私普通货物、物品 153   走私普通货物
非法吸收公众存款   176   非法吸收公众存款|非吸
逃税               201   逃税罪|逃税|偷税
虚开增值税专用发票 205   虚开.{0,6}发票
假冒注册商标       213   假冒注册商标
销售假冒注册商标的商品 214 销售.{0,4}假冒注册商标
侵犯著作权         217   侵犯著作权罪
组织、领导传销活动 224-1 组织、?领导传销|传销活动
非法经营           225   非法经营
盗伐林木           345   盗伐
滥伐林木           345   滥伐|无证采伐
非法狩猎           341   非法狩猎|禁猎
非法捕捞水产品     340   非法捕捞|禁渔
非法采矿           343   非法采矿|无证开采
污染环境           338   污染环境|排放.{0,20}(?:废水|污染物)
"""
"""An offence, its article of 刑法 since 1997, and the words that point to it."""


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    article: ProvisionNumber
    words: re.Pattern[str]


def _read(line: str) -> _Entry:
    name, article, words = line.split(maxsplit=2)
    return _Entry(name, ProvisionNumber.parse(article), re.compile(words, re.DOTALL))


_ENTRIES = tuple(map(_read, _TABLE.strip().splitlines()))
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
