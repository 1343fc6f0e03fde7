"""ReAct: think, act, observe, one step at a time (LegalAgentBench, section 4.1 and table 13).

The model is shown the tools and tables the question needs, and three worked examples. At each step
it writes a thought and one action; what the tool answers is its next turn. After ``Final Answer``,
or ten steps, it gives its answer in final form and sums its trajectory up.
"""

from __future__ import annotations

from dataclasses import dataclass

from inforce.agents.legalagentbench.agent import ActionAgent, system_message
from inforce.agents.legalagentbench.environment import Observation, act
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.prompts import prompt
from inforce.agents.runtime.run import Run
from inforce.llm.chat import Message


@dataclass(frozen=True, slots=True)
class ReAct(ActionAgent):
    """The method."""

    @property
    def name(self) -> str:
        """As people call it."""
        return "react"

    async def __call__(self, run: Run) -> Draft:
        """Work on the question of the run."""
        examples = prompt("legalagentbench", "react_examples").substitute()
        messages = [
            system_message(run, "react_system", await self.select(run), examples=examples),
            Message("user", f"问题：{run.question}"),
        ]
        observed: list[Observation] = []
        while len(observed) < self.max_steps:
            reply = await run.reply(messages)
            messages.append(Message("assistant", reply.text))
            outcome = await act(run, reply.text, self.environment)
            if outcome.observation is None:
                break
            observed.append(outcome.observation)
            messages.append(Message("user", outcome.observation.text))
        return await self.concluded(run, messages, observed, steps=len(observed))
