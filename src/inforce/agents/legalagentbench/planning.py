"""Plan-and-Solve and Plan-and-Execute (LegalAgentBench, section 4.1, tables 11 and 12).

Plan-and-Solve: the model writes a plan of at most ten steps. Each step is turned into one action by
a call of its own, which sees the step and what the steps before it brought. The plan is never
changed. Plan-and-Execute begins in the same way; after each step the model is shown what was found
and writes down the steps that remain. The first of them is carried out next, until an action is the
final answer, nothing remains, or ten steps were taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from inforce.agents.legalagentbench.agent import (
    MOST_STEPS,
    ActionAgent,
    system_message,
    user_message,
)
from inforce.agents.legalagentbench.environment import ActionOutcome, Observation, act
from inforce.agents.legalagentbench.preselection import Selection
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.llm.chat import Message

_NO_PLAN = "the model wrote no plan that could be read"
_DIGITS = "一二三四五六七八九十"
_NUMBER = rf"(?:\d{{1,2}}|[{_DIGITS}]{{1,3}})"
_LABEL = re.compile(
    rf"(?:第\s*{_NUMBER}\s*步|步骤\s*{_NUMBER}|[Ss]tep\s*\d{{1,2}})\s*[:：.．、)）]?\s*"
)
_LIST_ITEM = re.compile(r"^[^\S\n]*+(?:\d{1,2}\s*[.．、)）]|[-*•])\s*", re.MULTILINE)
_END = re.compile(r"计划(?:到此)?(?:结束|完毕)|[Ee]nd of [Pp]lan")
_EMPHASIS = re.compile(r"[*#`]+")


def read_plan(text: str) -> tuple[str, ...]:
    r"""Read the steps of a plan, in order, `MOST_STEPS` at most; empty where there is none.

    >>> read_plan("计划：\n步骤1：查案件。\n步骤2：回答问题。\n计划结束")
    ('查案件。', '回答问题。')

    Quotations (lines that begin with ``>``, as results are shown to the model) are no steps.
    """
    plan = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))
    plan = _END.split(plan, maxsplit=1)[0]
    plan = _EMPHASIS.sub("", plan)
    for mark in (_LABEL, _LIST_ITEM):
        steps = [part.strip() for part in mark.split(plan)[1:]]
        if any(steps):
            return tuple(step for step in steps if step)[:MOST_STEPS]
    return ()


def written_plan(steps: Sequence[str]) -> str:
    """A plan as text, numbered from 1."""
    return "\n".join(f"步骤{number}：{step}" for number, step in enumerate(steps, start=1))


@dataclass(slots=True)
class Progress:
    """The steps of a plan carried out so far, and their results."""

    done: list[str] = field(default_factory=list[str])
    """A line a step: the step and its result."""
    observed: list[Observation] = field(default_factory=list[Observation])
    is_finished: bool = False
    """Whether a step ended in the final answer."""

    def add(self, step: str, outcome: ActionOutcome) -> None:
        """Add a step and its outcome."""
        if outcome.observation is None:
            self.is_finished = True
        else:
            self.observed.append(outcome.observation)
        result = outcome.observation.text if outcome.observation else outcome.answer
        quoted = result.replace("\n", "\n> ")  # no line of a result can pass for another step
        self.done.append(f"步骤{len(self.done) + 1}：{step} 结果：{quoted}")

    def __str__(self) -> str:
        return "\n".join(self.done) or "（尚无）"


@dataclass(frozen=True, slots=True)
class PlanSolve(ActionAgent):
    """Plan-and-Solve."""

    name = "plan-solve"

    async def __call__(self, run: Run) -> Draft:
        """Work on the question of the run."""
        selection = await self.select(run)
        message = Message("user", f"问题：{run.question}")
        plan = await _planned(run, [system_message(run, "plan_system", selection), message])
        run.note("plan", written_plan(plan) or _NO_PLAN)
        if not plan:
            return Draft("", "invalid", _NO_PLAN)
        progress = Progress()
        while plan and len(progress.done) < self.max_steps:
            await self._solve(run, selection, plan[0], progress)
            if progress.is_finished:
                break
            plan = await self._remaining(run, selection, plan, progress)
        asked = user_message("plan_conclusion", question=run.question, done=progress)
        steps = 0 if progress.is_finished else len(progress.done)
        return await self.conclude(run, [asked], progress.observed, steps=steps)

    async def _solve(self, run: Run, selection: Selection, step: str, progress: Progress) -> None:
        """Turn one step of a plan into an action, and do it."""
        asked = user_message("step", question=run.question, step=step, done=progress)
        messages = [system_message(run, "step_system", selection), asked]
        reply = await run.reply(messages, role="solver")
        progress.add(step, await act(run, reply.text, self.environment))

    async def _remaining(
        self, run: Run, selection: Selection, plan: tuple[str, ...], progress: Progress
    ) -> tuple[str, ...]:
        """The steps that remain of a plan whose first step was carried out."""
        return plan[1:]


@dataclass(frozen=True, slots=True)
class PlanExecute(PlanSolve):
    """Plan-and-Execute."""

    name = "plan-execute"

    async def _remaining(
        self, run: Run, selection: Selection, plan: tuple[str, ...], progress: Progress
    ) -> tuple[str, ...]:
        """The steps the model says remain; those of the old plan where it cannot be read."""
        asked = user_message(
            "revision", question=run.question, plan=written_plan(plan), done=progress
        )
        messages = [system_message(run, "revision_system", selection), asked]
        remaining = await _planned(run, messages) or plan[1:]
        run.note("plan", written_plan(remaining) or "nothing remains to be done")
        return remaining


async def _planned(run: Run, messages: Sequence[Message]) -> tuple[str, ...]:
    """The model's plan."""
    return read_plan((await run.reply(messages, role="planner")).text)
