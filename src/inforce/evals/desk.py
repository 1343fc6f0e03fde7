"""What agents work with while a benchmark runs: the law, and the tools of a workbench."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import cast, get_args

from inforce.agents.run import Agent
from inforce.agents.workbench import (
    AgentName,
    Kind,
    Workbench,
    laid_out,
    open_agent,
    read_kinds,
)
from inforce.errors import UserError
from inforce.evals.benchmark import Desk, Item, PlainDesk, Setup
from inforce.evals.conditions import CONDITIONS, condition
from inforce.library import Library
from inforce.llm.chat import ChatModel
from inforce.scoring.laws import open_law
from inforce.tools.tool import Language
from inforce.tools.toolbox import Toolbox

WORKBENCH_AGENTS: tuple[str, ...] = get_args(AgentName)
"""The agents a user has."""

_RECORDED = "recorded:"


@dataclass(frozen=True, slots=True)
class ConditionDesk:
    """One of the conditions agents are compared with; its words may differ from item to item."""

    name: str
    toolbox: Toolbox

    def agent(self, item: Item) -> Agent:
        """The condition, with the words of the item."""
        agent = condition(self.name, item)
        if agent is None:
            raise UserError(f"no agent is called {self.name!r}")
        return agent

    def tools(self, item: Item) -> Toolbox:
        """What may be searched."""
        return self.toolbox


@asynccontextmanager
async def open_workbench_desk(
    setup: Setup, model: ChatModel, *, language: Language = "zh"
) -> AsyncGenerator[Desk]:
    """An agent of the workbench, or a condition, with the tools it usually has.

    Args:
        setup: who works, with what.
        model: whom tools ask that read or route.
        language: of tools and prompts.

    Raises:
        UserError: if nobody has that name, or what was asked for cannot be had.
    """
    if setup.agent in ("direct", "direct-cot"):
        yield ConditionDesk(setup.agent, Toolbox([], language=language))
        return
    with open_library_for(setup) as library:
        bench = _workbench(setup, language)
        async with laid_out(bench, library, model) as tools:
            if setup.agent in CONDITIONS:
                yield ConditionDesk(setup.agent, tools)
            else:
                who = open_agent(bench.agent, language=language, max_turns=setup.max_turns)
                yield PlainDesk(who, tools)


def _workbench(setup: Setup, language: Language) -> Workbench:
    name = "r1" if setup.agent == "naive-rag" else setup.agent
    if name not in WORKBENCH_AGENTS:
        raise UserError(f"no agent is called {setup.agent!r}")
    bench = Workbench(
        cast("AgentName", name),
        language=language,
        web=setup.web,
        documents=setup.documents,
        world=setup.world,
        reaches_out=bool(setup.web),
    )
    return Workbench(
        bench.agent,
        _kinds(setup, bench),
        language,
        setup.web,
        setup.documents,
        setup.world,
        reaches_out=bench.reaches_out,
    )


def _kinds(setup: Setup, bench: Workbench) -> tuple[Kind, ...] | None:
    """What was asked for; beside a recorded web, nothing that would need the real one."""
    if setup.sources:
        return read_kinds(setup.sources)
    if setup.web.startswith(_RECORDED):
        return tuple(kind for kind in bench.usual if kind != "case-law")
    return None


@contextmanager
def open_library_for(
    setup: Setup, *, progress: Callable[[int], None] = lambda laws: None
) -> Generator[Library]:
    """The law a run answers from; see `inforce.scoring.laws.open_law`."""
    with open_law(setup.corpus, today=setup.today, progress=progress) as library:
        yield library
