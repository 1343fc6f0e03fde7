"""What of a question is searched: not its instructions, nor names, places and sums of money.

请根据相关法律回答, 用户提问：, 张某 and 五万元 are in questions on anything; statutes that use
the same words by chance must not be found for them.
"""

from __future__ import annotations

import re

from inforce.law.places import places_pattern

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


def asks_foreign_law(text: str) -> bool:
    """Whether a question is about the law of another country, which no corpus of ours holds.

    Not where China is named as well, or the country is that of a person or a thing, or where
    somebody goes.

    >>> asks_foreign_law("德国刑法中正当防卫的限度"), asks_foreign_law("丈夫是日本人，怎么离婚")
    (True, False)
    >>> asks_foreign_law("公司送我去德国培训，签了五年服务期")
    False
    """
    if _CHINA.search(text):
        return False
    return bool(_FOREIGN.search(text) or _FOREIGN_ENGLISH.search(text))


def content(text: str) -> str:
    """The text of a question less what says nothing of its matter, blanked out with spaces.

    >>> content("场景:小明在青岛借给张某五万元。根据哪条法律，张某要付利息？").split()
    ['在', '借给', '。', '，', '要付利息？']
    """
    text = _LABEL.sub(" ", _BEFORE_THE_QUESTION.sub(" ", text))
    for pattern in (_INSTRUCTION, _MONEY, _NAME, places_pattern()):
        text = pattern.sub(" ", text)
    return text
