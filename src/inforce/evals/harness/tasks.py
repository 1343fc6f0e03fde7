"""A benchmark as a task of inspect-ai."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from inspect_ai import Task

from inforce.dates import system_clock
from inforce.errors import UserError
from inforce.evals.benchmark import Benchmark, Setup
from inforce.evals.catalogue import open_benchmark
from inforce.evals.harness.opened import OpenedOnce
from inforce.evals.harness.samples import dataset, require_ids
from inforce.evals.harness.scorer import measures
from inforce.evals.harness.solver import researcher


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskArguments:
    """What a task is told on Inspect's command line (``-T name=value``), all of it plain text."""

    data: str
    agent: str = ""
    corpus: str = ""
    world: str = ""
    sources: str = ""
    web: str = ""
    documents: str = ""
    max_turns: int | None = None
    today: str = ""
    traces: str = ""
    """A folder for one trace a sample; kept in the log without one."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])

    def setup(self, benchmark: Benchmark) -> Setup:
        """The same with paths, days and defaults.

        Raises:
            UserError: if the benchmark knows no such agent or option, or the day is none.
        """
        agent = self.agent or benchmark.agents[0]
        _require(agent, benchmark.agents, f"{benchmark.name} is run by")
        for option in self.options:
            _require(option, benchmark.options, f"the options of {benchmark.name} are")
        return Setup(
            data=Path(self.data),
            agent=agent,
            today=_day(self.today),
            corpus=_path(self.corpus),
            world=_path(self.world),
            sources=self.sources,
            web=self.web,
            documents=_path(self.documents),
            max_turns=self.max_turns,
            options=dict(self.options),
        )


def benchmark_task(name: str, arguments: TaskArguments) -> Task:
    """The task of a benchmark.

    Raises:
        UserError, InputError: if it cannot be run so; see `TaskArguments.setup`.
    """
    return task_of(open_benchmark(name), arguments)


def task_of(benchmark: Benchmark, arguments: TaskArguments) -> Task:
    """The task of any benchmark, a person's own among them.

    Raises:
        UserError, InputError: if it cannot be run so; see `TaskArguments.setup`.
    """
    setup = arguments.setup(benchmark)
    opened = OpenedOnce(benchmark, setup)
    traces = _path(arguments.traces)
    items = benchmark.read(setup)
    require_ids(items, setup.data)
    return Task(
        dataset=dataset(benchmark.name, items),
        solver=researcher(opened, traces),
        scorer=measures(opened, traces),
        name=f"inforce/{benchmark.name}",
        display_name=benchmark.name,
        description=benchmark.title,
        fail_on_error=False,
    )


def task_arguments(given: Mapping[str, Any]) -> TaskArguments:
    """Arguments as Inspect hands them over."""
    return TaskArguments(**given)


def _require(value: str, known: Mapping[str, str] | tuple[str, ...], told: str) -> None:
    if value not in known:
        raise UserError(f"{told} {', '.join(known) or 'none'}, not {value!r}")


def _path(text: str) -> Path | None:
    return Path(text) if text else None


def _day(text: str) -> date:
    if not text:
        return system_clock()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"today has to be a day like 2026-11-20, not {text!r}") from error
