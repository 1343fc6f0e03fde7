"""Runs of temporal search side by side: a table, and curves after LegalSearch-R1's figures 5 and 6.

Means over seeds; bands and ± are 95 % intervals of the mean over runs (Student's t), given from two
runs on. Plots are SVG; they need matplotlib (extra ``eval``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from inforce.errors import MissingExtraError, UserError
from inforce.train.temporal_search.record import Progress, RunRecord

REPORT = "report.md"

_CURVES: Mapping[str, tuple[str, Callable[[Progress], float | None]]] = {
    "reward": ("Reward of a step's episodes", lambda one: one.reward),
    "tool-calls": ("Tool calls an episode", lambda one: one.tool_calls),
    "dated": ("Share of queries that name a time", lambda one: one.dated),
}
_COLOURS = ("#2f5d9e", "#b5651d", "#2c7a4b", "#8a4f9e", "#a33b3b", "#666b73")
_SETTINGS = {"svg.hashsalt": "inforce", "svg.fonttype": "none", "font.size": 9}
_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over runs."""

    value: float
    half: float | None
    """Half the width of its interval; ``None`` where there is one run only."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """The mean of what runs measured.

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


def write_report(records: Sequence[RunRecord], folder: Path) -> Path:
    """Write table and plots into a folder; gives the page.

    Raises:
        UserError: if there are no runs.
        MissingExtraError: without matplotlib.
    """
    if not records:
        raise UserError("there are no runs to report: train some first")
    runs = _by_condition(records)
    for name, (title, value) in _CURVES.items():
        (folder / f"{name}.svg").write_text(_curves(runs, title, value), encoding="utf-8")
    page = folder / REPORT
    page.write_text(_page(runs), encoding="utf-8")
    return page


def _by_condition(records: Sequence[RunRecord]) -> dict[str, list[RunRecord]]:
    runs: dict[str, list[RunRecord]] = defaultdict(list)
    for one in sorted(records, key=lambda one: (one.choices.condition, one.choices.seed)):
        runs[f"{one.choices.condition}, {one.choices.steps} steps"].append(one)
    return dict(runs)


def _page(runs: Mapping[str, Sequence[RunRecord]]) -> str:
    columns = ("runs", "reward before", "reward after", "rise", "past", "present", "dated before")
    head = ("condition", *columns, "dated after", "tool calls")
    lines = [
        "# Temporal search: learning to ask about the right time",
        "",
        "On questions about articles no training question was about; one episode each. *past*: "
        "a version governs that is no longer in force. *dated*: share of queries that name a time.",
        "",
        _row(head),
        _row("---" for _ in head),
        *(_row((name, *_cells(found))) for name, found in runs.items()),
        "",
        *(f"![{title}]({name}.svg)" for name, (title, _) in _CURVES.items()),
        "",
    ]
    return "\n".join(lines)


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(found: Sequence[RunRecord]) -> list[str]:
    measured: list[Callable[[RunRecord], float | None]] = [
        lambda one: one.before.reward,
        lambda one: one.after.reward,
        lambda one: one.after.reward - one.before.reward,
        lambda one: one.after.past,
        lambda one: one.after.present,
        lambda one: one.before.dated,
        lambda one: one.after.dated,
        lambda one: one.after.tool_calls,
    ]
    return [str(len(found)), *(_cell([value(one) for one in found]) for value in measured)]


def _cell(values: Sequence[float | None]) -> str:
    known = [one for one in values if one is not None]
    return str(Mean.of(known)) if known else "–"


def _curves(
    runs: Mapping[str, Sequence[RunRecord]],
    title: str,
    value: Callable[[Progress], float | None],
) -> str:
    """A curve a condition, step by step, with its band."""
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
            _curve(axes, name, _means(found, value), colour)
        axes.set(title=title, xlabel="step", ylim=(0, None))
        axes.legend(frameon=False)
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return written.getvalue()


def _curve(axes: Any, name: str, means: Mapping[int, Mean], colour: str) -> None:
    steps, values = list(means), [one.value for one in means.values()]
    halves = [one.half or 0.0 for one in means.values()]
    axes.plot(steps, values, label=name, color=colour)
    if any(halves):
        low = [value - half for value, half in zip(values, halves, strict=True)]
        high = [value + half for value, half in zip(values, halves, strict=True)]
        axes.fill_between(steps, low, high, color=colour, alpha=0.15, linewidth=0)


def _means(
    found: Sequence[RunRecord], value: Callable[[Progress], float | None]
) -> dict[int, Mean]:
    measured: dict[int, list[float]] = defaultdict(list)
    for one in (one for record in found for one in record.progress):
        known = value(one)
        if known is not None:
            measured[one.step].append(known)
    return {step: Mean.of(measured[step]) for step in sorted(measured)}
