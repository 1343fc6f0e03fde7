"""R1: plan, search the law of the time, answer from what was found (LegalSearch-R1, section 3.2).

::

    question ─▶ <think> <plan>                          the first round must plan
             ─▶ <think> <tool_call> ─▶ <tool_response>  any number of times, calls in parallel
             ─▶ <think> <answer>                        at most 15 rounds in all

The model writes tags; the agent reads them tolerantly, notes every deviation in the trace, and
answers a reply it cannot use with a message the model can act on. A reply that breaks the protocol
several times in a row ends the run as ``invalid``, and so does a model that goes in circles. An
answer for which no tool found anything is withheld.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Literal

from inforce.agents.r1.protocol import RESPONSE, Round, ToolCall, read_round
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

_SHOWN = 160
"""Characters shown of each piece of evidence where a run must stop."""

_NO_RESULT: tuple[ToolStatus, ...] = ("failed", "not_checked")

_Fault = Literal[
    "no_action", "no_plan", "unreadable", "unsearched", "repeated", "only_plans", "cut_off"
]

TEXTS: dict[Language, dict[str, str]] = {
    "zh": {
        "go_on": "计划已收到。请按计划继续：以 <think> 开头，然后调用工具或给出答案。",
        "only_plans": "已经连续几轮只有计划。请在这一轮调用工具，或给出答案。",
        "response": "工具 {name} · 状态 {status}\n{text}",
        "cut": "……（结果过长，以下省略 {count} 字；请缩小查询范围）",
        "repeated": "这次调用与第 {turn} 轮的相同，没有再次执行，结果见上。请换查询或工具。",
        "too_many": "一轮最多调用 {most} 次工具，其余 {count} 次没有执行。",
        "last": "下一轮是最后一轮，请直接以 <think> 和 <answer> 作答；材料不足就说明无法回答。",
        "no_plan": "第一轮必须有检索计划：<think>分析</think><plan>计划</plan>。",
        "no_action": (
            "没有读到 <plan>、<tool_call> 或 <answer>。请以 <think> 开头，然后恰好做其中一件事。"
        ),
        "unreadable": (
            "<tool_call> 里的内容读不出来：{problem}。"
            '请写成 {{"name": "工具名", "arguments": {{"参数": …}}}}。'
        ),
        "unsearched": "还没有检索就作答了。请先用工具取得材料；材料不足再说明无法回答。",
        "cut_off": "上一轮回复过长，写到一半被截断，没有采用。请写得更短，并把标签写完整。",
        "unfinished": "检索在得出答案之前停止。已取得的材料：",
        "nothing_yet": "检索在得出答案之前停止，尚未取得材料。",
        "no_support": "无法回答：没有检索到可以支持答案的材料。",
        "unreachable": "无法回答：所用的来源都没有正常返回结果。",
    },
    "en": {
        "go_on": "The plan is noted. Go on: begin with <think>, then call a tool or answer.",
        "only_plans": "Several rounds held only plans. Call a tool in this round, or answer.",
        "response": "tool {name} · status {status}\n{text}",
        "cut": "… (too long: {count} characters are left out; ask for less)",
        "repeated": (
            "The same call was made in round {turn}; it was not made again, see its result above. "
            "Change the query or the tool, or answer."
        ),
        "too_many": "At most {most} calls a round: {count} were not made.",
        "last": (
            "The next round is the last: answer with <think> and <answer>; "
            "say so if the material does not suffice."
        ),
        "no_plan": "The first round needs a plan: <think>analysis</think><plan>plan</plan>.",
        "no_action": (
            "There was no <plan>, <tool_call> or <answer>. "
            "Begin with <think>, then do exactly one of them."
        ),
        "unreadable": (
            "The <tool_call> cannot be read: {problem}. "
            'Write {{"name": "tool", "arguments": {{"argument": …}}}}.'
        ),
        "unsearched": (
            "That was an answer without a search. Use the tools first; "
            "say so if the material does not suffice."
        ),
        "cut_off": (
            "Your reply was too long and was cut off, so it was not used. "
            "Write less, and close every tag."
        ),
        "unfinished": "The search stopped before there was an answer. Found so far:",
        "nothing_yet": "The search stopped before there was an answer; nothing was found yet.",
        "no_support": "Cannot answer: nothing was found that supports an answer.",
        "unreachable": "Cannot answer: none of the sources could be reached.",
    },
}

_ABSTENTIONS = ("无法回答", "cannot answer")
"""Beginnings of an abstention, in small letters."""


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
        """Settings that distinguish this agent from other R1s."""
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
    """A run of the agent in progress: the conversation, and the calls made."""

    agent: R1
    run: Run
    messages: list[Message]
    calls_made: dict[str, int] = field(default_factory=dict[str, int])
    """The round of each call that need not be made again, by its key."""
    statuses: list[ToolStatus] = field(default_factory=list[ToolStatus])
    """Of all calls."""
    strikes: int = 0
    """Useless replies in a row."""
    plans: int = 0
    """Rounds in a row that only planned."""
    has_planned: bool = False
    last_words: str = ""
    """The model's last answer; of a run without an answer, all of its last reply."""
    has_answered: bool = False

    async def work(self) -> Draft:
        for turn in range(1, self.agent.max_turns + 1):
            self.run.partial = self._partial()
            reply = await self.run.reply(self.messages, self.agent.sampling)
            written = read_round(reply.text, first=not self.has_planned)
            self._note(written, turn)
            self.messages.append(Message("assistant", written.own_text))
            fault = self._fault(written, is_cut_off=reply.is_cut_off)
            if fault is None and written.answer is not None and not written.calls:
                return self._draft(written.answer)
            if fault is not None:
                problem = as_data("; ".join(written.unreadable))
                response = self._text(fault, problem=problem)
            else:
                response = await self._respond(written, turn)
            if self.strikes >= self.agent.patience:
                why = f"{self.strikes} replies in a row were of no use ({fault or 'repeated'})"
                return Draft(self._partial(), "invalid", why, withheld=self.last_words)
            if turn == self.agent.max_turns - 1:
                response = f"{response}\n{self._text('last')}"
            self.messages.append(Message("user", response))
        why = f"no answer in {self.agent.max_turns} rounds"
        return Draft(self._partial(), "turn_limit", why, withheld=self.last_words)

    def _text(self, key: str, **words: object) -> str:
        return TEXTS[self.agent.language][key].format(**words)

    def _note(self, written: Round, turn: int) -> None:
        if written.plan:
            self.run.note("plan", written.plan)
        if not written.validity.valid:
            self.run.note("invalid_reply", f"round {turn}: {written.validity}")
        if written.answer is not None or not self.has_answered:
            self.has_answered = written.answer is not None
            self.last_words = written.answer or written.own_text.strip()

    def _fault(self, written: Round, *, is_cut_off: bool) -> _Fault | None:
        """The fault that makes a round useless, if any; counts faults in a row."""
        fault = "cut_off" if is_cut_off and written.is_open else self._fault_in(written)
        only_plans = written.plan and not written.calls and written.answer is None
        self.plans = self.plans + 1 if only_plans else 0
        if fault is None and self.plans > self.agent.patience:
            fault = "only_plans"
        self.has_planned = self.has_planned or bool(written.plan)
        if fault is not None:
            self.strikes += 1
        elif not written.calls:
            self.strikes = 0
        return fault

    def _fault_in(self, written: Round) -> _Fault | None:
        if not self.has_planned and not written.plan:
            return "no_plan" if written.calls or written.answer or written.think else "no_action"
        if written.calls:
            return None
        if written.unreadable:
            return "unreadable"
        if written.answer is not None:
            return "unsearched" if not self.statuses and len(self.run.tools) else None
        return None if written.plan else "no_action"

    async def _respond(self, written: Round, turn: int) -> str:
        """The environment's turn: the results of all calls of the round, or "go on"."""
        if not written.calls:
            return self._text("go_on")
        calls: dict[str, ToolCall] = {}
        for call in written.calls[:_MOST_CALLS]:
            calls.setdefault(call.key, call)
        new = [call for key, call in calls.items() if key not in self.calls_made]
        answers = await asyncio.gather(*(self.run.call(one.name, one.arguments) for one in new))
        self.statuses.extend(result.status for result in answers)
        self.strikes = 0 if new else self.strikes + 1
        results = {call.key: result for call, result in zip(new, answers, strict=True)}
        responses = [self._response(call, results.get(key)) for key, call in calls.items()]
        # a call that failed may be made again; any other would have the same result
        again = (key for key, result in results.items() if result.status not in _NO_RESULT)
        self.calls_made.update(dict.fromkeys(again, turn))
        if (rest := len(written.calls) - _MOST_CALLS) > 0:
            responses.append(self._text("too_many", most=_MOST_CALLS, count=rest))
        for problem in written.unreadable:
            responses.append(self._text("unreadable", problem=as_data(problem)))
        return "\n".join(responses)

    def _response(self, call: ToolCall, result: ToolResult | None) -> str:
        if result is None:
            text, status = self._text("repeated", turn=self.calls_made[call.key]), "repeated"
        else:
            text, status = as_data(result.text), result.status
            if len(text) > _LONGEST_RESPONSE:
                cut = self._text("cut", count=len(text) - _LONGEST_RESPONSE)
                text = text[:_LONGEST_RESPONSE] + cut
        body = self._text("response", name=as_data(call.name), status=status, text=text)
        return f"<{RESPONSE}>\n{body}\n</{RESPONSE}>"

    def _draft(self, answer: str) -> Draft:
        """The model's answer, if any tool found something that can support one."""
        if answer.lower().startswith(_ABSTENTIONS):
            return Draft(answer, "abstained", "the model says that the material does not suffice")
        if "found" in self.statuses or not len(self.run.tools):
            return Draft(answer)
        why = f"no tool found anything; the model answered all the same: {answer}"
        if all(status in _NO_RESULT for status in self.statuses):
            return Draft(self._text("unreachable"), "failed", why, withheld=answer)
        return Draft(self._text("no_support"), "abstained", why, withheld=answer)

    def _partial(self) -> str:
        """The evidence found so far, for a run that must stop here."""
        if not self.run.evidence:
            return self._text("nothing_yet")
        lines = [self._text("unfinished")]
        for one in self.run.evidence.values():
            text = " ".join(one.text.split())
            start = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
            dated = f"（{one.date}）" if one.date else ""
            lines.append(f"- {one.title}{dated}：{start}")
        return "\n".join(lines)
