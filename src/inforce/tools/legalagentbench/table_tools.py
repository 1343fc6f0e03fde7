"""A look-up in a table of LegalAgentBench as a tool, answering as the benchmark's server did.

What the server said word for word is said word for word: rows in Python's notation, and its three
error texts. What the data at hand cannot answer has the status ``unknown`` and a text of its own,
with the part that is known on the last line.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from inforce.tools.evidence import Evidence
from inforce.tools.legalagentbench.catalogue import SCHEMAS, TABLE_TOOLS, TableTool
from inforce.tools.legalagentbench.files import Row, normal
from inforce.tools.legalagentbench.texts import (
    COLUMNS,
    GAPS,
    IDENTIFIER,
    NO_DATA,
    NO_SUCH_COLUMN,
    NOT_ALL,
    REGION,
    SEVERAL,
    UNSEEN,
    WRONG_PARAMETERS,
    printed,
)
from inforce.tools.legalagentbench.world import LookUp, World
from inforce.tools.tool import Arguments, FunctionTool, Language, Tool, ToolResult, ToolSpec

ORIGIN = "legalagentbench"

LONGEST_IDENTIFIER = 500
"""Characters of an identifier; the longest in the tables have a fifth of it."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that can be answered."""

    identifier: tuple[str, ...]
    columns: tuple[str, ...]


def table_tools(world: World, *, language: Language = "zh") -> Iterator[Tool]:
    """The 28 tools that read a table."""
    for what in TABLE_TOOLS:
        answer = _LookUp(what, world, language).answer
        yield FunctionTool(_spec(what, language), "private", answer)


def _spec(what: TableTool, language: Language) -> ToolSpec:
    """Nothing is required by schema: the server has its own message for missing arguments."""
    if what.by_region:
        parameters = {name: {"description": text[language]} for name, text in REGION.items()}
    else:
        keys = (" 或 " if language == "zh" else " or ").join(what.keys)
        parameters = {"identifier": {"description": IDENTIFIER[language].format(keys=keys)}}
    if what.answer != "cell":
        parameters["columns"] = {"description": COLUMNS[language].format(table=what.table)}
    said = what.zh if language == "zh" else what.en
    return ToolSpec(what.name, said, parameters, required=())


@dataclass(frozen=True, slots=True)
class _LookUp:
    """A tool's look-ups in its table."""

    what: TableTool
    world: World
    language: Language

    @property
    def columns(self) -> tuple[str, ...]:
        return SCHEMAS[self.what.table].columns

    async def answer(self, arguments: Arguments) -> ToolResult:
        call = self._call(arguments)
        if call is None:
            return ToolResult(WRONG_PARAMETERS, "invalid")
        found = await asyncio.to_thread(self.world.look_up, self.what, call.identifier)
        if found.knowledge == "nothing":
            return ToolResult(NO_DATA, "not_found")
        if not set(call.columns) <= set(self.columns):
            return ToolResult(NO_SUCH_COLUMN, "invalid")
        return self._result(call, found)

    def _call(self, arguments: Arguments) -> _Call | None:
        """The call, or ``None`` if the server would have refused it."""
        names = tuple(REGION) if self.what.by_region else ("identifier",)
        words = [_word(arguments.get(name)) for name in names]
        identifier = tuple(word for word in words if word is not None)
        columns = self._columns(arguments.get("columns"))
        if len(identifier) < len(names) or columns is None:
            return None
        return _Call(identifier, columns)

    def _columns(self, given: Any) -> tuple[str, ...] | None:
        if self.what.answer == "cell":
            return (self.what.cell,)
        if given is None or given == []:
            return self.columns
        if not isinstance(given, list):
            return None
        names = cast(list[Any], given)
        is_plain = all(isinstance(one, str) for one in names)
        return tuple(map(normal, names)) if is_plain else None

    def _result(self, call: _Call, found: LookUp) -> ToolResult:
        rows = found.rows[:1] if self._is_settled(call, found) else found.rows
        remarks = self._remarks(call, found, rows)
        answer = self._answer([_cells(row, call.columns) for row in rows], bool(remarks))
        text = "\n".join([*remarks, printed(answer)] if rows else remarks)
        if self.what.answer == "cell" and rows and not remarks:
            text = str(answer)
        evidence = tuple(_evidence(row, self.what.table, found) for row in rows)
        return ToolResult(text, "unknown" if remarks else "found", evidence, answer)

    def _is_settled(self, call: _Call, found: LookUp) -> bool:
        """Whether a tool that returns one row has one, or several that are equal."""
        if self.what.answer == "rows" or not found.rows:
            return False
        asked = [_cells(row, call.columns) for row in found.rows]
        return found.knowledge == "known" or all(one == asked[0] for one in asked)

    def _remarks(self, call: _Call, found: LookUp, rows: Sequence[Row]) -> list[str]:
        """Reasons why the rows are not the server's answer."""
        words = {"identifier": "、".join(call.identifier), "n": len(rows)}
        remarks: list[str] = []
        if not rows:
            remarks.append(UNSEEN[self.language].format(**words))
        elif self.what.answer == "rows" and found.knowledge == "partly":
            remarks.append(NOT_ALL[self.language].format(**words))
        elif self.what.answer != "rows" and len(rows) > 1:
            remarks.append(SEVERAL[self.language].format(**words))
        gaps = [name for name in call.columns if any(name not in row.cells for row in rows)]
        if gaps:
            remarks.append(GAPS[self.language].format(columns="、".join(gaps)))
        return remarks

    def _answer(self, rows: list[dict[str, Any]], is_doubtful: bool) -> Any:
        if not rows:
            return None
        if self.what.answer == "rows" or len(rows) > 1:
            return rows
        if self.what.answer == "cell" and not is_doubtful:
            return rows[0][self.what.cell]
        return rows[0]


def table_answer(text: str) -> str:
    """The line of an answer that holds the rows, without the remarks before it."""
    return text.rsplit("\n", 1)[-1]


def _word(value: Any) -> str | None:
    """An identifier as text, maybe empty; ``None`` where it is none, or none a database holds."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    word = str(value)
    is_plain = "\0" not in word and not any("\ud800" <= sign <= "\udfff" for sign in word)
    return word if is_plain and len(word) <= LONGEST_IDENTIFIER else None


def _cells(row: Row, columns: Sequence[str]) -> dict[str, Any]:
    return {name: row.cells[name] for name in columns if name in row.cells}


def _evidence(row: Row, table: str, found: LookUp) -> Evidence:
    cells = [f"{name}：{cell}" for name, cell in row.cells.items() if cell is not None]
    status = "complete result" if found.knowledge == "known" else "perhaps not the only record"
    if row.origin:
        status = "wholly or partly from another source"
    return Evidence(
        f"{ORIGIN}:{row.id}",
        "table",
        f"{table} {next(iter(row.cells.values()), '')}",
        "\n".join(cells),
        status=status,
        origin=row.origin or ORIGIN,
    )
