"""Every form of instruction, a decision each; the law is ours, the drafting is the official one."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from compile_world import (
    LIST,
    PROVISO,
    TWO,
    articles,
    compiled,
    decision,
    plain,
    refusals,
    ten_articles,
)

BASE = ten_articles()


@dataclass(frozen=True)
class Form:
    """A decision's points, what some articles say afterwards, and how many there are."""

    points: tuple[str, ...]
    result: dict[str, str] = field(default_factory=dict[str, str])
    count: int = 10
    reorder: bool = True


def form(*points: str, count: int = 10, reorder: bool = True, **result: str) -> Form:
    texts = {name.removeprefix("a").replace("_", "-"): text for name, text in result.items()}
    return Form(points, texts, count, reorder)


FORMS = {
    # replacing
    "将A修改为": form("将第二条修改为：“灯塔应当明亮。”", a2="灯塔应当明亮。"),
    "several paragraphs": form(
        "将第二条修改为：“灯塔应当明亮。\n“灯塔应当坚固。”", a2="灯塔应当明亮。\n灯塔应当坚固。"
    ),
    "no 将": form("第二条修改为：“灯塔。”", a2="灯塔。"),
    "half-width colon": form("将第二条修改为:“灯塔。”", a2="灯塔。"),
    "no colon, stop outside": form("将第二条修改为“灯塔应当明亮”。", a2="灯塔应当明亮。"),
    "no quotation marks": form("将第十条修改为：灯塔归国家所有。", a10="灯塔归国家所有。"),
    "nested quotations": form(
        "将第十条修改为：“本法所称‘灯塔’，是指航标。”", a10="本法所称“灯塔”，是指航标。"
    ),
    "nested quotations with the same marks": form(
        "将第十条修改为：“本法所称“灯塔”，是指航标。”", a10="本法所称“灯塔”，是指航标。"
    ),
    "a paragraph": form(
        "将第三条第二款修改为：“处警告。”", a3=LIST.replace("违反前款规定的，处以罚款", "处警告")
    ),
    "two paragraphs": form("将第五条第一款、第二款修改为：“甲。\n“乙。”", a5="甲。\n乙。"),
    "两款 abbreviated": form("将第五条第一、二款修改为：“甲。\n“乙。”", a5="甲。\n乙。"),
    "one paragraph becomes two": form(
        "第五条第二款修改为两款，作为第二款、第三款：“甲。\n“乙。”",
        a5="灯塔由县级人民政府管理。\n甲。\n乙。",
    ),
    "an article becomes so many paragraphs": form(
        "第五条修改为三款：“甲。\n“乙。\n“丙。”", a5="甲。\n乙。\n丙。"
    ),
    "an item, its stop left out": form(
        "将第三条第一款第二项修改为：“（二）值夜”。", a3=LIST.replace("守夜", "值夜")
    ),
    "an item in brackets, without number": form(
        "第三条第（二）项修改为“值夜；”。", a3=LIST.replace("守夜", "值夜")
    ),
    "a sentence": form(
        "将第七条第二句修改为：“处罚款。”", a7=PROVISO.replace("有前款行为的，责令改正", "处罚款")
    ),
    "the words above the items": form(
        "将第三条第一款引导语修改为：“管理人必须”。",
        a3=LIST.replace("灯塔管理人应当", "管理人必须"),
    ),
    "items, each in marks of its own": form(
        "将第三条第一款第二项、第三项分别修改为：\n“（二）值夜；”\n“（三）登记。”",
        a3=LIST.replace("守夜", "值夜").replace("记录", "登记"),
    ),
    "one paragraph becomes two by their numbers": form(
        "将第五条第一款修改为第一款、第二款：“甲。\n“乙。”",
        a5="甲。\n乙。\n具体办法由交通部门制定。",
    ),
    "a first paragraph printed with the number of its article": form(
        "第五条第一款修改为：\n“第五条　甲。”", a5="甲。\n具体办法由交通部门制定。"
    ),
    "several articles by their numbers": form(
        "将第八条、第九条修改为：\n“第八条　八。\n“第九条　九。\n“又九。”",
        a8="八。",
        a9="九。\n又九。",
    ),
    # words
    "words": form("将第五条第一款中的“县级”修改为“市级”。", a5=TWO.replace("县级", "市级")),
    "words in a list": form(
        "将第五条第一款中的“县级”修改为“市级”，第二款中的“交通部门”修改为“海事部门”。",
        a5="灯塔由市级人民政府管理。\n具体办法由海事部门制定。",
    ),
    "words joined by 、": form(
        "将第五条中的“县级”修改为“市级”、“交通部门”修改为“海事部门”。",
        a5="灯塔由市级人民政府管理。\n具体办法由海事部门制定。",
    ),
    "words pairwise": form(
        "将第五条第一款中的“县级”、第二款中的“交通部门”分别修改为“市级”、“海事部门”。",
        a5="灯塔由市级人民政府管理。\n具体办法由海事部门制定。",
    ),
    "several words become one": form(
        "将第五条中的“县级”、“交通部门”修改为“市级”。",
        a5="灯塔由市级人民政府管理。\n具体办法由市级制定。",
    ),
    "words in several articles": form(
        "将第二条、第四条、第六条中的“管理人”修改为“看守人”。",
        a2=plain(2).replace("管理人", "看守人"),
        a6=plain(6).replace("管理人", "看守人"),
    ),
    "words in a range": form(
        "将第八条至第十条中的“管理人”修改为“看守人”。", a9=plain(9).replace("管理人", "看守人")
    ),
    "words in the whole law": form(
        "将本法中的“管理人”统一修改为“看守人”。",
        a2=plain(2).replace("管理人", "看守人"),
        a3=LIST.replace("管理人", "看守人"),
    ),
    "words called 一词": form(
        "将第五条中的“县级”一词修改为“市级”。", a5=TWO.replace("县级", "市级")
    ),
    "the words after a comma": form(
        "将第五条第一款中的“县级”，修改为“市级”。", a5=TWO.replace("县级", "市级")
    ),
    "words after words": form(
        "在第五条第一款中的“县级”后增加“以上地方”。", a5=TWO.replace("县级", "县级以上地方")
    ),
    "words before words": form(
        "在第五条第二款“交通部门”前增加“国务院”。",
        a5=TWO.replace("交通部门", "国务院交通部门"),
    ),
    "words deleted": form(
        "删去第七条中的“，但是法律另有规定的除外”。",
        a7=PROVISO.replace("，但是法律另有规定的除外", ""),
    ),
    "words deleted, the mark left over goes": form(
        "将第七条中的“但是法律另有规定的除外”删去。",
        a7=PROVISO.replace("，但是法律另有规定的除外", ""),
    ),
    "第一款删去": form("第五条第一款删去“县级”。", a5=TWO.replace("县级", "")),
    "words deleted in two places": form(
        "删去第五条第一款中的“县级”和第二款中的“具体”。",
        a5="灯塔由人民政府管理。\n办法由交通部门制定。",
    ),
    "a proviso": form("删去第七条的但书。", a7=PROVISO.replace("，但是法律另有规定的除外", "")),
    "a sentence deleted": form("删去第七条第二句。", a7=PROVISO[: PROVISO.index("有前款")]),
    "at the end": form(
        "第七条末尾增加：“情节严重的，处罚款。”", a7=PROVISO + "情节严重的，处罚款。"
    ),
    "一句": form("第七条增加一句，作为第三句：“处罚款。”", a7=PROVISO + "处罚款。"),
    "增加规定": form("第五条增加规定：“灯塔免税。”", a5=TWO + "\n灯塔免税。"),
    "words between words": form(
        "在第五条第一款的“县级”与“人民政府”之间增加“以上地方”。",
        a5=TWO.replace("县级", "县级以上地方"),
    ),
    "after these words, before those": form(
        "第五条第一款“灯塔由”之后、“县级”之前增加“省级、”。",
        a5=TWO.replace("县级", "省级、县级"),
    ),
    "有关条文, listed below": form(
        "将有关条文中的“管理人”修改为“看守人”：\n（一）第二条；\n（二）第四条。",
        a2=plain(2).replace("管理人", "看守人"),
        a4=plain(4).replace("管理人", "看守人"),
        a6=plain(6),
    ),
    "下列条文, listed on the same line": form(
        "将下列条文中的“管理人”修改为“看守人”：第二条、第四条。",
        a2=plain(2).replace("管理人", "看守人"),
        a4=plain(4).replace("管理人", "看守人"),
        a6=plain(6),
    ),
    "本法相关条文": form(
        "将本法相关条文中的“管理人”修改为“看守人”。", a9=plain(9).replace("管理人", "看守人")
    ),
    "对部分条文作以下修改": form(
        "对部分条文作以下修改：\n（一）将第二条中的“管理人”修改为“看守人”。\n"
        "（二）删去第五条第一款中的“县级”。",
        a2=plain(2).replace("管理人", "看守人"),
        a5=TWO.replace("县级", ""),
    ),
    "the old wording in full, then the new": form(
        f"第十条“{plain(10)}”修改为：“灯塔。”", a10="灯塔。"
    ),
    # inserting
    "增加一条，作为第N条": form(
        "增加一条，作为第三条：“新条。”", a3="新条。", a4=LIST, a11=plain(10), count=11
    ),
    "在A后增加一条": form("在第三条后增加一条：“新条。”", a4="新条。", a5=plain(4), count=11),
    "在A前增加一条": form(
        "在第一条前增加一条，作为第一条：“新。”", a1="新。", a2=plain(1), count=11
    ),
    "之一": form(
        "在第三条后增加一条，作为第三条之一：“新条。”",
        a3_1="新条。",
        a4=plain(4),
        count=11,
        reorder=False,
    ),
    "增加第三条之一": form("增加第三条之一：“新条。”", a3_1="新条。", count=11, reorder=False),
    "several 之 articles": form(
        "在第三条后增加三条，作为第三条之一至第三条之三：\n"
        "“第三条之一　甲。\n“乙。\n“第三条之二　丙。\n“第三条之三　丁。”",
        a3_1="甲。\n乙。",
        a3_3="丁。",
        count=13,
        reorder=False,
    ),
    "several articles": form(
        "增加二条，作为第三条、第四条：\n“第三条　甲。\n“乙。\n“第四条　丙。”",
        a3="甲。\n乙。",
        a4="丙。",
        a5=LIST,
        count=12,
    ),
    "a range of articles": form(
        "在第四条后增加三条，作为第五条至第七条：“甲。\n“乙。\n“丙。”",
        a5="甲。",
        a7="丙。",
        a9=plain(6),
        count=13,
    ),
    "the number after the wording": form(
        "第五条后增加一条：“甲。”，作为第六条。", a6="甲。", a7=plain(6), count=11
    ),
    "a first paragraph": form("第五条增加一款，作为第一款：“甲。”", a5="甲。\n" + TWO),
    "a last paragraph": form("第五条增加一款，作为第三款：“甲。”", a5=TWO + "\n甲。"),
    "two paragraphs, the others move": form(
        "第五条第二款改为第四款，增加二款，分别作为第二款、第三款：“甲。\n“乙。”",
        a5="灯塔由县级人民政府管理。\n甲。\n乙。\n具体办法由交通部门制定。",
    ),
    "a paragraph, then the article restated": form(
        "在第五条中增加一款作为第二款，将该条修改为：“甲。\n“乙。\n“丙。”", a5="甲。\n乙。\n丙。"
    ),
    "an item": form(
        "第三条第一款增加一项，作为第二项：“（二）擦灯；”，第二项、第三项改为第三项、第四项。",
        a3=LIST.replace("（二）守夜；\n（三）记录", "（二）擦灯；\n（三）守夜；\n（四）记录"),
    ),
    "a last item": form(
        "在第三条第一款中增加一项，作为第四项：“（四）报告。”",
        a3=LIST.replace("记录。", "记录；\n（四）报告。"),
    ),
    # deleting
    "删去": form("删去第二条。", a2=LIST, a9=plain(10), count=9),
    "删除 several": form("删除第一条、第二条。", a1=LIST, a8=plain(10), count=8),
    "deleted, nothing said of the numbers": form(
        "删去第二条。", a3=LIST, a10=plain(10), count=9, reorder=False
    ),
    "a paragraph deleted": form("删去第五条第二款。", a5="灯塔由县级人民政府管理。"),
    "an item deleted": form(
        "删去第三条第一款第一项。",
        a3=LIST.replace("（一）点灯；\n（二）守夜；\n（三）", "（一）守夜；\n（二）"),
    ),
    "the last item deleted": form(
        "删去第三条第一款第三项。", a3=LIST.replace("守夜；\n（三）记录。", "守夜。")
    ),
    # new numbers
    "改为 and 修改为": form(
        "增加一条，作为第五条：“加。”",
        "将第五条改为第六条，修改为：“新。”",
        a5="加。",
        a6="新。",
        count=11,
    ),
    "改为 with 其中的": form(
        "增加一条，作为第五条：“加。”",
        "将第五条改为第六条，其中的“县级”修改为“市级”。",
        a6=TWO.replace("县级", "市级"),
        count=11,
    ),
    "修改为 as 改为": form(
        "增加一条，作为第九条：“加。”",
        "将第九条修改为第十条：“新。”",
        "将第十条修改为第十一条。",
        a10="新。",
        a11=plain(10),
        count=11,
        reorder=False,
    ),
    "原A作为B": form(
        "增加一条作为第九条：“加。”",
        "原第九条作为第十条。",
        "原第十条作为第十一条。",
        a9="加。",
        a11=plain(10),
        count=11,
        reorder=False,
    ),
    "a range of new numbers": form(
        "增加一条，作为第九条：“甲。”",
        "原第九条、第十条依次改为第十条、第十一条。",
        a11=plain(10),
        count=11,
        reorder=False,
    ),
    "顺延": form(
        "增加一条，作为第九条：“甲。”",
        "其他条文序号依次顺延。",
        a11=plain(10),
        count=11,
        reorder=False,
    ),
    "an article moves": form(
        "将第二条改为第六条。",
        "将第三条改为第二条。",
        a2=LIST,
        a3=plain(4),
        a6=plain(2),
        a7=PROVISO,
    ),
    "第一款删去, the second takes its place": form(
        "删去第三条第一款，第二款改为第一款并修改为：“处以罚款。”", a3="处以罚款。"
    ),
    "a paragraph becomes an article": form(
        "将第五条第二款改为第六条，修改为：“办法另定。”",
        a5="灯塔由县级人民政府管理。",
        a6="办法另定。",
        a7=plain(6),
        count=11,
    ),
    "a paragraph becomes the first of an article": form(
        "将第五条第二款改为第六条第一款，增加一款，作为第二款：“乙。”",
        a6="具体办法由交通部门制定。\n乙。",
        a7=plain(6),
        count=11,
    ),
    "an article becomes a paragraph": form(
        "将第六条改为第五条第三款。", a5=TWO + "\n" + plain(6), a6=PROVISO, count=9
    ),
    "an article becomes the first paragraph": form(
        "将第六条改为第六条第一款，增加一款，作为第二款：“乙。”", a6=plain(6) + "\n乙。"
    ),
    "an article is moved beside another": form(
        "将第八条移至第二条之后，作为第三条。", a3=plain(8), a4=LIST, a8=PROVISO
    ),
    "an article is moved by its number": form("将第八条调整为第三条。", a3=plain(8), a8=PROVISO),
    "two articles change places": form(
        "将第二条修改为第三条，将第三条修改为第二条。", a2=LIST, a3=plain(2)
    ),
    "a paragraph becomes an article of its own": form(
        "将第三条第二款单独作为一条，作为第四条，修改为：“处罚。”",
        a4="处罚。",
        a5=plain(4),
        count=11,
    ),
    "单列": form("将第三条第二款单列为第四条。", a4="违反前款规定的，处以罚款。", count=11),
    "every paragraph becomes an article": form(
        "将第三条第一款改为第三条，第二款改为第四条。", a4="违反前款规定的，处以罚款。", count=11
    ),
    # merging, splitting
    "合并": form(
        "将第一条、第二条合并，作为第一条，修改为：“合并。”", a1="合并。", a9=plain(10), count=9
    ),
    "合并为一条": form("第一条和第二条合并为一条，作为第一条：“合并。”", a1="合并。", count=9),
    "合并为第四条": form(
        "将第四条与第五条合并为第四条，其内容为：“合并。”", a4="合并。", a5=plain(6), count=9
    ),
    "合并，改为": form(
        "将第四条、第五条合并，改为第四条，修改为：“合并。”", a4="合并。", a5=plain(6), count=9
    ),
    "合并修改为": form("将第五条第一款、第二款合并修改为：“甲。”", a5="甲。"),
    "two become one": form("将第一条、第二条改为第一条，修改为：“甲。”", a1="甲。", count=9),
    "items merged": form(
        "将第三条第一款第二项、第三项合并，作为第二项，修改为：“（二）守夜并记录。”",
        a3=LIST.replace("守夜；\n（三）记录", "守夜并记录"),
    ),
    "分为两条": form(
        "将第五条分为两条，作为第五条、第六条。",
        a5="灯塔由县级人民政府管理。",
        a6="具体办法由交通部门制定。",
        count=11,
    ),
    "one becomes two": form(
        "将第四条改为第四条、第五条，修改为：“第四条　甲。\n“第五条　乙。”",
        a4="甲。",
        a5="乙。",
        a6=TWO,
        count=11,
    ),
    "分为两款": form(
        "将第七条分为两款，修改为：“任何人不得损毁灯塔。\n“责令改正。”",
        a7="任何人不得损毁灯塔。\n责令改正。",
    ),
    # structure
    "a chapter with its articles": form(
        "增加一章，作为第三章：\n“第三章　法律责任\n“第十一条　甲。\n“第十二条　乙。”",
        a11="甲。",
        a12="乙。",
        count=12,
    ),
    "a chapter before another": form(
        "将第二章改为第三章，增加一章，作为第二章：“第二章　航标\n“第五条　航标。”",
        a5="航标。",
        a6=TWO,
        count=11,
    ),
    "a chapter whose articles come in a point of their own": form(
        "增加一章，作为第三章“法律责任”。",
        "增加二条，作为第十一条、第十二条：\n“第十一条　甲。\n“第十二条　乙。”",
        a11="甲。",
        a12="乙。",
        count=12,
    ),
    "a chapter with sections": form(
        "增加一章，作为第三章：\n“第三章　责任\n“第一节　一般\n“第十一条　甲。\n"
        "“第二节　特别\n“第十二条　乙。”",
        a11="甲。",
        a12="乙。",
        count=12,
    ),
    "a chapter goes with its articles": form("删去第二章“管理”。", a4=plain(4), count=4),
    "in a chapter": form("在第一章中增加一条，作为第五条：“新。”", a5="新。", a6=TWO, count=11),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_law_it_orders(name: str) -> None:
    one = FORMS[name]
    compilation = compiled(BASE, decision(*one.points, reorder=one.reorder))
    assert refusals(compilation) == []
    assert compilation.unapplied == ()
    found = articles(compilation)
    assert {number: found.get(number) for number in one.result} == one.result
    assert len(found) == one.count


def paths(*points: str) -> dict[str, str]:
    text = compiled(BASE, decision(*points)).versions[-1].text
    return {one.number.short: one.path for one in text.provisions}


def test_a_new_article_stands_in_the_chapter_it_is_added_to() -> None:
    assert paths("在第一章中增加一条，作为第五条：“新。”")["5"] == "第一章 总则"
    assert paths("在第五条后增加一条，作为第六条：“新。”")["6"] == "第二章 管理"


def test_a_chapter_is_renamed_and_renumbered() -> None:
    assert paths("将第二章章名修改为：“第二章　监督管理”。")["5"] == "第二章 监督管理"
    assert paths("第二章章名“管理”修改为“监督”。")["5"] == "第二章 监督"
    moved = paths("将第二章改为第三章，增加一章，作为第二章：“第二章　航标\n“第五条　航标。”")
    assert (moved["5"], moved["6"]) == ("第二章 航标", "第三章 管理")


def test_a_chapter_is_divided_into_sections() -> None:
    found = paths(
        "第二章分为二节，第五条至第七条作为第一节，节名为：“第一节　甲”；"
        "第八条至第十条作为第二节，节名为：“第二节　乙”。"
    )
    assert found["4"] == "第一章 总则"
    assert (found["5"], found["10"]) == ("第二章 管理 / 第一节 甲", "第二章 管理 / 第二节 乙")


def test_a_new_chapter_takes_over_articles_or_has_the_new_ones() -> None:
    given = paths("增加一章，作为第三章“法律责任”，将第八条至第十条作为第三章的内容。")
    assert (given["7"], given["8"]) == ("第二章 管理", "第三章 法律责任")
    before = paths("在第八条前增加一章，作为第三章，章名为“法律责任”。")
    assert before == given
    new = paths(
        "增加一章，作为第三章“法律责任”。", "增加二条，作为第十一条、第十二条：“甲。\n“乙。”"
    )
    assert (new["10"], new["11"]) == ("第二章 管理", "第三章 法律责任")


def test_a_new_chapter_of_which_no_article_is_named_is_noted() -> None:
    compilation = compiled(BASE, decision("第一章中增加一节，作为第一节，节名为“一般规定”。"))
    assert "it is not said which articles it has" in compilation.versions[-1].notes[0]


def test_an_article_at_the_border_of_two_chapters_is_said_to_be_placed_without_being_told() -> None:
    compilation = compiled(BASE, decision("增加一条，作为第五条：“新。”"))
    assert any("no chapter is named" in note for note in compilation.versions[-1].notes)


def test_the_title_changes_and_the_law_goes_by_the_new_one() -> None:
    compilation = compiled(BASE, decision("将名称修改为：“中华人民共和国灯塔法”。"))
    assert compilation.versions[-1].text.version.work == "中华人民共和国灯塔法"
