"""How a run of tool calls ends: the answer put into form, and the trajectory summed up.

Two further calls of the model (LegalAgentBench, section 4.1.1: "it summarizes the current
trajectory and provides the final answer"). The first text is scored for success, the second for
progress.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from inforce.agents.runtime.answer import Draft, Outcome
from inforce.agents.runtime.prompts import prompt
from inforce.agents.runtime.run import Run
from inforce.agents.runtime.trace import Event, Replied
from inforce.llm.chat import Message
from inforce.llm.recorded import FINAL_REQUEST, SUMMARY_REQUEST

FINAL, SUMMARY = "final", "summary"
"""The roles of the two calls in the trace."""

_THOUSANDS = re.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")


async def conclude(
    run: Run, messages: Sequence[Message], *, outcome: Outcome = "answered", note: str = ""
) -> Draft:
    """Ask for the answer and the summary at the end of a conversation with the trajectory in it."""
    asked = _with_request(messages, FINAL_REQUEST, "final")
    final = await run.reply(asked, role=FINAL)
    run.partial = without_separators(final.text)
    asked = [*asked, Message("assistant", final.text)]
    await run.reply(_with_request(asked, SUMMARY_REQUEST, "summary"), role=SUMMARY)
    if not run.partial:
        return Draft("", "invalid", note or "the model's final answer was empty")
    return Draft(run.partial, outcome, note)


def _with_request(messages: Sequence[Message], line: str, name: str) -> list[Message]:
    """The conversation with a request at its end, marked by its first line.

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
    """The answer in a trace, in its final form; empty where the run did not get there."""
    return _last_reply(events, FINAL)


def summary_of(events: Iterable[Event]) -> str:
    """The summary of the trajectory in a trace."""
    return _last_reply(events, SUMMARY)


def _last_reply(events: Iterable[Event], role: str) -> str:
    said = [event.text for event in events if isinstance(event, Replied) and event.role == role]
    return without_separators(said[-1]) if said else ""
