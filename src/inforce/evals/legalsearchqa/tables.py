"""Table 3 and figure 3 of the paper, and accuracy by subject, with a row for a run of ours."""

from __future__ import annotations

from collections.abc import Sequence

from inforce.evals.benchmark import Record
from inforce.evals.legalsearchqa.quality import commonest
from inforce.evals.published import published_table
from inforce.evals.summary import grouped, measured
from inforce.evals.table import Cell, Row, Table
from inforce.scoring.estimate import Estimate, mean

_CODE = "U-Score, weights of the code"
_U_SCORE = (
    "U-Score weighs as equation 1 of the paper does, which is not how the released code weighs. "
    "Quality is the rating most answers have; of equals the lower. Time is that of the run, "
    "recorded searches and replies being faster than any real ones."
)


def legalsearchqa_tables(records: Sequence[Record], name: str) -> Sequence[Table]:
    """Table 3, the bars of figure 3, and accuracy by domain."""
    return table3(records, name), figure3(records, name), by_group(records, name, "domain")


def barexam_tables(records: Sequence[Record], name: str) -> Sequence[Table]:
    """Accuracy by subject."""
    return (by_group(records, name, "subject"),)


def table3(records: Sequence[Record], name: str) -> Table:
    """Accuracy, U-Score, quality and time."""
    paper = published_table("lmars", "table3")
    rows = (Row(one.name, (*one.cells, None), one.origin) for one in paper.rows)
    ours: tuple[Cell, ...] = (
        _mean(records, "accuracy"),
        _mean(records, "u_score_paper"),
        _quality(records),
        _seconds(records),
        _mean(records, "u_score"),
    )
    columns = (*paper.columns, _CODE)
    note = f"{paper.note} {_U_SCORE}"
    return Table(paper.title, columns, (*rows, Row(name, ours)), paper.unit, note)


def figure3(records: Sequence[Record], name: str) -> Table:
    """What the bars of figure 3 show: accuracy and certainty beside the time it took."""
    paper = published_table("lmars", "table3")
    rows = tuple(
        Row(one.name, (one.cells[0], _certainty(one.cells[1]), one.cells[3]), one.origin)
        for one in paper.rows
    )
    certain = mean([_certain(one) for one in records if one.is_scored])
    ours = Row(name, (_mean(records, "accuracy"), certain, _seconds(records)))
    columns = ("Accuracy", "1 − U-Score", "Response time (s)")
    title = "Accuracy and certainty on LegalSearchQA (L-MARS, figure 3)"
    return Table(title, columns, (*rows, ours), "number", paper.note)


def by_group(records: Sequence[Record], name: str, group: str) -> Table:
    """Accuracy by domain or subject, and the share of answers that name no letter."""
    groups = grouped(records, lambda one: one.group)
    cells = [_mean(of, "accuracy") for of in groups.values()]
    row = Row(name, (*cells, _mean(records, "accuracy"), _mean(records, "parse_error")))
    return Table(
        f"Accuracy by {group}",
        (*groups, "All", "No letter"),
        (row,),
        note="An answer that names no letter is wrong. The released evaluation warns where more "
        "than 5 % name none.",
    )


def _mean(records: Sequence[Record], measure: str) -> Estimate | None:
    return mean(measured(records, measure))


def _seconds(records: Sequence[Record]) -> Estimate | None:
    return mean([one.seconds for one in records if one.is_scored])


def _quality(records: Sequence[Record]) -> str | None:
    rated = (one.labels["quality"] for one in records if one.is_scored and "quality" in one.labels)
    quality = commonest(rated)
    return quality.capitalize() if quality else None


def _certain(record: Record) -> float | None:
    score = record.values.get("u_score_paper")
    return None if score is None else 1 - score


def _certainty(score: Cell) -> Cell:
    return round(1 - score, 4) if isinstance(score, int | float) else None
