"""The benchmark of LegalSearch-R1, whole as ``legalsearch`` and each of its tasks by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from inforce.errors import UserError
from inforce.evals.benchmark import (
    Benchmark,
    Item,
    Record,
    ScoreItem,
    Setup,
    Summary,
    read_options,
)
from inforce.evals.legalsearch.items import read_items
from inforce.evals.legalsearch.scoring import OF_R1, score
from inforce.evals.legalsearch.tables import average, tables, tables_of_task
from inforce.evals.rule_agents import RECITER
from inforce.evals.summary import by_group, by_task, grouped, means, summary_of_means
from inforce.evals.systems import open_system
from inforce.scoring.judge import FailedJudge, JudgePrompt
from inforce.scoring.legalsearch import CONSULTATION, RECITATION, SCORE
from inforce.scoring.tasks import IN_DOMAIN, OUT_OF_DOMAIN, TASKS, TITLES, Task

AGENTS = (
    *("r1", "direct", "direct-cot", "naive-rag", "msr2", "react"),
    *("plan-solve", "plan-execute", "lmars", "lmars-multi"),
)
"""The agents of all tasks; ``lar`` also has the reciter."""


class Options(msgspec.Struct, frozen=True):
    """The tasks, and the judge of consultations."""

    tasks: str = ""
    failed_judge: FailedJudge = "missing"
    judge_prompt: JudgePrompt = "guarded"


_TASKS = {"tasks": "only these tasks, with commas: lar,kqa (all without it)"}
_JUDGE = {
    "failed_judge": "what a consultation scores whose judge failed: missing (as we do) or zero",
    "judge_prompt": "how a consultation's judge is asked: guarded (as we do) or plain",
}
_OPTIONS = {**_TASKS, **_JUDGE}


def _measures(task: Task) -> tuple[str, ...]:
    own: dict[Task, tuple[str, ...]] = {"lar": RECITATION, "lcs": CONSULTATION}
    return (SCORE, *own.get(task, ()), *OF_R1)


def _read_chosen(setup: Setup) -> Sequence[Item]:
    """The items of the tasks that the options name."""
    tasks = [part.strip() for part in read_options(setup, Options, _OPTIONS).tasks.split(",")]
    tasks = [task for task in tasks if task]
    if unknown := [task for task in tasks if task not in TASKS]:
        raise UserError(f"no task is called {', '.join(unknown)}: use {','.join(TASKS)}")
    return read_items(setup.data, today=setup.today, tasks=tasks)


def _scorer(setup: Setup) -> ScoreItem:
    options = read_options(setup, Options, _OPTIONS)
    return partial(score, failed_judge=options.failed_judge, judge_prompt=options.judge_prompt)


def _summarise(records: Sequence[Record]) -> Summary:
    """Means over all items, the paper's two averages of tasks, and the measures of each task."""
    of_task = grouped(records, by_task)
    present: list[Task] = [task for task in TASKS if task in of_task]
    measures = dict.fromkeys([SCORE, *(name for task in present for name in _measures(task))])
    overall = {
        **means(records, _taken(list(measures), records)),
        "id_average": average(records, IN_DOMAIN),
        "ood_average": average(records, OUT_OF_DOMAIN),
    }
    groups = {task: means(of := of_task[task], _taken(_measures(task), of)) for task in present}
    return Summary(overall, groups)


def _summarise_task(task: Task, records: Sequence[Record]) -> Summary:
    """Means of the task's measures; for articles also by the year of the law, their group."""
    by = by_group if task == "lar" else None
    return summary_of_means(_taken(_measures(task), records), by=by)(records)


def _taken(measures: Sequence[str], records: Sequence[Record]) -> list[str]:
    """The measures without those of R1 that no record has: runs of other agents have none."""
    of_r1 = {name for one in records for name in one.values} & set(OF_R1)
    return [name for name in measures if name not in OF_R1 or name in of_r1]


_WHOLE = Benchmark(
    name="legalsearch",
    title="the 13 tasks of LegalSearch-R1 (sections 4 and 6, tables 2 and 4)",
    agents=AGENTS,
    primary=SCORE,
    read=_read_chosen,
    open_system=open_system,
    scorer=_scorer,
    summarise=_summarise,
    tables=tables,
    options=_OPTIONS,
    is_judged=True,
)


def _benchmark(task: Task) -> Benchmark:
    """A single task as a benchmark of its own."""
    return Benchmark(
        name=task,
        title=f"{TITLES[task]} (a task of LegalSearch-R1)",
        agents=(RECITER, *AGENTS) if task == "lar" else AGENTS,
        primary=SCORE,
        read=lambda setup: read_items(setup.data, today=setup.today, tasks=[task]),
        open_system=open_system,
        scorer=_scorer,
        summarise=partial(_summarise_task, task),
        tables=partial(tables_of_task, task),
        options=_JUDGE if task == "lcs" else {},
        rules=(RECITER,) if task == "lar" else (),
        is_judged=task == "lcs",
    )


BENCHMARKS: tuple[Benchmark, ...] = (_WHOLE, *(_benchmark(task) for task in TASKS))
