"""A benchmark small enough to know every figure of: letters asked of a model, one a line."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.run import Run
from inforce.evals.benchmark import Attempt, Benchmark, Item, ItemScore, Record, Setup, System
from inforce.evals.summary import means, summary_of_means
from inforce.evals.table import Row, Table
from inforce.llm.chat import ChatModel, Message
from inforce.tools.toolbox import Toolbox

JUDGEMENT = "judge this"


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks the model once and takes its word for it."""

    name: str = "direct"

    @property
    def settings(self) -> dict[str, str]:
        return {}

    async def __call__(self, run: Run) -> Draft:
        reply = await run.reply([Message("user", run.question)])
        return Draft(reply.text)


def read(setup: Setup) -> Sequence[Item]:
    lines = setup.data.read_text(encoding="utf-8").splitlines()
    return [
        Item(f"q{number}", "even" if number % 2 == 0 else "odd", f"{line}?", line, facts={"n": 1})
        for number, line in enumerate(lines)
    ]


@asynccontextmanager
async def open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    OPENED.append(True)
    try:
        yield lambda item: Researcher(Asker(), model, Toolbox([]), setup.clock)
    finally:
        OPENED.pop()


OPENED: list[bool] = []
"""Systems that are open."""


async def score(item: Item, attempt: Attempt, judge: ChatModel | None) -> ItemScore:
    right = float(attempt.text == item.target)
    if judge is None:
        return ItemScore({"accuracy": right, "judged": None}, attempt.text)
    word = (await judge.reply([Message("user", f"{JUDGEMENT}: {attempt.text}")])).text
    judged = {"good": 1.0, "bad": 0.0}.get(word)
    return ItemScore({"accuracy": right, "judged": judged}, attempt.text, {"word": word}, "as told")


def tables(records: Sequence[Record], name: str) -> Sequence[Table]:
    row = Row(name, tuple(means(records, ["accuracy", "judged"]).values()))
    return [Table("Tiny", ("accuracy", "judged"), (row,))]


BENCHMARK = Benchmark(
    name="kqa",
    title="a tiny benchmark",
    agents=("direct",),
    primary="accuracy",
    read=read,
    open_system=open_system,
    scorer=lambda setup: score,
    summarise=summary_of_means(["accuracy", "judged"], by=lambda record: record.task),
    tables=tables,
)
