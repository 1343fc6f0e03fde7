"""Every question of the article-recitation task and every dated exam question of the benchmark."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TypedDict, cast

import pytest

from inforce.dates import Clock, LegalDate, find_dates, scan_dates, time_context

pytestmark = pytest.mark.data


class Item(TypedDict):
    id: str
    type: str
    question: str


def items(path: Path) -> list[Item]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [cast("Item", json.loads(line)) for line in lines]


def stated(text: str) -> LegalDate:
    """The first date written in Arabic figures, read the simplest way there is."""
    match = re.search(r"(\d{4})年(?:(\d{1,2})月(?:(\d{1,2})日)?)?", text)
    assert match
    return LegalDate(*(int(part) for part in match.groups() if part))


def test_every_recitation_question_gives_exactly_the_date_it_states(
    shared_data: Path, clock: Clock
) -> None:
    path = shared_data / "legalsearch_r1" / "legalsearch_evaluation.jsonl"
    questions = [item["question"] for item in items(path) if item["type"] == "lar"]
    assert len(questions) >= 64
    for question in questions:
        (mention,) = find_dates(question, clock=clock)
        assert mention.range == stated(question).range, question
        assert time_context([mention]) == (mention.range,)


def test_every_exam_question_set_in_a_year_is_answered_for_that_year(
    shared_data: Path, clock: Clock
) -> None:
    path = shared_data / "legalsearch_r1" / "legalsearch_ood_evaluation.jsonl"
    questions = [item["question"] for item in items(path) if "的时间背景下" in item["question"]]
    assert len(questions) >= 284
    for question in questions:
        mentions = find_dates(question, clock=clock)
        assert time_context(mentions) == (stated(question).range,), question


def test_no_benchmark_question_has_an_unreadable_date(shared_data: Path, clock: Clock) -> None:
    folder = shared_data / "legalsearch_r1"
    for name in ("legalsearch_evaluation.jsonl", "legalsearch_ood_evaluation.jsonl"):
        for item in items(folder / name):
            assert scan_dates(item["question"], clock=clock).unreadable == (), item["id"]
