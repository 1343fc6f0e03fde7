"""Environments that tasks are made for: LegalAgentBench's, or anyone's tables with a description.

A world says which entities each look-up is known to answer, completely, and has the tools. Tasks
are made and checked through the tools alone, as an agent would use them.
"""

from __future__ import annotations

import csv
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any, Protocol, cast

import msgspec

from inforce.documents.files import read_file
from inforce.documents.json_records import json_lines
from inforce.errors import InputError
from inforce.evals.construction.description import (
    Description,
    LookUpTool,
    given_description,
    plain_cell,
    read_description,
)
from inforce.evals.construction.planning import Branch
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.legalagentbench.arithmetic import arithmetic_tools
from inforce.tools.tool import Arguments, Tool, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

Name = tuple[str, ...]
"""The name of an entity: one part, or several that only together name it."""

Cells = dict[str, str]

LARGEST_TABLE = 256 * 1024 * 1024
"""Bytes of a user's table that are read."""


class TaskWorld(Protocol):
    """What tasks are made of."""

    @property
    def description(self) -> Description:
        """Tables and look-ups."""
        ...

    @property
    def toolbox(self) -> Toolbox:
        """The tools, those of arithmetic among them."""
        ...

    def starts(self, branch: Branch) -> tuple[Name, ...]:
        """Entities a look-up is known to answer, all rows included; sorted."""
        ...


@contextmanager
def open_world(folder: Path, tables: Path | None = None) -> Generator[TaskWorld]:
    """Open LegalAgentBench's world, or, with a description, one's own tables.

    Args:
        folder: where the tables lie.
        tables: their description; LegalAgentBench's unless given.

    Raises:
        InputError: if a file is missing or is not what it should be.
        MissingExtraError: if the extra ``tables`` is needed and not installed.
    """
    if tables is not None:
        yield OwnWorld(folder, read_description(tables))
        return
    from inforce.evals.construction.given_world import GivenWorld

    world = GivenWorld(folder, given_description())
    try:
        yield world
    finally:
        world.close()


class OwnWorld:
    """Tables of one's own: JSON Lines or CSV files beside each other.

    Raises:
        InputError: if a file is missing, is not what it should be, or lacks a described column.
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
        """Every name in the columns the look-up goes by."""
        rows = self._rows[self.description.tools[branch.tool].table]
        return names_in_rows(self.description, branch, rows)


class OwnLookUp:
    """A look-up in a table of one's own."""

    def __init__(self, what: LookUpTool, rows: tuple[Cells, ...]) -> None:
        self._what = what
        self._columns = frozenset(column for row in rows for column in row)
        self._found: dict[Name, list[Cells]] = {}
        for row in rows:
            for name in dict.fromkeys(tuple(map(row.get, columns)) for columns in what.by):
                if all(name):
                    self._found.setdefault(cast(Name, name), []).append(row)

    @property
    def spec(self) -> ToolSpec:
        """The arguments that name the entity, and the columns that are wanted."""
        keys = " 或 ".join("、".join(columns) for columns in self._what.by)
        parameters: dict[str, Any] = {
            name: {"type": "string", "description": keys} for name in self._what.arguments
        }
        parameters["columns"] = {"type": "array", "items": {"type": "string"}}
        return ToolSpec(
            self._what.name,
            self._what.about or f"按{keys}查{self._what.table}",
            parameters,
            required=self._what.arguments,
        )

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Look it up; a look-up of one row that finds several says so."""
        name = tuple(str(arguments[one]) for one in self._what.arguments)
        found = self._found.get(name, [])
        if not found:
            return ToolResult("没有符合条件的记录。", "not_found")
        wanted = cast("list[str]", arguments.get("columns") or [])
        strange = [one for one in wanted if one not in self._columns]
        if strange:
            return ToolResult(f"没有字段“{strange[0]}”。", "invalid")
        rows = [{one: row.get(one) for one in wanted or row} for row in found]
        if self._what.answer == "row" and len(rows) > 1:
            return ToolResult(f"有{len(rows)}条记录符合条件，无法确定。", "unknown", data=rows)
        data: Any = rows if self._what.answer == "rows" else self._bare(rows[0])
        text = msgspec.json.encode(data).decode()
        evidence = Evidence(f"{self._what.table}:{'、'.join(name)}", "table", text, text)
        return ToolResult(text, "found", (evidence,), data)

    def _bare(self, row: dict[str, str | None]) -> Any:
        return row.get(self._what.cell) if self._what.cell else row


def names_in_rows(
    description: Description, branch: Branch, rows: tuple[Cells, ...]
) -> tuple[Name, ...]:
    """The names by which a look-up of a kind finds rows; sorted."""
    tool = description.tools[branch.tool]
    links = [
        link
        for link in description.tables[tool.table].links
        if link.kind == branch.kind and link.columns in tool.by and not link.pattern
    ]
    # A kind that is part of another (a court's code) is in a column of its own, too.
    named = {link.name_in(row) for row in rows for link in links}
    return tuple(sorted(name for name in named if name))


def _read_table(path: Path, columns: tuple[str, ...]) -> tuple[Cells, ...]:
    read = _csv_rows if path.suffix.lower() == ".csv" else _json_rows
    rows = tuple({name: plain_cell(cell) for name, cell in row.items()} for row in read(path))
    missing = sorted(set(columns) - {column for row in rows for column in row})
    if rows and missing:
        raise InputError(f"has no column {missing[0]}", path=path)
    return tuple({name: cell for name, cell in row.items() if cell} for row in rows)


def _json_rows(path: Path) -> Iterator[dict[str, Any]]:
    lines = json_lines(path, dict[str, Any], what="a row of a table", limit=LARGEST_TABLE)
    return (line.value for line in lines)


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
