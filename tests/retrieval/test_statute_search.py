"""Statute search under a date, on a made-up law that changed on 1 May 2011."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.dates import ALWAYS, DateRange
from inforce.law.model import Caption
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library
from inforce.retrieval.candidates import WORDS_DEPTH
from inforce.retrieval.statutes import Hit, SearchResult
from inforce.testing import tiny_law, tiny_library

LAW = "试验管理条例"
CHANGE = date(2011, 5, 1)
OLD_WORDING = "对于累犯，不适用缓刑。"
NEW_WORDING = "对于累犯和犯罪集团的首要分子，不适用缓刑。"
NAMED = Caption(ProvisionNumber.article(4), "试验罪", ALWAYS, "法释〔1997〕9号")

OLD = tiny_law(
    LAW,
    {"1": "为了规范试验，制定本条例。", "2": OLD_WORDING, "4": "违反规定进行试验的，处罚金。"},
    start=date(1997, 10, 1),
    end=CHANGE,
    instrument="试验管理条例",
    captions=[NAMED],
)
NEW = tiny_law(
    LAW,
    {"1": "为了规范试验，制定本条例。", "2": NEW_WORDING, "4": "违反规定进行试验的，处罚金。"},
    start=CHANGE,
    instrument="试验管理条例修正案",
)
UNDATED = tiny_law("旧试验办法", {"1": "累犯不适用缓刑的旧办法。"}, status="unknown")
OTHER = tiny_law("租赁条例", {"2": "承租人应当支付租金。"}, start=date(2005, 1, 1))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with tiny_library(tmp_path_factory.mktemp("laws"), OLD, NEW, UNDATED, OTHER) as opened:
        yield opened


def wordings(result: SearchResult, number: str = "2", law: str = LAW) -> list[str]:
    wanted = ProvisionNumber.parse(number)
    found = [hit.provision for hit in result.hits]
    return [one.text for one in found if (one.work, one.number) == (law, wanted)]


FIVE_DAYS: list[tuple[date, list[str]]] = [
    (date(1997, 9, 30), []),
    (date(1997, 10, 1), [OLD_WORDING]),
    (date(2011, 4, 30), [OLD_WORDING]),
    (date(2011, 5, 1), [NEW_WORDING]),
    (date(2011, 5, 2), [NEW_WORDING]),
]


@pytest.mark.parametrize(("day", "expected"), FIVE_DAYS)
def test_the_wording_in_force_on_the_day_is_found(
    library: Library, day: date, expected: list[str]
) -> None:
    assert wordings(library.search("累犯能否适用缓刑", as_of=day)) == expected


@pytest.mark.parametrize(("day", "expected"), FIVE_DAYS)
def test_a_day_written_in_the_question_counts_like_one_given(
    library: Library, day: date, expected: list[str]
) -> None:
    written = f"{day.year}年{day.month}月{day.day}日，累犯能否适用缓刑"
    result = library.search(written)
    assert wordings(result) == expected
    assert (result.time.origin, result.time.during) == ("question", (DateRange.day(day),))


def test_without_any_date_today_counts(library: Library) -> None:
    result = library.search("累犯能否适用缓刑")
    assert wordings(result) == [NEW_WORDING]
    assert (result.time.origin, result.time.during) == (
        "today",
        (DateRange.day(date(2020, 1, 25)),),
    )


def test_a_given_date_wins_over_the_question_and_the_contradiction_is_reported(
    library: Library,
) -> None:
    result = library.search("2010年累犯能否适用缓刑", as_of="2015-06-01")
    assert wordings(result) == [NEW_WORDING]
    assert result.time.origin == "as_of"
    assert "2015-06-01" in result.time.conflict
    assert "2010" in result.time.conflict


@pytest.mark.parametrize(
    ("question", "as_of", "ahead"),
    [
        ("累犯能否适用缓刑", "2030", "2030-12-31 lies ahead: today is 2020-01-25"),
        ("2030年累犯能否适用缓刑", None, "2030-12-31 lies ahead: today is 2020-01-25"),
        ("累犯能否适用缓刑", "2020-01-25", ""),
        ("累犯能否适用缓刑", None, ""),
    ],
)
def test_days_that_have_not_come_yet_are_said_to_lie_ahead(
    library: Library, question: str, as_of: str | None, ahead: str
) -> None:
    assert library.search(question, as_of=as_of).time.ahead == ahead


def test_a_given_date_within_the_question_is_no_contradiction(library: Library) -> None:
    result = library.search("2010年累犯能否适用缓刑", as_of="2010-06-01")
    assert wordings(result) == [OLD_WORDING]
    assert result.time.conflict == ""


@pytest.mark.parametrize("as_of", [None, "2011"])
def test_a_year_that_spans_a_change_gives_both_wordings(
    library: Library, as_of: str | None
) -> None:
    result = library.search("2011年累犯能否适用缓刑", as_of=as_of)
    assert sorted(wordings(result)) == sorted([OLD_WORDING, NEW_WORDING])


def test_two_times_in_a_question_give_the_law_of_both(library: Library) -> None:
    result = library.search("2001年和2015年累犯能否适用缓刑", k=10)
    assert sorted(wordings(result)) == sorted([OLD_WORDING, NEW_WORDING])
    assert len(result.time.during) == 2


def test_any_time_finds_every_wording_dates_unknown_included(library: Library) -> None:
    result = library.search("累犯能否适用缓刑", when="any", k=10)
    assert sorted(wordings(result)) == sorted([OLD_WORDING, NEW_WORDING])
    assert wordings(result, "1", "旧试验办法") == ["累犯不适用缓刑的旧办法。"]
    assert (result.time.origin, result.time.during) == ("any", ())


@pytest.mark.parametrize("as_of", ["1950", "1997-10-01", "2010", "2020-01-25", "2090"])
def test_a_provision_without_dates_never_answers_for_a_date(library: Library, as_of: str) -> None:
    result = library.search("《旧试验办法》第一条累犯不适用缓刑的旧办法", as_of=as_of, k=50)
    assert wordings(result, "1", "旧试验办法") == []


@pytest.mark.parametrize(
    "question", ["《试验管理条例》第二条", "试验管理条例第2条", "Article 2 of 《试验管理条例》"]
)
def test_the_article_named_is_the_first_hit(library: Library, question: str) -> None:
    [first, *_] = library.search(question).hits
    assert (first.provision.work, first.provision.number.short) == (LAW, "2")


def test_a_crime_name_leads_to_the_article_that_bears_it(library: Library) -> None:
    [first, *_] = library.search("试验罪怎么处罚", as_of="2000").hits
    assert first.provision.number.short == "4"
    assert first.provision.captions == ("试验罪",)
    assert "试验罪" not in first.provision.text  # a name is never quoted as law


def test_a_law_not_held_is_named_in_the_coverage(library: Library) -> None:
    result = library.search("《不存在的法》第三条与《试验管理条例》第二条")
    assert result.coverage.not_held == ("不存在的法",)
    assert (result.coverage.works, result.coverage.documents) == (3, 6)
    assert result.coverage.snapshot == library.corpus.snapshot()


def test_a_hit_carries_text_path_window_instrument_and_channel_ranks(library: Library) -> None:
    [first, *_] = library.search("2010年《试验管理条例》第二条累犯缓刑").hits
    assert isinstance(first, Hit)
    found = first.provision
    assert (first.rank, found.text, found.path) == (1, OLD_WORDING, "第一编 总则")
    assert found.window == DateRange(date(1997, 10, 1), CHANGE)
    assert (found.instrument, found.label, found.source, found.date_status) == (
        "试验管理条例",
        "1997",
        "tiny laws",
        "exact",
    )
    assert first.is_named
    assert first.score == 1.0
    assert first.channel_ranks["words"] == first.channel_ranks["pairs"] == 1


def test_unchanged_wording_is_one_hit_over_its_whole_time(library: Library) -> None:
    result = library.search("规范试验", when="any", k=50)
    assert wordings(result, "1") == ["为了规范试验，制定本条例。"]


def test_what_was_understood_travels_with_the_result(library: Library) -> None:
    result = library.search("2019年2月30日，累犯能否适用缓刑")
    assert "累犯" in result.analysis.keywords
    assert any("2019年2月30日" in note for note in result.analysis.notes)
    assert result.time.origin == "today"


@pytest.mark.parametrize("question", ["", "？？？", "xyzzy"])
def test_a_question_that_says_nothing_finds_nothing(library: Library, question: str) -> None:
    assert library.statutes.search(question).hits == ()


def test_asking_twice_gives_the_same(library: Library) -> None:
    question = "2011年累犯缓刑租金试验"
    assert library.search(question, k=20) == library.search(question, k=20)


def test_as_many_hits_as_asked_for_even_beyond_the_usual_depth(tmp_path: Path) -> None:
    many = WORDS_DEPTH + 20
    articles = {str(number): f"第{number}号试验应当登记。" for number in range(1, many + 1)}
    with tiny_library(tmp_path, tiny_law(LAW, articles, start=CHANGE)) as library:
        assert len(library.search("试验登记", k=many).hits) == many


def test_an_empty_corpus_says_that_it_holds_nothing(tmp_path: Path) -> None:
    with tiny_library(tmp_path) as library:
        result = library.search("《刑法》第七十四条")
        assert result.hits == ()
        assert (result.coverage.works, result.coverage.documents) == (0, 0)
        assert result.coverage.not_held == ("中华人民共和国刑法",)


def test_support_is_the_weight_of_the_keywords_a_text_contains(library: Library) -> None:
    analysis = library.search("累犯能否适用缓刑").analysis
    assert library.statutes.support(analysis, NEW_WORDING) == 1.0
    assert library.statutes.support(analysis, "承租人应当支付租金。") == 0.0
    assert 0.0 < library.statutes.support(analysis, "累犯从重处罚。") < 1.0
