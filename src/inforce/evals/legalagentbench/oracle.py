"""The oracle: follows the tools with which a task was made, to test if the world has its answer.

It asks no model. It knows only the question, the way (names of tools, section 3.3.2) and the
results of its calls; it never sees the answer or its key words. Instead of choosing an answer, it
follows every identifier it meets and lists everything it reaches: cells, and the counts, sums, days
and roundings that follow from them. So its success rate is an upper bound for agents along that
way, and no measure of understanding a question.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.evals.baselines import FunctionAgent
from inforce.evals.legalagentbench.oracle_facts import (
    counted,
    facts_of_cell,
    facts_of_row,
    facts_of_rows,
)
from inforce.evals.legalagentbench.oracle_names import (
    KIND_OF_COLUMN,
    Kind,
    Region,
    court_code,
    names_in,
    readings,
    regions,
    regions_in,
    securities,
    short_names,
)
from inforce.evals.legalagentbench.protocol import RETRIEVERS
from inforce.tools.legalagentbench import TABLE_TOOLS, TableTool
from inforce.tools.legalagentbench.table_tools import table_answer
from inforce.tools.tool import ToolResult

MOST_CALLS = 2_000
"""Calls for one task; each reading of a name is one."""

MOST_NAMES = 250
"""Names that one step follows."""

_TOOL_NAME = re.compile(r"get_\w+")
_NAN = re.compile(r"(?<=: )nan(?=[,}])")
_TOOLS = {tool.name: tool for tool in TABLE_TOOLS}
_WRITING = ("get_company_register", "get_lawfirm_info")
_PARTIES = re.compile(
    r"([\u4e00-\u9fa5（）]{2,30}?)\s*向\s*([\u4e00-\u9fa5（）、和]{2,60}?)"
    r"\s*(?:(?:发起|提起|提出)?(?:了)?(?:起诉|诉讼))"
)
_DOCUMENTS = 20

Row = dict[str, Any]


def oracle(way: Sequence[str]) -> FunctionAgent:
    """The agent for one task; ``way`` names its tools in order, none for writing tasks."""
    named = [name for step in way for name in _TOOL_NAME.findall(step)]
    tools = [_TOOLS[name] for name in named if name in _TOOLS]

    async def follow(run: Run) -> Draft:
        return await _Work(run).follow(tools)

    return FunctionAgent("oracle", follow, {"way": " ".join(tool.name for tool in tools)})


class _Work:
    """The work on one task: what was asked and found so far."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._calls = 0
        self._steps: list[list[Row]] = []
        self._facts: dict[str, None] = {}
        """Everything found, each once, in order."""
        self._has_result = False

    async def follow(self, way: Sequence[TableTool]) -> Draft:
        """Follow the way, and list everything it reaches."""
        for tool in way:
            await self._step(tool)
        if not way:
            await self._write()
        if not self._has_result:
            return Draft("", "abstained", "no call along the way brought anything")
        return Draft("\n".join(self._facts))

    def _add(self, facts: Iterable[str]) -> None:
        self._facts.update(dict.fromkeys(filter(None, facts)))

    async def _step(self, tool: TableTool) -> None:
        """Make one look-up of the way for every known identifier."""
        rows = await self._from_rows(tool)
        if rows is None:
            rows = await self._by_name(tool)
            if not rows and _kind(tool) == "company":
                rows = await self._listed()
                if tool.name != "get_company_info":
                    names = ((name,) for name in names_in(rows, "company"))
                    rows = await self._first(tool, names)
            if not rows and not any(self._steps):
                rows = await self._otherwise(tool)
        self._steps.append(rows)
        self._add([counted(len(rows)), self._following(rows)])

    async def _from_rows(self, tool: TableTool) -> list[Row] | None:
        """Look up names from earlier steps, the latest first; ``None`` if there are no names."""
        names: dict[tuple[str, ...], None] = {}
        for earlier in reversed(self._steps):
            names.update(dict.fromkeys(await self._identifiers(tool, earlier)))
        return await self._every(tool, names) if names else None

    async def _otherwise(self, tool: TableTool) -> list[Row]:
        """Look up names of the question by another column, or in another table."""
        found: list[Row] = []
        for other in TABLE_TOOLS:
            if other != tool and (
                other.table == tool.table or (other.answer == "row" and not other.by_region)
            ):
                found += await self._by_name(other)
        return found or await self._listed()

    async def _identifiers(self, tool: TableTool, rows: Sequence[Row]) -> list[tuple[str, ...]]:
        """The identifiers for a look-up in rows; if they need a further look-up, it is made."""
        if tool.by_region:
            return list(await self._regions(rows))
        names = names_in(rows, _kind(tool))
        if _kind(tool) == "court" and (tool.name == "get_court_code" or not names):
            cases = names_in(rows, "case")
            codes = list(dict.fromkeys(code for one in cases if (code := court_code(one))))
            if tool.name == "get_court_code":
                names += codes
            else:
                found = await self._every(_TOOLS["get_court_code"], ((code,) for code in codes))
                names = names_in(found, "court")
        return [(name,) for name in names]

    async def _regions(self, rows: Sequence[Row]) -> list[Region]:
        """The regions that rows name, or those of their addresses and courts."""
        if regions := regions_in(rows):
            return regions
        addresses = ((name,) for name in names_in(rows, "address"))
        courts = ((name,) for name in names_in(rows, "court"))
        found = await self._every(_TOOLS["get_address_info"], addresses)
        return regions_in([*found, *await self._every(_TOOLS["get_court_info"], courts)])

    async def _by_name(self, tool: TableTool) -> list[Row]:
        """Look up names in the question; of the readings of a name the first that is known."""
        found: list[Row] = []
        for name in _named(self._run.question, tool):
            found += await self._first(tool, name)
            if found and tool.by_region:
                break
        return found

    async def _listed(self) -> list[Row]:
        """Look up a listed company that the question names by its code or short name."""
        question = self._run.question
        names = ((name,) for name in (*securities(question), *short_names(question)))
        return await self._first(_TOOLS["get_company_info"], names)

    async def _every(self, tool: TableTool, names: Iterable[tuple[str, ...]]) -> list[Row]:
        """The rows of every identifier."""
        return [row for one in islice(names, MOST_NAMES) for row in await self._look_up(tool, one)]

    async def _first(self, tool: TableTool, names: Iterable[tuple[str, ...]]) -> list[Row]:
        """The rows of the first identifier that has any."""
        for name in names:
            if rows := await self._look_up(tool, name):
                return rows
        return []

    async def _look_up(self, tool: TableTool, identifier: tuple[str, ...]) -> list[Row]:
        """Make one call; add the facts of its rows, and return them."""
        if self._calls >= MOST_CALLS or not all(identifier):
            return []
        self._calls += 1
        names = ("prov", "city", "county") if tool.by_region else ("identifier",)
        arguments = dict(zip(names, identifier, strict=True))
        rows = _rows(await self._run.call(tool.name, arguments), tool)
        if tool.name == "get_company_info" and self._steps:
            self._add([f"{identifier[0]}{'是' if rows else '不是'}上市公司"])
        if rows:
            self._has_result = True
            self._add([f"{tool.name}（{'、'.join(identifier)}）"])
            self._add(_statements(rows))
            if tool.answer == "rows":
                self._add([self._following(rows)])
        if tool.name != "get_sub_company_info_list":
            return rows
        # Without the parent company they were looked up by: the subsidiaries are next.
        return [{name: cell for name, cell in row.items() if name not in tool.keys} for row in rows]

    def _following(self, rows: Sequence[Row]) -> str:
        """The facts that follow from all rows together, in one line."""
        return "、".join(dict.fromkeys(facts_of_rows(rows, self._run.question)))

    async def _write(self) -> None:
        """A statement of defence: the parties, their lawyers, and the law."""
        for names in _PARTIES.findall(self._run.question):
            self._has_result = True
            self._add(names)
        for name in _WRITING:
            await self._step(_TOOLS[name])
        for name in RETRIEVERS:
            query = {"identifier": self._run.question[:5_000], "k": _DOCUMENTS}
            result = await self._run.call(name, query)
            if result.status == "found":
                self._has_result = True
                self._add([result.text])


def _kind(tool: TableTool) -> Kind:
    return "region" if tool.by_region else KIND_OF_COLUMN[tool.keys[0]]


def _named(question: str, tool: TableTool) -> Iterator[Iterable[tuple[str, ...]]]:
    """The names a question may contain, each with its readings."""
    if tool.by_region:
        yield from regions(question)
        return
    kind = _kind(tool)
    if kind == "court":
        for names in readings(question, "case"):
            yield ((court_code(names[0]),),)
    for names in readings(question, kind):
        yield ((name,) for name in names)


def _statements(rows: Sequence[Row]) -> Iterator[str]:
    """The rows, and in one line the facts that follow from each."""
    follows: dict[str, None] = {}
    for row in rows:
        yield "，".join(f"{name}：{cell}" for name, cell in row.items())
        for cell in row.values():
            follows.update(dict.fromkeys(facts_of_cell(cell)))
        follows.update(dict.fromkeys(facts_of_row(row)))
    yield "、".join(filter(None, follows))


def _rows(result: ToolResult, tool: TableTool) -> list[Row]:
    """The rows of a result, even if it is not complete."""
    if result.status not in ("found", "unknown"):
        return []
    text = table_answer(result.text)
    if tool.answer == "cell" and result.status == "found":
        return [{tool.cell: text}]
    try:
        value: Any = ast.literal_eval(_NAN.sub("None", text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    found = cast(list[Any], value if isinstance(value, list) else [value])
    return [dict(cast(Mapping[str, Any], row)) for row in found if isinstance(row, dict) and row]
