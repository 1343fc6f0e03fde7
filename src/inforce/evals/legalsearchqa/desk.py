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

from inforce.agents.run import Agent
from inforce.evals.benchmark import Desk, Item, Setup
from inforce.evals.legalsearchqa.options import read_options
from inforce.llm.chat import ChatModel
from inforce.tools.context import RunContext
from inforce.tools.tool import Arguments, Tool, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

_SEARCH = "web_search"
_RECORDED = "recorded:"


@asynccontextmanager
async def open_desk(setup: Setup, model: ChatModel) -> AsyncGenerator[Desk]:
    """Opens an agent or a condition with its tools, in English.

    Raises:
        UserError: if nobody has that name, or what was asked for cannot be had.
    """
    from inforce.evals.desk import open_workbench_desk

    if setup.agent.startswith("always-"):
        yield ConstantDesk(setup.agent)
        return
    async with open_workbench_desk(_on_the_web(setup), model, language="en") as desk:
        yield QuestionDesk(desk) if _searches_the_question(setup) else desk


@dataclass(frozen=True, slots=True)
class ConstantDesk:
    """The same letter for every question; nothing is searched."""

    name: str

    def agent(self, item: Item) -> Agent:
        """The letter, as an agent."""
        from inforce.errors import UserError
        from inforce.evals.conditions import condition

        agent = condition(self.name, item)
        if agent is None:
            raise UserError(f"no agent is called {self.name!r}")
        return agent

    def tools(self, item: Item) -> Toolbox:
        """None."""
        return Toolbox([], language="en")


@dataclass(frozen=True, slots=True)
class QuestionDesk:
    """A desk at which every search is for the question of the item."""

    desk: Desk

    def agent(self, item: Item) -> Agent:
        """The agent of the desk."""
        return self.desk.agent(item)

    def tools(self, item: Item) -> Toolbox:
        """Its tools, the search among them replaced."""
        return searching_for(str(item.facts["search_query"]), self.desk.tools(item))


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
    if setup.agent == "naive-rag" and not setup.sources:
        return replace(setup, sources="web")
    return setup


def _searches_the_question(setup: Setup) -> bool:
    wanted = read_options(setup.options).queries
    return wanted == "question" or (not wanted and setup.web.startswith(_RECORDED))
