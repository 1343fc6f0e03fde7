"""The tasks of LegalAgentBench, read from the benchmark's own ``dataset.json``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import msgspec

from inforce.errors import InputError

DATASET = "dataset.json"

LARGEST_DATASET = 64 * 1024 * 1024
"""Bytes of a data set that are read."""

_KIND = re.compile(r"(\d)-\d+")
_ARROW = "----"


class _Entry(msgspec.Struct, frozen=True):
    """A task as the benchmark writes it."""

    id: int
    question: str
    answer: str
    key: tuple[str, ...]
    key_middle: tuple[str, ...] = ()
    type: str = ""
    way: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """One question, and what its answer and the way to it must contain."""

    id: int
    question: str
    answer: str
    key: tuple[str, ...]
    """What the answer must contain."""
    key_middle: tuple[str, ...]
    """What one comes across on the way."""
    hops: int
    """Look-ups that follow from one another; 0 for writing tasks."""
    way: tuple[str, ...]
    """The tools in the order the question was made with; empty for writing tasks."""

    @property
    def group(self) -> str:
        """The column of the paper's tables: ``1-hop`` to ``5-hop``, ``writing``."""
        return f"{self.hops}-hop" if self.hops else "writing"


def read_tasks(path: Path) -> tuple[Task, ...]:
    """The tasks of a data set: its file, or the folder it lies in.

    Raises:
        InputError: if there is none, it cannot be read, or it is not the benchmark's.
    """
    file = path / DATASET if path.is_dir() else path
    try:
        if file.stat().st_size > LARGEST_DATASET:
            raise InputError("is too large for a data set of LegalAgentBench", path=file)
        entries = msgspec.json.decode(file.read_bytes(), type=tuple[_Entry, ...])
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=file) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"no data set of LegalAgentBench: {error}", path=file) from error
    return tuple(_task(entry, file) for entry in entries)


def _task(entry: _Entry, file: Path) -> Task:
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
        tuple(step.strip() for step in way.split(_ARROW) if step.strip()),
    )
