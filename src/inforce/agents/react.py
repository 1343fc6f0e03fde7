"""ReAct: think, act, observe, one step at a time (LegalAgentBench, section 4.1 and table 13).

The model is told the tools and tables the question needs, and three worked examples. At each step
it writes a thought and one action; what the tool answers is its next turn. After ``Final Answer``,
or ten steps, it gives its answer in final form and sums its trajectory up.
"""

from __future__ import annotations

from dataclasses import dataclass

from inforce.agents.answer import Draft
from inforce.agents.closing import close
from inforce.agents.environment import Observation, take
from inforce.agents.method import Method
from inforce.agents.preselection import Selection
from inforce.agents.prompts import prompt
from inforce.agents.run import Run
from inforce.llm.chat import Message


@dataclass(frozen=True, slots=True)
class ReAct(Method):
    """The method."""

    @property
    def name(self) -> str:
        """As people call it."""
        return "react"

    async def __call__(self, run: Run) -> Draft:
        """Work on the question of the run."""
        selection = await self.select(run)
        messages = [
            Message("system", instructions(selection)),
            Message("user", f"问题：{run.question}"),
        ]
        observed: list[Observation] = []
        for _ in range(self.max_steps):
            reply = await run.reply(messages)
            messages.append(Message("assistant", reply.text))
            taken = await take(run, reply.text, self.environment)
            if taken.observation is None:
                return checked(await close(run, messages), observed)
            observed.append(taken.observation)
            messages.append(Message("user", taken.observation.text))
        stopped = f"stopped after {self.max_steps} steps"
        return checked(await close(run, messages, outcome="turn_limit", note=stopped), observed)


def instructions(selection: Selection) -> str:
    """The system prompt: the form of thoughts and actions, the tools and tables, three examples."""
    return prompt("react_system").substitute(
        tools=selection.told_tools,
        names=selection.names,
        tables=selection.told_tables,
        examples=prompt("react_examples").substitute(),
    )


def checked(draft: Draft, observed: list[Observation]) -> Draft:
    """The draft, or an abstention where no tool found anything it could rest on."""
    if any(one.status == "found" for one in observed):
        return draft
    if draft.outcome == "invalid":
        return draft
    why = "no tool found anything the answer could rest on"
    return Draft("", "abstained", why, withheld=draft.text)
