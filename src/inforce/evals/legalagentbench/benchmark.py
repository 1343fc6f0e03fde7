"""LegalAgentBench as a benchmark of `inforce.evals`: 300 tasks, four agents, three tables."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, get_args

from inforce.agents.legalagentbench.agent import MOST_STEPS
from inforce.agents.legalagentbench.planning import PlanExecute, PlanSolve
from inforce.agents.legalagentbench.preselection import DataTable, Preselection
from inforce.agents.legalagentbench.react import ReAct
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.run import Agent
from inforce.dates import Clock
from inforce.errors import UserError
from inforce.evals.benchmark import Benchmark, Item, ScoreItem, Setup, System
from inforce.evals.legalagentbench.measures import bertscore, scorer, summarise, tables
from inforce.evals.legalagentbench.protocol import (
    ALWAYS,
    HARNESS,
    AgentName,
    Retrievers,
    tools_of,
    usual_retrievers,
)
from inforce.evals.legalagentbench.replay import Recordings, Replayed
from inforce.evals.legalagentbench.tasks import Task, item_of, read_tasks, task_of
from inforce.llm.chat import ChatModel
from inforce.llm.recorded import RecordedModel
from inforce.tools.toolbox import Toolbox

AGENTS: tuple[AgentName, ...] = get_args(AgentName)

_T = TypeVar("_T", bound=str)


@dataclass(frozen=True, slots=True)
class Bench:
    """The agent and the tools of each task."""

    agent: Callable[[Task], Agent]
    tools: Callable[[Task], Toolbox]


@contextmanager
def open_bench(
    world: Path,
    agent: AgentName,
    *,
    preselection: Preselection = "model",
    retrievers: Retrievers | None = None,
    database: str = "",
    max_steps: int = MOST_STEPS,
) -> Generator[Bench]:
    """Open a world with its tools, and one of the agents the paper compares.

    Args:
        world: the folder of tables, frames and collections.
        agent: the method.
        preselection: who chooses the tables a question needs.
        retrievers: which tasks have the retrievers; as published where ``None``.
        database: URL of the database the tables are put into; in memory unless given.
        max_steps: steps after which a run is stopped.

    Raises:
        InputError: if the world cannot be read.
        UserError: if the database cannot be used.
        MissingExtraError: if the extra ``tables`` is not installed.
    """
    from inforce.tools.legalagentbench import World, legalagentbench_tools

    loaded = World.load(world, database) if database else World.load(world)
    try:
        toolbox = Toolbox(legalagentbench_tools(loaded))
        who = retrievers or usual_retrievers(agent)
        yield Bench(
            agent_of(agent, data_tables(), preselection, max_steps=max_steps),
            lambda task: tools_of(toolbox, task, who),
        )
    finally:
        loaded.close()


def data_tables() -> tuple[DataTable, ...]:
    """The benchmark's tables, as an agent is shown them."""
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


def agent_of(
    name: AgentName,
    tables: Sequence[DataTable],
    preselection: Preselection,
    *,
    max_steps: int = MOST_STEPS,
) -> Callable[[Task], Agent]:
    """An agent of the benchmark, with the benchmark's reading of actions and its words."""
    methods: dict[str, type[ReAct | PlanSolve | PlanExecute]] = {
        "react": ReAct,
        "plan-solve": PlanSolve,
        "plan-execute": PlanExecute,
    }
    if name not in methods:
        return _oracle
    agent = methods[name](tuple(tables), ALWAYS, preselection, HARNESS, max_steps)
    return lambda task: agent


def _oracle(task: Task) -> Agent:
    from inforce.evals.legalagentbench.oracle import Oracle

    return Oracle(task.way)


def system_of(bench: Bench, model: ChatModel, clock: Clock) -> System:
    """The agent of a task with the task's tools; compared with its recording if there is one."""
    recordings = Recordings.of(model)

    def system(item: Item) -> Researcher:
        task = task_of(item)
        agent, recording = bench.agent(task), recordings.of_task(task)
        if recording:
            agent = Replayed(agent, recording)
        return Researcher(agent, model, bench.tools(task), clock)

    return system


def read(setup: Setup) -> Sequence[Item]:
    """The tasks of a data set, in its order."""
    return [item_of(task) for task in read_tasks(setup.data)]


@asynccontextmanager
async def open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    """The world and the agent; a recording, which holds no choice of tables, is given them all.

    Raises:
        UserError: if the world is not named, an agent or option is none there is, or a recording
            is put to an agent that holds another conversation than the recorded one.
        InputError, MissingExtraError: see `open_bench`.
    """
    settings = setup.settings
    if settings.world is None:
        raise UserError("say where the tables are: --world FOLDER")
    agent = _one_of(AGENTS, setup.agent, "agent")
    setup.require_only("world", *(("max_turns",) if agent != "oracle" else ()))
    if isinstance(model, RecordedModel) and agent != "react":
        raise UserError(f"{model.name} holds conversations of --agent react, not of {agent!r}")
    usual: Preselection = "none" if isinstance(model, RecordedModel) else "model"
    opening = open_bench(
        settings.world,
        agent,
        preselection=_option(setup, "preselection", get_args(Preselection)) or usual,
        retrievers=_option(setup, "retrievers", get_args(Retrievers)),
        database=setup.options.get("database", ""),
        max_steps=settings.max_turns or MOST_STEPS,
    )
    with opening as bench:
        yield system_of(bench, model, setup.clock)


def scorer_of(setup: Setup) -> ScoreItem:
    """The scorer, with BERTScore where weights are given."""
    weights = setup.options.get("bertscore")
    return scorer(bertscore(weights, layer=_layer(setup)) if weights else None)


def _layer(setup: Setup) -> int | None:
    given = setup.options.get("layer")
    if given and not given.isdecimal():
        raise UserError(f"a layer is named by its number, counted from 0, not by {given!r}")
    return int(given) if given else None


def _option(setup: Setup, name: str, among: Sequence[_T]) -> _T | None:
    given = setup.options.get(name)
    return _one_of(among, given, f"option {name}") if given else None


def _one_of(among: Sequence[_T], given: str, what: str) -> _T:
    for one in among:
        if one == given:
            return one
    raise UserError(f"LegalAgentBench has no {what} {given!r}: use {', '.join(among)}")


BENCHMARK = Benchmark(
    name="legalagentbench",
    title="Agents with 37 tools over 14 tables and three collections (LegalAgentBench, section 4)",
    agents=AGENTS,
    primary="success",
    read=read,
    open_system=open_system,
    scorer=scorer_of,
    summarise=summarise,
    tables=tables,
    options={
        "preselection": "who chooses the tables a question needs: none, rules or model",
        "retrievers": "which tasks have the retrievers: always or writing; as published",
        "database": "URL of a database the tables are put into; in memory without one",
        "bertscore": "a folder with an encoder's weights: BERTScore is measured as well",
        "layer": "which layer BERTScore compares; the last without it",
    },
    zeroed=("process", "solved"),
    without_model=("oracle",),
)
