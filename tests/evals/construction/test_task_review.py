"""The review by people: what they write decides, and is not lost."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from inforce.errors import InputError, UserError
from inforce.evals.construction.project import (
    REVIEW,
    TASKS,
    Reviewed,
    construct,
    read_asked,
    review,
)
from inforce.evals.construction.tasks import TaskPlan
from inforce.evals.legalagentbench.tasks import DATASET, read_tasks

PLAN = TaskPlan(count=12)


@pytest.fixture
async def project(tables: Path, tmp_path: Path) -> Path:
    """Twelve tasks to review."""
    folder = tmp_path / "project"
    made = await construct(tables.parent, folder, PLAN, tables=tables)
    assert (made.n, made.verified_share, made.refuted) == (12, 1.0, ())
    assert (made.tools, made.rewritten, made.refused) == (6, 0, 0)
    return folder


def edited(project: Path, number: int, old: str, new: str) -> None:
    """Change the document of a task as a person would."""
    path = project / REVIEW
    parts = path.read_text("utf-8").split("---\n")
    assert re.search(old, parts[number])
    parts[number] = re.sub(old, new, parts[number], count=1)
    path.write_text("---\n".join(parts), "utf-8")


def test_only_accepted_tasks_go_into_the_data_set(project: Path) -> None:
    edited(project, 1, "verdict:", "verdict: accept")
    edited(project, 2, "verdict:", "verdict: reject")
    edited(project, 2, "notes:", "notes: 谁也不会这样问")
    done = review(project, apply=True)
    path = str(project / DATASET)
    assert done == Reviewed(tasks=12, accepted=1, rejected=1, open=10, written=1, dataset=path)
    made = read_asked(project / TASKS)[0].made
    (task,) = read_tasks(project)
    assert (task.id, task.target, task.task) == ("1", made.answer, "1-hop")
    found = {name: tuple(task.facts[name]) for name in ("key", "key_middle", "way")}
    assert found == {"key": made.key, "key_middle": made.key_middle, "way": made.path.tools}


def test_unreviewed_tasks_go_in_where_that_is_wanted(project: Path) -> None:
    edited(project, 2, "verdict:", "verdict: reject")
    assert review(project, apply=True, unreviewed=True).written == 11
    tasks = read_tasks(project)
    assert [int(task.id) for task in tasks] == list(range(1, 12))
    assert [task.task for task in tasks][-1] == f"{max(task.facts['hops'] for task in tasks)}-hop"


def test_without_apply_nothing_is_written(project: Path) -> None:
    assert review(project).written is None
    assert not (project / DATASET).exists()


def test_a_data_set_without_a_task_is_none(project: Path) -> None:
    with pytest.raises(UserError, match="no task is accepted yet"):
        review(project, apply=True)


def test_a_person_may_reword_a_question(project: Path) -> None:
    entity = read_asked(project / TASKS)[0].made.entity
    edited(project, 1, "(?m)^question: .*$", f"question: {entity}的情况如何？")
    edited(project, 1, "verdict:", "verdict: accept")
    review(project, apply=True)
    assert read_tasks(project)[0].question == f"{entity}的情况如何？"


def test_a_reworded_question_goes_on_naming_its_entity(project: Path) -> None:
    edited(project, 1, "(?m)^question: .*$", "question: 那家的情况如何？")
    edited(project, 1, "verdict:", "verdict: accept")
    with pytest.raises(InputError, match="does not name"):
        review(project, apply=True)


def test_changes_to_what_is_for_reading_have_no_effect(project: Path) -> None:
    edited(project, 1, "(?m)^answer: .*$", "answer: 改过的答案")
    edited(project, 1, "verdict:", "verdict: accept")
    review(project, apply=True)
    assert read_tasks(project)[0].target == read_asked(project / TASKS)[0].made.answer


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("verdict:", "verdict: perhaps", "verdict is accept, reject or nothing"),
        ("verdict:", "verdict: [", r"review.yaml:\d+: "),
        ("name:", "nam:", "missing required field `name`"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line(
    project: Path, old: str, new: str, reason: str
) -> None:
    edited(project, 3, old, new)
    with pytest.raises(InputError, match=reason) as refused:
        review(project)
    lines = (project / REVIEW).read_text("utf-8").splitlines()
    third = [number for number, line in enumerate(lines, start=1) if line == "---"][2]
    assert refused.value.line is not None and refused.value.line >= third


def test_a_task_is_judged_once(project: Path) -> None:
    name = read_asked(project / TASKS)[0].made.name
    edited(project, 2, "(?m)^name: .*$", f"name: {name}")
    with pytest.raises(InputError, match="twice"):
        review(project)


async def test_verdicts_stay_when_the_tasks_are_made_again(project: Path, tables: Path) -> None:
    edited(project, 1, "verdict:", "verdict: accept")
    edited(project, 1, "notes:", "notes: 已核对")
    await construct(tables.parent, project, replace(PLAN, count=24), tables=tables)
    done = review(project)
    assert (done.tasks, done.accepted) == (24, 1)
    assert "notes: 已核对" in (project / REVIEW).read_text("utf-8")


async def test_verdicts_that_would_be_lost_stop_the_making(project: Path, tables: Path) -> None:
    edited(project, 12, "verdict:", "verdict: accept")
    before = (project / REVIEW).read_text("utf-8")
    with pytest.raises(UserError, match="1 verdicts on tasks that are no longer made"):
        await construct(tables.parent, project, TaskPlan(count=2, hops=(1,)), tables=tables)
    assert (project / REVIEW).read_text("utf-8") == before


async def test_a_verdict_on_another_answer_does_not_count(project: Path, tables: Path) -> None:
    edited(project, 1, "(?s)key:\n- [^\n]*", "key:\n- 从前的答案")
    edited(project, 1, "verdict:", "verdict: accept")
    await construct(tables.parent, project, PLAN, tables=tables)
    assert review(project).accepted == 0


def test_a_folder_without_tasks_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tasks.jsonl: cannot be read"):
        review(tmp_path)
