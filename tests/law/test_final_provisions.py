"""The last articles of a text: when it began, and what it put an end to."""

from __future__ import annotations

import time
from datetime import date

import pytest

from inforce.law.final_provisions import (
    FinalProvisions,
    PartCommencement,
    Repeal,
    read_final_provisions,
)
from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber

number = ProvisionNumber.parse

CIVIL_CODE = (
    "本法自2021年1月1日起施行。《中华人民共和国婚姻法》、《中华人民共和国继承法》、"
    "《中华人民共和国民法通则》同时废止。"
)


def final(*articles: str, title: str = "示例法") -> FinalProvisions:
    provisions = [
        Provision(ProvisionNumber.article(place), text) for place, text in enumerate(articles, 1)
    ]
    return read_final_provisions(title, provisions)


@pytest.mark.parametrize(
    ("text", "commenced", "on_promulgation"),
    [
        (CIVIL_CODE, "2021-01-01", False),
        ("本法自公布之日起施行。", None, True),
        ("本规定由最高人民检察院负责解释，自发布之日起施行。", None, True),
        ("本规定从发布之日起施行。", None, True),
        ("本条例于2007年9月1日起施行。", "2007-09-01", False),
        ("本法自1986年10月1日施行。", "1986-10-01", False),
        ("本条例自一九八八年一月一日起施行。", "1988-01-01", False),
        ("本法（原称《军官服役条例》）自1989年1月1日起施行。", "1989-01-01", False),
        ("本法由全国人民代表大会通过，自1984年10月1日起施行。", "1984-10-01", False),
        ("当事人自判决生效之日起六个月内可以申请。", None, False),
        ("本法施行前成立的合同，适用当时的法律。", None, False),
    ],
)
def test_a_clause_says_when_the_text_began(
    text: str, commenced: str | None, on_promulgation: bool
) -> None:
    read = final("第一条的内容。", text)
    assert read.commenced == (commenced and date.fromisoformat(commenced))
    assert read.on_promulgation is on_promulgation


def test_articles_may_begin_on_a_day_of_their_own() -> None:
    text = (
        "本补充安排第一条、第四条自2020年11月27日起施行，第二条、第三条由最高人民法院公布施行日期。"
    )
    numbers = (number("1"), number("4"))
    assert final("甲。", text).parts == (PartCommencement(numbers, date(2020, 11, 27)),)


@pytest.mark.parametrize(
    ("text", "repealed"),
    [
        (
            CIVIL_CODE,
            ["中华人民共和国婚姻法", "中华人民共和国继承法", "中华人民共和国民法通则"],
        ),
        (
            "1991年4月9日第七届全国人民代表大会第四次会议通过的《甲法》和1993年国务院发布的《乙条例》同时废止。",
            ["甲法", "乙条例"],
        ),
        (
            "自本规定施行之日起，《甲规定（试行）》（法释〔2000〕8号）即行废止；本规定自2019年起施行。",
            ["甲规定（试行）"],
        ),
        (
            "本解释施行后，《关于执行〈行政诉讼法〉若干问题的解释》（法释〔2000〕8号）同时废止。",
            ["关于执行〈行政诉讼法〉若干问题的解释"],
        ),
        ("《劳动改造条例》中有关看守所的规定即行废止。", []),
        ("《甲法》第三条同时废止。", []),
        ("《甲法》的规定与本法不一致的，适用本法，乙办法同时废止。", []),
        ("依照《甲法》作出的决定，由原机关予以废止。", []),
    ],
)
def test_only_laws_named_whole_before_the_verb_are_repealed(text: str, repealed: list[str]) -> None:
    assert [one.title for one in final("甲。", text).repeals] == repealed


def test_a_repealed_text_is_told_by_its_day_from_others_of_its_title() -> None:
    text = "2020年4月13日公布的《网络安全审查办法》（国家互联网信息办公室令第6号）同时废止。"
    assert final("甲。", text).repeals == (Repeal("网络安全审查办法", date(2020, 4, 13)),)


def test_a_decision_that_abolishes_others_lists_them_line_by_line() -> None:
    listed = (
        "现决定废止下列司法解释。本决定自2021年1月1日起施行。\n"
        "1. 最高人民法院关于审理名誉权案件若干问题的解释（法释〔1998〕26号）\n"
        "2. 《最高人民法院关于适用〈中华人民共和国担保法〉若干问题的解释》\n"
        "序号 标题 发文日期"
    )
    title = "最高人民法院关于废止部分司法解释及相关规范性文件的决定"
    read = final(listed, title=title)
    assert [one.title for one in read.repeals] == [
        "最高人民法院关于审理名誉权案件若干问题的解释",
        "最高人民法院关于适用〈中华人民共和国担保法〉若干问题的解释",
    ]
    assert read.commenced == date(2021, 1, 1)
    assert final(listed).repeals == ()


def test_a_decision_may_abolish_each_law_in_a_point_of_its_own() -> None:
    points = (
        "废止《北京市社会治安综合治理条例》（1992年9月19日北京市第九届人民代表大会常务委员会第三十六次会议通过）",
        "废止《北京市邮政通信条例》（1994年7月22日北京市第十届人民代表大会常务委员会第十一次会议通过）",
    )
    title = "北京市人民代表大会常务委员会关于废止部分地方性法规的决定"
    read = final(*points, "本决定自2021年9月24日起施行。", title=title)
    repealed = ["北京市社会治安综合治理条例", "北京市邮政通信条例"]
    assert [one.title for one in read.repeals] == repealed


@pytest.mark.parametrize("piece", ["《甲》、", "第三条", "本法自", "废止", "同时废止。", " ", "（"])
def test_reading_takes_time_in_proportion_to_the_length(piece: str) -> None:
    begun = time.perf_counter()
    final(piece * (100_000 // len(piece)), title="关于废止的决定")
    assert time.perf_counter() - begun < 5
