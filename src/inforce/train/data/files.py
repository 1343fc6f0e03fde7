"""The training set as files: JSON lines in the benchmark's form, and Parquet rows for verl."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import msgspec

from inforce.errors import InputError, MissingExtraError
from inforce.scoring.tasks import Task
from inforce.train.data.examples import INSTRUCTIONS, Example
from inforce.train.episodes import Question

Form = Literal["jsonl", "parquet"]

AGENT = "inforce_r1"
"""The agent loop a Parquet row asks for."""

_NEEDS = "writing Parquet"
_EXTRA = "verl"


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
    _replace(path, b"".join(lines))


def read_jsonl(path: Path) -> tuple[Question, ...]:
    """The questions of a training set, as episodes take them.

    Raises:
        InputError: if the file cannot be read or a line is no example; names the line.
    """
    return tuple(_example(line, path, number).as_question for number, line in _lines(path))


def write_parquet(path: Path, examples: Sequence[Example], *, agent: str = AGENT) -> None:
    """Store examples as rows of the form verl reads.

    Args:
        path: where to.
        examples: what to store.
        agent: the name of the agent loop that plays them.

    Raises:
        MissingExtraError: if pyarrow is not installed.
    """
    try:
        arrow: Any = import_module("pyarrow")  # pyarrow ships no types
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtraError(_NEEDS, _EXTRA) from error
    draft = path.with_name(f"{path.name}.tmp")
    draft.parent.mkdir(parents=True, exist_ok=True)
    rows = [row(one, place, agent=agent) for place, one in enumerate(examples)]
    parquet.write_table(arrow.Table.from_pylist(rows), draft)
    draft.replace(path)


def row(example: Example, place: int, *, agent: str = AGENT) -> dict[str, Any]:
    """An example as verl reads it: the agent's own instructions are its agent loop's affair."""
    return {
        "data_source": example.task,
        "agent_name": agent,
        "prompt": [{"role": "user", "content": example.asked}],
        "ability": "legal_research",
        "reward_model": {"style": "rule", "ground_truth": example.answer},
        "extra_info": {
            "index": place,
            "id": example.id,
            "task": example.task,
            "split": "train",
            "question": example.asked,
            "plain_question": example.question,
            "answer": example.answer,
            "source": example.source,
            "others": list(map(str, example.facts.get("others", ()))),
        },
    }


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


def _replace(path: Path, data: bytes) -> None:
    draft = path.with_name(f"{path.name}.tmp")
    draft.parent.mkdir(parents=True, exist_ok=True)
    draft.write_bytes(data)
    draft.replace(path)


def described(counts: Mapping[str, int]) -> str:
    """Numbers by name, in words.

    >>> described({"cases": 3, "lawbench": 2})
    '3 cases, 2 lawbench'
    """
    return ", ".join(f"{number} {name}" for name, number in counts.items())
