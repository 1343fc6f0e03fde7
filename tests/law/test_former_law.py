"""What stated a rule before, and what states it now: tables that are checked against the texts."""

from __future__ import annotations

from datetime import date

import pytest

from inforce.law.data import table
from inforce.law.former_law import former_rules, later_rules, superseding
from inforce.law.numerals import ProvisionNumber
from inforce.law.rules import CIVIL_CODE, GENERAL_PRINCIPLES

CONTRACTS = "中华人民共和国合同法"
LABOUR = "中华人民共和国劳动法"
MARRIAGE_II = "最高人民法院关于适用《中华人民共和国婚姻法》若干问题的解释（二）"


def article(number: str) -> ProvisionNumber:
    return ProvisionNumber.parse(number)


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("20", ["中华人民共和国民法通则 12"]),
        ("146", ["中华人民共和国合同法 52", "中华人民共和国民法通则 58"]),
        ("585", None),
        ("1019", ["中华人民共和国民法通则 100"]),
        ("1060", []),
        ("1181", ["中华人民共和国侵权责任法 18"]),
        ("369", []),
    ],
)
def test_what_stated_a_rule_of_the_civil_code_before_is_recorded(
    now: str, before: list[str] | None
) -> None:
    found = former_rules(CIVIL_CODE, article(now))
    said = None if found is None else [f"{r.work} {r.numbers[0].short}" for r in found]
    assert said == before


def test_a_rule_that_was_split_is_found_in_all_its_parts() -> None:
    found = later_rules(CONTRACTS, article("52"))
    assert [one.number.short for one in found] == ["146", "148", "150", "153", "154"]
    assert not later_rules("中华人民共和国刑法", article("52"))


def test_no_article_of_the_civil_code_is_recorded_twice() -> None:
    lines = [line for line in table("civil_code").split("\n") if line]
    numbers: list[int] = []
    for line in lines:
        for run in line.partition("|")[0].split(","):
            first, _, last = run.strip().partition("-")
            numbers.extend(range(int(first), int(last or first) + 1))
    assert len(numbers) == len(set(numbers))
    assert max(numbers) <= 1260


def test_every_article_recorded_is_one_its_law_had() -> None:
    highest = {"民法通则": 156, "合同法": 428, "物权法": 247, "担保法": 96, "侵权责任法": 92}
    highest |= {"婚姻法": 51, "继承法": 37, "收养法": 34, "民法总则": 206}
    for number in range(1, 1261):
        for rule in former_rules(CIVIL_CODE, ProvisionNumber.article(number)) or ():
            last = highest.get(rule.work.removeprefix("中华人民共和国"))
            assert last is None or all(one.main <= last for one in rule.numbers)


@pytest.mark.parametrize(
    ("day", "governed"), [("1998-12-31", False), ("1999-01-01", True), ("2019-12-31", True)]
)
def test_a_number_of_the_same_law_is_that_of_its_numbering(day: str, governed: bool) -> None:
    land = "中华人民共和国土地管理法"
    found = former_rules(land, article("48"))
    assert found is not None
    former = found[0]
    assert (former.work, [one.short for one in former.numbers]) == (land, ["47"])
    assert former.in_force(date.fromisoformat(day)) is governed


@pytest.mark.parametrize(
    ("day", "newer"),
    [
        ("2008-04-29", None),
        ("2008-04-30", None),
        ("2008-05-01", "27"),
        ("2008-05-02", "27"),
        ("2026-01-01", "27"),
    ],
)
def test_sixty_days_for_labour_arbitration_gave_way_to_a_year(day: str, newer: str | None) -> None:
    found = superseding(LABOUR, article("82"), date.fromisoformat(day))
    assert (found.number.short if found else None) == newer


@pytest.mark.parametrize(
    ("tried", "newer"),
    [("2018-01-17", None), ("2018-01-18", "3"), ("2018-04-01", "3"), (None, None)],
)
def test_a_newer_interpretation_goes_before_an_older_in_what_is_tried_under_it(
    tried: str | None, newer: str | None
) -> None:
    day = date.fromisoformat(tried) if tried else None
    found = superseding(MARRIAGE_II, article("24"), date(2015, 9, 1), tried=day)
    assert (found.number.short if found else None) == newer


def test_a_newer_statute_does_not_reach_facts_of_before_by_the_day_of_the_trial() -> None:
    tried = date(2018, 4, 1)
    assert superseding(GENERAL_PRINCIPLES, article("135"), date(2015, 9, 1), tried=tried) is None
