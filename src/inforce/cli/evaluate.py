"""``inforce eval NAME --data FILE``: run a benchmark; the last line printed is one JSON object.

Every benchmark takes the same options. Agents that are rules (``eval lar``) and ``eval practice``,
which examines ``inforce ask``, need no extra; what asks a model needs ``eval``.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from inforce.cli.options import Corpus, Documents, World
from inforce.cli.output import Json, clock, console, print_note, progress_bar
from inforce.errors import MissingExtraError, ModelError, UserError
from inforce.evals.catalogue import PRACTICE, TITLES, open_benchmark
from inforce.language.messages import N_

if TYPE_CHECKING:
    from inforce.evals.benchmark import Benchmark
    from inforce.evals.results import Results
    from inforce.evals.run_config import RunConfig
    from inforce.evals.summary import FailedItems

_MOST_REASONS = 5
_LONGEST_REASON = 400

_BENCHMARKS = "; ".join(f"{name}: {title}" for name, title in TITLES.items())

Name = Annotated[str, typer.Argument(metavar="NAME", help=f"Which one. {_BENCHMARKS}.")]
Data = Annotated[
    Path | None,
    typer.Option("--data", help="The benchmark's file or folder; only dated comes with one."),
]
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
Sources = Annotated[
    str, typer.Option("--sources", help="What the agent works with: statutes,web,…")
]
Web = Annotated[str, typer.Option("--web", help="serper, tavily, ddgs, searxng:URL, recorded:FILE")]
MaxTurns = Annotated[
    int | None, typer.Option("--max-turns", min=1, help="Rounds of the agent; as published.")
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Only the first N items.")]
Epochs = Annotated[int, typer.Option("--epochs", min=1, help="How often each item is asked.")]
AtOnce = Annotated[
    int | None,
    typer.Option("--at-once", min=1, max=256, help="Items at the same time; 16 without it."),
]
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
Failed = Annotated[
    str,
    typer.Option("--failed", help="What items that broke off score: missing (nothing) or zero."),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", help="The folder of the run; a run found there goes on."),
]


def evaluate(
    name: Name,
    data: Data = None,
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
    at_once: AtOnce = None,
    token_limit: TokenLimit = None,
    time_limit: TimeLimit = None,
    cache: Cache = False,
    option: Options = None,
    failed: Failed = "missing",
    output: Output = None,
    as_json: Json = False,
) -> int:
    """Run a benchmark and print its tables; the last line is one JSON object."""
    if name == PRACTICE:
        return _examine(data, corpus, limit, as_json=as_json, unused={
            "--agent": agent, "--judge": judge, "--world": world, "--sources": sources,
            "--web": web, "--documents": documents, "--max-turns": max_turns,
            "--epochs": epochs > 1, "--at-once": at_once, "--token-limit": token_limit,
            "--time-limit": time_limit, "--cache": cache, "--option": option, "--output": output,
            "--model": model != "offline", "--failed": failed != "missing",
        })  # fmt: skip
    from inforce.evals.run_config import RunConfig, parse_setup

    config = RunConfig(
        benchmark=name,
        setup=parse_setup(
            open_benchmark(name),
            data=_absolute(data),
            agent=agent,
            corpus=_absolute(corpus),
            world=_absolute(world),
            sources=sources,
            web=web,
            documents=_absolute(documents),
            max_turns=max_turns,
            today=clock()().isoformat(),
            options=_options(option or ()),
        ),
        model=model,
        judge=judge,
        limit=limit,
        epochs=epochs,
        at_once=at_once,
        token_limit=token_limit,
        time_limit=time_limit,
        cache="replies" if cache else "none",
        failed=_failed(failed),
        output=output or _new_folder(name),
    )
    return _run(config, as_json=as_json)


def _require_used(config: RunConfig, benchmark: Benchmark) -> None:
    """Refuse options that this run would ignore."""
    if config.judge and not benchmark.is_judged:
        raise UserError(f"eval {benchmark.name} asks no judge: leave --judge out")
    agent = config.setup.agent
    if agent in (*benchmark.rules, *benchmark.without_model):
        ignored: dict[str, object] = {
            "--model": config.model != "offline",
            "--epochs": config.epochs > 1,
            "--token-limit": config.token_limit,
        }
        if agent in benchmark.rules:
            ignored |= {"--time-limit": config.time_limit, "--at-once": config.at_once}
        _require_unused(f"the agent {agent}, which asks no model,", ignored)
    if config.model.partition(":")[0] in ("offline", "recorded"):
        ignored = {"--cache": config.cache != "none", "--token-limit": config.token_limit}
        _require_unused(f"--model {config.model}", ignored)


def _require_unused(who: str, given: Mapping[str, object]) -> None:
    """Refuse options that would be ignored."""
    if names := [name for name, value in given.items() if value]:
        leave = N_("leave it out") if len(names) == 1 else N_("leave them out")
        raise UserError(f"{who} does not use {', '.join(names)}: {leave}")


def _failed(given: str) -> FailedItems:
    from inforce.evals.summary import FailedItems

    known: tuple[FailedItems, ...] = get_args(FailedItems)
    if given in known:
        return given
    raise UserError(f"--failed is missing or zero, not {given!r}")


def _run(config: RunConfig, *, as_json: bool) -> int:
    from inforce.cli.commands import Interrupted
    from inforce.cli.run_progress import shown_progress
    from inforce.evals.progress import Progress
    from inforce.evals.results import result_line
    from inforce.evals.rule_run import run_by_rule
    from inforce.evals.summary import not_scored

    benchmark = open_benchmark(config.benchmark)
    _require_used(config, benchmark)
    is_rule = config.setup.agent in benchmark.rules
    run = run_by_rule if is_rule else _inspect_run()
    progress = Progress(benchmark.primary)
    with shown_progress(progress):
        try:
            results = asyncio.run(run(config, progress=progress))
        except KeyboardInterrupt:
            raise Interrupted(
                f"interrupted after {len(progress.items)} of {progress.total} items; "
                f"the same command with --output {config.output} goes on"
            ) from None
    print_note(f"results in {config.output}")
    if not as_json:
        _print_tables(results, benchmark)
    missing = not_scored(results.records, benchmark.primary)
    _report_failures(results)
    for one in missing:
        print_note(f"not scored: {one}")
    line = result_line(results, benchmark)
    if is_rule:
        line["misses"] = [one.id for one in results.records if one.outcome == "abstained"]
    print(_one_line(line))
    if sum(one.count for one in missing) < len(results.records):
        return 0
    print_note("nothing was scored")
    return ModelError.exit_status


def _inspect_run() -> Callable[..., Coroutine[Any, Any, Results]]:
    """Return the function that runs a benchmark on inspect-ai.

    Raises:
        MissingExtraError: if it is not installed.
    """
    try:
        from inforce.evals.harness.run import run
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("inspect_ai"):
            raise
        raise MissingExtraError("running a benchmark", "eval") from error
    return run


_CONTROL_CHARACTERS = re.compile(r"[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def _one_line(result: dict[str, Any]) -> str:
    """A result as one line of JSON without control characters: data files name the groups."""
    line = json.dumps(result, ensure_ascii=False)
    return _CONTROL_CHARACTERS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _print_tables(results: Results, benchmark: Benchmark) -> None:
    from inforce.evals.summary import with_note
    from inforce.evals.table import to_console

    out, tables = console(), benchmark.tables(results.records, results.name)
    for table in with_note(tables, results.records, benchmark.primary):
        out.print(to_console(table))
        out.print()
    if results.info.about_data:
        out.print(f"{results.info.about_data}\n")


def _report_failures(results: Results) -> None:
    """Print each reason of failure once, with its first item; of many reasons the first few."""
    reasons = dict[str, str]()
    for one in results.records:
        if not one.is_scored:
            reasons.setdefault(" ".join(one.note.split()) or one.outcome, one.id)
    for reason, id in list(reasons.items())[:_MOST_REASONS]:
        print_note(f"not scored: {id}: {reason[:_LONGEST_REASON]}")
    if len(reasons) > _MOST_REASONS:
        left = sum(not one.is_scored for one in results.records)
        print_note(f"not scored: {left} items in all; see the report")


def _options(given: Sequence[str]) -> dict[str, str]:
    pairs = [one.partition("=") for one in given]
    for key, equals, _ in pairs:
        if not (key and equals):
            raise UserError(f"--option takes KEY=VALUE, not {key!r}")
    return {key: value for key, _, value in pairs}


def _absolute(path: Path | None) -> str:
    return str(path.absolute()) if path else ""


def _new_folder(name: str) -> Path:
    """The folder of a run without ``--output``."""
    from inforce.corpus.home import home

    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return home() / "evals" / "runs" / name / moment


def _examine(
    data: Path | None,
    corpus: Path | None,
    limit: int | None,
    *,
    as_json: bool,
    unused: Mapping[str, object],
) -> int:
    """Have a practice exam answered by the extractive answer, and score it."""
    from inforce.evals.practice import Score, examine, read_exam, score, scores_by
    from inforce.scoring.corpora import open_library_of
    from inforce.wire import as_wire

    _require_unused("eval practice", unused)
    if data is None:
        raise UserError("name the exam: --data FILE")
    items = read_exam(data)[:limit]
    with (
        progress_bar("questions") as advance,
        open_library_of(corpus, today=clock()()) as library,
    ):
        marks = list(examine(library, items, progress=lambda: advance(1)))
    whole = score(marks)
    by_style = scores_by(marks, lambda one: one.style)
    by_branch = scores_by(marks, lambda one: one.branch)
    if not as_json:
        out = console()
        for one in marks:
            quoted = one.error or "; ".join(one.quoted) or "nothing quoted"
            mark = "right" if one.right else "wrong"
            out.print(f"{mark}  {one.item.id}  {quoted}", markup=False)

        def row(name: str, of: Score) -> str:
            shares = (of.gold, of.avoid, of.right, of.precise)
            cells = ("     –" if one is None else f"{one:6.3f}" for one in shares)
            return f"{name:<24}{of.n:>4}  {'  '.join(cells)}"

        print(f"\n{'':<24}{'n':>4}    gold   avoid   right  precise")
        for name, of in (("all", whole), *by_style.items(), *by_branch.items()):
            print(row(name, of))
    groups = {"style": by_style, "branch": by_branch}
    line: dict[str, Any] = {**dataclasses.asdict(whole)}
    line |= {name: as_wire(scores) for name, scores in groups.items()}
    print(_one_line(line))
    return 0


command = evaluate
