"""The benchmark ``dated``: recitation of the law of the day, and of the law of another time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from inforce.agents.registry import METHODS
from inforce.evals.baselines import BASELINES
from inforce.evals.benchmark import Benchmark, Item, Setup
from inforce.evals.dated.questions import DatedQuestion, instructions, read_questions
from inforce.evals.dated.scoring import MEASURES, score
from inforce.evals.dated.tables import summarise, tables
from inforce.evals.rule_agents import RULE_AGENTS
from inforce.evals.systems import open_system

NAME = "dated"


def read(setup: Setup) -> Sequence[Item]:
    """The questions of a file, in its order."""
    return tuple(item(one) for one in read_questions(setup.data))


def item(question: DatedQuestion) -> Item:
    """A question as an item of the benchmark."""
    dated = question.dated
    tagged, plain = instructions(dated.kind)
    prompts = {"plain_question": question.question, "task_prompt": tagged}
    return Item(
        question.id,
        NAME,
        f"{plain}\n{question.question}",
        question.answer,
        dated.kind,
        {**msgspec.to_builtins(dated), **prompts},
    )


BENCHMARK = Benchmark(
    name=NAME,
    title="Dated questions: the wording in force then, and leaks of law of another time",
    agents=(*RULE_AGENTS, *METHODS, *BASELINES),
    primary=MEASURES[0],
    read=read,
    open_system=open_system,
    scorer=lambda setup: score,
    summarise=summarise,
    tables=tables,
    rules=RULE_AGENTS,
    published=Path(__file__).with_name("dated-1000.jsonl.gz"),
)
