"""The questions of LegalSearchQA (JSON) and of the bar exam (CSV) as published, and the options."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from inforce.documents.files import read_file
from inforce.documents.json_records import json_value
from inforce.errors import InputError, UserError
from inforce.evals.benchmark import Item, Setup, read_options
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

_Positive = Annotated[int, msgspec.Meta(ge=1)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of both benchmarks; the defaults are those of the published evaluation."""

    queries: Literal["", "agent", "question"] = ""
    """What is searched for: the agent's queries, or the question itself. Empty: the question if
    searches are recorded (a recording has nothing else), else the agent's queries."""
    answer_tokens: _Positive = 10
    """Length of an answer without reasoning, when a model is asked directly."""
    reasoning_tokens: _Positive = 1_024
    """Length of one with reasoning."""
    sources: Literal["text", "found"] = "text"
    """What the U-Score takes for citations: addresses in the answer's text, as published, or the
    findings that support the answer."""
    jurisdiction: Literal["none", "question"] = "none"
    """``question``: the U-Score expects the jurisdiction the question names."""
    votes: _Positive = 3
    """Ratings of the judge for an answer; an odd number."""


OPTIONS: Final[Mapping[str, str]] = {
    "queries": "agent or question: what is searched for (recorded searches: question)",
    "answer_tokens": "tokens of an answer without reasoning when a model is asked directly (10)",
    "reasoning_tokens": "tokens of one with reasoning (1024)",
    "sources": "text or found: what the U-Score takes for citations (text)",
    "jurisdiction": "none or question: whether the U-Score expects the question's place (none)",
    "votes": "ratings of the judge an answer gets, an odd number (3)",
}


def options_of(setup: Setup) -> Options:
    """Return the options of a run.

    Raises:
        UserError: if there is no such option, or its value is impossible.
    """
    options = read_options(setup, Options, OPTIONS)
    if options.votes % 2 == 0:
        raise UserError(f"votes={options.votes}: use an odd number, so that they can decide")
    return options


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
        UserError: if an option is wrong.
    """
    path, options = _file(setup.data, "legalsearchqa.json"), options_of(setup)
    questions = json_value(path, list[_Question], what="the questions of LegalSearchQA")
    return _distinct([_searchable(one, options) for one in questions], path)


def read_barexam(setup: Setup) -> Sequence[Item]:
    """The items of the bar exam: the rows that name a subject, as the evaluation keeps them.

    Raises:
        InputError: if the file is another, or a row of it cannot be asked (names the line).
        UserError: if an option is wrong.
    """
    path, options = _file(setup.data, "barexam_qa.csv"), options_of(setup)
    try:
        text = read_file(path).decode("utf-8-sig")
        items = list(_rows(StringIO(text, newline=""), path, options))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"not the questions of the bar exam: {error}", path=path) from error
    return _distinct(items, path)


def _searchable(question: _Question, options: Options) -> Item:
    facts = {
        "stem": question.question,
        "choices": list(question.choices),
        "gold": question.choices[question.gold],
        "domain": question.domain,
        "category": question.category,
        "difficulty": question.difficulty,
        "source_url": question.source_url,
        "rationale": question.rationale,
        "search_query": f"{LAW_PREFIX}{question.question}",
    }
    return _item(question.id, "legalsearchqa", question.gold, question.domain, facts, options)


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
        yield _exam_item(fields, options)


def _exam_item(row: Mapping[str, str], options: Options) -> Item:
    choices = [row[f"choice_{letter.lower()}"] for letter in LETTERS]
    gold = LETTERS.index(row["answer"])
    facts = {
        "stem": "\n\n".join(part for part in (row["prompt"], row["question"]) if part),
        "choices": choices,
        "gold": choices[gold],
        "search_query": f"{BAR_PREFIX}{row['question'][:CUT]}",
    }
    return _item(row["idx"], "mbe", gold, row["subject"], facts, options)


def _item(
    id: str, task: str, gold: int, group: str, facts: Mapping[str, Any], options: Options
) -> Item:
    """The item of a question, with the prompts of the baselines (`inforce.evals.baselines`)."""
    choices = zip(LETTERS, facts["choices"], strict=True)
    listed = (f"{letter}. {choice}" for letter, choice in choices)
    question = "\n".join([f"{facts['stem']}\n", *listed])
    prompts = {
        "plain_question": question,
        "system_prompt": _ASK_AT_ONCE,
        "system_prompt_cot": _ASK_TO_REASON,
        "answer_tokens": options.answer_tokens,
        "reasoning_tokens": options.reasoning_tokens,
    }
    text = f"{question}\n\n{_ASK_AGENT}"
    return Item(id, task, text, LETTERS[gold], group, {**facts, **prompts})


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
