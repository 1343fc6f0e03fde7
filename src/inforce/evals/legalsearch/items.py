"""The items of the 13-task benchmark, from its original JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import msgspec

from inforce.dates import find_dates
from inforce.documents.json_records import json_lines
from inforce.errors import InputError
from inforce.evals.benchmark import Item
from inforce.scoring.tasks import RELEASED_FILES, Task


class _Line(msgspec.Struct, frozen=True):
    """One line of a file."""

    id: str | int
    type: Task
    question: str
    answer: str
    deepresearch_task_prompt: str = ""
    task_prompt: str = ""
    system_prompt: str = ""
    system_prompt_cot: str = ""


def read_items(path: Path, *, today: date, tasks: Sequence[str] = ()) -> tuple[Item, ...]:
    """The items of a file, or of a folder with the two released files, in their order.

    Args:
        path: the file or folder.
        today: the day "now" means in a question.
        tasks: the tasks to read; all if empty.

    Raises:
        InputError: if a file cannot be read, a line is no item, an id occurs twice, or nothing of
            these tasks is there.
    """
    items = [item for file in _files(path) for item in _items(file, today)]
    wanted = tuple(item for item in items if not tasks or item.task in tasks)
    if not wanted:
        kinds = " or ".join(repr(task) for task in tasks)
        raise InputError(f"holds no item of type {kinds}" if tasks else "no items", path=path)
    return wanted


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = [path / name for name in RELEASED_FILES if (path / name).exists()]
    if not files:
        raise InputError(f"holds neither {RELEASED_FILES[0]} nor {RELEASED_FILES[1]}", path=path)
    return files


def _items(path: Path, today: date) -> Iterator[Item]:
    seen: set[str] = set()
    for number, line in json_lines(path, _Line, what="an item of the 13-task benchmark"):
        item = _item(line, today)
        if item.id in seen:
            raise InputError(f"the id {item.id!r} occurs twice", path=path, line=number)
        seen.add(item.id)
        yield item


def _item(line: _Line, today: date) -> Item:
    prompt = f"{line.deepresearch_task_prompt.strip()}\n{line.question.strip()}".strip()
    facts: dict[str, str | int] = {
        "plain_question": line.question.strip(),
        "task_prompt": line.task_prompt,
        "system_prompt": line.system_prompt,
        "system_prompt_cot": line.system_prompt_cot,
    }
    if line.type == "lar":  # the year of the law, which in this benchmark is that of a version
        dates = find_dates(line.question, clock=lambda: today)
        if year := next((one.range.start.year for one in dates if one.range.start), None):
            facts["year"] = year
    group = str(facts.get("year", ""))
    return Item(str(line.id), line.type, prompt, line.answer.strip(), group, facts)
