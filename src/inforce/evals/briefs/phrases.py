"""The phrases that generated documents are made of: events, forms of citing, words exchanged."""

from __future__ import annotations

WORDS = (
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
"""Those of them whose exchange makes another rule, not merely another word."""
LAWS = (
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
EVENTS = {
    "criminal": ("被告人{name}于{day}实施上述行为", "{day}，被告人{name}作案后被查获"),
    "procedure": ("本院于{day}开庭审理了本案", "{day}，本案公开开庭审理"),
    "other": (
        "{day}，双方签订协议并开始履行",
        "原告{name}与被告于{day}发生纠纷",
        "{day}，{name}的上述行为发生",
    ),
}
NAMES = ["张某", "李某", "王某", "赵某某", "某建筑公司", "甲公司", "陈某甲", "刘某"]
QUOTING = (
    "依照{cited}规定：“{quote}”{tail}",
    "{cited}规定，“{quote}”{tail}",
    "根据{cited}的规定：“{quote}”{tail}",
    "法律规定，“{quote}”（{cited}）{tail}",
    "{cited}明确规定：「{quote}」{tail}",
    "{cited}规定：{quote}",
)
UNMARKED = (
    "依照{cited}的规定，{quote}{tail}",
    "{cited}规定，{quote}{tail}",
    "根据{cited}，{quote}{tail}",
    "{cited}规定：{quote}{tail}",
    "{quote}（{cited}）{tail}",
)
CITING = (
    "依照{cited}的规定处理。",
    "本案应适用{cited}。",
    "根据{cited}之规定，应予支持。",
)
TAILS = ("。据此，其请求应予支持。", "，故应依法处理。", "。本院予以确认。", "。")
