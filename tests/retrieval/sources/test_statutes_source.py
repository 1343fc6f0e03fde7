"""The statutes as a source: what was in force on the days asked about, and why there is nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.dates import DateRange
from inforce.law.ids import ProvisionId, parse
from inforce.library import Library
from inforce.retrieval.sources.statutes import StatuteSource
from inforce.testing import fixed_clock, tiny_law, tiny_library

IN_2010 = DateRange(date(2010, 1, 1), date(2011, 1, 1))
IN_2015 = DateRange(date(2015, 1, 1), date(2016, 1, 1))
OLD, NEW = "对于累犯，不适用缓刑。", "对于累犯和犯罪集团的首要分子，不适用缓刑。"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    articles = {"74": OLD, "75": "附加刑仍须执行。"}
    later = {"74": NEW, "75": "附加刑仍须执行。", "75-1": "醉酒驾驶机动车的，处拘役。"}
    with tiny_library(
        tmp_path,
        tiny_law("试验刑法", articles, start=date(1997, 10, 1), end=date(2011, 5, 1)),
        tiny_law("试验刑法", later, start=date(2011, 5, 1)),
    ) as opened:
        yield opened


@pytest.fixture
def source(library: Library) -> StatuteSource:
    return StatuteSource(lambda: library.statutes, clock=fixed_clock("2020-01-25"))


@pytest.mark.parametrize(
    ("during", "text", "today"),
    [(IN_2010, OLD, "no longer in force"), (IN_2015, NEW, "in force"), (None, NEW, "in force")],
)
def test_the_wording_of_the_days_asked_about_is_given(
    source: StatuteSource, during: DateRange | None, text: str, today: str
) -> None:
    hit = source.search("累犯 缓刑", k=1, during=during)[0]
    assert hit.source == "statute"
    assert hit.document.text == text
    assert hit.document.title == "试验刑法 第七十四条"
    assert hit.document.details["today"] == today
    assert hit.document.valid is not None
    assert (during or IN_2015).overlaps(hit.document.valid)


def test_days_in_the_query_count_where_none_are_given(source: StatuteSource) -> None:
    answer = source.look("2010年6月累犯能否适用缓刑")
    assert (answer.hits[0].document.text, answer.origin) == (OLD, "question")


def test_days_given_and_days_in_the_query_that_differ_are_told(source: StatuteSource) -> None:
    answer = source.look("2010年6月累犯能否适用缓刑", during=IN_2015)
    assert answer.hits[0].document.text == NEW
    assert "2010" in answer.conflict


def test_the_day_of_the_run_is_today(source: StatuteSource) -> None:
    answer = source.look("累犯 缓刑", today=date(2005, 3, 1))
    assert (answer.hits[0].document.text, answer.origin) == (OLD, "today")
    assert answer.days == DateRange.day(date(2005, 3, 1))
    assert answer.hits[0].document.details["today"] == "in force"


def test_an_identifier_names_law_first_day_and_article(source: StatuteSource) -> None:
    found = parse(source.search("累犯 缓刑", during=IN_2010)[0].document.id)
    assert isinstance(found, ProvisionId)
    assert str(found) == "/akn/cn/act/试验刑法/zho:1997-10-01/~art_74"


def test_what_was_not_law_then_is_named_with_its_days(source: StatuteSource) -> None:
    answer = source.look("醉酒驾驶", during=IN_2010)
    assert answer.hits == ()
    assert [hit.document.title for hit in answer.other_days] == ["试验刑法 第七十五条之一"]


def test_a_query_no_provision_speaks_to_finds_nothing_at_any_time(source: StatuteSource) -> None:
    answer = source.look("独角兽")
    assert (answer.hits, answer.other_days, answer.not_held) == ((), (), ())


def test_a_law_that_is_not_held_is_named_and_no_other_law_answers_for_it(
    source: StatuteSource,
) -> None:
    answer = source.look("《海商法》第四条 缓刑")
    assert answer.not_held == ("中华人民共和国海商法",)
    assert answer.hits == ()


def test_it_holds_as_many_wordings_as_the_index(source: StatuteSource) -> None:
    assert len(source) == 4
