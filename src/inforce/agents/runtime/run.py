"""A run: every reply of the model, answer of a tool and reply of the person goes through it.

Each is written to the trace as it happens. A run that starts from an old trace is
answered by the trace as long as it asks the same things, and goes on live where the trace ends:
agents need no code of their own to resume.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.trace import (
    Event,
    Noted,
    Observed,
    PersonAsked,
    PersonReplied,
    Replied,
    Spent,
    call_key,
    person_key,
    reply_key,
    unanswered,
)
from inforce.llm.budget import spending
from inforce.llm.chat import GREEDY, ChatModel, Message, Reply, Sampling, Usage
from inforce.llm.json_replies import json_value, letters_and_digits, valid_text
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.tool import ToolResult, ToolStatus
from inforce.tools.toolbox import Toolbox

_NO_ANSWER: tuple[ToolStatus, ...] = ("failed", "not_checked", "unknown", "not_covered", "invalid")

Now = Callable[[], datetime]
"""The time as an aware UTC timestamp; tests fix it."""

Person = Callable[[Sequence[str]], Awaitable[Sequence[str]]]
"""Someone who answers questions, one reply each; an empty reply is "no answer"."""

Listener = Callable[[Event], None]
"""Called with every event as it happens: a terminal, a queue, a progress bar."""

OUTWARD = "outward"
"""Kind of the notes on calls that would send private text out: refused, or allowed."""

LONGEST_REPLY = 200_000
"""Characters of a reply that are taken: a model that does not stop is cut off here."""


def utc_now() -> datetime:
    """The time by this machine's clock."""
    return datetime.now(UTC)


async def nobody(questions: Sequence[str]) -> Sequence[str]:
    """The person who is not there: no question gets an answer."""
    return [""] * len(questions)


E = TypeVar("E", Replied, Observed, PersonReplied, Noted)


class Recorded:
    """The trace of an earlier part of the run; each reply and each note is used once."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        events = tuple(events)
        self.unanswered = unanswered(events)
        """The cost of models inside tools whose call was interrupted, by the call."""
        self._unused = defaultdict[tuple[Any, ...], deque[Any]](deque)
        for event in events:
            match event:
                case Replied() | Observed() | PersonReplied():
                    self._unused[type(event), event.key].append(event)
                case Noted():
                    self._unused[Noted, event.kind, event.text].append(event)
                case _:
                    pass

    def take(self, kind: type[E], *key: str) -> E | None:
        """The next event of a kind for a request, or ``None`` where there is no more."""
        unused = self._unused[kind, *key]
        return unused.popleft() if unused else None


class Run:
    """A run in progress: the way to model, tools and person, and the evidence found so far.

    Args:
        model: who answers; already within its budget.
        tools: what may be done.
        context: what the tools of this run share.
        recorded: the trace of an earlier part of this run.
        record: called with every new event; writes the trace.
        person: who answers questions of the agent.
        now: the time.
    """

    def __init__(
        self,
        model: ChatModel,
        tools: Toolbox,
        context: RunContext,
        *,
        recorded: Recorded | None = None,
        record: Listener = lambda event: None,
        person: Person = nobody,
        now: Now = utc_now,
    ) -> None:
        self.model = model
        self.tools = tools
        self.context = context
        self.cut_off: list[str] = []
        """Replies the model could not end: their last words are not its conclusion."""
        self._found: list[tuple[Evidence, ...]] = []
        self._results: list[tuple[str, ToolResult]] = []
        self.partial = ""
        """The best answer so far, for a run that must stop."""
        self._recorded = recorded or Recorded()
        self.usage = sum(self._recorded.unanswered.values(), Usage())
        self._record = record
        self._person = person
        self._now = now

    @property
    def evidence(self) -> dict[str, Evidence]:
        """Everything found so far, by id, in the order it was asked for.

        Of one text read twice, the fuller reading counts. The order is that of the calls, not of
        the answers: calls made at the same time may be answered in any order.
        """
        merged: dict[str, Evidence] = {}
        for one in (one for found in self._found for one in found):
            known = merged.get(one.id)
            if known is None or len(one.text) > len(known.text):
                merged[one.id] = one
        return merged

    @property
    def unanswered(self) -> dict[str, ToolResult]:
        """Tools that answered no call of this run, each with its last result.

        From their silence nothing follows: they failed, looked nothing up, or could not tell.
        """
        last = {tool: result for tool, result in self._results if tool in self.tools}
        for tool, result in self._results:
            if result.status not in _NO_ANSWER:
                last.pop(tool, None)
        return {tool: last[tool] for tool in sorted(last)}

    def has_observed(self, words: str) -> bool:
        """Whether a tool's answer contains these words, however they are set and punctuated."""
        wanted = letters_and_digits(words)
        return any(wanted in letters_and_digits(result.text) for _, result in self._results)

    @property
    def question(self) -> str:
        """The question."""
        return self.context.question

    async def reply(
        self, messages: Sequence[Message], sampling: Sampling = GREEDY, *, role: str = "agent"
    ) -> Reply:
        """The model's next turn; ``role`` says which part of the agent asks."""
        key = reply_key(role, messages, sampling)
        if old := self._recorded.take(Replied, key):
            reply = Reply(old.text, old.usage, old.finish, old.cached)
        else:
            began = time.monotonic()
            reply = _bounded(await self.model.reply(messages, sampling))
            self._record(
                Replied(
                    key,
                    role,
                    reply.text,
                    reply.usage,
                    reply.finish,
                    reply.cached,
                    round(time.monotonic() - began, 3),
                    self._now(),
                )
            )
        self.usage += reply.usage
        if reply.is_cut_off:
            self.cut_off.append(reply.text)
            self.note("cut_off", f"{role}: the reply was cut off ({reply.finish})")
        return reply

    async def call(self, tool: str, arguments: Any) -> ToolResult:
        """Call a tool; never raises, see `Toolbox.call`."""
        tool, arguments = valid_text(tool), json_value(arguments)
        key = call_key(tool, arguments)
        place = len(self._found)
        self._found.append(())
        if old := self._recorded.take(Observed, key):
            self.context.remember(old.seen)
            result = ToolResult(old.text, old.status, old.evidence)
            self.tools.replayed(tool, arguments, result, self.context)
            self.usage += old.usage
        else:
            result = await self._call_now(key, tool, arguments)
        self._found[place] = result.evidence
        self._results.append((tool, result))
        return result

    async def _call_now(self, key: str, tool: str, arguments: Any) -> ToolResult:
        before = set(self.context.results)
        began = time.monotonic()
        with spending(lambda usage: self._record(Spent(key, usage, self._now()))) as spent:
            result = await self.tools.call(tool, arguments, self.context)
        self.usage += spent.usage
        for text in self.context.guard.take_notes():
            self.note(OUTWARD, text)
        seen = tuple(one for url, one in self.context.results.items() if url not in before)
        seconds = round(time.monotonic() - began, 3)
        self._record(
            Observed(
                key,
                tool,
                arguments,
                result.text,
                result.status,
                result.evidence,
                seen,
                seconds,
                self._now(),
                spent.usage + self._recorded.unanswered.pop(key, Usage()),
            )
        )
        return result

    async def ask_person(self, questions: Sequence[str]) -> tuple[str, ...]:
        """The person's replies, one a question, in order; empty where there is none."""
        key = person_key(questions)
        if old := self._recorded.take(PersonReplied, key):
            replies = old.replies
        else:
            self._record(PersonAsked(key, tuple(questions), self._now()))
            given = (*await self._person(questions), *[""] * len(questions))
            replies = given[: len(questions)]
            self._record(PersonReplied(key, replies, self._now()))
        self.context.guard.person_wrote(replies)
        return replies

    def note(self, kind: str, text: str) -> None:
        """Add a note to the trace."""
        if not self._recorded.take(Noted, kind, text):
            self._record(Noted(kind, text, self._now()))


def _bounded(reply: Reply) -> Reply:
    """A reply that every file and terminal can hold, of a length that can be read."""
    text = valid_text(reply.text)
    if len(text) > LONGEST_REPLY:
        return replace(reply, text=text[:LONGEST_REPLY], finish="length")
    return reply if text == reply.text else replace(reply, text=text)


class Agent(Protocol):
    """An agent: works through a run and returns a draft."""

    @property
    def name(self) -> str:
        """Its name: ``r1``, ``lmars``, ``react``."""
        ...

    @property
    def settings(self) -> dict[str, str]:
        """Settings that distinguish this agent from others of its name: turns, language, k."""
        ...

    async def __call__(self, run: Run) -> Draft:
        """Work on the question of the run.

        Raises:
            ModelError, BudgetError: from the model; `inforce.agents.research` ends the run with
                what there is.
        """
        ...
