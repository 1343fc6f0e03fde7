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
from dataclasses import dataclass, field
from typing import Any, cast

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
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
_RETRIEVERS = ("legal_article_retriever", "legal_knowledge_retriever", "legal_case_retriever")
_PARTIES = re.compile(
    r"([\u4e00-\u9fa5（）]{2,30}?)\s*向\s*([\u4e00-\u9fa5（）、和]{2,60}?)"
    r"\s*(?:(?:发起|提起|提出)?(?:了)?(?:起诉|诉讼))"
)
_DOCUMENTS = 20

Row = dict[str, Any]


@dataclass(slots=True)
class _Work:
    """The state of one task."""

    run: Run
    calls: int = 0
    steps: list[list[Row]] = field(default_factory=list[list[Row]])
    facts: dict[str, None] = field(default_factory=dict[str, None])
    """Everything found, each once, in order."""
    reached: bool = False
    """True if some call had a result."""

    def add(self, facts: Iterable[str]) -> None:
        """Add facts."""
        self.facts.update(dict.fromkeys(filter(None, facts)))


class Oracle:
    """The agent for one task; ``way`` names its tools in order, none for writing tasks."""

    name = "oracle"

    def __init__(self, way: Sequence[str]) -> None:
        named = [name for step in way for name in _TOOL_NAME.findall(step)]
        self._way = tuple(_TOOLS[name] for name in named if name in _TOOLS)

    @property
    def settings(self) -> dict[str, str]:
        """The way it follows."""
        return {"way": " ".join(tool.name for tool in self._way)}

    async def __call__(self, run: Run) -> Draft:
        """Follow the way, and list everything it reaches."""
        work = _Work(run)
        if self._way:
            for tool in self._way:
                await _step(work, tool)
        else:
            await _write(work)
        if not work.reached:
            return Draft("", "abstained", "no call along the way brought anything")
        return Draft("\n".join(work.facts))


async def _step(work: _Work, tool: TableTool) -> None:
    """Make one look-up of the way for every known identifier."""
    rows = await _from_rows(work, tool)
    if rows is None:
        rows = await _from_question(work, tool)
        if not rows and not any(work.steps):
            rows = await _otherwise(work, tool)
    work.steps.append(rows)
    work.add([counted(len(rows)), _one_statement(rows, work.run.question)])


async def _from_rows(work: _Work, tool: TableTool) -> list[Row] | None:
    """Look up names from earlier steps, the latest first; ``None`` if there are no names."""
    names: dict[tuple[str, ...], None] = {}
    for earlier in reversed(work.steps):
        names.update(dict.fromkeys(await _identifiers(work, tool, earlier)))
    found: list[Row] = []
    for identifier in list(names)[:MOST_NAMES]:
        found += await _look_up(work, tool, identifier)
    return found if names else None


async def _otherwise(work: _Work, tool: TableTool) -> list[Row]:
    """Look up names of the question by another column, or in another table."""
    found: list[Row] = []
    for other in TABLE_TOOLS:
        if other != tool and (
            other.table == tool.table or (other.answer == "row" and not other.by_region)
        ):
            found += await _by_name(work, other)
    return found or await _listed(work)


async def _identifiers(work: _Work, tool: TableTool, rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """The identifiers for a look-up in rows; if they need a further look-up, it is made."""
    if tool.by_region:
        return list(await _regions(work, rows))
    names = names_in(rows, _kind(tool))
    if tool.name == "get_court_code":
        names += _codes(rows)
    elif _kind(tool) == "court" and not names:
        names = await _courts(work, _codes(rows))
    return [(name,) for name in names]


def _codes(rows: Sequence[Row]) -> list[str]:
    """Codes of the courts in the case numbers of rows."""
    return list(dict.fromkeys(filter(None, map(court_code, names_in(rows, "case")))))


async def _courts(work: _Work, codes: Sequence[str]) -> list[str]:
    """Names of courts by their codes."""
    found: list[Row] = []
    for code in codes[:MOST_NAMES]:
        found += await _look_up(work, _TOOLS["get_court_code"], (code,))
    return names_in(found, "court")


async def _regions(work: _Work, rows: Sequence[Row]) -> list[Region]:
    """The regions that rows name, or those of their addresses and courts."""
    regions = regions_in(rows)
    if regions:
        return regions
    found: list[Row] = []
    for address in names_in(rows, "address")[:MOST_NAMES]:
        found += await _look_up(work, _TOOLS["get_address_info"], (address,))
    for court in names_in(rows, "court")[:MOST_NAMES]:
        found += await _look_up(work, _TOOLS["get_court_info"], (court,))
    return regions_in(found)


async def _from_question(work: _Work, tool: TableTool) -> list[Row]:
    """Look up names in the question."""
    found = await _by_name(work, tool)
    if not found and _kind(tool) == "company":
        found = await _through_short_name(work, tool)
    return found


async def _by_name(work: _Work, tool: TableTool) -> list[Row]:
    """Look up names in the question; of the readings of a name the first that is known."""
    found: list[Row] = []
    for name in _named(work.run.question, tool):
        found += await _first(work, tool, name)
        if found and tool.by_region:
            break
    return found


async def _through_short_name(work: _Work, tool: TableTool) -> list[Row]:
    """Look up a listed company that the question names by its code or short name."""
    listed = await _listed(work)
    if tool.name == "get_company_info":
        return listed
    return await _first(work, tool, ((name,) for name in names_in(listed, "company")))


async def _listed(work: _Work) -> list[Row]:
    question = work.run.question
    names = ((name,) for name in (*securities(question), *short_names(question)))
    return await _first(work, _TOOLS["get_company_info"], names)


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


async def _first(work: _Work, tool: TableTool, identifiers: Iterable[tuple[str, ...]]) -> list[Row]:
    for identifier in identifiers:
        rows = await _look_up(work, tool, identifier)
        if rows:
            return rows
    return []


async def _look_up(work: _Work, tool: TableTool, identifier: tuple[str, ...]) -> list[Row]:
    """Make one call; add the facts of its rows, and return them."""
    if work.calls >= MOST_CALLS or not all(identifier):
        return []
    work.calls += 1
    names = ("prov", "city", "county") if tool.by_region else ("identifier",)
    arguments = dict(zip(names, identifier, strict=True))
    rows = _rows(await work.run.call(tool.name, arguments), tool)
    if tool.name == "get_company_info" and work.steps:
        work.add([f"{identifier[0]}{'是' if rows else '不是'}上市公司"])
    if rows:
        work.reached = True
        work.add([f"{tool.name}（{'、'.join(identifier)}）"])
        work.add(_statements(rows))
        if tool.answer == "rows":
            work.add([_one_statement(rows, work.run.question)])
    return [_onward(row, tool) for row in rows]


def _onward(row: Row, tool: TableTool) -> Row:
    """A row without the parent company it was looked up by: the subsidiaries are next."""
    if tool.name != "get_sub_company_info_list":
        return row
    return {name: cell for name, cell in row.items() if name not in tool.keys}


def _statements(rows: Sequence[Row]) -> Iterator[str]:
    """The rows, and in one line the facts that follow from each."""
    follows: dict[str, None] = {}
    for row in rows:
        yield "，".join(f"{name}：{cell}" for name, cell in row.items())
        for cell in row.values():
            follows.update(dict.fromkeys(facts_of_cell(cell)))
        follows.update(dict.fromkeys(facts_of_row(row)))
    yield "、".join(filter(None, follows))


def _one_statement(rows: Sequence[Row], question: str) -> str:
    """The facts that follow from all rows together, in one line."""
    return "、".join(dict.fromkeys(facts_of_rows(rows, question)))


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


def _kind(tool: TableTool) -> Kind:
    return "region" if tool.by_region else KIND_OF_COLUMN[tool.keys[0]]


async def _write(work: _Work) -> None:
    """A statement of defence: the parties, their lawyers, and the law."""
    for names in _PARTIES.findall(work.run.question):
        work.reached = True
        work.add(names)
    for name in _WRITING:
        await _step(work, _TOOLS[name])
    for name in _RETRIEVERS:
        query = {"identifier": work.run.question[:5_000], "k": _DOCUMENTS}
        result = await work.run.call(name, query)
        if result.status == "found":
            work.reached = True
            work.add([result.text])
