"""The paper's tables with a row of ours."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from inforce.agents.runtime.answer import Outcome
from inforce.evals.benchmark import Record
from inforce.evals.legalsearch.benchmark import BENCHMARKS
from inforce.evals.legalsearch.tables import (
    average,
    domain_table,
    queries_table,
    recitation_table,
    tables,
    tables_of_task,
    years_table,
)
from inforce.evals.table import Cell
from inforce.scoring.estimate import Estimate
from inforce.scoring.tasks import IN_DOMAIN, OUT_OF_DOMAIN, Task

BY_NAME = {one.name: one for one in BENCHMARKS}


def record(
    task: Task,
    score: float | None,
    *,
    group: str = "",
    outcome: Outcome = "answered",
    dated: Mapping[str, int] | None = None,
    **values: float | None,
) -> Record:
    return Record(
        "1", task, group, "问", "金", "答", outcome, {"score": score, **values}, dated=dated or {}
    )


def figures(cells: tuple[Cell, ...]) -> tuple[object, ...]:
    return tuple(cell.value if isinstance(cell, Estimate) else cell for cell in cells)


ALL_SEVEN = [record(task, 1.0) for task in IN_DOMAIN]


def test_the_average_is_the_mean_of_the_tasks_however_many_items_each_has() -> None:
    # lar 0.5 over two items, the six others 1: (0.5 + 6) / 7, not 7 / 8.
    found = average([*ALL_SEVEN, record("lar", 0.0)], IN_DOMAIN)
    assert found is not None and found.value == pytest.approx(6.5 / 7)
    assert found.n == 8


@pytest.mark.parametrize(
    "left_out",
    [
        [],
        [record("lcs", None)],  # its judge failed
        [record("lcs", 1.0, outcome="failed")],  # it broke off
        [record("cpa", 1.0)],  # another domain
    ],
)
def test_without_every_task_there_is_no_average(left_out: list[Record]) -> None:
    six = [one for one in ALL_SEVEN if one.task != "lcs"]
    assert average([*six, *left_out], IN_DOMAIN) is None


def test_our_row_stands_below_the_published_ones_in_the_order_of_the_paper() -> None:
    table = domain_table("table2", IN_DOMAIN, [*ALL_SEVEN, record("kqa", 0.0)], "ours · m")
    assert table.columns == ("LAR", "LCS", "KQA", "LAP", "CCP", "PTP", "LCA", "Avg.")
    assert [row.origin for row in table.rows] == ["published"] * 18 + ["ours"]
    assert table.rows[-1].name == "ours · m"
    assert figures(table.rows[-1].cells) == pytest.approx((1, 1, 0.5, 1, 1, 1, 1, 6.5 / 7))


def test_a_task_that_was_not_run_is_a_dash_and_so_is_the_average() -> None:
    table = domain_table("table4", OUT_OF_DOMAIN, [record("cpa", 1.0), record("pfe", 0.0)], "ours")
    assert figures(table.rows[-1].cells) == (1.0, None, None, None, None, 0.0, None)
    assert "every task" in table.note


def test_items_that_were_not_measured_do_not_count() -> None:
    records = [record("lcs", 1.0), record("lcs", None), record("lcs", 0.0, outcome="budget")]
    (cell,) = tables_of_task("lcs", records, "ours")[0].rows[-1].cells
    assert isinstance(cell, Estimate)
    assert (cell.value, cell.n) == (1.0, 1)


def test_a_single_task_has_its_column_of_the_table() -> None:
    table = tables_of_task("nje", [record("nje", 1.0)], "ours")[0]
    assert table.columns == ("NJE",)
    assert {row.name: row.cells for row in table.rows}["LegalSearch-R1"] == (0.4141,)


def test_recitations_are_shown_by_the_year_of_the_law() -> None:
    records = [
        record("lar", 1.0, group="2013", rouge_l=1.0),
        record("lar", 0.5, group="2013", rouge_l=0.5),
        record("lar", 0.25, group="2004", rouge_l=0.25),
        record("lar", 0.0, rouge_l=0.0),  # it names no year
        record("kqa", 1.0, group="2013"),
    ]
    table = years_table(records, "ours")
    assert table.columns == ("2004", "2013")
    assert figures(table.rows[0].cells) == (0.25, 0.75)


def test_all_measures_of_recitations_are_shown() -> None:
    one = record("lar", 0.9, rouge_l=0.9, rouge_l_text=1.0, f1=0.8, jaccard=0.7, bleu4=0.6)
    table = recitation_table([one], "ours")
    assert figures(table.rows[0].cells) == (0.9, 1.0, 0.8, 0.7, 0.6)


def test_queries_that_name_a_time_are_counted_by_domain_and_by_tool() -> None:
    records = [
        record("lar", 1.0, dated={"rag_retrieve": 2, "web_search": 1}),
        record("kqa", 1.0, dated={"web_search": 1}, outcome="failed"),  # it searched all the same
        record("ccp", 1.0),
        record("pae", 1.0, dated={"rag_retrieve": 1}),
    ]
    rows = {row.name: row.cells for row in queries_table(records, "ours").rows}
    assert rows["ours"] == pytest.approx((4, 1, 4 / 3, 1.0))
    assert rows["ours · rag_retrieve"] == pytest.approx((2, 1, 2 / 3, 1.0))
    assert rows["ours · web_search"] == pytest.approx((2, 0, 2 / 3, 0.0))
    assert rows["LegalSearch-R1"] == (502, 537, 0.56, 0.699)


def test_a_domain_that_was_not_run_has_no_count_of_queries() -> None:
    rows = {row.name: row.cells for row in queries_table([record("pae", 1.0)], "ours").rows}
    assert rows["ours"] == (None, 0, None, 0.0)


@pytest.mark.parametrize(
    ("tasks", "count"), [(("kqa",), 2), (("cpa",), 2), (("kqa", "cpa"), 3), (("lar", "cpa"), 5)]
)
def test_only_tables_there_is_something_for_are_made(tasks: tuple[Task, ...], count: int) -> None:
    assert len(tables([record(task, 1.0, group="2013") for task in tasks], "ours")) == count


# --- summaries ----------------------------------------------------------------------------------


def test_a_summary_has_the_primary_measure_first_the_averages_and_every_task() -> None:
    records = [
        *(record(task, 1.0, reward=0.0) for task in (*IN_DOMAIN, *OUT_OF_DOMAIN)),
        record("lar", 0.0, rouge_l=0.5),
    ]
    summary = BY_NAME["legalsearch"].summarise(records)
    values = {name: one and one.value for name, one in summary.values.items()}
    assert next(iter(values)) == "score"
    assert values["score"] == pytest.approx(13 / 14)
    assert values["id_average"] == pytest.approx(6.5 / 7)
    assert (values["ood_average"], values["rouge_l"], values["reward"]) == (1.0, 0.5, 0.0)
    assert list(summary.groups) == [*IN_DOMAIN, *OUT_OF_DOMAIN]
    assert list(summary.groups["lcs"]) == ["score", "answer_correct", "basis_correct", "reward"]
    assert list(summary.groups["kqa"]) == ["score", "reward"]


def test_recitations_are_summarised_by_year_and_other_tasks_as_one() -> None:
    records = [record("lar", 1.0, group="2013"), record("lar", 0.0, group="2004")]
    assert list(BY_NAME["lar"].summarise(records).groups) == ["2004", "2013"]
    assert BY_NAME["kqa"].summarise([record("kqa", 1.0)]).groups == {}
