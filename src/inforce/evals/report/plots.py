"""The plots of a report: the figures of the papers, if the runs have their values.

Plots are SVG text inside a page. The same values always give the same bytes. Text stays text, so
that the reader's own fonts show Chinese labels, and no label is taken for a formula.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, cast

from inforce.errors import MissingExtraError
from inforce.evals.benchmark import Record
from inforce.evals.report.contents import BenchmarkRuns, total
from inforce.evals.results import Results
from inforce.scoring.estimate import Estimate
from inforce.scoring.tasks import IN_DOMAIN, TASKS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_GROUPS = 40
"""The most groups of bars that can be read."""

COUNTED = "queries"
"""The label of an axis of whole numbers."""

_CHARACTER = 0.09
"""Inches for a character of a label, with a little room."""

COLOURS = ("#2f5d9e", "#b5651d", "#2c7a4b", "#8a4f9e", "#a33b3b", "#666b73")
"""Distinct for colour-blind readers too; beyond six series they repeat."""

_SETTINGS = {
    "svg.hashsalt": "inforce",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
_WHISKERS: dict[str, Any] = {"fmt": "none", "ecolor": "#333333", "elinewidth": 0.8, "capsize": 2}


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot with its title and caption."""

    title: str
    caption: str
    svg: str


@dataclass(frozen=True, slots=True)
class Plots:
    """The plots of a report, or the reason why it has none."""

    shown: tuple[Plot, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Bars of one colour, one for each category; ``None`` if nothing was measured."""

    name: str
    values: Sequence[Estimate | float | None]


def plots(of: BenchmarkRuns) -> Plots:
    """Draw every plot that the runs have values for; none without the plotting library."""
    choices = (_by_group, _by_year, _certainty, _dated_queries)
    try:
        return Plots(tuple(plot for choice in choices for plot in choice(of)))
    except MissingExtraError as error:
        return Plots(missing=str(error))


def _by_group(of: BenchmarkRuns) -> Iterator[Plot]:
    """The primary measure by task or group: by hops for LegalAgentBench."""
    primary = of.benchmark.primary
    names = list(dict.fromkeys(name for one in of.summaries for name in one.groups))
    if not 1 < len(names) <= MOST_GROUPS:
        return
    series = [
        Series(label, [summary.groups.get(name, {}).get(primary) for name in names])
        for label, summary in zip(_labels(of.runs), of.summaries, strict=True)
    ]
    yield Plot(
        f"{primary} by task or group",
        "Lines show 95 % intervals; what could not be measured has no bar.",
        bars(names, series, axis=primary),
    )


def _by_year(of: BenchmarkRuns) -> Iterator[Plot]:
    """Figure 2 of LegalSearch-R1: the scores of each run on the law of each year."""
    measure = "rouge_l" if _is_measured(of, "rouge_l") else of.benchmark.primary
    cells: list[dict[str, float]] = []
    for run in of.runs:
        known: dict[str, list[float]] = {}
        for one in run.records:
            value, year = one.values.get(measure), year_of(one)
            if one.is_scored and value is not None and year:
                known.setdefault(year, []).append(value)
        cells.append({year: fmean(values) for year, values in known.items()})
    years = sorted({year for one in cells for year in one})
    if len(years) < 2:
        return
    yield Plot(
        f"{measure} by year of the version asked for",
        "Mean over the items that got to their end (LegalSearch-R1, figure 2).",
        heat_map(_labels(of.runs), years, [[one.get(year) for year in years] for one in cells]),
    )


def year_of(record: Record) -> str:
    """The year of the law that an item asks for; empty if it does not say."""
    year, days = record.facts.get("year"), record.facts.get("as_of")
    if isinstance(days, Mapping):  # a range of days, as items store it
        return str(cast("Mapping[str, object]", days).get("start"))[:4]
    return str(year or "")


def _certainty(of: BenchmarkRuns) -> Iterator[Plot]:
    """Figure 3 of L-MARS: accuracy and certainty, with the time of an answer."""
    if not (_is_measured(of, "accuracy") and _is_measured(of, "u_score")):
        return
    accuracy = [one.values.get("accuracy") for one in of.summaries]
    certainty = [_complement(one.values.get("u_score")) for one in of.summaries]
    labels: list[str] = []
    for label, run in zip(_labels(of.runs), of.runs, strict=True):
        seconds = [one.seconds for one in run.records if one.is_scored]
        labels.append(f"{label}\n{f'{median(seconds):.2f} s' if seconds else ''}")
    series = [Series("accuracy", accuracy), Series("1 − U-Score", certainty)]
    yield Plot(
        "Accuracy and 1 − U-Score",
        "Beside each run the median seconds an answer took (L-MARS, figure 3).",
        bars(labels, series, is_horizontal=True),
    )


def _complement(estimate: Estimate | None) -> Estimate | None:
    """One minus an estimate, the ends of its interval exchanged."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return estimate and replace(estimate, value=1 - estimate.value)
    return replace(estimate, value=1 - estimate.value, low=1 - estimate.high, high=1 - estimate.low)


def _dated_queries(of: BenchmarkRuns) -> Iterator[Plot]:
    """Figure 3 of LegalSearch-R1: queries that mention a time, by tool and domain."""
    counts = [_dated(run.records) for run in of.runs]
    names = sorted({name for one in counts for name in one})
    if not names:
        return
    series = [
        Series(label, [float(one.get(name, 0)) for name in names])
        for label, one in zip(_labels(of.runs), counts, strict=True)
    ]
    has_domains = any(" · " in name for name in names)
    domains = "ID and OOD: tasks in and outside the training domain. " if has_domains else ""
    yield Plot(
        "Queries that name a time, by tool",
        f"{domains}LegalSearch-R1, figure 3.",
        bars(names, series, axis=COUNTED),
    )


def _dated(records: Sequence[Record]) -> dict[str, int]:
    """Dated queries by tool, and by domain if the tasks are those of LegalSearch-R1."""
    by_domain: dict[str, list[Record]] = {}
    for one in records:
        domain = " · ID" if one.task in IN_DOMAIN else " · OOD" if one.task in TASKS else ""
        by_domain.setdefault(domain, []).append(one)
    return {
        f"{tool}{domain}": count
        for domain, of in by_domain.items()
        for tool, count in total(of, lambda one: one.dated).items()
    }


def _is_measured(of: BenchmarkRuns, measure: str) -> bool:
    return any(one.values.get(measure) for one in of.summaries)


def _labels(runs: Sequence[Results]) -> list[str]:
    """Names short enough for a plot, still distinct."""
    short = [
        run.name if len(run.name) <= 40 else f"{run.name[:18]}…{run.name[-18:]}" for run in runs
    ]
    if len(set(short)) == len(short):
        return short
    return [f"{place}. {name}" for place, name in enumerate(short, start=1)]


def heat_map(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float | None]]
) -> str:
    """A heat map of shares (0 to 1), written in the cells; cells without a value are empty."""
    import numpy as np

    size = (1.8 + 0.62 * len(columns), 0.9 + 0.4 * len(rows))
    with _drawing(size) as drawing:
        axes: Any = drawing.figure.subplots()  # matplotlib's types are partial
        shades = np.asarray([[np.nan if one is None else one for one in row] for row in values])
        axes.pcolormesh(np.ma.masked_invalid(shades), cmap="Blues", vmin=0, vmax=1, ec="white")
        axes.set_xticks([x + 0.5 for x in range(len(columns))], columns)
        axes.set_yticks([y + 0.5 for y in range(len(rows))], rows)
        axes.invert_yaxis()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        for (y, x), value in np.ndenumerate(shades):
            if not np.isnan(value):
                colour = "white" if value > 0.55 else "black"
                axes.text(x + 0.5, y + 0.5, f"{value:.2f}", ha="center", va="center", color=colour)
    return drawing.svg


def bars(
    categories: Sequence[str],
    series: Sequence[Series],
    *,
    axis: str = "",
    is_horizontal: bool = False,
) -> str:
    """Bars with intervals, the series beside each other within each category.

    Args:
        categories: their names; horizontal bars have room for long ones, the first on top.
        series: a missing value has no bar, not one of length zero.
        axis: the label of the axis of the lengths.
        is_horizontal: True for bars to the right, False for bars upwards.
    """
    across = max(4.5, 1.5 + 0.24 * len(categories) * (len(series) + 1))
    down = 0.9 + 0.22 * len(categories) * (len(series) + 0.7)
    with _drawing((7.0, down) if is_horizontal else (min(across, 11.0), 3.0)) as drawing:
        axes: Any = drawing.figure.subplots()
        for place, one in enumerate(series):
            _draw_series(axes, one, place, len(series), is_horizontal=is_horizontal)
        if is_horizontal:
            axes.set_yticks(range(len(categories)), categories)
            axes.invert_yaxis()
            axes.set_xlabel(axis)
            axes.set_xlim(left=0)
        else:
            room = min(across, 11.0) / max(len(categories), 1)
            crowded = max(map(len, categories), default=0) * _CHARACTER > room
            turned = 40 if crowded else 0
            align = "right" if turned else "center"
            axes.set_xticks(range(len(categories)), categories, rotation=turned, ha=align)
            axes.set_ylabel(axis)
            axes.set_ylim(bottom=0)
            if axis == COUNTED:
                axes.yaxis.get_major_locator().set_params(integer=True)
        if len(series) > 1:
            axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)
    return drawing.svg


def _draw_series(axes: Any, series: Series, place: int, of: int, *, is_horizontal: bool) -> None:
    thickness = 0.8 / of
    known = [
        (index, value if isinstance(value, Estimate) else Estimate(value, None, None, 1))
        for index, value in enumerate(series.values)
        if value is not None
    ]
    positions = [index - 0.4 + thickness * (place + 0.5) for index, _ in known]
    lengths = [one.value for _, one in known]
    below = [max(0.0, one.value - one.low) if one.low is not None else 0.0 for _, one in known]
    above = [max(0.0, one.high - one.value) if one.high is not None else 0.0 for _, one in known]
    draw = axes.barh if is_horizontal else axes.bar
    colour = COLOURS[place % len(COLOURS)]
    draw(positions, lengths, thickness * 0.92, color=colour, label=series.name)
    if not any((*below, *above)):
        return
    if is_horizontal:
        axes.errorbar(lengths, positions, xerr=(below, above), **_WHISKERS)
    else:
        axes.errorbar(positions, lengths, yerr=(below, above), **_WHISKERS)


@dataclass(slots=True)
class _Drawing:
    figure: Figure
    svg: str = ""


@contextmanager
def _drawing(size: tuple[float, float]) -> Generator[_Drawing]:
    """A figure to draw in; its SVG is complete when the block ends.

    Raises:
        MissingExtraError: if matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("plots", "eval") from error
    settings: Any = _SETTINGS
    with mpl.rc_context(settings), warnings.catch_warnings():
        # Glyphs our font lacks are measured roughly; the reader's fonts draw them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        drawing = _Drawing(Figure(figsize=size))
        yield drawing
        written = io.StringIO()
        drawing.figure.savefig(written, format="svg", bbox_inches="tight", metadata=_NO_METADATA)
    # Without the parts that only a separate file needs.
    svg = written.getvalue()
    svg = re.sub(r"<(metadata|style)\b.*?</\1>\s*", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    drawing.svg = svg.replace("'DejaVu Sans'", "'DejaVu Sans', sans-serif")
