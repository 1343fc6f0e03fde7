"""从旧兼从轻: which of two wordings is the more lenient, by the judgement of a lawyer.

The first table has amended articles of 刑法 between two wordings, without any facts: the later one
is the same or heavier in every tier, lighter in every tier, or it is open and turns on the facts.
The second has facts. Whatever is not certain must stay open: none may be decided wrongly.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.amounts import read_facts
from inforce.law.penalties.severity import ActAndTrial, Severity, compare_severity

AMENDED = """
1999-12-25 same    174 180 181 182 225
2001-08-31 same    342
2001-12-29 open    120
2001-12-29 same    114 115 125 127 191
2002-12-28 heavier 145
2002-12-28 same    152 339 344 345 399
2005-02-28 same    196 369
2006-06-29 heavier 182 187 303 312
2006-06-29 same    135 161 163 164 191
2009-02-28 heavier 375
2009-02-28 open    151 201 239
2009-02-28 same    180 225 285 312 337
2009-08-27 same    381 410
2011-05-01 heavier 74 141 143 200 226 244 274
2011-05-01 open    144 151 153 205 206 264 295 328
2011-05-01 same    107 109 164 293 338 358
2015-11-01 heavier 241 120 164 253-1 280 283 288 313 322 390 391 392 393
2015-11-01 lighter 199
2015-11-01 open    151 170 239 358 360 383 426 433
2015-11-01 same    120-1 133-1 237 246 260 267 277 285 286 290 291-1 302 309 311
2017-11-04 same    299
2021-03-01 heavier 17 142 160 161 176 191 213 215 217 218 236 303 338 408-1
2021-03-01 open    163 192 271 272
2021-03-01 lighter 175-1
2021-03-01 same    134 182 237 277 330 341
2024-03-01 heavier 391
2024-03-01 open    387 390 393
2024-03-01 same    165 166 169 177-1
"""
"""The first day of a wording, how it stands to the one before, and the articles."""

ON_FACTS = """
383 | 2014-06-01 | 2016-06-01 | lighter | 贪污4万元
383 | 2014-06-01 | 2016-01-15 | open    | 贪污4万元
383 | 2014-06-01 | 2016-06-01 | lighter | 贪污公款三十万元
383 | 2014-06-01 | 2017-06-01 | heavier | 受贿500万元
383 | 2014-06-01 | 2016-06-01 | lighter | 贪污8000元
383 | 2014-06-01 | 2016-06-01 | lighter | 贪污2.5万元
264 | 2012-06-01 | 2014-06-01 | lighter | 盗窃2000元
264 | 2012-06-01 | 2014-06-01 | lighter | 盗窃2万元
264 | 2010-06-01 | 2012-06-01 | same    | 盗窃2000元
264 | 2010-09-08 | 2011-06-21 | lighter | 盗窃金融机构，数额特别巨大
264 | 2010-11-15 | 2011-08-15 | heavier | 入户盗窃300元
266 | 2010-06-01 | 2012-06-01 | open    | 诈骗4万元
303 | 2020-08-15 | 2021-05-15 | heavier | 开设赌场罪一般情节
390 | 2023-08-15 | 2024-06-15 | lighter | 行贿罪，情节一般且无从重处罚情形
390 | 2014-06-15 | 2016-06-15 | heavier | 送给国家工作人员5万元，被追诉前主动交待全部事实
176 | 2019-06-15 | 2021-09-15 | heavier | 非法吸收公众存款20亿元，数额特别巨大，没有退赔
176 | 2019-06-15 | 2022-09-15 | lighter | 非法吸收公众存款300万元，在提起公诉前全部退赔
176 | 2019-06-15 | 2022-09-15 | lighter | 非法吸收公众存款300万元
271 | 2019-06-15 | 2022-09-15 | lighter | 职务侵占50万元
271 | 2019-06-15 | 2021-09-15 | open    | 职务侵占150万元
163 | 2019-06-15 | 2021-09-15 | lighter | 收受贿赂50万元
213 | 2020-06-15 | 2021-08-15 | heavier | 假冒注册商标，情节严重
358 | 2014-02-15 | 2016-02-15 | lighter | 组织他人卖淫，情节特别严重
395 | 2008-10-15 | 2009-06-15 | heavier | 巨额财产来源不明，差额特别巨大
175-1 | 2019-08-15 | 2021-06-15 | lighter | 骗取贷款没有造成损失，只是有其他严重情节
383 | 2013-06-15 | 2016-05-15 | lighter | 12万元据为己有，当年的规定是10万元以上就十年起步
219 | 2020-05-15 | 2021-09-15 | heavier | 盗取商业秘密卖给对手，造成特别严重后果
170 | 2013-06-15 | 2016-02-15 | lighter | 印假钱，数额特别大
49 | 2010-10-15 | 2011-11-15 | lighter | 杀人，审判时七十七岁
170 | 2014-02-15 | 2016-02-15 | lighter | 伪造货币数额特别巨大
239 | 2008-02-15 | 2009-06-15 | lighter | 绑架他人，情节较轻
239 | 2014-02-15 | 2016-02-15 | lighter | 绑架并杀害被绑架人
192 | 2019-02-15 | 2021-06-15 | lighter | 集资诈骗200万元
153 | 2010-06-15 | 2015-05-15 | lighter | 走私普通货物偷逃应缴税额30万元
205 | 2023-06-15 | 2024-05-15 | lighter | 虚开增值税专用发票税款300万元
196 | 2017-06-15 | 2019-05-15 | lighter | 恶意透支3万元
274 | 2010-06-15 | 2012-05-15 | heavier | 敲诈勒索5000元
272 | 2019-06-15 | 2021-05-15 | open    | 挪用资金500万元
201 | 2008-06-15 | 2009-06-15 | open    | 偷税8万元，占应纳税额百分之二十
384 | 2014-06-01 | 2017-01-01 | lighter | 挪用公款20万元
295 | 2010-06-01 | 2011-06-01 | lighter | 传授犯罪方法，情节严重
328 | 2010-06-01 | 2011-06-01 | lighter | 多次盗掘古墓葬
360 | 2014-01-01 | 2016-06-01 | open    | 嫖宿幼女
312 | 2018-06-01 | 2021-06-01 | heavier | 掩饰、隐瞒犯罪所得5000元
"""
"""Article, day of the act, day of the trial, the law at trial seen from that of the act, facts."""


@dataclass(frozen=True, slots=True)
class Text:
    """刑法 as it read from a day on."""

    since: str
    articles: dict[str, str]


@pytest.fixture(scope="module")
def texts(shared_data: Path) -> list[Text]:
    found: list[Text] = []
    with gzip.open(shared_data / "statutes" / "versions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            if '"中华人民共和国刑法"' not in line[:400]:
                continue
            one = json.loads(line)
            if one["law"] == "中华人民共和国刑法" and one.get("category") == "core":
                articles = {article["no"]: article["text"] for article in one["articles"]}
                found.append(Text(one["valid_from"], articles))
    return sorted(found, key=lambda text: text.since)


def wording(texts: list[Text], number: ProvisionNumber, day: str) -> str:
    return [text for text in texts if text.since <= day][-1].articles.get(number.chinese, "")


def compared(texts: list[Text], number: str, act: str, trial: str, facts: str = "") -> Severity:
    article = ProvisionNumber.parse(number)
    wordings = [(text.since, text.articles.get(article.chinese)) for text in texts]
    changes = tuple(
        date.fromisoformat(since)
        for (_, before), (since, after) in zip(wordings, wordings[1:], strict=False)
        if act < since <= trial and before != after
    )
    between = ActAndTrial(article, date.fromisoformat(act), date.fromisoformat(trial), changes)
    return compare_severity(
        wording(texts, article, act),
        wording(texts, article, trial),
        facts=read_facts(facts) if facts else None,
        between=between,
    )


def amended() -> Iterator[tuple[str, str, str]]:
    since, expected = "", ""
    for line in AMENDED.strip().splitlines():
        numbers = line.split()
        if not line.startswith(" "):
            since, expected, *numbers = numbers
        yield from ((number, since, expected) for number in numbers)


@pytest.mark.data
@pytest.mark.parametrize(("number", "since", "expected"), list(amended()))
def test_an_amended_article_is_compared_as_a_lawyer_would(
    texts: list[Text], number: str, since: str, expected: str
) -> None:
    before = [text.since for text in texts if text.since < since][-1]
    result = compared(texts, number, before, since).result
    assert result == ("cannot decide" if expected == "open" else expected)


@pytest.mark.data
@pytest.mark.parametrize("row", ON_FACTS.strip().splitlines())
def test_facts_choose_the_tiers_that_are_compared(texts: list[Text], row: str) -> None:
    number, act, trial, expected, facts = (cell.strip() for cell in row.split("|"))
    found = compared(texts, number, act, trial, facts)
    assert found.result == ("cannot decide" if expected == "open" else expected)
    assert bool(found.establish) == (found.result == "cannot decide")


THEFT = "盗窃公私财物，数额较大的，处{low}；数额巨大的，处{mid}；数额特别巨大的，处{high}。"
OLD = THEFT.format(low="五年以下有期徒刑", mid="五年以上十年以下有期徒刑", high="十年以上有期徒刑")
IN_2015 = ActAndTrial(ProvisionNumber.article(264), date(2014, 1, 1), date(2015, 6, 1))


@pytest.mark.parametrize(
    ("low", "mid", "high", "facts", "expected"),
    [
        ("三年以下", "五年以上十年以下", "十年以上有期徒刑", "盗窃5000元", "lighter"),
        ("三年以下", "五年以上十年以下", "十年以上有期徒刑", "盗窃20万元", "same"),
        ("三年以下", "五年以上十年以下", "无期徒刑", "盗窃90万元", "heavier"),
        ("三年以下", "五年以上十年以下", "无期徒刑", "盗窃", "cannot decide"),
        ("三年以下", "三年以上十年以下", "十年以上有期徒刑", "盗窃5万元", "lighter"),
        ("三年以下", "三年以上八年以下", "十年以上有期徒刑", "盗窃40万元", "cannot decide"),
        ("三年以下", "五年以上十年以下", "十年以上有期徒刑", "盗窃2000元", "lighter"),
        ("七年以下", "五年以上十年以下", "十年以上有期徒刑", "盗窃8000元", "heavier"),
    ],
)
def test_only_the_tier_that_fits_the_sum_counts(
    low: str, mid: str, high: str, facts: str, expected: str
) -> None:
    new = THEFT.format(low=f"{low}有期徒刑", mid=f"{mid}有期徒刑", high=high)
    found = compare_severity(OLD, new, facts=read_facts(facts), between=IN_2015)
    assert found.result == expected


def test_the_steps_name_the_figures_and_their_source() -> None:
    new = OLD.replace("五年以下", "三年以下")
    found = compare_severity(OLD, new, facts=read_facts("盗窃5000元"), between=IN_2015)
    assert any("法释〔2013〕8号" in step for step in found.steps)
    assert any(step.startswith("at the act") for step in found.steps)
    assert any(step.startswith("at the trial") for step in found.steps)


def test_a_wording_that_covers_more_is_never_lighter_for_that() -> None:
    old = "生产、销售假药的，处三年以下有期徒刑。"
    new = "生产、销售、提供假药的，处三年以下有期徒刑。"
    assert compare_severity(old, new).result == "same"
    assert compare_severity(new, old).result == "cannot decide"


def test_a_provision_that_only_aggravated_and_is_gone_makes_the_law_lighter() -> None:
    old = "犯本节第一百九十二条规定之罪，数额特别巨大的，处无期徒刑或者死刑，并处没收财产。"
    assert compare_severity(old, "（删去）").result == "lighter"


@given(
    years=st.lists(st.sampled_from("二三五七"), min_size=2, max_size=2),
    fine=st.sampled_from(["", "，并处罚金"]),
)
def test_the_comparison_is_antisymmetric(years: list[str], fine: str) -> None:
    one, other = (f"犯本罪的，处{year}年以下有期徒刑{fine}。" for year in years)
    opposite = {"same": "same", "lighter": "heavier", "heavier": "lighter"}
    forward, backward = compare_severity(one, other).result, compare_severity(other, one).result
    assert opposite[forward] == backward


TAX_OF_1997 = (
    "纳税人采取伪造的手段，偷税数额占应纳税额的百分之十以上不满百分之三十并且偷税数额在一万元以上"
    "不满十万元的，处三年以下有期徒刑或者拘役，并处偷税数额一倍以上五倍以下罚金。"
)
TAX_OF_2009 = (
    "纳税人采取欺骗、隐瞒手段，逃避缴纳税款数额较大的，处三年以下有期徒刑或者拘役，并处罚金。\n"
    "有第一款行为，经税务机关依法下达追缴通知后，补缴应纳税款，缴纳滞纳金，已受行政处罚的，不予追究刑事责任。"
)


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        ("审理时已补缴税款、缴纳滞纳金并受行政处罚", "lighter"),
        ("他补缴了税款和滞纳金，也受了行政处罚", "lighter"),
        ("他补缴了税款", "cannot decide"),
        ("他没有补缴税款，也没有缴纳滞纳金，受了行政处罚", "cannot decide"),
    ],
)
def test_a_bar_to_prosecution_is_lighter_for_whom_the_facts_place_under_it(
    facts: str, result: str
) -> None:
    assert compare_severity(TAX_OF_1997, TAX_OF_2009, facts=read_facts(facts)).result == result


DEATH_OF_1997 = "犯罪的时候不满十八周岁的人和审判的时候怀孕的妇女，不适用死刑。"
DEATH_OF_2011 = (
    DEATH_OF_1997 + "\n审判的时候已满七十五周岁的人，不适用死刑，但以特别残忍手段致人死亡的除外。"
)


@pytest.mark.parametrize(
    ("facts", "is_lighter"),
    [
        ("七十八岁的马某用锄头打死邻居，手段并非特别残忍", True),
        ("审判时已满76周岁", True),
        ("七十四岁的马某打死邻居", False),
        ("七十八岁的马某以特别残忍手段杀人", False),
    ],
)
def test_a_later_protection_is_lighter_for_the_persons_it_names(
    facts: str, is_lighter: bool
) -> None:
    found = compare_severity(DEATH_OF_1997, DEATH_OF_2011, facts=read_facts(facts))
    assert (found.result == "lighter") is is_lighter


MONEY_OF_1997 = "挪用本单位资金归个人使用，数额较大、超过三个月未还的，处三年以下有期徒刑或者拘役。"
MONEY_OF_2021 = (
    MONEY_OF_1997
    + "\n有第一款行为，在提起公诉前将挪用的资金退还的，可以从轻或者减轻处罚。"
    + "其中，犯罪较轻的，可以减轻或者免除处罚。"
)


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        ("挪用单位资金数额较大，提起公诉前将挪用的资金全部退还", "lighter"),
        ("挪用单位资金数额较大，提起公诉前没有退还挪用的资金", "same"),
        ("挪用单位资金数额较大，案发后退还", "cannot decide"),
        ("挪用单位资金数额较大", "same"),
    ],
)
def test_a_later_mitigation_is_lighter_for_whom_the_facts_place_under_it(
    facts: str, result: str
) -> None:
    assert compare_severity(MONEY_OF_1997, MONEY_OF_2021, facts=read_facts(facts)).result == result
