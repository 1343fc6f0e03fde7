"""LegalAgentBench put together: a world, its tools, and one of the agents the paper compares."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from inforce.agents.plan_execute import PlanExecute
from inforce.agents.plan_solve import PlanSolve
from inforce.agents.preselection import Preselection, Table
from inforce.agents.react import ReAct
from inforce.agents.run import Agent
from inforce.errors import UserError
from inforce.evals.legalagentbench.protocol import (
    ALWAYS,
    HARNESS,
    AgentName,
    Retrievers,
    tools_of,
    usual_retrievers,
)
from inforce.evals.legalagentbench.replay import AT_ONCE, Bench
from inforce.evals.legalagentbench.tasks import Task
from inforce.llm.chat import ChatModel
from inforce.llm.recorded import RecordedModel
from inforce.tools.toolbox import Toolbox


@contextmanager
def open_bench(
    world: Path,
    agent: AgentName,
    model: ChatModel,
    *,
    today: date,
    preselection: Preselection = "model",
    retrievers: Retrievers | None = None,
    traces: Path | None = None,
    at_once: int = AT_ONCE,
    database: str = "",
) -> Generator[Bench]:
    """Open everything `inforce.evals.legalagentbench.replay.run_tasks` needs beside the tasks.

    Args:
        world: the folder of tables, frames and collections.
        agent: the method.
        model: who answers; `NoModel` for the oracle.
        today: the day the runs take place.
        preselection: who chooses the tables a question needs.
        retrievers: which tasks have the retrievers; as published where ``None``.
        traces: a folder for traces.
        at_once: tasks at the same time.
        database: URL of the database the tables are put into; in memory unless given.

    Raises:
        InputError: if the world cannot be read.
        UserError: if the database cannot be used, or a recording is put to an agent that holds
            another conversation than the recorded one.
        MissingExtraError: if the extra ``tables`` is not installed.
    """
    from inforce.evals.legalagentbench.contradictions import contradictions_in
    from inforce.tools.legalagentbench import World, legalagentbench_tools

    if isinstance(model, RecordedModel) and agent != "react":
        raise UserError(f"{model.name} holds conversations of --agent react, not of {agent!r}")
    loaded = World.load(world, database) if database else World.load(world)
    try:
        toolbox = Toolbox(legalagentbench_tools(loaded))
        who = retrievers or usual_retrievers(agent)
        yield Bench(
            agent_of(agent, tables(), preselection),
            model,
            lambda task: tools_of(toolbox, task, who),
            today,
            traces,
            at_once,
            contradictions_in(loaded),
        )
    finally:
        loaded.close()


def tables() -> tuple[Table, ...]:
    """The benchmark's tables, as an agent is told of them."""
    from inforce.tools.legalagentbench.catalogue import TABLE_TOOLS, TABLES

    return tuple(
        Table(
            table.name,
            table.columns,
            tuple(tool.name for tool in TABLE_TOOLS if tool.table == table.name),
            table.about,
        )
        for table in TABLES
    )


def agent_of(
    name: AgentName, tables: Sequence[Table], preselection: Preselection
) -> Callable[[Task], Agent]:
    """An agent of the benchmark, with the benchmark's reading of actions and its words."""
    told = tuple(tables)
    if name == "react":
        react = ReAct(told, ALWAYS, preselection, HARNESS)
        return lambda task: react
    steps = PlanSolve(told, ALWAYS, preselection, HARNESS)
    if name == "plan-solve":
        return lambda task: steps
    if name == "plan-execute":
        return lambda task: PlanExecute(steps)
    return _oracle


def _oracle(task: Task) -> Agent:
    from inforce.evals.legalagentbench.oracle import Oracle

    return Oracle(task.way)
