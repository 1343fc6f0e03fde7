"""A law is dated from everything held of it: cases as tables, the days around each change."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from dated_texts import NPC, at, reads, text

from inforce.corpus.doctor import examine
from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.law.caveats import caveats
from inforce.law.model import DateEvidence
from inforce.law.numerals import ProvisionNumber
from inforce.testing import tiny_law

PASSED = f"2005年8月28日{NPC}通过"
AMENDED = f"2012年10月26日{NPC}《关于修改〈治安法〉的决定》修正"
REVISED = f"2025年6月27日{NPC}修订"


def test_no_act_between_two_texts_means_that_one_ended_when_the_other_began(
    corpus: Corpus,
) -> None:
    corpus.add(
        [
            text("治安法", "旧", start="2013-01-01", made="2012-10-26", status="unknown"),
            text("治安法", "新", PASSED, AMENDED, REVISED, start="2026-01-01", made="2025-06-27"),
        ]
    )
    days = ("2012-12-31", "2013-01-01", "2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02")
    assert [reads(corpus, "治安法", day) for day in days] == [
        "not_covered", "旧", "旧", "旧", "新", "新",
    ]  # fmt: skip
    (span,) = at(corpus, "治安法", "2020-01-01").found
    assert span.date_status == "exact"
    assert span.ends_by == "the history of the text of 2025-06-27 names no act in between"
    assert (
        at(corpus, "治安法", "2006-01-01").reason == "the original text on 2005-08-28 is not held"
    )
    assert at(corpus, "治安法", "2005-08-27").answer == "not_in_force"


def test_an_act_whose_text_is_not_held_leaves_the_days_after_it_uncovered_and_is_named(
    corpus: Corpus,
) -> None:
    middle = f"2015年3月1日{NPC}《关于修改〈甲法〉的决定》修正"
    first = f"2009年12月1日{NPC}通过"
    corpus.add(
        [
            text("甲法", "旧", first, start="2010-05-01", made="2009-12-01"),
            text(
                "甲法", "新", first, middle, f"2019年6月1日{NPC}修订",
                start="2020-01-01", made="2019-06-01",
            ),
        ]
    )  # fmt: skip
    days = ("2015-02-27", "2015-02-28", "2015-03-01", "2017-01-01", "2019-12-31", "2020-01-01")
    assert [reads(corpus, "甲法", day) for day in days] == [
        "旧", "旧", "not_covered", "not_covered", "not_covered", "新",
    ]  # fmt: skip
    (span,) = at(corpus, "甲法", "2015-02-28").found
    assert span.date_status == "at_least"
    assert "in force until 2015-02-28 at least" in caveats(at(corpus, "甲法", "2015-02-28"))[0]
    named = "the text as amended by 《关于修改〈甲法〉的决定》 of 2015-03-01 is not held"
    assert at(corpus, "甲法", "2017-01-01").reason == named
    (law,) = examine(corpus).laws
    assert [one.why for one in law.missing] == [named]


def test_what_an_omnibus_decision_says_of_its_commencement_dates_the_texts_it_made(
    corpus: Corpus,
) -> None:
    first = f"2000年3月1日{NPC}通过"
    decision = f"2017年11月4日{NPC}《关于修改〈会计法〉等十一部法律的决定》修正"
    corpus.add(
        [
            text("乙法", "旧", first, start="2000-07-01", made="2000-03-01"),
            text(
                "乙法",
                "新",
                first,
                decision,
                made="2017-11-04",
                clause="本法自2000年7月1日起施行。",
            ),
        ]
    )
    days = ("2017-11-03", "2017-11-04", "2017-11-05", "2017-11-06")
    assert [reads(corpus, "乙法", day) for day in days] == ["旧", "旧", "新", "新"]


def test_an_amending_decision_that_is_held_says_when_its_changes_began(corpus: Corpus) -> None:
    first = f"2000年3月1日{NPC}通过"
    decision = f"2019年5月1日{NPC}《关于修改〈丙法〉的决定》修正"
    instrument = tiny_law(
        "关于修改〈丙法〉的决定",
        {"1": "改。", "2": "本决定自2019年9月1日起施行。"},
        promulgated=date(2019, 5, 1),
    )
    corpus.add(
        [
            instrument,
            text("丙法", "旧", first, start="2000-07-01", made="2000-03-01"),
            text("丙法", "新", first, decision, made="2019-05-01"),
        ]
    )
    assert [reads(corpus, "丙法", day) for day in ("2019-08-31", "2019-09-01")] == ["旧", "新"]


def test_the_clause_of_the_first_text_does_not_date_an_amended_one(corpus: Corpus) -> None:
    first = f"2000年3月1日{NPC}通过"
    decision = f"2019年5月1日{NPC}《关于修改〈丁法〉的决定》修正"
    clause = "本法自2000年7月1日起施行。"
    corpus.add(
        [
            text("丁法", "旧", first, made="2000-03-01", clause=clause),
            text("丁法", "新", first, decision, made="2019-05-01", clause=clause),
        ]
    )
    assert reads(corpus, "丁法", "2000-06-30") == "not_in_force"
    days = ("2000-07-01", "2019-04-30", "2019-05-01")
    assert [reads(corpus, "丁法", day) for day in days] == ["旧", "旧", "新"]
    (span,) = at(corpus, "丁法", "2020-01-01").found
    assert (span.begins, span.date_status) == ("presumed", "presumed")
    (before,) = at(corpus, "丁法", "2018-01-01").found
    assert before.date_status == "at_least"
    assert before.begins == "commenced"


@pytest.mark.parametrize(
    ("history", "clause", "made", "start", "presumed"),
    [
        ([f"2005年4月1日{NPC}通过"], "本法自公布之日起施行。", "2005-04-01", "2005-04-01", False),
        (
            ["2005年4月1日国务院第5次常务会议通过", "2005年4月20日国务院令第1号公布"],
            "本条例自公布之日起施行。", "2005-04-20", "2005-04-20", False,
        ),
        (  # a court may publish some days after the date on its document: nobody says when
            ["2005年4月1日最高人民法院审判委员会第5次会议通过"],
            "本解释自公布之日起施行。", "2005-04-20", "2005-04-20", True,
        ),
        (
            ["2005年4月1日最高人民法院审判委员会第5次会议通过", "2005年4月20日公告公布",
             "2005年5月1日起施行"],
            "", "2005-04-20", "2005-05-01", False,
        ),
        (
            [f"2005年4月1日{NPC}通过"], "本法自2005年8月1日起施行。",
            "2005-04-01", "2005-08-01", False,
        ),
        ([f"2005年4月1日{NPC}通过"], "", "2005-04-01", "2005-04-01", True),
    ],
)  # fmt: skip
def test_a_text_begins_when_its_last_article_says(
    corpus: Corpus, history: list[str], clause: str, made: str, start: str, presumed: bool
) -> None:
    corpus.add([text("戊法", "甲", *history, made=made, clause=clause)])
    (version,) = corpus.versions("戊法")
    assert version.validity.start == date.fromisoformat(start)
    assert version.validity.start_presumed is presumed


def test_the_last_article_of_a_text_published_whole_is_better_than_a_register(
    corpus: Corpus,
) -> None:
    passed = "2015年4月1日山东省第十二届人民代表大会常务委员会第十三次会议通过"
    clause = "本条例自2015年5月1日起施行。"
    corpus.add(
        [text("调水条例", "甲", passed, start="2015-04-01", made="2015-04-01", clause=clause)]
    )
    days = ("2015-04-30", "2015-05-01")
    assert [reads(corpus, "调水条例", day) for day in days] == ["not_in_force", "甲"]
    (law,) = examine(corpus).laws
    assert [(one.taken, one.left) for one in law.conflicts] == [
        ("2015-05-01 (its last articles)", "2015-04-01 (tiny laws)")
    ]


def test_a_text_that_was_approved_and_then_promulgated_is_the_one_that_was_passed(
    corpus: Corpus,
) -> None:
    steps = (
        "2018年11月26日鹤壁市第十一届人民代表大会常务委员会第二次会议通过",
        "2019年1月9日河南省第十三届人民代表大会常务委员会第八次会议批准",
    )
    corpus.add([text("防治条例", "甲", *steps, start="2019-07-01", made="2019-02-01")])
    (law,) = examine(corpus).laws
    assert law.missing == ()
    days = ("2019-06-30", "2019-07-01")
    assert [reads(corpus, "防治条例", day) for day in days] == ["not_in_force", "甲"]


CODE = "本法自2021年1月1日起施行。《婚姻法》、《旧合同法》同时废止。"


def test_a_law_ends_when_another_that_repeals_it_comes_into_force(corpus: Corpus) -> None:
    corpus.add(
        [
            text(
                "旧合同法", "旧", f"1999年3月15日{NPC}通过", start="1999-10-01", made="1999-03-15"
            ),
            text("示例民法典", "新", f"2020年5月28日{NPC}通过", made="2020-05-28", clause=CODE),
        ]
    )
    days = ("2020-12-30", "2020-12-31", "2021-01-01", "2021-01-02")
    assert [reads(corpus, "旧合同法", day) for day in days] == [
        "旧", "旧", "not_in_force", "not_in_force",
    ]  # fmt: skip
    (span,) = at(corpus, "旧合同法", "2020-01-01").found
    assert span.ends_by == "repealed by 示例民法典"


def test_an_amended_code_still_repeals_from_its_first_day(corpus: Corpus) -> None:
    first, later = f"2020年5月28日{NPC}通过", f"2024年5月28日{NPC}《关于修改〈典〉的决定》修正"
    corpus.add(
        [
            text("旧合同法", "旧", start="1999-10-01", made="1999-03-15"),
            text(
                "示例民法典", "新", first, later, start="2024-07-01", made="2024-05-28", clause=CODE
            ),
        ]
    )
    assert [reads(corpus, "旧合同法", day) for day in ("2020-12-31", "2021-01-01")] == [
        "旧",
        "not_in_force",
    ]


def test_a_repeal_of_an_older_law_of_the_same_title_leaves_the_new_one_in_force(
    corpus: Corpus,
) -> None:
    clause = "本办法自2022年2月15日起施行。2020年4月13日公布的《审查办法》同时废止。"
    corpus.add(
        [
            text("审查办法", "旧", "2020年4月13日公布", start="2020-06-01", made="2020-04-13"),
            text("审查办法", "新", "2021年12月28日公布", made="2021-12-28", clause=clause),
        ]
    )
    days = ("2022-02-14", "2022-02-15", "2023-01-01")
    assert [reads(corpus, "审查办法", day) for day in days] == ["旧", "新", "新"]
    (before,) = at(corpus, "审查办法", "2022-02-14").found
    assert (before.date_status, before.ends_by) == ("exact", "repealed by 审查办法")
    assert at(corpus, "审查办法", "2020-05-31").answer == "not_in_force"


def test_a_law_made_again_under_a_repealed_title_is_in_force(corpus: Corpus) -> None:
    corpus.add(
        [
            text("安全法", "旧", f"1993年2月22日{NPC}通过", start="1993-02-22", made="1993-02-22"),
            text("安全法", "新", f"2015年7月1日{NPC}通过", start="2015-07-01", made="2015-07-01"),
            text(
                "反间谍法", "甲", f"2014年11月1日{NPC}通过", made="2014-11-01",
                clause="本法自公布之日起施行。1993年2月22日通过的《安全法》同时废止。",
            ),
        ]
    )  # fmt: skip
    days = ("2014-10-31", "2014-11-01", "2015-06-30", "2015-07-01", "2026-01-01")
    assert [reads(corpus, "安全法", day) for day in days] == [
        "旧", "not_covered", "not_covered", "新", "新",
    ]  # fmt: skip


def test_interpretations_end_with_the_decision_that_lists_them(corpus: Corpus) -> None:
    title = "最高人民法院关于审理名誉权案件若干问题的解释（一）"
    decision = tiny_law(
        "最高人民法院关于废止部分司法解释的决定",
        {"一、": f"本决定自2021年1月1日起施行。\n1. {title}\n2. 最高人民法院关于别事的解释"},
        promulgated=date(2020, 12, 29),
    )
    corpus.add([text(title, "旧", start="1998-09-15", made="1998-08-31"), decision])
    assert [reads(corpus, title, day) for day in ("2020-12-31", "2021-01-01")] == [
        "旧",
        "not_in_force",
    ]


def test_an_open_end_is_known_as_far_as_the_newest_source(corpus: Corpus) -> None:
    first = f"2000年3月1日{NPC}通过"
    corpus.add(
        [text("己法", "甲", first, start="2000-07-01", made="2000-03-01", as_of="2025-04-05")]
    )
    assert at(corpus, "己法", "2025-04-05").as_far_as_known is None
    assert at(corpus, "己法", "2026-11-22").as_far_as_known == date(2025, 4, 5)
    newer = replace(text("己法", "甲", first, start="2000-07-01", made="2000-03-01"))
    source = replace(newer.version.source, name="newer", as_of=date(2026, 7, 17))
    corpus.add([replace(newer, version=replace(newer.version, source=source))])
    assert at(corpus, "己法", "2026-11-22").as_far_as_known == date(2026, 7, 17)


def test_a_later_source_that_knows_a_newer_act_takes_the_days_after_it_away(
    corpus: Corpus,
) -> None:
    first = f"2000年3月1日{NPC}通过"
    later = f"2025年9月1日{NPC}《关于修改〈庚法〉的决定》修正"
    corpus.add(
        [text("庚法", "旧", first, start="2000-07-01", made="2000-03-01", as_of="2025-04-05")]
    )
    assert reads(corpus, "庚法", "2026-01-01") == "旧"
    newest = text(
        "庚法", "新", first, later, f"2026年5月1日{NPC}修订", start="2027-01-01", made="2026-05-01"
    )
    corpus.add([newest])
    assert [reads(corpus, "庚法", day) for day in ("2025-08-31", "2025-09-01", "2027-01-01")] == [
        "旧",
        "not_covered",
        "新",
    ]


def test_a_copy_of_the_text_of_a_year_is_that_of_the_last_act_before_it(corpus: Corpus) -> None:
    first = f"1989年4月4日{NPC}通过"
    second = f"2014年11月1日{NPC}《关于修改〈辛法〉的决定》修正"
    third = f"2017年6月27日{NPC}《关于修改〈辛法〉的决定》修正"
    labelled = text("辛法", "二", start="1990-10-01", made="1989-04-04", status="unknown")
    copy = replace(labelled, version=replace(labelled.version, text_as_of=date(2016, 1, 1)))
    newest = text("辛法", "三", first, second, third, start="2017-07-01", made="2017-06-27")
    corpus.add([copy, newest])
    assert reads(corpus, "辛法", "2000-01-01") == "not_covered"
    assert [reads(corpus, "辛法", day) for day in ("2016-01-01", "2017-07-01")] == ["二", "三"]


def test_provisions_an_act_is_known_not_to_have_touched_run_back_over_it(corpus: Corpus) -> None:
    """关于修改部分法律的决定 (2009-08-27) changed only art. 92 of 劳动法, in force since 1995."""
    law = "中华人民共和国劳动法"
    held = tiny_law(
        law, {"45": "年休假", "92": "依照刑法有关规定"},
        start=date(2009, 8, 27), promulgated=date(2009, 8, 27),
        history=[f"1994年7月5日{NPC}通过", f"2009年8月27日{NPC}《关于修改部分法律的决定》修正"],
    )  # fmt: skip
    corpus.add([held])
    leave, penal = ProvisionNumber.parse("45"), ProvisionNumber.parse("92")
    assert at(corpus, law, "2007-11-15", leave).answer == "found"
    assert at(corpus, law, "2007-11-15", penal).answer == "not_covered"
    (span,) = at(corpus, law, "1995-01-01", leave).found
    assert (span.window.start, span.begins) == (date(1995, 1, 1), "commenced")
    assert at(corpus, law, "1994-12-31", leave).answer == "not_in_force"


def test_articles_set_apart_by_the_last_article_begin_on_their_own_day(corpus: Corpus) -> None:
    clause = "本安排第一条自2020年11月27日起施行，第三条自2021年5月19日起施行。"
    parts = tiny_law(
        "示例安排",
        {"1": "甲", "3": "丙", "4": clause},
        start=date(2020, 11, 27),
        promulgated=date(2020, 11, 26),
    )
    corpus.add([parts])
    third = ProvisionNumber.parse("3")
    assert at(corpus, "示例安排", "2020-11-27").answer == "found"
    assert at(corpus, "示例安排", "2021-05-18", third).answer == "not_covered"
    assert at(corpus, "示例安排", "2021-05-19", third).answer == "found"


def test_of_twenty_laws_added_twice_none_answers_with_the_old_text(corpus: Corpus) -> None:
    grades: tuple[DateEvidence, ...] = ("instrument", "register", "clause", "header", "unstated")
    for place in range(20):
        law = f"第{place}号法"
        corpus.add([text(law, "旧", start="2000-01-01", evidence=grades[place % 5])])
        corpus.add([text(law, "新", start="2015-01-01", evidence=grades[place // 4])])
    answers = {reads(corpus, f"第{place}号法", "2020-01-01") for place in range(20)}
    assert answers == {"新"}
    assert {reads(corpus, f"第{place}号法", "2014-12-31") for place in range(20)} == {"旧"}


def test_a_bridge_says_which_days_it_spans(corpus: Corpus) -> None:
    first = f"2000年3月1日{NPC}通过"
    middle = f"2010年3月1日{NPC}《关于修改〈癸法〉的决定》修正"
    last = f"2018年1月1日{NPC}修订"
    corpus.add(
        [
            text("癸法", "同", first, start="2000-07-01", made="2000-03-01"),
            text("癸法", "同", first, middle, last, start="2018-01-01", made="2018-01-01"),
        ]
    )
    lookup = at(corpus, "癸法", "2012-01-01")
    assert lookup.found[0].bridged == (DateRange(date(2010, 3, 1), date(2018, 1, 1)),)
    assert any(
        "nothing is held; the words before and after it agree" in one for one in caveats(lookup)
    )


def test_an_undated_text_counts_from_the_day_on_which_its_source_was_current(
    corpus: Corpus,
) -> None:
    corpus.add(
        [
            text("甲法", "旧", start="2008-01-01", made="2007-06-29", as_of="2020-01-01"),
            text("甲法", "新", as_of="2025-07-01"),
        ]
    )
    days = ("2025-06-29", "2025-06-30", "2025-07-01", "2025-07-02", "2026-01-01")
    assert [reads(corpus, "甲法", day) for day in days] == ["旧", "旧", "新", "新", "新"]
    lookup = at(corpus, "甲法", "2026-01-01")
    assert caveats(lookup)[0] == (
        "when this text came into force is not known; counted from 2025-07-01, the day its source "
        "was current"
    )


def test_an_undated_copy_of_a_text_is_a_witness_of_it_and_no_new_text(corpus: Corpus) -> None:
    corpus.add(
        [
            text("甲法", "旧", start="2008-01-01", made="2007-06-29"),
            text("甲法", "新", start="2015-01-01", made="2014-12-01"),
            text("甲法", "旧", as_of="2025-07-01"),
        ]
    )
    days = ("2008-01-01", "2014-12-31", "2015-01-01", "2025-07-01", "2026-01-01")
    assert [reads(corpus, "甲法", day) for day in days] == ["旧", "旧", "新", "新", "新"]


def test_an_undated_text_without_such_a_day_never_answers(corpus: Corpus) -> None:
    corpus.add([text("甲法", "旧", start="2008-01-01", made="2007-06-29"), text("甲法", "新")])
    assert reads(corpus, "甲法", "2026-01-01") == "旧"


def test_an_undated_copy_is_the_only_text_that_can_bear_its_clause(corpus: Corpus) -> None:
    first, last = f"2009年6月25日{NPC}通过", f"2024年8月22日{NPC}修订"
    corpus.add(
        [
            text("乙法", "旧", clause="本法自2009年8月1日起施行。"),
            text("乙法", "新", first, last, start="2024-10-01", made="2024-08-22"),
        ]
    )
    days = ("2009-06-24", "2009-07-31", "2009-08-01", "2024-09-30", "2024-10-01")
    assert [reads(corpus, "乙法", day) for day in days] == [
        "not_in_force", "not_in_force", "旧", "旧", "新",
    ]  # fmt: skip
    assert not caveats(at(corpus, "乙法", "2015-01-01"))


def test_an_undated_copy_that_may_be_of_several_texts_never_answers(corpus: Corpus) -> None:
    first = f"1999年11月26日{NPC}通过"
    amended = [
        f"{day}{NPC}《关于修改〈丙法〉的决定》修正" for day in ("2015年7月23日", "2024年12月31日")
    ]
    corpus.add(
        [
            text("丙法", "旧", clause="本法自2000年1月1日起施行。"),
            text("丙法", "新", first, *amended, start="2024-12-31", made="2024-12-31"),
        ]
    )
    days = ("2000-01-01", "2015-07-22", "2015-07-23", "2024-12-30", "2024-12-31")
    assert [reads(corpus, "丙法", day) for day in days] == ["not_covered"] * 4 + ["新"]


def test_a_copy_without_any_history_counts_from_its_clause_and_says_so(corpus: Corpus) -> None:
    corpus.add([text("丁法", "旧", clause="本法自2003年1月1日起施行。")])
    assert [reads(corpus, "丁法", day) for day in ("2002-12-31", "2003-01-01")] == [
        "not_covered",
        "旧",
    ]
    assert caveats(at(corpus, "丁法", "2003-01-01"))[0] == (
        "when this text came into force is not known; counted from 2003-01-01, the day its last "
        "article names"
    )
