"""What agents work with while a benchmark runs: the law, and the tools of a workbench."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import cast, get_args

from inforce.agents.run import Agent
from inforce.agents.workbench import (
    AgentName,
    Kind,
    Workbench,
    laid_out,
    open_agent,
    read_kinds,
)
from inforce.corpus.home import home
from inforce.errors import InputError, UserError
from inforce.evals.benchmark import Desk, Item, PlainDesk, Setup
from inforce.evals.conditions import CONDITIONS, condition
from inforce.library import Library, open_library
from inforce.llm.chat import ChatModel
from inforce.tools.tool import Language
from inforce.tools.toolbox import Toolbox

WORKBENCH_AGENTS: tuple[str, ...] = get_args(AgentName)
"""The agents a user has."""

_SQLITE = b"SQLite format 3\x00"
_RECORDED = "recorded:"
_CORPUS = "corpus.db"


@dataclass(frozen=True, slots=True)
class ConditionDesk:
    """One of the conditions agents are compared with; its words may differ from item to item."""

    name: str
    toolbox: Toolbox

    def agent(self, item: Item) -> Agent:
        """The condition, with the words of the item."""
        agent = condition(self.name, item)
        if agent is None:
            raise UserError(f"no agent is called {self.name!r}")
        return agent

    def tools(self, item: Item) -> Toolbox:
        """What may be searched."""
        return self.toolbox


@asynccontextmanager
async def open_workbench_desk(
    setup: Setup, model: ChatModel, *, language: Language = "zh"
) -> AsyncGenerator[Desk]:
    """An agent of the workbench, or a condition, with the tools it usually has.

    Args:
        setup: who works, with what.
        model: whom tools ask that read or route.
        language: of tools and prompts.

    Raises:
        UserError: if nobody has that name, or what was asked for cannot be had.
    """
    if setup.agent in ("direct", "direct-cot"):
        yield ConditionDesk(setup.agent, Toolbox([], language=language))
        return
    with open_library_for(setup) as library:
        bench = _workbench(setup, language)
        async with laid_out(bench, library, model) as tools:
            if setup.agent in CONDITIONS:
                yield ConditionDesk(setup.agent, tools)
            else:
                who = open_agent(bench.agent, language=language, max_turns=setup.max_turns)
                yield PlainDesk(who, tools)


def _workbench(setup: Setup, language: Language) -> Workbench:
    name = "r1" if setup.agent == "naive-rag" else setup.agent
    if name not in WORKBENCH_AGENTS:
        raise UserError(f"no agent is called {setup.agent!r}")
    bench = Workbench(
        cast("AgentName", name),
        language=language,
        web=setup.web,
        documents=setup.documents,
        world=setup.world,
        reaches_out=bool(setup.web),
    )
    return Workbench(
        bench.agent,
        _kinds(setup, bench),
        language,
        setup.web,
        setup.documents,
        setup.world,
        reaches_out=bench.reaches_out,
    )


def _kinds(setup: Setup, bench: Workbench) -> tuple[Kind, ...] | None:
    """What was asked for; beside a recorded web, nothing that would need the real one."""
    if setup.sources:
        return read_kinds(setup.sources)
    if setup.web.startswith(_RECORDED):
        return tuple(kind for kind in bench.usual if kind != "case-law")
    return None


@contextmanager
def open_library_for(
    setup: Setup, *, progress: Callable[[int], None] = lambda laws: None
) -> Generator[Library]:
    """The law to answer from: the person's own corpus, a corpus file, or statute files.

    Statute files are loaded once and kept in the data folder by their content, so that a run that
    goes on, or the next one, starts at once.

    Raises:
        InputError: if there is no such file, or a statute file cannot be read.
    """
    clock = _always(setup.today)
    if setup.corpus is None:
        with open_library(clock=clock) as library:
            yield library
        return
    path = corpus_of(setup.corpus, progress=progress)
    from inforce.corpus.store import Corpus

    with Library(Corpus.open(path), _index_beside(path), clock=clock) as library:
        yield library


def corpus_of(source: Path, *, progress: Callable[[int], None] = lambda laws: None) -> Path:
    """The corpus file of a source: itself if it is one, else made from statute files.

    Raises:
        InputError: if there is no such file, or a statute file cannot be read.
    """
    if not source.exists():
        raise InputError("no such corpus, file or folder", path=source)
    if _is_corpus(source):
        return source
    kept = home() / "evals" / "corpora" / digest(source)[:16] / _CORPUS
    if not kept.exists():
        _load(source, kept, progress)
    return kept


def _index_beside(path: Path) -> Path:
    """Where the index of a corpus file is kept: in the data folder."""
    kept = home() / "evals" / "corpora"
    if path.is_relative_to(kept):
        return path.parent / "index"
    return kept / hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16] / "index"


def _load(source: Path, kept: Path, progress: Callable[[int], None]) -> None:
    from inforce.corpus.loaders import load
    from inforce.corpus.store import Corpus

    def refuse(problem: InputError) -> None:
        raise problem

    draft = kept.with_suffix(".tmp")
    draft.parent.mkdir(parents=True, exist_ok=True)
    draft.unlink(missing_ok=True)
    with Corpus.open(draft, mode="write") as corpus:
        corpus.add(load(source, on_problem=refuse), progress=lambda _: progress(1))
    draft.replace(kept)


def digest(source: Path) -> str:
    """What a file, or every file of a folder, holds, as a hash.

    Raises:
        InputError: if there is none.
    """
    if not source.exists():
        raise InputError("no such file or folder", path=source)
    files = sorted(path for path in source.rglob("*") if path.is_file()) or [source]
    seen = hashlib.sha256()
    for path in files:
        seen.update(path.name.encode())
        with path.open("rb") as opened:
            seen.update(hashlib.file_digest(opened, "sha256").digest())
    return seen.hexdigest()


def _is_corpus(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as start:
        return start.read(len(_SQLITE)) == _SQLITE


def _always(day: date) -> Callable[[], date]:
    return lambda: day
