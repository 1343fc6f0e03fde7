"""The words of generated documents: events, forms of citations, laws that do not exist."""

from __future__ import annotations

from datetime import date
from random import Random

from inforce.law.numerals import ProvisionNumber, format_numeral
from inforce.law.registry import KNOWN_WORKS, branch_of
from inforce.law.rules import PROCEDURE

CHANGED_WORDS = (
    ("应当", "可以"),
    ("可以", "应当"),
    ("不得", "可以"),
    ("或者", "并且"),
    ("以上", "以下"),
    ("以下", "以上"),
    ("人民法院", "人民检察院"),
    ("故意", "过失"),
    ("三年", "五年"),
    ("五年", "七年"),
    ("十年", "八年"),
    ("一年", "二年"),
    ("十日", "十五日"),
    ("三十日", "六十日"),
    ("有权", "无权"),
    ("处罚", "处分"),
    ("责任", "义务"),
    ("规定", "约定"),
    ("严重", "恶劣"),
    ("当事人", "相对人"),
    ("主管部门", "监督机关"),
    ("依法", "依约"),
    ("国家", "政府"),
    ("单位", "企业"),
)
OTHER_RULE = frozenset(
    ("应当", "可以", "不得", "或者", "以上", "以下", "人民法院", "故意", "有权", "责任")
    + ("三年", "五年", "十年", "一年", "十日", "三十日")
)
"""The words whose exchange makes another rule, not merely another word."""
INVENTED_LAWS = (
    *(
        "网络数据交易保障法",
        "个人破产与债务清偿法",
        "人工智能责任法",
        "平台经济促进与监督法",
        "家事审判程序法",
    ),
    *("商事信用登记法", "数字货币管理法", "住房租赁保障法", "养老服务促进法", "自动驾驶汽车安全法"),
    *("民间借贷管理法", "物业服务合同法", "职业信息保护法", "反职场骚扰法", "电子证据采信法"),
)
_EVENTS = {
    "criminal": ("被告人{name}于{day}实施上述行为", "{day}，被告人{name}作案后被查获"),
    "procedure": ("本院于{day}开庭审理了本案", "{day}，本案公开开庭审理"),
    "other": (
        "{day}，双方签订协议并开始履行",
        "原告{name}与被告于{day}发生纠纷",
        "{day}，{name}的上述行为发生",
    ),
}
_NAMES = ["张某", "李某", "王某", "赵某某", "某建筑公司", "甲公司", "陈某甲", "刘某"]
_QUOTING = (
    "依照{cited}规定：“{quote}”{tail}",
    "{cited}规定，“{quote}”{tail}",
    "根据{cited}的规定：“{quote}”{tail}",
    "法律规定，“{quote}”（{cited}）{tail}",
    "{cited}明确规定：「{quote}」{tail}",
    "{cited}规定：{quote}",
)
_UNMARKED = (
    "依照{cited}的规定，{quote}{tail}",
    "{cited}规定，{quote}{tail}",
    "根据{cited}，{quote}{tail}",
    "{cited}规定：{quote}{tail}",
    "{quote}（{cited}）{tail}",
)
_CITING = (
    "依照{cited}的规定处理。",
    "本案应适用{cited}。",
    "根据{cited}之规定，应予支持。",
)
_TAILS = ("。据此，其请求应予支持。", "，故应依法处理。", "。本院予以确认。", "。")

_SHORT_NAMES = {one.title: one.short_names for one in KNOWN_WORKS}


def citation(title: str, number: ProvisionNumber, chance: Random) -> str:
    """A law and an article in one of the common forms."""
    short = [one for one in _SHORT_NAMES.get(title, ()) if one.isascii() is False][:1]
    name = chance.choice([title, *short])
    digits = f"第{number.main}条" + (f"之{format_numeral(number.branch)}" if number.branch else "")
    return f"《{name}》{digits if chance.random() < 0.2 else number.chinese}"


def written(
    law: str, day: date, cited: str, quote: str, chance: Random, *, marked: bool = True
) -> str:
    """An event with its day, then the citation, the quoted words in quotation marks or not."""
    branch = branch_of(law)
    sort = "procedure" if branch in PROCEDURE else branch
    event = chance.choice(_EVENTS.get(sort, _EVENTS["other"]))
    date_words = f"{day.year}年{day.month}月{day.day}日"
    said = event.format(day=date_words, name=chance.choice(_NAMES))
    if not quote:
        return f"{said}。{chance.choice(_CITING).format(cited=cited)}"
    form, tail = chance.choice(_QUOTING if marked else _UNMARKED), chance.choice(_TAILS)
    cites = form.format(cited=cited, quote=quote, tail=tail)
    return f"{said}。{cites}" if cites.endswith("。") else f"{said}。{cites}。"
