"""Answers, computed by making the look-ups of a path for one entity.

The keys are what an answer must contain, the middle keys what one comes across on the way. Amounts
are given in yuan with two decimals, counts with their measure word, all else as the table has it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from inforce.evals.construction.description import Description, Table
from inforce.evals.construction.execution import Execution, amount_in
from inforce.evals.construction.paths import Leaf, SolutionPath
from inforce.evals.construction.planning import Ask
from inforce.evals.construction.worlds import Cells, Name

MOST_LISTED = 8
"""Values a question may ask to list."""

LONGEST_KEY = 60
"""Characters of a key; what is longer no two people write alike."""

_SEVERAL = re.compile("[,，、;；]")
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Found:
    """What one look-up at the end of a path gives."""

    keys: tuple[str, ...]
    middle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """A path walked to its end."""

    names: tuple[Name, ...]
    """Entities from the start to where the last look-ups are made."""
    found: tuple[Found, ...]
    """What each of the last look-ups gives."""
    picked: tuple[str, ...]
    """Cells by which rows were picked on the way."""

    @property
    def keys(self) -> tuple[str, ...]:
        """What an answer must contain, each once."""
        return tuple(dict.fromkeys(key for one in self.found for key in one.keys))

    @property
    def middle(self) -> tuple[str, ...]:
        """What one comes across on the way, keys left out."""
        later = (cell for one in self.found for cell in one.middle)
        passed = dict.fromkeys((*map(display_name, self.names[1:]), *self.picked, *later))
        return tuple(one for one in passed if one and one not in self.keys)


def display_name(name: Name) -> str:
    """The name of an entity in words; a part that repeats the one before is left out.

    >>> display_name(("北京市", "北京市", "海淀区"))
    '北京市海淀区'
    """
    return "".join(dict.fromkeys(name))


def money(amount: Fraction) -> str:
    """An amount in yuan, with a word before it: no larger amount ends so.

    >>> money(Fraction(81586305, 1000))
    '人民币81586.31元'
    """
    exact = Decimal(amount.numerator) / Decimal(amount.denominator)
    return f"人民币{exact.quantize(_CENT, ROUND_HALF_UP)}元"


async def solve(path: SolutionPath, start: Name, execution: Execution) -> Solution | None:
    """Walk a path from an entity; ``None`` where it does not lead to an answer, or not to one."""
    names, picked = [start], list[str]()
    for step in path.trunk:
        followed = await execution.follow(step, names[-1])
        if followed is None or followed.name in names:
            return None
        if await execution.is_detour(step.branch.tool, names):
            return None
        names.append(followed.name)
        picked.append(followed.picked)
    if any([await execution.is_detour(leaf.branch.tool, names) for leaf in path.leaves]):
        return None
    answering = _Answering(execution)
    found = [await answering.found(leaf, names[-1]) for leaf in path.leaves]
    given = tuple(one for one in found if one)
    solution = Solution(tuple(names), given, tuple(picked))
    return solution if len(given) == len(found) and _is_worth_asking(solution) else None


def _is_worth_asking(solution: Solution) -> bool:
    """Whether the answer is new, and short enough to be recognised."""
    known = {part for name in solution.names for part in (*name, display_name(name))}
    return not known & set(solution.keys) and all(len(key) <= LONGEST_KEY for key in solution.keys)


class _Answering:
    """Finds what the last look-up of a path is asked for."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._description: Description = execution.description

    async def found(self, leaf: Leaf, name: Name) -> Found | None:
        table = self._description.table_of(leaf.branch.tool)
        ask = leaf.ask
        if ask.form in ("cells", "extract", "difference"):
            row = await self._execution.row(leaf.branch.tool, name)
            return await self._of_row(table, ask, row) if row else None
        picked = (ask.pick.column,) if ask.pick else ()
        columns = (*ask.columns, *picked) or table.links[0].columns
        rows = await self._execution.rows(leaf.branch.tool, name, columns)
        return await self._of_rows(table, ask, rows) if rows else None

    async def _of_row(self, table: Table, ask: Ask, row: Cells) -> Found | None:
        if ask.form == "extract":
            return _extracted(table, ask, row)
        if ask.form == "difference":
            return await self._difference(ask, row)
        cells = [_value(table, column, row.get(column, "")) for column in ask.columns]
        return Found(tuple(cells)) if all(cells) and len(set(cells)) == len(cells) else None

    async def _of_rows(self, table: Table, ask: Ask, rows: Sequence[Cells]) -> Found | None:
        match ask.form:
            case "count":
                return Found((f"共{len(rows)}{table.measure}",))
            case "list":
                return _listed(ask, rows)
            case "first_of":
                return await self._first_of(table, ask, rows)
            case _:
                return await self._total(table, ask, rows)

    async def _difference(self, ask: Ask, row: Cells) -> Found | None:
        cells = [row.get(column, "") for column in ask.columns]
        value = await self._execution.calculate("get_subtraction", cells)
        if value is None or value < 1:  # of less than a yuan nobody asks
            return None
        return Found((money(Fraction(str(value))),), tuple(cells))

    async def _first_of(self, table: Table, ask: Ask, rows: Sequence[Cells]) -> Found | None:
        row = await self._execution.first(rows, ask.pick) if ask.pick else None
        cells = (
            [_value(table, column, row.get(column, "")) for column in ask.columns] if row else []
        )
        if row is None or ask.pick is None or not all(cells):
            return None
        return Found(tuple(cells), (row[ask.pick.column],))

    async def _total(self, table: Table, ask: Ask, rows: Sequence[Cells]) -> Found | None:
        cells = [row.get(ask.columns[0], "") for row in rows]
        total = await self._execution.calculate("get_sum", cells)
        if total is None or total <= 0 or len(rows) == 1:
            return None
        if ask.form == "sum":
            return Found((money(Fraction(str(total))),))
        mean = await self._execution.calculate("get_division", [str(total), str(len(rows))])
        return Found((money(Fraction(str(mean))),), (f"{len(rows)}{table.measure}",))


def _value(table: Table, column: str, cell: str) -> str:
    """A cell as an answer gives it; empty where there is none, or an amount of nothing."""
    if column in table.persons and _SEVERAL.search(cell):
        return ""  # nobody writes several names as one
    if column not in table.amounts:
        frame = table.frames.get(column)
        return frame.replace("{}", cell) if frame and cell else cell
    amount = amount_in(cell)
    return money(amount) if amount else ""


def _extracted(table: Table, ask: Ask, row: Cells) -> Found | None:
    patterns = [one.pattern for one in table.extracts if one.column in ask.columns]
    text = "".join(row.get(column, "") for column in ask.columns)
    named = [match[0] for pattern in patterns for match in re.finditer(pattern, text)]
    return Found(tuple(dict.fromkeys(named))) if named else None


def _listed(ask: Ask, rows: Sequence[Cells]) -> Found | None:
    """One cell of every row; a row without it leaves the list open."""
    cells = [row.get(ask.columns[0], "") for row in rows]
    values = tuple(dict.fromkeys(cells))
    return Found(values) if all(values) and 1 < len(values) <= MOST_LISTED else None
