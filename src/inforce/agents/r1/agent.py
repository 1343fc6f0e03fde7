"""R1: plan, search the law of the time, answer from what was found (LegalSearch-R1, section 3.2).

::

    question ─▶ <think> <plan>                          the first round must plan
             ─▶ <think> <tool_call> ─▶ <tool_response>  any number of times, calls in parallel
             ─▶ <think> <answer>                        at most 15 rounds in all

The model writes tags; the agent reads them tolerantly, notes every deviation in the trace, and
answers a reply it cannot use with a message the model can act on. A reply that breaks the protocol
several times in a row ends the run as ``invalid``, and so does a model that goes in circles. An
answer for which no tool found anything is not handed on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from inforce.agents.r1.protocol import RESPONSE, Round, ToolCall, read_round
from inforce.agents.r1.wording import ABSTENTIONS, WORDING
from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.prompts import prompt, with_given_dates
from inforce.agents.runtime.run import Run
from inforce.documents.untrusted import as_data
from inforce.llm.chat import Message, Sampling
from inforce.tools.tool import Language, ToolResult, ToolStatus

MAX_TURNS = 15
"""Rounds of a run (section 6.1)."""

PATIENCE = 3
"""Replies in a row that break the protocol, or only repeat, before the run ends."""

_MOST_CALLS = 8
"""Tool calls made in one round."""

_LONGEST_RESPONSE = 12_000
"""Characters of one tool's answer that the model reads."""

_SHOWN_PARTLY = 160

_Fault = Literal[
    "no_action", "no_plan", "unreadable", "unsearched", "repeated", "only_plans", "cut_off"
]


class R1:
    """The agent of LegalSearch-R1.

    Args:
        language: of its instructions and of its messages to the model.
        max_turns: rounds at most; a run that needs more ends with what it has found.
        patience: useless replies in a row before a run ends as ``invalid``.
        sampling: how replies are drawn.
    """

    name = "r1"

    def __init__(
        self,
        *,
        language: Language = "zh",
        max_turns: int = MAX_TURNS,
        patience: int = PATIENCE,
        sampling: Sampling | None = None,
    ) -> None:
        self.language: Language = language
        self.max_turns = max_turns
        self.patience = patience
        self.sampling = sampling or Sampling(stop=(f"<{RESPONSE}>",))

    @property
    def settings(self) -> dict[str, str]:
        """What distinguishes this agent from other R1s."""
        return {
            "language": self.language,
            "max_turns": str(self.max_turns),
            "patience": str(self.patience),
            "temperature": f"{self.sampling.temperature:g}",
        }

    def opening(self, run: Run) -> list[Message]:
        """The conversation before the first round: instructions, tools, and the question."""
        tools = [
            {"name": one.name, "description": one.description, "parameters": dict(one.parameters)}
            for one in run.tools
        ]
        system = prompt("r1", self.language).substitute(
            today=run.context.today.isoformat(),
            max_turns=self.max_turns,
            tools="\n".join(json.dumps(one, ensure_ascii=False) for one in tools),
        )
        system = with_given_dates(system, run.context, self.language)
        return [Message("system", system), Message("user", run.question)]

    async def __call__(self, run: Run) -> Draft:
        """Work on the question of the run, to its answer or its end."""
        return await _Episode(self, run, self.opening(run)).work()


@dataclass(slots=True)
class _Episode:
    """One run of the agent: the conversation so far, and what it written."""

    agent: R1
    run: Run
    messages: list[Message]
    made: dict[str, int] = field(default_factory=dict[str, int])
    """Calls that were answered, by key, with their round."""
    statuses: list[ToolStatus] = field(default_factory=list[ToolStatus])
    strikes: int = 0
    """Useless replies in a row."""
    plans: int = 0
    """Rounds in a row that only planned."""
    planned: bool = False
    last_words: str = ""
    """What the model answered last; of a run without an answer, all of its last reply."""
    answered: bool = False

    async def work(self) -> Draft:
        for turn in range(1, self.agent.max_turns + 1):
            self.run.partial = self._partial()
            reply = await self.run.reply(self.messages, self.agent.sampling)
            written = read_round(reply.text, first=not self.planned)
            self._note(written, turn)
            self._remember_words(written)
            self.messages.append(Message("assistant", written.own_text))
            fault = self._fault(written, is_cut_off=reply.is_cut_off)
            if fault is None and written.answer is not None and not written.calls:
                return self._draft(written.answer)
            response = self._say(fault, written) if fault else await self._respond(written, turn)
            if self.strikes >= self.agent.patience:
                why = f"{self.strikes} replies in a row were of no use ({fault or 'repeated'})"
                return Draft(self._partial(), "invalid", why, withheld=self.last_words)
            if turn == self.agent.max_turns - 1:
                response = f"{response}\n{self._wording['last']}"
            self.messages.append(Message("user", response))
        why = f"no answer in {self.agent.max_turns} rounds"
        return Draft(self._partial(), "turn_limit", why, withheld=self.last_words)

    @property
    def _wording(self) -> dict[str, str]:
        return WORDING[self.agent.language]

    def _note(self, written: Round, turn: int) -> None:
        if written.plan:
            self.run.note("plan", written.plan)
        if not written.validity.valid:
            self.run.note("invalid_reply", f"round {turn}: {written.validity}")

    def _remember_words(self, written: Round) -> None:
        if written.answer is not None or not self.answered:
            self.answered = written.answer is not None
            self.last_words = written.answer or written.own_text.strip()

    def _fault(self, written: Round, *, is_cut_off: bool) -> _Fault | None:
        """What makes a round useless, if anything does; counts faults in a row."""
        fault = "cut_off" if is_cut_off and written.is_open else self._found_fault(written)
        self.plans = (
            self.plans + 1 if written.plan and not written.calls and written.answer is None else 0
        )
        if fault is None and self.plans > self.agent.patience:
            fault = "only_plans"
        self.planned = self.planned or bool(written.plan)
        if fault is not None:
            self.strikes += 1
        elif not written.calls:
            self.strikes = 0
        return fault

    def _found_fault(self, written: Round) -> _Fault | None:
        if not self.planned and not written.plan:
            return "no_plan" if written.calls or written.answer or written.think else "no_action"
        if written.calls:
            return None
        if written.unreadable:
            return "unreadable"
        if written.answer is not None:
            return "unsearched" if not self.statuses and len(self.run.tools) else None
        return None if written.plan else "no_action"

    def _say(self, fault: _Fault, written: Round) -> str:
        problem = as_data("; ".join(written.unreadable))
        return self._wording[fault].format(problem=problem)

    async def _respond(self, written: Round, turn: int) -> str:
        """The environment's turn: the answers of all calls of the round, or "go on"."""
        if not written.calls:
            return self._wording["go_on"]
        calls, rest = written.calls[:_MOST_CALLS], len(written.calls) - _MOST_CALLS
        fresh = list(dict.fromkeys(call.key for call in calls if call.key not in self.made))
        answers = await self._call([_first(calls, key) for key in fresh])
        self.strikes = 0 if fresh else self.strikes + 1
        responses = [self._response(call, answers.get(call.key)) for call in _once(calls)]
        self._remember(answers, turn)
        if rest > 0:
            responses.append(self._wording["too_many"].format(most=_MOST_CALLS, count=rest))
        responses += [
            self._wording["unreadable"].format(problem=as_data(p)) for p in written.unreadable
        ]
        return "\n".join(responses)

    async def _call(self, calls: Sequence[ToolCall]) -> dict[str, ToolResult]:
        results = await asyncio.gather(
            *(self.run.call(call.name, call.arguments) for call in calls)
        )
        self.statuses.extend(result.status for result in results)
        return {call.key: result for call, result in zip(calls, results, strict=True)}

    def _remember(self, answers: dict[str, ToolResult], turn: int) -> None:
        """A call that failed may be made again; any other would answer the same."""
        for key, result in answers.items():
            if result.status not in ("failed", "not_checked"):
                self.made[key] = turn

    def _response(self, call: ToolCall, result: ToolResult | None) -> str:
        if result is None:
            text, status = self._wording["repeated"].format(turn=self.made[call.key]), "repeated"
        else:
            text, status = self._shortened(as_data(result.text)), result.status
        body = self._wording["response"].format(name=as_data(call.name), status=status, text=text)
        return f"<{RESPONSE}>\n{body}\n</{RESPONSE}>"

    def _shortened(self, text: str) -> str:
        if len(text) <= _LONGEST_RESPONSE:
            return text
        left_out = self._wording["cut"].format(count=len(text) - _LONGEST_RESPONSE)
        return text[:_LONGEST_RESPONSE] + left_out

    def _draft(self, answer: str) -> Draft:
        """The model's answer, if anything it was shown can support one."""
        if answer.lower().startswith(ABSTENTIONS):
            return Draft(answer, "abstained", "the model says that the material does not suffice")
        if "found" in self.statuses or not len(self.run.tools):
            return Draft(answer)
        why = f"no tool found anything; the model answered all the same: {answer}"
        if all(status in ("failed", "not_checked") for status in self.statuses):
            return Draft(self._wording["unreachable"], "failed", why, withheld=answer)
        return Draft(self._wording["no_support"], "abstained", why, withheld=answer)

    def _partial(self) -> str:
        """What was found so far: all there is, if the run must stop here."""
        found = list(self.run.evidence.values())
        if not found:
            return self._wording["nothing_yet"]
        lines = [
            f"- {one.title}（{one.date}）：{_start(one.text)}"
            if one.date
            else f"- {one.title}：{_start(one.text)}"
            for one in found
        ]
        return "\n".join([self._wording["unfinished"], *lines])


def _once(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Each call of a round once, in order."""
    return list({call.key: call for call in calls}.values())


def _first(calls: Sequence[ToolCall], key: str) -> ToolCall:
    return next(call for call in calls if call.key == key)


def _start(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_PARTLY else f"{line[:_SHOWN_PARTLY]}…"
