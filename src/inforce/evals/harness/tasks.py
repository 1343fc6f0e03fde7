"""A benchmark as a task of inspect-ai."""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task

from inforce.evals.benchmark import Benchmark, Setup
from inforce.evals.harness.samples import dataset, measures, require_ids, researcher
from inforce.evals.harness.shared import SharedSystem


def task_of(benchmark: Benchmark, setup: Setup, *, traces: Path | None = None) -> Task:
    """The task of any benchmark, a person's own among them.

    Args:
        benchmark: which.
        setup: how it is run.
        traces: a folder for one trace a sample; they are in the log without one.

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
