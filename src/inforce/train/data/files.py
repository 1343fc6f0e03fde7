"""The training set as a file of JSON lines in the benchmark's form; as Parquet: `data.rows`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from inforce.errors import InputError
from inforce.scoring.run_folder import replace_file
from inforce.scoring.tasks import Task
from inforce.train.data.examples import INSTRUCTIONS, Example
from inforce.train.episodes import Question


class _Line(msgspec.Struct):
    """A line of the file; what reads the 13-task benchmark reads it too."""

    id: str
    type: Task
    deepresearch_task_prompt: str
    question: str
    answer: str
    source: str
    year: int | None = None
    facts: dict[str, Any] = {}


def write_jsonl(path: Path, examples: Iterable[Example]) -> None:
    """Store examples, one a line; the file appears whole or not at all."""
    lines = (msgspec.json.encode(_line(one)) + b"\n" for one in examples)
    replace_file(path, b"".join(lines))


def read_jsonl(path: Path) -> tuple[Question, ...]:
    """The questions of a training set, as episodes take them.

    Raises:
        InputError: if the file cannot be read or a line is no example; names the line.
    """
    return tuple(_example(line, path, number).as_question for number, line in _lines(path))


def _line(one: Example) -> _Line:
    return _Line(
        one.id,
        one.task,
        INSTRUCTIONS[one.task],
        one.question,
        one.answer,
        one.source,
        one.year,
        dict(one.facts),
    )


def _lines(path: Path) -> list[tuple[int, bytes]]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _example(line: bytes, path: Path, number: int) -> Example:
    try:
        read = msgspec.json.decode(line, type=_Line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"no training example: {error}", path=path, line=number) from error
    return Example(read.id, read.type, read.question, read.answer, read.source, facts=read.facts)
