"""The answers of paths, computed by making their look-ups for one entity through the tools.

The keys are words an answer must contain, the middle keys words found on the way. Amounts are
written in yuan with two decimals, counts with their measure word, other cells as in the table.

Only complete results count: from a list with unknown rows or cells a question would get a wrong
answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, cast

from inforce.evals.construction.description import Cells, Name, Table, plain_cell
from inforce.evals.construction.paths import Ask, Leaf, Pick, SolutionPath, Step
from inforce.evals.construction.worlds import TaskWorld
from inforce.tools.context import RunContext
from inforce.tools.legalagentbench.arithmetic import amount_of

MOST_LISTED = 8
"""Values in the answer to a question for a list."""

LONGEST_KEY = 60
"""Characters of a key; nobody writes a longer one letter by letter."""

_ANY_DAY = date(2000, 1, 1)
"""The day of the look-ups; tables do not depend on it."""

_DATE = re.compile(r"(\d{4})[年-](\d{2})[月-](\d{2})日?")
_SEVERAL = re.compile("[,，、;；]")
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class NextEntity:
    """The entity that a step leads to."""

    name: Name
    picked: str = ""
    """The cell by which its row was picked from a list."""


class Execution:
    """Calls of a world's tools; every look-up is made once."""

    def __init__(self, world: TaskWorld) -> None:
        self._world = world
        self.description = world.description
        self._context = RunContext("", _ANY_DAY)
        self._rows: dict[tuple[str, Name, tuple[str, ...]], tuple[Cells, ...]] = {}
        self._next: dict[tuple[Step, Name], NextEntity | None] = {}

    async def row(self, tool: str, name: Name) -> Cells | None:
        """The known cells of the row of a look-up; ``None`` if there is not exactly one row."""
        rows = await self.rows(tool, name, self.description.table_of(tool).columns)
        return rows[0] if rows else None

    async def rows(self, tool: str, name: Name, columns: Sequence[str]) -> tuple[Cells, ...]:
        """All rows of a look-up; none if one of them or of their cells is unknown."""
        key = tool, name, tuple(dict.fromkeys(columns))
        if key not in self._rows:
            self._rows[key] = await self._look_up(*key)
        return self._rows[key]

    async def _look_up(self, tool: str, name: Name, columns: tuple[str, ...]) -> tuple[Cells, ...]:
        what = self.description.tools[tool]
        arguments: dict[str, Any] = dict(zip(what.arguments, name, strict=True))
        if not what.cell:
            arguments["columns"] = list(columns)
        result = await self._world.toolbox.call(tool, arguments, self._context)
        rows: Any = result.data
        if what.answer == "row":
            row: Any = {what.cell: result.data} if what.cell and result.data else result.data
            rows = [row] if isinstance(row, dict) else None
        elif result.status != "found":
            rows = None
        if not isinstance(rows, list):
            return ()
        return tuple(map(_known_cells, cast("list[Any]", rows)))

    async def follow(self, step: Step, name: Name) -> NextEntity | None:
        """The entity a step leads to; ``None`` if it leads to none, or to several."""
        if (step, name) not in self._next:
            self._next[step, name] = await self._follow(step, name)
        return self._next[step, name]

    async def _follow(self, step: Step, name: Name) -> NextEntity | None:
        tool = step.branch.tool
        if step.pick is None:
            row = await self.row(tool, name)
        else:
            columns = (*step.link.columns, step.pick.column)
            row = await self.first(await self.rows(tool, name, columns), step.pick)
        entity = step.link.name_in(row) if row else None
        if row is None or entity is None:
            return None
        return NextEntity(entity, row[step.pick.column] if step.pick else "")

    async def is_detour(self, tool: str, names: Sequence[Name]) -> bool:
        """True if a look-up of one row, made for the last name, finds an earlier one again."""
        what = self.description.tools[tool]
        row = await self.row(tool, names[-1]) if what.answer == "row" else None
        if row is None:
            return False
        own = {tuple(row.get(column, "") for column in columns) for columns in what.by}
        return not own.isdisjoint(names[:-1])

    async def first(self, rows: Sequence[Cells], pick: Pick) -> Cells | None:
        """The first row by an amount or a date; ``None`` if several are first, or it is unknown."""
        cells = [row.get(pick.column, "") for row in rows]
        values = [_rank(cell, pick) for cell in cells]
        if len(rows) < 2 or None in values:
            return None
        is_descending = pick.end in ("highest", "latest")
        ranked = await self.calculate("get_rank", cells, is_desc=str(is_descending))
        if not isinstance(ranked, list) or ranked[0] == ranked[1]:
            return None
        places = [place for place, value in enumerate(values) if value == ranked[0]]
        return rows[places[0]] if len(places) == 1 else None

    async def calculate(self, tool: str, numbers: Sequence[str], **options: str) -> Any:
        """The result of an arithmetic tool; ``None`` if it cannot read the numbers."""
        arguments = {"identifier": list(numbers), **options}
        result = await self._world.toolbox.call(tool, arguments, self._context)
        return result.data if result.status == "found" else None


def _known_cells(row: Any) -> Cells:
    cells = {name: plain_cell(cell) for name, cell in cast("dict[str, Any]", row).items()}
    return {name: cell for name, cell in cells.items() if cell}


def _rank(cell: str, pick: Pick) -> int | float | None:
    """A cell as a number to rank by; ``None`` if it is no date or amount."""
    if pick.end in ("earliest", "latest"):
        match = _DATE.fullmatch(cell)
        return int("".join(match.groups())) if match else None
    amount = amount_in(cell)
    return None if amount is None else float(amount)


def amount_in(cell: str) -> Fraction | None:
    """The amount of a cell; ``None`` if there is none.

    >>> amount_in("1000万"), amount_in("不详")
    (Fraction(10000000, 1), None)
    """
    try:
        return amount_of(cell)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class LeafAnswer:
    """The answer to the question at the end of a path."""

    keys: tuple[str, ...]
    middle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """A path that was walked to its end."""

    names: tuple[Name, ...]
    """The entities from the start to that of the last look-ups."""
    answers: tuple[LeafAnswer, ...]
    """One for each of the last look-ups."""
    picked: tuple[str, ...]
    """The cells by which rows were picked on the way."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The words an answer must contain, each once."""
        return tuple(dict.fromkeys(key for one in self.answers for key in one.keys))

    @property
    def middle(self) -> tuple[str, ...]:
        """The words found on the way, without the keys."""
        later = (cell for one in self.answers for cell in one.middle)
        passed = dict.fromkeys((*map(display_name, self.names[1:]), *self.picked, *later))
        return tuple(one for one in passed if one and one not in self.keys)


def display_name(name: Name) -> str:
    """The name of an entity in words; a part that repeats the one before is left out.

    >>> display_name(("北京市", "北京市", "海淀区"))
    '北京市海淀区'
    """
    return "".join(dict.fromkeys(name))


def money(amount: Fraction) -> str:
    """An amount in yuan; the word before it keeps it from being the end of a larger one.

    >>> money(Fraction(81586305, 1000))
    '人民币81586.31元'
    """
    exact = Decimal(amount.numerator) / Decimal(amount.denominator)
    return f"人民币{exact.quantize(_CENT, ROUND_HALF_UP)}元"


async def solve(path: SolutionPath, start: Name, execution: Execution) -> Solution | None:
    """Walk a path from an entity; ``None`` if it leads to no answer or to several."""
    names, picked = [start], list[str]()
    for step in path.trunk:
        following = await execution.follow(step, names[-1])
        if following is None or following.name in names:
            return None
        if await execution.is_detour(step.branch.tool, names):
            return None
        names.append(following.name)
        picked.append(following.picked)
    if any([await execution.is_detour(leaf.branch.tool, names) for leaf in path.leaves]):
        return None
    answers = [await _leaf_answer(leaf, names[-1], execution) for leaf in path.leaves]
    known = tuple(one for one in answers if one)
    solution = Solution(tuple(names), known, tuple(picked))
    mentioned = {part for name in names for part in (*name, display_name(name))}
    is_new = not mentioned & set(solution.keys)
    is_short = all(len(key) <= LONGEST_KEY for key in solution.keys)
    return solution if len(known) == len(answers) and is_new and is_short else None


async def _leaf_answer(leaf: Leaf, name: Name, execution: Execution) -> LeafAnswer | None:
    """Answer the question at the end of a path; ``None`` if it has no sure answer."""
    tool, ask = leaf.branch.tool, leaf.ask
    table = execution.description.table_of(tool)
    if ask.form in ("cells", "extract", "difference"):
        row = await execution.row(tool, name)
        return await _answer_of_row(table, ask, row, execution) if row else None
    picked = (ask.pick.column,) if ask.pick else ()
    columns = (*ask.columns, *picked) or table.links[0].columns
    rows = await execution.rows(tool, name, columns)
    return await _answer_of_rows(table, ask, rows, execution) if rows else None


async def _answer_of_row(
    table: Table, ask: Ask, row: Cells, execution: Execution
) -> LeafAnswer | None:
    cells = [row.get(column, "") for column in ask.columns]
    if ask.form == "extract":
        patterns = [table.extracts[column].pattern for column in ask.columns]
        found = [match[0] for one in patterns for match in re.finditer(one, "".join(cells))]
        return LeafAnswer(tuple(dict.fromkeys(found))) if found else None
    if ask.form == "difference":
        value = await execution.calculate("get_subtraction", cells)
        if value is None or value < 1:  # nobody asks for less than a yuan
            return None
        return LeafAnswer((money(Fraction(str(value))),), tuple(cells))
    written = [_written(table, *cell) for cell in zip(ask.columns, cells, strict=True)]
    is_distinct = len(set(written)) == len(written)
    return LeafAnswer(tuple(written)) if all(written) and is_distinct else None


async def _answer_of_rows(
    table: Table, ask: Ask, rows: Sequence[Cells], execution: Execution
) -> LeafAnswer | None:
    count = f"{len(rows)}{table.measure}"
    if ask.form == "count":
        return LeafAnswer((f"共{count}",))
    if ask.pick:
        row = await execution.first(rows, ask.pick)
        if row is None:
            return None
        written = [_written(table, column, row.get(column, "")) for column in ask.columns]
        return LeafAnswer(tuple(written), (row[ask.pick.column],)) if all(written) else None
    cells = [row.get(ask.columns[0], "") for row in rows]
    if ask.form == "list":  # a row without the cell leaves the list open
        values = tuple(dict.fromkeys(cells))
        return LeafAnswer(values) if all(values) and 1 < len(values) <= MOST_LISTED else None
    total = await execution.calculate("get_sum", cells)
    if total is None or total <= 0 or len(rows) == 1:
        return None
    if ask.form == "sum":
        return LeafAnswer((money(Fraction(str(total))),))
    mean = await execution.calculate("get_division", [str(total), str(len(rows))])
    return LeafAnswer((money(Fraction(str(mean))),), (count,))


def _written(table: Table, column: str, cell: str) -> str:
    """A cell as an answer writes it; empty if there is none, or an amount of nothing."""
    if column in table.persons and _SEVERAL.search(cell):
        return ""  # several names are not written as one
    if column not in table.amounts:
        frame = table.frames.get(column)
        return frame.replace("{}", cell) if frame and cell else cell
    amount = amount_in(cell)
    return money(amount) if amount else ""
