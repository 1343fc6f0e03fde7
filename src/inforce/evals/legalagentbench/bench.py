"""LegalAgentBench put together: a world, its tools, and one of the agents the paper compares."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inforce.agents.legalagentbench.agent import MOST_STEPS
from inforce.agents.legalagentbench.planning import PlanExecute, PlanSolve
from inforce.agents.legalagentbench.preselection import DataTable, Preselection
from inforce.agents.legalagentbench.react import ReAct
from inforce.agents.runtime.run import Agent
from inforce.evals.legalagentbench.observations import Contradicts
from inforce.evals.legalagentbench.protocol import (
    ALWAYS,
    HARNESS,
    AgentName,
    Retrievers,
    tools_of,
    usual_retrievers,
)
from inforce.evals.legalagentbench.tasks import Task
from inforce.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Bench:
    """Who works on the tasks, with what, and which recorded observations nobody can meet."""

    agent: Callable[[Task], Agent]
    tools: Callable[[Task], Toolbox]
    contradicts: Contradicts


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
    """Open a world, and put an agent before it.

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
    from inforce.evals.legalagentbench.contradictions import contradictions_in
    from inforce.tools.legalagentbench import World, legalagentbench_tools

    loaded = World.load(world, database) if database else World.load(world)
    try:
        toolbox = Toolbox(legalagentbench_tools(loaded))
        who = retrievers or usual_retrievers(agent)
        yield Bench(
            agent_of(agent, tables(), preselection, max_steps=max_steps),
            lambda task: tools_of(toolbox, task, who),
            contradictions_in(loaded),
        )
    finally:
        loaded.close()


def tables() -> tuple[DataTable, ...]:
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
