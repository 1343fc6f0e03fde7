"""Plots as SVG text that stands inside a page: heat maps and bars with intervals.

The same values always give the same bytes. Text stays text, so that the reader's own fonts show
Chinese labels, and no label is taken for a formula.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inforce.errors import MissingExtraError
from inforce.scoring.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#2f5d9e", "#b5651d", "#2c7a4b", "#8a4f9e", "#a33b3b", "#666b73")
"""Told apart by colour-blind readers too; beyond six series they repeat."""

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


@dataclass(frozen=True, slots=True)
class Series:
    """Bars of one colour, one a category; ``None`` where nothing was measured."""

    name: str
    values: Sequence[Estimate | float | None]


def heat_map(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float | None]]
) -> str:
    """A cell a row and column, its share (0 to 1) written in it; empty where not measured."""
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
        _write_shares(axes, values)
    return drawing.svg


def _write_shares(axes: Any, values: Sequence[Sequence[float | None]]) -> None:
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            if value is not None:
                colour = "white" if value > 0.55 else "black"
                axes.text(x + 0.5, y + 0.5, f"{value:.2f}", ha="center", va="center", color=colour)


def bars(categories: Sequence[str], series: Sequence[Series], *, axis: str = "") -> str:
    """Standing bars, the series beside each other within each category."""
    width = max(4.5, 1.5 + 0.24 * len(categories) * (len(series) + 1))
    with _drawing((min(width, 11.0), 3.0)) as drawing:
        axes: Any = drawing.figure.subplots()
        for place, one in enumerate(series):
            shown = _shown(one, place, len(series))
            axes.bar(
                shown.places, shown.heights, shown.thickness, color=shown.colour, label=one.name
            )
            if shown.has_intervals:
                axes.errorbar(shown.places, shown.heights, yerr=shown.reach, **_WHISKERS)
        turned = 0 if sum(map(len, categories)) < 70 else 40
        axes.set_xticks(
            range(len(categories)), categories, rotation=turned, ha="right" if turned else "center"
        )
        axes.set_ylabel(axis)
        axes.set_ylim(bottom=0)
        _add_legend(axes, series)
    return drawing.svg


def lying_bars(categories: Sequence[str], series: Sequence[Series], *, axis: str = "") -> str:
    """Lying bars, for categories with long names; the first category on top."""
    height = 0.9 + 0.22 * len(categories) * (len(series) + 0.7)
    with _drawing((7.0, height)) as drawing:
        axes: Any = drawing.figure.subplots()
        for place, one in enumerate(series):
            shown = _shown(one, place, len(series))
            axes.barh(
                shown.places, shown.heights, shown.thickness, color=shown.colour, label=one.name
            )
            if shown.has_intervals:
                axes.errorbar(shown.heights, shown.places, xerr=shown.reach, **_WHISKERS)
        axes.set_yticks(range(len(categories)), categories)
        axes.invert_yaxis()
        axes.set_xlabel(axis)
        axes.set_xlim(left=0)
        _add_legend(axes, series)
    return drawing.svg


_WHISKERS: dict[str, Any] = {"fmt": "none", "ecolor": "#333333", "elinewidth": 0.8, "capsize": 2}


@dataclass(frozen=True, slots=True)
class _Bars:
    """Where the bars of a series stand."""

    places: list[float]
    heights: list[float]
    reach: tuple[list[float], list[float]]
    """How far intervals go below and above."""
    thickness: float
    colour: str

    @property
    def has_intervals(self) -> bool:
        """Whether there is anything for whiskers to show."""
        return any(map(any, self.reach))


def _shown(series: Series, place: int, of: int) -> _Bars:
    """Only what was measured has a bar: a missing value is no bar of height zero."""
    thickness = 0.8 / of
    known = [
        (index, value if isinstance(value, Estimate) else Estimate(value, None, None, 1))
        for index, value in enumerate(series.values)
        if value is not None
    ]
    estimates = [one for _, one in known]
    below = [max(0.0, one.value - (one.value if one.low is None else one.low)) for one in estimates]
    above = [
        max(0.0, (one.value if one.high is None else one.high) - one.value) for one in estimates
    ]
    return _Bars(
        [index - 0.4 + thickness * (place + 0.5) for index, _ in known],
        [one.value for one in estimates],
        (below, above),
        thickness * 0.92,
        COLOURS[place % len(COLOURS)],
    )


def _add_legend(axes: Any, series: Sequence[Series]) -> None:
    if len(series) > 1:
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)


@dataclass(slots=True)
class _Drawing:
    figure: Figure
    svg: str = ""


@contextmanager
def _drawing(size: tuple[float, float]) -> Generator[_Drawing]:
    """A figure to draw in; its SVG is there when the block ends.

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
        drawing.svg = _svg(drawing.figure)


def _svg(figure: Figure) -> str:
    """The drawing without what only a file of its own needs."""
    written = io.StringIO()
    figure.savefig(written, format="svg", bbox_inches="tight", metadata=_NO_METADATA)
    svg = written.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<(metadata|style)\b.*?</\1>\s*", "", svg, flags=re.DOTALL)
    return svg.replace("'DejaVu Sans'", "'DejaVu Sans', sans-serif")
