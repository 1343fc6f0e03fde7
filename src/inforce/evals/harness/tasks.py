"""A benchmark as a task of inspect-ai."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from inspect_ai import Task

from inforce.agents.settings import ResearchOptions, ResearchSettings
from inforce.dates import system_clock
from inforce.errors import UserError
from inforce.evals.benchmark import Benchmark, Setup
from inforce.evals.harness.samples import dataset, measures, require_ids, researcher
from inforce.evals.harness.shared import SharedSystem


def read_setup(
    benchmark: Benchmark,
    *,
    data: str,
    agent: str = "",
    corpus: str = "",
    world: str = "",
    sources: str = "",
    web: str = "",
    documents: str = "",
    max_turns: int | None = None,
    today: str = "",
    options: Mapping[str, Any] | None = None,
) -> Setup:
    """A setup from plain text, as Inspect's command line has it (``-T name=value``).

    Raises:
        UserError: if the benchmark knows no such agent or option, or a source or the day is none.
    """
    agent = agent or benchmark.agents[0]
    _require(agent, benchmark.agents, f"{benchmark.name} is run by")
    for option in options or ():
        _require(option, benchmark.options, f"the options of {benchmark.name} are")
    research = ResearchOptions(
        agent=agent,
        sources=sources or None,
        web=web,
        documents=documents or None,
        world=world or None,
        max_turns=max_turns,
        network=False,
    )
    return Setup(
        data=Path(data),
        today=_day(today),
        settings=ResearchSettings().with_options(research),
        corpus=Path(corpus) if corpus else None,
        options={key: str(value) for key, value in (options or {}).items()},
    )


def written(setup: Setup) -> dict[str, Any]:
    """A setup as plain text: `read_setup` reads it back."""
    settings = setup.settings
    return {
        "data": str(setup.data),
        "agent": setup.agent,
        "corpus": str(setup.corpus or ""),
        "world": str(settings.world or ""),
        "sources": ",".join(settings.sources or ()),
        "web": settings.web,
        "documents": str(settings.documents or ""),
        "max_turns": settings.max_turns,
        "today": setup.today.isoformat(),
        "options": dict(setup.options),
    }


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


def _require(value: str, known: Mapping[str, str] | tuple[str, ...], context: str) -> None:
    if value not in known:
        raise UserError(f"{context} {', '.join(known) or 'none'}, not {value!r}")


def _day(text: str) -> date:
    if not text:
        return system_clock()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"today has to be a day like 2026-11-20, not {text!r}") from error
