"""Look-ups and arithmetic done through the tools, no look-up twice.

Only complete answers count: a list some rows or cells of which are unknown is no answer, since a
question about it would have a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, cast

from inforce.evals.construction.description import plain_cell
from inforce.evals.construction.planning import Pick, Step
from inforce.evals.construction.worlds import Cells, Name, TaskWorld
from inforce.tools.context import RunContext
from inforce.tools.legalagentbench.arithmetic import amount_of
from inforce.tools.tool import ToolResult

_ANY_DAY = date(2000, 1, 1)
"""Tables answer alike on every day."""

_DATE = re.compile(r"(\d{4})[年-](\d{2})[月-](\d{2})日?")
_FEWEST = 2
"""Rows of which one can be called the first."""


@dataclass(frozen=True, slots=True)
class Followed:
    """Where a step leads."""

    name: Name
    picked: str = ""
    """The cell its row was picked by, where it was picked from a list."""


class Execution:
    """Calls of a world's tools; the same look-up is made once."""

    def __init__(self, world: TaskWorld) -> None:
        self._world = world
        self.description = world.description
        self._context = RunContext("", _ANY_DAY)
        self._known: dict[tuple[str, Name, tuple[str, ...]], tuple[Cells, ...] | None] = {}
        self._followed: dict[tuple[Step, Name], Followed | None] = {}

    async def row(self, tool: str, name: Name) -> Cells | None:
        """The one row of a look-up, as far as it is known; ``None`` where it is not one."""
        rows = await self._rows(tool, name, self.description.table_of(tool).columns)
        return rows[0] if rows else None

    async def rows(self, tool: str, name: Name, columns: Sequence[str]) -> tuple[Cells, ...]:
        """All rows of a look-up; none where one of them or of their cells is not known."""
        rows = await self._rows(tool, name, tuple(dict.fromkeys(columns)))
        return rows or ()

    async def follow(self, step: Step, name: Name) -> Followed | None:
        """Where a step leads from an entity; ``None`` where it leads to none, or to several."""
        if (step, name) not in self._followed:
            self._followed[step, name] = await self._follow(step, name)
        return self._followed[step, name]

    async def _follow(self, step: Step, name: Name) -> Followed | None:
        tool = step.branch.tool
        if step.pick is None:
            row = await self.row(tool, name)
        else:
            columns = (*step.link.columns, step.pick.column)
            row = await self.first(await self.rows(tool, name, columns), step.pick)
        found = step.link.name_in(row) if row else None
        if row is None or found is None:
            return None
        return Followed(found, row[step.pick.column] if step.pick else "")

    async def is_detour(self, tool: str, names: Sequence[Name]) -> bool:
        """Whether a look-up of one row, made for the last name, finds an earlier one again."""
        what = self.description.tools[tool]
        row = await self.row(tool, names[-1]) if what.answer == "row" else None
        if row is None:
            return False
        own = {tuple(row.get(column, "") for column in columns) for columns in what.by}
        return not own.isdisjoint(names[:-1])

    async def first(self, rows: Sequence[Cells], pick: Pick) -> Cells | None:
        """The row that is first by an amount or a date; ``None`` where several are, or unknown."""
        cells = [row.get(pick.column, "") for row in rows]
        values = [_rank(cell, pick) for cell in cells]
        if len(rows) < _FEWEST or None in values:
            return None
        descending = pick.end in ("highest", "latest")
        ranked = await self.calculate("get_rank", cells, is_desc=str(descending))
        if not isinstance(ranked, list) or ranked[0] == ranked[1]:
            return None
        positions = [place for place, value in enumerate(values) if value == ranked[0]]
        return rows[positions[0]] if len(positions) == 1 else None

    async def calculate(self, tool: str, numbers: Sequence[str], **options: str) -> Any:
        """What an arithmetic tool makes of numbers; ``None`` where they are none."""
        arguments = {"identifier": list(numbers), **options}
        result = await self._world.toolbox.call(tool, arguments, self._context)
        return result.data if result.status == "found" else None

    async def _rows(
        self, tool: str, name: Name, columns: tuple[str, ...]
    ) -> tuple[Cells, ...] | None:
        key = (tool, name, columns)
        if key not in self._known:
            self._known[key] = await self._called(tool, name, columns)
        return self._known[key]

    async def _called(
        self, tool: str, name: Name, columns: tuple[str, ...]
    ) -> tuple[Cells, ...] | None:
        what = self.description.tools[tool]
        arguments: dict[str, Any] = dict(what.call(name))
        if not what.cell:
            arguments["columns"] = list(columns)
        result = await self._world.toolbox.call(tool, arguments, self._context)
        if what.answer == "rows":
            return _listed(result, columns)
        cells = {what.cell: result.data} if what.cell and result.data else result.data
        return (_cells(cells),) if isinstance(cells, dict) else None


def _listed(result: ToolResult, columns: tuple[str, ...]) -> tuple[Cells, ...] | None:
    """The rows of a list, if it is complete and has every cell (empty cells are cells)."""
    if result.status != "found" or not isinstance(result.data, list):
        return None
    rows = cast("list[dict[str, Any]]", result.data)
    return tuple(_cells(row) for row in rows)


def _cells(row: Any) -> Cells:
    cells = {name: plain_cell(cell) for name, cell in cast("dict[str, Any]", row).items()}
    return {name: cell for name, cell in cells.items() if cell}


def _rank(cell: str, pick: Pick) -> int | float | None:
    """A cell as the ranking tool counts it; ``None`` where it has no place among the others."""
    if pick.end in ("earliest", "latest"):
        match = _DATE.fullmatch(cell)
        return int("".join(match.groups())) if match else None
    amount = amount_in(cell)
    return None if amount is None else float(amount)


def amount_in(cell: str) -> Fraction | None:
    """The amount of a cell; ``None`` where it is none.

    >>> amount_in("1000万"), amount_in("不详")
    (Fraction(10000000, 1), None)
    """
    try:
        return amount_of(cell)
    except ValueError:
        return None
