"""The statute tools: the law of the time, verbatim, and four different ways of having none."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.dates import DateRange
from inforce.law.ids import ProvisionId, parse
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library
from inforce.tools.context import RunContext
from inforce.tools.statute_text import Wording, read_wordings, show_wording
from inforce.tools.statutes import statute_tools
from inforce.tools.tool import Language, ToolResult
from inforce.tools.toolbox import Toolbox

LAW, NEW_LAW = "中华人民共和国继承法", "中华人民共和国民法典"
OLD = "遗嘱人可以撤销自己所立的遗嘱。\n自书、录音遗嘱，不得撤销、变更公证遗嘱。"
MIDDLE = "遗嘱人可以撤销、变更自己所立的遗嘱。"
TODAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    laws = [
        tiny_law(
            LAW,
            {"20": OLD, "21": "遗赠附义务的，应当履行义务。"},
            start=date(1985, 10, 1),
            end=date(2010, 1, 1),
        ),
        tiny_law(
            LAW,
            {"20": MIDDLE, "21": "遗赠附义务的，应当履行义务。"},
            start=date(2010, 1, 1),
            end=date(2021, 1, 1),
            instrument="试验修正案",
        ),
        tiny_law(NEW_LAW, {"1142": "以最后的遗嘱为准。"}, start=date(2021, 1, 1)),
    ]
    with tiny_library(tmp_path_factory.mktemp("laws"), *laws, today="2026-11-20") as opened:
        yield opened


async def call(
    library: Library, name: str, *, language: Language = "zh", today: date = TODAY, **arguments: Any
) -> ToolResult:
    toolbox = Toolbox(statute_tools(library, language=language), language=language)
    return await toolbox.call(name, arguments, RunContext("问", today))


async def test_a_query_is_answered_under_the_law_of_its_time(library: Library) -> None:
    result = await call(library, "rag_retrieve", query=["2004年 公证遗嘱 撤销"])
    first = read_wordings(result.text)[0]
    assert (result.status, first.text) == ("found", OLD)
    assert first.window == DateRange(date(1985, 10, 1), date(2010, 1, 1))
    assert "2021" not in first.text
    assert "自 2010-01-01 起已修改（试验修正案）" in first.afterwards


async def test_a_call_is_not_found_only_if_every_query_was_answered_so(library: Library) -> None:
    queries = [f"2004年 {LAW}第九十九条", "2004年 《海商法》第四条"]
    result = await call(library, "rag_retrieve", query=queries)
    assert [one["status"] for one in result.data] == ["not_found", "not_covered"]
    assert result.status == "not_covered"


async def test_evidence_is_named_by_the_version_that_began_the_wording(library: Library) -> None:
    result = await call(library, "law_at", law=LAW, article="20", date="2015-06-01")
    [found] = result.evidence
    assert found.id == f"/akn/cn/act/{LAW}/zho@2010-01-01/~art_20"
    assert isinstance(parse(found.id), ProvisionId)
    assert (found.kind, found.text, found.origin) == ("statute", MIDDLE, "statutes")
    assert found.title == f"{LAW} 第二十条"
    assert found.date == "in force 2010-01-01 to 2020-12-31"


async def test_parallel_queries_each_have_their_own_answer(library: Library) -> None:
    asked = [
        "2004年 公证遗嘱",
        "1970年 遗嘱",
        "2004年 量子",
        "《火星法》第三条",
        "2004年13月 遗嘱",
        " ",
    ]
    result = await call(library, "rag_retrieve", query=asked)
    assert [one["status"] for one in result.data] == [
        "found", "not_in_force", "not_found", "not_covered", "invalid", "invalid",
    ]  # fmt: skip
    assert result.status == "found"
    for status in ("not_in_force", "not_found", "not_covered", "invalid"):
        assert f"· {status}" in result.text


async def test_a_provision_found_twice_is_shown_once(library: Library) -> None:
    result = await call(library, "rag_retrieve", query=["2004年 公证遗嘱", "2004年 遗嘱 公证"])
    assert len(read_wordings(result.text)) == len(result.evidence)
    assert "见上" in result.text


@pytest.mark.parametrize(
    ("query", "status"),
    [
        (f"2004年 {LAW}第二十条", "found"),
        (f"2004年 《{NEW_LAW}》第一千一百四十二条", "not_in_force"),
        (f"2004年 {LAW}第九十九条", "not_found"),
    ],
)
async def test_a_provision_named_in_a_query_is_that_provision_or_the_reason_why_not(
    library: Library, query: str, status: str
) -> None:
    result = await call(library, "rag_retrieve", query=[query])
    assert (result.status, len(result.evidence)) == (status, int(status == "found"))


async def test_a_bare_year_is_the_year_of_a_query(library: Library) -> None:
    result = await call(library, "rag_retrieve", query=["2004 公证遗嘱"])
    assert "按 2004-01-01 至 2004-12-31 有效的法律检索" in result.text
    assert read_wordings(result.text)[0].text == OLD


async def test_a_query_without_a_time_is_told_that_today_was_searched(library: Library) -> None:
    result = await call(library, "rag_retrieve", query=["遗嘱"], today=date(2012, 5, 1))
    assert "没有写明时间，按 2012-05-01 有效的法律检索" in result.text
    assert read_wordings(result.text)[0].text == MIDDLE


@pytest.mark.parametrize(
    ("law", "article", "when", "status"),
    [
        (LAW, "20", "2004", "found"),
        (LAW, "20", "1980-01-01", "not_in_force"),
        (NEW_LAW, "1142", "2004", "not_in_force"),
        (LAW, "99", "2004", "not_found"),
        ("火星法", "1", "2004", "not_covered"),
        (LAW, "20", "2004-02-30", "invalid"),
        (LAW, "20", "从前有一天", "invalid"),
        (LAW, "公证", "2004", "invalid"),
    ],
)
async def test_each_answer_of_a_look_up_is_told_apart(
    library: Library, law: str, article: str, when: str, status: str
) -> None:
    told: list[str] = []
    for language in ("zh", "en"):
        result = await call(
            library, "law_at", language=language, law=law, article=article, date=when
        )
        assert result.status == status
        assert bool(result.evidence) == (status == "found")
        told.append(result.text)
    assert told[0] != told[1]
    if status not in ("found", "invalid"):
        assert all(status in text for text in told)


async def test_a_bad_date_is_answered_with_what_to_write(library: Library) -> None:
    result = await call(library, "law_at", law=LAW, article="20", date="2004-13")
    assert "2004-13" in result.text
    assert "2010年6月" in result.text


async def test_a_law_that_changed_within_the_days_is_given_in_both_wordings(
    library: Library,
) -> None:
    result = await call(library, "law_at", law=LAW, article="20", date="2009..2010")
    assert [one.text for one in read_wordings(result.text)] == [OLD, MIDDLE]
    assert "2010-01-01" in result.text.split("[1]")[0]


async def test_today_is_the_day_of_the_run(library: Library) -> None:
    result = await call(
        library, "law_at", law=LAW, article="20", date="today", today=date(1990, 1, 1)
    )
    assert read_wordings(result.text)[0].text == OLD
    assert "截至 1990-01-01 未修改" in result.text


async def test_a_history_has_every_wording(library: Library) -> None:
    result = await call(library, "history", law=LAW, article="20")
    assert [one.text for one in read_wordings(result.text)] == [OLD, MIDDLE]
    assert (await call(library, "history", law=LAW, article="99")).status == "not_found"


async def test_a_difference_marks_what_changed(library: Library) -> None:
    result = await call(library, "diff", law=LAW, article="20", earlier="2004", later="2015")
    assert "可以撤销{+、变更+}自己" in result.text
    assert "[-" in result.text
    assert len(result.evidence) == 2
    same = await call(library, "diff", law=LAW, article="21", earlier="2004", later="2015")
    assert "相同" in same.text


async def test_a_difference_with_one_side_missing_has_that_sides_status(library: Library) -> None:
    result = await call(library, "diff", law=LAW, article="20", earlier="1970", later="2015")
    assert result.status == "not_in_force"
    assert MIDDLE in result.text


async def test_calls_at_once_do_not_disturb_each_other(library: Library) -> None:
    toolbox = Toolbox(statute_tools(library))
    years = [1990, 2004, 2012, 2019] * 8

    async def ask(year: int) -> str:
        arguments = {"law": LAW, "article": "20", "date": f"{year}"}
        return (await toolbox.call("law_at", arguments, RunContext("问", TODAY))).evidence[0].text

    texts = await asyncio.gather(*map(ask, years))
    assert texts == [OLD if year < 2010 else MIDDLE for year in years]


async def test_arguments_are_checked_before_the_library_is_asked(library: Library) -> None:
    assert (await call(library, "rag_retrieve", query="2004年 遗嘱")).status == "invalid"
    assert (await call(library, "rag_retrieve", query=[])).status == "invalid"
    assert (await call(library, "law_at", law=LAW)).status == "invalid"


# --- the text form ----------------------------------------------------------------------------

TITLES = st.from_regex(r"[一-龥]{2,12}法", fullmatch=True)
LINES = st.text(st.characters(whitelist_categories=("Lo", "Nd")), min_size=1, max_size=30)
TEXTS = st.lists(LINES, min_size=1, max_size=4).map("。\n".join)
DAYS = st.dates(date(1950, 1, 1), date(2100, 1, 1))


@st.composite
def wordings(draw: st.DrawFn) -> Wording:
    start = draw(DAYS)
    end = draw(st.none() | st.dates(start, date(2101, 1, 1)).filter(lambda day: day > start))
    identifier = f"/akn/cn/act/x/zho@{start}/~art_1"
    fields = draw(st.tuples(TITLES, TEXTS, LINES, st.just("") | LINES, LINES))
    title, text, source, version, after = fields
    return Wording(title, "第一条", DateRange(start, end), text, identifier, source, version, after)


@given(st.lists(wordings(), max_size=3), st.sampled_from(["zh", "en"]))
def test_what_is_shown_is_read_back(shown: list[Wording], language: Language) -> None:
    text = "\n\n".join(show_wording(one, n, language) for n, one in enumerate(shown, 1))
    assert read_wordings(f"前言\n\n{text}") == tuple(shown)


@given(st.text())
def test_any_text_can_be_read_for_wordings(text: str) -> None:
    assert isinstance(read_wordings(f"[1] 《法》第一条\n{text}"), tuple)


def test_a_block_with_impossible_days_is_no_wording() -> None:
    one = Wording("法", "第一条", DateRange(date(2000, 1, 1), None), "文", "id", "源", "", "后")
    text = show_wording(one, 1, "zh").replace("2000-01-01", "2000-13-99")
    assert read_wordings(text) == ()
