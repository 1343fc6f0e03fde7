"""The tasks of LegalAgentBench, from the benchmark's own ``dataset.json``.

They are scored by the key words that a text contains (sections 4.1.2 and E.2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from inforce.documents.json_records import json_value
from inforce.errors import InputError
from inforce.evals.benchmark import Item

DATASET = "dataset.json"

WRITING = "writing"
"""The task of items that ask for a document: no look-up leads to it."""

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


def read_tasks(path: Path) -> tuple[Item, ...]:
    """The tasks of a data set: its file, or the folder it is in.

    The task of an item is its number of hops, as a column of the paper's tables. Its facts are
    ``key`` and ``key_middle``, the words the answer must contain and those found on the way;
    ``way``, the tools with which it was made, in order; and ``hops``, 0 for a writing task.

    Raises:
        InputError: if there is none, it cannot be read, or it is not the benchmark's.
    """
    file = path / DATASET if path.is_dir() else path
    what = "a data set of LegalAgentBench"
    entries = json_value(file, tuple[TaskEntry, ...], what=what, limit=LARGEST_DATASET)
    return tuple(_item(entry, file) for entry in entries)


def _item(entry: TaskEntry, file: Path) -> Item:
    """Some tasks have ``type`` and ``way`` the wrong way round."""
    if not any(entry.key):
        raise InputError(f"task {entry.id} has no key to score by", path=file)
    kind, way = entry.type, entry.way
    if _KIND.match(way):
        kind, way = way, kind
    match = _KIND.match(kind)
    hops = int(match[1]) if match else 0
    facts = {
        "key": list(entry.key),
        "key_middle": list(entry.key_middle),
        "way": [step.strip() for step in way.split(ARROW) if step.strip()],
        "hops": hops,
    }
    group = f"{hops}-hop" if hops else WRITING
    return Item(str(entry.id), group, entry.question, entry.answer, facts=facts)


def share(keys: Sequence[str], text: str) -> float:
    """The share of keys that a text contains.

    >>> share(("688106", "金向华"), "公司代码为688106")
    0.5
    """
    return sum(key in text for key in keys) / len(keys)
