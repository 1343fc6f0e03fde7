"""Example queries the built-in gate is trained on: patterns people ask by, filled with subjects.

Every pattern asks in a way that is typical of one source, so that the gate learns how a source is
asked and not which crimes exist: all subjects occur under all sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inforce.retrieval.sources.gate import LabelledQuery
from inforce.retrieval.sources.source import SourceName

_SUBJECTS = """
盗窃 诈骗 抢劫 抢夺 故意伤害 故意杀人 交通肇事 危险驾驶 敲诈勒索 寻衅滋事 贩卖毒品 职务侵占
受贿 贪污 挪用公款 非法拘禁 聚众斗殴 强奸 妨害公务 掩饰隐瞒犯罪所得 开设赌场 信用卡诈骗
非法吸收公众存款 虚开发票 正当防卫 缓刑 自首 立功 累犯 共同犯罪 犯罪未遂 减刑 假释 未成年人犯罪
离婚 继承 抚养 彩礼 房屋买卖 房屋租赁 民间借贷 保证 抵押 合同解除 违约责任 定金 侵权 名誉权 隐私
劳动合同 经济补偿 工伤 加班 竞业限制 股权转让 股东知情权 公司解散 破产 商标 专利 著作权 不正当竞争
行政处罚 行政复议 国家赔偿 管辖 证据 诉讼时效 执行 仲裁 保险 医疗损害 产品责任 环境污染 建设工程
"""

_ENGLISH_SUBJECTS = """
theft|fraud|robbery|intentional injury|drunk driving|bribery|embezzlement|self-defence|probation
voluntary surrender|joint crime|lease|sale of goods|loan|guarantee|labour contract|work injury
share transfer|trademark|copyright|limitation of actions|divorce|inheritance|tort liability
"""

_PATTERNS: dict[SourceName, str] = {
    "statute": """
{}的法律规定|刑法关于{}的规定|第一百二十条 {}|{} 法条原文|民法典 {} 条文|{}适用哪一条法律
{}的处罚规定
{}处几年以下有期徒刑|2010年有效的{}条款|规定{}的法律条文是什么|中华人民共和国刑法 {}|{}的法律依据
修正案对{}的修改|法律对{}是怎么规定的|{}的构成和法定刑 条文|{} 第几条第几款|旧法中{}如何规定
{}期限 法律规定
诉讼法中{}的规定|保护期 期限 {}|数额巨大的，处三年以上十年以下有期徒刑，并处罚金 {}|当时施行的{}条文
""",
    "guideline": """
{}的量刑起点|{}罪数额较大的标准 省|{} 基准刑|{}可以减少基准刑的百分比|量刑指导意见 {}|{}调节比例
{}数额巨大起点 多少元|{}的量刑幅度和起点刑|实施细则 {} 量刑|{}从宽幅度 减少基准刑30%以下
{}应当增加多少基准刑|{}情节 量刑调节|省高级人民法院 {} 量刑标准|常见犯罪量刑 {}
{} 轻伤 重伤 起点 个月
{}同时具有多个量刑情节如何计算|退赔 谅解 {} 减少比例|{}刑罚量 每增加一千元 增加一个月
""",
    "precedent": """
{}类似案例|{}典型案例 裁判要旨|法院怎么判的 {}|{} 判决书 本院认为|{}案件 判了几年|{}纠纷一案
有没有{}的判例|{} 指导性案例|{}类案检索|被告人王某{} 判处有期徒刑|原告李某与被告某公司{}纠纷
{}的案子法院如何认定|{}裁判规则|以往{}案 怎么判|{}一审二审判决结果|陈某某{}案 基本案情
法院裁判 {} 理由
""",
    "book": """
什么是{}|{}的概念和特征|{}的理论学说|{}和其他制度的区别|{}的含义是什么|简述{}|{}的构成要件 法理
{}在刑法学上的意义|{}制度的历史沿革|如何理解{}|{}的分类|论{}的性质|{}名词解释|{}通说 学者观点
{}的基本原理|{}原则的内容和意义|请解释{}这一概念|何为{}|{}有哪些特点|{}与相近概念的不同
""",
    "interpretation": """
最高人民法院关于审理{}案件若干问题的规定|{}司法解释|最高人民检察院 {} 批复|两高 {} 解释
关于办理{}刑事案件适用法律若干问题的解释|司法解释对{}的认定|最高法 {} 若干规定|{} 适用解释 第几条
最高人民法院 {} 答复|{}的司法解释规定|两高一部 {} 意见|关于{}具体应用法律的规定|最高法关于{}的通知
最高人民法院关于适用中华人民共和国民法典{}编的解释（一）|最高人民法院 {} 会议纪要 法释
""",
    "document": """
我们的合同里{}怎么约定|我上传的文件中关于{}的条款|附件里提到的{}|客户资料 {}|本案卷宗 {} 笔录
文件夹里的{}材料|当事人提供的{}证据材料|公司内部制度 {}|签订的协议 {} 条款|邮件里关于{}的内容
会议纪要 {} 待办|备忘录 {}|起诉状 {} 诉讼请求 本案|合同附件 {}|聊天记录 {}|本所 {} 法律意见书 草稿
我方 {} 往来函件|这份文件 {} 在哪一页|员工手册 {}|借条 收据 {} 原件
""",
}

_ENGLISH_PATTERNS: dict[SourceName, str] = {
    "statute": """
text of the article on {}|statute on {} in force in 2012|what does article 20 of the law say on {}
which provision governs {}|statutory penalty for {}|wording of the law on {}
""",
    "guideline": """
sentencing guideline for {}|starting point of the sentence for {}|baseline and adjustment for {}
amount threshold for {} in the province|percent reduction for {}|how much is the sentence cut for {}
""",
    "precedent": """
similar cases on {}|how did courts decide {}|judgment on {} with facts like these
precedent on {}|case in which the court found {}|decisions in cases of {}
""",
    "book": """
what is {}|explain the concept of {}|difference between {} and related notions
doctrine of {}|meaning and nature of {}|theory behind {}
""",
    "interpretation": """
judicial interpretation on {}|Supreme People's Court interpretation of the law on {}
Supreme People's Procuratorate reply on {}|provisions of the Supreme People's Court on {}
interpretation on the application of law in cases of {}|interpretation rules for {}
""",
    "document": """
what does our contract say on {}|clause on {} in the agreement I uploaded|the client's email on {}
witness statement in the file on {}|memo in the folder on {}|our agreement {} clause
letter from the other side on {}
""",
}


def examples() -> list[LabelledQuery]:
    """Return the queries, source by source, in a fixed order."""
    chinese = _filled(_PATTERNS, _SUBJECTS.split(), every=3)
    return [*chinese, *_filled(_ENGLISH_PATTERNS, _parts(_ENGLISH_SUBJECTS), every=2)]


def _filled(
    patterns: dict[SourceName, str], subjects: Sequence[str], *, every: int
) -> Iterator[LabelledQuery]:
    """Yield each pattern with every third (or second) subject, beginning with another each time."""
    for source, written in patterns.items():
        for place, pattern in enumerate(_parts(written)):
            for subject in subjects[place % every :: every]:
                yield LabelledQuery(pattern.format(subject), source)


def _parts(written: str) -> list[str]:
    return [one for line in written.strip().splitlines() for one in line.split("|")]
