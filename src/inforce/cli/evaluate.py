"""``inforce eval NAME --data FILE``: run a benchmark; the last line printed is one JSON object."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from inforce.cli.output import Json, clock, library, progress_bar
from inforce.errors import InputError, UserError
from inforce.library import Library
from inforce.wire import as_wire

Benchmark = Literal["lar"]

_SQLITE = b"SQLite format 3\x00"


def evaluate(
    name: Annotated[Benchmark, typer.Argument(help="The benchmark: lar.")],
    data: Annotated[Path, typer.Option("--data", help="The benchmark's JSON lines.")],
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", help="A corpus file, or statute files to load; else your own."),
    ] = None,
    model: Annotated[str, typer.Option("--model", help="Who answers: offline.")] = "offline",
    as_json: Json = False,
) -> int:
    """Run a benchmark and print its metrics; the last line of output is one JSON object."""
    from inforce.evals import lar

    if model != "offline":
        raise UserError(f"the benchmark {name!r} is run by --model offline, not by {model!r}")
    items = lar.read_items(data)
    with _opened(corpus) as opened:
        recitations = lar.evaluate(opened, items)
    if not as_json:
        for one in recitations:
            print(f"{one.id:10} {one.rouge_l:.4f} {one.rouge_l_text:.4f}")
    print(json.dumps(as_wire(lar.summarise(recitations)), ensure_ascii=False))
    return 0


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
