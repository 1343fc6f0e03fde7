"""Run a benchmark from the front: one folder a run, resumed where it stopped.

The folder holds Inspect's log (``logs/``), a trace a sample (``traces/``) and the results. The same
order given again resumes: samples in the log are not run again, and a sample that was cut off in
the middle continues from its trace.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import inspect_ai
from inspect_ai.log import EvalLog, list_eval_logs_async, read_eval_log_async
from inspect_ai.model import get_model
from inspect_ai.util import display_type

from inforce.errors import InputError, ModelError, UserError
from inforce.evals.harness import registry
from inforce.evals.harness.models import chat_model
from inforce.evals.harness.registry import TASKS
from inforce.evals.harness.samples import JUDGE, records_of
from inforce.evals.harness.shared import close_systems, watched
from inforce.evals.orders import Order, describe, fingerprint, written
from inforce.evals.progress import Ended, Unwatched, Watcher
from inforce.evals.results import Results, write_results
from inforce.evals.unscored import as_read
from inforce.files import make_folder
from inforce.scoring.run_folder import locked

LOGS, TRACES = "logs", "traces"
_ORDER = "order"
_FLUSHED_EVERY = 10
"""Samples after which the log is written; a run that is killed repeats none: see the traces."""


async def run(order: Order, *, watcher: Watcher | None = None) -> Results:
    """Run a benchmark, or resume it, and store its results; ``watcher`` is told how far it is.

    Raises:
        UserError: if the folder holds another run, is used by one or cannot be written to, or the
            benchmark cannot be run so.
        ModelError: if not one sample could be run to its end.
        InputError: if a file cannot be read.
    """
    # Inspect reads once how it shows a run; the front shows its own progress.
    os.environ.setdefault("INSPECT_DISPLAY", "none")
    display_type()
    # Models that cannot be used are named before anything is run.
    chat_model(get_model(inspect_id(order.model)), order.setup.agent)
    if order.judge:
        chat_model(get_model(inspect_id(order.judge)), "")
    watcher = watcher or Unwatched()
    with locked(order.output), watched(watcher):
        return await _run(order, watcher)


async def _run(order: Order, watcher: Watcher) -> Results:
    began, started = time.monotonic(), datetime.now(UTC)
    try:
        log = await _log(order, watcher)
    finally:
        await close_systems()
    records = records_of(log)
    if log.error:
        raise ModelError(f"the run broke off: {log.error.message}")
    failed = [one for one in records if one.outcome == "failed"]
    if len(failed) == len(records):
        raise ModelError(f"no item could be run: {failed[0].note if failed else 'there is none'}")
    if began_on := log.eval.task_args.get("today"):  # a resumed run stays on the day it began
        setup = replace(order.setup, today=date.fromisoformat(str(began_on)))
        order = replace(order, setup=setup)
    benchmark, agent = registry.open_benchmark(order.benchmark), order.setup.agent
    records = as_read(records, benchmark, model=order.model, agent=agent, failed=order.failed)
    results = Results(describe(order, benchmark, started, time.monotonic() - began), records)
    write_results(order.output, results)
    return results


async def _log(order: Order, watcher: Watcher) -> EvalLog:
    """The whole log of an order: new, resumed, or complete already."""
    traces = {"traces": str((order.output / TRACES).resolve())}
    last = await _last_log(order)
    if last is None:
        return await _first(order, traces, watcher)
    if (last.eval.metadata or {}).get(_ORDER) != fingerprint(order):
        raise UserError(
            f"{order.output} holds another run ({last.eval.task}, {last.eval.model}), or its data "
            "has changed since: name another --output, or give the same order again to resume"
        )
    whole = await read_eval_log_async(last.location)
    results = last.results
    if results and results.completed_samples >= results.total_samples and last.status == "success":
        return whole
    whole.eval.task_args_passed |= traces  # the folder may have been moved
    primary = registry.open_benchmark(order.benchmark).primary
    ended = [
        Ended(one.values.get(primary), one.usage, one.outcome == "budget")
        for one in records_of(whole)
        if one.outcome != "failed"
    ]
    watcher.begin(len(whole.eval.dataset.sample_ids or ()) * order.epochs, ended)
    logs = await inspect_ai.eval_retry_async(
        whole, log_dir=str(order.output / LOGS), max_samples=order.at_once, **_QUIET
    )
    return await _ended(logs)


async def _last_log(order: Order) -> EvalLog | None:
    """The latest log of the folder, its head only."""
    folder = order.output / LOGS
    logs = await list_eval_logs_async(str(folder)) if folder.is_dir() else []
    name = max((one.name for one in logs), default=None)
    try:
        return await read_eval_log_async(name, header_only=True) if name else None
    except (OSError, ValueError, KeyError) as error:
        reason = f"the log is damaged ({error}); remove it to resume from the traces"
        raise InputError(reason, path=name or folder) from error


async def _first(order: Order, traces: dict[str, str], watcher: Watcher) -> EvalLog:
    make_folder(order.output / LOGS)
    task = TASKS[order.benchmark](**written(order.setup), **traces)
    watcher.begin(min(order.limit or len(task.dataset), len(task.dataset)) * order.epochs, ())
    logs = await inspect_ai.eval_async(
        task,
        model=inspect_id(order.model),
        model_roles={JUDGE: inspect_id(order.judge)} if order.judge else None,
        limit=order.limit,
        epochs=order.epochs,
        token_limit=order.token_limit,
        time_limit=order.time_limit,
        log_dir=str(order.output / LOGS),
        max_samples=order.at_once,
        metadata={_ORDER: fingerprint(order)},
        cache=True if order.cache == "replies" else None,
        **_QUIET,
    )
    return await _ended(logs)


_QUIET: dict[str, Any] = {
    "log_level": "error",
    "log_buffer": _FLUSHED_EVERY,
    "log_realtime": False,
    "log_refusals": False,
    "fail_on_error": False,
    "ctl_server": False,
    "acp_server": False,
}


async def _ended(logs: Sequence[EvalLog]) -> EvalLog:
    """The log of a run that was not interrupted; one that was has no results yet.

    It is read again from the file: the samples of the one returned would be read when they are
    first used, for which Inspect patches asyncio for the rest of the process.
    """
    if not logs or logs[0].status == "cancelled":
        raise asyncio.CancelledError
    return await read_eval_log_async(logs[0].location)


def inspect_id(model: str) -> str:
    """How Inspect calls a model.

    >>> inspect_id("openai:gpt-4o-mini"), inspect_id("inspect:openai/gpt-4o")
    ('inforce/openai:gpt-4o-mini', 'openai/gpt-4o')
    """
    ours = not model.startswith("inspect:")
    return f"inforce/{model}" if ours else model.removeprefix("inspect:")
