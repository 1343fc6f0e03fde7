"""The table of known laws: names, dates, instruments, branches."""

from __future__ import annotations

import doctest
import gzip
import json
from datetime import date
from pathlib import Path
from typing import Any, cast, get_args

import pytest

from inforce.law import registry
from inforce.law.registry import (
    KNOWN_WORKS,
    Branch,
    KnownWork,
    branch_of,
    find_work,
    instrument_of,
    name_key,
    read_table,
)

STATE = "中华人民共和国"

NAMES = [
    ("刑法", "中华人民共和国刑法"),
    ("《刑法》", "中华人民共和国刑法"),
    ("中华人民共和国刑法", "中华人民共和国刑法"),
    ("《中华人民共和国刑法》", "中华人民共和国刑法"),
    ("Criminal Law", "中华人民共和国刑法"),
    ("criminal law", "中华人民共和国刑法"),
    ("PRC Criminal Law", "中华人民共和国刑法"),
    ("the Criminal Law of the PRC", "中华人民共和国刑法"),
    ("Criminal Law of the People's Republic of China", "中华人民共和国刑法"),
    ("刑诉法", "中华人民共和国刑事诉讼法"),
    ("民诉法", "中华人民共和国民事诉讼法"),
    ("Civil Procedure Law", "中华人民共和国民事诉讼法"),
    ("民事诉讼法（试行）", "中华人民共和国民事诉讼法"),
    ("Inheritance Law", "中华人民共和国继承法"),
    ("Marriage Law", "中华人民共和国婚姻法"),
    ("Civil Code", "中华人民共和国民法典"),
    ("Labor Contract Law", "中华人民共和国劳动合同法"),
    ("消法", "中华人民共和国消费者权益保护法"),
    ("刑法修正案（八）", "中华人民共和国刑法修正案（八）"),
    ("刑法修正案(八)", "中华人民共和国刑法修正案（八）"),
    ("刑法修正案八", "中华人民共和国刑法修正案（八）"),
    ("刑法修正案（一）", "中华人民共和国刑法修正案"),
    ("Amendment (VIII) to the Criminal Law", "中华人民共和国刑法修正案（八）"),
    ("工伤保险条例", "工伤保险条例"),
    (
        "法释〔2013〕8号",
        "最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释",
    ),
    (
        "法释[2020]15号",
        "最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定",
    ),
    (
        "关于适用《民法典》时间效力的若干规定",
        "最高人民法院关于适用《中华人民共和国民法典》时间效力的若干规定",
    ),
]

LIFETIMES = [
    ("刑法", "1980-01-01", None, ()),
    ("刑事诉讼法", "1980-01-01", None, ()),
    ("民事诉讼法", "1982-10-01", None, ()),
    ("民法典", "2021-01-01", None, ()),
    ("劳动合同法", "2008-01-01", None, ()),
    ("婚姻法", "1950-05-01", "2021-01-01", ("民法典",)),
    ("继承法", "1985-10-01", "2021-01-01", ("民法典",)),
    ("民法通则", "1987-01-01", "2021-01-01", ("民法典",)),
    ("收养法", "1992-04-01", "2021-01-01", ("民法典",)),
    ("担保法", "1995-10-01", "2021-01-01", ("民法典",)),
    ("合同法", "1999-10-01", "2021-01-01", ("民法典",)),
    ("物权法", "2007-10-01", "2021-01-01", ("民法典",)),
    ("侵权责任法", "2010-07-01", "2021-01-01", ("民法典",)),
    ("民法总则", "2017-10-01", "2021-01-01", ("民法典",)),
    ("经济合同法", "1982-07-01", "1999-10-01", ("合同法",)),
    ("逮捕拘留条例", "1954-12-20", "1997-01-01", ("刑事诉讼法",)),
]

INSTRUMENTS = [
    ("刑法", "1997-10-01", "中华人民共和国刑法（1997年修订）"),
    ("刑法", "1998-12-29", "关于惩治骗购外汇、逃汇和非法买卖外汇犯罪的决定"),
    ("刑法", "1999-12-25", "刑法修正案"),
    ("刑法", "2009-02-28", "刑法修正案（七）"),
    ("刑法", "2009-08-27", "关于修改部分法律的决定"),
    ("刑法", "2011-04-30", None),
    ("刑法", "2011-05-01", "刑法修正案（八）"),
    ("刑法", "2011-05-02", None),
    ("刑法", "2024-03-01", "刑法修正案（十二）"),
    ("刑事诉讼法", "2013-01-01", "关于修改《中华人民共和国刑事诉讼法》的决定"),
    ("民事诉讼法", "1991-04-09", "中华人民共和国民事诉讼法（1991年）"),
    ("行政处罚法", "2018-01-01", "关于修改《中华人民共和国法官法》等八部法律的决定"),
    ("合同法", "1999-10-01", "中华人民共和国合同法"),
    ("没有这部法", "1999-10-01", None),
]

BRANCHES: list[tuple[str, Branch]] = [
    ("刑法", "criminal"),
    ("刑法修正案（八）", "criminal"),
    ("刑事诉讼法", "criminal procedure"),
    ("民法典", "civil"),
    ("民诉法", "civil procedure"),
    ("行政诉讼法", "administrative procedure"),
    ("劳动合同法", "labour"),
    ("公司法", "commercial"),
    ("宪法", "constitutional"),
    ("未成年人保护法", "other"),
    ("人民检察院刑事诉讼规则", "criminal procedure"),
    ("最高人民法院关于民事诉讼证据的若干规定", "civil procedure"),
    ("最高人民法院关于审理单位犯罪案件具体应用法律有关问题的解释", "criminal"),
    ("杭州市劳动合同条例", "labour"),
    ("上海市遗失物管理办法", "administrative"),
    ("中华人民共和国烟草专卖法实施条例", "administrative"),
    ("最高人民法院关于巡回法庭审理案件若干问题的规定", "other"),
    ("中华人民共和国测绘法", "other"),
]


def known(name: str) -> KnownWork:
    work = find_work(name)
    assert work is not None, name
    return work


@pytest.mark.parametrize(("name", "title"), NAMES)
def test_a_law_is_found_by_any_of_its_names(name: str, title: str) -> None:
    assert known(name).title == title


@pytest.mark.parametrize(
    "name", ["", "中华人民共和国", "刑", "某某法", "《》", "Law", "法释〔2013〕888号"]
)
def test_a_name_nobody_knows_finds_nothing(name: str) -> None:
    assert find_work(name) is None


@pytest.mark.parametrize(("name", "commenced", "ended", "successors"), LIFETIMES)
def test_a_law_is_in_force_from_its_first_day_to_the_day_its_successor_begins(
    name: str, commenced: str, ended: str | None, successors: tuple[str, ...]
) -> None:
    work = known(name)
    assert work.commenced == date.fromisoformat(commenced)
    assert work.ended == (date.fromisoformat(ended) if ended else None)
    assert work.succeeded_by == tuple(STATE + name for name in successors)


@pytest.mark.parametrize(("name", "start", "instrument"), INSTRUMENTS)
def test_a_version_is_known_by_the_instrument_that_made_it(
    name: str, start: str, instrument: str | None
) -> None:
    assert instrument_of(name, start=date.fromisoformat(start)) == instrument


def test_a_contradicting_promulgation_date_names_no_instrument() -> None:
    start = date(2011, 5, 1)
    assert instrument_of("刑法", start=start, promulgated=date(2011, 2, 25)) == "刑法修正案（八）"
    assert instrument_of("刑法", start=start, promulgated=date(2011, 2, 26)) is None


@pytest.mark.parametrize(("title", "branch"), BRANCHES)
def test_a_law_belongs_to_a_branch(title: str, branch: Branch) -> None:
    assert branch_of(title) == branch


def test_no_name_belongs_to_two_laws() -> None:
    owners: dict[str, str] = {}
    for work in KNOWN_WORKS:
        for name in (work.title, *work.short_names, *work.english, *work.document_numbers):
            assert owners.setdefault(name_key(name), work.title) == work.title


@pytest.mark.parametrize("work", KNOWN_WORKS, ids=lambda work: work.title)
def test_the_dates_of_a_law_are_in_order_and_its_successors_are_known(work: KnownWork) -> None:
    days = [work.commenced, *(a.commenced for a in work.amendments), work.ended]
    stated = [day for day in days if day is not None]
    if work.amendments and work.amendments[0].commenced == work.commenced:  # the enactment itself
        stated = stated[1:]
    assert stated == sorted(set(stated))
    assert all(a.promulgated <= a.commenced for a in work.amendments)
    assert all(known(title).title == title for title in work.succeeded_by)
    assert work.branch in get_args(Branch)


def test_a_line_that_is_not_an_amendment_is_refused() -> None:
    with pytest.raises(ValueError, match="甲法"):
        read_table("[civil]\n甲法 | | 2000-01-01\n  2001-01-01")


@pytest.mark.data
def test_the_table_agrees_with_the_dated_versions_of_the_core_laws(shared_data: Path) -> None:
    """Every dated version of the laws of the temporal corpus is explained by an instrument."""
    checked = 0
    with gzip.open(shared_data / "statutes" / "versions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = cast(dict[str, Any], json.loads(line))
            if record["category"] == "core":
                start, promulgated = map(
                    date.fromisoformat, (record["valid_from"], record["promulgated"])
                )
                instrument = instrument_of(record["law"], start=start, promulgated=promulgated)
                assert instrument, (record["law"], start)
                checked += 1
    assert checked == 35


@pytest.mark.data
def test_no_law_is_held_from_before_its_first_day(shared_data: Path) -> None:
    for name in ("versions", "laws_current"):
        path = shared_data / "statutes" / f"{name}.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = cast(dict[str, Any], json.loads(line))
                work = find_work(record["law"])
                if work and work.commenced and record["valid_from"]:
                    assert date.fromisoformat(record["valid_from"]) >= work.commenced


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(registry).failed == 0
