"""Tables of results, our rows beside published ones: as values, as Markdown and as plain text.

The texts of a table may come from models and foreign pages, so nothing in them is taken for markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from rich.cells import cell_len

from inforce.scoring.estimate import Estimate

Cell = str | int | float | Estimate | None
"""``None``: not measured, printed as a dash."""

Unit = Literal["share", "percent", "number"]
"""How numbers are printed: 0.5762, 57.62 (of a share times 100) or as they are."""

Detail = Literal["value", "interval", "full"]
"""The printed parts of an estimate: the figure, also its interval, also its number of items."""

NOT_MEASURED = "–"

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal or change the direction of writing."""
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$])")


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
    """Heads of the cells; the names of rows have none."""
    rows: tuple[Row, ...]
    unit: Unit = "share"
    note: str = ""
    """The source of published rows, and cautions for comparing."""
    own_notes: tuple[str, ...] = ()
    """Notes on single runs: items without a score, the number of items."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes below it, a paragraph each."""
        return tuple(filter(None, (self.note, *self.own_notes)))

    def with_row(self, name: str, cells: Iterable[Cell], *, note: str = "") -> Table:
        """The same table with a row of ours, and a further note if there is one."""
        notes = " ".join(filter(None, (self.note, note)))
        return replace(self, rows=(*self.rows, Row(name, tuple(cells))), note=notes)

    def highlights(self, row: Row) -> bool:
        """True for a row of ours among published ones."""
        return row.origin == "ours" and any(other.origin == "published" for other in self.rows)


def one_row(
    title: str, name: str, cells: Mapping[str, Cell], *, unit: Unit = "share", note: str = ""
) -> Table:
    """A table of one row, its cells by their heads."""
    return Table(title, tuple(cells), (Row(name, tuple(cells.values())),), unit, note)


def figure_text(number: float, unit: Unit) -> str:
    """A number as its table prints it.

    >>> figure_text(0.57619, "share"), figure_text(0.57619, "percent"), figure_text(502.0, "number")
    ('0.5762', '57.62', '502')
    """
    if unit == "share":
        return f"{number:.4f}"
    if unit == "percent":
        return f"{number * 100:.2f}"
    return f"{number:,.4g}" if abs(number) < 1_000 else f"{number:,.0f}"


def cell_text(cell: Cell, unit: Unit, *, detail: Detail = "interval") -> str:
    """The text of a cell; a dash where nothing was measured.

    >>> cell_text(Estimate(0.5, 0.25, 0.75, 8), "share")
    '0.5000 [0.2500, 0.7500]'
    >>> cell_text(None, "share")
    '–'
    """
    match cell:
        case None:
            return NOT_MEASURED
        case str():
            return cell
        case Estimate():
            interval = interval_text(cell, unit) if detail != "value" else ""
            items = items_text(cell) if detail == "full" else ""
            return " ".join(filter(None, (_part_text(cell.value, cell, unit), interval, items)))
        case int() if unit == "number":
            return f"{cell:,}"
        case _:
            return figure_text(cell, unit)


def interval_text(cell: Cell, unit: Unit) -> str:
    """The interval of an estimate in brackets; empty where there is none."""
    if not isinstance(cell, Estimate) or cell.low is None or cell.high is None:
        return ""
    return f"[{_part_text(cell.low, cell, unit)}, {_part_text(cell.high, cell, unit)}]"


def items_text(cell: Cell) -> str:
    """The number of items of an estimate; empty for anything else."""
    return f"n={cell.n}" if isinstance(cell, Estimate) else ""


def _part_text(number: float, estimate: Estimate, unit: Unit) -> str:
    """The value or a bound of an estimate, all with equally many decimals."""
    if unit != "number":
        return figure_text(number, unit)
    size = abs(estimate.value)
    return f"{number:,.{4 if size < 10 else 2 if size < 1_000 else 0}f}"


def to_markdown(table: Table, *, detail: Detail = "interval") -> str:
    """A table in Markdown, its note below it; among published rows ours are bold."""
    rows = [["", *map(markdown_text, table.columns)], ["---", *("---:" for _ in table.columns)]]
    for row in table.rows:
        cells = [markdown_text(text) for text in _texts(row, table, detail)]
        bold = table.highlights(row)
        rows.append([f"**{text}**" if bold and text else text for text in cells])
    lines = [f"**{markdown_text(table.title)}**", ""] if table.title else []
    lines += [f"| {' | '.join(cells)} |" for cells in rows]
    for note in table.notes:
        lines += ["", markdown_text(note)]
    return "\n".join(lines) + "\n"


def markdown_text(text: str) -> str:
    r"""A text on one line, with its Markdown and HTML escaped.

    >>> markdown_text("a|b\n<b>")
    'a\\|b \\<b\\>'
    """
    return _MARKUP.sub(r"\\\1", _on_one_line(text)).replace("&", "&amp;")


def to_console(table: Table, *, detail: Detail = "value") -> str:
    """A table for a terminal, columns aligned; among published rows ours have a star."""
    rows = [["", *map(_on_one_line, table.columns)]]
    for row in table.rows:
        name, *figures = map(_on_one_line, _texts(row, table, detail))
        rows.append([("* " if table.highlights(row) else "  ") + name, *figures])
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    title = [_on_one_line(table.title)] if table.title else []
    notes = map(_on_one_line, table.notes)
    return "\n".join([*title, *(_aligned(row, widths) for row in rows), *notes]) + "\n"


def _texts(row: Row, table: Table, detail: Detail) -> list[str]:
    return [row.name, *(cell_text(cell, table.unit, detail=detail) for cell in row.cells)]


def _on_one_line(text: str) -> str:
    return _CONTROL.sub("\ufffd", " ".join(text.split()))


def _aligned(texts: list[str], widths: list[int]) -> str:
    """Names to the left, figures to the right."""
    padding = [" " * (width - cell_len(text)) for text, width in zip(texts, widths, strict=True)]
    figures = [pad + text for text, pad in zip(texts[1:], padding[1:], strict=True)]
    return "  ".join([texts[0] + padding[0], *figures]).rstrip()
