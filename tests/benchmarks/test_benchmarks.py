"""The benchmarks as commands: they need data, and report every figure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


class Report(NamedTuple):
    """What a benchmark printed."""

    table: str
    figures: dict[str, Any]
    errors: str


def run(name: str, *options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / f"{name}.py"), *map(str, options)]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def report(name: str, *options: object) -> Report:
    done = run(name, *options)
    *table, last = done.stdout.splitlines()
    return Report("\n".join(table), json.loads(last), done.stderr)


@pytest.mark.parametrize("name", ["compiler", "finding", "statutes", "verify"])
def test_without_data_there_is_nothing_to_measure(name: str, tmp_path: Path) -> None:
    done = run(name, "--data", tmp_path / "none")
    assert done.stdout == ""
    assert "no benchmark data" in done.stderr


def test_the_episodes_of_a_perfect_policy_are_all_right() -> None:
    sample = BENCHMARKS.parent / "tests" / "sample"
    figures = report("episodes", "--questions", 10, "--rounds", 1, "--corpus", sample).figures
    [corpus] = figures["corpora"]
    assert corpus["episodes"] == corpus["tool_calls"] == 10
    assert corpus["right"] == 1.0 and corpus["calls_a_second"] > 0


def test_nine_in_ten_dates_of_the_stories_are_read_as_what_they_are() -> None:
    figures = report("date_roles").figures
    assert len(figures) == 3
    dates = sum(one["n"] for one in figures.values())
    assert sum(one["n"] * one["right"] for one in figures.values()) >= 0.89 * dates


@pytest.mark.data
def test_the_criminal_law_and_the_constitution_compile_to_every_text_held(
    shared_data: Path,
) -> None:
    parts = ("--only", "criminal-law", "--only", "constitution")
    table, found, _ = report("compiler", *parts, "--data", shared_data)
    assert "instructions read in full" in table
    for part, articles in (("criminal-law", 7_400), ("constitution", 280)):
        one = found[part]
        assert one["parsed"] == one["instructions"] > 50
        assert "refused" not in one["clauses"] and "failed" not in one["clauses"]
        assert one["unexplained"] == [] and one["left_out"] == []
        assert one["equal"] > articles
    assert found["criminal-law"]["versions"] == 14
    assert found["criminal-law"]["texts"] == 16
    assert len(found["criminal-law"]["explained"]) == 2
    assert found["constitution"]["explained"] == {}


@pytest.mark.slow
@pytest.mark.data
def test_every_instruction_of_the_court_is_read_and_none_is_applied_wrongly(
    shared_data: Path,
) -> None:
    one = report("compiler", "--only", "court", "--data", shared_data).figures["court"]
    assert one["instructions"] > 500
    assert one["parsed"] / one["instructions"] >= 0.97
    assert one["unexplained"] == []
    assert one["equal"] == one["articles"] > 250


@pytest.mark.slow
@pytest.mark.data
def test_two_texts_of_a_law_drafted_into_instructions_compile_to_the_later_one(
    shared_data: Path,
) -> None:
    parts = ("--only", "round-trip", "--only", "words")
    found = report("compiler", *parts, "--data", shared_data).figures
    assert found["round-trip"]["texts"] > 200
    assert found["round-trip"]["unexplained"] == []
    assert found["words"]["texts"] > 100
    # A copy that closes a quotation with the wrong mark cannot be quoted.
    assert len(found["words"]["unexplained"]) <= 1


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_precedent_benchmark_reports_every_figure_without_any_data(tmp_path: Path) -> None:
    sizes = ("--documents", 3000, "--questions", 30)
    table, figures, errors = report("precedents", *sizes, "--data", tmp_path)
    assert "made from the starter statutes" in errors
    assert "new document found, ms" in table
    assert figures["build"]["documents"] == 3_000
    assert figures["build"]["documents_per_s"] > 0
    assert figures["questions"] == 30
    assert figures["slower"] > 0
    for figure in ("idle_ms", "during_single_ms", "during_bulk_ms", "visible_ms"):
        assert 0 < figures[figure]["p50"] <= figures[figure]["p95"]


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.timeout(1200)
def test_a_part_of_the_statute_benchmark_reports_every_figure(shared_data: Path) -> None:
    fewest = ("--quick", "--questions", 60)  # the reference takes seconds for a question
    table, figures, _ = report("statutes", *fewest, "--data", shared_data)
    assert "p50 of 6 questions, ms" in table
    assert figures["build"]["articles"] == figures["chunks"] > figures["build"]["wordings"]
    assert figures["questions"] == 6
    assert figures["ratio"] > 1
    assert figures["p50_ms"]["ours"] <= figures["p95_ms"]["ours"]
    for figure in ("recitation_hit_1", "verbatim_hit_1", "cases_recall_10"):
        assert {"ours", "reference"} == figures[figure].keys()
        assert all(0 <= share <= 1 for share in figures[figure].values())
    assert figures["recitation_hit_1"]["ours"] >= figures["recitation_hit_1"]["reference"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_small_run_of_the_checker_benchmark_reports_every_figure(sample_home: Path) -> None:
    table, figures, _ = report("verify", "--documents", 6, "--home", sample_home)
    assert figures["documents"] == 6 and figures["errors"] + figures["right"] == 36
    assert figures["false_alarms"] == 0
    assert figures["long_cpu_s"] > 0 and figures["long_mb"] > 0
    assert "other_version" in table
