"""What the three methods of LegalAgentBench have in common (section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inforce.agents.legalagentbench.conclusion import conclude
from inforce.agents.legalagentbench.environment import PLAIN, Environment, Observation
from inforce.agents.legalagentbench.preselection import (
    DataTable,
    Preselection,
    Selection,
    preselect,
)
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.prompts import prompt, with_given_dates
from inforce.agents.runtime.run import Run
from inforce.llm.chat import Message

MOST_STEPS = 10
"""Steps of a run, and of a plan that are carried out (section 4.1: T = 10)."""


@dataclass(frozen=True, slots=True)
class ActionAgent:
    """Settings of a method; the defaults are those of the paper."""

    tables: tuple[DataTable, ...] = ()
    always: tuple[str, ...] = ()
    """Tables the model is shown in any case."""
    preselection: Preselection = "model"
    environment: Environment = PLAIN
    max_steps: int = MOST_STEPS

    @property
    def settings(self) -> dict[str, str]:
        """What distinguishes this agent from others of its name."""
        return {
            "max_steps": str(self.max_steps),
            "preselection": self.preselection,
            "environment": self.environment.name,
        }

    async def select(self, run: Run) -> Selection:
        """The tools and tables the question of a run needs."""
        return await preselect(run, self.preselection, self.tables, self.always)

    async def concluded(
        self, run: Run, messages: Sequence[Message], observed: Sequence[Observation], *, steps: int
    ) -> Draft:
        """The final answer; an abstention where no tool found anything it could rest on.

        Args:
            run: the run.
            messages: the conversation with the trajectory in it.
            observed: what the actions brought.
            steps: how many were taken; `max_steps` of them without an answer are partial.
        """
        if steps < self.max_steps:
            draft = await conclude(run, messages)
        else:
            stopped = f"stopped after {self.max_steps} steps"
            draft = await conclude(run, messages, outcome="turn_limit", note=stopped)
        if draft.outcome == "invalid" or any(one.status == "found" for one in observed):
            return draft
        why = "no tool found anything the answer could rest on"
        return Draft("", "abstained", why, withheld=draft.text)


def system_message(run: Run, name: str, selection: Selection, **gaps: str) -> Message:
    """The system prompt of a role: its instructions with the tools and tables of the question."""
    text = prompt("legalagentbench", name).substitute(
        tools=selection.tools_text, names=selection.names, tables=selection.tables_text, **gaps
    )
    return Message("system", with_given_dates(text, run.context, "zh"))


def user_message(name: str, **gaps: object) -> Message:
    """A turn of the user from its prompt."""
    return Message("user", prompt("legalagentbench", name).substitute(gaps))
