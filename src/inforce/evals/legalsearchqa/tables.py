"""Table 3 and figure 3 of the paper, and accuracy by subject, with a row for a run of ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inforce.evals.benchmark import Record
from inforce.evals.legalsearchqa.quality import commonest
from inforce.evals.published import published_table
from inforce.evals.summary import by_group, grouped, mean_of
from inforce.evals.table import Row, Table
from inforce.scoring.estimate import Estimate, mean

_CODE = "U-Score, weights of the code"
_U_SCORE = (
    "U-Score weighs as equation 1 of the paper does, which is not how the released code weighs. "
    "Quality is the rating most answers have; of equals the lower. Time is that of the run, "
    "recorded searches and replies being faster than any real ones."
)


def legalsearchqa_tables(records: Sequence[Record], name: str) -> Sequence[Table]:
    """Table 3, the bars of figure 3, and accuracy by domain."""
    return table3(records, name), figure3(records, name), group_table(records, name, "domain")


def barexam_tables(records: Sequence[Record], name: str) -> Sequence[Table]:
    """Accuracy by subject."""
    return (group_table(records, name, "subject"),)


def table3(records: Sequence[Record], name: str) -> Table:
    """Accuracy, U-Score, quality and time, and the U-Score by the weights of the released code."""
    paper = published_table("lmars", "table3")
    rows = tuple(replace(row, cells=(*row.cells, None)) for row in paper.rows)
    labels = [one.labels for one in records if one.is_scored]
    quality = commonest(one["quality"] for one in labels if "quality" in one)
    ours = (
        mean_of(records, "accuracy"),
        mean_of(records, "u_score_paper"),
        quality.capitalize() if quality else None,
        _seconds(records),
        mean_of(records, "u_score"),
    )
    wider = replace(paper, columns=(*paper.columns, _CODE), rows=rows)
    return wider.with_row(name, ours, note=_U_SCORE)


def figure3(records: Sequence[Record], name: str) -> Table:
    """The bars of figure 3: accuracy, certainty and response time."""
    paper = published_table("lmars", "table3")
    rows: list[Row] = []
    for row in paper.rows:
        accuracy, u_score, _, seconds = row.cells
        certainty = round(1 - u_score, 4) if isinstance(u_score, int | float) else None
        rows.append(replace(row, cells=(accuracy, certainty, seconds)))
    scores = [one.values.get("u_score_paper") for one in records if one.is_scored]
    certain = mean([None if score is None else 1 - score for score in scores])
    columns = ("Accuracy", "1 − U-Score", "Response time (s)")
    title = "Accuracy and certainty on LegalSearchQA (L-MARS, figure 3)"
    table = Table(title, columns, tuple(rows), "number", paper.note)
    return table.with_row(name, (mean_of(records, "accuracy"), certain, _seconds(records)))


def _seconds(records: Sequence[Record]) -> Estimate | None:
    return mean([one.seconds for one in records if one.is_scored])


def group_table(records: Sequence[Record], name: str, group: str) -> Table:
    """Accuracy by domain or subject, and the share of answers that name no letter."""
    groups = grouped(records, by_group)
    cells = (
        *(mean_of(of, "accuracy") for of in groups.values()),
        mean_of(records, "accuracy"),
        mean_of(records, "parse_error"),
    )
    return Table(
        f"Accuracy by {group}",
        (*groups, "All", "No letter"),
        (Row(name, cells),),
        note="An answer that names no letter is wrong. The released evaluation warns where more "
        "than 5 % name none.",
    )
