"""Plan-and-Solve keeps its plan, Plan-and-Execute revises it; both read plans in any numbering."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from react_world import QUESTION, act, worked

from inforce.agents.legalagentbench.action import FINAL_ANSWER
from inforce.agents.legalagentbench.agent import final_of, summary_of
from inforce.agents.legalagentbench.environment import PLAIN
from inforce.agents.legalagentbench.planning import (
    MOST_STEPS,
    PlanExecute,
    PlanSolve,
    read_plan,
    written_plan,
)

FIRM = act("get_firm", {"identifier": "青禾公司"})
COURT = act("get_court", {"identifier": "临川法院"})
DONE = act(FINAL_ANSWER, "周青；吴衡")
CLOSED = ("法定代表人是周青。", "查公司得周青。")
PLAN = "计划：\n步骤1：查公司。\n步骤2：查法院。\n步骤3：回答原问题\n计划结束"


async def test_plan_and_solve_turns_each_step_into_one_action_and_never_replans() -> None:
    run = await worked(PlanSolve(), PLAN, FIRM, COURT, DONE, *CLOSED)
    assert (run.answer.outcome, run.answer.text) == ("answered", CLOSED[0])
    assert len(run.model.asked) == 6
    assert run.notes("plan") == ["步骤1：查公司。\n步骤2：查法院。\n步骤3：回答原问题"]
    third = run.model.last(3)
    assert "步骤1：查公司。 结果：｛'法定代表人': '周青'｝" in third and QUESTION in third
    assert third.count("待执行的步骤：回答原问题") == 1
    assert summary_of(run.events) == CLOSED[1]


async def test_plan_and_execute_carries_out_the_first_step_of_the_newest_plan() -> None:
    shorter = "Plan:\nStep 1: 回答原问题\nEnd of Plan."
    run = await worked(PlanExecute(), PLAN, FIRM, shorter, DONE, *CLOSED)
    assert run.answer.outcome == "answered" and len(run.model.asked) == 6
    assert "步骤1：查公司。\n步骤2：查法院。" in run.model.last(2)
    assert "待执行的步骤：回答原问题" in run.model.last(3)
    assert run.notes("plan")[1] == "步骤1：回答原问题"


async def test_a_revision_that_cannot_be_read_leaves_the_rest_of_the_old_plan() -> None:
    run = await worked(PlanExecute(), PLAN, FIRM, "好的，继续。", COURT, "嗯", DONE, *CLOSED)
    assert [note.count("步骤") for note in run.notes("plan")] == [3, 2, 1]
    assert run.answer.outcome == "answered"


@pytest.mark.parametrize("agent", [PlanSolve(), PlanExecute()])
async def test_without_a_plan_there_is_no_answer(agent: PlanSolve | PlanExecute) -> None:
    run = await worked(agent, "我直接回答：周青。")
    assert (run.answer.outcome, run.answer.text) == ("invalid", "")


async def test_an_unreadable_action_is_the_step_s_result() -> None:
    run = await worked(PlanSolve(), PLAN, "查公司", FIRM, DONE, *CLOSED)
    assert PLAIN.illegal_action in run.model.last(2)


async def test_a_plan_that_is_revised_for_ever_ends_after_ten_steps() -> None:
    lines = [PLAN, *[FIRM, PLAN] * MOST_STEPS, *CLOSED]
    run = await worked(PlanExecute(), *lines)
    assert (run.answer.outcome, run.answer.text) == ("turn_limit", CLOSED[0])


async def test_without_anything_found_a_plan_ends_in_abstention() -> None:
    run = await worked(PlanSolve(), "步骤1：回答", DONE, *CLOSED)
    assert (run.answer.outcome, final_of(run.events)) == ("abstained", CLOSED[0])


def test_the_names_are_those_people_use() -> None:
    assert (PlanSolve().name, PlanExecute().name) == ("plan-solve", "plan-execute")
    assert PlanExecute().settings == PlanSolve().settings


@pytest.mark.parametrize(
    "text",
    [
        "计划：\n步骤1：甲\n步骤2：乙\n计划结束。以上",
        "Plan:\nStep 1: 甲\nStep 2: 乙\nEnd of Plan.",
        "第1步: 甲 第2步: 乙",
        "第一步：甲\n第二步：乙",
        "**步骤 1**：甲\n**步骤 2**：乙",
        "1. 甲\n2. 乙",
        "- 甲\n- 乙",
        "1、甲\n2、乙",
    ],
)
def test_a_plan_is_read_in_any_numbering(text: str) -> None:
    assert read_plan(text) == ("甲", "乙")


def test_what_has_no_steps_is_no_plan() -> None:
    assert read_plan("我不需要计划") == () == read_plan("")


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader_of_plans(text: str) -> None:
    assert len(read_plan(text)) <= MOST_STEPS


@given(st.lists(st.text("甲乙丙丁", min_size=1, max_size=8), min_size=1, max_size=MOST_STEPS))
def test_a_written_plan_is_read_back(steps: list[str]) -> None:
    assert read_plan(written_plan(steps)) == tuple(steps)
