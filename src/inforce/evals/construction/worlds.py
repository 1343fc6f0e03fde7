"""The worlds that tasks are made for: LegalAgentBench's, or the user's own tables.

A world lists the entities each look-up is known to answer completely, and has the tools. Tasks are
made and checked through the tools alone, as an agent would use them.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from inforce.documents.files import read_file
from inforce.documents.json_records import json_lines
from inforce.errors import InputError
from inforce.evals.construction.description import (
    Cells,
    Description,
    LookUpTool,
    Name,
    legalagentbench_description,
    plain_cell,
    read_description,
)
from inforce.evals.construction.paths import Branch
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.legalagentbench.arithmetic import arithmetic_tools
from inforce.tools.tool import Arguments, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from inforce.tools.legalagentbench import World

LARGEST_TABLE = 256 * 1024 * 1024
"""Bytes of a user's table."""


@dataclass(frozen=True, slots=True)
class TaskWorld:
    """A world of tables and look-ups."""

    description: Description
    toolbox: Toolbox
    """The tools, with those of arithmetic."""
    rows: Mapping[str, tuple[Cells, ...]]
    """By table."""
    listed: Mapping[str, Collection[Name]] | None = None
    """By look-up, the entities whose whole list is known; ``None``: every list is."""

    def starts(self, branch: Branch) -> tuple[Name, ...]:
        """The entities a look-up is known to answer with all rows; sorted."""
        tool = self.description.tools[branch.tool]
        if tool.answer == "rows" and self.listed is not None:
            return tuple(sorted(self.listed.get(tool.name, ())))
        links = [
            link
            for link in self.description.tables[tool.table].links
            if link.kind == branch.kind and link.columns in tool.by and not link.pattern
        ]
        # A kind that is part of another (a court's code) is also in a column of its own.
        names = {link.name_in(row) for row in self.rows[tool.table] for link in links}
        return tuple(sorted(name for name in names if name))


@contextmanager
def open_world(folder: Path, tables: Path | None = None) -> Generator[TaskWorld]:
    """Open LegalAgentBench's world or, with a description, the user's own tables.

    Args:
        folder: of the tables.
        tables: the description of the user's tables; ``None``: LegalAgentBench's world.

    Raises:
        InputError: if a file is missing or malformed, or lacks a described column.
        MissingExtraError: if the extra ``tables`` is needed and not installed.
    """
    if tables is not None:
        yield own_world(folder, read_description(tables))
        return
    from inforce.tools.legalagentbench import World

    with closing(World.load(folder)) as world:
        yield _rebuilt_world(folder, world)


def own_world(folder: Path, description: Description) -> TaskWorld:
    """The user's own tables: JSON Lines or CSV files in one folder."""
    rows = {
        table.name: _read_table(folder / table.file, table.columns)
        for table in description.tables.values()
    }
    look_ups = (OwnLookUp(tool, rows[tool.table]) for tool in description.tools.values())
    return TaskWorld(description, Toolbox([*look_ups, *arithmetic_tools()]), rows)


def _rebuilt_world(folder: Path, world: World) -> TaskWorld:
    """LegalAgentBench's rebuilt world, whose lists are known if the server's answer was seen."""
    from inforce.tools.legalagentbench import legalagentbench_tools
    from inforce.tools.legalagentbench.catalogue import SCHEMAS
    from inforce.tools.legalagentbench.files import FRAMES, FrameLine, read_lines, rows_of

    description = legalagentbench_description()
    rows = {
        name: tuple(_plain_row(line.row) for line in rows_of(folder, SCHEMAS[name]))
        for name in description.tables
    }
    listed: dict[str, set[Name]] = {}
    for line in read_lines(folder / FRAMES, FrameLine):
        parts = [line.identifier] if isinstance(line.identifier, str) else line.identifier
        listed.setdefault(line.tool, set()).add(tuple(parts))
    return TaskWorld(description, Toolbox(legalagentbench_tools(world)), rows, listed)


class OwnLookUp:
    """A look-up in one of the user's tables."""

    def __init__(self, tool: LookUpTool, rows: tuple[Cells, ...]) -> None:
        self._tool = tool
        self._columns = frozenset(column for row in rows for column in row)
        self._found: dict[Name, list[Cells]] = {}
        for row in rows:
            for name in dict.fromkeys(tuple(map(row.get, columns)) for columns in tool.by):
                if all(name):
                    self._found.setdefault(cast(Name, name), []).append(row)

    @property
    def spec(self) -> ToolSpec:
        """Its arguments: the name of the entity, and the columns."""
        keys = " 或 ".join("、".join(columns) for columns in self._tool.by)
        parameters: dict[str, Any] = {
            name: {"type": "string", "description": keys} for name in self._tool.arguments
        }
        parameters["columns"] = {"type": "array", "items": {"type": "string"}}
        return ToolSpec(
            self._tool.name,
            self._tool.about or f"按{keys}查{self._tool.table}",
            parameters,
            required=self._tool.arguments,
        )

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Look it up; a look-up of one row that finds several is undecided."""
        tool = self._tool
        name = tuple(str(arguments[one]) for one in tool.arguments)
        found = self._found.get(name, [])
        if not found:
            return ToolResult("没有符合条件的记录。", "not_found")
        columns = cast("list[str]", arguments.get("columns") or [])
        unknown = [column for column in columns if column not in self._columns]
        if unknown:
            return ToolResult(f"没有字段“{unknown[0]}”。", "invalid")
        rows = [{column: row.get(column) for column in columns or row} for row in found]
        if tool.answer == "row" and len(rows) > 1:
            return ToolResult(f"有{len(rows)}条记录符合条件，无法确定。", "unknown", data=rows)
        row = rows[0].get(tool.cell) if tool.cell else rows[0]
        data: Any = rows if tool.answer == "rows" else row
        text = msgspec.json.encode(data).decode()
        evidence = Evidence(f"{tool.table}:{'、'.join(name)}", "table", text, text)
        return ToolResult(text, "found", (evidence,), data)


def _read_table(path: Path, columns: tuple[str, ...]) -> tuple[Cells, ...]:
    if path.suffix.lower() == ".csv":
        rows = tuple(map(_plain_row, _csv_rows(path)))
    else:
        lines = json_lines(path, dict[str, Any], what="a row of a table", limit=LARGEST_TABLE)
        rows = tuple(_plain_row(line.value) for line in lines)
    missing = sorted(set(columns) - {column for row in rows for column in row})
    if rows and missing:
        raise InputError(f"has no column {missing[0]}", path=path)
    return tuple({name: cell for name, cell in row.items() if cell} for row in rows)


def _csv_rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = read_file(path, limit=LARGEST_TABLE).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", path=path) from error
    reader = csv.DictReader(StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if None in row or None in row.values():
                reason = "a row has not as many cells as there are columns"
                raise InputError(reason, path=path, line=reader.line_num)
            yield row
    except csv.Error as error:
        raise InputError(str(error), path=path, line=reader.line_num) from error


def _plain_row(row: Mapping[str, Any]) -> Cells:
    return {column: plain_cell(cell) for column, cell in row.items()}
