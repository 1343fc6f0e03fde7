"""ReAct, and what it shares with the two planning methods (LegalAgentBench, section 4.1, table 13).

The model is shown the tools and tables the question needs, and three worked examples. At each step
it writes a thought and one action, and reads the result. After ``Final Answer``, or ten steps, two
further calls put the answer into its final form and sum the trajectory up ("it summarizes the
current trajectory and provides the final answer", section 4.1.1). The first text is scored for
success, the second for progress.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inforce.agents.legalagentbench.environment import PLAIN, Environment, Observation, act
from inforce.agents.legalagentbench.preselection import (
    DataTable,
    Preselection,
    Selection,
    preselect,
)
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.prompts import prompt, with_given_dates
from inforce.agents.runtime.run import Run
from inforce.agents.runtime.trace import Event, Replied
from inforce.llm.chat import Message
from inforce.llm.recorded import FINAL_REQUEST, SUMMARY_REQUEST

MOST_STEPS = 10
"""Steps of a run, and of a plan that are carried out (section 4.1: T = 10)."""

FINAL, SUMMARY = "final", "summary"
"""The roles of the two last calls in the trace."""

_THOUSANDS = re.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")


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
        """Settings that distinguish this agent from others of its name."""
        return {
            "max_steps": str(self.max_steps),
            "preselection": self.preselection,
            "environment": self.environment.name,
        }

    async def select(self, run: Run) -> Selection:
        """Select the tools and tables the question of a run needs."""
        return await preselect(run, self.preselection, self.tables, self.always)

    async def conclude(
        self, run: Run, messages: Sequence[Message], observed: Sequence[Observation], *, steps: int
    ) -> Draft:
        """Ask for the final answer; an abstention where no tool found anything to rest on.

        The messages have the trajectory in them; `max_steps` steps without an answer are partial.
        """
        is_stopped = steps >= self.max_steps
        note = f"stopped after {self.max_steps} steps" if is_stopped else ""
        asked = _with_request(messages, FINAL_REQUEST, "final")
        final = await run.reply(asked, role=FINAL)
        run.partial = without_separators(final.text)
        asked = [*asked, Message("assistant", final.text)]
        await run.reply(_with_request(asked, SUMMARY_REQUEST, "summary"), role=SUMMARY)
        if not run.partial:
            return Draft("", "invalid", note or "the model's final answer was empty")
        if not any(one.status == "found" for one in observed):
            why = "no tool found anything the answer could rest on"
            return Draft("", "abstained", why, withheld=run.partial)
        return Draft(run.partial, "turn_limit" if is_stopped else "answered", note)


@dataclass(frozen=True, slots=True)
class ReAct(ActionAgent):
    """ReAct: think, act, observe, one step at a time."""

    name = "react"

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
        return await self.conclude(run, messages, observed, steps=len(observed))


def system_message(run: Run, name: str, selection: Selection, **gaps: str) -> Message:
    """The system prompt of a role: its instructions with the tools and tables of the question."""
    text = prompt("legalagentbench", name).substitute(
        tools=selection.tools_text, names=selection.names, tables=selection.tables_text, **gaps
    )
    return Message("system", with_given_dates(text, run.context, "zh"))


def user_message(name: str, **gaps: object) -> Message:
    """A turn of the user, from the prompt of a name."""
    return Message("user", prompt("legalagentbench", name).substitute(gaps))


def _with_request(messages: Sequence[Message], line: str, name: str) -> list[Message]:
    """The conversation with a request at its end, which begins with a line of its own.

    Servers want turns to alternate, so it is joined to a turn of the user that is already there.
    """
    request = f"{line}\n{prompt('legalagentbench', name).substitute()}"
    if messages and messages[-1].role == "user":
        return [*messages[:-1], Message("user", f"{messages[-1].content}\n\n{request}")]
    return [*messages, Message("user", request)]


def without_separators(text: str) -> str:
    """A text without the separators of thousands, as its numbers are compared.

    >>> without_separators("1,234,567.89元，第1,2项")
    '1234567.89元，第1,2项'
    """
    return _THOUSANDS.sub("", text).strip()


def final_of(events: Iterable[Event]) -> str:
    """The final answer in a trace; empty where the run did not get there."""
    return _last_reply(events, FINAL)


def summary_of(events: Iterable[Event]) -> str:
    """The summary of the trajectory in a trace."""
    return _last_reply(events, SUMMARY)


def _last_reply(events: Iterable[Event], role: str) -> str:
    said = [event.text for event in events if isinstance(event, Replied) and event.role == role]
    return without_separators(said[-1]) if said else ""
