"""What the starter corpus holds, law by law: which articles, made by which instruments, mended how.

A `Mend` says where the copy in the research data departs from the official print. It is applied
when the corpus is written, recorded in the file (``differences``), and replayed by the tests, so
that an unexplained difference and an explanation without an object both fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

COLON = "the copy prints a half-width colon; the official print has the full-width one"
SEMICOLON = "the copy prints a half-width semicolon; the official print has the full-width one"
PARAGRAPH = "the copy runs two paragraphs together; the official print begins a new one here"
SPACE = "the copy separates paragraphs and items by a space; the official print by a new line"


@dataclass(frozen=True)
class Mend:
    """A piece of text in the copy, what the official print has instead, and why."""

    data: str
    ours: str
    why: str


@dataclass(frozen=True)
class Supplied:
    """A version the research data lacks, with the articles written out from the official text."""

    label: str
    valid_from: str
    valid_to: str
    promulgated: str
    texts: Mapping[str, str]
    paths: Mapping[str, str]
    why: str


@dataclass(frozen=True)
class Law:
    """One file of the starter corpus."""

    slug: str
    title: str
    articles: str
    """Article numbers as people type them, in order."""
    instruments: Mapping[str, str]
    """By first day in force: the law or decision that made the version."""
    note: str = ""
    category: str = "法律"
    mends: tuple[Mend, ...] = ()
    headings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Headings of the copy that the official print words otherwise; ``""`` where it has none."""
    label: str = ""
    """What to call the only version, where the copy calls it by a date."""
    supplied: tuple[Supplied, ...] = ()
    as_of: str = ""
    """The day up to which every act is known; for a law that has ended none is needed."""


def _enacted(title: str, first_day: str) -> dict[str, str]:
    return {first_day: title}


def _amended(title: str, *days: str) -> dict[str, str]:
    return dict.fromkeys(days, f"关于修改《{title}》的决定")


_CRIMINAL = "中华人民共和国刑法"
_CRIMINAL_PROCEDURE = "中华人民共和国刑事诉讼法"
_CIVIL_PROCEDURE = "中华人民共和国民事诉讼法"
_MARRIAGE = "中华人民共和国婚姻法"
_LABOUR_CONTRACT = "中华人民共和国劳动合同法"

_OPEN_INTERPRETATION = (
    "Still in force; the research data gives its end as unknown because two copies name the day of "
    "adoption and the day of commencement as two dates."
)

LAWS = (
    Law(
        "criminal-law",
        _CRIMINAL,
        """
        12 17 17-1 38 49 50 65 66 67 68 69 72 74 78 81 120-1 120-3 133 133-1 134 134-1 141 151
        162-1 163 164 175-1 176 180 182 191 201 205 217 219 225 232 234 236 236-1 237 239 240
        253-1 260 260-1 263 264 266 271 272 274 277 280 280-1 285 286-1 287-1 287-2 293 299-1
        303 307-1 309 312 313 338 341 347 358 382 383 385 386 388-1 389 390 390-1 391 392 393
        """,
        {
            "1997-10-01": _CRIMINAL,
            "1998-12-29": "关于惩治骗购外汇、逃汇和非法买卖外汇犯罪的决定",
            "1999-12-25": "刑法修正案",
            "2001-08-31": "刑法修正案（二）",
            "2001-12-29": "刑法修正案（三）",
            "2002-12-28": "刑法修正案（四）",
            "2005-02-28": "刑法修正案（五）",
            "2006-06-29": "刑法修正案（六）",
            "2009-02-28": "刑法修正案（七）",
            "2009-08-27": "关于修改部分法律的决定",
            "2011-05-01": "刑法修正案（八）",
            "2015-11-01": "刑法修正案（九）",
            "2017-11-04": "刑法修正案（十）",
            "2021-03-01": "刑法修正案（十一）",
            "2024-03-01": "刑法修正案（十二）",
        },
        note="From the law as revised in 1997; the law of 1979 is not covered. Article 191 of 1997 "
        "is given with 账户 and 转账, as the national register prints it today.",
        mends=(
            Mend(":", "：", COLON),
            *(
                Mend(f"{before}（{item}）", f"{before}\n（{item}）", PARAGRAPH)
                for before, item in ("：一", "；二", "；三", "；四", "；五")
            ),
        ),
        as_of="2026-07-17",
    ),
    Law(
        "criminal-procedure-law",
        _CRIMINAL_PROCEDURE,
        """
        12 15 16 33 34 42 43 46 48 50 51 52 53 54 55 56 60 65 67 79 81 189 190 201 225 226 236
        237
        """,
        _amended(_CRIMINAL_PROCEDURE, "1997-01-01", "2013-01-01", "2018-10-26"),
        note="Articles that moved, under all the numbers they have had: evidence (42, 43, 46 of "
        "1996; 48, 50, 53, 54 of 2012; 50, 52, 55, 56 of 2018), defence counsel (33, 34), release "
        "on bail (51, 65, 67), arrest (60, 79, 81), second instance (189, 190; 225, 226; 236, 237)."
        " What else stood under these numbers is given too.",
        as_of="2026-07-17",
    ),
    Law(
        "civil-procedure-law",
        _CIVIL_PROCEDURE,
        "55 58 65 68 87 90 162 165 179 200 207 211",
        {
            **_enacted(_CIVIL_PROCEDURE, "1991-04-09"),
            **_amended(_CIVIL_PROCEDURE, "2008-04-01", "2013-01-01", "2022-01-01", "2024-01-01"),
            "2017-07-01": f"关于修改《{_CIVIL_PROCEDURE}》和《中华人民共和国行政诉讼法》的决定",
        },
        note="Articles that moved, under all the numbers they have had: public-interest litigation "
        "(55; 58), time limits for evidence (65; 68), electronic service (87; 90), small claims "
        "(162; 165), grounds of retrial (179; 200; 207; 211). What else stood under these numbers "
        "is given too.",
        mends=(
            Mend(":", "：", COLON),
            Mend("\n\u200b", "", "the copy ends the article with an empty line"),
        ),
        as_of="2026-07-17",
    ),
    Law(
        "succession-law",
        "中华人民共和国继承法",
        "17 18 19 20 21 22",
        _enacted("中华人民共和国继承法", "1985-10-01"),
        note="Succeeded by articles 1134 to 1144 of the Civil Code.",
    ),
    Law(
        "marriage-law",
        _MARRIAGE,
        "13 17 18 19 25 32",
        {
            **_enacted(_MARRIAGE, "1981-01-01"),
            **_amended(_MARRIAGE, "2001-04-28"),
        },
        note="Articles 13 and 25 of 1980 became 17 and 32 in 2001. Of the text of 1980 only these "
        "two are held; articles 17, 18, 19 and 32 of 1980 are not covered. Succeeded by articles "
        "1062 to 1065 and 1079 of the Civil Code.",
        mends=(
            Mend(":", "：", COLON),
            Mend(";", "；", SEMICOLON),
            *(
                Mend(f"。{opening}", f"。\n{opening}", PARAGRAPH)
                for opening in (
                    "夫妻对共同所有的财产",
                    "夫妻对婚姻关系存续期间所得的财产约定归各自所有",
                    "不直接抚养",
                    "有下列情形之一",
                    "一方被宣告失踪",
                )
            ),
        ),
        supplied=(
            Supplied(
                "1980",
                "1981-01-01",
                "2001-04-27",
                "1980-09-10",
                {
                    "13": "夫妻在婚姻关系存续期间所得的财产，归夫妻共同所有，双方另有约定的除外。\n"
                    "夫妻对共同所有的财产，有平等的处理权。",
                    "25": "男女一方要求离婚的，可由有关部门进行调解或直接向人民法院提出离婚诉讼。\n"
                    "人民法院审理离婚案件，应当进行调解；如感情确已破裂，调解无效，应准予离婚。",
                },
                {"13": "第三章 家庭关系", "25": "第四章 离婚"},
                "the research data lacks the law of 1980; written out from the official text",
            ),
        ),
    ),
    Law(
        "contract-law",
        "中华人民共和国合同法",
        "52 60 107 113 114",
        _enacted("中华人民共和国合同法", "1999-10-01"),
        note="Succeeded by articles 146, 153, 154, 509, 577, 584 and 585 of the Civil Code.",
        mends=(Mend(" ", "\n", SPACE),),
        headings={"第三章": "总则 / 第三章", "第四章": "总则 / 第四章", "第七章": "总则 / 第七章"},
    ),
    Law(
        "civil-code",
        "中华人民共和国民法典",
        """
        143 146 153 154 509 577 584 585 1062 1063 1064 1065 1079 1134 1135 1136 1137 1138 1139
        1140 1141 1142 1143 1144
        """,
        _enacted("中华人民共和国民法典", "2021-01-01"),
        headings={
            "总则": "第一编 总则",
            "合同编": "第三编 合同",
            "婚姻家庭编": "第五编 婚姻家庭",
            "继承编": "第六编 继承",
        },
        as_of="2026-07-17",
    ),
    Law(
        "labour-contract-law",
        _LABOUR_CONTRACT,
        "14 46 47 57 58 59 60 61 62 63 64 65 66 67 82",
        {
            **_enacted(_LABOUR_CONTRACT, "2008-01-01"),
            **_amended(_LABOUR_CONTRACT, "2013-07-01"),
        },
        mends=(Mend(":", "：", COLON),),
        as_of="2026-07-17",
    ),
    Law(
        "civil-code-temporal-rules",
        "最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定",
        "1 2 3 15 23",
        {"2021-01-01": "法释〔2020〕15号"},
        note=_OPEN_INTERPRETATION,
        category="司法解释",
        label="法释〔2020〕15号",
        as_of="2025-04-05",
    ),
    Law(
        "theft-interpretation-2013",
        "最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释",
        "1",
        {"2013-04-04": "法释〔2013〕8号"},
        note=_OPEN_INTERPRETATION,
        category="司法解释",
        label="法释〔2013〕8号",
        as_of="2025-04-05",
    ),
    Law(
        "fraud-interpretation-2011",
        "最高人民法院、最高人民检察院关于办理诈骗刑事案件具体应用法律若干问题的解释",
        "1",
        {"2011-04-08": "法释〔2011〕7号"},
        note=_OPEN_INTERPRETATION,
        category="司法解释",
        label="法释〔2011〕7号",
        as_of="2025-04-05",
    ),
)
"""Every law of the starter corpus."""
