"""The official crime names of 刑法, with the days between which each was official.

The text of the Criminal Law names no crime. The Supreme People's Court fixed 413 names on
16 December 1997 (法释〔1997〕9号), the Supreme People's Procuratorate its own 414 on 25 December
1997 (高检发释字〔1997〕3号); `PROCURATORATE_ONLY` and `COURT_ONLY` are where they differ. Since
2002 the two have issued joint supplements.

The list of 1997 is parsed from the Procuratorate's opinion; the supplements are written out below
and every name in them is looked up in the supplement's own text, so that a slip of the pen fails.
Where a supplement gives an article a new name without cancelling the old one in words, the old one
is taken to end as well (``replaced`` says so; the counts published after each supplement agree).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from inforce.law.numerals import ProvisionNumber

COURT = "法释〔1997〕9号"
COURT_DAY = date(1997, 12, 16)
PROCURATORATE = "高检发释字〔1997〕3号"
PROCURATORATE_DAY = date(1997, 12, 25)

PROCURATORATE_ONLY = {
    "国家机关工作人员徇私舞弊罪": "397",
    "枉法追诉、裁判罪": "399",
    "民事、行政枉法裁判罪": "399",
    "国家机关工作人员签订、履行合同失职被骗罪": "406",
}
"""Names of the Procuratorate that the Court did not use."""

COURT_ONLY = {
    "徇私枉法罪": "399",
    "枉法裁判罪": "399",
    "国家机关工作人员签订、履行合同失职罪": "406",
}
"""Names of the Court that the Procuratorate did not use; they took the same places."""

MISPRINTS = {"伪造变造国家有价证券罪": "伪造、变造国家有价证券罪", "剌探": "刺探"}
"""Slips of the copy in the data."""


@dataclass(frozen=True)
class Supplement:
    """One supplementary rule: names by article, names cancelled, names replaced without a word."""

    source: str
    day: date
    authority: str
    names: str
    """``articles name`` a line."""
    cancelled: str = ""
    replaced: str = ""


SUPPLEMENTS = (
    Supplement(
        "interp-0072",
        date(2002, 3, 26),
        "法释〔2002〕7号",
        """
        114,115 投放危险物质罪
        115 过失投放危险物质罪
        120-1 资助恐怖活动罪
        125 非法制造、买卖、运输、储存危险物质罪
        127 盗窃、抢夺枪支、弹药、爆炸物、危险物质罪
        127 抢劫枪支、弹药、爆炸物、危险物质罪
        162-1 隐匿、故意销毁会计凭证、会计账簿、财务会计报告罪
        168 国有公司、企业、事业单位人员失职罪
        168 国有公司、企业、事业单位人员滥用职权罪
        174 伪造、变造、转让金融机构经营许可证、批准文件罪
        181 编造并传播证券、期货交易虚假信息罪
        181 诱骗投资者买卖证券、期货合约罪
        182 操纵证券、期货交易价格罪
        229 提供虚假证明文件罪
        229 出具证明文件重大失实罪
        291-1 投放虚假危险物质罪
        291-1 编造、故意传播虚假恐怖信息罪
        342 非法占用农用地罪
        399 民事、行政枉法裁判罪
        406 国家机关工作人员签订、履行合同失职被骗罪
        """,
        cancelled="""
        投毒罪 过失投毒罪 非法买卖、运输核材料罪 徇私舞弊造成破产、亏损罪
        中介组织人员提供虚假证明文件罪 中介组织人员出具证明文件重大失实罪 奸淫幼女罪
        非法占用耕地罪 国家机关工作人员徇私舞弊罪 枉法追诉、裁判罪 枉法裁判罪
        国家机关工作人员签订、履行合同失职罪
        """,
        replaced="""
        盗窃、抢夺枪支、弹药、爆炸物罪 抢劫枪支、弹药、爆炸物罪
        伪造、变造、转让金融机构经营许可证罪 编造并传播证券交易虚假信息罪
        诱骗投资者买卖证券罪 操纵证券交易价格罪
        民事、行政枉法裁判罪 国家机关工作人员签订、履行合同失职被骗罪
        """,
    ),
    Supplement(
        "interp-0074",
        date(2003, 8, 21),
        "法释〔2003〕12号",
        """
        152 走私废物罪
        244-1 雇用童工从事危重劳动罪
        344 非法采伐、毁坏国家重点保护植物罪
        344 非法收购、运输、加工、出售国家重点保护植物、国家重点保护植物制品罪
        345 非法收购、运输盗伐、滥伐的林木罪
        399 执行判决、裁定失职罪
        399 执行判决、裁定滥用职权罪
        """,
        cancelled="走私固体废物罪 非法采伐、毁坏珍贵树木罪 非法收购盗伐、滥伐的林木罪",
    ),
    Supplement(
        "interp-0073",
        date(2007, 11, 6),
        "法释〔2007〕16号",
        """
        134 强令违章冒险作业罪
        135-1 大型群众性活动重大安全事故罪
        139-1 不报、谎报安全事故罪
        161 违规披露、不披露重要信息罪
        162-2 虚假破产罪
        163 非国家工作人员受贿罪
        164 对非国家工作人员行贿罪
        169-1 背信损害上市公司利益罪
        175-1 骗取贷款、票据承兑、金融票证罪
        177-1 妨害信用卡管理罪
        177-1 窃取、收买、非法提供信用卡信息罪
        182 操纵证券、期货市场罪
        185-1 背信运用受托财产罪
        185-1 违法运用资金罪
        187 吸收客户资金不入账罪
        188 违规出具金融票证罪
        262-1 组织残疾人、儿童乞讨罪
        303 开设赌场罪
        312 掩饰、隐瞒犯罪所得、犯罪所得收益罪
        369 过失损坏武器装备、军事设施、军事通信罪
        399-1 枉法仲裁罪
        """,
        cancelled="""
        提供虚假财会报告罪 公司、企业人员受贿罪 对公司、企业人员行贿罪
        操纵证券、期货交易价格罪 违法向关系人发放贷款罪
        用账外客户资金非法拆借、发放贷款罪 非法出具金融票证罪 窝藏、转移、收购、销售赃物罪
        """,
    ),
    Supplement(
        "interp-0078",
        date(2009, 10, 16),
        "法释〔2009〕13号",
        """
        151 走私国家禁止进出口的货物、物品罪
        180 利用未公开信息交易罪
        201 逃税罪
        224-1 组织、领导传销活动罪
        253-1 出售、非法提供公民个人信息罪
        253-1 非法获取公民个人信息罪
        262-2 组织未成年人进行违反治安管理活动罪
        285 非法获取计算机信息系统数据、非法控制计算机信息系统罪
        285 提供侵入、非法控制计算机信息系统程序、工具罪
        337 妨害动植物防疫、检疫罪
        375 非法生产、买卖武装部队制式服装罪
        375 伪造、盗窃、买卖、非法提供、非法使用武装部队专用标志罪
        388-1 利用影响力受贿罪
        """,
        cancelled="走私珍稀植物、珍稀植物制品罪 偷税罪 逃避动植物检疫罪 非法生产、买卖军用标志罪",
    ),
    Supplement(
        "interp-0075",
        date(2011, 5, 1),
        "法释〔2011〕10号",
        """
        133-1 危险驾驶罪
        143 生产、销售不符合安全标准的食品罪
        164 对外国公职人员、国际公共组织官员行贿罪
        205-1 虚开发票罪
        210-1 持有伪造的发票罪
        234-1 组织出卖人体器官罪
        244 强迫劳动罪
        276-1 拒不支付劳动报酬罪
        338 污染环境罪
        408-1 食品监管渎职罪
        """,
        cancelled="生产、销售不符合卫生标准的食品罪 强迫职工劳动罪 重大环境污染事故罪",
    ),
    Supplement(
        "interp-0077",
        date(2015, 11, 1),
        "法释〔2015〕20号",
        """
        120-1 帮助恐怖活动罪
        120-2 准备实施恐怖活动罪
        120-3 宣扬恐怖主义、极端主义、煽动实施恐怖活动罪
        120-4 利用极端主义破坏法律实施罪
        120-5 强制穿戴宣扬恐怖主义、极端主义服饰、标志罪
        120-6 非法持有宣扬恐怖主义、极端主义物品罪
        237 强制猥亵、侮辱罪
        253-1 侵犯公民个人信息罪
        260-1 虐待被监护、看护人罪
        280 伪造、变造、买卖身份证件罪
        280-1 使用虚假身份证件、盗用身份证件罪
        283 非法生产、销售专用间谍器材、窃听、窃照专用器材罪
        284-1 组织考试作弊罪
        284-1 非法出售、提供试题、答案罪
        284-1 代替考试罪
        286-1 拒不履行信息网络安全管理义务罪
        287-1 非法利用信息网络罪
        287-2 帮助信息网络犯罪活动罪
        290 扰乱国家机关工作秩序罪
        290 组织、资助非法聚集罪
        291-1 编造、故意传播虚假信息罪
        300 组织、利用会道门、邪教组织、利用迷信致人重伤、死亡罪
        302 盗窃、侮辱、故意毁坏尸体、尸骨、骨灰罪
        307-1 虚假诉讼罪
        308-1 泄露不应公开的案件信息罪
        308-1 披露、报道不应公开的案件信息罪
        311 拒绝提供间谍犯罪、恐怖主义犯罪、极端主义犯罪证据罪
        350 非法生产、买卖、运输制毒物品、走私制毒物品罪
        381 战时拒绝军事征收、征用罪
        390-1 对有影响力的人行贿罪
        410 非法批准征收、征用、占用土地罪
        """,
        cancelled="""
        资助恐怖活动罪 强制猥亵、侮辱妇女罪 出售、非法提供公民个人信息罪
        非法获取公民个人信息罪 伪造、变造居民身份证罪 非法生产、销售间谍专用器材罪
        组织、利用会道门、邪教组织、利用迷信致人死亡罪 盗窃、侮辱尸体罪
        拒绝提供间谍犯罪证据罪 走私制毒物品罪 非法买卖制毒物品罪 嫖宿幼女罪
        战时拒绝军事征用罪 非法批准征用、占用土地罪
        """,
    ),
    Supplement(
        "interp-0071",
        date(2021, 3, 1),
        "法释〔2021〕2号",
        """
        133-2 妨害安全驾驶罪
        134 强令、组织他人违章冒险作业罪
        134-1 危险作业罪
        141 生产、销售、提供假药罪
        142 生产、销售、提供劣药罪
        142-1 妨害药品管理罪
        160 欺诈发行证券罪
        219-1 为境外窃取、刺探、收买、非法提供商业秘密罪
        236-1 负有照护职责人员性侵罪
        277 袭警罪
        280-2 冒名顶替罪
        291-2 高空抛物罪
        293-1 催收非法债务罪
        299 侮辱国旗、国徽、国歌罪
        299-1 侵害英雄烈士名誉、荣誉罪
        303 组织参与国（境）外赌博罪
        334-1 非法采集人类遗传资源、走私人类遗传资源材料罪
        336-1 非法植入基因编辑、克隆胚胎罪
        341 危害珍贵、濒危野生动物罪
        341 非法猎捕、收购、运输、出售陆生野生动物罪
        342-1 破坏自然保护地罪
        344 危害国家重点保护植物罪
        344-1 非法引进、释放、丢弃外来入侵物种罪
        355-1 妨害兴奋剂管理罪
        408-1 食品、药品监管渎职罪
        """,
        cancelled="""
        强令违章冒险作业罪 生产、销售假药罪 生产、销售劣药罪 欺诈发行股票、债券罪
        侮辱国旗、国徽罪 非法猎捕、杀害珍贵、濒危野生动物罪
        非法收购、运输、出售珍贵、濒危野生动物、珍贵、濒危野生动物制品罪
        非法采伐、毁坏国家重点保护植物罪
        非法收购、运输、加工、出售国家重点保护植物、国家重点保护植物制品罪 食品监管渎职罪
        """,
    ),
    Supplement(
        "interp-0076",
        date(2024, 3, 1),
        "法释〔2024〕3号",
        "169 徇私舞弊低价折股、出售公司、企业资产罪",
        cancelled="徇私舞弊低价折股、出售国有资产罪",
    ),
)


@dataclass
class Name:
    """One official name of one article; ``last`` is the last day it was official."""

    number: ProvisionNumber
    name: str
    first: date
    authority: str
    last: date | None = None

    def record(self) -> dict[str, str | None]:
        """The caption as the starter corpus writes it."""
        return {
            "no": self.number.chinese,
            "name": self.name,
            "valid_from": self.first.isoformat(),
            "valid_to": self.last.isoformat() if self.last else None,
            "authority": self.authority,
        }


def crime_names(data: Path) -> list[Name]:
    """Every official name since 1997, by article and then by date."""
    documents = _documents(data / "sources" / "interpretations.jsonl")
    names = list(_names_of_1997(documents["interp-0015"]))
    for supplement in SUPPLEMENTS:
        _apply(supplement, names, documents[supplement.source])
    return sorted(names, key=lambda name: (name.number, name.first))


def _documents(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    records = (json.loads(line) for line in lines)
    return {record["id"]: record["text"] for record in records}


def _names_of_1997(opinion: str) -> Iterator[Name]:
    for wrong, right in MISPRINTS.items():
        opinion = opinion.replace(wrong, right)
    for name, places in re.findall(r"(?:[0-9]+．)?(\S+?罪)（(第[0-9][^）]*)）", opinion):
        for article in dict.fromkeys(re.findall(r"第([0-9]+)条", places)):
            yield from _claims_of_1997(name.split("．")[-1], article)
    for name, article in COURT_ONLY.items():
        yield Name(ProvisionNumber.parse(article), name, COURT_DAY, COURT)


def _claims_of_1997(name: str, article: str) -> Iterator[Name]:
    number = ProvisionNumber.parse(article)
    if name in PROCURATORATE_ONLY:
        yield Name(number, name, PROCURATORATE_DAY, PROCURATORATE)
    elif int(article) > 100:  # 第371条第2条 in the copy is 第2款
        yield Name(number, name, COURT_DAY, COURT)


def _apply(supplement: Supplement, names: list[Name], document: str) -> None:
    written = re.sub(r"\s", "", document)
    ended = supplement.cancelled.split()
    for name in (*ended, *supplement.replaced.split()):
        _end(name, names, supplement)
    for line in filter(None, map(str.strip, supplement.names.splitlines())):
        articles, name = line.split()
        ended.append(name)
        for article in articles.split(","):
            number = ProvisionNumber.parse(article)
            names.append(Name(number, name, supplement.day, supplement.authority))
    missing = [name for name in ended if name not in written]
    if missing:
        raise ValueError(f"{supplement.authority} does not contain {missing}")


def _end(name: str, names: list[Name], supplement: Supplement) -> None:
    current = [one for one in names if one.name == name and one.last is None]
    if not current:
        raise ValueError(f"{supplement.authority} ends {name!r}, which was not official")
    for one in current:
        one.last = supplement.day - timedelta(days=1)
