"""The questions: LegalSearchQA's JSON file and the bar exam's CSV file, in their original form."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from inforce.documents.files import read_file
from inforce.documents.json_records import json_value
from inforce.errors import InputError
from inforce.evals.benchmark import Item, Setup
from inforce.evals.legalsearchqa.options import Options, read_options
from inforce.web.search.recorded import BAR_PREFIX, CUT, LAW_PREFIX

LETTERS: Final = "ABCD"

_ASK_AGENT = (
    "Choose one answer. Give the reasons for it in a few sentences, with the rule it rests on, and "
    "end with a line of this form, with the letter of your choice: ANSWER: X"
)
_ASK_AT_ONCE = (
    "You answer multiple-choice questions on the law of the United States. Reply with one line of "
    "this form, with the letter of your choice, and nothing else: ANSWER: X"
)
_ASK_TO_REASON = (
    "You answer multiple-choice questions on the law of the United States. Reason step by step: "
    "the rule, the facts it meets, each choice. Then end with a line of this form, with the letter "
    "of your choice: ANSWER: X"
)

_Choices = Annotated[tuple[str, ...], msgspec.Meta(min_length=4, max_length=4)]


class _Question(msgspec.Struct):
    """A question of LegalSearchQA, as its file has it."""

    id: str
    question: str
    choices: _Choices
    gold: Annotated[int, msgspec.Meta(ge=0, le=3)]
    domain: str
    category: str = ""
    difficulty: str = ""
    source_url: str = ""
    rationale: str = ""


def read_legalsearchqa(setup: Setup) -> Sequence[Item]:
    """The items of LegalSearchQA.

    Raises:
        InputError: if the file is another, or a question of it cannot be asked.
        UserError: if an option is none.
    """
    path, options = _file(setup.data, "legalsearchqa.json"), read_options(setup.options)
    questions = json_value(path, list[_Question], what="the questions of LegalSearchQA")
    return _distinct([_searched(one, options) for one in questions], path)


def read_barexam(setup: Setup) -> Sequence[Item]:
    """The items of the bar exam: the rows that name a subject, as the evaluation keeps them.

    Raises:
        InputError: if the file is another, or a row of it cannot be asked (names the line).
        UserError: if an option is none.
    """
    path, options = _file(setup.data, "barexam_qa.csv"), read_options(setup.options)
    try:
        text = read_file(path).decode("utf-8-sig")
        items = list(_rows(StringIO(text, newline=""), path, options))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"not the questions of the bar exam: {error}", path=path) from error
    return _distinct(items, path)


def _searched(one: _Question, options: Options) -> Item:
    asked = _with_choices(one.question, one.choices)
    facts = {
        "stem": one.question,
        "choices": list(one.choices),
        "gold": one.choices[one.gold],
        "domain": one.domain,
        "category": one.category,
        "difficulty": one.difficulty,
        "source_url": one.source_url,
        "rationale": one.rationale,
        "search_query": f"{LAW_PREFIX}{one.question}",
    }
    return _item(one.id, "legalsearchqa", asked, one.gold, one.domain, facts, options)


_COLUMNS = ("idx", "subject", "prompt", "question", *(f"choice_{c.lower()}" for c in LETTERS))


def _rows(lines: Iterable[str], path: Path, options: Options) -> Iterator[Item]:
    reader = csv.DictReader(lines, strict=True)
    missing = [name for name in (*_COLUMNS, "answer") if name not in (reader.fieldnames or ())]
    if missing:
        raise InputError(f"has no column {', '.join(missing)}", path=path, line=1)
    for row in reader:
        fields = {name: (row[name] or "").strip() for name in (*_COLUMNS, "answer")}
        if not fields["subject"]:
            continue
        if len(fields["answer"]) != 1 or fields["answer"] not in LETTERS:
            problem = f"the answer is {fields['answer']!r}, not one of A to D"
            raise InputError(problem, path=path, line=reader.line_num)
        if not fields["question"] or not fields["idx"]:
            raise InputError("a row without its question or idx", path=path, line=reader.line_num)
        yield _examined(fields, options)


def _examined(row: Mapping[str, str], options: Options) -> Item:
    choices = tuple(row[f"choice_{letter.lower()}"] for letter in LETTERS)
    gold = LETTERS.index(row["answer"])
    stem = "\n\n".join(part for part in (row["prompt"], row["question"]) if part)
    asked = _with_choices(stem, choices)
    facts = {
        "stem": stem,
        "choices": list(choices),
        "gold": choices[gold],
        "search_query": f"{BAR_PREFIX}{row['question'][:CUT]}",
    }
    return _item(row["idx"], "mbe", asked, gold, row["subject"], facts, options)


def _item(
    id: str,
    task: str,
    asked: str,
    gold: int,
    group: str,
    facts: Mapping[str, Any],
    options: Options,
) -> Item:
    """The item, with the words for whom it is put to without an agent (`evals.conditions`)."""
    words = {
        "plain_question": asked,
        "system_prompt": _ASK_AT_ONCE,
        "system_prompt_cot": _ASK_TO_REASON,
        "answer_tokens": options.answer_tokens,
        "reasoning_tokens": options.reasoning_tokens,
    }
    return Item(id, task, f"{asked}\n\n{_ASK_AGENT}", LETTERS[gold], group, {**facts, **words})


def _with_choices(stem: str, choices: Sequence[str]) -> str:
    """A question with its choices, a letter before each."""
    listed = (f"{letter}. {choice}" for letter, choice in zip(LETTERS, choices, strict=True))
    return "\n".join([f"{stem}\n", *listed])


def _file(data: Path, name: str) -> Path:
    return data / name if data.is_dir() else data


def _distinct(items: Sequence[Item], path: Path) -> Sequence[Item]:
    seen: set[str] = set()
    for one in items:
        if one.id in seen:
            raise InputError(f"two questions have the id {one.id!r}", path=path)
        seen.add(one.id)
    if not items:
        raise InputError("holds no question", path=path)
    return items
