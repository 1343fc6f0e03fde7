"""``inforce at``, ``history`` and ``diff``: what the law said, on the days around each change."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from commands import InProcess

CHANGES = [
    # law, article, first day of the new wording, words before (None: not in force), words after
    ("刑法", "74", "2011-05-01", "对于累犯，不适用缓刑。", "累犯和犯罪集团的首要分子，不适用缓刑"),
    ("刑法", "133-1", "2011-05-01", None, "醉酒驾驶机动车的，处拘役，并处罚金。"),
    ("刑法", "133-1", "2015-11-01", "追逐竞驶，情节恶劣的，或者", "（三）从事校车业务或者旅客运输"),
    ("刑法", "17", "2021-03-01", "已满十四周岁不满十六周岁的人", "已满十二周岁不满十四周岁的人"),
    ("刑法", "201", "2009-02-28", "纳税人采取伪造、变造、隐匿", "纳税人采取欺骗、隐瞒手段"),
    ("刑法", "280-1", "2015-11-01", None, "在依照国家规定应当提供身份证明的活动中"),
    ("刑法", "383", "2015-11-01", "个人贪污数额在十万元以上", "贪污数额较大或者有其他较重情节"),
    ("刑事诉讼法", "55", "2018-10-26", "接到报案、控告", "重证据，重调查研究"),
    ("劳动合同法", "57", "2013-07-01", "注册资本不得少于五十万元", "不得少于人民币二百万元"),
    ("继承法", "20", "2021-01-01", "不得撤销、变更公证遗嘱", None),
    ("民法典", "1142", "2021-01-01", None, "以最后的遗嘱为准"),
]


@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2], ids="{:+d} days".format)
@pytest.mark.parametrize(
    ("law", "article", "day", "before", "after"),
    CHANGES,
    ids=[f"{c[0]} {c[1]} {c[2]}" for c in CHANGES],
)
def test_the_wording_changes_on_the_first_day_of_the_new_law_and_not_a_day_sooner(
    inforce: InProcess,
    law: str,
    article: str,
    day: str,
    before: str | None,
    after: str | None,
    offset: int,
) -> None:
    asked = date.fromisoformat(day) + timedelta(days=offset)
    ran = inforce("at", law, article, "--on", asked.isoformat(), "--json")
    words = after if offset >= 0 else before
    if words is None:
        assert (ran.status, ran.json["lookup"]["answer"]) == (3, "not_in_force")
        return
    [span] = ran.json["lookup"]["spans"]
    assert ran.status == 0
    assert words in span["provision"]["text"]
    assert (span["window"]["from"] == day) == (offset >= 0)
    assert (span["window"]["last_day"] == str(date.fromisoformat(day) - timedelta(days=1))) == (
        offset < 0
    )


def test_a_wording_names_the_instrument_that_brought_it_in(inforce: InProcess) -> None:
    for day, instrument in (
        ("2011-04-30", "中华人民共和国刑法"),
        ("2011-05-01", "刑法修正案（八）"),
    ):
        assert f"· {instrument}\n" in inforce("at", "刑法", "74", "--on", day).out


def test_a_month_inside_which_the_law_changed_gives_both_wordings_and_the_day(
    inforce: InProcess,
) -> None:
    asked = ["at", "刑法", "133-1", "--on", "2015-10-20..2015-11-10"]
    looked_up = inforce(*asked, "--json").json["lookup"]
    assert looked_up["changes"] == ["2015-11-01"]
    assert [span["window"]["from"] for span in looked_up["spans"]] == ["2011-05-01", "2015-11-01"]
    told = inforce(*asked).out
    assert "The law changed inside these days: 2015-11-01" in told
    assert "追逐竞驶，情节恶劣的，或者" in told
    assert "（三）从事校车业务" in told


def test_a_year_with_days_before_the_first_wording_tells_of_both(inforce: InProcess) -> None:
    ran = inforce("at", "刑法", "133-1", "--on", "2011年")
    assert ran.status == 0
    assert "The law changed inside these days: 2011-05-01" in ran.out
    assert "1997-10-01 to 2011-04-30 · not in force" in ran.out
    assert "醉酒驾驶机动车的，处拘役" in ran.out


def test_days_are_shown_with_the_last_one_included(inforce: InProcess) -> None:
    told = inforce("at", "刑法", "74", "--on", "2010年").out
    assert "asked for 2010-01-01 to 2010-12-31" in told
    assert "in force since at least 1997-10-01, to 2011-04-30" in told


def test_today_is_what_the_clock_says_unless_a_day_is_given(inforce: InProcess) -> None:
    assert inforce("at", "刑法", "74").out == inforce("at", "刑法", "74", "--on", "2026-11-20").out


def test_what_came_afterwards_is_told_also_of_a_provision_not_yet_in_force(
    inforce: InProcess,
) -> None:
    earlier = inforce("at", "刑法", "74", "--on", "2010-06-01")
    assert (
        "afterwards: in force since 2011-05-01 (as far as known on 2026-07-17) · 2011修正 · "
        "刑法修正案（八）" in earlier.out
    )
    not_yet = inforce("at", "刑法", "133-1", "--on", "2009-01-01")
    assert "not in force then\nbecause 中华人民共和国刑法（1997修订）has no such" in not_yet.out
    assert "afterwards: in force 2011-05-01 to 2015-10-31" in not_yet.out
    assert inforce("at", "刑法", "74", "--json").json["next_change"] is None


def test_a_crime_name_is_shown_apart_and_only_while_it_was_official(inforce: InProcess) -> None:
    asked = ["at", "刑法", "133-1", "--on"]
    ran = inforce(*asked, "2012-01-01", "--json").json
    assert [caption["name"] for caption in ran["captions"]] == ["危险驾驶罪"]
    assert "危险驾驶" not in ran["lookup"]["spans"][0]["provision"]["text"]
    told = inforce(*asked, "2012-01-01").out
    assert "known as: 危险驾驶罪 (editorial, not part of the law)" in told
    assert "危险驾驶罪" not in inforce("at", "刑法", "133-1", "--on", "2011-04-30").out


def test_a_source_is_named_once_however_many_versions_carry_the_wording(
    inforce: InProcess,
) -> None:
    [span] = inforce("at", "刑法", "264", "--on", "2010", "--json").json["lookup"]["spans"]
    assert [source["path"] for source in span["sources"]] == ["criminal-law.json"]


def test_what_is_not_covered_says_so_and_never_quotes(inforce: InProcess) -> None:
    ran = inforce("at", "刑法", "3", "--on", "2010-06-01", "--json")
    assert ran.json["lookup"]["answer"] == "not_covered"
    assert ran.json["lookup"]["reason"] == "no text of the provision is held for these days"
    assert [span["provision"] for span in ran.json["lookup"]["spans"]] == [None]


@pytest.mark.parametrize("law", ["刑法", "中华人民共和国刑法", "《刑法》", "Criminal Law"])
@pytest.mark.parametrize("article", ["133-1", "第一百三十三条之一", "第133条之一", "133之一"])
def test_a_law_and_an_article_may_be_written_as_people_do(
    inforce: InProcess, law: str, article: str
) -> None:
    looked_up = inforce("at", law, article, "--on", "2012", "--json").json["lookup"]
    assert (looked_up["work"], looked_up["number"]["short"]) == ("中华人民共和国刑法", "133-1")


def test_a_history_tells_every_wording_and_every_day_without_one(inforce: InProcess) -> None:
    ran = inforce("history", "刑法", "133-1", "--json").json
    spans = ran["timeline"]["spans"]
    assert [span["state"] for span in spans] == [
        *("absent", "uncovered", "absent", "in_force", "in_force"),
    ]
    for earlier, later in zip(spans, spans[1:], strict=False):
        assert earlier["window"]["until"] == later["window"]["from"]
    told = inforce("history", "刑法", "133-1").out
    assert "1980-01-01 to 1997-09-30 · not covered" in told
    assert "known as 危险驾驶罪, since 2011-05-01 (法释〔2011〕10号; editorial)" in told


def test_a_history_follows_a_renumbered_rule_with_a_score(inforce: InProcess) -> None:
    told = inforce("history", "刑事诉讼法", "53").out
    assert "第五十三条 (2013-01-01) → 第五十五条 (2018-10-26, 1.00)" in told
    told = inforce("history", "刑事诉讼法", "46").out
    assert "第四十六条 (1997-01-01) → 第五十三条 (2013-01-01, 0.68) → 第五十五条" in told


def test_a_difference_is_shown_word_by_word(inforce: InProcess) -> None:
    asked = ["diff", "刑法", "74", "--from", "2010-06-01", "--to", "2011-05-01"]
    assert "对于累犯{+和犯罪集团的首要分子+}，不适用缓刑。" in inforce(*asked).out
    pieces = inforce(*asked, "--json").json["pieces"]
    assert [piece["kind"] for piece in pieces] == ["equal", "inserted", "equal"]


def test_a_difference_with_a_day_ahead_says_so(inforce: InProcess) -> None:
    asked = ("diff", "刑法", "74", "--from", "2012-01-01", "--to", "2050-01-01")
    sentence = "2050-01-01 lies ahead: today is 2026-11-20"
    assert f"note: {sentence}" in inforce(*asked).out
    assert sentence in inforce(*asked, "--json").json["caveats"]


def test_a_difference_read_backwards_deletes(inforce: InProcess) -> None:
    asked = ["diff", "刑法", "74", "--from", "2011-05-01", "--to", "2010-06-01"]
    assert "对于累犯[-和犯罪集团的首要分子-]，不适用缓刑。" in inforce(*asked).out


def test_without_a_difference_the_wording_is_said_to_be_the_same(inforce: InProcess) -> None:
    told = inforce("diff", "刑法", "74", "--from", "2012", "--to", "2016").out
    assert "the same wording on both dates:\n对于累犯和犯罪集团的首要分子，不适用缓刑。" in told


def test_a_date_inside_which_the_text_changed_has_no_difference_to_show(
    inforce: InProcess,
) -> None:
    ran = inforce("diff", "刑法", "74", "--from", "2011", "--to", "2016")
    assert ran.status == 0
    assert "the text changed inside one of these dates: give a day" in ran.out
