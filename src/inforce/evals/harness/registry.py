"""The entry point for inspect-ai: the tasks ``inforce/NAME`` and the provider of models.

``inspect eval inforce/kqa --model openai/gpt-4o -T data=legalsearch_evaluation.jsonl -T agent=r1``
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inspect_ai import Task, task

from inforce.evals.benchmark import Benchmark, Setup
from inforce.evals.catalogue import NAMES, open_benchmark
from inforce.evals.harness import models as provider
from inforce.evals.harness.samples import dataset, measures, require_ids, researcher
from inforce.evals.harness.session import SharedSystem
from inforce.evals.run_config import parse_setup


def task_of(benchmark: Benchmark, setup: Setup, *, traces: Path | None = None) -> Task:
    """Return the task of a benchmark, also of one that is not in the catalogue.

    Without a folder for them, the traces of its samples are in the log.

    Raises:
        UserError, InputError: if its items cannot be read.
    """
    shared = SharedSystem(benchmark, setup)
    items = benchmark.read(setup)
    require_ids(items, setup.data)
    return Task(
        dataset=dataset(benchmark.name, items),
        solver=researcher(shared, traces),
        scorer=measures(shared, traces),
        name=f"inforce/{benchmark.name}",
        display_name=benchmark.name,
        description=benchmark.title,
        fail_on_error=False,
    )


__all__ = ["TASKS", "provider"]


def _registered(name: str) -> Callable[..., Task]:
    """The registered task of a benchmark; its arguments are written into every log."""

    def benchmark(
        data: str = "",
        agent: str = "",
        corpus: str = "",
        world: str = "",
        sources: str = "",
        web: str = "",
        documents: str = "",
        max_turns: int | None = None,
        today: str = "",
        traces: str = "",
        options: Mapping[str, Any] | None = None,
    ) -> Task:
        definition = open_benchmark(name)
        setup = parse_setup(
            definition,
            data=data,
            agent=agent,
            corpus=corpus,
            world=world,
            sources=sources,
            web=web,
            documents=documents,
            max_turns=max_turns,
            today=today,
            options=options,
        )
        return task_of(definition, setup, traces=Path(traces) if traces else None)

    return task(name=name)(benchmark)


TASKS: dict[str, Callable[..., Task]] = {name: _registered(name) for name in NAMES}
