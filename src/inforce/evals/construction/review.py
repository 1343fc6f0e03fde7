"""The check by people: a file with every task, in which they accept, reject, reword and note.

The file is YAML, one document a task. Read back are ``verdict``, ``question`` and ``notes``; the
rest is there to judge by, and comes from the tasks themselves when the data set is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from inforce.documents.safe_yaml import YamlError, read_yaml
from inforce.errors import InputError, UserError
from inforce.evals.construction.tasks import MadeTask
from inforce.files import write_file

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
    """A task with the question as it is asked."""

    made: MadeTask
    question: str


class Judgement(msgspec.Struct, frozen=True):
    """What a person wrote on a task."""

    name: str
    question: str
    key: tuple[str, ...] = ()
    verdict: Verdict | None = None
    notes: str | None = None


class DatasetEntry(msgspec.Struct, frozen=True):
    """A task in the benchmark's form."""

    id: int
    question: str
    answer: str
    key: tuple[str, ...]
    key_middle: tuple[str, ...]
    type: str
    way: str


def write_review(path: Path, tasks: Sequence[AskedTask]) -> None:
    """Write the file, with the judgements an earlier one has on the same tasks.

    Raises:
        InputError: if the earlier file cannot be read.
        UserError: if it has verdicts on tasks that would be lost.
    """
    judged = read_review(path) if path.exists() else {}
    names = {task.made.name for task in tasks}
    lost = [one for one in judged.values() if one.verdict and one.name not in names]
    if lost:
        reason = f"{path} has {len(lost)} verdicts on tasks that are no longer made"
        raise UserError(f"{reason}; keep it, and choose another --output")
    documents = (_document(task, judged.get(task.made.name)) for task in tasks)
    write_file(path, _HEAD + "".join(f"{_RULE}\n{one}" for one in documents))


def read_review(path: Path) -> dict[str, Judgement]:
    """Judgements by the name of the task.

    Raises:
        InputError: if the file cannot be read or is not what it should be.
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


def reviewed(
    tasks: Sequence[AskedTask],
    judged: Mapping[str, Judgement],
    *,
    path: Path,
    with_unreviewed: bool = False,
) -> tuple[DatasetEntry, ...]:
    """The tasks that go into the data set, numbered.

    Raises:
        InputError: if a reworded question no longer names its entity.
        UserError: if no task is left.
    """
    wanted = ("accept", None) if with_unreviewed else ("accept",)
    entries: list[DatasetEntry] = []
    for task in tasks:
        judgement = judged.get(task.made.name)
        if (judgement.verdict if judgement else None) in wanted:
            question = judgement.question if judgement else task.question
            if task.made.entity not in question:
                reason = f"the question of {task.made.name} does not name {task.made.entity}"
                raise InputError(reason, path=path)
            entries.append(_entry(len(entries) + 1, task.made, question))
    if not entries:
        raise UserError(f"no task is accepted yet; write verdicts in {path}, or use --unreviewed")
    return tuple(entries)


def way(task: MadeTask) -> str:
    """The tools of a task as the benchmark writes them."""
    return "----".join(task.path.tools)


def _entry(id: int, task: MadeTask, question: str) -> DatasetEntry:
    return DatasetEntry(id, question, task.answer, task.key, task.key_middle, task.type, way(task))


def _document(task: AskedTask, judged: Judgement | None) -> str:
    """A task for people; what they wrote on it stays while its answer is the same."""
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
    """Leaves an empty place where nothing is written yet."""


_Dumper.add_representer(
    type(None), lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:null", "")
)


def _documents(path: Path) -> Iterator[tuple[int, str]]:
    """The documents of a file, each with the line before its first."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", path=path) from error
    rules = [number for number, line in enumerate(lines) if line.rstrip() == _RULE]
    for number, line in enumerate(lines[: rules[0] if rules else None], start=1):
        if line.strip("\ufeff \t") and not line.startswith(("#", "\ufeff#")):
            raise InputError(f"a task has to begin with {_RULE}", path=path, line=number)
    for start, end in zip(rules, [*rules[1:], len(lines)], strict=True):
        yield start + 1, "\n".join(lines[start + 1 : end])
