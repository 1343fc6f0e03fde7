"""The names of crimes in the starter corpus: whose they are, and on which days."""

from __future__ import annotations

import json
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from inforce.corpus.starter import starter_captions, starter_texts
from inforce.corpus.store import Corpus

CRIMINAL = "中华人民共和国刑法"


def names_on(day: date, number: str | None = None) -> set[str]:
    return {
        one.name
        for one in starter_captions().captions
        if day in one.window and number in (None, one.number.short)
    }


@pytest.mark.parametrize(
    ("day", "count"),
    [
        (date(1997, 12, 15), 0),
        (date(1997, 12, 16), 413),
        (date(1997, 12, 25), 417),
        (date(2002, 3, 26), 417),
        (date(2003, 8, 21), 421),
        (date(2007, 11, 6), 434),
        (date(2009, 10, 16), 443),
        (date(2011, 5, 1), 450),
        (date(2015, 11, 1), 467),
        (date(2021, 3, 1), 482),
        (date(2024, 3, 1), 482),
    ],
)
def test_as_many_names_are_official_as_the_rules_published(day: date, count: int) -> None:
    """483 since 2021 less 骗购外汇罪, which belongs to no article of 刑法."""
    assert len(names_on(day)) == count


def test_theft_is_article_264_and_stays_so() -> None:
    found = [one for one in starter_captions().captions if one.name == "盗窃罪"]
    assert [(one.number.short, one.window.start, one.window.end) for one in found] == [
        ("264", date(1997, 12, 16), None)
    ]


@pytest.mark.parametrize(
    ("number", "day", "old", "new"),
    [
        ("201", date(2009, 10, 16), "偷税罪", "逃税罪"),
        (
            "312",
            date(2007, 11, 6),
            "窝藏、转移、收购、销售赃物罪",
            "掩饰、隐瞒犯罪所得、犯罪所得收益罪",
        ),
        ("114", date(2002, 3, 26), "投毒罪", "投放危险物质罪"),
        ("141", date(2021, 3, 1), "生产、销售假药罪", "生产、销售、提供假药罪"),
        ("399", date(2002, 3, 26), "枉法裁判罪", "民事、行政枉法裁判罪"),
        (
            "169",
            date(2024, 3, 1),
            "徇私舞弊低价折股、出售国有资产罪",
            "徇私舞弊低价折股、出售公司、企业资产罪",
        ),
    ],
)
def test_a_replaced_name_ends_the_day_its_successor_begins(
    number: str, day: date, old: str, new: str
) -> None:
    before, after = names_on(day - timedelta(days=1), number), names_on(day, number)
    assert old in before and old not in after
    assert new in after


def test_no_name_is_official_twice_at_once() -> None:
    captions = sorted(
        starter_captions().captions, key=lambda one: (one.number, one.name, one.window.start)
    )
    for one, two in pairwise(captions):
        if (one.number, one.name) == (two.number, two.name):
            assert not one.window.overlaps(two.window)


def test_a_name_is_never_older_than_its_article(corpus: Corpus) -> None:
    corpus.add(text for text in starter_texts() if text.version.work == CRIMINAL)
    for one in starter_captions().captions:
        on_its_first_day = corpus.timeline(CRIMINAL, one.number).version_at(one.window.start)
        assert on_its_first_day.answer == "found", one


def test_only_versions_of_the_criminal_law_carry_crime_names() -> None:
    with_names = {text.version.work for text in starter_texts() if text.captions}
    assert with_names == {CRIMINAL}


# Against the research data

UNOFFICIAL = {"侮辱国歌罪"}
"""Proposed when 修正案（十） was made; the rule of 2021 chose 侮辱国旗、国徽、国歌罪."""
NO_ARTICLE = {"骗购外汇罪"}


@pytest.mark.data
def test_the_names_of_2018_are_those_of_an_independent_list(shared_data: Path) -> None:
    listed = (shared_data / "lecardv2" / "criminal_charges.txt").read_text(encoding="utf-8")
    theirs = {line.strip().replace("剌探", "刺探") for line in listed.splitlines() if line.strip()}
    assert names_on(date(2018, 1, 1)) == theirs - UNOFFICIAL - NO_ARTICLE


NO_CRIME_NAMES = {
    "组织、强迫、引诱、容留、介绍卖淫",
    "制造、贩卖、传播淫秽物品",
    "走私",
    "经济犯",
}
"""Headings of chapters and sections among the labels."""


@pytest.mark.data
def test_every_charge_label_of_the_case_collections_is_a_name(shared_data: Path) -> None:
    labels = json.loads((shared_data / "ljp" / "labels.json").read_text(encoding="utf-8"))
    charges = {
        charge.replace("会计帐簿", "会计账簿")
        for key in ("pljp_charges_42", "ladan_small_charges_119", "cail2018_charges")
        for charge in labels[key]
    }
    ours = {one.name.removesuffix("罪") for one in starter_captions().captions}
    assert charges - ours == NO_CRIME_NAMES
