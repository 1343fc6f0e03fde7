"""A folder of tasks in the making: made, rewritten, reviewed, and at last a data set.

====================  ==================================================================
``tasks.jsonl``       every task that stood the check by machine, with its path
``rewrites.jsonl``    what a model wrote, so that no question is written twice
``review.yaml``       for people: verdicts, notes, better words
``dataset.json``      the accepted tasks in LegalAgentBench's form
====================  ==================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from inforce.documents.json_records import json_lines
from inforce.errors import InputError
from inforce.evals.construction.answers import display_name
from inforce.evals.construction.planning import PlanningTree
from inforce.evals.construction.review import (
    AskedTask,
    Judgement,
    read_review,
    reviewed,
    write_review,
)
from inforce.evals.construction.rewriting import Rewriter
from inforce.evals.construction.tasks import Order, make_tasks
from inforce.evals.construction.verification import verify
from inforce.evals.construction.worlds import TaskWorld, open_world
from inforce.evals.legalagentbench.tasks import DATASET
from inforce.files import write_file
from inforce.llm.chat import ChatModel

TASKS = "tasks.jsonl"
REWRITES = "rewrites.jsonl"
REVIEW = "review.yaml"

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a world lies."""

    folder: Path
    tables: Path | None = None
    """The description of one's own tables; LegalAgentBench's world without one."""


@dataclass(frozen=True, slots=True)
class Construction:
    """What came of making tasks."""

    n: int
    """Tasks that stand."""
    hops: dict[int, int]
    parallel: int
    tools_used: int
    tools: int
    verified_share: float | None
    """Of the tasks made, those that were solved again; ``None`` where none was made."""
    refuted: tuple[str, ...]
    """Why the others were left out."""
    rewritten: int
    """Questions in a model's words."""
    refused: int
    """Questions a model was asked for in vain."""
    review: str
    """The file people write their verdicts in."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What came of a review."""

    tasks: int
    accepted: int
    rejected: int
    open: int
    written: int | None
    """Tasks in the data set; ``None`` where none was written."""
    dataset: str


async def construct(
    source: Source,
    output: Path,
    order: Order,
    *,
    model: ChatModel | None = None,
    progress: Progress = lambda steps: None,
) -> Construction:
    """Make tasks of a world, check them, reword them, and write them for review.

    Raises:
        InputError: if a file is not what it should be.
        UserError: if a review in the folder would lose verdicts.
        ModelError: if the model cannot be reached; the next run goes on from there.
    """
    output.mkdir(parents=True, exist_ok=True)
    with open_world(source.folder, source.tables) as world:
        made = await make_tasks(world, order, progress=progress)
    with open_world(source.folder, source.tables) as afresh:
        refuted = await verify(made, afresh, progress=progress)
        rewriter = Rewriter(output / REWRITES, afresh.description, _names(afresh), model)
        total = len(afresh.description.tools)
    out = {one.task.name for one in refuted}
    standing = [task for task in made if task.name not in out]
    rewritings = await rewriter.rewrite(standing, progress=progress)
    tasks = [AskedTask(task, one.question) for task, one in zip(standing, rewritings, strict=True)]
    write_review(output / REVIEW, tasks)
    write_file(output / TASKS, b"".join(msgspec.json.encode(one) + b"\n" for one in tasks))
    return Construction(
        n=len(standing),
        hops=dict(sorted(Counter(task.hops for task in standing).items())),
        parallel=sum(len(task.path.leaves) > 1 for task in standing),
        tools_used=len({tool for task in standing for tool in task.path.tools}),
        tools=total,
        verified_share=round(len(standing) / len(made), 4) if made else None,
        refuted=tuple(f"{one.task.type}: {one.reason}" for one in refuted),
        rewritten=sum(one.origin == "model" for one in rewritings),
        refused=sum(one.origin == "plain" and bool(one.refusals) for one in rewritings),
        review=str(output / REVIEW),
    )


def review(folder: Path, *, apply: bool = False, unreviewed: bool = False) -> Reviewed:
    """Count the verdicts in a folder and, if wanted, write the data set.

    Raises:
        InputError: if a file is missing or is not what it should be.
        UserError: if no task is left.
    """
    tasks = read_asked(folder / TASKS)
    judged = read_review(folder / REVIEW)
    _require_tasks(judged, tasks, folder / REVIEW)
    verdicts = Counter(
        judged[task.made.name].verdict if task.made.name in judged else None for task in tasks
    )
    path = folder / DATASET
    written = None
    if apply:
        entries = reviewed(tasks, judged, path=folder / REVIEW, with_unreviewed=unreviewed)
        write_file(path, msgspec.json.format(msgspec.json.encode(entries), indent=2) + b"\n")
        written = len(entries)
    return Reviewed(
        len(tasks), verdicts["accept"], verdicts["reject"], verdicts[None], written, str(path)
    )


def _require_tasks(judged: Mapping[str, Judgement], tasks: Sequence[AskedTask], path: Path) -> None:
    """No verdict may get lost because its task's name was changed."""
    names = {task.made.name for task in tasks}
    if strange := [name for name, one in judged.items() if one.verdict and name not in names]:
        raise InputError(f"has a verdict on {strange[0]!r}, which is no task here", path=path)


def read_asked(path: Path) -> tuple[AskedTask, ...]:
    """The tasks of a folder.

    Raises:
        InputError: if the file cannot be read or is not what `construct` writes.
    """
    return tuple(task for _, task in json_lines(path, AskedTask, what="a constructed task"))


def _names(world: TaskWorld) -> set[str]:
    branches = PlanningTree(world.description).all_branches()
    return {display_name(name) for branch in branches for name in world.starts(branch)}
