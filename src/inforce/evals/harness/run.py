"""Run a benchmark from the front: one folder a run, gone on with where it stopped.

The folder holds Inspect's log (``logs/``), a trace a sample (``traces/``) and the results. The same
order given again goes on: samples in the log are not asked again, and a sample that was cut off in
the middle goes on from its trace.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal

import inspect_ai
from inspect_ai.log import EvalLog, list_eval_logs_async, read_eval_log_async
from inspect_ai.model import get_model
from inspect_ai.util import display_type

import inforce
from inforce.errors import InputError, ModelError, UserError
from inforce.evals.benchmark import Setup
from inforce.evals.corpora import digest
from inforce.evals.harness.chat import chat_model
from inforce.evals.harness.folder import alone_in
from inforce.evals.harness.logs import records_of
from inforce.evals.harness.registry import TASKS
from inforce.evals.harness.scorer import JUDGE
from inforce.evals.harness.shared import close_systems, watched
from inforce.evals.harness.tasks import written
from inforce.evals.results import Results, RunInfo, write_results

LOGS, TRACES = "logs", "traces"
AT_ONCE = 16
"""Samples worked on at the same time."""

_ORDER = "order"
_FLUSHED_EVERY = 10
"""Samples after which the log is written; a run that is killed repeats none: see the traces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be run."""

    benchmark: str
    setup: Setup
    model: str
    """An id of ours, or ``inspect:…`` followed by one of Inspect's."""
    judge: str = ""
    limit: int | None = None
    epochs: int = 1
    at_once: int = AT_ONCE
    token_limit: int | None = None
    time_limit: int | None = None
    """Tokens and seconds a sample may take."""
    cache: Literal["none", "replies"] = "none"
    """Whether Inspect keeps the models' replies and gives them again to the same request."""
    output: Path = field(default=Path())
    """The folder of the run."""


async def run(order: Order, *, progress: Callable[[int], None] = lambda samples: None) -> Results:
    """Run a benchmark, or go on with it, and store its results.

    Raises:
        UserError: if the folder holds another run, is used by one or cannot be written to, or the
            benchmark cannot be run so.
        ModelError: if not one sample could be run to its end.
        InputError: if a file cannot be read.
    """
    _be_quiet()
    _require_models(order)
    with alone_in(order.output), watched(progress):
        return await _run(order)


async def _run(order: Order) -> Results:
    began, started = time.monotonic(), datetime.now(UTC)
    try:
        log = await _log(order)
    finally:
        await close_systems()
    records = records_of(log)
    _require_something(records, log)
    info = _info(_on_its_day(order, log), started, time.monotonic() - began)
    results = Results(info, records)
    write_results(order.output, results)
    return results


def _on_its_day(order: Order, log: EvalLog) -> Order:
    """The order as it was carried out: a run that goes on stays on the day it began."""
    began = log.eval.task_args.get("today")
    day = date.fromisoformat(str(began)) if began else order.setup.today
    return replace(order, setup=replace(order.setup, today=day))


def _be_quiet() -> None:
    """Inspect reads once how it shows a run; the front shows its own progress."""
    os.environ.setdefault("INSPECT_DISPLAY", "none")
    display_type()


async def _log(order: Order) -> EvalLog:
    """The whole log of an order: made, gone on with, or there already."""
    last = await _last_log(order)
    if last is None:
        return await _first(order)
    _require_same(last, order)
    whole = await read_eval_log_async(last.location)
    if last.status == "success" and not _errors(last):
        return whole
    whole.eval.task_args_passed |= {"traces": _traces(order)}  # the folder may have been moved
    logs = await inspect_ai.eval_retry_async(
        whole,
        log_dir=str(order.output / LOGS),
        max_samples=order.at_once,
        **_QUIET,
    )
    return await _ended(logs)


async def _ended(logs: Sequence[EvalLog]) -> EvalLog:
    """The log of a run that was not interrupted; one that was has no results yet.

    It is read anew: the samples of the one returned would be read when they are first looked at,
    for which Inspect patches asyncio for the rest of the process.
    """
    if not logs or logs[0].status == "cancelled":
        raise asyncio.CancelledError
    return await read_eval_log_async(logs[0].location)


def _traces(order: Order) -> str:
    return str((order.output / TRACES).resolve())


async def _first(order: Order) -> EvalLog:
    (order.output / LOGS).mkdir(parents=True, exist_ok=True)
    given = written(order.setup) | {"traces": _traces(order)}
    logs = await inspect_ai.eval_async(
        TASKS[order.benchmark](**given),
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


def _require_models(order: Order) -> None:
    """Whoever cannot be asked is named before anybody is."""
    chat_model(get_model(inspect_id(order.model)), order.setup.agent)
    if order.judge:
        chat_model(get_model(inspect_id(order.judge)), "")


def inspect_id(model: str) -> str:
    """How Inspect calls a model.

    >>> inspect_id("openai:gpt-4o-mini"), inspect_id("inspect:openai/gpt-4o")
    ('inforce/openai:gpt-4o-mini', 'openai/gpt-4o')
    """
    ours = not model.startswith("inspect:")
    return f"inforce/{model}" if ours else model.removeprefix("inspect:")


def fingerprint(order: Order) -> str:
    """What makes two orders the same: everything but where, how fast and on which day.

    Runs take place on the day their folder was begun. What data, corpus and world hold counts.

    Raises:
        InputError: if the data is gone.
    """
    given = written(order.setup)
    contents = {name: _content(given[name]) for name in ("corpus", "world")}
    asked = {**given, **contents, "data": digest(order.setup.data), "today": "", "traces": ""}
    limits = [order.limit, order.epochs, order.token_limit, order.time_limit]
    whole = [order.benchmark, asked, order.model, order.judge, limits]
    return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()


def _content(path: str) -> str:
    """What a file or folder holds, as a hash; the path itself where there is nothing."""
    return digest(Path(path)) if path and Path(path).exists() else path


async def _last_log(order: Order) -> EvalLog | None:
    """The latest log of the folder, its head only."""
    folder = order.output / LOGS
    logs = await list_eval_logs_async(str(folder)) if folder.is_dir() else []
    names = sorted((one.name for one in logs), reverse=True)
    return await _head(names[0]) if names else None


async def _head(name: str) -> EvalLog:
    try:
        return await read_eval_log_async(name, header_only=True)
    except (OSError, ValueError, KeyError) as error:
        reason = f"the log is damaged ({error}); remove it to go on from the traces"
        raise InputError(reason, path=name) from error


def _require_same(log: EvalLog, order: Order) -> None:
    if (log.eval.metadata or {}).get(_ORDER) != fingerprint(order):
        raise UserError(
            f"{order.output} holds another run ({log.eval.task}, {log.eval.model}), or its data "
            "has changed since: name another --output, or give the same order again to go on"
        )


def _errors(log: EvalLog) -> bool:
    done = log.results.completed_samples if log.results else 0
    return log.results is None or done < log.results.total_samples


def _require_something(records: Sequence[Any], log: EvalLog) -> None:
    if log.error:
        raise ModelError(f"the run broke off: {log.error.message}")
    failed = [one for one in records if one.outcome == "failed"]
    if len(failed) == len(records):
        raise ModelError(f"no item could be run: {failed[0].note if failed else 'there is none'}")


def _info(order: Order, started: datetime, seconds: float) -> RunInfo:
    return RunInfo(
        order.benchmark,
        order.setup.agent,
        _shown(order.model),
        _shown(order.judge),
        _named(order.setup.data),
        _chosen(order),
        started,
        round(seconds, 3),
        inforce.__version__,
    )


def _shown(model: str) -> str:
    """An id as results show it: of a recording the name of its file, not its folder."""
    kind, _, path = model.partition(":")
    return f"{kind}:{Path(path).name}" if kind == "recorded" else model


def _chosen(order: Order) -> dict[str, str]:
    """What was asked for beside the agent and the model; of paths the names."""
    asked = written(order.setup)
    paths = {name: asked[name] for name in ("corpus", "world", "documents")}
    chosen: dict[str, Any] = {
        **{name: Path(path).name for name, path in paths.items() if path},
        "sources": asked["sources"],
        "web": _shown(asked["web"]),
        "max_turns": asked["max_turns"],
        "today": asked["today"],
        "limit": order.limit,
        "epochs": order.epochs if order.epochs > 1 else None,
        "token_limit": order.token_limit,
        "time_limit": order.time_limit,
        **order.setup.options,
    }
    return {name: str(value) for name, value in chosen.items() if value}


def _named(data: Path) -> str:
    """The name of a file or folder and what it holds, as a hash."""
    return f"{data.name} sha256:{digest(data)}"


__all__ = ["AT_ONCE", "Order", "fingerprint", "inspect_id", "run"]
