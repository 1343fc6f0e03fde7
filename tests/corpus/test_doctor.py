"""The doctor names every place where an answer would be doubtful, and nothing else."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from inforce.corpus.coverage import Coverage, coverage_page
from inforce.corpus.doctor import (
    PROBLEM_KINDS,
    Excess,
    ProblemKind,
    Report,
    examine,
    exceeds,
    missing_numbers,
    parse_limits,
)
from inforce.corpus.store import Corpus
from inforce.dates import DateRange
from inforce.errors import UnknownWorkError, UserError
from inforce.law.model import Caption, VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.law.timeline import Unheld
from inforce.testing import tiny_law

number = ProvisionNumber.parse

OLD = tiny_law("试验法", {"1": "甲", "2": "乙"}, start=date(1997, 10, 1), end=date(2011, 5, 1))
NEW = tiny_law("试验法", {"1": "甲", "2": "乙二"}, start=date(2011, 5, 1))

Examine = Callable[..., Report]


@pytest.fixture
def examined(tmp_path: Path) -> Examine:
    def add_and_examine(*texts: VersionText) -> Report:
        with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
            corpus.add(texts)
            return examine(corpus)

    return add_and_examine


def found(report: Report) -> dict[ProblemKind, int]:
    """The kinds of problems that occur at all."""
    return {kind: count for kind, count in report.problems.items() if count}


def test_a_law_held_without_a_break_is_healthy(examined: Examine) -> None:
    report = examined(OLD, NEW)
    assert found(report) == {}
    (law,) = report.laws
    assert (law.work, law.versions, law.witnesses, law.provisions) == ("试验法", 2, 2, 2)
    assert law.covered == (DateRange(date(1997, 10, 1), None),)


def test_days_between_two_held_windows_are_one_gap_with_its_articles(examined: Examine) -> None:
    later = tiny_law("试验法", {"1": "甲", "2": "乙二"}, start=date(2015, 11, 1))
    report = examined(OLD, later)
    assert found(report) == {"gaps": 1}
    (law,) = report.laws
    assert law.gaps[0].window == DateRange(date(2011, 5, 1), date(2015, 11, 1))
    assert law.gaps[0].numbers == (number("2"),)  # article 1 reads the same before and after
    assert law.covered == (DateRange(date(1997, 10, 1), None),)


def test_days_before_the_first_and_after_the_last_window_are_no_gap(examined: Examine) -> None:
    assert found(examined(OLD)) == {}


def test_contradictions_are_counted_once_for_each_pair_of_versions(examined: Examine) -> None:
    rival = tiny_law(
        "试验法",
        {"1": "甲", "2": "别", "3": "丙"},
        start=date(2005, 1, 1),
        end=date(2011, 5, 1),
        evidence="header",
        source="elsewhere",
    )
    report = examined(OLD, NEW, rival)
    assert found(report) == {"overlaps": 1}
    (overlap,) = report.laws[0].overlaps
    assert (overlap.set_aside.key, overlap.winner.key) == (rival.version.key, OLD.version.key)
    assert (overlap.reason, overlap.numbers) == ("text differs", (number("2"), number("3")))


def test_a_wording_that_is_right_on_other_days_only_has_other_dates(examined: Examine) -> None:
    rival = tiny_law(
        "试验法",
        {"1": "甲", "2": "乙"},
        start=date(2005, 1, 1),
        end=date(2013, 1, 1),
        evidence="header",
        source="elsewhere",
    )
    (overlap,) = examined(OLD, NEW, rival).laws[0].overlaps
    assert (overlap.reason, overlap.winner.key) == ("dates differ", NEW.version.key)


def test_a_second_witness_is_no_contradiction(examined: Examine) -> None:
    witness = tiny_law(
        "试验法",
        {"1": "甲", "2": "乙"},
        start=date(1997, 10, 1),
        end=date(2011, 5, 1),
        source="elsewhere",
    )
    report = examined(OLD, NEW, witness)
    assert found(report) == {}
    assert (report.laws[0].versions, report.laws[0].witnesses) == (2, 3)


def test_holes_are_told_apart_by_whether_the_source_declares_them(examined: Examine) -> None:
    law = tiny_law(
        "试验法", {"1": "甲", "4": "丁", "6-2": "己"}, start=date(2000, 1, 1), holes=["2"]
    )
    report = examined(law)
    assert found(report) == {"holes": 1, "undeclared_holes": 4}
    (hole,) = report.laws[0].holes
    assert [one.short for one in hole.declared] == ["2"]
    assert [one.short for one in hole.undeclared] == ["3", "5", "6", "6-1"]


def test_an_extract_is_meant_to_jump(examined: Examine) -> None:
    assert (
        found(examined(tiny_law("试验法", {"74": "甲"}, scope=["74"], start=date(2000, 1, 1))))
        == {}
    )


@pytest.mark.parametrize(
    ("held", "missing"),
    [
        ([], []),
        (["全文"], []),
        (["序", "一、", "三、"], ["point_2"]),
        (["1", "2", "3"], []),
        (["12", "14"], [str(n) for n in range(1, 12)] + ["13"]),
        (["1", "1-1", "1-3", "2"], ["1-2"]),
    ],
)
def test_the_numbers_betray_what_is_missing(held: list[str], missing: list[str]) -> None:
    assert [one.short for one in missing_numbers([*map(number, held)])] == missing


def test_unknown_dates_are_counted_by_version(examined: Examine) -> None:
    undated = tiny_law("甲法", {"1": "甲"})
    superseded = tiny_law("乙法", {"1": "乙"}, start=date(2000, 1, 1), status="unknown")
    report = examined(undated, superseded)
    assert found(report) == {"unknown_starts": 1, "unknown_ends": 1}
    second, first = report.laws
    assert [one.key for one in first.unknown_starts] == [undated.version.key]
    assert [one.key for one in second.unknown_ends] == [superseded.version.key]
    assert (first.work, second.work) == ("甲法", "乙法")


def test_the_same_text_under_two_titles_is_reported(examined: Examine) -> None:
    texts = [
        tiny_law(title, {"1": "甲"}, start=date(2000, 1, 1)) for title in ("甲法", "甲法（试行）")
    ]
    report = examined(*texts)
    assert found(report) == {"duplicate_texts": 1}
    assert [version.work for version in report.duplicate_texts[0].versions] == [
        "甲法",
        "甲法（试行）",
    ]


def test_the_same_text_at_two_times_that_do_not_meet_is_reported(examined: Examine) -> None:
    again = tiny_law("试验法", {"1": "甲", "2": "乙"}, start=date(2015, 11, 1))
    closed = replace(NEW, version=replace(NEW.version, validity=AMENDED_ONCE))
    assert found(examined(OLD, closed, again)) == {"duplicate_texts": 1}


AMENDED_ONCE = tiny_law("", {}, start=date(2011, 5, 1), end=date(2015, 11, 1)).version.validity


def test_an_extract_may_read_the_same_at_two_times(examined: Examine) -> None:
    days = (date(1997, 10, 1), date(2011, 5, 1), date(2015, 11, 1))
    first = tiny_law("试验法", {"74": "甲"}, start=days[0], end=days[1], scope=["74"])
    second = tiny_law("试验法", {"74": "甲"}, start=days[1], end=days[2], scope=["74"])
    assert found(examined(first, second)) == {}


def test_a_caption_of_an_article_nobody_holds_is_reported(examined: Examine) -> None:
    window = DateRange(date(1997, 12, 16), None)
    captions = [Caption(number(n), "某罪", window, "法释〔1997〕9号") for n in ("2", "9")]
    report = examined(OLD, replace(NEW, captions=tuple(captions)))
    assert found(report) == {"captions_without_article": 1}
    assert report.laws[0].captions_without_article == (captions[1],)


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("UPDATE text SET text = '乙丙' WHERE text = '乙'", "the text of 试验法（1997） does not"),
        (
            "UPDATE version SET starts = '1997-10-02' WHERE ends IS NOT NULL",
            "试验法（1997） do not",
        ),
        ("UPDATE version SET instrument = '伪' WHERE ends IS NULL", "the record of 试验法（2011）"),
        ("UPDATE meta SET value = ''", "the snapshot does not match"),
        ("DELETE FROM version WHERE ends IS NULL", "the snapshot does not match"),
    ],
)
def test_a_file_changed_behind_the_stores_back_is_damaged(
    tmp_path: Path, statement: str, complaint: str
) -> None:
    path = tmp_path / "corpus.db"
    with Corpus.open(path, mode="write") as corpus:
        corpus.add([OLD, NEW])
        assert examine(corpus).damage == ()
    run_sql(path, statement)
    with Corpus.open(path) as corpus:
        (sentence,) = examine(corpus).damage
    assert complaint in sentence


def test_only_the_laws_asked_for_are_examined(tmp_path: Path) -> None:
    with Corpus.open(tmp_path / "corpus.db", mode="write") as corpus:
        corpus.add([OLD, NEW, tiny_law("甲法", {"1": "甲"})])
        told: list[str] = []
        report = examine(corpus, works=["试验法"], progress=told.append)
        assert [law.work for law in report.laws] == told == ["试验法"]
        with pytest.raises(UnknownWorkError):
            examine(corpus, works=["无此法"])


def test_the_report_is_the_same_whatever_the_order_of_adding(tmp_path: Path) -> None:
    rival = tiny_law("试验法", {"2": "别"}, start=date(2005, 1, 1), source="elsewhere")
    texts = [OLD, NEW, rival, tiny_law("甲法", {"1": "甲"}), tiny_law("乙法", {"1": "甲"})]
    reports: list[str] = []
    for name, order in (("a", texts), ("b", texts[::-1])):
        with Corpus.open(tmp_path / name, mode="write") as corpus:
            corpus.add(order)
            reports.append(json.dumps(examine(corpus).to_json(), ensure_ascii=False))
    assert reports[0] == reports[1]


def test_json_counts_every_problem_and_shows_a_few_examples(examined: Examine) -> None:
    many = {str(n): "甲" for n in range(1, 10)}
    first = tiny_law("试验法", many, start=date(2000, 1, 1), end=date(2001, 1, 1))
    second = tiny_law("试验法", dict.fromkeys(many, "乙"), start=date(2002, 1, 1))
    written = json.loads(json.dumps(examined(first, second).to_json()))
    assert set(written["problems"]) == set(PROBLEM_KINDS)
    assert written["laws"][0]["gaps"] == [
        {
            "start": "2001-01-01",
            "end": "2002-01-01",
            "provisions": 9,
            "examples": ["1", "2", "3", "4", "5"],
        }
    ]


def test_a_limit_is_broken_only_by_more_than_it_allows(examined: Examine) -> None:
    report = examined(tiny_law("甲法", {"1": "甲"}), tiny_law("乙法", {"1": "乙"}))
    assert exceeds(report, {"unknown_starts": 2, "gaps": 0}) == ()
    assert exceeds(report, {"unknown_starts": 1, "gaps": 0}) == (Excess("unknown_starts", 2, 1),)


def test_limits_are_read_as_the_command_line_gives_them() -> None:
    assert parse_limits(["gaps=0", "unknown_ends=12"]) == {"gaps": 0, "unknown_ends": 12}


@pytest.mark.parametrize("text", ["", "gaps", "gaps=", "gaps=-1", "gaps=many", "gasp=0", "=3"])
def test_a_limit_that_names_nothing_is_refused_with_the_kinds(text: str) -> None:
    with pytest.raises(UserError, match="undeclared_holes"):
        parse_limits([text])


def run_sql(path: Path, statement: str) -> None:
    """Change the file behind the store's back."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()


def test_missing_texts_unfold_and_years_alike_are_one_cell() -> None:
    missing = Unheld(
        DateRange(date(1980, 1, 1), date(1997, 10, 1)), "the original text is not held"
    )
    law = Coverage("甲法", date(1980, 1, 1), date(1998, 1, 1), (), (), (missing,), (), None)
    page = coverage_page([law], today=date(2000, 1, 1), snapshot="0" * 12)
    assert (
        '<td class="missing" colspan="18" title="1980–1997: a text is known to be missing"></td>'
        in page
    )
    said = "1980-01-01 to 1997-09-30: the original text is not held"
    assert f"<details><summary>1</summary><ul><li>{said}</li></ul></details>" in page


def test_the_coverage_is_a_page_in_the_language_of_the_person() -> None:
    missing = Unheld(
        DateRange(date(1980, 1, 1), date(1997, 10, 1)),
        "the original text on 1979-07-01 is not held",
    )
    law = Coverage("甲法", date(1980, 1, 1), date(1998, 1, 1), (), (), (missing,), (), None)
    page = coverage_page([law], today=date(2000, 1, 1), snapshot="0" * 12, language="zh")
    assert '<html lang="zh-Hans">' in page
    assert "1980-01-01 至 1997-09-30: 本库没有 1979-07-01 的原文本" in page
    shown = re.sub(r"<style>.*?</style>|<script>.*?</script>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert not re.search(r"[a-z]{2,} [a-z]{2,}", shown)
