"""Removes from a question what is not its subject, and recognises some kinds of questions.

Instructions (请根据相关法律回答), names (张某) and sums of money (五万元) are in questions on
anything, and the words of narration (经审理查明) in every judgment. Statutes that use the same
words by chance must not be found for them.
"""

from __future__ import annotations

import re
from functools import cache

from inforce.law.regions import region_pattern
from inforce.retrieval.tokens import tokenize

_BEFORE_THE_QUESTION = re.compile(r"^.{0,400}?(?:用户提问|问题描述|提问内容)\s*[:：]", re.DOTALL)
_LABEL = re.compile(
    r"^\s*(?:场景|案例|情景|情形|问题|提问|咨询|指令|案件事实|题目|question|query)\s*[:：]",
    re.IGNORECASE,
)
_LAW = (
    r"(?:法律法规|法律条款|法律条文|法律规定|法律依据|法规条文|法律|法规|法条|条款|规定|条例|政策)"
)
_INSTRUCTION = re.compile(
    r"请?(?:根据|依据|按照|依照|参照)(?:我国|中国|现行|有效|相关|有关|以下|下列|哪一?|哪些|什么|何种|这个"
    rf"|具体|的)*一?[条个部项种款]?{_LAW}(?:的?{_LAW})?"
    r"|请?(?:首先|然后|详细|完整)*(?:给出|写出|列出)(?:回答|答案|对应的?法律依据|法律依据)"
    r"|请(?:详细|完整)?回答(?:下列|以下)?问题|法律依据是(?:什么|哪[条个])|有(?:什么|哪些|何)法律(?:依据|规定)"
    r"|(?:我|应)?(?:该|应当?|要)?怎么办呢?|(?:我|应)?该(?:如何|怎么)(?:处理|维权|做|办)"
    r"|(?:会|要|该|应当?)?(?:被?判(?:多久|多长时间|几年|多少年|什么刑|刑?吗)|(?:怎么|如何)(?:判|定罪|量刑))"
    r"|多久|多长时间|谢谢|麻烦|[您你]好|求助|求解答?|(?<!急)急+(?=[，。！!,])|(?<![想请])[想请]*(?:咨询|问)一?下|请问|想问|律师"
    r"(?=[，,。：:\s您你])"
)
_SURNAMES = (
    "赵钱孙李周吴郑王冯陈卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜谢邹苏潘葛范彭鲁韦马苗方俞任袁柳唐罗薛雷贺倪汤"
    "殷毕郝安常于傅皮齐康伍余顾孟黄穆萧尹姚邵汪祁毛狄贝明成戴宋庞熊纪舒屈项祝董梁杜阮蓝闵季贾路娄江童颜郭梅盛林"
    "钟徐邱骆高夏蔡田樊胡凌霍虞万柯管卢莫房解应丁邓洪包左石崔吉龚程邢裴陆荣翁荀甄曲封靳焦巴侯班宁仇甘武符刘景"
    "詹龙叶黎白蒲赖卓池乔闻翟谭劳申冉桂牛边燕尚温庄晏柴瞿阎连习容向古易廖耿寇广欧聂晁敖冷辛简饶曾沙关相查荆游权"
    "盖益桓"
)
_NAME = re.compile(
    rf"[{_SURNAMES}]某[某甲乙丙丁]?|某[甲乙丙丁]|[{_SURNAMES}](?:先生|女士|小姐|大爷|大妈|阿姨|老太|老汉|师傅)"
    r"|[小老][明红刚丽强张李王赵刘陈杨黄周吴徐孙朱胡郭何罗郑梁谢宋唐许邓冯韩曹彭蔡潘董袁叶蒋杜苏魏程吕沈姚芳玲]"
    r"|张三|李四|王五|赵六|[甲乙丙丁戊](?![类级等种醛肝])|(?<![A-Za-z])[A-Z](?![A-Za-z0-9])|×+|某某"
)
_FIGURES = "0-9０-９〇零一二两三四五六七八九十百千万亿,.，．"
# Never begun inside a run of figures: a hundred thousand of them are one look each.
_MONEY = re.compile(
    rf"(?:人民币)?(?<![{_FIGURES}])[{_FIGURES}]+[多余来几]?[万千百亿]?"
    r"(?:元(?!素)|块(?:钱|(?=[，。、？！\s]|$))|圆整?|美元|港币)|(?<![0-9])[0-9]+(?:\.[0-9]+)?[多余]?万元?"
)


_COUNTRIES = (
    "美国|英国|德国|法国|日本|韩国|朝鲜|俄罗斯|俄国|加拿大|澳大利亚|新西兰|新加坡|马来西亚|泰国|越南|印度|印尼|"
    "菲律宾|意大利|西班牙|葡萄牙|荷兰|比利时|瑞士|瑞典|挪威|芬兰|丹麦|波兰|乌克兰|土耳其|巴西|墨西哥|阿根廷|南非|"
    "埃及|以色列|沙特|欧盟|欧洲|加州|纽约州|德州|佛罗里达"
)
_FOREIGN = re.compile(
    rf"(?<![去到往赴飞从])(?:{_COUNTRIES})(?!人|籍|公民|国民|国籍|护照|车|货|进口|产|制造|公司|企业|客户|老板|留学|签证)"
)
_FOREIGN_ENGLISH = re.compile(
    r"\b(?:united states|u\.?s\.?a?|america|american|california|texas|new york|florida|england|uk"
    r"|united kingdom|british|germany|german|france|french|japan|japanese|korea|canada|canadian"
    r"|australia|india|singapore|european union|eu|(?:first|second|fourth|fifth|sixth|eighth"
    r"|fourteenth) amendment)\b"
    r"(?!\s(?:friend|citizen|national|passport|husband|wife|compan|employee|colleague|teacher|client"
    r"|customer|boss|man|woman|tourist|student|investor|buyer|supplier|partner|business|firm|car))",
    re.IGNORECASE,
)
_CHINA = re.compile(
    r"中国|我国|国内|境内|涉外|外商|外国|回国|华侨"
    r"|\b(?:china|chinese|prc|rmb|yuan|beijing|shanghai|guangzhou|shenzhen|tianjin|chongqing|wuhan"
    r"|chengdu|hangzhou|nanjing|suzhou|qingdao|dalian|harbin|kunming|xiamen|xi'an)\b",
    re.IGNORECASE,
)

_INSTRUCTION_WORDS = """
条文 内容 原文 全文 全部 完整 具体 准确 详细 直接 请求 背诵 默写 复述 陈述 描述 回忆 写出
给出 提供 作为 专家 法律 法条 规定 适用 有效 施行 正在 当时 时间 背景 问题 选项 答案 指令
回答 下列 以下 哪项 哪一项 说法 表述 正确 错误 关于 属于 情况 情形 有关 其中 进行 认为 案件
事实 用户 提问 首先 然后 对应 依据 法律依据 article law please recite text
"""
_NARRATIVE_WORDS = """
被告人 被害人 犯罪嫌疑人 公诉机关 公诉人 检察机关 人民检察院 公安机关 公安局 派出所 民警
人民法院 法院 法庭 本院 指控 起诉 公诉 提请 审理 查明 开庭审理 庭审 当庭 过程 出示 举证 质证
宣读 证据 证实 证明 证人证言 证言 供述 如实供述 辨认笔录 笔录 现场 鉴定 意见 上述事实
无异议 足以认定 予以 抓获 归案 案发 犯罪 罪行 刑事责任 追究 依法 应当 判决书 判决 另案处理
时许 分许 人民币
"""

_ASKS_SENTENCE = re.compile(
    r"判(?:多久|多长时间|几年|多少年|刑|什么罪)|怎么判|坐(?:几年)?牢|定罪|量刑|构成犯罪|什么罪"
)
_ACCUSED = re.compile(r"被告人|犯罪嫌疑人|公诉机关")


def clean_question(text: str) -> str:
    """Return a question with instructions, names, places and sums of money blanked out.

    >>> clean_question("场景:小明在青岛借给张某五万元。根据哪条法律，张某要付利息？").split()
    ['在', '借给', '。', '，', '要付利息？']
    """
    text = _LABEL.sub(" ", _BEFORE_THE_QUESTION.sub(" ", text))
    for pattern in (_INSTRUCTION, _MONEY, _NAME, region_pattern()):
        text = pattern.sub(" ", text)
    return text


def asks_foreign_law(text: str) -> bool:
    """Return whether a question is about the law of another country, which no corpus holds.

    It is not where China is named as well, or the country is only that of a person or a thing, or
    where somebody travels.

    >>> asks_foreign_law("德国刑法中正当防卫的限度"), asks_foreign_law("丈夫是日本人，怎么离婚")
    (True, False)
    >>> asks_foreign_law("公司送我去德国培训，签了五年服务期")
    False
    """
    if _CHINA.search(text):
        return False
    return bool(_FOREIGN.search(text) or _FOREIGN_ENGLISH.search(text))


@cache
def instruction_words() -> frozenset[str]:
    """Return the words with which people ask, and their parts; no keywords of any question."""
    return frozenset((*_INSTRUCTION_WORDS.split(), *tokenize(_INSTRUCTION_WORDS)))


@cache
def narrative_words() -> frozenset[str]:
    """Return the words with which police and courts narrate any case, and their parts."""
    return frozenset((*_NARRATIVE_WORDS.split(), *tokenize(_NARRATIVE_WORDS)))


def describes_a_crime(text: str, *, dated: bool) -> bool:
    """Return whether a text narrates a criminal case: an accused, and a date.

    A question about an accused without any date asks about a rule, mostly of procedure.
    """
    return dated and _ACCUSED.search(text) is not None


def asks_for_a_sentence(text: str) -> bool:
    """Return whether a question asks for a sentence or for the name of a crime.

    >>> asks_for_a_sentence("醉驾判多久")
    True
    """
    return _ASKS_SENTENCE.search(text) is not None
