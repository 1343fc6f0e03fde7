"""Runs of agents that ask no model: item after item, without a harness and without the extra."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from inforce.agents.runtime.trace import Event
from inforce.errors import UserError
from inforce.evals.benchmark import Attempt, Benchmark, Item, Record, ScoreItem, System
from inforce.evals.legalagentbench.protocol import NoModel
from inforce.evals.orders import Order, describe
from inforce.evals.progress import Ended, Unwatched, Watcher
from inforce.evals.results import RESULTS, Results, RunInfo, read_results, trace_name, write_results
from inforce.evals.unscored import as_read
from inforce.scoring.conduct import conduct
from inforce.scoring.run_folder import locked

TRACES = "traces"

_ANY_TIME = datetime.fromtimestamp(0, UTC)


async def run_directly(
    order: Order, benchmark: Benchmark, *, watcher: Watcher | None = None
) -> Results:
    """Put every item to the agent, score it and store the results.

    A run by rules takes seconds and costs nothing: one that was stopped begins anew.

    Raises:
        UserError: if the folder holds another run, or the agent would ignore what was given.
        InputError: if a file cannot be read.
    """
    watcher = watcher or Unwatched()
    items = list(benchmark.read(order.setup))[: order.limit]
    began, started = time.monotonic(), datetime.now(UTC)
    with locked(order.output):
        info = describe(order, benchmark, started, 0.0)
        _require_same(order.output, Results(info, ()))
        score = benchmark.scorer(order.setup)
        watcher.begin(len(items), ())
        records: list[Record] = []
        async with benchmark.open_system(order.setup, NoModel()) as system:
            for item in items:
                record = await _record(item, system, score, order.output)
                watcher.end(Ended(record.values.get(benchmark.primary), record.usage))
                records.append(record)
        read = as_read(
            records, benchmark, model=order.model, agent=order.setup.agent, failed=order.failed
        )
        results = Results(replace(info, seconds=round(time.monotonic() - began, 3)), read)
        write_results(order.output, results)
    return results


async def _record(item: Item, system: System, score: ScoreItem, folder: Path) -> Record:
    events: list[Event] = []
    began = time.monotonic()
    trace = folder / TRACES / trace_name(item.id)
    trace.unlink(missing_ok=True)
    answer = await system(item).research(item.question, trace=trace, listener=events.append)
    attempt = Attempt(answer, tuple(events), round(time.monotonic() - began, 3))
    scored, run = await score(item, attempt, None), conduct(events)
    return Record(
        item.id,
        item.task,
        item.group,
        item.question,
        item.target,
        scored.answer,
        answer.outcome,
        dict(scored.values),
        dict(scored.labels),
        item.facts,
        scored.note or answer.note,
        answer.usage,
        attempt.seconds,
        run.calls,
        run.dated,
        f"{TRACES}/{trace.name}",
    )


def _require_same(folder: Path, results: Results) -> None:
    """Refuse a folder that holds another run.

    How items that broke off are counted is a way to read a run, and may differ.
    """
    if not (folder / RESULTS).exists():
        if (folder / "logs").exists():
            raise UserError(f"{folder} holds another run: name another --output")
        return
    held = read_results(folder).info
    if _apart_from_reading(held) != _apart_from_reading(results.info):
        raise UserError(
            f"{folder} holds another run ({held.benchmark}, {held.agent} · {held.model}), or its "
            "data has changed since: name another --output"
        )


def _apart_from_reading(info: RunInfo) -> RunInfo:
    """What was run, without when, by which version, and how its items are counted."""
    options = {name: value for name, value in info.options.items() if name != "failed"}
    return replace(info, options=options, started=_ANY_TIME, seconds=0.0, version="")
