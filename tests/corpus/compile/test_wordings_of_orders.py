"""Orders in the wordings that congresses, ministries and provinces use; the law is ours."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pytest
from compile_world import TITLE, articles, compiled, decision, law, refusals

ARTICLES = {
    1: "为了加强灯塔管理，保障航行安全，制定本法。",
    2: "在中华人民共和国领域内设置、使用灯塔，适用本法。",
    3: "国务院交通行政主管部门主管灯塔工作。\n县级交通行政主管部门负责本地的灯塔工作。",
    4: "任何单位和个人不得损毁灯塔。",
    5: "设置灯塔应当具备下列条件：\n（一）有场所；\n（二）有资金；\n（三）有人员；\n"
    "（四）其他条件。\n不具备前款条件的，不得设置。",
    6: "设置灯塔应当申请，经审查批准后，方可施工。\n"
    "交通部门应当在三十日内决定。\n申请人可以申请复议。",
    7: "看守人应当保持灯塔明亮，但是因不可抗力的除外。看守人应当每日记录。",
    8: "灯塔的收费标准，由国务院价格部门制定。",
    9: "违反本法第六条规定的，由交通部门责令停止施工，可以并处五千元以下的罚款。",
    10: "工作人员玩忽职守的，由交通部门给予行政处分。",
}
CHAPTERS = {
    n: "第一章 总则" if n < 5 else "第二章 管理" if n < 9 else "第三章 责任" for n in ARTICLES
}
BASE = law(
    {str(number): text for number, text in ARTICLES.items()},
    paths={str(number): path for number, path in CHAPTERS.items()},
)
FIRST, SECOND, THIRD = ARTICLES[6].split("\n")
ITEMS = ("有场所", "有资金", "有人员", "其他条件")


def said(number: int, *pairs: str) -> str:
    """An article with words replaced."""
    text = ARTICLES[number]
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return text


def listed(*items: str) -> str:
    """Article 5 with other items."""
    lines = [f"（{'一二三四五六'[index]}）{item}" for index, item in enumerate(items)]
    return "设置灯塔应当具备下列条件：\n" + "；\n".join(lines) + "。\n不具备前款条件的，不得设置。"


def others(number: int, *new: str) -> dict[int, str]:
    """The law after new articles were put in the place of one of its numbers."""
    texts = list(ARTICLES.values())
    texts[number - 1 : number - 1] = new
    return dict(enumerate(texts, 1))


def without(*numbers: int) -> dict[int, str]:
    """The law without some of its articles."""
    return dict(enumerate((t for n, t in ARTICLES.items() if n not in numbers), 1))


@dataclass(frozen=True)
class Order:
    """What is ordered, and what the articles it changes say afterwards."""

    points: tuple[str, ...]
    result: dict[int, str]
    whole: bool = False
    """Whether the result is the whole law."""


def order(*points: str, result: dict[int, str], whole: bool = False) -> Order:
    return Order(points, result, whole)


NEW = "增加一条，作为第四条：“新。”"
DEPARTMENTS = {
    3: said(3, "交通行政主管部门", "海事部门"),
    6: said(6, "交通部门", "海事部门"),
    9: said(9, "交通部门", "海事部门"),
    10: said(10, "交通部门", "海事部门"),
}
SIMPLE = {number: text for number, text in DEPARTMENTS.items() if number != 3}

ORDERS = {
    # what a part is called
    "内容": order("将第四条的内容修改为：“甲。”", result={4: "甲。"}),
    "全文": order("第四条全文修改为：“甲。”", result={4: "甲。"}),
    "修改如下": order("将第四条修改如下：“甲。”", result={4: "甲。"}),
    "作出修改，修改为": order("对第四条作出修改，修改为：“甲。”", result={4: "甲。"}),
    "作如下修改：将": order(
        "第八条作如下修改：将“价格”修改为“发展改革”。", result={8: said(8, "价格", "发展改革")}
    ),
    "the words above the items are 引言": order(
        "第五条第一款引言修改为：“应当具备下列条件：”",
        result={5: said(5, "设置灯塔应当具备", "应当具备")},
    ),
    "what kind of words": order(
        "第九条中的罚款数额由“五千元”提高到“一万元”。", result={9: said(9, "五千", "一万")}
    ),
    "an article of a chapter": order("将第二章第八条修改为：“甲。”", result={8: "甲。"}),
    "one wording for each": order(
        "第三条第一款、第二款分别修改为：“甲。”、“乙。”", result={3: "甲。\n乙。"}
    ),
    # which words
    "a stated number of occurrences": order(
        "第七条中的两处“看守人”修改为“管理人”。", result={7: said(7, "看守人", "管理人")}
    ),
    "the second of several": order(
        "第七条中的第二个“看守人”修改为“管理人”。", result={7: said(7, "。看守人", "。管理人")}
    ),
    "words after words": order(
        "删去第九条中“责令停止施工”后的“，可以并处五千元以下的罚款”。",
        result={9: said(9, "，可以并处五千元以下的罚款", "")},
    ),
    "words between words": order(
        "第二条中“设置”与“使用”之间的“、”修改为“和”。", result={2: said(2, "设置、", "设置和")}
    ),
    "a mark between words of which there are many": order(
        "将第七条“明亮”与“但是”之间的“，”修改为“；”。", result={7: said(7, "亮，", "亮；")}
    ),
    "words side by side, new words side by side": order(
        "将第九条中的“五千元”“停止施工”分别修改为“一万元”“停工”。",
        result={9: said(9, "五千元", "一万元", "停止施工", "停工")},
    ),
    "words side by side to delete": order(
        "删去第一条中的“加强”“，保障航行安全”。",
        result={1: said(1, "加强", "", "，保障航行安全", "")},
    ),
    "words of the old text that the new words beside them have too": order(
        "将第九条中的“停止施工”修改为“停工、罚款”，“的罚款”修改为“的罚金”。",
        "将第九条中的“由交通部门”修改为“由五千元”，“五千元”修改为“一万元”。",
        result={
            9: said(
                9,
                "停止施工",
                "停工、罚款",
                "的罚款",
                "的罚金",
                "五千元",
                "一万元",
                "由交通部门",
                "由五千元",
            )
        },
    ),
    "words of a chapter": order(
        "将第三章中的“交通部门”修改为“海事部门”。", result={9: SIMPLE[9], 10: SIMPLE[10]}
    ),
    "words of the whole law, no place named": order(
        "将“交通部门”统一修改为“海事部门”。", result=SIMPLE
    ),
    "words of the whole law, one after the other": order(
        "将本法中的“交通部门”修改为“海事部门”，“看守人”修改为“管理人”。",
        result={**SIMPLE, 7: said(7, "看守人", "管理人")},
    ),
    "an exception from the whole law": order(
        "除第六条第二款、第十条外，将本法中的“交通部门”统一修改为“海事部门”。",
        result={9: SIMPLE[9]},
    ),
    "the other provisions": order("将本法其他条文中的“交通部门”修改为“海事部门”。", result=SIMPLE),
    "two enumerations, one verb": order(
        "将第六条第二款中的“交通部门”，第十条中的“行政处分”分别修改为“海事部门”、“处分”。",
        result={6: SIMPLE[6], 10: said(10, "行政处分", "处分")},
    ),
    "删去 is said once": order(
        "删去第六条第一款中的“，方可施工”，第九条中的“可以”。",
        result={6: said(6, "，方可施工", ""), 9: said(9, "可以", "")},
    ),
    "a number that is quoted is a word where the article is named": order(
        NEW,
        "第九条改为第十条，将“第六条”修改为“第七条”。",
        result={10: said(9, "第六条", "第七条")},
    ),
    "其中 of articles that only got new numbers": order(
        NEW,
        "第六条改为第七条，第九条改为第十条，第十条改为第十一条，"
        "并将其中的“交通部门”修改为“海事部门”。",
        result={7: SIMPLE[6], 10: SIMPLE[9], 11: SIMPLE[10]},
    ),
    "加 two characters": order(
        "在第一条“灯塔”前加“海上”二字。", result={1: said(1, "灯塔", "海上灯塔")}
    ),
    # deleting
    "取消": order("取消第六条第三款。", result={6: f"{FIRST}\n{SECOND}"}),
    "予以删除": order("第四条予以删除。", result=without(4), whole=True),
    "a paragraph of an article": order("第六条删去第二款。", result={6: f"{FIRST}\n{THIRD}"}),
    "an item of a paragraph": order(
        "第五条第一款删去第二项。", result={5: listed(ITEMS[0], *ITEMS[2:])}
    ),
    "a paragraph of each of two articles": order(
        "第三条、第六条分别删去第二款。",
        result={3: ARTICLES[3].split("\n")[0], 6: f"{FIRST}\n{THIRD}"},
    ),
    # adding
    "a sentence by its number": order(
        "第七条增加一句，作为第二句：“看守人应当值夜。”",
        result={7: said(7, "除外。", "除外。看守人应当值夜。")},
    ),
    "a sentence after a sentence": order(
        "在第七条第一句后增加一句：“看守人应当值夜。”",
        result={7: said(7, "除外。", "除外。看守人应当值夜。")},
    ),
    "增加一条为": order("增加一条为第四条：“新。”", result=others(4, "新。"), whole=True),
    "without quotation marks": order(
        "增加一条，作为第四条：新。", result=others(4, "新。"), whole=True
    ),
    "the numbers that follow are said on the same line": order(
        "增加一条，作为第四条：“新。”其后各条顺序相应顺延。", result=others(4, "新。"), whole=True
    ),
    "a paragraph by its number in the new law": order(
        NEW, "增加一款，作为第五条第二款：“乙。”", result={5: ARTICLES[4] + "\n乙。"}
    ),
    "an item becomes two": order(
        "第五条第一款第一项修改为两项，作为第一项、第二项：“（一）甲；\n“（二）乙；”",
        result={5: listed("甲", "乙", *ITEMS[1:])},
    ),
    "a chapter, its name and its articles in marks of their own": order(
        "增加一章，作为第三章，章名为“保护”：\n“第九条　甲。\n“第十条　乙。”",
        result=others(9, "甲。", "乙。"),
        whole=True,
    ),
    "new words, then the paragraph they are": order(
        "第六条第一款后增加“申请书应当真实。”作为第二款。",
        result={6: f"{FIRST}\n申请书应当真实。\n{SECOND}\n{THIRD}"},
    ),
    "at the end of a sentence": order(
        "第十条句末增加“；构成犯罪的，依法处理”。",
        result={10: said(10, "处分。", "处分；构成犯罪的，依法处理。")},
    ),
    "依次顺延为": order(
        "第五条第一款第一项后增加一项，作为第二项：“（二）甲；”，"
        "原第二项至第四项依次顺延为第三项至第五项。",
        result={5: listed(ITEMS[0], "甲", *ITEMS[1:])},
    ),
    # places
    "paragraphs become one": order(
        "第六条第二款、第三款修改为一款，作为第二款：“丙。”", result={6: f"{FIRST}\n丙。"}
    ),
    "articles become one": order(
        "第三条、第四条修改为一条，作为第三条：“合。”", result=without(4) | {3: "合。"}, whole=True
    ),
    "并入": order(
        "第四条并入第三条，作为第三条第三款。",
        result=without(4) | {3: f"{ARTICLES[3]}\n{ARTICLES[4]}"},
        whole=True,
    ),
    "单列一条": order(
        "第五条第二款单列一条，作为第六条，修改为：“乙。”",
        result=others(6, "乙。") | {5: ARTICLES[5].rsplit("\n", 1)[0]},
        whole=True,
    ),
    "to another chapter": order(
        "将第九条移至第一章，作为第三条。", result={3: ARTICLES[9], 4: ARTICLES[3]}
    ),
    "a paragraph of an article that moves down with it": order(
        NEW,
        "第六条第一款改为第七条第一款，修改为：“甲。”",
        result=others(4, "新。") | {7: f"甲。\n{SECOND}\n{THIRD}"},
        whole=True,
    ),
    "a paragraph for another article": order(
        "将第六条第三款改为第七条第二款。",
        result={6: f"{FIRST}\n{SECOND}", 7: f"{ARTICLES[7]}\n{THIRD}"},
    ),
    # an article, then what is ordered of its parts
    "parts below the article": order(
        "对第六条作如下修改：\n（一）第一款修改为：“甲。”\n（二）删去第三款。",
        result={6: f"甲。\n{SECOND}"},
    ),
    "parts below an article that gets another number": order(
        NEW,
        "第六条改为第七条，并作如下修改：\n（一）第一款修改为：“甲。”\n（二）删去第三款。",
        result={7: f"甲。\n{SECOND}"},
    ),
    # what orders nothing
    "words that nobody spells out": order(
        NEW, "对条文顺序作相应调整，对个别文字作了修改。", result=others(4, "新。"), whole=True
    ),
    "a rule for the time before": order(
        NEW,
        "本决定施行前已经批准的灯塔，不再适用修改后的规定。",
        result=others(4, "新。"),
        whole=True,
    ),
    "about what the law orders, not about its text": order(
        NEW,
        "本法第六条规定的审批，由国务院规定过渡办法。",
        result=others(4, "新。"),
        whole=True,
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_an_order_gives_the_law_it_orders_however_it_is_worded(name: str) -> None:
    one = ORDERS[name]
    compilation = compiled(BASE, decision(*one.points))
    assert refusals(compilation) == []
    assert compilation.unapplied == ()
    found = articles(compilation)
    assert {number: found.get(str(number)) for number in one.result} == one.result
    assert not one.whole or len(found) == len(one.result)
    if len(one.points) == 1 and len(found) == len(ARTICLES) and not one.whole:
        unchanged = {str(n): text for n, text in ARTICLES.items() if n not in one.result}
        moved = "移至" in one.points[0]
        assert moved or {number: found[number] for number in unchanged} == unchanged


REFUSED = {
    "an exception of words": ("除“交通部门”外，将第九条中的“部门”修改为“机构”。", "cannot be read"),
    "an exception in brackets": (
        "将本法（第六条除外）中的“交通部门”统一修改为“海事部门”。",
        "除外",
    ),
    "everything after words": ("删去第九条中“施工”之后的内容。", "内容"),
    "two places, one verb": ("删去第九条中“罚款”以前的“可以并处”及其后的“五千元”。", "a place"),
    "a number counted from its chapter": ("第二章增加一条，作为本章第一条：“新。”", "本章第一条"),
    "three occurrences of two": ("第七条中的三处“看守人”修改为“管理人”。", "occur 2 times"),
    "the third of two": ("第七条中的第三个“看守人”修改为“管理人”。", "not 3"),
    "a sentence put after a paragraph": (
        "第六条第二款后增加“逾期视为同意。”",
        "a paragraph or words",
    ),
    "a paragraph of nothing named": ("第六条第一款改为第七条第一款，修改为：“甲。”", "not certain"),
    "words of which each is in one of two articles": (
        "将第二条和第四条中的“使用”、“单位”分别修改为“利用”、“组织”。",
        "which of the words",
    ),
    "an item printed under another number": (
        "第五条第一款第一项、第三项修改为：“（一）甲；\n“（二）乙；”",
        "printed as （二）",
    ),
    "a change that is not spelt out": (
        "根据第六条的修改，对第九条作相应修改。",
        "nothing is ordered",
    ),
    "a number far beyond the last": ("增加一条，作为第二十条：“甲。”", "that is not there"),
    "items that are merged into two": (
        "第五条第一款第二项、第三项合并修改为：“（二）甲；\n“（三）乙；”",
        "items are merged",
    ),
    "an article that is not in its chapter": ("将第二章第三条修改为：“甲。”", "not in 第二章"),
    "a chapter with its articles": (
        "第三章修改为：\n“第三章　责任\n“第九条　甲。”",
        "with its articles",
    ),
    "what becomes part of another article, and it is restated": (
        "第四条并入第三条，修改为：“合。”",
        "not said what is changed",
    ),
    "a quotation mark that opens nothing": ("将第四条修改为：”甲。“", "not closed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_order_that_could_mean_two_things_changes_nothing(name: str) -> None:
    text, reason = REFUSED[name]
    compilation = compiled(BASE, decision(text, reorder=False))
    reasons = [*refusals(compilation), *(one.reason for one in compilation.unapplied)]
    assert any(reason in one for one in reasons), reasons
    kept = articles(compilation) if compilation.versions else {}
    assert all(ARTICLES[int(number)] == text for number, text in kept.items())


def instrument(*lines: str) -> str:
    """A decision that is in force since 2020-07-01, of these lines."""
    return "\n".join(
        [
            f"全国人民代表大会常务委员会关于修改《{TITLE}》的决定",
            "（2020年6月1日第十三届全国人民代表大会常务委员会第二十次会议通过）",
            *lines,
            "本决定自2020年7月1日起施行。",
        ]
    )


PRINTS = {
    "straight quotation marks": ('一、将第四条修改为："甲。\n"乙。"',),
    "corner brackets": ("一、将第四条修改为：「甲。\n「乙。」",),
    "a Markdown quotation": ("## 一、将第四条修改为：", "> “甲。", "> “乙。”"),
}


@pytest.mark.parametrize("name", PRINTS)
def test_new_wording_is_read_whatever_marks_a_copy_has(name: str) -> None:
    compilation = compiled(BASE, instrument(*PRINTS[name]))
    assert refusals(compilation) == []
    assert articles(compilation)["4"] == "甲。\n乙。"


def test_the_day_of_publication_in_the_header_is_that_of_commencement_if_it_says_so() -> None:
    text = (
        f"全国人民代表大会常务委员会关于修改《{TITLE}》的决定\n"
        "（2020年6月1日第十三届全国人民代表大会常务委员会第二十次会议通过\n"
        "2020年6月3日中华人民共和国主席令第七号公布　自公布之日起施行）\n"
        "一、第四条修改为：“甲。”\n"
    )
    [version] = compiled(BASE, text).versions
    assert version.day.isoformat() == "2020-06-03"


def test_laws_listed_below_a_sentence_that_repeals_them_are_repealed() -> None:
    text = (
        "国务院关于废止部分行政法规的决定\n"
        "（2020年6月1日中华人民共和国国务院令第700号公布）\n"
        "国务院决定废止以下行政法规：\n"
        "一、《航标条例》（1990年1月1日国务院发布）\n"
        f"二、《{TITLE}》（2000年1月1日发布）\n"
        "本决定自2020年7月1日起施行。\n"
    )
    repealed = compiled(BASE, text).repealed
    assert repealed is not None
    assert repealed.day.isoformat() == "2020-07-01"


def test_a_text_dated_by_the_day_the_decision_was_passed_shows_no_missing_instrument() -> None:
    text = decision("将第四条修改为：“甲。”", reorder=False)
    passed = {str(n): article for n, article in ARTICLES.items()} | {"4": "甲。"}
    republished = law(passed, start=date(2020, 6, 1))
    compilation = compiled(BASE, text, republished=(republished,))
    assert compilation.gaps == ()
    other = law(passed | {"8": "乙。"}, start=date(2020, 6, 1))
    assert compiled(BASE, text, republished=(other,)).gaps
