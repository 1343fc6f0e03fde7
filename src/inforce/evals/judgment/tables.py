"""Figures of predictions, and the tables of MSR2 with a row for them.

Accuracy and macro precision, recall and F1 are over labels, as PLJP computes them. Every label that
occurs in a judgment or a prediction has the same weight, also the label of unreadable answers. A
label without predictions has precision 0, a label without cases recall 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inforce.evals.benchmark import Record, Summary
from inforce.evals.judgment.dataset import CAIL, CJO
from inforce.evals.published import published_table
from inforce.evals.summary import by_group, grouped, means
from inforce.evals.table import Row, Table
from inforce.scoring.estimate import CONFIDENCE, RESAMPLES, SEED, Estimate, mean

Codes = NDArray[np.int64]
Figures = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures of one target."""

    accuracy: Estimate
    precision: Estimate
    recall: Estimate
    f1: Estimate


def scores(gold: Sequence[str], predicted: Sequence[str]) -> Scores | None:
    """Accuracy with Wilson's interval, macro figures with a bootstrap's; ``None`` for no case.

    >>> found = scores(["a", "a", "b"], ["a", "b", "b"])
    >>> found and (round(found.accuracy.value, 4), found.precision.value, found.recall.value)
    (0.6667, 0.75, 0.75)
    """
    accuracy = mean([float(a == b) for a, b in zip(gold, predicted, strict=True)])
    if accuracy is None:
        return None
    code = {label: number for number, label in enumerate(sorted({*gold, *predicted}))}
    truth = np.array([code[label] for label in gold], dtype=np.int64)
    guess = np.array([code[label] for label in predicted], dtype=np.int64)
    return Scores(accuracy, *_with_intervals(truth, guess, len(code)))


def _with_intervals(truth: Codes, guess: Codes, labels: int) -> list[Estimate]:
    """The three macro figures, with intervals from the same resamples.

    Rare labels are missing from many resamples, and each missing one lifts the mean over the rest.
    So the percentiles are moved until their middle is the figure itself.
    """
    values, n = _macro(truth, guess, labels), len(truth)
    if n == 1:
        return [Estimate(float(value), None, None, 1) for value in values]
    rows = np.random.default_rng(SEED)
    drawn = [rows.integers(0, n, size=n) for _ in range(RESAMPLES)]
    resampled = np.array([_macro(truth[row], guess[row], labels) for row in drawn])
    tail = (1 - CONFIDENCE) / 2
    low, middle, high = np.quantile(resampled, [tail, 0.5, 1 - tail], axis=0)
    bounds = np.clip([values + low - middle, values + high - middle], 0.0, 1.0)
    return [
        Estimate(float(value), float(least), float(most), n)
        for value, least, most in zip(values, *bounds, strict=True)
    ]


def _macro(truth: Codes, guess: Codes, labels: int) -> Figures:
    """Precision, recall and F1, each the mean over the labels that occur."""
    gold = np.bincount(truth, minlength=labels)
    predicted = np.bincount(guess, minlength=labels)
    right = np.bincount(truth[truth == guess], minlength=labels)
    occurs = gold + predicted > 0
    gold, predicted, right = gold[occurs], predicted[occurs], right[occurs]
    precision, recall = right / np.maximum(predicted, 1), right / np.maximum(gold, 1)
    f1 = 2 * right / (gold + predicted)
    return np.array([precision.mean(), recall.mean(), f1.mean()])


TARGETS: Mapping[str, str] = {
    "term": "Term",
    "article": "Article",
    "charge": "Charge",
    "term11": "Term, eleven classes",
}
"""The predicted targets with their heads in tables, the ten classes of the term first."""

MACRO = {"macro_precision": "Ma-P", "macro_recall": "Ma-R", "macro_f1": "Ma-F"}

_IN_MONTHS = ("exact_month", "months_error")
_SETS = (CJO, CAIL)
_NOTE = (
    "Our CAIL2018 row is about the test cases of the file given, not the paper's 8,214; seeds, "
    "splits and sizes differ."
)

Values = Mapping[str, Estimate | None]


def summarise(records: Sequence[Record]) -> Summary:
    """All figures, for all items and by test set."""
    groups = grouped(records, by_group)
    return Summary(figures(records), {name: figures(found) for name, found in groups.items()})


def figures(records: Sequence[Record]) -> dict[str, Estimate | None]:
    """Accuracy and macro figures of each target, then the measures in months."""
    found: dict[str, Estimate | None] = {}
    for target in TARGETS:
        labels = [one.labels for one in records if one.is_scored and target in one.labels]
        of = scores([one[f"{target}_gold"] for one in labels], [one[target] for one in labels])
        values = (of.accuracy, of.precision, of.recall, of.f1) if of else (None,) * 4
        found.update(zip(_keys(target), values, strict=True))
    return found | means(records, _IN_MONTHS)


def tables(records: Sequence[Record], name: str) -> Sequence[Table]:
    """Table 2 of MSR2 with our row, and a table of all targets for each test set."""
    found = {group: figures(of) for group, of in grouped(records, by_group).items()}
    cells = [found.get(one, {}).get(key) for one in _SETS for key in _keys("term")]
    table2 = published_table("msr2", "table2").with_row(name, cells, note=_NOTE)
    return [table2, *(_others(found[one], one, name) for one in _SETS if one in found)]


def _others(values: Values, group: str, name: str) -> Table:
    """A row for each target; the measures in months are in the note, as they are no shares."""
    rows = [
        Row(f"{name} · {head}", tuple(values.get(key) for key in _keys(target)))
        for target, head in TARGETS.items()
    ]
    exact, error = values.get("exact_month"), values.get("months_error")
    note = ""
    if exact and error:
        share, off = f"{exact.value:.1%} of {exact.n}", f"{error.value:.1f} months"
        note = f"Exact to the month: {share}; off by {off} on average."
    columns = ("Accuracy", *MACRO.values())
    title = f"Judgment prediction on {group}: every target"
    return Table(title, columns, tuple(rows), "percent", note)


def _keys(target: str) -> tuple[str, ...]:
    """The names of the figures of a target: accuracy, then the macro figures."""
    return (f"{target}_correct", *(f"{target}_{one}" for one in MACRO))
