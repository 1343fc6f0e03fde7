"""The benchmark ``dated``: who recites the law of the day, and who the law of another."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from inforce.agents.registry import METHODS
from inforce.agents.runtime.research import Researcher
from inforce.evals import systems
from inforce.evals.benchmark import Benchmark, Item, ScoreItem, Setup, System
from inforce.evals.conditions import CONDITIONS
from inforce.evals.dated.questions import DatedQuestion, instructions, read_questions
from inforce.evals.dated.scoring import MEASURES, score
from inforce.evals.dated.tables import summarise, tables
from inforce.evals.lar import RECITER, TODAYS_LAW, rule_agent
from inforce.llm.chat import ChatModel
from inforce.scoring.corpora import open_library_of

NAME = "dated"
RULES = (RECITER, TODAYS_LAW)
"""Agents that ask no model."""


def read(setup: Setup) -> Sequence[Item]:
    """The questions of a file, in its order."""
    return tuple(item(one) for one in read_questions(setup.data))


def item(one: DatedQuestion) -> Item:
    """A question as it is put to an agent."""
    tagged, plain = instructions(one.dated.kind)
    prompts = {"plain_question": one.question, "task_prompt": tagged}
    return Item(
        one.id,
        NAME,
        f"{plain}\n{one.question}",
        one.answer,
        one.dated.kind,
        {**msgspec.to_builtins(one.dated), **prompts},
    )


@asynccontextmanager
async def open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    """An agent or a condition; the two that need no model read the corpus itself."""
    if setup.agent not in RULES:
        async with systems.open_system(setup, model) as system:
            yield system
        return
    setup.require_only("corpus")
    from inforce.tools.statutes import statute_tools
    from inforce.tools.toolbox import Toolbox

    with open_library_of(setup.corpus, today=setup.today) as library:
        tools = Toolbox(statute_tools(library))
        researcher = Researcher(rule_agent(setup.agent, library), model, tools, setup.clock)
        yield lambda item: researcher


def scorer(setup: Setup) -> ScoreItem:
    """Scores without a judge."""
    return score


BENCHMARK = Benchmark(
    name=NAME,
    title="Dated questions: the wording in force then, and leaks of law of another time",
    agents=(*RULES, *METHODS, *CONDITIONS),
    primary=MEASURES[0],
    read=read,
    open_system=open_system,
    scorer=scorer,
    summarise=summarise,
    tables=tables,
    rules=RULES,
    published=Path(__file__).with_name("dated-1000.jsonl.gz"),
)
