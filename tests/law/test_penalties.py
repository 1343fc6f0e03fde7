"""Penalty ranges are read off the statute, and compared by 法释〔1997〕12号."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from inforce.law.model import Provision
from inforce.law.numerals import ProvisionNumber
from inforce.law.penalties.ranges import Comparison, find_ranges
from inforce.law.penalties.severity import compare_severity


def article(text: str) -> Provision:
    return Provision(ProvisionNumber.article(1), text)


@pytest.mark.parametrize(
    ("text", "lowest", "highest", "besides"),
    [
        ("的，处三年以下有期徒刑、拘役或者管制。", "管制", "有期徒刑3年", ""),
        ("的，处三年以上十年以下有期徒刑，并处罚金；", "有期徒刑3年", "有期徒刑10年", "并处罚金"),
        ("的，处五年以上有期徒刑。", "有期徒刑5年", "有期徒刑15年", ""),
        ("的，处五年以下有期徒刑，", "有期徒刑0.5年", "有期徒刑5年", ""),
        (
            "的，处十年以上有期徒刑或者无期徒刑，可以并处没收财产。",
            "有期徒刑10年",
            "无期徒刑",
            "可以并处没收财产",
        ),
        ("的，处死刑、无期徒刑或者十年以上有期徒刑；", "有期徒刑10年", "死刑", ""),
        (
            "的，处十五年有期徒刑、无期徒刑或者死刑，并处没收财产：",
            "有期徒刑15年",
            "死刑",
            "并处没收财产",
        ),
        ("的，处拘役，并处罚金：", "拘役", "拘役", "并处罚金"),
        ("的，处三年以下有期徒刑、拘役、管制或者罚金。", "附加刑", "有期徒刑3年", ""),
        (
            "的，处三年以下有期徒刑或者拘役，并处或者单处罚金。",
            "拘役",
            "有期徒刑3年",
            "并处或者单处罚金",
        ),
    ],
)
def test_a_range_runs_from_the_lightest_to_the_heaviest_main_penalty(
    text: str, lowest: str, highest: str, besides: str
) -> None:
    (found,) = find_ranges(text)
    assert (str(found.lowest), str(found.highest), found.besides) == (lowest, highest, besides)


@pytest.mark.parametrize(
    "text",
    [
        "对于被判处拘役、三年以下有期徒刑的犯罪分子，可以宣告缓刑。",
        "单位犯前款罪的，对单位判处罚金。",
        "依照前款的规定处罚。",
        "被判处管制的犯罪分子，依法实行社区矫正。",
    ],
)
def test_a_penalty_that_is_only_mentioned_is_no_range(text: str) -> None:
    assert find_ranges(text) == ()


def test_the_tiers_of_an_article_come_in_its_order() -> None:
    text = (
        "处三年以下有期徒刑；数额巨大的，处三年以上十年以下有期徒刑；数额特别巨大的，处无期徒刑。"
    )
    assert [str(found.highest) for found in find_ranges(text)] == [
        "有期徒刑3年",
        "有期徒刑10年",
        "无期徒刑",
    ]


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("犯罪的，处五年以下有期徒刑。", "犯罪的，处五年以下有期徒刑。 \n", "same"),
        ("犯罪的，处五年以下有期徒刑。", "犯罪的，处三年以下有期徒刑。", "lighter"),
        ("犯罪的，处三年以下有期徒刑。", "犯罪的，处五年以下有期徒刑。", "heavier"),
        ("犯罪的，处三年以上七年以下有期徒刑。", "犯罪的，处二年以上七年以下有期徒刑。", "lighter"),
        (
            "犯罪的，处三年以下有期徒刑或者拘役。",
            "犯罪的，处三年以下有期徒刑、拘役或者管制。",
            "lighter",
        ),
        ("犯罪的，处十年以上有期徒刑。", "犯罪的，处十年以上有期徒刑或者无期徒刑。", "heavier"),
        ("犯罪的，处无期徒刑或者死刑。", "犯罪的，处十年以上有期徒刑或者无期徒刑。", "lighter"),
        ("犯罪的，处三年以下有期徒刑。", "犯罪的，处三年以下有期徒刑，并处罚金。", "heavier"),
        ("犯罪的，处三年以下有期徒刑，并处罚金。", "犯罪的，处三年以下有期徒刑。", "lighter"),
        (
            "犯罪的，处三年以下有期徒刑，并处罚金。",
            "犯罪的，处三年以下有期徒刑，可以并处罚金。",
            "lighter",
        ),
        ("犯罪的，处五年以下有期徒刑。", "再犯的，处三年以下有期徒刑。", "cannot decide"),
        ("应当负刑事责任。", "不负刑事责任。", "cannot decide"),
    ],
)
def test_the_maximum_decides_then_the_minimum_then_what_is_added(
    old: str, new: str, result: Comparison
) -> None:
    severity = compare_severity(old, new)
    assert severity.result == result
    assert severity.reason


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        (("五年", "十年"), ("三年", "七年"), "lighter"),
        (("三年", "七年"), ("三年", "十年"), "heavier"),
        (("三年", "十年"), ("三年", "七年"), "cannot decide"),
        (("三年", "十年"), ("五年", "七年"), "cannot decide"),
    ],
)
def test_several_tiers_are_decided_only_where_the_facts_cannot_matter(
    old: tuple[str, str], new: tuple[str, str], result: Comparison
) -> None:
    wording = "犯罪的，处{}以下有期徒刑；情节严重的，处{}以下有期徒刑。"
    severity = compare_severity(wording.format(*old), wording.format(*new))
    assert severity.result == result
    assert severity.reason.count("→") == 2


def test_a_dropped_tier_leaves_the_choice_of_tier_to_a_person() -> None:
    old = "盗窃的，处三年以下有期徒刑；有下列情形之一的，处无期徒刑或者死刑。"
    severity = compare_severity(old, "盗窃的，处三年以下有期徒刑。")
    assert severity.result == "cannot decide"
    assert "处无期徒刑或者死刑 → 处三年以下有期徒刑: lighter" in severity.reason
    assert severity.establish


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("对于累犯，不适用缓刑。", "对于累犯和犯罪集团的首要分子，不适用缓刑。", "heavier"),
        ("对于累犯和犯罪集团的首要分子，不适用缓刑。", "对于累犯，不适用缓刑。", "cannot decide"),
        ("对于累犯，不适用缓刑。", "对于累犯，除未成年人外，不适用缓刑。", "cannot decide"),
        ("怀孕的妇女，不适用死刑。", "怀孕的妇女和老年人，不适用死刑。", "cannot decide"),
    ],
)
def test_ruling_out_probation_in_more_cases_is_heavier(
    old: str, new: str, result: Comparison
) -> None:
    assert compare_severity(old, new).result == result


@pytest.mark.data
def test_every_range_of_the_criminal_law_is_read(shared_data: Path) -> None:
    """Counted another way: 处 before a main penalty, unless a sentence already passed is meant."""
    articles = _criminal_law_of_2024(shared_data / "statutes" / "versions.jsonl.gz")
    pattern = re.compile("(?<![判并单惩])处[^；。，（]{0,12}(?:有期徒刑|无期徒刑|死刑|拘役|管制)")
    unread = {
        no for no, text in articles.items() if len(find_ranges(text)) != len(pattern.findall(text))
    }
    assert unread == set()


def _criminal_law_of_2024(path: Path) -> dict[str, str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["law"] == "中华人民共和国刑法" and record["valid_from"] == "2024-03-01":
                return {item["no"]: item["text"] for item in record["articles"]}
    raise AssertionError("刑法 of 2024-03-01 is not in the shared data")
