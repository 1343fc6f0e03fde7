"""Compares runs in a table, and in plots after LegalSearch-R1's figures 5 and 6.

Means are over seeds; bands and ± are 95 % intervals of the mean over runs (Student's t), if there
are two runs or more. Plots are SVG; they need matplotlib (extra ``eval``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Literal

from inforce.errors import MissingExtraError, UserError
from inforce.files import write_file
from small_models.record import RunRecord

REPORT = "report.md"

When = Literal["before", "after", "greedy", "rise"]
"""Before or after training, after training at temperature 0, or the difference by training."""

_COLOURS = ("#2f5d9e", "#b5651d", "#2c7a4b", "#8a4f9e", "#a33b3b", "#666b73")
_SETTINGS = {"svg.hashsalt": "inforce", "svg.fonttype": "none", "font.size": 9}
_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: a figure of the evaluations."""

    title: str
    measure: str
    when: When = "after"

    def value(self, record: RunRecord) -> float | None:
        """Return the figure of a run."""
        if self.when == "greedy":
            return record.greedy.get(self.measure)
        before, after = record.before.get(self.measure), record.after.get(self.measure)
        if self.when == "rise":
            return None if before is None or after is None else after - before
        return before if self.when == "before" else after


@dataclass(frozen=True, slots=True)
class Curve:
    """A plot of a figure over the steps."""

    name: str
    """Name of the file."""
    title: str
    measure: str
    is_share: bool = True
    """Whether the figure is at most 1."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Contents of a report."""

    title: str
    explanation: str
    """Of the table's figures."""
    columns: tuple[Column, ...]
    curves: tuple[Curve, ...]
    summary: Mapping[str, str]
    """Titles of the figures that are printed after a run, by measure."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over runs."""

    value: float
    half: float | None
    """Half the width of its interval; ``None`` if there is only one run."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """Compute the mean of the runs' figures.

        >>> Mean.of([0.5]), round(Mean.of([0.4, 0.6]).half or 0, 3)
        (Mean(value=0.5, half=None), 1.271)
        """
        if len(values) < 2:
            return cls(fmean(values), None)
        from scipy.stats import t

        error = stdev(values) / len(values) ** 0.5
        return cls(fmean(values), float(t.ppf((1 + _CONFIDENCE) / 2, len(values) - 1)) * error)

    def __str__(self) -> str:
        return f"{self.value:.3f}" if self.half is None else f"{self.value:.3f} ± {self.half:.3f}"


def write_report(records: Sequence[RunRecord], layout: Layout, folder: Path) -> Path:
    """Write table and plots into a folder; returns the path of the page.

    Raises:
        UserError: if there are no runs.
        MissingExtraError: without matplotlib.
    """
    if not records:
        raise UserError("there are no runs to report: train some first")
    runs = _by_condition(records)
    for curve in layout.curves:
        write_file(folder / f"{curve.name}.svg", _drawn(runs, curve))
    page = folder / REPORT
    write_file(page, _page(runs, layout))
    return page


def _by_condition(records: Sequence[RunRecord]) -> dict[str, list[RunRecord]]:
    runs: dict[str, list[RunRecord]] = defaultdict(list)
    for one in sorted(records, key=lambda one: (one.choices.condition, one.choices.seed)):
        runs[f"{one.choices.condition}, {one.choices.steps} steps"].append(one)
    return dict(runs)


def _page(runs: Mapping[str, Sequence[RunRecord]], layout: Layout) -> str:
    head = ("condition", "runs", *(one.title for one in layout.columns))
    lines = [
        f"# {layout.title}",
        "",
        layout.explanation,
        "",
        _row(head),
        _row("---" for _ in head),
        *(_row((name, *_cells(found, layout))) for name, found in runs.items()),
        "",
        *(f"![{one.title}]({one.name}.svg)" for one in layout.curves),
        "",
    ]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(found: Sequence[RunRecord], layout: Layout) -> list[str]:
    measured = (_cell([column.value(one) for one in found]) for column in layout.columns)
    return [str(len(found)), *measured]


def _cell(values: Sequence[float | None]) -> str:
    known = [one for one in values if one is not None]
    return str(Mean.of(known)) if known else "–"


def _drawn(runs: Mapping[str, Sequence[RunRecord]], curve: Curve) -> str:
    """Plot one line with its band for each condition."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("plots", "eval") from error
    import io

    drawing: Any = matplotlib  # whose types are partial
    with drawing.rc_context(_SETTINGS):
        figure = Figure(figsize=(5.2, 3.2), layout="constrained")
        axes: Any = figure.subplots()
        for colour, (name, found) in zip(_COLOURS * len(runs), runs.items(), strict=False):
            _line(axes, name, _means(found, curve.measure), colour)
        axes.set(title=curve.title, xlabel="step", ylim=(0, 1.02 if curve.is_share else None))
        if axes.lines:
            axes.legend(frameon=False)
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return written.getvalue()


def _line(axes: Any, name: str, means: Mapping[int, Mean], colour: str) -> None:
    if not means:  # a condition without searches has no share of searches
        return
    steps, values = list(means), [one.value for one in means.values()]
    halves = [one.half or 0.0 for one in means.values()]
    axes.plot(steps, values, label=name, color=colour)
    if any(halves):
        low = [value - half for value, half in zip(values, halves, strict=True)]
        high = [value + half for value, half in zip(values, halves, strict=True)]
        axes.fill_between(steps, low, high, color=colour, alpha=0.15, linewidth=0)


def _means(found: Sequence[RunRecord], measure: str) -> dict[int, Mean]:
    measured: dict[int, list[float]] = defaultdict(list)
    for one in (one for record in found for one in record.progress):
        known = one.measures.get(measure)
        if known is not None:
            measured[one.step].append(known)
    return {step: Mean.of(measured[step]) for step in sorted(measured)}
