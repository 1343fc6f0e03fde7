"""LegalAgentBench as a benchmark of `inforce.evals`: 300 tasks, four agents, three tables."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar, get_args

from inforce.agents.plan import MOST_STEPS
from inforce.agents.preselection import Preselection
from inforce.agents.run import Agent
from inforce.errors import UserError
from inforce.evals.benchmark import Benchmark, Desk, Item, ScoreItem, Setup
from inforce.evals.legalagentbench.bench import Bench, open_bench
from inforce.evals.legalagentbench.items import item_of, task_of
from inforce.evals.legalagentbench.measures import bertscore, scorer, summarise
from inforce.evals.legalagentbench.protocol import AgentName, Retrievers
from inforce.evals.legalagentbench.published import tables
from inforce.evals.legalagentbench.recorded import Recordings, Replayed
from inforce.evals.legalagentbench.tasks import read_tasks
from inforce.llm.chat import ChatModel
from inforce.llm.recorded import RecordedModel
from inforce.tools.toolbox import Toolbox

AGENTS: tuple[AgentName, ...] = get_args(AgentName)

_T = TypeVar("_T", bound=str)


@dataclass(frozen=True, slots=True)
class BenchDesk:
    """The bench as a desk: an agent of the paper a task, told what was recorded of it."""

    bench: Bench
    recordings: Recordings

    def agent(self, item: Item) -> Agent:
        """The agent asked; put beside its recording where the model has one."""
        task = task_of(item)
        agent, recording = self.bench.agent(task), self.recordings.of_task(task)
        return Replayed(agent, recording, self.bench.contradicts) if recording else agent

    def tools(self, item: Item) -> Toolbox:
        """The tools of the task."""
        return self.bench.tools(task_of(item))


def read(setup: Setup) -> Sequence[Item]:
    """The tasks of a data set, in its order."""
    return [item_of(task) for task in read_tasks(setup.data)]


@asynccontextmanager
async def open_desk(setup: Setup, model: ChatModel) -> AsyncGenerator[Desk]:
    """The world and the agent; a recording, which holds no choice of tables, is given them all.

    Raises:
        UserError: if the world is not named, an agent or option is none there is, or a recording
            is put to an agent that holds another conversation than the recorded one.
        InputError, MissingExtraError: see `open_bench`.
    """
    if setup.world is None:
        raise UserError("say where the tables are: --world FOLDER")
    agent = _one_of(AGENTS, setup.agent, "agent")
    if isinstance(model, RecordedModel) and agent != "react":
        raise UserError(f"{model.name} holds conversations of --agent react, not of {agent!r}")
    usual: Preselection = "none" if isinstance(model, RecordedModel) else "model"
    opening = open_bench(
        setup.world,
        agent,
        preselection=_option(setup, "preselection", get_args(Preselection)) or usual,
        retrievers=_option(setup, "retrievers", get_args(Retrievers)),
        database=setup.options.get("database", ""),
        max_steps=setup.max_turns or MOST_STEPS,
    )
    with opening as bench:
        yield BenchDesk(bench, Recordings.of(model))


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
    open_desk=open_desk,
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
)
