"""What predictions come to, and the tables of MSR2 with a row for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inforce.evals.benchmark import Record, Summary
from inforce.evals.judgment.dataset import CAIL, CJO
from inforce.evals.judgment.metrics import scores
from inforce.evals.published import published_table
from inforce.evals.summary import grouped, means
from inforce.evals.table import Row, Table
from inforce.scoring.estimate import Estimate

TARGETS: Mapping[str, str] = {
    "term": "Term",
    "article": "Article",
    "charge": "Charge",
    "term11": "Term, eleven classes",
}
"""What is predicted, the ten classes of the term first; with its head in tables."""

MACRO = {"macro_precision": "Ma-P", "macro_recall": "Ma-R", "macro_f1": "Ma-F"}

_IN_MONTHS = ("exact_month", "months_error")
_SETS = (CJO, CAIL)
_NOTE = (
    "Our CAIL2018 row is about the test cases of the file given, not the paper's 8,214; seeds, "
    "splits and sizes differ."
)

Values = Mapping[str, Estimate | None]


def summarise(records: Sequence[Record]) -> Summary:
    """All figures, over all items and by test set."""
    groups = grouped(records, lambda one: one.group)
    return Summary(figures(records), {name: figures(found) for name, found in groups.items()})


def figures(records: Sequence[Record]) -> dict[str, Estimate | None]:
    """Accuracy and macro figures of each target, then what was measured in months."""
    found: dict[str, Estimate | None] = {}
    for target in TARGETS:
        found |= _of(records, target)
    return found | means(records, _IN_MONTHS)


def _of(records: Sequence[Record], target: str) -> dict[str, Estimate | None]:
    told = [one.labels for one in records if one.is_scored and target in one.labels]
    all_ = scores([one[f"{target}_gold"] for one in told], [one[target] for one in told])
    return {
        f"{target}_correct": all_.accuracy if all_ else None,
        f"{target}_macro_precision": all_.precision if all_ else None,
        f"{target}_macro_recall": all_.recall if all_ else None,
        f"{target}_macro_f1": all_.f1 if all_ else None,
    }


def tables(records: Sequence[Record], name: str) -> Sequence[Table]:
    """Table 2 of MSR2 with our row, and what the paper does not report."""
    found = {group: figures(of) for group, of in grouped(records, lambda one: one.group).items()}
    return [
        _table2(found, name),
        *(_others(found[one], one, name) for one in _SETS if one in found),
    ]


def _table2(found: Mapping[str, Values], name: str) -> Table:
    paper = published_table("msr2", "table2")
    cells = tuple(found.get(one, {}).get(key) for one in _SETS for key in _keys("term"))
    rows = (*paper.rows, Row(name, cells))
    return Table(paper.title, paper.columns, rows, "percent", f"{paper.note} {_NOTE}")


def _others(values: Values, group: str, name: str) -> Table:
    """Each target a row; months are no shares, so each of their figures says so."""
    rows = [
        Row(f"{name} · {head}", tuple(values.get(key) for key in _keys(target)))
        for target, head in TARGETS.items()
    ]
    return Table(
        f"Judgment prediction on {group}: every target",
        ("Accuracy", *MACRO.values()),
        tuple(rows),
        "percent",
        _months_note(values),
    )


def _keys(target: str) -> tuple[str, ...]:
    return (f"{target}_correct", *(f"{target}_{one}" for one in MACRO))


def _months_note(values: Values) -> str:
    exact, error = values.get("exact_month"), values.get("months_error")
    if exact is None or error is None:
        return ""
    return (
        f"Exact to the month: {exact.value:.1%} of {exact.n}; off by {error.value:.1f} months on "
        f"average."
    )
