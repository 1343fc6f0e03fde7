"""The worlds that tasks are made for: LegalAgentBench's, or the user's own tables.

A world lists the entities each look-up is known to answer completely, and has the tools. Tasks are
made and checked through the tools alone, as an agent would use them.
"""

from __future__ import annotations

import csv
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

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
from inforce.tools.tool import Arguments, Tool, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from inforce.tools.legalagentbench import World

LARGEST_TABLE = 256 * 1024 * 1024
"""Bytes of a user's table."""


class TaskWorld(Protocol):
    """A world of tables and look-ups."""

    @property
    def description(self) -> Description:
        """Tables and look-ups."""
        ...

    @property
    def toolbox(self) -> Toolbox:
        """The tools, with those of arithmetic."""
        ...

    def starts(self, branch: Branch) -> tuple[Name, ...]:
        """The entities a look-up is known to answer with all rows; sorted."""
        ...


@contextmanager
def open_world(folder: Path, tables: Path | None = None) -> Generator[TaskWorld]:
    """Open LegalAgentBench's world or, with a description, the user's own tables.

    Args:
        folder: of the tables.
        tables: the description of the user's tables; ``None``: LegalAgentBench's world.

    Raises:
        InputError: if a file is missing or malformed.
        MissingExtraError: if the extra ``tables`` is needed and not installed.
    """
    if tables is not None:
        yield OwnWorld(folder, read_description(tables))
        return
    from inforce.tools.legalagentbench import World

    world = World.load(folder)
    try:
        yield RebuiltWorld(folder, world)
    finally:
        world.close()


class OwnWorld:
    """The user's own tables: JSON Lines or CSV files in one folder.

    Raises:
        InputError: if a file is missing or malformed, or lacks a described column.
    """

    def __init__(self, folder: Path, description: Description) -> None:
        self.description = description
        self._rows = {
            table.name: _read_table(folder / table.file, table.columns)
            for table in description.tables.values()
        }
        lookups: list[Tool] = [
            OwnLookUp(tool, self._rows[tool.table]) for tool in description.tools.values()
        ]
        self.toolbox = Toolbox([*lookups, *arithmetic_tools()])

    def starts(self, branch: Branch) -> tuple[Name, ...]:
        """All names in the columns of the look-up."""
        rows = self._rows[self.description.tools[branch.tool].table]
        return _names(self.description, branch, rows)


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


class RebuiltWorld:
    """LegalAgentBench's rebuilt world.

    The contents of its lists are known only if the server's whole answer was seen, so lists are
    looked up for those entities alone.

    Raises:
        InputError: if a file is missing or malformed.
    """

    def __init__(self, folder: Path, world: World) -> None:
        from inforce.tools.legalagentbench import legalagentbench_tools
        from inforce.tools.legalagentbench.catalogue import SCHEMAS
        from inforce.tools.legalagentbench.files import FRAMES, FrameLine, read_lines, rows_of

        self.description = legalagentbench_description()
        self.toolbox = Toolbox(legalagentbench_tools(world))
        self._rows = {
            name: tuple(_plain_row(line.row) for line in rows_of(folder, SCHEMAS[name]))
            for name in self.description.tables
        }
        self._answered: dict[str, set[Name]] = {}
        for line in read_lines(folder / FRAMES, FrameLine):
            parts = [line.identifier] if isinstance(line.identifier, str) else line.identifier
            self._answered.setdefault(line.tool, set()).add(tuple(parts))

    def starts(self, branch: Branch) -> tuple[Name, ...]:
        """For a list the entities whose whole answer was seen, else all names in the table."""
        tool = self.description.tools[branch.tool]
        if tool.answer == "rows":
            return tuple(sorted(self._answered.get(branch.tool, ())))
        return _names(self.description, branch, self._rows[tool.table])


def _plain_row(row: Mapping[str, Any]) -> Cells:
    return {column: plain_cell(cell) for column, cell in row.items()}


def _names(description: Description, branch: Branch, rows: Iterable[Cells]) -> tuple[Name, ...]:
    """The names by which a look-up of a kind finds rows; sorted."""
    tool = description.tools[branch.tool]
    links = [
        link
        for link in description.tables[tool.table].links
        if link.kind == branch.kind and link.columns in tool.by and not link.pattern
    ]
    # A kind that is part of another (a court's code) is also in a column of its own.
    names = {link.name_in(row) for row in rows for link in links}
    return tuple(sorted(name for name in names if name))
