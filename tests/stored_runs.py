"""Runs of a small invented benchmark, as `inforce eval` stores them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from inforce.agents.runtime.answer import Outcome
from inforce.evals.benchmark import Benchmark, Item, Record, ScoreItem, Setup, System
from inforce.evals.results import Results, RunInfo, write_results
from inforce.evals.summary import measured, summary_of_means
from inforce.evals.table import Row, Table
from inforce.llm.chat import ChatModel, Usage
from inforce.scoring.estimate import mean

NAME = "tiny"


def record(
    id: str,
    right: float | None = 1.0,
    *,
    task: str = "1-hop",
    outcome: Outcome = "answered",
    values: Mapping[str, float | None] | None = None,
    **more: Any,
) -> Record:
    told: dict[str, Any] = {"question": f"question {id}", "target": "gold", "answer": "said"}
    told |= {"group": "", "usage": Usage(1, 10, 5)} | more
    taken = {"right": right} if values is None else values
    return Record(id, task, outcome=outcome, values=taken, **told)


def results(
    *records: Record, agent: str = "react", model: str = "m", benchmark: str = NAME
) -> Results:
    started = datetime(2026, 11, 20, 10, tzinfo=UTC)
    info = RunInfo(benchmark, agent, model, "", "tiny.jsonl sha256:0", {}, started, 12.5, "0.1.0")
    return Results(info, records)


def stored(folder: Path, *records: Record, agent: str = "react", benchmark: str = NAME) -> Path:
    write_results(folder, results(*records, agent=agent, benchmark=benchmark))
    return folder


def published_beside_ours(records: Sequence[Record], name: str) -> Sequence[Table]:
    rows = (
        Row("Published", (0.5,), "published"),
        Row(name, (mean(measured(records, "right")),)),
    )
    return (Table("Table 1: how often right", ("ALL",), rows, "percent", "From a paper."),)


@asynccontextmanager
async def _no_system(setup: Setup, model: ChatModel) -> AsyncGenerator[System]:
    raise NotImplementedError
    yield


def _no_items(setup: Setup) -> Sequence[Item]:
    raise NotImplementedError


def _no_scorer(setup: Setup) -> ScoreItem:
    raise NotImplementedError


def benchmark(*measures: str, name: str = NAME) -> Benchmark:
    """The benchmark such runs are of, its primary measure first."""
    return Benchmark(
        name=name,
        title="Invented questions",
        agents=("react",),
        primary=measures[0] if measures else "right",
        read=_no_items,
        open_system=_no_system,
        scorer=_no_scorer,
        summarise=summary_of_means(measures or ("right",), by=lambda one: one.task),
        tables=published_beside_ours,
    )
