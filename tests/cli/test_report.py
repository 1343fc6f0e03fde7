"""``inforce report``: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inforce.cli.report import report
from inforce.errors import InputError, UserError
from inforce.evals.benchmark import Benchmark
from stored_runs import benchmark, record, stored


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogue holds the invented benchmark alone."""

    def open_tiny(name: str) -> Benchmark:
        return benchmark(name=name)

    monkeypatch.setattr("inforce.evals.catalogue.open_benchmark", open_tiny)


def test_a_terminal_shows_the_tables_and_where_the_files_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = stored(tmp_path, record("a", 1), record("b", 0))
    assert report([folder]) == 0
    out = capsys.readouterr().out
    assert "react · m: right 0.5000 [0.0945, 0.9055] n=2." in out
    assert "  Published  50.00\n* react · m  50.00\n" in out
    assert f"wrote {tmp_path / 'report.md'}\nwrote {tmp_path / 'report.html'}\n" in out
    assert (tmp_path / "report.md").exists() and (tmp_path / "report.html").exists()


def test_json_is_one_document_with_figures_and_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = stored(
        tmp_path / "run", record("a", 1), record("b", None), record("c", outcome="failed")
    )
    report([folder], output=tmp_path / "out", as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["page"] == str(tmp_path / "out" / "report.html")
    (run,) = told["benchmarks"][0]["runs"]
    assert run["values"]["right"]["value"] == 1
    assert run["values"]["right"]["n"] == 1
    assert run["not_measured"] == {"right": 1}
    assert run["outcomes"] == {"answered": 2, "failed": 1}
    assert run["info"]["started"] == "2026-11-20T10:00:00+00:00"
    assert run["usage"]["money"] is None


def test_two_folders_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = stored(tmp_path / "1", *(record(f"q{i}", 1) for i in range(6)))
    second = stored(tmp_path / "2", *(record(f"q{i}", 0) for i in range(6)), agent="direct")
    report([first, second], as_json=True)
    (found,) = json.loads(capsys.readouterr().out)["benchmarks"][0]["comparisons"]
    assert (found["first"], found["second"]) == ("react · m", "direct · m")
    assert found["differences"][0]["p"] == 2 / 64


def test_one_run_is_held_against_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (stored(tmp_path / name, record("q"), agent=name) for name in ("a", "b"))
    report([first], against=second)
    assert "right: a · m has 1.000, b · m 1.000 over 1 item both" in capsys.readouterr().out


def test_a_folder_without_runs_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no run of a benchmark"):
        report([tmp_path])


def test_a_damaged_record_is_named_by_its_line(tmp_path: Path) -> None:
    folder = stored(tmp_path, record("a"))
    with (folder / "records.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    with pytest.raises(InputError, match=r"records\.jsonl:2: not a record of a run"):
        report([folder])


def test_runs_on_different_questions_are_not_compared(tmp_path: Path) -> None:
    first = stored(tmp_path / "1", record("q"))
    second = stored(tmp_path / "2", record("q", question="another"))
    with pytest.raises(UserError, match="run both on the same benchmark file"):
        report([first, second])
