"""What is not certain is refused with the reason, and its article is left out, never guessed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from compile_world import TITLE, articles, compiled, decision, law, refusals

from inforce.corpus.compile.versions import Compilation

BASE = law(
    {
        "1": "灯塔由管理人看守，管理人应当守夜。",
        "2": "灯塔管理人应当：\n（一）点灯；\n（二）守夜。\n违反前款规定的，处以罚款。",
        "3": "灯塔由县级人民政府管理。\n具体办法由交通部门制定。",
        "4": "灯塔应当明亮。",
        "5": "本法自2000年1月1日起施行。",
    },
    paths={str(number): "第一章 总则" for number in range(1, 6)},
)

ONE_CLAUSE = {
    "words that are not there": ("将第四条中的“黑暗”修改为“光明”。", "do not occur in 第四条"),
    "words that are there twice": ("将第一条中的“管理人”修改为“看守人”。", "occur 2 times"),
    "words to delete that are there twice": ("删去第一条中的“管理人”。", "occur 2 times"),
    "words that only the new wording has": (
        "将第四条中的“明亮”修改为“光明、清洁”，“清洁”修改为“整洁”。",
        "not in the old text of 第四条, only in the new",
    ),
    "words side by side of which one is not there": (
        "删去第四条中的“明亮”“黑暗”。",
        "“黑暗” do not occur",
    ),
    "a verb without its 为": ("将第四条中的“明亮”修改“光明”。", "stops at '修改“…”'"),
    "words beside which something is put, not there": (
        "在第四条中的“黑暗”后增加“光明”。",
        "do not occur",
    ),
    "a paragraph the article does not have": (
        "将第三条第三款修改为：“甲。”",
        "第三条 has no 第三款 (it has 2)",
    ),
    "an item the article does not have": (
        "将第二条第三项修改为：“甲；”",
        "第二条 has no 第三项",
    ),
    "a sentence the article does not have": ("将第四条第二句修改为：“甲。”", "only 1 sentences"),
    "a quotation that is not closed": ("将第四条修改为：“甲。", "not closed"),
    "an empty quotation": ("将第四条修改为：“”。", "empty"),
    "a verb nobody knows": ("将第四条中的“明亮”搞成“光明”。", "cannot be read"),
    "a part, and nothing ordered of it": ("第四条第一款。", "nothing is ordered"),
    "words put at the beginning without a mark": (
        "第四条开头增加“为了安全”。",
        "no mark after them",
    ),
    "two paragraphs announced, one given": (
        "第四条增加二款，作为第二款、第三款：“甲。”",
        "2 paragraphs are added, but 1 are given",
    ),
    "a paragraph with a number that is too high": (
        "第四条增加一款，作为第四款：“甲。”",
        "cannot be number 4 of 2",
    ),
    "new wording numbered as another article": (
        "将第四条修改为：\n“第三条　甲。”",
        "numbered 第三条",
    ),
    "new wording of a paragraph numbered as another article": (
        "将第四条第一款修改为：\n“第三条　甲。”",
        "numbered 第三条",
    ),
    "three parts restated by two": (
        "将第三条第一款、第二款分别修改为：“甲。”",
        "2 parts are restated by 1",
    ),
    "paragraphs merged, and not how they read": (
        "将第三条第一款、第二款合并为一款。",
        "how 第三条 reads now",
    ),
    "an article of two paragraphs split into one": (
        "将第三条分为一条。",
        "how 第三条 reads now",
    ),
    "an item split, and not into which": (
        "将第二条第一款第二项分为两项。",
        "an item of 第二条 has no wording",
    ),
    "a paragraph deleted, then restated": (
        "删去第三条第一款，修改为：“甲。\n“乙。”",
        "第三条 was deleted before",
    ),
    "words at the end of what is deleted": (
        "删去第三条第一款、第二款。第三条末尾增加“甲。”",
        "nothing is left of 第三条",
    ),
    "a character of a private font outside quotations": (
        "将第四条中的“明亮”修改为\ue000“光明”。",
        "cannot be read",
    ),
    "words after and before that do not adjoin": (
        "在第三条第一款的“灯塔”与“管理”之间增加“均”。",
        "do not occur",
    ),
}
"""What is ordered, and the reason why it is not done; only the article spoken of is uncertain."""


@pytest.mark.parametrize("name", ONE_CLAUSE)
def test_a_clause_that_does_not_fit_is_refused_and_only_its_article_is_left_out(name: str) -> None:
    order, reason = ONE_CLAUSE[name]
    compilation = compiled(BASE, decision("将第五条修改为：“新五条。”", order, reorder=False))
    assert [one for one in refusals(compilation) if reason in one], refusals(compilation)
    version = compilation.versions[-1]
    found = articles(compilation)
    assert found["5"] == "新五条。"
    left_out = {one.short for one in version.text.version.holes}
    assert left_out
    assert {number: text for number, text in found.items() if number != "5"} == {
        one.number.short: one.text
        for one in BASE.provisions
        if one.number.short not in left_out | {"5"}
    }


STRUCTURAL = {
    "an article that is not there": "将第九条修改为：“甲。”",
    "an article that is deleted, not there": "删去第四条、第九条。",
    "an article added with no wording": "增加一条，作为第三条。",
    "two articles added, the wording of one": "增加二条，作为第三条、第四条：“甲。”",
    "two articles with the same number": "将第二条改为第三条，将第四条改为第三条。",
    "a merger of one": "将第三条合并。",
    "an unknown verb that may change the numbers": "将第三条与第四条的顺序对调。",
    "an article that becomes part of another": "第三条并入第四条。",
    "a new article with another number than it is printed under": (
        "增加一条，作为第三条：\n“第四条　甲。”"
    ),
    "a number far beyond the last": "增加一条，作为第二十条：“甲。”",
    "an article pushed past others of which nothing is said": "将第一条改为第四条。",
    "an article merged with itself": "将第三条、第三条合并，作为第三条，修改为：“甲。”",
    "an article printed under what is no number": (
        "增加二条，作为第六条、第七条：\n“第十十条　甲。\n“第七条　乙。”"
    ),
    "a chapter printed under what is no number": (
        "增加一章，作为第二章：\n“第十十章　罚则\n“第六条　甲。”"
    ),
    "articles put after one that is deleted": (
        "删去第三条。在第三条后增加二条，作为第三条之一、第三条之二："
        "\n“第三条之一　甲。\n“第三条之二　乙。”"
    ),
    "words that become a chapter": "“甲”作为第三章。",
    "an item added to a chapter": "第一章增加一项：“甲；”",
    "a heading in the middle of an article": "将第四条修改为：\n“第四条　甲。\n“第二章　乙\n“丙。”",
}


@pytest.mark.parametrize("name", STRUCTURAL)
def test_where_the_numbering_is_uncertain_there_is_no_version_at_all(name: str) -> None:
    compilation = compiled(BASE, decision("将第五条修改为：“新五条。”", STRUCTURAL[name]))
    if name == "a heading in the middle of an article":
        assert "4" not in articles(compilation)
        return
    assert compilation.versions == ()
    assert len(compilation.unapplied) == 1


def test_a_law_does_not_get_two_names() -> None:
    compilation = compiled(BASE, decision("名称改为《甲法》和《乙法》。", reorder=False))
    assert refusals(compilation) == ["the new title is not given"]
    assert compilation.versions[-1].text.version.work == TITLE


def test_an_article_that_is_named_twice_is_moved_once() -> None:
    compilation = compiled(BASE, decision("将第四条、第四条移至第一条之后。"))
    assert articles(compilation)["2"] == "灯塔应当明亮。"


def test_a_later_instrument_is_not_applied_to_an_uncertain_text() -> None:
    first = decision("删去第九条。")
    second = decision("将第四条修改为：“甲。”").replace("2020", "2021")
    compilation = compiled(BASE, first, second)
    assert compilation.versions == ()


WORDS_GO_ELSEWHERE = {
    "to another article as a paragraph": ("第四条", "将第四条改为第三条第三款。", "明亮"),
    "into another article": ("第四条", "将第三条、第四条合并为一条。", "明亮"),
    "out of an article": ("第三条第二款", "将第三条第二款改为第四条。", "具体办法"),
    "to two articles": ("第三条第二款", "将第三条分为两条。", "具体办法"),
}


@pytest.mark.parametrize("name", WORDS_GO_ELSEWHERE)
def test_what_is_not_certain_is_not_certain_where_it_goes(name: str) -> None:
    part, order, words = WORDS_GO_ELSEWHERE[name]
    compilation = compiled(BASE, decision(f"将{part}中的“黑暗”修改为“光明”。", order))
    assert compilation.versions
    assert words not in "".join(articles(compilation).values())


def test_an_instrument_in_force_before_one_adopted_earlier_is_refused() -> None:
    first = decision("将第四条修改为：“甲。”", reorder=False).replace("自2020年7月", "自2020年12月")
    second = decision("将第五条修改为：“乙。”", reorder=False)
    second = second.replace("2020年6月1日", "2020年8月1日").replace("自2020年7月", "自2020年9月")
    compilation = compiled(BASE, first, second)
    assert compilation.versions == ()
    assert [failed.reason for failed in compilation.unapplied] == [
        "it is in force before an instrument that was adopted earlier"
    ]
    assert compilation.base.version.validity.end == date(2020, 9, 1)


def test_an_article_that_was_left_out_comes_back_when_it_is_restated_in_full() -> None:
    first = decision("将第四条中的“黑暗”修改为“光明”。", reorder=False)
    second = decision("将第四条修改为：“甲。”", reorder=False).replace("2020", "2021")
    third = decision("将第四条中的“甲”修改为“乙”。", reorder=False).replace("2020", "2022")
    compilation = compiled(BASE, first, second, third)
    holes = [[one.short for one in v.text.version.holes] for v in compilation.versions]
    assert holes == [["4"], [], []]
    assert articles(compilation)["4"] == "乙。"


def test_words_of_an_article_the_base_does_not_hold_are_not_invented() -> None:
    base = law({"1": "甲。", "3": "丙。"}, holes=("2",))
    compilation = compiled(base, decision("将第二条中的“乙”修改为“丁”。", reorder=False))
    assert "does not hold 第二条" in refusals(compilation)[0]
    assert [one.short for one in compilation.versions[-1].text.version.holes] == ["2"]
    restated = compiled(base, decision("将第二条修改为：“乙。”", reorder=False))
    assert articles(restated) == {"1": "甲。", "2": "乙。", "3": "丙。"}


def test_a_base_that_already_reads_as_ordered_is_not_the_text_that_is_amended() -> None:
    order = decision("将第三条修改为：“甲。”", "将第四条修改为：“乙。”", reorder=False)
    after = compiled(BASE, order).versions[-1].text
    again = replace(after, version=replace(after.version, validity=BASE.version.validity))
    compilation = compiled(again, order)
    assert compilation.versions == ()
    assert "already reads" in compilation.unapplied[0].reason


def test_without_a_day_of_publication_nothing_is_dated_by_guess() -> None:
    text = decision("将第四条修改为：“甲。”").replace(
        "全国人民代表大会常务委员会", "海州市人民政府"
    )
    text = text.replace("本决定自2020年7月1日起施行", "本决定自公布之日起施行")
    compilation = compiled(BASE, text)
    assert compilation.versions == ()
    assert "the day of publication is not stated" in compilation.unapplied[0].reason
    dated = compiled(BASE, text.replace("会议通过）", "会议通过 2020年6月9日公布）"))
    assert dated.versions[-1].day == date(2020, 6, 9)


def test_nothing_is_compiled_beyond_an_instrument_on_whose_day_nothing_is_known() -> None:
    first = decision("将第四条修改为：“甲。”", reorder=False)
    undated = first.replace("自2020年7月1日起施行", "自另行公布之日起施行")
    later = decision("将第三条修改为：“乙。”", reorder=False).replace("2020", "2022")
    compilation = compiled(BASE, undated, later)
    assert compilation.versions == ()
    assert compilation.base.version.validity.status == "unknown"


@pytest.mark.parametrize("numbers", [("一、", "三、"), ("一、", "（一）", "（三）")])
def test_an_instrument_of_which_the_copy_lacks_a_point_makes_no_version(
    numbers: tuple[str, ...],
) -> None:
    whole = decision("将第三条修改为：“乙。”", "将第四条修改为：“甲。”", reorder=False)
    heads = f"{numbers[0]}对本法作如下修改\n" if len(numbers) == 3 else ""
    text = whole.replace("二、", numbers[-1]).replace("一、", heads + numbers[-2])
    compilation = compiled(BASE, text)
    assert compilation.versions == ()
    first, last = (one.rstrip("、") for one in numbers[-2:])
    assert f"from {first} to {last}" in compilation.unapplied[0].reason


# Assertions and evidence -------------------------------------------------------------------------

ASSERTED = "在第四条中的“应当”前增加“必须并”，这一条相应修改为：“{}”"


def test_an_assertion_of_the_result_is_tested() -> None:
    good = compiled(BASE, decision(ASSERTED.format("灯塔必须并应当明亮。")))
    assert [one.status for one in good.outcomes if one.text.startswith("这一条")] == ["confirmed"]
    bad = compiled(BASE, decision(ASSERTED.format("灯塔必须应当明亮。"), reorder=False))
    assert refusals(bad) == ["第四条 differs in its words from …相应修改为"]
    assert [one.short for one in bad.versions[-1].text.version.holes] == ["4"]


def test_the_comma_an_inserted_phrase_needs_is_the_one_the_assertion_shows() -> None:
    both = "灯塔应当明亮，灯塔应当坚固"
    order = f"在第四条“灯塔应当明亮”后增加“灯塔应当坚固”，这一条相应修改为：“{both}。”"
    found = compiled(BASE, decision(order))
    assert refusals(found) == []
    assert articles(found)["4"] == f"{both}。"


def test_commas_are_not_tried_beside_any_number_of_inserted_words() -> None:
    added = "甲乙丙丁戊己庚辛壬癸子丑寅卯"
    clauses = "，".join(f"“明亮”后增加“{one}”" for one in added)
    order = f"第四条{clauses}，这一条相应修改为：“灯塔应当明亮，{'、'.join(reversed(added))}。”"
    found = compiled(BASE, decision(order, reorder=False))
    assert "第四条 differs in its marks from …相应修改为" in refusals(found)


def test_words_that_occur_twice_are_all_replaced_only_if_the_republished_text_has_them_so() -> None:
    order = decision("将第一条中的“管理人”修改为“看守人”。", reorder=False)
    both = "灯塔由看守人看守，看守人应当守夜。"

    def held(text: str) -> Compilation:
        republished = law({"1": text}, start=date(2020, 7, 1))
        return compiled(BASE, order, republished=(republished,))

    assert articles(held(both))["1"] == both
    one = held(both.replace("看守人应当", "管理人应当"))
    assert "1" not in articles(one)
    assert "not said that all are meant" in refusals(one)[0]


def test_a_copy_printed_after_the_decision_is_evidence_too() -> None:
    order = decision("将第一条中的“管理人”修改为“看守人”。", reorder=False)
    text = "\n".join(
        [TITLE, *(f"{one.number.chinese}　{one.text}" for one in BASE.provisions)]
    ).replace("第一条　灯塔由管理人看守，管理人", "第一条　灯塔由看守人看守，看守人")
    found = compiled(BASE, f"{order}\n{text}\n")
    assert articles(found)["1"] == "灯塔由看守人看守，看守人应当守夜。"
    [beside] = found.versions[-1].comparisons
    assert (beside.equal, beside.unexplained) == (5, ())


def test_a_republished_text_never_gives_a_wording() -> None:
    order = decision("将第四条中的“明亮”修改为“光明”。", reorder=False)
    republished = law(
        {one.number.short: one.text for one in BASE.provisions} | {"4": "灯塔应当很亮。"},
        start=date(2020, 7, 1),
    )
    found = compiled(BASE, order, republished=(republished,))
    assert articles(found)["4"] == "灯塔应当光明。"
    [difference] = found.versions[-1].comparisons[0].unexplained
    assert (difference.number.short, difference.kind) == ("4", "words")


def test_an_article_that_differs_although_no_instruction_touched_it_is_not_explained_away() -> None:
    texts = {one.number.short: one.text for one in BASE.provisions}
    order = decision("将第四条中的“明亮”修改为“光明”。", reorder=False)

    def difference(article: str) -> tuple[str, bool]:
        held = law(texts | {"4": "灯塔应当光明。", "5": article}, start=date(2020, 7, 1))
        [one] = compiled(BASE, order, republished=(held,)).versions[-1].comparisons[0].differences
        return one.kind, bool(one.explanation)

    assert difference("本法自2001年1月1日起施行。") == ("untouched", False)
    assert difference("本法，自2000年1月1日起施行。") == ("marks", True)


def test_a_held_text_between_two_instruments_shows_that_one_is_missing() -> None:
    texts = {one.number.short: one.text for one in BASE.provisions}
    missing = law(texts | {"5": "本法自2001年1月1日起施行。"}, start=date(2019, 1, 1))
    same = law(texts, start=date(2018, 1, 1))
    order = decision("将第四条中的“明亮”修改为“光明”。", reorder=False)
    [gap] = compiled(BASE, order, republished=(missing, same)).gaps
    assert (gap.day, [one.short for one in gap.numbers]) == (date(2019, 1, 1), ["5"])
    assert not gap.is_last


def test_every_clause_has_an_outcome_and_every_article_is_accounted_for() -> None:
    order = decision(
        "将第一条修改为：“甲。”",
        "删去第二条。",
        "将第三条中的“黑暗”修改为“光明”，第二款修改为：“乙。”",
        "增加一条，作为第四条：“丙。”",
    )
    compilation = compiled(BASE, order)
    version = compilation.versions[-1]
    assert [one.status for one in version.outcomes] == [
        *("applied", "applied", "refused"),
        *("applied", "applied"),
    ]
    assert {(one.old and one.old.short, one.new and one.new.short) for one in version.changes} == {
        ("1", "1"),
        ("2", None),
        ("3", "2"),
        ("4", "3"),
        (None, "4"),
        ("5", "5"),
    }
    instructions = {
        (one.new or one.old): one.instructions for one in version.changes if one.kind == "inserted"
    }
    assert list(instructions.values()) == [("四",)]


# Warnings ----------------------------------------------------------------------------------------


def test_references_that_lead_elsewhere_now_are_reported_and_not_changed() -> None:
    base = law(
        {"1": "甲。", "2": "乙。", "3": "违反第二条规定的，处罚款。", "4": "本法第一条所称灯塔。"}
    )
    compilation = compiled(base, decision("增加一条，作为第二条：“新。”"))
    version = compilation.versions[-1]
    assert articles(compilation)["4"] == "违反第二条规定的，处罚款。"
    [stale] = version.stale_references
    assert (stale.where.short, stale.to.short, stale.now and stale.now.short) == ("4", "2", "3")


def test_a_decision_by_which_something_lapses_changes_no_text_and_says_so() -> None:
    order = decision("第四条规定的标准不再适用。")
    compilation = compiled(BASE, order)
    assert compilation.versions == ()
    [one] = compilation.unapplied
    assert "no change of wording" in one.reason and "不再适用" in one.reason


def test_rules_of_the_decision_itself_are_listed_and_change_no_text() -> None:
    order = decision("将第四条修改为：“甲。”").replace(
        "本决定自2020", "二、本决定施行前已经看守的灯塔，仍由原管理人看守。\n本决定自2020"
    )
    version = compiled(BASE, order).versions[-1]
    assert version.refused == ()
    assert len(version.own_rules) == 1 and "仍由原管理人看守" in version.own_rules[0]
