"""What inspect-ai finds through this package's entry point: tasks and the provider.

``inspect eval inforce/kqa --model openai/gpt-4o -T data=legalsearch_evaluation.jsonl -T agent=r1``
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inspect_ai import Task, task

from inforce.evals.catalogue import NAMES, open_benchmark
from inforce.evals.harness import models as provider
from inforce.evals.harness.tasks import task_of
from inforce.evals.orders import read_setup

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
        which = open_benchmark(name)
        setup = read_setup(
            which,
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
        return task_of(which, setup, traces=Path(traces) if traces else None)

    return task(name=name)(benchmark)


TASKS: dict[str, Callable[..., Task]] = {name: _registered(name) for name in NAMES}
"""Every benchmark as a task."""
