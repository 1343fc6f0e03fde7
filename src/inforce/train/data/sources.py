"""Reads the files that examples come from; each is recognised by its form, or else by its name.

======================  ==========================================================================
LawBench                ``1-2.json`` kqa, ``3-3.json`` ccp, ``3-4.json`` and ``3-5.json`` ptp,
                        ``3-6.json`` lca, ``3-8.json`` lcs
LexEval                 ``3_2.json`` lap
DISC-LawLLM             ``mcq_mult_nje.csv`` and the like: examinations, of the year they name
dated questions         what ``inforce construct dated`` writes: lar
the 13-task benchmark   its own JSON lines, or its training file: any task
cases                   CAIL2018's form: ccp, ptp, and lap with options drawn from other cases
======================  ==========================================================================
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, cast

from inforce.documents.files import read_file
from inforce.documents.json_records import json_lines, json_value
from inforce.errors import InputError
from inforce.scoring.tasks import RELEASED_FILES, TASKS, Task
from inforce.train.data.cases import examples_of_cases, relevant_articles
from inforce.train.data.examples import Example, with_year
from inforce.train.data.rows import read_parquet

_LAWBENCH: Final[Mapping[str, Task]] = {
    "1-2": "kqa",
    "3-3": "ccp",
    "3-4": "ptp",
    "3-5": "ptp",
    "3-6": "lca",
    "3-8": "lcs",
}
_LEXEVAL: Final[Mapping[str, Task]] = {"3_2": "lap"}
_DISC = re.compile(r"mcq_(?:mult|sing)_(?P<task>\w+)")
_OPTION = re.compile(r"[\s;；]*(?<![A-Za-z])([A-D][:：])")
_WITHOUT_OPTIONS = ("lar", "lcs", "ccp", "ptp")
_LABEL = re.compile(r"^(?:正确答案|罪名|刑期)\s*[:：]\s*")
_LETTERS = re.compile(r"[A-D]{1,4}")
_HINT = re.compile(r"\n罪名[:：].*?法条[:：]\s*刑法第(?P<articles>[\d、]+)条.*\Z", re.DOTALL)
"""A hint LawBench adds to the facts (3-5); its wording is today's, whenever the facts happened."""
_SUFFIXES = (".json", ".jsonl", ".csv", ".gz", ".parquet")

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """The examples of one file."""

    path: Path
    name: str
    """``lawbench``, ``lexeval``, ``disc``, ``dated``, ``legalsearch`` or ``cases``."""
    examples: tuple[Example, ...]
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])
    """Number of records that are no examples, by reason."""


def read_sources(
    paths: Sequence[Path], *, unknown: Literal["refused", "passed_over"] = "refused"
) -> tuple[Source, ...]:
    """Read files, and the files of folders in the order of their names.

    Args:
        paths: of files and folders.
        unknown: what to do with files of a folder that have none of the forms above.

    Raises:
        InputError: if a file cannot be read or has none of these forms, or a folder none that has.
    """
    return tuple(source for path in paths for source in _read(path, unknown))


def read_source(path: Path) -> Source:
    """Read one file."""
    if path.suffix == ".csv":
        return _disc(path, read_file(path).decode("utf-8-sig", errors="replace"))
    records = _records(path)
    if _have(records, "fact", "meta"):
        return Source(path, "cases", examples_of_cases(path))
    if _have(records, "data_source", "extra_info"):
        records = list(map(_of_row, records))
    if _have(records, "type", "question", "answer"):
        name = "dated" if "dated" in records[0] else "legalsearch"
        return _source(
            path, name, records, lambda one: (one["type"], one["question"], one["answer"])
        )
    task = _LAWBENCH.get(path.stem)
    if task and _have(records, "instruction", "question", "answer"):
        return _source(
            path, "lawbench", records, lambda one: (task, one["question"], one["answer"])
        )
    task = _LEXEVAL.get(path.stem)
    if task and _have(records, "instruction", "input", "answer"):
        return _source(path, "lexeval", records, lambda one: (task, one["input"], one["answer"]))
    raise InputError("none of the forms a training set is made from", path=path)


def _read(path: Path, unknown: Literal["refused", "passed_over"]) -> Iterator[Source]:
    if not path.is_dir():
        yield read_source(path)
        return
    found: list[Source] = []
    for file in sorted(one for one in path.rglob("*") if one.suffix in _SUFFIXES):
        try:
            found.append(read_source(file))
        except InputError:
            if unknown == "refused":
                raise
    if not found:
        raise InputError("holds no file a training set is made from", path=path)
    yield from found


def _records(path: Path) -> Sequence[Record]:
    """Read the objects of a JSON list or of JSON lines, or the rows of a Parquet file."""
    if path.suffix == ".parquet":
        return read_parquet(path)
    if read_file(path).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
        return json_value(path, list[dict[str, Any]], what="a list of JSON objects")
    return [line.value for line in json_lines(path, dict[str, Any], what="a JSON object")]


def _of_row(row: Record) -> Record:
    """Return a row of verl's data in the benchmark's form.

    In a released row the question includes the instruction; in ours it is apart.
    """
    extra = cast("Record", row["extra_info"])
    instruction = str(extra.get("deepresearch_task_prompt") or "").strip()
    question = str(extra.get("question") or "").strip().removeprefix(instruction).strip()
    return {
        **extra,
        "type": extra.get("type") or extra.get("task"),
        "question": extra.get("plain_question") or question,
    }


def _disc(path: Path, text: str) -> Source:
    match = _DISC.match(path.stem)
    task = _task(match["task"]) if match else None
    rows = list(csv.DictReader(io.StringIO(text)))
    if task is None or not _have(rows, "input", "output", "A", "B", "C", "D"):
        raise InputError("not an examination of DISC-LawLLM (mcq_mult_nje.csv)", path=path)
    return _source(path, "disc", rows, lambda one: (task, _examination(one), one["output"]))


def _examination(row: Record) -> str:
    """Return a question with its options and the year of its examination."""
    year = re.match(r"(?:19|20)\d\d", str(row.get("source", "")))
    options = "\n".join(f"{letter}: {row[letter]}" for letter in "ABCD")
    question = with_year(str(row["input"]).strip(), int(year[0]) if year else None)
    return f"{question}\n选项:\n{options}"


def _source(
    path: Path,
    name: str,
    records: Sequence[Record],
    read: Callable[[Record], tuple[object, object, object]],
) -> Source:
    """Make examples of records; count the others by reason."""
    examples: list[Example] = []
    left_out: dict[str, int] = {}
    for record in records:
        name_of_task, question_text, answer_text = read(record)
        task = _task(name_of_task)
        question, answer = _plain(str(question_text), task), _bare(str(answer_text), task)
        why = _fault(task, question, answer)
        if task is None or why:
            left_out[why] = left_out.get(why, 0) + 1
            continue
        held_out = "of a test split" if record.get("split") == "test" else ""
        if path.name in RELEASED_FILES:
            held_out = "of the 13-task benchmark itself"
        number = f"{task}_{name}_{hashlib.sha256(question.encode()).hexdigest()[:12]}"
        facts = _facts(record)
        examples.append(Example(number, task, question, answer, name, held_out, facts))
    return Source(path, name, tuple(examples), left_out)


def _task(name: object) -> Task | None:
    return next((task for task in TASKS if task == name), None)


def _fault(task: Task | None, question: str, answer: str) -> str:
    if task is None:
        return "no task of the benchmark"
    if not question or not answer:
        return "no question or no answer"
    if task not in _WITHOUT_OPTIONS and not _LETTERS.fullmatch(answer):
        return "the answer is no choice of letters"
    return ""


def _plain(question: str, task: Task | None) -> str:
    """Put options on lines of their own, and replace the hint at today's law."""
    text = _HINT.sub(
        lambda hint: relevant_articles(hint["articles"].split("、")),
        question.replace("\r\n", "\n").strip(),
    )
    return text if task in _WITHOUT_OPTIONS else _OPTION.sub(r"\n\1", text)


def _bare(answer: str, task: Task | None) -> str:
    """Return an answer as rewards compare it: no label, no full stop, no spaces in choices."""
    text = answer.strip()
    if task in ("lar", "lcs"):
        return text
    bare = _LABEL.sub("", text).rstrip("。. ")
    return bare if task in ("ccp", "ptp") else "".join(bare.split())


def _facts(record: Record) -> dict[str, Any]:
    dated = record.get("dated")
    if not isinstance(dated, dict):
        return {}
    others = cast("Record", dated).get("others", [])
    return {"others": [str(one["text"]) for one in others]}


def _have(records: Sequence[Record], *fields: str) -> bool:
    return bool(records) and set(fields) <= set(records[0])
