"""The three methods LegalAgentBench compares: ReAct, Plan-and-Solve, Plan-and-Execute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inforce.agents.runtime.method import STORED, Method, SourceKind

if TYPE_CHECKING:
    from inforce.agents.runtime.run import Agent
    from inforce.tools.tool import Language

_USUAL: Final[tuple[SourceKind, ...]] = ("statutes", *STORED, "tables")


def _react(language: Language, max_turns: int | None) -> Agent:
    from inforce.agents.legalagentbench.agent import MOST_STEPS, ReAct

    return ReAct(max_steps=max_turns or MOST_STEPS)


def _plan_solve(language: Language, max_turns: int | None) -> Agent:
    from inforce.agents.legalagentbench.agent import MOST_STEPS
    from inforce.agents.legalagentbench.planning import PlanSolve

    return PlanSolve(max_steps=max_turns or MOST_STEPS)


def _plan_execute(language: Language, max_turns: int | None) -> Agent:
    from inforce.agents.legalagentbench.agent import MOST_STEPS
    from inforce.agents.legalagentbench.planning import PlanExecute

    return PlanExecute(max_steps=max_turns or MOST_STEPS)


METHODS: Final = (
    Method(name="react", summary="one thought, one action, 10 steps", usual=_USUAL, make=_react),
    Method(
        name="plan-solve",
        summary="the whole plan first, then its steps",
        usual=_USUAL,
        make=_plan_solve,
    ),
    Method(
        name="plan-execute",
        summary="the same, and the plan is revised after each step",
        usual=_USUAL,
        make=_plan_execute,
    ),
)
