"""What runs of training came to: shares, means over seeds, and the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from inforce.errors import InputError, UserError
from inforce.train.episodes import Question
from inforce.train.trajectory import Span, Trajectory
from small_models.record import (
    Choices,
    Measures,
    Progress,
    RunRecord,
    read_records,
    write_record,
)
from small_models.report import Mean, write_report
from small_models.temporal_search import REPORT, facts, measures


def went(reward: float | None) -> Trajectory:
    return Trajectory("q", (Span("prompt", (1,)),), (), reward)


def asked(*, is_past: bool) -> Question:
    article = {"day": "2010-06-01", "article": "《刑法》第74条"}
    return Question("q", "", "", {**article, "is_past": is_past})


NOT_ASKED = {"queries": 0.0, "exact_day": 0.0, "exact_article": 0.0}


def test_rewards_are_told_apart_by_what_governs() -> None:
    assert facts(went(0.5), asked(is_past=True)) == {**NOT_ASKED, "past": 0.5}
    assert facts(went(0.5), asked(is_past=False)) == {**NOT_ASKED, "present": 0.5}


def test_what_was_not_asked_or_not_measured_is_no_zero() -> None:
    assert facts(went(None), asked(is_past=True)) == NOT_ASKED
    found = measures({"tool_calls": 0.0, "dated_queries": 0.0, "present": 1.0, **NOT_ASKED})
    shares = dict.fromkeys(("dated", "exact_day", "exact_article"))
    assert found == {"past": None, "present": 1.0, "tool_calls": 0.0, **shares}


def test_the_share_of_dated_queries_is_of_all_queries() -> None:
    assert measures({"tool_calls": 1.5, "dated_queries": 0.75})["dated"] == 0.5


@pytest.mark.parametrize(
    ("choices", "condition", "name"),
    [
        (Choices("search"), "search", "search-40-steps-seed-0"),
        (Choices("search", 1, 20, 0.1), "search, EAS 0.1", "search-eas-0.1-20-steps-seed-1"),
        (Choices("no search", 2), "no search", "no-search-40-steps-seed-2"),
    ],
)
def test_runs_that_differ_in_their_seed_alone_share_a_condition(
    choices: Choices, condition: str, name: str
) -> None:
    assert (choices.condition, choices.name) == (condition, name)


def test_a_mean_has_an_interval_from_two_runs_on() -> None:
    # t(0.975, 2) = 4.302653; the deviation of 1, 2, 3 is 1, its error 1 / sqrt(3).
    assert str(Mean.of([0.25])) == "0.250"
    assert str(Mean.of([1.0, 2.0, 3.0])) == "2.000 ± 2.484"


def examined(reward: float, dated: float | None) -> Measures:
    shares = {"dated": dated, "exact_day": dated, "exact_article": dated}
    return {"reward": reward, "past": reward, "present": reward, "tool_calls": 1.0, **shares}


def record(seed: int, after: float, kind: str = "search") -> RunRecord:
    dated = 0.5 if kind == "search" else None
    progress = tuple(Progress(step, examined(0.1 * step, dated)) for step in (1, 2))
    return RunRecord(
        Choices(kind, seed, 2),
        9,
        "cpu",
        4,
        examined(0.25, dated),
        examined(after, dated),
        progress,
        {"all": 1.0},
        examined(0.5, dated) if kind == "search" else {},
    )


def test_the_page_compares_conditions_and_the_plots_stand_beside_it(tmp_path: Path) -> None:
    for one in (record(0, 0.75), record(1, 1.0), record(0, 0.25, "no search")):
        folder = tmp_path / one.choices.name
        folder.mkdir()
        write_record(one, folder)
    found = read_records(tmp_path)
    page = write_report(found, REPORT, tmp_path).read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if "2 steps" in line]
    assert [row[0] for row in rows] == ["| no search, 2 steps", "| search, 2 steps"]
    assert rows[1][1:5] == ["2", "0.250 ± 0.000", "0.875 ± 1.588", "0.625 ± 1.588"]
    assert [row[5] for row in rows] == ["–", "0.500 ± 0.000"]  # not measured; at temperature 0
    assert rows[0][8:10] == ["–", "–"]
    plots = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert plots == ["dated.svg", "exact-day.svg", "reward.svg", "tool-calls.svg"]
    assert all(f"({name})" in page for name in plots)
    assert "no search" in (tmp_path / "reward.svg").read_text(encoding="utf-8")
    assert "no search" not in (tmp_path / "dated.svg").read_text(encoding="utf-8")


def test_what_no_run_measured_is_an_empty_plot(tmp_path: Path) -> None:
    write_report([record(0, 0.25, "no search")], REPORT, tmp_path)
    assert "no search" not in (tmp_path / "dated.svg").read_text(encoding="utf-8")
    assert "no search" in (tmp_path / "reward.svg").read_text(encoding="utf-8")


def test_the_same_runs_give_the_same_plots(tmp_path: Path) -> None:
    runs = [record(0, 0.75), record(1, 1.0)]
    drawn: list[bytes] = []
    for name in "ab":
        (tmp_path / name).mkdir()
        write_report(runs, REPORT, tmp_path / name)
        drawn.append((tmp_path / name / "reward.svg").read_bytes())
    assert drawn[0] == drawn[1]


def test_no_runs_make_no_report(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no runs"):
        write_report(read_records(tmp_path), REPORT, tmp_path)


def test_a_file_that_is_no_record_is_named(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}")
    with pytest.raises(InputError, match="run.json"):
        read_records(tmp_path)
