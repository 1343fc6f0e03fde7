"""The benchmark of LegalSearch-R1, whole as ``legalsearch`` and each of its tasks by name."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

from inforce.agents.runtime.research import Researcher
from inforce.errors import UserError
from inforce.evals.benchmark import (
    Attempt,
    Benchmark,
    Item,
    Record,
    Scored,
    ScoreItem,
    Setup,
    Summary,
    System,
)
from inforce.evals.lar import RECITER, rule_agent
from inforce.evals.legalsearch.items import read_items
from inforce.evals.legalsearch.scoring import OF_R1, score
from inforce.evals.legalsearch.tables import average, tables, tables_of_task
from inforce.evals.summary import grouped, means, summary_of_means
from inforce.llm.chat import ChatModel
from inforce.scoring.judge import FAILED_JUDGE, JUDGE_PROMPTS
from inforce.scoring.legalsearch import CONSULTATION, RECITATION, SCORE
from inforce.scoring.tasks import IN_DOMAIN, OUT_OF_DOMAIN, TASKS, TITLES, Task
from inforce.tools.toolbox import Toolbox

AGENTS = (
    *("r1", "direct", "direct-cot", "naive-rag", "msr2", "react"),
    *("plan-solve", "plan-execute", "lmars", "lmars-multi"),
)
"""Who can be asked; the reciter beside them, for articles."""

_TASKS = "only these tasks, with commas: lar,kqa (all without it)"
T = TypeVar("T", bound=str)

_JUDGE_PROMPT = "how a consultation's judge is asked: guarded (as we do) or plain"
_FAILED_JUDGE = "what a consultation scores whose judge failed: missing (as we do) or zero"
_JUDGE_OPTIONS = {"failed_judge": _FAILED_JUDGE, "judge_prompt": _JUDGE_PROMPT}


def _measures(task: Task) -> tuple[str, ...]:
    own: dict[Task, tuple[str, ...]] = {"lar": RECITATION, "lcs": CONSULTATION}
    return (SCORE, *own.get(task, ()), *OF_R1)


def _read_chosen(setup: Setup) -> Sequence[Item]:
    """The items of the tasks the options name."""
    named = [part.strip() for part in setup.options.get("tasks", "").split(",") if part.strip()]
    if unknown := [name for name in named if name not in TASKS]:
        raise UserError(f"no task is called {', '.join(unknown)}: use {','.join(TASKS)}")
    return read_items(setup.data, today=setup.today, tasks=named)


def _read_task(setup: Setup, *, task: Task) -> Sequence[Item]:
    return read_items(setup.data, today=setup.today, tasks=[task])


@asynccontextmanager
async def _open_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    """The agents and the conditions; the reciter, who needs the law alone."""
    from inforce.evals import systems
    from inforce.scoring.corpora import open_library_of
    from inforce.tools.statutes import statute_tools

    if setup.agent == RECITER:
        setup.require_only("corpus")
        with open_library_of(setup.corpus, today=setup.today) as library:
            tools = Toolbox(statute_tools(library))
            reciting = Researcher(rule_agent(RECITER, library), model, tools, setup.clock)
            yield lambda item: reciting
        return
    async with systems.open_system(setup, model) as system:
        yield system


def _scorer(setup: Setup) -> ScoreItem:
    failed_judge = _chosen(setup, "failed_judge", FAILED_JUDGE)
    judge_prompt = _chosen(setup, "judge_prompt", JUDGE_PROMPTS)

    async def score_item(item: Item, attempt: Attempt, judge: ChatModel | None) -> Scored:
        return await score(
            item, attempt, judge, failed_judge=failed_judge, judge_prompt=judge_prompt
        )

    return score_item


def _chosen(setup: Setup, name: str, among: Sequence[T]) -> T:
    """The value of an option; the first without one."""
    given = setup.options.get(name, among[0])
    for one in among:
        if one == given:
            return one
    raise UserError(f"the option {name} is {' or '.join(map(str, among))}, not {given!r}")


def _summarise(records: Sequence[Record]) -> Summary:
    """Means over all items, the paper's two averages of tasks, and the measures of each task."""
    by_task = grouped(records, lambda one: one.task)
    held: list[Task] = [task for task in TASKS if task in by_task]
    measures = dict.fromkeys([SCORE, *(name for task in held for name in _measures(task))])
    overall = {
        **means(records, _taken(list(measures), records)),
        "id_average": average(records, IN_DOMAIN),
        "ood_average": average(records, OUT_OF_DOMAIN),
    }
    groups = {task: means(of := by_task[task], _taken(_measures(task), of)) for task in held}
    return Summary(overall, groups)


def _summarise_task(task: Task, records: Sequence[Record]) -> Summary:
    by = _year if task == "lar" else None
    return summary_of_means(_taken(_measures(task), records), by=by)(records)


def _taken(measures: Sequence[str], records: Sequence[Record]) -> list[str]:
    """Those of R1 only where they were taken: runs of other agents have none."""
    of_r1 = {name for one in records for name in one.values} & set(OF_R1)
    return [name for name in measures if name not in OF_R1 or name in of_r1]


def _year(record: Record) -> str:
    return record.group


_WHOLE = Benchmark(
    name="legalsearch",
    title="the 13 tasks of LegalSearch-R1 (sections 4 and 6, tables 2 and 4)",
    agents=AGENTS,
    primary=SCORE,
    read=_read_chosen,
    open_system=_open_system,
    scorer=_scorer,
    summarise=_summarise,
    tables=tables,
    options={"tasks": _TASKS, **_JUDGE_OPTIONS},
    is_judged=True,
)


def _benchmark(task: Task) -> Benchmark:
    """A single task as a benchmark of its own."""
    return Benchmark(
        name=task,
        title=f"{TITLES[task]} (a task of LegalSearch-R1)",
        agents=(RECITER, *AGENTS) if task == "lar" else AGENTS,
        primary=SCORE,
        read=partial(_read_task, task=task),
        open_system=_open_system,
        scorer=_scorer,
        summarise=partial(_summarise_task, task),
        tables=partial(tables_of_task, task),
        options=_JUDGE_OPTIONS if task == "lcs" else {},
        rules=(RECITER,) if task == "lar" else (),
        is_judged=task == "lcs",
    )


BENCHMARKS: tuple[Benchmark, ...] = (_WHOLE, *(_benchmark(task) for task in TASKS))
