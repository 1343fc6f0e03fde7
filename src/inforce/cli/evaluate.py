"""``inforce eval NAME --data FILE``: run a benchmark; the last line printed is one JSON object.

One command a benchmark: `lar` (recite the provision) and `legalagentbench` (agents with tools).
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from inforce.cli.output import Json, clock, library, progress_bar
from inforce.errors import InputError, UserError
from inforce.library import Library
from inforce.wire import as_wire

if TYPE_CHECKING:
    from inforce.evals.lar import Item, Recitation
    from inforce.evals.legalagentbench.replay import Report
    from inforce.llm.chat import ChatModel

app = typer.Typer(help="Run a benchmark.", no_args_is_help=True, rich_markup_mode=None)

AgentName = Literal["react", "plan-solve", "plan-execute", "oracle"]
Preselection = Literal["none", "rules", "model"]
Retrievers = Literal["always", "writing"]

_SQLITE = b"SQLite format 3\x00"
_RECORDED = "recorded:"


@app.command("lar")
def lar(
    data: Annotated[Path, typer.Option("--data", help="The benchmark's JSON lines.")],
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", help="A corpus file, or statute files to load; else your own."),
    ] = None,
    agent: Annotated[
        Literal["reciter", "r1"], typer.Option("--agent", help="Rules alone, or an agent.")
    ] = "reciter",
    model: Annotated[
        str, typer.Option("--model", help="Who answers: offline; with r1 any model's id.")
    ] = "offline",
    traces: Annotated[
        Path | None, typer.Option("--traces", help="A folder for the traces of --agent r1.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Recite provisions (LegalSearch-R1's task LAR) and print how well; see `inforce.evals.lar`."""
    from inforce.evals import lar as benchmark

    if agent == "reciter" and model != "offline":
        raise UserError(f"the benchmark 'lar' is run by --model offline, not by {model!r}")
    items = benchmark.read_items(data)
    with _opened(corpus) as opened:
        if agent == "r1":
            recitations = _recited_by_r1(opened, items, model, traces)
        else:
            recitations = benchmark.evaluate(opened, items)
    if not as_json:
        for one in recitations:
            print(f"{one.id:10} {one.rouge_l:.4f} {one.rouge_l_text:.4f}")
    _print_result(benchmark.summarise(recitations))
    return 0


def _recited_by_r1(
    opened: Library, items: Sequence[Item], model: str, traces: Path | None
) -> list[Recitation]:
    """The items put to R1, whole protocol and tools included."""
    from inforce.agents.r1_offline import policy
    from inforce.evals.lar import evaluate_agent
    from inforce.llm.models import open_model

    answering = open_model(model, policy=policy)
    return asyncio.run(evaluate_agent(opened, items, model=answering, traces=traces))


@app.command("legalagentbench")
def legalagentbench(
    data: Annotated[Path, typer.Option("--data", help="dataset.json, or the folder it lies in.")],
    world: Annotated[Path, typer.Option("--world", help="The folder of tables and collections.")],
    agent: Annotated[AgentName, typer.Option("--agent", help="The method.")] = "react",
    model: Annotated[
        str, typer.Option("--model", help="Who answers: recorded:FILE, or any model's id.")
    ] = "offline",
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first N tasks.")
    ] = None,
    traces: Annotated[
        Path | None,
        typer.Option("--traces", help="A folder for traces; a run goes on from what it holds."),
    ] = None,
    preselection: Annotated[
        Preselection | None,
        typer.Option("--preselection", help="Who chooses the tables; none for a recording."),
    ] = None,
    retrievers: Annotated[
        Retrievers | None,
        typer.Option("--retrievers", help="Which tasks have the retrievers; as published."),
    ] = None,
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, max=256, help="Tasks at the same time.")
    ] = 8,
    database: Annotated[
        str, typer.Option("--database", help="URL of a database for the tables; else in memory.")
    ] = "",
    as_json: Json = False,
) -> int:
    """Let an agent work on LegalAgentBench's tasks, and score it (no BERTScore)."""
    from inforce.evals.legalagentbench.benchmark import open_bench
    from inforce.evals.legalagentbench.replay import run_tasks
    from inforce.evals.legalagentbench.tasks import read_tasks

    tasks = read_tasks(data)[:limit]
    opening = open_bench(
        world,
        agent,
        _model(model, agent),
        today=clock()(),
        preselection=preselection or _usual_preselection(model),
        retrievers=retrievers,
        traces=traces,
        at_once=at_once,
        database=database,
    )
    with opening as bench, progress_bar("tasks") as advance:
        report = asyncio.run(run_tasks(tasks, bench, progress=advance))
    for failure in report.failures:
        print(f"inforce: not scored: {failure}", file=sys.stderr)
    if not as_json:
        _print_groups(report)
    _print_result(report)
    return 0


def _usual_preselection(model: str) -> Preselection:
    """A recording holds no choice of tables."""
    return "none" if model.startswith(_RECORDED) else "model"


def _model(id: str, agent: AgentName) -> ChatModel:
    """Who answers; the oracle asks nobody."""
    from inforce.evals.legalagentbench.protocol import NoModel
    from inforce.llm.models import open_model

    return NoModel() if agent == "oracle" else open_model(id)


def _print_groups(report: Report) -> None:
    for group, of in report.groups.items():
        print(f"{group:8} {of.n:4} {_rate(of.success_rate)} {_rate(of.process_rate)}")


def _rate(rate: float | None) -> str:
    return "     -" if rate is None else f"{rate:.4f}"


def _print_result(result: object) -> None:
    print(json.dumps(as_wire(result), ensure_ascii=False))


@contextmanager
def _opened(corpus: Path | None) -> Generator[Library]:
    """The library to answer from: your own, a corpus file, or statute files loaded for this run."""
    from inforce.corpus.store import Corpus

    if corpus is None:
        with library() as opened:
            yield opened
        return
    if not corpus.exists():
        raise InputError("no such corpus, file or folder", path=corpus)
    with tempfile.TemporaryDirectory() as folder:
        path = corpus if _is_corpus(corpus) else _load(corpus, Path(folder) / "corpus.db")
        with Library(Corpus.open(path), Path(folder) / "index", clock=clock()) as opened:
            yield opened


def _is_corpus(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as start:
        return start.read(len(_SQLITE)) == _SQLITE


def _load(source: Path, path: Path) -> Path:
    """Load statute files into a corpus of their own; anything unreadable stops the run."""
    from inforce.corpus.loaders import load
    from inforce.corpus.store import Corpus

    def refuse(problem: InputError) -> None:
        raise problem

    with (
        Corpus.open(path, mode="write") as corpus,
        progress_bar("loading laws") as advance,
    ):
        corpus.add(load(source, on_problem=refuse), progress=lambda _: advance(1))
    return path
