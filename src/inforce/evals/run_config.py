"""The configuration of a run: the benchmark, its arguments, the models and the limits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal

import inforce
from inforce.agents.settings import ResearchOptions, ResearchSettings
from inforce.dates import system_clock
from inforce.errors import InputError, UserError
from inforce.evals.benchmark import Benchmark, Setup
from inforce.evals.results import RunInfo
from inforce.evals.summary import FailedItems
from inforce.scoring.corpora import digest

AT_ONCE = 16

_TABLES = "tables"
"""A folder without it is no world; none of its files is read to hash it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """A run of a benchmark: what is run, with which models, within which limits."""

    benchmark: str
    setup: Setup
    model: str
    """An id of `inforce.llm.models`, or ``inspect:…`` followed by an id of inspect-ai."""
    judge: str = ""
    limit: int | None = None
    epochs: int = 1
    at_once: int | None = None
    """Samples worked on at the same time; `AT_ONCE` without it."""
    token_limit: int | None = None
    time_limit: int | None = None
    """Tokens and seconds of a sample at most."""
    cache: Literal["none", "replies"] = "none"
    """``replies``: inspect-ai stores the models' replies and reuses them for the same request."""
    failed: FailedItems = "missing"
    """How failed items count when the run is read; a stored run may be read both ways."""
    output: Path = field(default=Path())


def parse_setup(
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
    """Return a setup from plain text, the form of inspect-ai's command line (``-T name=value``).

    Raises:
        UserError: if the benchmark has no such agent or option, or a source or the day is wrong.
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
    file = Path(data) if data else benchmark.published
    if file is None:
        raise UserError(f"no data of {benchmark.name} comes with inforce: name it (--data PATH)")
    try:
        day = date.fromisoformat(today) if today else system_clock()
    except ValueError as error:
        raise UserError(f"today has to be a day like 2026-11-20, not {today!r}") from error
    return Setup(
        data=file,
        today=day,
        settings=ResearchSettings().with_options(research),
        corpus=Path(corpus) if corpus else None,
        options={key: str(value) for key, value in (options or {}).items()},
    )


def _require(value: str, known: Mapping[str, str] | tuple[str, ...], context: str) -> None:
    if value not in known:
        raise UserError(f"{context} {', '.join(known) or 'none'}, not {value!r}")


def setup_arguments(setup: Setup) -> dict[str, Any]:
    """Return a setup as the plain-text arguments of `parse_setup`."""
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


def fingerprint(config: RunConfig) -> str:
    """Return a hash that is the same for the same run, whatever its folder, speed and day.

    The contents of data, corpus and world count. A resumed run stays on the day it began.

    Raises:
        InputError: if the data is gone, or the folder of the world is none.
    """
    arguments = setup_arguments(config.setup)
    world = arguments["world"]
    if world and Path(world).is_dir() and not (Path(world) / _TABLES).is_dir():
        raise InputError(f"no world of tables: there is no folder {_TABLES!r} in it", path=world)
    for name in ("corpus", "world"):
        if arguments[name] and Path(arguments[name]).exists():
            arguments[name] = digest(Path(arguments[name]))
    arguments |= {"data": digest(config.setup.data), "today": "", "traces": ""}
    limits = [config.limit, config.epochs, config.token_limit, config.time_limit]
    whole = [config.benchmark, arguments, config.model, config.judge, limits]
    return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()


def run_info(config: RunConfig, benchmark: Benchmark, started: datetime, seconds: float) -> RunInfo:
    """Describe a run as its results store it: with names of files, not their places."""
    arguments, data = setup_arguments(config.setup), config.setup.data
    files = {name: Path(arguments[name]).name for name in ("corpus", "world", "documents")}
    options: dict[str, Any] = {
        **files,
        "sources": arguments["sources"],
        "web": _without_folder(arguments["web"]),
        "max_turns": arguments["max_turns"],
        "today": arguments["today"],
        "limit": config.limit,
        "epochs": config.epochs if config.epochs > 1 else None,
        "token_limit": config.token_limit,
        "time_limit": config.time_limit,
        "failed": config.failed if config.failed != "missing" else None,
        **config.setup.options,
    }
    return RunInfo(
        config.benchmark,
        config.setup.agent,
        _without_folder(config.model),
        _without_folder(config.judge),
        f"{data.name} sha256:{digest(data)}",
        {name: str(value) for name, value in options.items() if value},
        started,
        round(seconds, 3),
        inforce.__version__,
        benchmark.about_data(config.setup),
    )


def _without_folder(model: str) -> str:
    """The id of a model; of a recording the file's name without its folder."""
    kind, _, path = model.partition(":")
    return f"{kind}:{Path(path).name}" if kind == "recorded" else model
