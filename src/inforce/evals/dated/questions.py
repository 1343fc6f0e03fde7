"""Dated questions: recite an article as it was at a date, with the facts that scoring needs.

Questions are stored as JSON lines in the form of the 13-task benchmark (type ``lar``), so that
every reader of that benchmark can run them; the field ``dated`` holds the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, Literal

import msgspec

from inforce.dates import DateRange
from inforce.documents.json_records import json_lines
from inforce.errors import InputError
from inforce.evals.dated.revisions import Change
from inforce.evals.rule_agents import WHOSE_NUMBER
from inforce.files import write_file

Kind = Literal["plain", "boundary", "series", "number"]
"""``plain``: some month of a wording. ``boundary``: one of five days around a change. ``series``:
one of the dates at which the same question is asked. ``number``: the number of a rule, before or
after it moved."""

INSTRUCTION = (
    "请根据问题写明的时间找到当时有效的文本，一字不差地写出该条全文，除条文外什么也不要写。"
)
TAGGED = f"{INSTRUCTION}请把条文写在<answer>与</answer>之间。"
WHICH_NUMBER = "请根据问题写明的时间找到当时有效的文本，只写出条文的编号，例如“第十二条”。"
TAGGED_NUMBER = f"{WHICH_NUMBER}请把编号写在<answer>与</answer>之间。"

FORMS: Final = (
    "{time}，《{law}》{article}是怎样规定的？请背出全文。",
    "请背出{time}有效的《{law}》{article}全文。",
    "假设今天是{time}，请一字不差地写出当下生效的《{law}》{article}。",
    "案件事实发生在{time}，当时《{law}》{article}的原文是什么？",
    "请写出《{law}》{article}的全文，以{time}有效的文本为准。",
    "{time}施行中的《{law}》{article}写了什么？请给出完整原文。",
)
"""Forms of the question."""

NUMBER_FORM: Final = "{time}，《{law}》中的这条规定" + WHOSE_NUMBER + "{text}"
"""The form of a question for the number of a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherWording:
    """The wording of the same provision at another time: a wrong answer."""

    id: str
    """The provision's identifier in the version that began this wording."""
    valid_from: date
    valid_to: date | None
    """The first day no longer in force; ``None``: still in force."""
    text: str

    @property
    def window(self) -> DateRange:
        """The days it was in force."""
        return DateRange(self.valid_from, self.valid_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """The facts of a question, beyond its words."""

    kind: Kind
    law: str
    """Official title."""
    number: str
    """The article, in the short form: ``133-1``."""
    as_of: DateRange
    """The days in question, one or a month; the same wording is in force on all of them."""
    version: str
    """The provision's identifier in the version that began the right wording."""
    valid_from: date
    valid_to: date | None
    """The first day no longer in force; ``None``: still in force."""
    others: tuple[OtherWording, ...]
    """Every other wording the provision had, in order of time."""
    group: str = ""
    """The same for the days around one change, and for the dates of one series."""
    size: int = 1
    """The number of questions in the group."""
    offset: int | None = None
    """Days from the change, for a ``boundary``: 0 is the first day of the new wording."""
    reasons: tuple[str, ...] = ()
    """Why the change is significant; see `inforce.evals.dated.revisions.Reason`."""
    change: Change = "amended"
    """The kind of change that the question was made from."""
    changed: float | None = None
    """The share of characters that changed: a small change is easily overlooked."""


@dataclass(frozen=True, slots=True)
class DatedQuestion:
    """A question with its answer."""

    question: str
    answer: str
    """The text in force then, verbatim."""
    dated: Dated

    @property
    def id(self) -> str:
        """The same for the same question about the same days."""
        identity = f"{self.dated.kind}\x1f{self.dated.group}\x1f{self.question}"
        return f"dated_{hashlib.sha256(identity.encode()).hexdigest()[:12]}"


class _Line(msgspec.Struct):
    """A line of the file."""

    id: str
    type: str
    task_prompt: str
    deepresearch_task_prompt: str
    question: str
    answer: str
    dated: Dated


def day_in_words(days: DateRange) -> str:
    """A day or a whole month in the words of a question.

    >>> day_in_words(DateRange.day(date(2011, 5, 1)))
    '2011年5月1日'
    >>> day_in_words(DateRange(date(2004, 3, 1), date(2004, 4, 1)))
    '2004年3月'
    """
    first = days.start
    month = f"{first.year}年{first.month}月"
    return f"{month}{first.day}日" if days.is_single_day else month


def instructions(kind: Kind) -> tuple[str, str]:
    """The instructions before a question: with tags for a model alone, and for an agent."""
    return (TAGGED_NUMBER, WHICH_NUMBER) if kind == "number" else (TAGGED, INSTRUCTION)


def write_questions(path: Path, questions: Iterable[DatedQuestion]) -> None:
    """Store questions, one a line; the file appears whole or not at all."""
    lines = (
        _Line(one.id, "lar", *instructions(one.dated.kind), one.question, one.answer, one.dated)
        for one in questions
    )
    write_file(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def read_questions(path: Path) -> Sequence[DatedQuestion]:
    """The questions of a file, in its order.

    Raises:
        InputError: if it cannot be read, a line is no dated question, or there is none at all.
    """
    questions = tuple(
        DatedQuestion(line.question, line.answer, line.dated)
        for _, line in json_lines(path, _Line, what="a dated question")
    )
    if not questions:
        raise InputError("holds no dated question (make some: inforce construct dated)", path=path)
    return questions
