"""The lines above a text are read as what they are: a register of acts."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.law.history import Enactment, enactments, read_history

CONSUMERS = [
    "1993年10月31日 第八届全国人民代表大会常务委员会第四次会议通过",
    "根据2009年8月27日第十一届全国人民代表大会常务委员会第十次会议《关于修改部分法律的决定》第一次修正",
    "2013年10月25日 第十二届全国人民代表大会常务委员会第五次会议"
    "《关于修改〈中华人民共和国消费者权益保护法〉的决定》第二次修正",
]


def acts(*lines: str) -> list[tuple[str, str]]:
    return [(act.day.isoformat(), act.kind) for act in read_history(lines)]


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (CONSUMERS[:1], [("1993-10-31", "passed")]),
        (CONSUMERS[1:2], [("2009-08-27", "amended")]),
        (
            ["2013年10月8日 国务院第26次常务会议通过", "2013年11月11日 国务院令第643号公布"],
            [("2013-10-08", "passed"), ("2013-11-11", "promulgated")],
        ),
        (["1994年1月25日经国务院批准", "2014年1月1日 施行"],
         [("1994-01-25", "approved"), ("2014-01-01", "in force")]),
        (["２０１８年１１月２５日 公安部令第１４９号《关于修改〈规定〉的决定》第二次修正。"],
         [("2018-11-25", "amended"), ("2018-11-25", "promulgated")]),
        (["一九八四年九月二十日第六届全国人民代表大会常务委员会第七次会议通过"],
         [("1984-09-20", "passed")]),
        (["1982年12月10日全国人民代表大会公告公布施行"],
         [("1982-12-10", "promulgated"), ("1982-12-10", "in force")]),
        (["1985年9月18日 国务院发布", "发布之日施行"],
         [("1985-09-18", "promulgated"), ("1985-09-18", "in force")]),
        (["2018年3月1日国务院令第1号废止"],
         [("2018-03-01", "promulgated"), ("2018-03-01", "repealed")]),
        (["2021年2月30日通过"], []),  # no calendar has the day
        (["法释〔2021〕11号"], []),
    ],
)  # fmt: skip
def test_each_line_says_what_was_done_on_its_day(
    lines: list[str], read: list[tuple[str, str]]
) -> None:
    assert acts(*lines) == read


def test_an_act_names_its_body_and_the_decision_without_its_brackets() -> None:
    passed, _, amended = read_history(CONSUMERS)
    assert passed.body == "第八届全国人民代表大会常务委员会第四次会议"
    assert amended.body == "第十二届全国人民代表大会常务委员会第五次会议"
    assert amended.decision == "关于修改〈中华人民共和国消费者权益保护法〉的决定"


def test_a_date_inside_the_title_of_a_decision_is_no_act() -> None:
    line = "2011年1月8日《国务院关于废止2001年12月1日前部分行政法规的决定》修订"
    assert acts(line) == [("2011-01-08", "amended")]


def test_a_title_broken_over_lines_is_one_title() -> None:
    (act,) = read_history(
        ["2019年8月26日会议《关于修改〈中华人民共和国土地管理法〉", "〈房地产管理法〉的决定》修正"]
    )
    assert act.decision.endswith("〈房地产管理法〉的决定")


def test_the_amendments_of_the_criminal_law_are_each_one_act() -> None:
    line = (
        "根据1999年12月25日第九届全国人民代表大会常务委员会第十三次会议通过的"
        "《中华人民共和国刑法修正案》、2001年8月31日第九届全国人民代表大会常务委员会第二十三次会议"
        "通过的《中华人民共和国刑法修正案（二）》修正"
    )
    decisions = [(act.kind, act.decision) for act in read_history([line])]
    assert decisions == [
        ("amended", "中华人民共和国刑法修正案"),
        ("amended", "中华人民共和国刑法修正案（二）"),
    ]


@pytest.mark.parametrize(
    ("lines", "made"),
    [
        (
            ["2013年10月8日国务院第26次常务会议通过", "2013年11月11日国务院令第643号公布",
             "2014年1月1日 施行"],
            [("original", "2013-10-08", "2013-11-11", "2014-01-01")],
        ),
        (
            CONSUMERS,
            [("original", "1993-10-31", None, None), ("amended", "2009-08-27", None, None),
             ("amended", "2013-10-25", None, None)],
        ),
        (
            ["2003年12月4日最高人民法院审判委员会第1299次会议通过",
             "2020年12月23日最高人民法院审判委员会第1823次会议通过", "2021年1月1日施行"],
            [("original", "2003-12-04", None, None), ("amended", "2020-12-23", None, "2021-01-01")],
        ),
        (  # the court and the procuratorate make one instrument on two days, in either order
            ["2003年8月29日 最高人民法院审判委员会第1287次会议、"
             "2003年2月13日最高人民检察院第九届检察委员会第119次会议通过", "2003年9月4日公告公布"],
            [("original", "2003-08-29", "2003-09-04", None)],
        ),
        (  # a decision of a city is approved by its province
            ["2010年5月1日通过", "2016年6月1日甲市人民代表大会常务委员会会议通过，"
             "2016年7月1日乙省人民代表大会常务委员会会议批准的《关于修改〈条例〉的决定》修正"],
            [("original", "2010-05-01", None, None), ("amended", "2016-07-01", None, None)],
        ),
        (
            ["1979年7月1日通过", "1997年3月14日第八届全国人民代表大会第五次会议修订"],
            [("original", "1979-07-01", None, None), ("revised", "1997-03-14", None, None)],
        ),
    ],
)  # fmt: skip
def test_the_steps_of_one_text_belong_together(
    lines: list[str], made: list[tuple[str, str, str | None, str | None]]
) -> None:
    assert [*map(_told, enactments(read_history(lines)))] == made


def test_a_local_regulation_is_made_on_the_day_it_is_approved() -> None:
    passed, approved = date(2011, 11, 15), date(2011, 11, 25)
    [made] = enactments(
        read_history(["2011年11月15日市人民代表大会通过", "2011年11月25日省人大常委会批准"])
    )
    assert (made.kind, made.passed) == ("original", approved)
    *_, changed = enactments(
        read_history(
            [
                "2004年10月25日市人民代表大会通过，2004年11月25日省人大常委会批准",
                "根据2011年11月25日省人大常委会批准的2011年11月15日市人大常委会"
                "《关于修改〈办法〉的决定》修正",
            ]
        )
    )
    assert (changed.kind, changed.passed) == ("amended", approved)
    assert changed.days == {passed, approved}


def _told(made: Enactment) -> tuple[str, str, str | None, str | None]:
    promulgated, commenced = made.promulgated, made.commenced
    return (
        made.kind,
        made.passed.isoformat(),
        promulgated and promulgated.isoformat(),
        commenced and commenced.isoformat(),
    )


pieces = st.sampled_from(
    ["2009年8月27日", "通过", "《", "》", "关于修改", "公布", "施行", "修订", "、", "会议", "根据"]
)


@given(st.lists(pieces, max_size=40).map("".join))
def test_any_line_is_read_and_every_text_was_passed_before_it_was_in_force(line: str) -> None:
    for made in enactments(read_history([line])):
        assert made.commenced is None or made.commenced >= made.passed
        assert made.passed == date(2009, 8, 27)


@pytest.mark.parametrize("piece", ["《", "2009年8月27日通过", "〈》", " ", "根据"])
def test_reading_takes_time_in_proportion_to_the_length(piece: str) -> None:
    begun = time.perf_counter()
    enactments(read_history([piece * (100_000 // len(piece))]))
    assert time.perf_counter() - begun < 5
