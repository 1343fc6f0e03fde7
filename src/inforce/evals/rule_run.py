"""Runs of agents by rule, item after item: without inspect-ai, which need not be installed."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from inforce.agents.runtime.trace import Event
from inforce.errors import UserError
from inforce.evals.benchmark import Attempt, Item, Record, ScoreItem, System
from inforce.evals.catalogue import open_benchmark
from inforce.evals.progress import FinishedItem, Progress
from inforce.evals.results import RESULTS, Results, RunInfo, read_results, trace_name, write_results
from inforce.evals.run_config import RunConfig, run_info
from inforce.evals.summary import with_failures_counted
from inforce.evals.systems import NoModel
from inforce.scoring.run_folder import locked
from inforce.scoring.tool_use import tool_use

TRACES = "traces"

_ANY_TIME = datetime.fromtimestamp(0, UTC)


async def run_by_rule(config: RunConfig, *, progress: Progress | None = None) -> Results:
    """Put every item to the agent, score it and store the results.

    Such a run takes seconds and costs nothing: an interrupted one begins anew.

    Raises:
        UserError: if the folder holds another run, or the agent would ignore a setting.
        InputError: if a file cannot be read.
    """
    benchmark, progress = open_benchmark(config.benchmark), progress or Progress()
    items = list(benchmark.read(config.setup))[: config.limit]
    began, started = time.monotonic(), datetime.now(UTC)
    with locked(config.output):
        info = run_info(config, benchmark, started, 0.0)
        _require_same_run(config.output, info)
        score = benchmark.scorer(config.setup)
        progress.begin(len(items))
        records: list[Record] = []
        async with benchmark.open_system(config.setup, NoModel()) as system:
            for item in items:
                record = await _run_item(item, system, score, config.output)
                progress.end(FinishedItem(record.values.get(benchmark.primary), record.usage))
                records.append(record)
        counted = with_failures_counted(
            records,
            benchmark,
            model=config.model,
            agent=config.setup.agent,
            failed=config.failed,
        )
        info = replace(info, seconds=round(time.monotonic() - began, 3))
        results = Results(info, counted, config.output)
        write_results(config.output, results)
    return results


async def _run_item(item: Item, system: System, score: ScoreItem, folder: Path) -> Record:
    events: list[Event] = []
    began = time.monotonic()
    trace = folder / TRACES / trace_name(item.id)
    trace.unlink(missing_ok=True)
    answer = await system(item).research(item.question, trace=trace, listener=events.append)
    attempt = Attempt(answer, tuple(events), round(time.monotonic() - began, 3))
    scored, used = await score(item, attempt, None), tool_use(events)
    return Record(
        item.id,
        item.task,
        item.group,
        item.question,
        item.target,
        answer=scored.answer,
        outcome=answer.outcome,
        values=dict(scored.values),
        labels=dict(scored.labels),
        facts=item.facts,
        note=scored.note or answer.note,
        usage=answer.usage,
        seconds=attempt.seconds,
        calls=used.calls,
        dated=used.dated,
        trace=f"{TRACES}/{trace.name}",
    )


def _require_same_run(folder: Path, info: RunInfo) -> None:
    """Refuse a folder that holds another run; how its failed items count may differ."""
    if not (folder / RESULTS).exists():
        if (folder / "logs").exists():
            raise UserError(f"{folder} holds another run: name another --output")
        return
    stored = read_results(folder).info
    if _identity(stored) != _identity(info):
        raise UserError(
            f"{folder} holds another run ({stored.benchmark}, {stored.agent} · {stored.model}), or "
            "its data has changed since: name another --output"
        )


def _identity(info: RunInfo) -> RunInfo:
    """The description of a run without its time, its version and how failed items count."""
    options = {name: value for name, value in info.options.items() if name != "failed"}
    return replace(info, options=options, started=_ANY_TIME, seconds=0.0, version="")
