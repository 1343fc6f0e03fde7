"""LegalAgentBench as a benchmark of `inforce.evals`: 300 tasks, four agents, three tables."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing
from typing import Annotated

import msgspec

from inforce.agents.legalagentbench.agent import MOST_STEPS, ReAct
from inforce.agents.legalagentbench.planning import PlanExecute, PlanSolve
from inforce.agents.legalagentbench.preselection import DataTable, Preselection
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.run import Agent
from inforce.dates import Clock
from inforce.errors import UserError
from inforce.evals.benchmark import Benchmark, Item, ScoreItem, Setup, System, read_options
from inforce.evals.legalagentbench.measures import bertscore, scorer, summarise, tables
from inforce.evals.legalagentbench.protocol import ALWAYS, HARNESS, Retrievers, tools_of
from inforce.evals.legalagentbench.replay import find_recording, replaying
from inforce.evals.legalagentbench.tasks import read_tasks
from inforce.llm.chat import ChatModel
from inforce.llm.recorded import RecordedModel
from inforce.tools.toolbox import Toolbox

ORACLE = "oracle"

_METHODS: dict[str, type[ReAct | PlanSolve | PlanExecute]] = {
    "react": ReAct,
    "plan-solve": PlanSolve,
    "plan-execute": PlanExecute,
}

AGENTS = (*_METHODS, ORACLE)


class Options(msgspec.Struct, frozen=True):
    """The tables and retrievers of a task, and BERTScore."""

    preselection: Preselection | None = None
    retrievers: Retrievers | None = None
    database: str = ""
    bertscore: str = ""
    layer: Annotated[int, msgspec.Meta(ge=0)] | None = None


OPTIONS = {
    "preselection": "who chooses the tables a question needs: none, rules or model",
    "retrievers": "which tasks have the retrievers: always or writing; as published",
    "database": "URL of a database the tables are put into; in memory without one",
    "bertscore": "a folder with an encoder's weights: BERTScore is measured as well",
    "layer": "which layer BERTScore compares; the last without it",
}


@asynccontextmanager
async def open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    """Open the world with its tools, and one of the agents the paper compares.

    A recording holds no choice of tables, so with one the agent sees all tables.

    Raises:
        UserError: if the world is not named, there is no such agent or option, the database cannot
            be used, or a recording is of another agent.
        InputError: if the world cannot be read.
        MissingExtraError: if the extra ``tables`` is not installed.
    """
    from inforce.tools.legalagentbench import World, legalagentbench_tools

    settings, agent = setup.settings, setup.agent
    if settings.world is None:
        raise UserError("say where the tables are: --world FOLDER")
    if agent not in AGENTS:
        raise UserError(f"LegalAgentBench has no agent {agent!r}: use {', '.join(AGENTS)}")
    setup.require_only("world", *(("max_turns",) if agent != ORACLE else ()))
    is_replay = isinstance(model, RecordedModel)
    if is_replay and agent != "react":
        raise UserError(f"{model.name} holds conversations of --agent react, not of {agent!r}")
    options = read_options(setup, Options, OPTIONS)
    is_planning = agent in ("plan-solve", "plan-execute")
    retrievers = options.retrievers or ("writing" if is_planning else "always")
    preselection = options.preselection or ("none" if is_replay else "model")
    max_steps = settings.max_turns or MOST_STEPS
    database = options.database
    world = World.load(settings.world, database) if database else World.load(settings.world)
    with closing(world):
        toolbox = Toolbox(legalagentbench_tools(world))
        yield system_of(
            _agent_of(agent, preselection, max_steps),
            lambda item: tools_of(toolbox, item, retrievers),
            model,
            setup.clock,
        )


def _agent_of(name: str, preselection: Preselection, max_steps: int) -> Callable[[Item], Agent]:
    """An agent that reads actions and answers them in the benchmark's words."""
    if name == ORACLE:
        from inforce.evals.legalagentbench.oracle import oracle

        return lambda item: oracle(item.facts["way"])
    agent = _METHODS[name](_data_tables(), ALWAYS, preselection, HARNESS, max_steps)
    return lambda item: agent


def _data_tables() -> tuple[DataTable, ...]:
    """The benchmark's tables as agents see them."""
    from inforce.tools.legalagentbench.catalogue import TABLE_TOOLS, TABLES

    return tuple(
        DataTable(
            table.name,
            table.columns,
            tuple(tool.name for tool in TABLE_TOOLS if tool.table == table.name),
            table.about,
        )
        for table in TABLES
    )


def system_of(
    agent_of: Callable[[Item], Agent],
    tools_of: Callable[[Item], Toolbox],
    model: ChatModel,
    clock: Clock,
) -> System:
    """The agent and the tools of each task; a task with a recording is compared with it."""

    def system(item: Item) -> Researcher:
        agent = agent_of(item)
        if recording := find_recording(model, item):
            agent = replaying(agent, recording)
        return Researcher(agent, model, tools_of(item), clock)

    return system


def scorer_of(setup: Setup) -> ScoreItem:
    """The scorer, with BERTScore if the options name weights."""
    options = read_options(setup, Options, OPTIONS)
    weights = options.bertscore
    return scorer(bertscore(weights, layer=options.layer) if weights else None)


BENCHMARK = Benchmark(
    name="legalagentbench",
    title="Agents with 37 tools over 14 tables and three collections (LegalAgentBench, section 4)",
    agents=AGENTS,
    primary="success",
    read=lambda setup: read_tasks(setup.data),
    open_system=open_system,
    scorer=scorer_of,
    summarise=summarise,
    tables=tables,
    options=OPTIONS,
    zeroed=("process", "solved"),
    without_model=(ORACLE,),
)
