"""Tables of results: rows of ours beside published ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from inforce.scoring.estimate import Estimate

Cell = str | int | float | Estimate | None
"""``None``: not measured, printed as a dash."""

Unit = Literal["share", "percent", "number"]
"""How numbers are printed: 0.5762, 57.62 (of a share times 100) or as they are."""


@dataclass(frozen=True, slots=True)
class Row:
    """One method in a table."""

    name: str
    cells: tuple[Cell, ...]
    origin: Literal["ours", "published"] = "ours"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper, or one like it.

    Every number is a share (0 to 1) unless ``unit`` is ``number``; ``percent`` only changes how
    shares are printed.
    """

    title: str
    columns: tuple[str, ...]
    """Heads of the cells; the name of a row has none."""
    rows: tuple[Row, ...]
    unit: Unit = "share"
    note: str = ""
    """Where published rows come from, and what a reader must know to compare."""
