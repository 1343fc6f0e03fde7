"""A law is dated from everything held of it: cases as tables, the days around each change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.corpus.dating import Record, date_work
from inforce.corpus.doctor import examine
from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.law.caveats import caveats
from inforce.law.model import DateEvidence, DateStatus, Validity, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Lookup
from inforce.testing import tiny_law

ONE = ProvisionNumber.parse("1")
NPC = "第十三届全国人民代表大会常务委员会第一次会议"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(tmp_path / "corpus.db", mode="write") as opened:
        yield opened


def at(corpus: Corpus, law: str, day: str, number: ProvisionNumber = ONE) -> Lookup:
    return corpus.timeline(law, number).version_at(date.fromisoformat(day))


def reads(corpus: Corpus, law: str, day: str) -> str:
    """The words of art. 1 on a day, or else the answer."""
    lookup = at(corpus, law, day)
    (span,) = lookup.found or (None,)
    return span.provision.text if span and span.provision else lookup.answer


def text(
    law: str,
    words: str,
    *history: str,
    start: str = "",
    made: str = "",
    clause: str = "",
    status: DateStatus | None = None,
    evidence: DateEvidence = "register",
    as_of: str = "",
) -> VersionText:
    """A text of a law whose art. 1 says ``words``, with its history and its last article."""
    return tiny_law(
        law,
        {"1": words, "2": clause or "本法的解释权属于制定机关。"},
        start=date.fromisoformat(start) if start else None,
        status=status,
        evidence=evidence if start else "unstated",
        promulgated=date.fromisoformat(made) if made else None,
        history=history,
        label=made or words,
        as_of=date.fromisoformat(as_of) if as_of else None,
    )


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


FIRST_DAY = date(2000, 1, 1)


@st.composite
def laws(draw: st.DrawFn) -> list[VersionText]:
    """Some of the texts of a law with between two and six acts, each with its own history."""
    gaps = draw(st.lists(st.integers(30, 900), min_size=1, max_size=5))
    days = [FIRST_DAY]
    for gap in gaps:
        days.append(days[-1] + timedelta(days=gap))
    lines = [
        f"{day.year}年{day.month}月{day.day}日{NPC}"
        + ("《关于修改的决定》修正" if place else "通过")
        for place, day in enumerate(days)
    ]
    texts: list[VersionText] = []
    for place, day in enumerate(days):
        if not draw(st.booleans()):
            continue
        start = day + timedelta(days=draw(st.integers(0, 20))) if draw(st.booleans()) else None
        one = tiny_law(
            "随机法", {"1": f"甲{place}"}, start=start, promulgated=day, label=str(place),
            evidence="register" if start else "unstated",
            history=lines[: place + 1] if draw(st.booleans()) else (),
        )  # fmt: skip
        texts.append(one)
    return texts


def windows_of(made: Sequence[VersionText]) -> dict[str, Validity]:
    dating = date_work("随机法", [Record(one.version) for one in made])
    return {one.version.label: dating.validity[one.version.key] for one in made}


@given(made=laws())
def test_no_day_has_two_texts_and_none_answers_before_it_was_made(
    made: list[VersionText],
) -> None:
    dated = windows_of(made)
    windows = [validity.window for validity in dated.values() if validity.window]
    for one in made:
        start = dated[one.version.label].start
        assert start is not None and one.version.promulgated is not None
        assert start >= one.version.promulgated
    for place, window in enumerate(windows):
        assert not any(window.overlaps(other) for other in windows[place + 1 :])


@given(made=laws(), data=st.data())
def test_the_order_of_adding_does_not_matter(made: list[VersionText], data: st.DataObject) -> None:
    assert windows_of(data.draw(st.permutations(made))) == windows_of(made)


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


# --- texts of which only the day is known on which a source had them ------------------------------


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


_GRADES: list[DateEvidence] = ["instrument", "register", "clause", "header", "unstated"]


@st.composite
def _texts_of_a_law(draw: st.DrawFn) -> list[VersionText]:
    """Whole texts of one law that nobody closed: dated well or badly, in any order."""
    years = draw(st.lists(st.integers(1990, 2020), min_size=1, max_size=5, unique=True))
    made = [
        text(
            "甲法",
            f"第{year}号",
            start=f"{year}-03-01" if draw(st.booleans()) else "",
            made=f"{year}-01-15" if draw(st.booleans()) else "",
            evidence=draw(st.sampled_from(_GRADES)),
            as_of=draw(st.sampled_from(["", f"{year}-06-01", "2026-01-01"])),
        )
        for year in years
    ]
    dated = [one for one in made if one.version.validity.start or one.version.promulgated]
    return draw(st.permutations(dated))


@given(_texts_of_a_law(), st.integers(1989, 2030))
@settings(max_examples=40, deadline=None)
def test_on_every_day_the_text_that_began_last_is_the_law(
    tmp_path_factory: pytest.TempPathFactory, made: list[VersionText], year: int
) -> None:
    path = tmp_path_factory.mktemp("corpus") / "corpus.db"
    began = {
        one.version.validity.start or one.version.promulgated: one.provisions[0].text
        for one in made
    }
    day = date(year, 7, 1)
    before = [begun for begun in began if begun is not None and begun <= day]
    with Corpus.open(path, mode="write") as corpus:
        corpus.add(made)
        shown = reads(corpus, "甲法", day.isoformat()) if made else "nothing"
    if before:
        assert shown == began[max(before)]
    else:
        assert shown in ("nothing", "not_covered", "not_in_force", "not_found")


def test_of_twenty_laws_added_twice_every_one_answers_with_the_later_text(corpus: Corpus) -> None:
    titles = [f"第{number}号管理法" for number in range(20)]
    for year, words in (("2000", "旧"), ("2015", "新")):
        corpus.add(
            text(title, words, start=f"{year}-01-01", evidence=_GRADES[(at_ + int(year)) % 5])
            for at_, title in enumerate(titles)
        )
    assert {reads(corpus, title, "2014-12-31") for title in titles} == {"旧"}
    assert {reads(corpus, title, "2016-01-01") for title in titles} == {"新"}
