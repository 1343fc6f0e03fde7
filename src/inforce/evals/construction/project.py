"""A folder of tasks: made, reworded, reviewed by people, and written as a data set.

====================  ==================================================================
``tasks.jsonl``       every task that passed the check by machine, with its path
``rewrites.jsonl``    the rewordings of a model, so that no question is reworded twice
``review.yaml``       for people: verdicts, notes, better words
``dataset.json``      the accepted tasks in LegalAgentBench's form
====================  ==================================================================

The review is YAML, one document a task. ``verdict``, ``question`` and ``notes`` are read back; the
rest is for reading, and comes from the tasks themselves when the data set is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from inforce.documents.json_records import json_lines
from inforce.documents.safe_yaml import YamlError, read_yaml
from inforce.errors import InputError, UserError
from inforce.evals.construction.description import read_text
from inforce.evals.construction.paths import PlanningTree
from inforce.evals.construction.rewriting import Rewriter
from inforce.evals.construction.solving import display_name
from inforce.evals.construction.tasks import MadeTask, TaskPlan, check_tasks, make_tasks
from inforce.evals.construction.worlds import open_world
from inforce.evals.legalagentbench.tasks import ARROW, DATASET, TaskEntry
from inforce.files import write_file
from inforce.llm.chat import ChatModel

TASKS = "tasks.jsonl"
REWRITES = "rewrites.jsonl"
REVIEW = "review.yaml"

Verdict = Literal["accept", "reject"]

_HEAD = """\
# Each task is checked by a person: does the question ask for this answer, and is it clear?
# Write accept or reject after verdict. The question may be reworded; it must go on naming the
# entity. Notes are kept. All else is for reading: changes to it have no effect.
"""
_RULE = "---"
_WIDE = 10_000


@dataclass(frozen=True, slots=True)
class AskedTask:
    """A task with the final words of its question."""

    made: MadeTask
    question: str


class Judgement(msgspec.Struct, frozen=True):
    """A person's judgement of a task."""

    name: str
    question: str
    key: tuple[str, ...] = ()
    verdict: Verdict | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class Construction:
    """The result of making tasks."""

    n: int
    """Tasks that passed the check."""
    hops: dict[int, int]
    parallel: int
    tools_used: int
    tools: int
    verified_share: float | None
    """The share of the made tasks that passed; ``None`` if none was made."""
    refuted: tuple[str, ...]
    """Why the others were left out."""
    rewritten: int
    """Questions in a model's words."""
    refused: int
    """Questions whose rewordings were all refused."""
    review: str
    """The file for verdicts."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The result of a review."""

    tasks: int
    accepted: int
    rejected: int
    open: int
    written: int | None
    """Tasks in the data set; ``None`` if none was written."""
    dataset: str


async def construct(
    world: Path,
    output: Path,
    plan: TaskPlan,
    *,
    tables: Path | None = None,
    model: ChatModel | None = None,
    progress: Callable[[int], None] = lambda steps: None,
) -> Construction:
    """Make tasks of a world, check them, reword them, and write them for review.

    Args:
        world: the folder of the tables.
        output: the folder of the tasks; made if it does not exist.
        plan: the number and kind of tasks.
        tables: the description of the user's tables; ``None``: LegalAgentBench's world.
        model: rewords the questions; without one they get an opening.
        progress: called with the number of look-ups, checks and rewordings done.

    Raises:
        InputError: if a file is malformed.
        UserError: if a review in the folder would lose verdicts.
        ModelError: if the model cannot be reached; the next run continues from there.
    """
    output.mkdir(parents=True, exist_ok=True)
    with open_world(world, tables) as opened:
        made = await make_tasks(opened, plan, progress=progress)
    with open_world(world, tables) as anew:
        rejected = await check_tasks(made, anew, progress=progress)
        description = anew.description
        branches = PlanningTree(description).all_branches()
        names = {display_name(name) for branch in branches for name in anew.starts(branch)}
    rewriter = Rewriter(output / REWRITES, description, names, model)
    out = {one.task.name for one in rejected}
    passed = [task for task in made if task.name not in out]
    rewritings = await rewriter.rewrite(passed, progress=progress)
    tasks = [AskedTask(task, one.question) for task, one in zip(passed, rewritings, strict=True)]
    write_review(output / REVIEW, tasks)
    write_file(output / TASKS, b"".join(msgspec.json.encode(one) + b"\n" for one in tasks))
    return Construction(
        n=len(passed),
        hops=dict(sorted(Counter(task.hops for task in passed).items())),
        parallel=sum(len(task.path.leaves) > 1 for task in passed),
        tools_used=len({tool for task in passed for tool in task.path.tools}),
        tools=len(description.tools),
        verified_share=round(len(passed) / len(made), 4) if made else None,
        refuted=tuple(f"{one.task.type}: {one.reason}" for one in rejected),
        rewritten=sum(one.origin == "model" for one in rewritings),
        refused=sum(one.origin == "plain" and bool(one.refusals) for one in rewritings),
        review=str(output / REVIEW),
    )


def read_asked(path: Path) -> tuple[AskedTask, ...]:
    """Read the tasks of a folder.

    Raises:
        InputError: if the file cannot be read or was not written by `construct`.
    """
    return tuple(task for _, task in json_lines(path, AskedTask, what="a constructed task"))


def write_review(path: Path, tasks: Sequence[AskedTask]) -> None:
    """Write the review, with the judgements that an earlier one has on the same tasks.

    Raises:
        InputError: if the earlier file cannot be read.
        UserError: if its verdicts on other tasks would be lost.
    """
    judged = read_review(path) if path.exists() else {}
    names = {task.made.name for task in tasks}
    lost = [one for one in judged.values() if one.verdict and one.name not in names]
    if lost:
        reason = f"{path} has {len(lost)} verdicts on tasks that are no longer made"
        raise UserError(f"{reason}; keep it, and choose another --output")
    documents = (_document(task, judged.get(task.made.name)) for task in tasks)
    write_file(path, _HEAD + "".join(f"{_RULE}\n{one}" for one in documents))


def _document(task: AskedTask, judged: Judgement | None) -> str:
    """A task for people; their judgement stays while the answer is the same."""
    if judged is not None and judged.key != task.made.key:
        judged = None
    fields: dict[str, Any] = {
        "name": task.made.name,
        "type": task.made.type,
        "question": judged.question if judged and judged.verdict else task.question,
        "answer": task.made.answer,
        "key": list(task.made.key),
        "key_middle": list(task.made.key_middle),
        "way": way(task.made),
        "plain question": task.made.question,
        "verdict": judged.verdict if judged else None,
        "notes": judged.notes if judged else None,
    }
    text: str = yaml.dump(fields, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=_WIDE)
    return text


class _Dumper(yaml.SafeDumper):
    """Writes an empty value for ``None``."""


_Dumper.add_representer(
    type(None), lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:null", "")
)


def read_review(path: Path) -> dict[str, Judgement]:
    """Read the judgements in a file, by the name of the task.

    Raises:
        InputError: if the file cannot be read or is malformed.
    """
    judgements: dict[str, Judgement] = {}
    for line, text in _documents(path):
        try:
            one = msgspec.convert(read_yaml(text), Judgement, strict=False)
        except YamlError as error:
            raise InputError(error.reason, path=path, line=line + (error.line or 1)) from error
        except msgspec.ValidationError as error:
            reason = f"no judgement of a task: {error} (verdict is accept, reject or nothing)"
            raise InputError(reason, path=path, line=line) from error
        if one.name in judgements:
            raise InputError(f"judges the task {one.name} twice", path=path, line=line)
        judgements[one.name] = one
    return judgements


def _documents(path: Path) -> Iterator[tuple[int, str]]:
    """The documents of a file, each with the number of the line before its first."""
    lines = read_text(path).split("\n")
    rules = [number for number, line in enumerate(lines) if line.rstrip() == _RULE]
    for number, line in enumerate(lines[: rules[0] if rules else None], start=1):
        if line.strip("\ufeff \t") and not line.startswith(("#", "\ufeff#")):
            raise InputError(f"a task has to begin with {_RULE}", path=path, line=number)
    for start, end in zip(rules, [*rules[1:], len(lines)], strict=True):
        yield start + 1, "\n".join(lines[start + 1 : end])


def review(folder: Path, *, apply: bool = False, unreviewed: bool = False) -> Reviewed:
    """Count the verdicts in a folder and, with ``apply``, write the data set.

    Raises:
        InputError: if a file is missing or malformed, or a reworded question no longer names its
            entity.
        UserError: if no task is left.
    """
    tasks, path = read_asked(folder / TASKS), folder / REVIEW
    judged = read_review(path)
    names = {task.made.name for task in tasks}
    # No verdict may get lost because the name of its task was changed.
    if unknown := [name for name, one in judged.items() if one.verdict and name not in names]:
        raise InputError(f"has a verdict on {unknown[0]!r}, which is no task here", path=path)
    verdicts = Counter(
        judged[task.made.name].verdict if task.made.name in judged else None for task in tasks
    )
    dataset = folder / DATASET
    written = None
    if apply:
        entries = _accepted(tasks, judged, path, with_unreviewed=unreviewed)
        write_file(dataset, msgspec.json.format(msgspec.json.encode(entries), indent=2) + b"\n")
        written = len(entries)
    return Reviewed(
        len(tasks), verdicts["accept"], verdicts["reject"], verdicts[None], written, str(dataset)
    )


def _accepted(
    tasks: Sequence[AskedTask],
    judged: Mapping[str, Judgement],
    path: Path,
    *,
    with_unreviewed: bool,
) -> tuple[TaskEntry, ...]:
    """The tasks for the data set, numbered."""
    wanted = ("accept", None) if with_unreviewed else ("accept",)
    entries: list[TaskEntry] = []
    for task in tasks:
        made, judgement = task.made, judged.get(task.made.name)
        if (judgement.verdict if judgement else None) in wanted:
            question = judgement.question if judgement else task.question
            if made.entity not in question:
                reason = f"the question of {made.name} does not name {made.entity}"
                raise InputError(reason, path=path)
            number, keys = len(entries) + 1, (made.key, made.key_middle)
            entries.append(TaskEntry(number, question, made.answer, *keys, made.type, way(made)))
    if not entries:
        raise UserError(f"no task is accepted yet; write verdicts in {path}, or use --unreviewed")
    return tuple(entries)


def way(task: MadeTask) -> str:
    """The tools of a task as the benchmark writes them."""
    return ARROW.join(task.path.tools)
