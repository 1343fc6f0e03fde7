"""``inforce eval NAME --data FILE``: run a benchmark; the last line printed is one JSON object.

Every benchmark takes the same options; ``eval lar`` can also recite by rules alone, without the
extra ``eval``.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inforce.cli.output import Json, clock, console, progress_bar
from inforce.errors import MissingExtraError, UserError
from inforce.evals.catalogue import TITLES

if TYPE_CHECKING:
    from inforce.evals.benchmark import Benchmark
    from inforce.evals.harness.run import Order
    from inforce.evals.results import Results

RECITER = "reciter"
_MOST_REASONS = 5
_LONGEST_REASON = 400

_BENCHMARKS = "; ".join(f"{name}: {title}" for name, title in TITLES.items())

Name = Annotated[str, typer.Argument(metavar="NAME", help=f"Which one. {_BENCHMARKS}.")]
Data = Annotated[Path, typer.Option("--data", help="The benchmark's file or folder.")]
AgentOption = Annotated[
    str, typer.Option("--agent", help="Who is asked; the benchmark's usual agent without one.")
]
Model = Annotated[
    str,
    typer.Option(
        "--model",
        help="openai:NAME, http://host:port/v1#NAME, recorded:FILE, offline, "
        "or inspect:ID for a model as inspect-ai names it.",
    ),
]
Judge = Annotated[
    str, typer.Option("--judge", help="The model that judges, where a benchmark needs one.")
]
Corpus = Annotated[
    Path | None,
    typer.Option("--corpus", help="A corpus file, or statute files to load; else your own."),
]
World = Annotated[
    Path | None, typer.Option("--world", help="A folder of tables as LegalAgentBench has them.")
]
Sources = Annotated[
    str, typer.Option("--sources", help="What the agent works with: statutes,web,…")
]
Web = Annotated[str, typer.Option("--web", help="serper, tavily, ddgs, searxng:URL, recorded:FILE")]
Documents = Annotated[
    Path | None, typer.Option("--documents", help="A folder of your own documents.")
]
MaxTurns = Annotated[
    int | None, typer.Option("--max-turns", min=1, help="Rounds of the agent; as published.")
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Only the first N items.")]
Epochs = Annotated[int, typer.Option("--epochs", min=1, help="How often each item is asked.")]
AtOnce = Annotated[int, typer.Option("--at-once", min=1, max=256, help="Items at the same time.")]
TokenLimit = Annotated[
    int | None, typer.Option("--token-limit", min=1, help="Tokens an item may take.")
]
TimeLimit = Annotated[
    int | None, typer.Option("--time-limit", min=1, help="Seconds an item may take.")
]
Cache = Annotated[
    bool, typer.Option("--cache", help="Keep models' replies, and give them again when asked.")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="KEY=VALUE for this benchmark alone; may be repeated."),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", help="The folder of the run; a run found there goes on."),
]


def evaluate(
    name: Name,
    data: Data,
    agent: AgentOption = "",
    model: Model = "offline",
    judge: Judge = "",
    corpus: Corpus = None,
    world: World = None,
    sources: Sources = "",
    web: Web = "",
    documents: Documents = None,
    max_turns: MaxTurns = None,
    limit: Limit = None,
    epochs: Epochs = 1,
    at_once: AtOnce = 16,
    token_limit: TokenLimit = None,
    time_limit: TimeLimit = None,
    cache: Cache = False,
    option: Options = None,
    output: Output = None,
    as_json: Json = False,
) -> int:
    """Run a benchmark and print its tables; the last line is one JSON object."""
    if name == "lar" and agent in ("", RECITER) and output is None:
        return _recite(data, model, corpus, limit, as_json=as_json)
    setup: dict[str, Any] = {
        "data": _absolute(data),
        "agent": agent,
        "corpus": _absolute(corpus),
        "world": _absolute(world),
        "sources": sources,
        "web": web,
        "documents": _absolute(documents),
        "max_turns": max_turns,
        "today": clock()().isoformat(),
        "options": _options(option or ()),
    }
    how: dict[str, Any] = {
        "limit": limit,
        "epochs": epochs,
        "at_once": at_once,
        "token_limit": token_limit,
        "time_limit": time_limit,
        "cache": "replies" if cache else "none",
    }
    return _run(_order(name, setup, model, judge, output, how), as_json=as_json)


def _order(
    name: str, setup: dict[str, Any], model: str, judge: str, output: Path | None, how: Any
) -> Order:
    """What is to be run.

    Raises:
        MissingExtraError: if inspect-ai is not installed.
        UserError: if the benchmark knows no such agent or option.
    """
    try:
        from inforce.evals.harness.run import Order
        from inforce.evals.harness.tasks import read_setup
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("inspect_ai"):
            raise
        raise MissingExtraError("running a benchmark", "eval") from error
    from inforce.evals.catalogue import open_benchmark

    return Order(
        benchmark=name,
        setup=read_setup(open_benchmark(name), **setup),
        model=model,
        judge=judge,
        output=output or _new_folder(name),
        **how,
    )


def _run(order: Order, *, as_json: bool) -> int:
    from inforce.evals.catalogue import open_benchmark
    from inforce.evals.harness.run import run
    from inforce.evals.results import result_line

    benchmark = open_benchmark(order.benchmark)
    with progress_bar("items") as advance:
        results = asyncio.run(run(order, progress=advance))
    _report_failures(results)
    print(f"inforce: results in {order.output}", file=sys.stderr)
    if not as_json:
        _print_tables(results, benchmark)
    print(_one_line(result_line(results, benchmark)))
    return 0


_STEERING = re.compile(r"[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def _one_line(result: dict[str, Any]) -> str:
    """As JSON in which nothing steers a terminal: names of groups come from data files."""
    line = json.dumps(result, ensure_ascii=False)
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _print_tables(results: Results, benchmark: Benchmark) -> None:
    from inforce.evals.table import to_console

    out = console()
    for table in benchmark.tables(results.records, results.name):
        out.print(to_console(table))
        out.print()


def _report_failures(results: Results) -> None:
    """Each reason once, with the first item it befell; of many reasons the first few."""
    out, reasons = console(stderr=True), dict[str, str]()
    for one in results.records:
        if not one.is_scored:
            reasons.setdefault(" ".join(one.note.split()) or one.outcome, one.id)
    for reason, id in list(reasons.items())[:_MOST_REASONS]:
        out.print(f"inforce: not scored: {id}: {reason[:_LONGEST_REASON]}")
    if len(reasons) > _MOST_REASONS:
        left = sum(not one.is_scored for one in results.records)
        print(f"inforce: not scored: {left} items in all; see the report", file=sys.stderr)


def _options(given: Sequence[str]) -> dict[str, str]:
    pairs = [one.partition("=") for one in given]
    for key, equals, _ in pairs:
        if not (key and equals):
            raise UserError(f"--option takes KEY=VALUE, not {key!r}")
    return {key: value for key, _, value in pairs}


def _absolute(path: Path | None) -> str:
    return str(path.absolute()) if path else ""


def _new_folder(name: str) -> Path:
    """A folder for a run nobody named one for."""
    from inforce.corpus.home import home

    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return home() / "evals" / "runs" / name / moment


def _recite(
    data: Path, model: str, corpus: Path | None, limit: int | None, *, as_json: bool
) -> int:
    """Recite provisions by rules alone, without a harness."""
    from inforce.evals import lar
    from inforce.evals.legalsearch.items import read_items
    from inforce.scoring.corpora import open_library_of
    from inforce.wire import as_wire

    if model != "offline":
        raise UserError(f"the reciter of 'lar' is run by --model offline, not by {model!r}")
    items = read_items(data, today=clock()(), tasks=["lar"])[:limit]
    with (
        progress_bar("laws") as advance,
        open_library_of(corpus, today=clock()(), progress=advance) as library,
    ):
        recitations = lar.evaluate(library, items)
    if not as_json:
        for one in recitations:
            print(f"{one.id:10} {one.rouge_l:.4f} {one.rouge_l_text:.4f}")
    print(json.dumps(as_wire(lar.summarise(recitations)), ensure_ascii=False))
    return 0


command = evaluate
