"""Tasks of the invented world: made, checked, the same for the same seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inforce.evals.construction.description import read_description
from inforce.evals.construction.tasks import MadeTask, TaskPlan, check_tasks, make_tasks
from inforce.evals.construction.worlds import TaskWorld, own_world

PLAN = TaskPlan(count=40)


async def test_every_tool_is_used_and_every_task_stands(firm: TaskWorld, tables: Path) -> None:
    tasks = await make_tasks(firm, PLAN)
    afresh = own_world(tables.parent, read_description(tables))
    assert await check_tasks(tasks, afresh) == ()
    assert {tool for task in tasks for tool in task.path.tools} == set(firm.description.tools)
    assert {task.hops for task in tasks} >= {1, 2, 3}
    assert any(len(task.path.leaves) == 2 for task in tasks)


async def test_no_question_is_asked_twice_and_none_holds_its_answer(firm: TaskWorld) -> None:
    tasks = await make_tasks(firm, PLAN)
    assert len({task.question for task in tasks}) == len({task.name for task in tasks}) == 40
    assert not [task for task in tasks if any(key in task.question for key in task.key)]
    assert not [task for task in tasks if set(task.key) & set(task.key_middle)]


async def test_the_same_seed_makes_the_same_tasks(firm: TaskWorld) -> None:
    assert await make_tasks(firm, PLAN) == await make_tasks(firm, PLAN)
    assert await make_tasks(firm, replace(PLAN, seed=1)) != await make_tasks(firm, PLAN)


@pytest.mark.parametrize("hops", [(1,), (2, 3)])
async def test_only_the_wanted_depths_are_made(firm: TaskWorld, hops: tuple[int, ...]) -> None:
    tasks = await make_tasks(firm, TaskPlan(count=6, hops=hops))
    assert len(tasks) == 6 and {task.hops for task in tasks} <= set(hops)


async def test_a_world_that_has_fewer_tasks_gives_what_it_has(firm: TaskWorld) -> None:
    one = await make_tasks(firm, TaskPlan(count=5_000, hops=(1,), per_path=1))
    two = await make_tasks(firm, TaskPlan(count=5_000, hops=(1,), per_path=2))
    assert 0 < len(one) < len(two) < 5_000


async def test_the_type_says_hops_path_and_entity(firm: TaskWorld) -> None:
    tasks = await make_tasks(firm, PLAN)
    types = [tuple(map(int, task.type.split("-"))) for task in tasks]
    assert [hops for hops, _, _ in types] == [task.hops for task in tasks]
    assert len(set(types)) == len(types) and {entity for _, _, entity in types} == {1, 2}


@pytest.fixture
async def some_task(firm: TaskWorld) -> MadeTask:
    tasks = await make_tasks(firm, PLAN)
    return next(task for task in tasks if task.hops == 2 and task.path.kind == "company")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"key": ("别的",)}, "the path leads to "),
        ({"key_middle": ("别的",)}, "the path passes other entities"),
        ({"question": "请问是谁？"}, "the question does not name "),
        ({"start": ("无公司",), "question": "无公司"}, "0 are named 无公司"),
    ],
)
async def test_a_task_that_does_not_stand_is_refuted(
    firm: TaskWorld, some_task: MadeTask, change: dict[str, tuple[str, ...]], reason: str
) -> None:
    refuted = await check_tasks([some_task, replace(some_task, **change)], firm)
    assert len(refuted) == 1 and refuted[0].reason.startswith(reason)


async def test_an_entity_with_a_namesake_is_ambiguous(firm: TaskWorld, tables: Path) -> None:
    tasks = await make_tasks(firm, TaskPlan(count=300, hops=(1,)))
    task = next(one for one in tasks if one.entity == "东省南区")
    assert await check_tasks([task], firm) == ()
    courts = tables.parent / "courts.csv"
    courts.write_text(courts.read_text("utf-8") + "四法院,D,东,省南区,赵六\n", "utf-8")
    refuted = await check_tasks([task], own_world(tables.parent, read_description(tables)))
    assert [one.reason for one in refuted] == ["2 are named 东省南区"]


async def test_a_task_whose_data_changed_does_not_stand(firm: TaskWorld, tables: Path) -> None:
    tasks = await make_tasks(firm, TaskPlan(count=300, hops=(1,)))
    task = next(one for one in tasks if one.key == ("人民币800.50元",))
    cases = tables.parent / "cases.jsonl"
    cases.write_text(cases.read_text("utf-8").replace('"300"', '"-"'), "utf-8")
    refuted = await check_tasks([task], own_world(tables.parent, read_description(tables)))
    assert [one.reason for one in refuted] == ["the path leads to no answer"]
