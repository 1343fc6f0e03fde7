"""Plan-and-Execute: after every step the plan is revised (LegalAgentBench, section 4.1, table 12).

It begins as Plan-and-Solve does. After each step the model is shown what was found and writes down
the steps that remain; the first of them is carried out next, until an action is the final answer,
nothing remains, or ten steps were taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from inforce.agents.answer import Draft
from inforce.agents.plan import read_plan, written_plan
from inforce.agents.plan_solve import PlanSolve, Work, concluded, first_plan
from inforce.agents.preselection import Selection
from inforce.agents.prompts import prompt
from inforce.agents.run import Run
from inforce.llm.chat import Message


@dataclass(frozen=True, slots=True)
class PlanExecute:
    """The method; `PlanSolve` holds its settings and does its steps."""

    steps: PlanSolve = field(default_factory=PlanSolve)

    @property
    def name(self) -> str:
        """As people call it."""
        return "plan-execute"

    @property
    def settings(self) -> dict[str, str]:
        """What distinguishes this agent from others of its name."""
        return self.steps.settings

    async def __call__(self, run: Run) -> Draft:
        """Work on the question of the run."""
        how = self.steps
        selection = await how.select(run)
        plan = await first_plan(run, selection)
        if not plan:
            return Draft("", "invalid", "the model wrote no plan that could be read")
        work = Work()
        while plan and len(work.done) < how.max_steps:
            await how.solve(run, selection, plan[0], work)
            if work.is_finished:
                break
            plan = await _revised(run, selection, plan, work)
        return await concluded(run, work, how.max_steps)


async def _revised(
    run: Run, selection: Selection, plan: tuple[str, ...], work: Work
) -> tuple[str, ...]:
    """The steps that remain; those of the old plan where the model's cannot be read."""
    told = prompt("plan_execute_replan_system").substitute(
        tools=selection.told_tools, tables=selection.told_tables
    )
    asked = prompt("plan_execute_replan").substitute(
        question=run.question, plan=written_plan(plan), done=work
    )
    reply = await run.reply([Message("system", told), Message("user", asked)], role="planner")
    revised = read_plan(reply.text) or plan[1:]
    run.note("plan", written_plan(revised) or "nothing remains to be done")
    return revised
