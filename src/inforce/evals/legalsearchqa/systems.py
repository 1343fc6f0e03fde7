"""Who answers the questions, and what they search: the web, or searches recorded earlier.

Searches are recorded by question. An agent that words its own queries would find none of them, so
that beside a recording every search of a run is the search for its question, whatever the agent
asked: what the released L-MARS does, whose query agent hands the question on as it is. The trace
shows what the agent asked; the text of the result names what was searched for. A question whose
search was not recorded was not searched at all, and a run that rests on that search fails.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from inforce.agents.runtime.research import Researcher
from inforce.agents.settings import RECORDED
from inforce.evals.benchmark import Item, Setup, System
from inforce.evals.legalsearchqa.options import read_options
from inforce.llm.chat import ChatModel
from inforce.tools.context import RunContext
from inforce.tools.tool import Arguments, Tool, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

_SEARCH = "web_search"


@asynccontextmanager
async def open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    """Opens an agent or a condition with its tools, in English.

    Raises:
        UserError: if nobody has that name, or what was asked for cannot be had.
    """
    from inforce.evals import systems

    if setup.agent.startswith("always-"):
        setup.require_only()
        yield systems.condition_system(setup, model, Toolbox([], language="en"))
        return
    async with systems.open_system(_on_the_web(setup), model, language="en") as system:
        yield _of_the_question(system) if _searches_the_question(setup) else system


def _of_the_question(system: System) -> System:
    """The same system, with every search for the question of the item."""

    def searching(item: Item) -> Researcher:
        researcher = system(item)
        tools = searching_for(str(item.facts["search_query"]), researcher.tools)
        return replace(researcher, tools=tools)

    return searching


def searching_for(query: str, tools: Toolbox) -> Toolbox:
    """The same tools, with a web search that takes every query for this one."""
    if _SEARCH not in tools:
        return tools
    return Toolbox([_tool(spec, tools, query) for spec in tools], language=tools.language)


def _tool(spec: ToolSpec, tools: Toolbox, query: str) -> Tool:
    return (
        _Search(_of_any_length(spec), tools, query) if spec.name == _SEARCH else _Same(spec, tools)
    )


def _of_any_length(spec: ToolSpec) -> ToolSpec:
    """A search that takes a whole case for a query: what is really searched for is short."""
    queries: Any = spec.parameters["query"]
    return replace(spec, parameters={"query": {**queries, "items": {"type": "string"}}})


@dataclass(frozen=True, slots=True)
class _Same:
    """A tool of another toolbox."""

    spec: ToolSpec
    tools: Toolbox

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        return await self.tools.call(self.spec.name, dict(arguments), context)


@dataclass(frozen=True, slots=True)
class _Search:
    """The web search of another toolbox, always for the same query."""

    spec: ToolSpec
    tools: Toolbox
    query: str

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        result = await self.tools.call(_SEARCH, {"query": [self.query]}, context)
        if result.status != "not_covered":
            return result
        return replace(result, status="not_checked")  # a run that could not search is no score


def _on_the_web(setup: Setup) -> Setup:
    """One search is one of the web, unless something else was asked for."""
    if setup.agent == "naive-rag" and setup.settings.sources is None:
        return replace(setup, settings=replace(setup.settings, sources=("web",)))
    return setup


def _searches_the_question(setup: Setup) -> bool:
    wanted = read_options(setup.options).queries
    return wanted == "question" or (not wanted and setup.settings.web.startswith(RECORDED))
