"""Runs of a benchmark on inspect-ai: one folder a run, resumed where it stopped.

The folder holds inspect-ai's log (``logs/``), the traces of the samples (``traces/``) and the
results. The same configuration resumes the run: samples in the log are not run again, and an
interrupted sample continues from its trace.
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
from inforce.evals.harness.samples import JUDGE, records_of
from inforce.evals.harness.session import run_session
from inforce.evals.progress import FinishedItem, Progress
from inforce.evals.results import Results, write_results
from inforce.evals.run_config import AT_ONCE, RunConfig, fingerprint, run_info, setup_arguments
from inforce.evals.summary import with_failures_counted
from inforce.files import make_folder
from inforce.scoring.run_folder import locked

LOGS, TRACES = "logs", "traces"
_FINGERPRINT = "order"
"""The key of the log's metadata."""
_FLUSHED_EVERY = 10
"""Samples after which the log is written; a killed run repeats none of them, thanks to traces."""

_QUIET: dict[str, Any] = {
    "log_level": "error",
    "log_buffer": _FLUSHED_EVERY,
    "log_realtime": False,
    "log_refusals": False,
    "fail_on_error": False,
    "ctl_server": False,
    "acp_server": False,
}


async def run(config: RunConfig, *, progress: Progress | None = None) -> Results:
    """Run a benchmark, or resume it, and store its results.

    Raises:
        UserError: if the folder holds another run, is used by one or cannot be written to, or the
            benchmark cannot be run so.
        ModelError: if not one sample could be run to its end.
        InputError: if a file cannot be read.
    """
    # inspect-ai reads once how it displays a run; the command shows its own progress.
    os.environ.setdefault("INSPECT_DISPLAY", "none")
    display_type()
    # Models that cannot be used are reported before anything is run.
    chat_model(get_model(inspect_id(config.model)), config.setup.agent)
    if config.judge:
        chat_model(get_model(inspect_id(config.judge)), "")
    progress = progress or Progress()
    with locked(config.output):
        began, started = time.monotonic(), datetime.now(UTC)
        async with run_session(progress):
            log = await _log(config, progress)
        records = records_of(log)
        if log.error:
            raise ModelError(f"the run broke off: {log.error.message}")
        failed = [one for one in records if one.outcome == "failed"]
        if len(failed) == len(records):
            raise ModelError(
                f"no item could be run: {failed[0].note if failed else 'there is none'}"
            )
        if began_on := log.eval.task_args.get("today"):  # a resumed run stays on the day it began
            setup = replace(config.setup, today=date.fromisoformat(str(began_on)))
            config = replace(config, setup=setup)
        benchmark, agent = registry.open_benchmark(config.benchmark), config.setup.agent
        records = with_failures_counted(
            records, benchmark, model=config.model, agent=agent, failed=config.failed
        )
        info = run_info(config, benchmark, started, time.monotonic() - began)
        results = Results(info, records, config.output)
        write_results(config.output, results)
    return results


async def _log(config: RunConfig, progress: Progress) -> EvalLog:
    """The whole log of a run: new, resumed, or complete already."""
    traces = {"traces": str((config.output / TRACES).resolve())}
    last = await _last_log(config)
    if last is None:
        return await _first_log(config, traces, progress)
    if (last.eval.metadata or {}).get(_FINGERPRINT) != fingerprint(config):
        raise UserError(
            f"{config.output} holds another run ({last.eval.task}, {last.eval.model}), or its data "
            "has changed since: name another --output, or give the same order again to resume"
        )
    whole = await read_eval_log_async(last.location)
    results = last.results
    if results and results.completed_samples >= results.total_samples and last.status == "success":
        return whole
    whole.eval.task_args_passed |= traces  # the folder may have been moved
    primary = registry.open_benchmark(config.benchmark).primary
    finished = [
        FinishedItem(one.values.get(primary), one.usage, one.outcome == "budget")
        for one in records_of(whole)
        if one.outcome != "failed"
    ]
    progress.begin(len(whole.eval.dataset.sample_ids or ()) * config.epochs, finished)
    logs = await inspect_ai.eval_retry_async(
        whole, log_dir=str(config.output / LOGS), max_samples=config.at_once or AT_ONCE, **_QUIET
    )
    return await _whole_log(logs)


async def _last_log(config: RunConfig) -> EvalLog | None:
    """The head of the latest log in the folder."""
    folder = config.output / LOGS
    logs = await list_eval_logs_async(str(folder)) if folder.is_dir() else []
    name = max((one.name for one in logs), default=None)
    try:
        return await read_eval_log_async(name, header_only=True) if name else None
    except (OSError, ValueError, KeyError) as error:
        reason = f"the log is damaged ({error}); remove it to resume from the traces"
        raise InputError(reason, path=name or folder) from error


async def _first_log(config: RunConfig, traces: dict[str, str], progress: Progress) -> EvalLog:
    make_folder(config.output / LOGS)
    task = registry.TASKS[config.benchmark](**setup_arguments(config.setup), **traces)
    items = min(config.limit or len(task.dataset), len(task.dataset))
    progress.begin(items * config.epochs)
    logs = await inspect_ai.eval_async(
        task,
        model=inspect_id(config.model),
        model_roles={JUDGE: inspect_id(config.judge)} if config.judge else None,
        limit=config.limit,
        epochs=config.epochs,
        token_limit=config.token_limit,
        time_limit=config.time_limit,
        log_dir=str(config.output / LOGS),
        max_samples=config.at_once or AT_ONCE,
        metadata={_FINGERPRINT: fingerprint(config)},
        cache=True if config.cache == "replies" else None,
        **_QUIET,
    )
    return await _whole_log(logs)


async def _whole_log(logs: Sequence[EvalLog]) -> EvalLog:
    """The log of a run that was not interrupted; an interrupted run has no results yet.

    It is read again from the file: the samples of the returned log would be read when they are
    first used, for which inspect-ai patches asyncio for the rest of the process.
    """
    if not logs or logs[0].status == "cancelled":
        raise asyncio.CancelledError
    return await read_eval_log_async(logs[0].location)


def inspect_id(model: str) -> str:
    """The id of a model in inspect-ai.

    >>> inspect_id("openai:gpt-4o-mini"), inspect_id("inspect:openai/gpt-4o")
    ('inforce/openai:gpt-4o-mini', 'openai/gpt-4o')
    """
    is_foreign = model.startswith("inspect:")
    return model.removeprefix("inspect:") if is_foreign else f"inforce/{model}"
