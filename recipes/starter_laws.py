"""What the starter corpus holds, law by law: which texts, made by which instruments, mended how.

A `Mend` says where the copy in the research data departs from the official print. It is applied
when the corpus is written, recorded in the file (``differences``), and replayed by the tests, so
that an unexplained difference and an explanation without an object both fail.
"""

from __future__ import annotations

from starter_values import Before, Law, Mend, Supplied

COLON = "the copy prints a half-width colon; the official print has the full-width one"
SEMICOLON = "the copy prints a half-width semicolon; the official print has the full-width one"
PARAGRAPH = "the copy runs two paragraphs together; the official print begins a new one here"
EMPTY_LINE_WHY = "the copy ends the article with an empty line"
SPACE = "the copy separates paragraphs and items by a space; the official print by a new line"
EMPTY_LINE = Mend("\n\u200b", "", EMPTY_LINE_WHY)


def _enacted(title: str, first_day: str) -> dict[str, str]:
    return {first_day: title}


def _amended(title: str, *days: str) -> dict[str, str]:
    return dict.fromkeys(days, f"关于修改《{title}》的决定")


_CRIMINAL = "中华人民共和国刑法"
_CRIMINAL_PROCEDURE = "中华人民共和国刑事诉讼法"
_CIVIL_PROCEDURE = "中华人民共和国民事诉讼法"
_MARRIAGE = "中华人民共和国婚姻法"
_LABOUR_CONTRACT = "中华人民共和国劳动合同法"
_PENALTIES = "中华人民共和国行政处罚法"
_PUBLIC_SECURITY = "中华人民共和国治安管理处罚法"
_CONSUMERS = "中华人民共和国消费者权益保护法"
_COMPANIES = "中华人民共和国公司法"
_ADMINISTRATIVE = "中华人民共和国行政诉讼法"


def _interpretation(
    slug: str, title: str, first_day: str, number: str, *, mends: tuple[Mend, ...] = ()
) -> Law:
    """A judicial interpretation with one text, in force still as far as known."""
    return Law(
        slug,
        title,
        {first_day: number},
        category="司法解释",
        labels={first_day: number},
        mends=mends,
        as_of=_REGISTER,
    )


_REGISTER = "2025-04-05"
"""The day on which the copy of the register that the interpretations are from was current."""

_COURT = "最高人民法院"
_BOTH = "最高人民法院、最高人民检察院"

LAWS = (
    Law(
        "criminal-law",
        _CRIMINAL,
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
            Mend("拘役,并处", "拘役，并处", "the copy prints a half-width comma"),
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
        _amended(_CRIMINAL_PROCEDURE, "1997-01-01", "2013-01-01", "2018-10-26"),
        note="From the law as amended in 1996; the law of 1979 is not covered.",
        as_of="2026-07-17",
    ),
    Law(
        "civil-procedure-law",
        _CIVIL_PROCEDURE,
        {
            **_enacted(_CIVIL_PROCEDURE, "1991-04-09"),
            **_amended(_CIVIL_PROCEDURE, "2008-04-01", "2013-01-01", "2022-01-01", "2024-01-01"),
            "2017-07-01": f"关于修改《{_CIVIL_PROCEDURE}》和《中华人民共和国行政诉讼法》的决定",
        },
        note="From 1991; the law for trial implementation of 1982 is not covered.",
        mends=(
            Mend(":", "：", COLON),
            Mend("本法### 第九章", "本法第九章", "the copy takes a reference for a heading"),
            EMPTY_LINE,
        ),
        as_of="2026-07-17",
    ),
    Law(
        "succession-law",
        "中华人民共和国继承法",
        _enacted("中华人民共和国继承法", "1985-10-01"),
        note="Succeeded by book six of the Civil Code.",
    ),
    Law(
        "marriage-law",
        _MARRIAGE,
        {
            **_enacted(_MARRIAGE, "1981-01-01"),
            **_amended(_MARRIAGE, "2001-04-28"),
        },
        note="Of the text of 1980 only articles 13 and 25 are held; they became 17 and 32 in 2001. "
        "Succeeded by book five of the Civil Code.",
        mends=(
            Mend("虐 待", "虐待", "the copy has a space where its lines were joined"),
            Mend("中止 的", "中止的", "the copy has a space where its lines were joined"),
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
        _enacted("中华人民共和国合同法", "1999-10-01"),
        note="Succeeded by book three of the Civil Code.",
        mends=(Mend(" ", "\n", SPACE),),
        headings={
            **{f"第{number}章": f"总则 / 第{number}章" for number in "二三四五六七八"},
            "第": "分则 / 第",
        },
    ),
    Law(
        "civil-code",
        "中华人民共和国民法典",
        _enacted("中华人民共和国民法典", "2021-01-01"),
        headings={
            "总则": "第一编 总则",
            "物权编": "第二编 物权",
            "合同编": "第三编 合同",
            "人格权编": "第四编 人格权",
            "婚姻家庭编": "第五编 婚姻家庭",
            "继承编": "第六编 继承",
            "侵权责任编": "第七编 侵权责任",
        },
        as_of="2026-07-17",
    ),
    Law(
        "labour-contract-law",
        _LABOUR_CONTRACT,
        {
            **_enacted(_LABOUR_CONTRACT, "2008-01-01"),
            **_amended(_LABOUR_CONTRACT, "2013-07-01"),
        },
        mends=(Mend(":", "：", COLON),),
        as_of="2026-07-17",
    ),
    Law(
        "property-law",
        "中华人民共和国物权法",
        _enacted("中华人民共和国物权法", "2007-10-01"),
        note="Succeeded by book two of the Civil Code.",
    ),
    Law(
        "tort-liability-law",
        "中华人民共和国侵权责任法",
        _enacted("中华人民共和国侵权责任法", "2010-07-01"),
        note="Succeeded by book seven of the Civil Code.",
    ),
    Law(
        "security-law",
        "中华人民共和国担保法",
        _enacted("中华人民共和国担保法", "1995-10-01"),
        note="Succeeded by books two and three of the Civil Code.",
    ),
    Law(
        "adoption-law",
        "中华人民共和国收养法",
        _amended("中华人民共和国收养法", "1999-04-01"),
        note="From the law as amended in 1998. Succeeded by book five of the Civil Code.",
    ),
    Law(
        "general-principles-of-civil-law",
        "中华人民共和国民法通则",
        {"2009-08-27": "关于修改部分法律的决定"},
        note="From 2009-08-27; the text of 1986 is not held, nor 民法总则 of 2017.",
    ),
    Law(
        "labour-law",
        "中华人民共和国劳动法",
        {
            "2009-08-27": "关于修改部分法律的决定",
            "2018-12-29": "关于修改《中华人民共和国劳动法》等七部法律的决定",
        },
        note="From 2009-08-27; the text of 1994 is not held.",
        mends=(Mend("劳动\n定额", "劳动定额", "the copy breaks a line inside a sentence"),),
        labels={"2009-08-27": "2009修正", "2018-12-29": "2018修正"},
        copies=frozenset({("2009-08-27", "Ansvar-Systems"), ("2018-12-29", "LawRefBook")}),
        as_of="2026-07-17",
    ),
    Law(
        "administrative-penalties-law",
        _PENALTIES,
        {
            "2009-08-27": "关于修改部分法律的决定",
            "2018-01-01": "关于修改《中华人民共和国法官法》等八部法律的决定",
            "2021-07-15": f"{_PENALTIES}（2021年修订）",
        },
        note="From 2009-08-27; the text of 1996 is not held.",
        labels={"2009-08-27": "2009修正", "2018-01-01": "2017修正", "2021-07-15": "2021修订"},
        copies=frozenset(
            {
                ("2009-08-27", "chugare"),
                ("2017-09-01", "Ansvar-Systems"),
                ("2021-01-22", "LawRefBook"),
            }
        ),
        begins={"2009-08-27": "2009-08-27"},
        as_of="2026-07-17",
    ),
    Law(
        "public-security-penalties-law",
        _PUBLIC_SECURITY,
        {
            "2013-01-01": "关于修改《中华人民共和国监狱法》等七部法律的决定",
            "2026-01-01": f"{_PUBLIC_SECURITY}（2025年修订）",
        },
        note="From 2013-01-01; the text of 2005 is not held.",
        mends=(Mend(":", "：", COLON),),
        labels={"2013-01-01": "2012修正", "2026-01-01": "2025修订"},
        copies=frozenset({("2012-10-26", "LawRefBook"), ("2025-06-27", "Ansvar-Systems")}),
        as_of="2026-07-17",
    ),
    Law(
        "consumer-protection-law",
        _CONSUMERS,
        _amended(_CONSUMERS, "2014-03-15"),
        note="From 2014-03-15; the texts of 1993 and 2009 are not held.",
        mends=(Mend(":", "：", COLON),),
        labels={"2014-03-15": "2013修正"},
        copies=frozenset({("2013-10-25", "LawRefBook")}),
        as_of="2026-07-17",
    ),
    Law(
        "company-law",
        _COMPANIES,
        {
            "2006-01-01": f"{_COMPANIES}（2005年修订）",
            "2014-03-01": "关于修改《中华人民共和国海洋环境保护法》等七部法律的决定",
            "2018-10-26": f"关于修改《{_COMPANIES}》的决定",
            "2024-07-01": f"{_COMPANIES}（2023年修订）",
        },
        note="From 2006-01-01; the texts of 1993 to 2004 are not held.",
        mends=(EMPTY_LINE,),
        labels={
            "2006-01-01": "2005修订",
            "2014-03-01": "2013修正",
            "2018-10-26": "2018修正",
            "2024-07-01": "2023修订",
        },
        before=Before(
            "2005修订",
            "2006-01-01",
            "2005-10-27",
            "2014-03-01",
            changed=(7, 23, 26, 27, 29, 32, 58, 76, 80, 83, 177),
            deleted=29,
            why="the decision of 2013-12-28, section 7, items 1 to 12",
        ),
        copies=frozenset(
            {
                ("2013-12-28", "Ansvar-Systems"),
                ("2018-10-26", "LawRefBook"),
                ("2023-12-29", "LawRefBook"),
            }
        ),
        as_of="2026-07-17",
    ),
    Law(
        "administrative-litigation-law",
        _ADMINISTRATIVE,
        {
            "2015-05-01": f"关于修改《{_ADMINISTRATIVE}》的决定",
            "2017-07-01": f"关于修改《{_CIVIL_PROCEDURE}》和《{_ADMINISTRATIVE}》的决定",
        },
        note="From 2015-05-01; the text of 1989 is not held.",
        mends=(Mend(":", "：", COLON),),
        labels={"2015-05-01": "2014修正", "2017-07-01": "2017修正"},
        copies=frozenset({("2014-11-01", "chugare"), ("2017-06-27", "LawRefBook")}),
        begins={"2014-11-01": "2015-05-01"},
        as_of="2026-07-17",
    ),
    _interpretation(
        "criminal-law-temporal-rules-1997",
        f"{_COURT}关于适用刑法时间效力规定若干问题的解释",
        "1997-10-01",
        "法释〔1997〕5号",
    ),
    _interpretation(
        "criminal-law-article-12",
        f"{_COURT}关于适用刑法第十二条几个问题的解释",
        "1998-01-13",
        "法释〔1997〕12号",
    ),
    _interpretation(
        "amendment-viii-temporal-rules",
        f"{_COURT}关于《{_CRIMINAL}修正案(八)》时间效力问题的解释",
        "2011-05-01",
        "法释〔2011〕9号",
    ),
    _interpretation(
        "amendment-ix-temporal-rules",
        f"{_COURT}关于《{_CRIMINAL}修正案（九）》时间效力问题的解释",
        "2015-11-01",
        "法释〔2015〕19号",
    ),
    _interpretation(
        "criminal-interpretations-temporal-rules",
        f"{_BOTH}关于适用刑事司法解释时间效力问题的规定",
        "2001-12-17",
        "高检发释字〔2001〕5号",
    ),
    _interpretation(
        "civil-code-temporal-rules",
        f"{_COURT}关于适用《中华人民共和国民法典》时间效力的若干规定",
        "2021-01-01",
        "法释〔2020〕15号",
    ),
    _interpretation(
        "company-law-temporal-rules",
        f"{_COURT}关于适用《{_COMPANIES}》时间效力的若干规定",
        "2024-07-01",
        "法释〔2024〕7号",
    ),
    _interpretation(
        "theft-interpretation-2013",
        f"{_BOTH}关于办理盗窃刑事案件适用法律若干问题的解释",
        "2013-04-04",
        "法释〔2013〕8号",
    ),
    _interpretation(
        "fraud-interpretation-2011",
        f"{_BOTH}关于办理诈骗刑事案件具体应用法律若干问题的解释",
        "2011-04-08",
        "法释〔2011〕7号",
    ),
    _interpretation(
        "snatching-interpretation-2013",
        f"{_BOTH}关于办理抢夺刑事案件适用法律若干问题的解释",
        "2013-11-18",
        "法释〔2013〕25号",
    ),
    _interpretation(
        "extortion-interpretation-2013",
        f"{_BOTH}关于办理敲诈勒索刑事案件适用法律若干问题的解释",
        "2013-04-27",
        "法释〔2013〕10号",
    ),
    _interpretation(
        "corruption-interpretation-2016",
        f"{_BOTH}关于办理贪污贿赂刑事案件适用法律若干问题的解释",
        "2016-04-18",
        "法释〔2016〕9号",
    ),
    _interpretation(
        "embezzlement-interpretation-1998",
        f"{_COURT}关于审理挪用公款案件具体应用法律若干问题的解释",
        "1998-05-09",
        "法释〔1998〕9号",
    ),
    _interpretation(
        "robbery-interpretation-2000",
        f"{_COURT}关于审理抢劫案件具体应用法律若干问题的解释",
        "2000-11-28",
        "法释〔2000〕35号",
    ),
    _interpretation(
        "traffic-offences-interpretation-2000",
        f"{_COURT}关于审理交通肇事刑事案件具体应用法律若干问题的解释",
        "2000-11-21",
        "法释〔2000〕33号",
    ),
    _interpretation(
        "unpaid-wages-interpretation-2013",
        f"{_COURT}关于审理拒不支付劳动报酬刑事案件适用法律若干问题的解释",
        "2013-01-23",
        "法释〔2013〕3号",
    ),
    _interpretation(
        "tax-offences-interpretation-2024",
        f"{_BOTH}关于办理危害税收征管刑事案件适用法律若干问题的解释",
        "2024-03-20",
        "法释〔2024〕4号",
    ),
    Law(
        "illegal-fundraising-interpretation",
        f"{_COURT}关于审理非法集资刑事案件具体应用法律若干问题的解释",
        {"2011-01-04": "法释〔2010〕18号", "2022-03-01": "法释〔2022〕5号"},
        category="司法解释",
        labels={"2011-01-04": "法释〔2010〕18号", "2022-03-01": "法释〔2022〕5号"},
        as_of=_REGISTER,
    ),
    Law(
        "private-lending-rules",
        f"{_COURT}关于审理民间借贷案件适用法律若干问题的规定",
        {"2020-08-20": "法释〔2020〕6号", "2021-01-01": "法释〔2020〕17号"},
        note="From 2020-08-20; the text of 2015 is not held.",
        category="司法解释",
        labels={"2020-08-20": "法释〔2020〕6号", "2021-01-01": "法释〔2020〕17号"},
        as_of=_REGISTER,
    ),
)
"""Every law of the starter corpus."""
