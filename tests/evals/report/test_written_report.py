"""Reports on stored runs: what is said, in which order, and that nothing foreign is markup."""

from __future__ import annotations

import os
import re
import sys
import time
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from lxml import html as parser

from inforce.agents.runtime.trace import Replied, encode
from inforce.errors import InputError, UserError
from inforce.evals.benchmark import Benchmark, Record, Summary
from inforce.evals.report.contents import chapters, joined_tables, not_measured, summarise_runs
from inforce.evals.report.page import MOST_CHARACTERS, MOST_ITEMS, cut, show_items, trace_file
from inforce.evals.report.plots import Series, plots, year_of
from inforce.evals.report.writing import Report, write_report
from inforce.evals.results import Results, read_runs
from inforce.evals.table import Row, Table
from inforce.llm.chat import Usage
from inforce.scoring.estimate import Estimate
from stored_runs import benchmark, record, results, stored

TINY = benchmark()


@pytest.fixture(autouse=True)
def catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_benchmark(name: str) -> Benchmark:
        return benchmark(name=name)

    monkeypatch.setattr("inforce.evals.catalogue.open_benchmark", open_benchmark)


def report(folder: Path, *records: Record) -> Report:
    stored(folder / "run", *records)
    return write_report([folder / "run"], folder / "out")


def run(*records: Record, name: str = "react · m") -> Results:
    return replace(results(*records), folder=Path("run"), label=name)


def found(page: Path, path: str) -> list[Any]:
    """Elements or attributes of a page, by XPath."""
    library: Any = parser  # lxml ships no types
    return library.fromstring(page.read_text(encoding="utf-8")).xpath(path)


def items_page(page: Path, number: int = 1) -> Path:
    """The page of the items of a run, as the report leads to it."""
    links = [one for one in found(page, "//a/@href") if one.startswith("items/")]
    return page.parent / links[number - 1]


def shown_ids(page: Path) -> list[str]:
    return [one.text_content() for one in found(items_page(page), "//article/strong")]


def ranked_ids(page: Path) -> list[str]:
    """The ids where the worst come first."""
    articles = found(items_page(page), "//article")
    ranked = sorted(articles, key=lambda one: int(one.get("data-rank")))
    return [one.xpath("./strong")[0].text_content() for one in ranked]


# Runs


def test_runs_are_found_in_a_folder_and_in_folders_below(tmp_path: Path) -> None:
    b, a = (
        stored(tmp_path / "many" / "b", record("q")),
        stored(tmp_path / "many" / "a", record("q")),
    )
    alone = stored(tmp_path / "alone", record("q"))
    runs = read_runs([alone, tmp_path / "many", a])
    assert [one.folder for one in runs] == [alone, a, b]


def test_runs_of_one_name_are_told_apart_by_their_folder(tmp_path: Path) -> None:
    folders = [stored(tmp_path / name, record("q")) for name in ("x", "y")]
    other = stored(tmp_path / "z", record("q"), agent="direct")
    assert [one.name for one in read_runs([*folders, other])] == [
        "react · m · x",
        "react · m · y",
        "direct · m",
    ]


def test_folders_of_one_name_are_told_apart_by_their_path(tmp_path: Path) -> None:
    folders = [stored(tmp_path / parent / "run", record("q")) for parent in ("x", "y")]
    names = [one.name for one in read_runs(folders)]
    assert names == [f"react · m · {folder}" for folder in folders]


@pytest.mark.parametrize("made", [True, False])
def test_a_folder_without_runs_is_refused_with_what_to_do(tmp_path: Path, made: bool) -> None:
    folder = tmp_path / "empty"
    if made:
        folder.mkdir()
    with pytest.raises(InputError, match=r"holds no run .* inforce eval NAME --output"):
        read_runs([folder])


# Contents


def test_what_is_missing_is_counted_and_never_zero() -> None:
    records = [record("a", 1), record("b", None), record("c", 1, outcome="budget")]
    assert not_measured(records, "right") == 1
    of = summarise_runs(TINY, [run(*records)])
    said = [one for chapter in chapters(of) for one in chapter.sentences]
    assert said == [
        "react · m: right 1.0000 [0.2065, 1.0000] n=1; 1 of 3 items broke off and are not scored; "
        "1 could not be measured (not measured)."
    ]


def test_tables_of_several_runs_are_one_with_published_rows_once() -> None:
    both = [run(record("a", 1), name="first"), run(record("a", 0), name="second")]
    (table,) = joined_tables(summarise_runs(TINY, both))
    assert [row.name for row in table.rows] == ["Published", "first", "second"]


def cells(of: Results, title: str) -> dict[str, tuple[object, ...]]:
    tables = [table for chapter in chapters(summarise_runs(TINY, [of])) for table in chapter.tables]
    (table,) = (one for one in tables if one.title.startswith(title))
    return {row.name: row.cells for row in table.rows}


def test_an_unknown_price_is_unknown_and_no_call_costs_nothing() -> None:
    paid = record("a", usage=Usage(2, 10, 5), seconds=1.0), record("b", seconds=3.0)
    assert cells(run(*paid), "Cost") == {"react · m": (3, 20, 10, None, 2.0)}
    assert cells(run(record("a", usage=Usage())), "Cost") == {"react · m": (0, 0, 0, 0, 0.0)}


def test_dated_queries_are_counted_by_tool() -> None:
    one = record("a", calls={"search": 3, "browse": 1}, dated={"search": 1})
    two = record("b", calls={"search": 1}, dated={"search": 1})
    assert cells(run(one, two), "Tool calls") == {"browse": (1, 0, 0.0), "search": (4, 2, 0.5)}


def test_outcomes_are_counted() -> None:
    of = run(record("a"), record("b", outcome="turn_limit"), record("c"))
    assert cells(of, "How the runs") == {"react · m": (2, 1)}


# Plots


def titles(*runs: Results, of: Benchmark = TINY) -> list[str]:
    return [plot.title for plot in plots(summarise_runs(of, runs)).shown]


def test_a_run_without_groups_years_or_times_has_no_plot() -> None:
    assert titles(run(record("a"))) == []


def test_groups_have_bars() -> None:
    assert titles(run(record("a"), record("b", task="盗窃"))) == ["right by task or group"]


@pytest.mark.parametrize(
    ("facts", "year"),
    [
        ({"year": 2019}, "2019"),
        ({"as_of": {"start": "2004-03-01"}}, "2004"),
        ({}, ""),
        ({"year": None}, ""),
    ],
)
def test_the_year_asked_for_is_read_from_the_item(facts: dict[str, object], year: str) -> None:
    assert year_of(record("a", facts=facts)) == year


def test_years_have_a_heat_map() -> None:
    of = run(record("a", facts={"year": 2019}), record("b", 0, facts={"year": 2020}))
    assert titles(of) == ["right by year of the version asked for"]
    assert titles(run(record("a", facts={"year": 2019}))) == []


def test_certainty_is_what_uncertainty_leaves_to_one_interval_and_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[tuple[Sequence[str], Sequence[Series]]] = []

    def remember(
        categories: Sequence[str], series: Sequence[Series], *, is_horizontal: bool
    ) -> str:
        drawn.append((categories, series))
        return "<svg/>"

    monkeypatch.setattr("inforce.evals.report.plots.bars", remember)
    quick = record("a", values={"accuracy": 1, "u_score": 0.25}, seconds=1.5)
    asked = summarise_runs(benchmark("accuracy", "u_score"), [run(quick), run(name="none ran")])
    summary = Summary(
        {"accuracy": Estimate(1, 0.2, 1, 9), "u_score": Estimate(0.25, 0.125, 0.5, 9)}
    )
    (shown,) = plots(replace(asked, summaries=(summary, asked.summaries[1]))).shown
    assert shown.title == "Accuracy and 1 − U-Score"
    ((labels, (accuracy, certainty)),) = drawn
    assert labels == ["react · m\n1.50 s", "none ran\n"]
    assert accuracy.values == [Estimate(1, 0.2, 1, 9), None]
    assert certainty.values == [Estimate(0.75, 0.5, 0.875, 9), None]


def test_dated_queries_are_split_by_domain_where_the_tasks_are_the_thirteen() -> None:
    of = run(record("a", task="kqa", dated={"web_search": 2}))
    (shown,) = plots(summarise_runs(TINY, [of])).shown
    assert "web_search · ID" in shown.svg
    assert "web_search · OOD" not in shown.svg


def test_without_the_plotting_library_the_report_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    drawn = plots(summarise_runs(TINY, [run(record("a"), record("b", task="2-hop"))]))
    assert drawn.shown == ()
    assert drawn.missing == "plots needs an optional part: pip install 'inforce[eval]'"


# Items


def test_failures_come_first_then_what_has_no_value_then_the_worst(tmp_path: Path) -> None:
    records = [
        record("good", 1),
        record("half", 0.5),
        record("wrong", 0),
        record("unjudged", None),
        record("broken", 1, outcome="failed", values={}),
    ]
    written = report(tmp_path, *records)
    assert ranked_ids(written.page) == ["broken", "unjudged", "wrong", "half", "good"]


def test_items_stand_in_the_order_people_count_in(tmp_path: Path) -> None:
    written = report(tmp_path, *(record(f"q{n}", n % 2) for n in (10, 9, 100, 1, 2)))
    assert shown_ids(written.page) == ["q1", "q2", "q9", "q10", "q100"]


def test_an_item_shows_question_gold_answer_and_score(tmp_path: Path) -> None:
    one = record("q1", 0.5, question="问甲", target="金乙", answer="答丙")
    page = items_page(report(tmp_path, one).page)
    (article,) = found(page, "//article")
    text = article.text_content()
    for said in ("问甲", "金乙", "答丙", "partly right · right 0.5"):
        assert said in text


def test_the_report_stays_small_however_many_items_there_are(tmp_path: Path) -> None:
    """Items are in a page of their own, beside the report."""
    long = dict.fromkeys(("question", "target", "answer"), "法律规定" * 100)
    few = report(tmp_path / "few", record("q0", **long)).page.stat().st_size
    many = report(tmp_path / "many", *(record(f"q{n}", **long) for n in range(300)))
    assert many.page.stat().st_size < few + 2_000
    assert found(many.page, "//article") == []
    assert len(found(items_page(many.page), "//article")) == 300


def test_long_texts_are_cut_and_say_so() -> None:
    assert cut("字" * MOST_CHARACTERS) == "字" * MOST_CHARACTERS
    assert cut("字" * (MOST_CHARACTERS + 7)).endswith("字 … (7 more characters)")


def test_items_beyond_the_most_are_counted() -> None:
    records = [record(f"q{place:05}") for place in range(MOST_ITEMS + 3)]
    items = show_items("r", records, primary="right", link=lambda one: "")
    assert (len(items.shown), items.left_out) == (MOST_ITEMS, 3)


# The page

HOSTILE = '</dd><script>alert(1)</script><img src="https://x.example/" onerror="a()">'


def hostile(id: str) -> Record:
    said = dict.fromkeys(("question", "target", "answer", "note", "group", "task"), HOSTILE)
    return record(
        f"{id}{HOSTILE}", 0, labels={HOSTILE: HOSTILE}, calls={HOSTILE: 1}, trace=HOSTILE, **said
    )


def test_foreign_text_is_text_everywhere(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    stored(folder, hostile("1"), record("2", outcome="failed", note=HOSTILE), agent=HOSTILE)
    written = write_report([folder], tmp_path / "out")
    assert found(written.page, "//script | //img | //iframe | //object | //link | //form") == []
    assert found(written.page, "//@*[starts-with(name(), 'on')]") == []
    assert {address[:6] for address in found(written.page, "//a/@href") if address[0] != "#"} == {
        "items/"
    }
    items = items_page(written.page)
    assert len(found(items, "//script")) == 1  # ours
    assert found(items, "//img | //iframe | //object | //link | //form") == []
    assert found(items, "//@*[starts-with(name(), 'on')]") == []
    assert HOSTILE in "".join(found(items, "//dl//text()"))
    assert "<script" not in re.sub(r"\\.", "", written.markdown.read_text(encoding="utf-8"))


def test_the_page_may_load_nothing(tmp_path: Path) -> None:
    page = report(tmp_path, record("a")).page
    (policy,) = found(page, "//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


def test_a_page_of_items_runs_its_own_script_and_no_other(tmp_path: Path) -> None:
    page = items_page(report(tmp_path, record("a")).page)
    (policy,) = found(page, "//meta[@http-equiv='Content-Security-Policy']/@content")
    (script,) = found(page, "//script/text()")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    )


def test_the_same_runs_give_the_same_files(tmp_path: Path) -> None:
    records = [record("a"), record("b", 0, task="2-hop")]
    first = report(tmp_path, *records)
    before = first.page.read_bytes(), first.markdown.read_bytes()
    again = report(tmp_path, *records)
    assert (again.page.read_bytes(), again.markdown.read_bytes()) == before


# Traces


def with_trace(folder: Path, content: bytes) -> Record:
    path = folder / "run" / "traces" / "a.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return record("a", trace="traces/a.jsonl")


EVENT = encode(Replied("k", "agent", "想一想", Usage(1), "stop", False, 0.5, datetime.now(UTC)))


def links(page: Path) -> list[str]:
    """Pages of single runs, from the folder of the report."""
    found_links = found(items_page(page), "//dl//a/@href")
    return [one.removeprefix("../") for one in found_links]


def test_every_item_leads_to_the_page_of_its_run(tmp_path: Path) -> None:
    written = report(tmp_path, with_trace(tmp_path, EVENT + b"\n"))
    (link,) = links(written.page)
    assert "想一想" in (written.page.parent / link).read_text(encoding="utf-8")


def test_a_page_is_written_again_when_its_trace_has_changed(tmp_path: Path) -> None:
    one = with_trace(tmp_path, EVENT + b"\n")
    (link,) = links(report(tmp_path, one).page)
    trace, page = tmp_path / "run" / one.trace, tmp_path / "out" / link
    trace.write_bytes(EVENT.replace("想一想".encode(), "再想想".encode()) + b"\n")
    later = page.stat().st_mtime + 9
    os.utime(trace, (later, later))
    report(tmp_path, one)
    assert "再想想" in page.read_text(encoding="utf-8")


def test_a_damaged_trace_is_no_link(tmp_path: Path) -> None:
    assert links(report(tmp_path, with_trace(tmp_path, b"{}\n{}\n")).page) == []


@pytest.mark.parametrize("named", ["traces/a.jsonl", "a.jsonl"])
def test_a_trace_is_named_from_its_run_or_from_the_folder_of_traces(
    tmp_path: Path, named: str
) -> None:
    with_trace(tmp_path, EVENT)
    path = tmp_path / "run" / "traces" / "a.jsonl"
    assert trace_file(tmp_path / "run", record("a", trace=named)) == path.resolve()


@pytest.mark.parametrize("trace", ["", "traces/none.jsonl", "../secret.jsonl", "/etc/hostname"])
def test_a_trace_outside_its_run_is_not_read(tmp_path: Path, trace: str) -> None:
    (tmp_path / "secret.jsonl").write_bytes(EVENT)
    folder = stored(tmp_path / "run", record("a", trace=trace))
    assert trace_file(folder, record("a", trace=trace)) is None


# Comparisons


def test_two_runs_of_one_benchmark_are_compared(tmp_path: Path) -> None:
    folders = [
        stored(tmp_path / name, *(record(f"q{i}", right) for i in range(6)), agent=name)
        for name, right in (("react", 1), ("direct", 0))
    ]
    written = write_report(folders, tmp_path)
    text = written.markdown.read_text(encoding="utf-8")
    assert "react · m has 1.000, direct · m 0.000 over 6 items" in text


def test_three_runs_are_compared_each_with_each_or_with_the_one_named(tmp_path: Path) -> None:
    folders = [stored(tmp_path / name, record("q"), agent=name) for name in ("a", "b", "c")]
    without = write_report(folders, tmp_path / "out")
    pairs = [(one.first, one.second) for one in without.benchmarks[0].comparisons]
    assert pairs == [("a · m", "b · m"), ("a · m", "c · m"), ("b · m", "c · m")]
    held = write_report(folders[:2], tmp_path / "out", against=folders[2])
    pairs = [(one.first, one.second) for one in held.benchmarks[0].comparisons]
    assert pairs == [("a · m", "c · m"), ("b · m", "c · m")]


def test_holms_family_are_all_tests_of_outcomes_and_no_bookkeeping(tmp_path: Path) -> None:
    def items(right: int) -> list[Record]:
        return [record(f"q{n}", values={"right": right, "steps": n}) for n in range(6)]

    folders = [
        stored(tmp_path / name, *items(right), agent=name)
        for name, right in (("a", 1), ("b", 0), ("c", 0))
    ]
    (of,) = write_report(folders, tmp_path / "out").benchmarks
    tests = [one for found in of.comparisons for one in found.differences]
    assert [one.measure for one in tests] == ["right"] * 3
    assert [one.p for one in tests] == [0.03125, 0.03125, 1.0]
    assert [one.corrected for one in tests] == [0.09375, 0.09375, 1.0]


def test_runs_whose_tables_have_other_columns_are_rows_of_one_table() -> None:
    def by_kind(records: Sequence[Record], name: str) -> list[Table]:
        kinds = tuple(dict.fromkeys(one.group for one in records))
        return [Table("T", kinds, (Row(name, (1.0,) * len(kinds)),))]

    of = replace(TINY, tables=by_kind)
    first = run(record("a", group="2000"), record("b", group="2018"), name="first")
    second = run(record("a", group="2018"), record("b", group="2009"), name="second")
    (table,) = joined_tables(summarise_runs(of, [first, second]))
    assert table.columns == ("2000", "2009", "2018")
    assert [row.cells for row in table.rows] == [(1.0, None, 1.0), (None, 1.0, 1.0)]


def test_notes_stay_with_their_own_run() -> None:
    def noted(records: Sequence[Record], name: str) -> list[Table]:
        note = f"over {len(records)}"
        return [Table("T", ("ALL",), (Row(name, (1.0,)),), note="From a paper.", own_notes=(note,))]

    of = replace(TINY, tables=noted)
    both = [run(record("a"), record("b"), name="first"), run(record("a", None), name="second")]
    (table,) = joined_tables(summarise_runs(of, both))
    assert table.notes == (
        "From a paper.",
        "first: over 2",
        "second: over 1",
        "second: Not scored: 1 of 1 of 1-hop: not measured.",
    )


def test_measures_have_a_column_for_each_run() -> None:
    both = [run(record("a", 1), name="first"), run(record("a", 0), name="second")]
    tables = [one for chapter in chapters(summarise_runs(TINY, both)) for one in chapter.tables]
    (measures,) = (one for one in tables if one.title == "Measures")
    assert measures.columns == ("first", "second")
    assert [row.name for row in measures.rows] == ["right"]


def test_the_average_of_a_wide_table_stays_in_sight(tmp_path: Path) -> None:
    page = report(tmp_path, record("a")).page
    assert [one.text_content() for one in found(page, "//th[@class='total']")] == ["ALL"]
    (style,) = found(page, "//style/text()")
    assert "td.total, th.total { position: sticky; right: 0;" in style


def test_runs_of_several_benchmarks_have_a_section_each(tmp_path: Path) -> None:
    folders = [stored(tmp_path / name, record("q"), benchmark=name) for name in ("one", "two")]
    written = write_report(folders, tmp_path)
    assert [one.benchmark.name for one in written.benchmarks] == ["one", "two"]
    assert [one.comparisons for one in written.benchmarks] == [(), ()]


def test_a_report_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    folder = stored(tmp_path / "run", record("q"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="cannot write the report to .*file"):
        write_report([folder], tmp_path / "file")


@pytest.mark.slow
def test_two_thousand_items_are_reported_within_ten_seconds(tmp_path: Path) -> None:
    long = dict.fromkeys(("question", "target", "answer"), "法律规定" * 500)
    records = [record(f"q{i}", i % 3 / 2, task=f"{i % 5}-hop", **long) for i in range(2_000)]
    began = time.monotonic()
    written = report(tmp_path, *records)
    assert time.monotonic() - began < 10
    assert written.page.stat().st_size < 20_000_000
