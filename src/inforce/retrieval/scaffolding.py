"""Words that say how a question is asked or a case is told, not what it is about.

They are left out of the keywords: 请完整背诵 and 经审理查明 are in every exercise and in every
judgment, and would otherwise find the articles on procedure that use the same words.
"""

from __future__ import annotations

import re
from functools import cache

from inforce.retrieval.tokens import tokenize

_ASKING = """
条文 内容 原文 全文 全部 完整 具体 准确 详细 直接 请求 背诵 默写 复述 陈述 描述 回忆 写出
给出 提供 作为 专家 法律 法条 规定 适用 有效 施行 正在 当时 时间 背景 问题 选项 答案 指令
回答 下列 以下 哪项 哪一项 说法 表述 正确 错误 关于 属于 情况 情形 有关 其中 进行 认为 案件
事实 用户 提问 首先 然后 对应 依据 法律依据 article law please recite text
"""
_TELLING = """
被告人 被害人 犯罪嫌疑人 公诉机关 公诉人 检察机关 人民检察院 公安机关 公安局 派出所 民警
人民法院 法院 法庭 本院 指控 起诉 公诉 提请 审理 查明 开庭审理 庭审 当庭 过程 出示 举证 质证
宣读 证据 证实 证明 证人证言 证言 供述 如实供述 辨认笔录 笔录 现场 鉴定 意见 上述事实
无异议 足以认定 予以 抓获 归案 案发 犯罪 罪行 刑事责任 追究 依法 应当 判决书 判决 另案处理
时许 分许 人民币
"""
_SENTENCE = re.compile(
    r"判(?:多久|多长时间|几年|多少年|刑|什么罪)|怎么判|坐(?:几年)?牢|定罪|量刑|构成犯罪|什么罪"
)
_ACCUSED = re.compile(r"被告人|犯罪嫌疑人|公诉机关")


@cache
def question_words() -> frozenset[str]:
    """Words of the question_words, with their parts."""
    return frozenset((*_ASKING.split(), *tokenize(_ASKING)))


@cache
def narrative_words() -> frozenset[str]:
    """Words with which police, prosecutors and courts tell any case, with their parts."""
    return frozenset((*_TELLING.split(), *tokenize(_TELLING)))


def describes_a_crime(text: str, *, dated: bool) -> bool:
    """Whether a text tells the facts of a criminal case: what an accused did, and when.

    A question about an accused without any date asks about a rule (of procedure, mostly).
    """
    return dated and _ACCUSED.search(text) is not None


def asks_for_a_sentence(text: str) -> bool:
    """Whether a question is how somebody is sentenced, or for what crime.

    >>> asks_for_a_sentence("醉驾判多久")
    True
    """
    return _SENTENCE.search(text) is not None
