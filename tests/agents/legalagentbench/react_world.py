"""A small world for agents that act in steps: three tools, three tables, a scripted model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from inforce.agents.legalagentbench.preselection import DataTable
from inforce.agents.runtime.answer import ResearchAnswer
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.run import Agent
from inforce.agents.runtime.trace import Event, Noted
from inforce.errors import ModelError
from inforce.llm.chat import GREEDY, Message, Reply, Sampling
from inforce.testing import fixed_clock
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, ToolResult, ToolSpec, ToolStatus
from inforce.tools.toolbox import Toolbox

QUESTION = "青禾公司的法定代表人是谁，所在地的法院由谁负责？"

TABLES = (
    DataTable("Firm", ("公司名称", "法定代表人"), ("get_firm",), "公司"),
    DataTable("Court", ("法院名称", "负责人"), ("get_court",), "法院"),
    DataTable("Bar", ("律所名称", "执业证号"), ("get_bar",), "律所"),
)


@dataclass
class LookUp:
    """A tool that looks one thing up."""

    name: str
    answers: dict[str, str]
    spec: ToolSpec = field(init=False)

    def __post_init__(self) -> None:
        parameters = {"identifier": {"type": "string"}, "columns": {"type": "array"}}
        self.spec = ToolSpec(self.name, f"查询{self.name}", parameters, ("identifier",))

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        found = self.answers.get(arguments["identifier"])
        status: ToolStatus = "found" if found else "not_found"
        evidence = (Evidence(f"{self.name}-1", "table", self.name, found),) if found else ()
        return ToolResult(found or "没有数据", status, evidence)


def toolbox(more: int = 0) -> Toolbox:
    named = [
        LookUp("get_firm", {"青禾公司": "{'法定代表人': '周青'}"}),
        LookUp("get_court", {"临川法院": "{'负责人': '吴衡'}"}),
        LookUp("get_bar", {}),
    ]
    return Toolbox([*named, *(LookUp(f"other_{number}", {}) for number in range(more))])


@dataclass
class Scripted:
    """Says its lines in order and keeps what it was asked."""

    lines: Sequence[str]
    asked: list[list[Message]] = field(default_factory=list[list[Message]])
    name: str = "scripted"

    async def reply(self, messages: Sequence[Message], sampling: Sampling = GREEDY) -> Reply:
        if len(self.asked) >= len(self.lines):
            raise ModelError("the script has ended")
        self.asked.append(list(messages))
        return Reply(self.lines[len(self.asked) - 1])

    def last(self, call: int) -> str:
        """The last turn the model saw at a call, from 0."""
        return self.asked[call][-1].content


def act(tool: str, given: object) -> str:
    block = json.dumps({"action": tool, "action_input": given}, ensure_ascii=False)
    return f"思考：下一步。\n```json\n{block}\n```"


def researcher(agent: Agent, model: Scripted, tools: Toolbox | None = None) -> Researcher:
    return Researcher(agent, model, tools or toolbox(), fixed_clock("2026-11-20"))


@dataclass
class Worked:
    """A run after its end."""

    answer: ResearchAnswer
    events: list[Event]
    model: Scripted

    def notes(self, kind: str) -> list[str]:
        noted = [event for event in self.events if isinstance(event, Noted)]
        return [event.text for event in noted if event.kind == kind]


async def worked(agent: Agent, *lines: str, tools: Toolbox | None = None) -> Worked:
    model, events = Scripted(lines), list[Event]()
    answer = await researcher(agent, model, tools).research(QUESTION, listener=events.append)
    return Worked(answer, events, model)
