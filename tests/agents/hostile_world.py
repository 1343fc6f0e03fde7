"""Every agent with a small world of its own, and models that speak its protocol well or badly."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inforce.agents.lmars.rules import CheckName
from inforce.agents.registry import METHODS, AgentName
from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.trace import Event, Finished, Started, read_trace
from inforce.agents.runtime.trace_view import TraceView, page, view
from inforce.llm.chat import GREEDY, Finish, Message, Reply, Sampling
from inforce.llm.recorded import FINAL_REQUEST, SUMMARY_REQUEST
from inforce.testing import fixed_clock
from inforce.tools.context import RunContext, SeenResult
from inforce.tools.evidence import Evidence, EvidenceKind
from inforce.tools.tool import Arguments, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

AGENTS = tuple(METHODS)

QUESTION = "2010年累犯能否适用缓刑？"
LAW = "2010年的刑法第七十四条规定：对于累犯，不适用缓刑。"
TRUE_ANSWER = "对于累犯，不适用缓刑。"
MSR2_ANSWER = "有期徒刑三年"

MOST_CALLS: dict[AgentName, int] = {
    "r1": 15,
    "msr2": 8,
    "lmars": 2 + 2 + 1,  # understanding and queries, each with one correction; the summary
    "lmars-multi": 2 + 2 + 3 * (2 + 2) + 1,  # and follow-ups, queries and verdicts of 3 rounds
    "react": 10 + 2,
    "plan-solve": 1 + 10 + 2,
    "plan-execute": 1 + 10 + 10 + 2,
}
"""Calls of the model an agent may make, at its own settings."""


class Found:
    """A tool that finds the law, or what a test puts in its place."""

    def __init__(
        self, name: str, argument: str, kind: EvidenceKind, *, is_list: bool = False, text: str = ""
    ) -> None:
        schema = {"type": "string"}
        given: dict[str, Any] = {"type": "array", "items": schema} if is_list else schema
        self.spec = ToolSpec(
            name,
            "looks up",
            {argument: given, "source": schema},
            required=(argument,),
        )
        self.kind: EvidenceKind = kind
        self.text = text or LAW
        self.calls = 0

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        self.calls += 1
        url = f"https://law.example.gov/{self.spec.name}"
        context.remember([SeenResult(url, "刑法", self.text, "q")])
        found = Evidence(url, self.kind, "刑法 2010", self.text, url, "in force 2010")
        return ToolResult(self.text, "found", (found,))


class NothingFound(Found):
    """A tool whose source is complete, and has nothing."""

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        self.calls += 1
        return ToolResult("没有", "not_found")


def tools(kind: type[Found] = Found) -> list[Found]:
    """One tool for each protocol."""
    return [
        kind("law", "word", "statute"),
        kind("search_source", "query", "statute"),
        kind("web_search", "query", "web", is_list=True),
    ]


# --- how each agent is spoken to ----------------------------------------------------------------


def act(tool: str, arguments: str) -> str:
    """A call in the protocol of ReAct and of the planning agents; the arguments as JSON."""
    return f'思考：查。\n```json\n{{"action": "{tool}", "action_input": {arguments}}}\n```'


def call(agent: AgentName, tool: str, arguments: str) -> str:
    """A call of a tool, its arguments as written."""
    if agent == "r1":
        asked = f'{{"name": "{tool}", "arguments": {arguments}}}'
        return f"<think>甲</think><tool_call>{asked}</tool_call>"
    if agent == "msr2":
        return f'<reasoning>甲</reasoning><search source="{tool}">{arguments}</search>'
    if agent in ("lmars", "lmars-multi"):
        return f'{{"queries": [{{"source": "{tool}", "query": {arguments}}}]}}'
    return act(tool, arguments)


def answer(agent: AgentName, text: str) -> str:
    """An answer in the agent's protocol."""
    if agent == "r1":
        return f"<think>甲</think><answer>{text}</answer>"
    if agent == "msr2":
        return f"<reasoning>{text}</reasoning><answer>{MSR2_ANSWER}</answer>"
    if agent in ("lmars", "lmars-multi"):
        return f"{text} [1]"
    return act("Final Answer", json.dumps(text, ensure_ascii=False))


_OPENING = {
    "r1": "<think>甲</think><plan>查缓刑</plan>",
    "msr2": "<reasoning>甲</reasoning><factors>累犯</factors><search>缓刑</search>",
}
_PLAN = "计划：\n步骤1：查刑法。\n步骤2：根据以上各步的结果回答原问题\n计划结束"
_CHECKS: tuple[CheckName, ...] = (
    "support",
    "source_quality",
    "date",
    "jurisdiction",
    "contradiction",
)
_LMARS = (
    (
        "Take this one apart",
        '{"issue": "缓刑", "entities": [], "jurisdiction": "China", "time_window": "2010"}',
    ),
    ("What must they tell us", '{"questions": []}'),
    (
        "Plan the next searches",
        '{"queries": [{"source": "web_search", "query": "累犯 缓刑 2010"}]}',
    ),
    (
        "You decide whether",
        json.dumps(
            {
                "reasoning": "enough",
                "checks": [{"check": one, "result": "pass", "why": "-"} for one in _CHECKS],
                "sufficient": True,
                "refinements": [],
            }
        ),
    ),
)

Part = str
"""Which part of an agent asks: ``act`` where it may call a tool or answer, else its role."""


def part_of(agent: AgentName, messages: Sequence[Message]) -> Part:
    """What a conversation asks for."""
    first, last = messages[0].content, messages[-1].content
    if agent in ("lmars", "lmars-multi"):
        return next((begin for begin, _ in _LMARS if begin in first), "summary")
    if FINAL_REQUEST in last or SUMMARY_REQUEST in last:
        return "closing"
    if "你负责为一个法律查询问题制订计划" in first or "修订一个法律查询计划" in first:
        return "plan"
    return "act"


def well_behaved(agent: AgentName, messages: Sequence[Message], *, says: str = TRUE_ANSWER) -> str:
    """What a model says that keeps the protocol."""
    part = part_of(agent, messages)
    if agent in ("lmars", "lmars-multi"):
        return dict(_LMARS).get(part, answer(agent, says))
    if part == "closing":
        return says
    if part == "plan":
        return _PLAN
    asked = sum(one.role == "assistant" for one in messages)
    known = any(LAW in one.content for one in messages if one.role == "user")
    if agent in _OPENING and asked == 0:
        return _OPENING[agent]
    return answer(agent, says) if known else call(agent, "law", '{"word": "缓刑"}')


Behaviour = Callable[[AgentName, Sequence[Message]], "str | Reply"]
"""What a model says next; it may raise."""


@dataclass
class Model:
    """A model that behaves as told and keeps what it was asked."""

    agent: AgentName
    behaves: Behaviour
    asked: list[tuple[Message, ...]] = field(default_factory=list[tuple[Message, ...]])
    name: str = "hostile"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        self.asked.append(tuple(messages))
        said = self.behaves(self.agent, messages)
        return Reply(said) if isinstance(said, str) else said


def cut_off(text: str, finish: Finish = "length") -> Reply:
    """A reply its model could not end."""
    return Reply(text, finish=finish)


# --- a run, and what must hold of every run -------------------------------------------------------


@dataclass(frozen=True)
class Ended:
    """A run after its end."""

    answer: ResearchAnswer
    events: tuple[Event, ...]
    shown: TraceView
    page: str


async def ended(
    name: AgentName,
    model: Any,
    toolbox: Toolbox,
    trace: Path,
    *,
    question: str = QUESTION,
) -> Ended:
    """Run an agent to its end; the trace must be whole and can be shown."""
    agent = METHODS[name].make("zh", None)
    researcher = Researcher(agent, model, toolbox, fixed_clock("2026-11-20"))
    found = await researcher.research(question, trace=trace)
    events = read_trace(trace)
    assert isinstance(events[0], Started)
    assert isinstance(events[-1], Finished)
    assert [type(one) for one in events].count(Finished) == 1
    assert events[-1].answer == found
    shown = view(events)
    return Ended(found, events, shown, page(shown))
