"""An order: which benchmark is run, by whom and how; read from plain text, and described."""

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
from inforce.evals.unscored import FailedItems
from inforce.scoring.corpora import digest

AT_ONCE = 16
"""Samples worked on at the same time."""

_WORLD = "tables"
"""The folder every world has: without it no file of a folder is read to hash it."""


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
    """Whether Inspect stores the models' replies and gives them again to the same request."""
    failed: FailedItems = "missing"
    """How the run is read afterwards; the same folder may be read both ways."""
    output: Path = field(default=Path())


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
    file = Path(data) if data else benchmark.published
    if file is None:
        raise UserError(f"no data of {benchmark.name} comes with inforce: name it (--data PATH)")
    return Setup(
        data=file,
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


def fingerprint(order: Order) -> str:
    """What makes two orders the same: everything but where, how fast, on which day and how read.

    Runs take place on the day their folder was begun. What data, corpus and world hold counts.

    Raises:
        InputError: if the data is gone, or the folder of the world is none.
    """
    given = written(order.setup)
    world = given["world"]
    if world and Path(world).is_dir() and not (Path(world) / _WORLD).is_dir():
        raise InputError(f"no world of tables: there is no folder {_WORLD!r} in it", path=world)
    for name in ("corpus", "world"):
        if given[name] and Path(given[name]).exists():
            given[name] = digest(Path(given[name]))
    given |= {"data": digest(order.setup.data), "today": "", "traces": ""}
    limits = [order.limit, order.epochs, order.token_limit, order.time_limit]
    whole = [order.benchmark, given, order.model, order.judge, limits]
    return hashlib.sha256(json.dumps(whole, sort_keys=True, default=str).encode()).hexdigest()


def describe(order: Order, benchmark: Benchmark, started: datetime, seconds: float) -> RunInfo:
    """What was run, as results keep it: names of files, not where they are."""
    given, data = written(order.setup), order.setup.data
    paths = {name: given[name] for name in ("corpus", "world", "documents")}
    options: dict[str, Any] = {
        **{name: Path(path).name for name, path in paths.items() if path},
        "sources": given["sources"],
        "web": _shown(given["web"]),
        "max_turns": given["max_turns"],
        "today": given["today"],
        "limit": order.limit,
        "epochs": order.epochs if order.epochs > 1 else None,
        "token_limit": order.token_limit,
        "time_limit": order.time_limit,
        "failed": order.failed if order.failed != "missing" else None,
        **order.setup.options,
    }
    return RunInfo(
        order.benchmark,
        order.setup.agent,
        _shown(order.model),
        _shown(order.judge),
        f"{data.name} sha256:{digest(data)}",
        {name: str(value) for name, value in options.items() if value},
        started,
        round(seconds, 3),
        inforce.__version__,
        benchmark.about_data(order.setup),
    )


def _shown(model: str) -> str:
    """An id as results show it: of a recording the name of its file, not its folder."""
    kind, _, path = model.partition(":")
    return f"{kind}:{Path(path).name}" if kind == "recorded" else model


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
