"""Tables as text: Markdown for files, plain columns for a terminal.

What a table holds may come from models and foreign pages, so nothing in it is taken for markup.
"""

from __future__ import annotations

import re
from typing import Literal

from rich.cells import cell_len

from inforce.evals.table import Cell, Row, Table, Unit
from inforce.scoring.estimate import Estimate

NOT_MEASURED = "–"

Detail = Literal["value", "interval", "full"]
"""What of an estimate is printed: the figure, also its interval, also over how many items."""

_STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that do something to a terminal, or turn the reading round."""
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$])")


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
    """What stands in a cell; a dash where nothing was measured.

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
            return _estimate_text(cell, unit, detail)
        case _ if unit == "number" and isinstance(cell, int):
            return f"{cell:,}"
        case _:
            return figure_text(cell, unit)


def interval_text(cell: Cell, unit: Unit) -> str:
    """The interval of an estimate in brackets; empty where there is none."""
    if not isinstance(cell, Estimate) or cell.low is None or cell.high is None:
        return ""
    low, high = (_estimated(one, cell, unit) for one in (cell.low, cell.high))
    return f"[{low}, {high}]"


def _estimated(number: float, of: Estimate, unit: Unit) -> str:
    """A number of an estimate: its value and both ends with equally many decimals."""
    if unit != "number":
        return figure_text(number, unit)
    size = abs(of.value)
    return f"{number:,.{4 if size < 10 else 2 if size < 1_000 else 0}f}"


def items_text(cell: Cell) -> str:
    """Over how many items an estimate is; empty for anything else."""
    return f"n={cell.n}" if isinstance(cell, Estimate) else ""


def _estimate_text(estimate: Estimate, unit: Unit, detail: Detail) -> str:
    parts = [_estimated(estimate.value, estimate, unit)]
    if detail != "value":
        parts.append(interval_text(estimate, unit))
    if detail == "full":
        parts.append(items_text(estimate))
    return " ".join(part for part in parts if part)


def to_markdown(table: Table, *, detail: Detail = "interval") -> str:
    """A table in Markdown, its note below it; among published rows ours are bold."""
    head = ["", *map(markdown_text, table.columns)]
    rule = ["---", *("---:" for _ in table.columns)]
    rows = [_markdown_row(row, table, detail) for row in table.rows]
    lines = [f"**{markdown_text(table.title)}**", ""] if table.title else []
    lines += [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]
    lines += ["", markdown_text(table.note)] if table.note else []
    return "\n".join(lines) + "\n"


def stands_out(row: Row, table: Table) -> bool:
    """Whether a row is ours among published ones."""
    return row.origin == "ours" and any(other.origin == "published" for other in table.rows)


def _markdown_row(row: Row, table: Table, detail: Detail) -> list[str]:
    texts = [row.name, *(cell_text(cell, table.unit, detail=detail) for cell in row.cells)]
    escaped = [markdown_text(text) for text in texts]
    if not stands_out(row, table):
        return escaped
    return [f"**{text}**" if text else "" for text in escaped]


def markdown_text(text: str) -> str:
    r"""A text on one line in which Markdown and HTML see no markup.

    >>> markdown_text("a|b\n<b>")
    'a\\|b \\<b\\>'
    """
    return _MARKUP.sub(r"\\\1", _on_one_line(text)).replace("&", "&amp;")


def _on_one_line(text: str) -> str:
    return _STEERING.sub("\ufffd", " ".join(text.split()))


def to_console(table: Table, *, detail: Detail = "value") -> str:
    """A table for a terminal, columns aligned; among published rows ours have a star."""
    rows = [
        ["", *map(_on_one_line, table.columns)],
        *(_console_row(row, table, detail) for row in table.rows),
    ]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    title, note = ([_on_one_line(text)] if text else [] for text in (table.title, table.note))
    return "\n".join([*title, *(_aligned(row, widths) for row in rows), *note]) + "\n"


def _console_row(row: Row, table: Table, detail: Detail) -> list[str]:
    texts = [row.name, *(cell_text(cell, table.unit, detail=detail) for cell in row.cells)]
    name, *figures = map(_on_one_line, texts)
    return [("* " if stands_out(row, table) else "  ") + name, *figures]


def _aligned(texts: list[str], widths: list[int]) -> str:
    """Names to the left, figures to the right."""
    name, *figures = texts
    cells = [name + " " * (widths[0] - cell_len(name))]
    pairs = zip(figures, widths[1:], strict=True)
    cells += [" " * (width - cell_len(text)) + text for text, width in pairs]
    return "  ".join(cells).rstrip()
