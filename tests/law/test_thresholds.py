"""Amounts: how they are written, and what they mean on a day."""

from __future__ import annotations

import json
import re
import time
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from thresholds_read import read_thresholds

from inforce.law.penalties.amounts import find_drugs, find_money, read_facts
from inforce.law.penalties.thresholds import drug_figures, thresholds_at
from inforce.law.penalties.tier_selection import choose_offence, select_tiers
from inforce.law.penalties.tiers import read_offences
from inforce.law.registry import find_work


def day(text: str) -> date:
    return date.fromisoformat(text)


@pytest.mark.parametrize(
    ("text", "yuan"),
    [
        ("贪污4万元", 40_000),
        ("盗窃2000元", 2_000),
        ("诈骗三十万元", 300_000),
        ("受贿2.5万元", 25_000),
        ("价值人民币12,345.67元", Decimal("12345.67")),
        ("吸收二十亿元", 2_000_000_000),
        ("侵占1千万元", 10_000_000),
        ("两万元", 20_000),
        ("stole RMB 30,000", 30_000),
    ],
)
def test_a_sum_is_read_however_it_is_written(text: str, yuan: int | Decimal) -> None:
    [money] = find_money(text)
    assert money.low == money.high == yuan


@pytest.mark.parametrize(
    ("text", "drug", "grams"),
    [
        ("贩卖甲基苯丙胺60克", "甲基苯丙胺", 60),
        ("60克甲基苯丙胺", "甲基苯丙胺", 60),
        ("冰毒12.5克", "甲基苯丙胺", Decimal("12.5")),
        ("海洛因0.5千克", "海洛因", 500),
        ("鸦片一千克", "鸦片", 1000),
    ],
)
def test_a_weight_of_a_drug_is_read(text: str, drug: str, grams: int | Decimal) -> None:
    assert [(one.drug, one.grams) for one in find_drugs(text)] == [(drug, grams)]


@pytest.mark.parametrize("text", ["第二百六十四条", "2015年3月", "30天", "三个月", "1000人"])
def test_what_is_no_sum_is_not_read_as_one(text: str) -> None:
    assert find_money(text) == ()


def test_of_several_sums_the_total_counts_and_without_one_none_does() -> None:
    total = read_facts("盗窃三次，分别为1000元、2000元，共计3000元")
    assert total.money is not None
    assert total.money.low == 3000
    several = read_facts("先盗窃1000元，又盗窃2000元")
    assert (several.money, several.several_sums) == (None, True)


def test_a_fine_or_damages_are_not_the_sum_of_the_crime() -> None:
    facts = read_facts("盗窃5000元，并处罚金20000元")
    assert facts.money is not None
    assert facts.money.low == 5000


@pytest.mark.parametrize("piece", ["一", "万", "1", "1,", "元", "十万亿", "克冰毒", "数额"])
def test_time_grows_with_length_alone(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    began = time.process_time()
    find_money(text)
    find_drugs(text)
    assert time.process_time() - began < 2


@given(st.integers(1, 99_999_999))
def test_every_whole_sum_is_read_as_itself(yuan: int) -> None:
    [money] = find_money(f"盗窃{yuan}元")
    assert money.low == yuan


CHANGES = [
    # article, word, the day before, the first day, amounts before and since
    (264, "数额较大", "2013-04-03", "2013-04-04", (500, 2000), (1000, 3000)),
    (264, "数额特别巨大", "2013-04-03", "2013-04-04", (30_000, 100_000), (300_000, 500_000)),
    (266, "数额巨大", "2011-04-07", "2011-04-08", (30_000, 50_000), (30_000, 100_000)),
    (274, "数额较大", "2013-04-26", "2013-04-27", (1000, 3000), (2000, 5000)),
    (267, "数额巨大", "2013-11-17", "2013-11-18", (5000, 20_000), (30_000, 80_000)),
    (383, "数额巨大", "2016-04-17", "2016-04-18", None, (200_000, 200_000)),
    (205, "数额巨大", "2024-03-19", "2024-03-20", (2_500_000, 2_500_000), (5_000_000, 5_000_000)),
]


@pytest.mark.parametrize(("article", "word", "before", "since", "old", "new"), CHANGES)
def test_the_amount_changes_on_the_first_day_of_the_interpretation(
    article: int,
    word: str,
    before: str,
    since: str,
    old: tuple[int, int] | None,
    new: tuple[int, int],
) -> None:
    def figures(text: str) -> list[tuple[Decimal, Decimal]]:
        found = thresholds_at(article, day(text))
        return [(one.low, one.high) for one in found if one.word == word]

    assert figures(before) == ([old] if old else [])
    assert figures(since) == [new]
    assert figures("2026-11-20") == [new]


READ_WHOLE = ("法释〔2011〕7号", "法释〔2013〕8号", "法释〔2013〕10号", "法释〔2013〕25号")
"""Interpretations whose amounts are all in the sentences that enumerate them."""


@pytest.mark.data
@pytest.mark.parametrize("number", READ_WHOLE)
def test_the_table_has_what_the_interpretation_says(shared_data: Path, number: str) -> None:
    work = find_work(number)
    assert work is not None
    read = {
        (one.article, one.word, one.low, one.high)
        for one in read_thresholds(text_of(shared_data, work.title))
    }
    articles = {article for article, *_ in read}
    table = {
        (one.article, one.word, one.low, one.high)
        for article in articles
        for one in thresholds_at(article, work.commenced or date.min)
        if one.source.startswith(number)
    }
    assert read == table
    assert read


@pytest.mark.data
def test_the_amounts_for_corruption_are_those_of_the_interpretation(shared_data: Path) -> None:
    work = find_work("法释〔2016〕9号")
    assert work is not None
    read = {
        (one.article, one.word): one.low
        for one in read_thresholds(text_of(shared_data, work.title))
    }
    for article in (383, 390):
        for one in thresholds_at(article, day("2017-01-01")):
            if one.word:
                assert read[article, one.word] == one.low


def text_of(shared_data: Path, title: str) -> str:
    wanted = re.sub(r"\W", "", title)
    with (shared_data / "sources" / "interpretations.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            one = json.loads(line)
            if re.sub(r"\W", "", one["title"]) == wanted:
                return one["text"]
    raise AssertionError(f"{title} is not in the shared data")


def test_a_sentence_of_an_interpretation_is_read_with_its_article() -> None:
    text = (
        "盗窃公私财物价值一千元至三千元以上、三万元至十万元以上、三十万元至五十万元以上的，应当分别认定"
        "为刑法第二百六十四条规定的“数额较大”、“数额巨大”、“数额特别巨大”。"
    )
    read = [(one.article, one.word, int(one.low), int(one.high)) for one in read_thresholds(text)]
    assert read == [
        (264, "数额较大", 1000, 3000),
        (264, "数额巨大", 30_000, 100_000),
        (264, "数额特别巨大", 300_000, 500_000),
    ]


THEFT = (
    "盗窃公私财物，数额较大的，处三年以下有期徒刑、拘役或者管制，并处或者单处罚金；数额巨大或者有其他"
    "严重情节的，处三年以上十年以下有期徒刑，并处罚金；数额特别巨大或者有其他特别严重情节的，处十年以上"
    "有期徒刑或者无期徒刑，并处罚金或者没收财产。"
)
DRUGS = (
    "走私、贩卖、运输、制造毒品，有下列情形之一的，处十五年有期徒刑、无期徒刑或者死刑，并处没收财产：\n"
    "（一）走私、贩卖、运输、制造鸦片一千克以上、海洛因或者甲基苯丙胺五十克以上或者其他毒品数量大的；\n"
    "（二）走私、贩卖、运输、制造毒品集团的首要分子。\n"
    "走私、贩卖、运输、制造鸦片二百克以上不满一千克、海洛因或者甲基苯丙胺十克以上不满五十克或者其他毒品"
    "数量较大的，处七年以上有期徒刑，并处罚金。\n"
    "走私、贩卖、运输、制造鸦片不满二百克、海洛因或者甲基苯丙胺不满十克或者其他少量毒品的，处三年以下"
    "有期徒刑、拘役或者管制，并处罚金；情节严重的，处三年以上七年以下有期徒刑，并处罚金。"
)


@pytest.mark.parametrize(
    ("text", "article", "on", "facts", "highest"),
    [
        (THEFT, 264, "2015-06-01", "盗窃5000元", ["有期徒刑3年"]),
        (THEFT, 264, "2015-06-01", "盗窃15万元", ["有期徒刑10年"]),
        (THEFT, 264, "2015-06-01", "盗窃5万元", ["有期徒刑10年", "有期徒刑3年"]),
        (THEFT, 264, "2015-06-01", "盗窃80万元", ["无期徒刑"]),
        (THEFT, 264, "2012-06-01", "盗窃15万元", ["无期徒刑"]),
        (THEFT, 264, "2012-06-01", "盗窃，数额巨大", ["有期徒刑10年"]),
        (DRUGS, 347, "2015-06-01", "贩卖甲基苯丙胺60克", ["死刑"]),
        (DRUGS, 347, "2015-06-01", "贩卖甲基苯丙胺12克", ["有期徒刑15年"]),
        (DRUGS, 347, "2015-06-01", "贩卖海洛因5克", ["有期徒刑3年"]),
        (DRUGS, 347, "2015-06-01", "贩卖海洛因5克，情节严重", ["有期徒刑7年"]),
        (DRUGS, 347, "2017-06-01", "贩卖氯胺酮600克", ["死刑"]),
    ],
)
def test_the_tier_follows_from_the_sum_or_the_weight_and_the_day(
    text: str, article: int, on: str, facts: str, highest: list[str]
) -> None:
    read = read_facts(facts)
    offence = choose_offence(read_offences(text), read)
    assert offence is not None
    fitting = select_tiers(offence, read, article=article, day=day(on))
    assert [str(tier.range.highest) for tier in fitting.tiers] == highest


def test_what_was_taken_not_to_be_there_is_said() -> None:
    read = read_facts("盗窃5000元")
    offence = choose_offence(read_offences(THEFT), read)
    assert offence is not None
    fitting = select_tiers(offence, read, article=264, day=day("2015-06-01"))
    assert any("其他严重情节" in one for one in fitting.assumed)
    assert any("法释〔2013〕8号" in one for one in fitting.reasons)


def test_facts_that_tell_nothing_leave_every_tier_open() -> None:
    read = read_facts("盗窃他人财物")
    offence = choose_offence(read_offences(THEFT), read)
    assert offence is not None
    fitting = select_tiers(offence, read, article=264, day=day("2015-06-01"))
    assert (fitting.facts_decide, len(fitting.tiers)) == (False, 3)


@given(low=st.integers(1, 2_000_000), more=st.integers(0, 2_000_000))
def test_a_greater_sum_never_fits_a_lighter_tier(low: int, more: int) -> None:
    offence = read_offences(THEFT)[0]
    heaviest = [
        select_tiers(offence, read_facts(f"盗窃{yuan}元"), article=264, day=day("2015-06-01"))
        .tiers[0]
        .range.highest
        for yuan in (low, low + more)
    ]
    assert heaviest[0] <= heaviest[1]


def test_drugs_the_statute_does_not_name_have_figures_from_2016_on() -> None:
    assert drug_figures("氯胺酮", day("2016-04-10")) is None
    assert drug_figures("氯胺酮", day("2016-04-11")) is not None
