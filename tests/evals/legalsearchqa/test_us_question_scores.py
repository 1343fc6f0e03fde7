"""Scores of answers, and the tables they come to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from us_questions import attempt_at, lamps, legalsearchqa_file, setup_for

from inforce.evals.benchmark import Record
from inforce.evals.legalsearchqa.benchmark import (
    BAREXAM,
    BENCHMARKS,
    LEGALSEARCHQA,
    MEASURES,
    scorer,
)
from inforce.evals.published import published_table
from inforce.scoring.answers import PARSE_ERROR
from inforce.scoring.estimate import Estimate
from inforce.tools.evidence import Evidence

ACT = Evidence("lamps", "web", "Lamp Act", "Lamps must be lit at dusk.", "https://lamps.gov/act")


@pytest.mark.parametrize(
    ("text", "letter", "accuracy", "parse_error"),
    [
        ("At dusk. ANSWER: B", "B", 1.0, 0.0),
        ("At noon. ANSWER: A", "A", 0.0, 0.0),
        ("at dusk", PARSE_ERROR, 0.0, 1.0),
        ("", PARSE_ERROR, 0.0, 1.0),
    ],
)
async def test_an_answer_without_a_letter_is_wrong_and_counted_apart(
    tmp_path: Path, text: str, letter: str, accuracy: float, parse_error: float
) -> None:
    score = scorer(setup_for(legalsearchqa_file(tmp_path)))
    scored = await score(lamps(tmp_path), attempt_at(text), None)
    assert scored.answer == letter
    assert (scored.values["accuracy"], scored.values["parse_error"]) == (accuracy, parse_error)
    assert tuple(scored.values) == MEASURES


async def test_what_was_withheld_is_scored_by_the_draft(tmp_path: Path) -> None:
    score = scorer(setup_for(legalsearchqa_file(tmp_path)))
    withheld = attempt_at("", outcome="abstained", draft="ANSWER: B")
    assert (await score(lamps(tmp_path), withheld, None)).values["accuracy"] == 1.0


async def test_the_u_score_sees_the_text_alone_unless_told_otherwise(tmp_path: Path) -> None:
    path, item = legalsearchqa_file(tmp_path), lamps(tmp_path)
    attempt = attempt_at("It is so in Texas.", bearing=[ACT])
    plain = (await scorer(setup_for(path))(item, attempt, None)).values
    assert (plain["citations"], plain["jurisdiction"]) == (1.0, 0.4)
    found = (await scorer(setup_for(path, sources="found"))(item, attempt, None)).values
    assert found["citations"] == pytest.approx(1 / 3)
    placed = scorer(setup_for(path, jurisdiction="question"))
    assert (await placed(item, attempt, None)).values["jurisdiction"] == 0.5  # "must" is federal


async def test_both_weightings_and_the_band_are_told(tmp_path: Path) -> None:
    scored = await scorer(setup_for(legalsearchqa_file(tmp_path)))(
        lamps(tmp_path), attempt_at("B"), None
    )
    assert scored.values["u_score"] == pytest.approx(0.625)
    assert scored.values["u_score_paper"] == pytest.approx(0.575)
    assert scored.labels == {"certainty": "high uncertainty"}


def record(id: str, group: str, accuracy: float, **more: Any) -> Record:
    values = {"accuracy": accuracy, "parse_error": 0.0, "u_score": 0.5, "u_score_paper": 0.4}
    given: dict[str, Any] = {
        "outcome": "answered",
        "values": {**values, "quality": None},
        "seconds": 2.0,
        **more,
    }
    return Record(id, "legalsearchqa", group, "q", "B", "B", **given)


RECORDS = [
    record("q1", "lamp_law", 1.0, labels={"quality": "high"}),
    record("q2", "lamp_law", 0.0, labels={"quality": "low"}, seconds=4.0),
    record("q3", "door_law", 1.0, labels={"quality": "high"}),
    record("q4", "door_law", 0.0, outcome="failed", labels={"quality": "low"}, seconds=99.0),
]


def figures(cells: tuple[Any, ...]) -> list[Any]:
    return [
        pytest.approx(one.value) if isinstance(one, Estimate) else one  # pyright: ignore[reportUnknownMemberType]
        for one in cells
    ]


def test_table_3_has_our_row_below_the_published_ones() -> None:
    table = LEGALSEARCHQA.tables(RECORDS, "ours")[0]
    assert table.unit == "number"
    assert [row.origin for row in table.rows] == ["published"] * 5 + ["ours"]
    assert table.rows[3].cells == (0.96, 0.42, "High", 13.62, None)
    assert figures(table.rows[-1].cells) == [2 / 3, 0.4, "High", 8 / 3, 0.5]


def test_figure_3_shows_certainty_instead_of_uncertainty() -> None:
    table = LEGALSEARCHQA.tables(RECORDS, "ours")[1]
    assert table.columns == ("Accuracy", "1 − U-Score", "Response time (s)")
    assert table.rows[0].cells == (0.89, 0.45, 1.69)
    assert figures(table.rows[-1].cells) == [2 / 3, 0.6, 8 / 3]


def test_accuracy_is_told_by_subject_and_a_failed_run_is_no_wrong_answer() -> None:
    (table,) = BAREXAM.tables(RECORDS, "ours")
    assert table.columns == ("door_law", "lamp_law", "All", "No letter")
    assert figures(table.rows[0].cells) == [1.0, 0.5, 2 / 3, 0.0]


def test_without_a_judge_and_without_records_there_are_dashes() -> None:
    unjudged = [record("q1", "lamp_law", 1.0)]
    assert LEGALSEARCHQA.tables(unjudged, "ours")[0].rows[-1].cells[2] is None
    assert set(LEGALSEARCHQA.tables([], "ours")[0].rows[-1].cells) == {None}


def test_the_summary_has_every_measure_overall_and_by_group() -> None:
    summary = LEGALSEARCHQA.summarise(RECORDS)
    assert tuple(summary.values) == MEASURES
    assert tuple(summary.groups) == ("door_law", "lamp_law")
    accuracy = summary.values["accuracy"]
    assert accuracy is not None
    assert (accuracy.value, accuracy.n) == (pytest.approx(2 / 3), 3)
    assert summary.values["quality"] is None


def test_the_published_table_is_that_of_the_paper() -> None:
    rows = {row.name: row.cells for row in published_table("lmars", "table3").rows}
    assert rows["Claude-4-Sonnet"] == (0.88, 0.62, "Moderate", 3.84)
    assert rows["L-MARS (multi-turn)"] == (0.98, 0.39, "High", 55.67)
    assert len(rows) == 5


def test_each_benchmark_is_asked_of_lmars_unless_told_otherwise() -> None:
    assert [(one.name, one.agents[0], one.primary) for one in BENCHMARKS] == [
        ("legalsearchqa", "lmars", "accuracy"),
        ("barexam", "lmars", "accuracy"),
    ]
