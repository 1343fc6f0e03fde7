"""LegalAgentBench's tasks are read as they were published, and scored as the paper says."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from benched_runs import task
from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.trace import Replied
from inforce.errors import InputError
from inforce.evals.benchmark import Attempt
from inforce.evals.legalagentbench.measures import scorer
from inforce.evals.legalagentbench.tasks import read_tasks, share
from inforce.llm.chat import Usage

ENTRY: dict[str, Any] = {
    "id": 101,
    "question": "问",
    "answer": "答",
    "key": ["5次", "甲"],
    "key_middle": ["乙公司"],
    "type": "2-6-12",
    "way": "get_legal_document----get_company_info",
}


def dataset(folder: Path, *entries: dict[str, Any]) -> Path:
    path = folder / "dataset.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


def test_a_task_is_read_from_the_file_or_its_folder(tmp_path: Path) -> None:
    path = dataset(tmp_path, ENTRY)
    (task,) = read_tasks(path)
    assert read_tasks(tmp_path) == (task,)
    assert (task.id, task.task, task.target) == ("101", "2-hop", "答")
    assert task.facts == {
        "key": ["5次", "甲"],
        "key_middle": ["乙公司"],
        "way": ["get_legal_document", "get_company_info"],
        "hops": 2,
    }


def test_type_and_way_may_be_the_wrong_way_round(tmp_path: Path) -> None:
    swapped = {**ENTRY, "type": ENTRY["way"], "way": ENTRY["type"]}
    assert read_tasks(dataset(tmp_path, swapped)) == read_tasks(dataset(tmp_path, ENTRY))


def test_a_task_without_type_is_a_writing_task(tmp_path: Path) -> None:
    (task,) = read_tasks(dataset(tmp_path, {**ENTRY, "type": "", "way": ""}))
    assert (task.task, task.facts["hops"], task.facts["way"]) == ("writing", 0, [])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}", "not a data set of LegalAgentBench"),
        ("[", "not a data set of LegalAgentBench"),
        ('[{"id": 1}]', "question"),
        (json.dumps([{**ENTRY, "key": []}]), "task 101 has no key to score by"),
    ],
)
def test_what_is_no_data_set_is_refused_with_the_reason(
    tmp_path: Path, text: str, why: str
) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read_tasks(path)


def test_a_folder_without_a_data_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"dataset\.json: cannot be read"):
        read_tasks(tmp_path)


async def test_success_is_of_the_answer_and_progress_of_the_summary() -> None:
    item = task(7, "问", "答", ("5次", "甲"), middle=("乙公司", "丙"))

    async def values(final: str, summary: str) -> tuple[float | None, ...]:
        at = datetime(2026, 11, 20, tzinfo=UTC)
        said = (("final", final), ("summary", summary))
        events = [Replied("", role, text, Usage(), "stop", False, 0.0, at) for role, text in said]
        answer = ResearchAnswer("问", "react", "m", "", "answered", (), (), Usage())
        found = (await scorer()(item, Attempt(answer, tuple(events)), None)).values
        return found["success"], found["process"], found["solved"]

    assert await values("一共5次", "乙公司被罚5次，甲") == (0.5, 0.75, 0.0)
    assert await values("甲，5次", "无") == (1.0, 0.0, 1.0)


@given(st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=5), st.text(max_size=20))
def test_a_longer_text_never_contains_fewer_keys(keys: list[str], text: str) -> None:
    assert 0 <= share(keys, text) <= share(keys, text + "".join(keys)) == 1


@pytest.mark.data
def test_the_given_tasks_are_those_of_the_benchmark(shared_data: Path) -> None:
    tasks = read_tasks(shared_data / "legalagentbench")
    groups = Counter(task.task for task in tasks)
    assert groups == {
        "1-hop": 40,
        "2-hop": 41,
        "3-hop": 29,
        "4-hop": 20,
        "5-hop": 10,
        "writing": 10,
    }
    assert all(len(task.facts["way"]) >= 1 for task in tasks if task.facts["hops"])
