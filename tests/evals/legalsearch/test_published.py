"""Published figures: read as shares, marked as published, checked against the paper's own means."""

from __future__ import annotations

from statistics import fmean

import pytest

from inforce.errors import InternalError
from inforce.evals.published import published, published_table

PAPER = "legalsearch_r1"


def test_figures_in_percent_become_shares_and_rows_are_marked_as_published() -> None:
    table = published_table(PAPER, "table2")
    ours = {row.name: row for row in table.rows}["LegalSearch-R1"]
    assert ours.cells == (0.9673, 0.3516, 0.5, 0.875, 0.625, 0.1328, 0.4609, 0.559)
    assert {row.origin for row in table.rows} == {"published"}
    assert (table.unit, len(table.rows)) == ("percent", 18)


def test_plain_numbers_stay_as_they_are_printed() -> None:
    cells = {row.name: row.cells for row in published_table(PAPER, "figure3").rows}
    assert cells["LegalSearch-R1"][:2] == (502, 537)
    assert cells["Most of any baseline"] == (227, None, 0.253, None)


@pytest.mark.parametrize("table", ["table2", "table4"])
def test_each_printed_average_is_the_mean_of_its_row(table: str) -> None:
    # One row of table 4 is printed with another average than its figures have.
    misprinted = {("table4", "DISC-LawLLM")}
    for row in published_table(PAPER, table).rows:
        figures = [cell for cell in row.cells if isinstance(cell, float | int)]
        assert len(figures) == len(row.cells)
        agrees = fmean(figures[:-1]) == pytest.approx(figures[-1], abs=1.1e-4)
        assert agrees == ((table, row.name) not in misprinted), row.name


def test_the_note_says_where_the_figures_come_from() -> None:
    assert published_table(PAPER, "table4").note.startswith(
        f"Published rows: {published(PAPER).source}. Accuracy"
    )


@pytest.mark.parametrize(("paper", "table"), [("no_paper", "table1"), (PAPER, "table99")])
def test_a_table_that_is_not_there_is_a_fault_of_ours(paper: str, table: str) -> None:
    with pytest.raises(InternalError, match=f"published/{paper}.yaml"):
        published_table(paper, table)
