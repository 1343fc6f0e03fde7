"""Training sets as files: JSON lines in the benchmark's form, and verl's Parquet rows.

Rows are read in our own form and in that of LegalSearch-R1's release.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import msgspec

from inforce.documents.json_records import json_lines
from inforce.errors import InputError, MissingExtraError, UserError
from inforce.files import write_file
from inforce.scoring.tasks import Task
from inforce.train.data.examples import INSTRUCTIONS, Example
from inforce.train.episodes import Question


def write_rows(path: Path, questions: Sequence[Question], *, agent: str) -> None:
    """Store questions as rows of verl's data; the file appears whole or not at all.

    Args:
        path: where to (``.parquet``).
        questions: with all facts a reward needs.
        agent: name of the agent loop: ``inforce_r1`` or ``inforce_msr2``.

    Raises:
        MissingExtraError: if pyarrow is not installed.
        UserError: if there are no questions.
    """
    arrow, parquet = _pyarrow()
    if not questions:
        raise UserError(f"no question is left to write to {path}")
    draft = path.with_name(f"{path.name}.tmp")
    draft.parent.mkdir(parents=True, exist_ok=True)
    rows = [row_of(one, place, agent=agent) for place, one in enumerate(questions)]
    parquet.write_table(arrow.Table.from_pylist(rows), draft)
    draft.replace(path)


def read_parquet(path: Path) -> list[Mapping[str, Any]]:
    """Read the rows of a Parquet file.

    Raises:
        MissingExtraError: if pyarrow is not installed.
        InputError: if it cannot be read.
    """
    _, parquet = _pyarrow()
    try:
        return parquet.read_table(path).to_pylist()
    except (OSError, ValueError) as error:  # pyarrow's own are kinds of these
        raise InputError(f"not a Parquet file: {error}", path=path) from error


def _pyarrow() -> tuple[Any, Any]:
    """Import the library and its Parquet module; neither ships types."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtraError("Parquet files", "verl") from error


def row_of(question: Question, place: int, *, agent: str) -> dict[str, Any]:
    """Return a question as verl reads it; all its facts (a case's ``fact``) reach the reward.

    Args:
        question: without the agent's instructions, which the agent loop adds.
        place: index of the row in its file.
        agent: name of the agent loop.
    """
    return {
        "data_source": str(question.facts.get("task", "")),
        "agent_name": agent,
        "prompt": [{"role": "user", "content": question.text}],
        "ability": "legal_research",
        "reward_model": {"style": "rule", "ground_truth": question.target},
        "extra_info": {
            **question.facts,
            "index": place,
            "id": question.id,
            "question": question.text,
            "answer": question.target,
        },
    }


def question_of(row: Mapping[str, Any]) -> Question:
    """Return the question of a row that an agent loop gets.

    The question is the user's last message in the row's prompt; instructions there are for other
    agent loops.

    Raises:
        UserError: if the prompt has no turn of the user.
    """
    extra = _plain(row.get("extra_info") or {})
    turns = cast("Sequence[Mapping[str, Any]]", _plain(row.get("raw_prompt")) or ())
    messages = [str(turn["content"]) for turn in turns if turn.get("role") == "user"]
    if not messages:
        raise UserError("a row without a question: its prompt needs a turn of the user")
    truth = _plain(row.get("reward_model") or {})
    return question_from(
        extra, messages[-1], truth.get("ground_truth", ""), source=str(row.get("data_source", ""))
    )


def question_from(extra: Mapping[str, Any], text: str, target: object, *, source: str) -> Question:
    """Return a question from the parts of a row that a reward function gets.

    Args:
        extra: the row's ``extra_info``.
        text: of the question.
        target: the right answer.
        source: the row's ``data_source``, which names the task where ``extra_info`` does not.
    """
    name = str(extra.get("id") or extra.get("index") or text)
    return Question(name, text, str(target), {"task": source, **extra})


def _plain(value: Any) -> Any:
    """Convert values from numpy and Arrow to Python's own."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return {key: _plain(one) for key, one in items}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in cast("Sequence[Any]", value)]
    return value


class _Line(msgspec.Struct):
    """A line of the file, in the form of the 13-task benchmark."""

    id: str
    type: Task
    deepresearch_task_prompt: str
    question: str
    answer: str
    source: str
    year: int | None = None
    facts: dict[str, Any] = {}


def write_jsonl(path: Path, examples: Iterable[Example]) -> None:
    """Store examples, one on each line; the file appears whole or not at all."""
    lines = (
        _Line(
            one.id,
            one.task,
            INSTRUCTIONS[one.task],
            one.question,
            one.answer,
            one.source,
            one.year,
            dict(one.facts),
        )
        for one in examples
    )
    write_file(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines), private=True)


def read_jsonl(path: Path) -> tuple[Question, ...]:
    """Read the questions of a training set.

    Raises:
        InputError: if the file cannot be read or a line is no example; names the line.
    """
    lines = (line.value for line in json_lines(path, _Line, what="a training example"))
    examples = (
        Example(one.id, one.type, one.question, one.answer, one.source, facts=one.facts)
        for one in lines
    )
    return tuple(one.as_question for one in examples)
