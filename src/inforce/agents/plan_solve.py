"""Plan-and-Solve: the whole plan first, then its steps (LegalAgentBench, section 4.1, table 11).

The model writes a plan of at most ten steps. Each step is turned into one action by a call of its
own, which sees the step and what the steps before it brought. The plan is never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from inforce.agents.answer import Draft
from inforce.agents.closing import close
from inforce.agents.environment import Observation, Taken, take
from inforce.agents.method import Method
from inforce.agents.plan import read_plan, written_plan
from inforce.agents.preselection import Selection
from inforce.agents.prompts import prompt
from inforce.agents.react import checked
from inforce.agents.run import Run
from inforce.llm.chat import Message

_NO_PLAN = "the model wrote no plan that could be read"


@dataclass(slots=True)
class Work:
    """What the steps of a plan have brought so far."""

    done: list[str] = field(default_factory=list[str])
    """A line a step: what was planned, and what came of it."""
    observed: list[Observation] = field(default_factory=list[Observation])
    is_finished: bool = False
    """Whether a step ended in the final answer."""

    def add(self, step: str, taken: Taken) -> None:
        """What came of a step."""
        if taken.observation is None:
            self.is_finished = True
        else:
            self.observed.append(taken.observation)
        brought = taken.observation.text if taken.observation else taken.answer
        told = brought.replace("\n", "\n> ")  # no line of a result can pass for another step
        self.done.append(f"步骤{len(self.done) + 1}：{step} 结果：{told}")

    def __str__(self) -> str:
        return "\n".join(self.done) or "（尚无）"


@dataclass(frozen=True, slots=True)
class PlanSolve(Method):
    """The method."""

    @property
    def name(self) -> str:
        """As people call it."""
        return "plan-solve"

    async def __call__(self, run: Run) -> Draft:
        """Work on the question of the run."""
        selection = await self.select(run)
        plan = await first_plan(run, selection)
        if not plan:
            return Draft("", "invalid", _NO_PLAN)
        work = Work()
        for step in plan[: self.max_steps]:
            await self.solve(run, selection, step, work)
            if work.is_finished:
                break
        return await concluded(run, work, self.max_steps)

    async def solve(self, run: Run, selection: Selection, step: str, work: Work) -> None:
        """Turn one step of a plan into an action, and do it."""
        told = prompt("plan_solve_step_system").substitute(
            tools=selection.told_tools, names=selection.names, tables=selection.told_tables
        )
        asked = prompt("plan_solve_step").substitute(question=run.question, step=step, done=work)
        reply = await run.reply([Message("system", told), Message("user", asked)], role="solver")
        work.add(step, await take(run, reply.text, self.environment))


async def first_plan(run: Run, selection: Selection) -> tuple[str, ...]:
    """The model's plan for the question."""
    told = prompt("plan_solve_plan_system").substitute(
        tools=selection.told_tools, tables=selection.told_tables
    )
    messages = [Message("system", told), Message("user", f"问题：{run.question}")]
    reply = await run.reply(messages, role="planner")
    plan = read_plan(reply.text)
    run.note("plan", written_plan(plan) or _NO_PLAN)
    return plan


async def concluded(run: Run, work: Work, max_steps: int) -> Draft:
    """The answer from what the steps brought."""
    told = prompt("plan_solve_close").substitute(question=run.question, done=work)
    messages = [Message("user", told)]
    if work.is_finished or len(work.done) < max_steps:
        return checked(await close(run, messages), work.observed)
    stopped = f"stopped after {max_steps} steps"
    return checked(await close(run, messages, outcome="turn_limit", note=stopped), work.observed)
