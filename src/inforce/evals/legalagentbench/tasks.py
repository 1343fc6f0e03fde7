"""The tasks of LegalAgentBench, from the benchmark's own ``dataset.json``.

They are scored by the key words that a text contains (sections 4.1.2 and E.2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from inforce.documents.json_records import json_value
from inforce.errors import InputError
from inforce.evals.benchmark import Item

DATASET = "dataset.json"

LARGEST_DATASET = 64 * 1024 * 1024
"""Bytes."""

_KIND = re.compile(r"(\d)-\d+")
ARROW = "----"
"""Separates the tools of a way."""


class TaskEntry(msgspec.Struct, frozen=True):
    """A task in the data set's form."""

    id: int
    question: str
    answer: str
    key: tuple[str, ...]
    key_middle: tuple[str, ...] = ()
    type: str = ""
    way: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A question, with the key words of its answer and of the way to it."""

    id: int
    question: str
    answer: str
    key: tuple[str, ...]
    """Words the answer must contain."""
    key_middle: tuple[str, ...]
    """Words found on the way."""
    hops: int
    """Look-ups in a row; 0 for writing tasks."""
    way: tuple[str, ...]
    """The tools with which the question was made, in order; empty for writing tasks."""

    @property
    def group(self) -> str:
        """The column of the paper's tables: ``1-hop`` to ``5-hop``, ``writing``."""
        return f"{self.hops}-hop" if self.hops else "writing"


def read_tasks(path: Path) -> tuple[Task, ...]:
    """The tasks of a data set: its file, or the folder it is in.

    Raises:
        InputError: if there is none, it cannot be read, or it is not the benchmark's.
    """
    file = path / DATASET if path.is_dir() else path
    what = "a data set of LegalAgentBench"
    entries = json_value(file, tuple[TaskEntry, ...], what=what, limit=LARGEST_DATASET)
    return tuple(_task(entry, file) for entry in entries)


def _task(entry: TaskEntry, file: Path) -> Task:
    """Some tasks have ``type`` and ``way`` the wrong way round."""
    if not any(entry.key):
        raise InputError(f"task {entry.id} has no key to score by", path=file)
    kind, way = entry.type, entry.way
    if _KIND.match(way):
        kind, way = way, kind
    match = _KIND.match(kind)
    return Task(
        entry.id,
        entry.question,
        entry.answer,
        entry.key,
        entry.key_middle,
        int(match[1]) if match else 0,
        tuple(step.strip() for step in way.split(ARROW) if step.strip()),
    )


def item_of(task: Task) -> Item:
    """Return the item of a task; its group of tasks is its number of hops."""
    facts = {
        "key": list(task.key),
        "key_middle": list(task.key_middle),
        "way": list(task.way),
        "hops": task.hops,
    }
    return Item(str(task.id), task.group, task.question, task.answer, facts=facts)


def task_of(item: Item) -> Task:
    """Return the task of an item.

    >>> task = Task(7, "谁？", "周青", ("周青",), (), 1, ("get_company_info",))
    >>> task_of(item_of(task)) == task
    True
    """
    fields = {"id": int(item.id), "question": item.question, "answer": item.target}
    return msgspec.convert({**fields, **item.facts}, Task)


def share(keys: Sequence[str], text: str) -> float:
    """The share of keys that a text contains.

    >>> share(("688106", "金向华"), "公司代码为688106")
    0.5
    """
    return sum(key in text for key in keys) / len(keys)
