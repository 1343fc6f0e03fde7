"""The training set as a file of JSON lines in the benchmark's form; as Parquet: `data.rows`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from inforce.documents.json_records import json_lines
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
    lines = (line.value for line in json_lines(path, _Line, what="a training example"))
    examples = (
        Example(one.id, one.type, one.question, one.answer, one.source, facts=one.facts)
        for one in lines
    )
    return tuple(one.as_question for one in examples)


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
