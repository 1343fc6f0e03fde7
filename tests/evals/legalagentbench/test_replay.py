"""A replay meets what was recorded, is scored, goes on from traces, and hides no failure."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from benched_runs import TODAY, task, worked

from inforce.agents.legalagentbench.agent import ReAct
from inforce.agents.runtime.trace import Noted, Observed, Replied, read_trace
from inforce.evals.benchmark import Item, Record, System
from inforce.evals.legalagentbench.benchmark import system_of
from inforce.evals.legalagentbench.protocol import HARNESS, tools_of
from inforce.evals.legalagentbench.replay import RECORDED, Match, compare, same
from inforce.llm.recorded import RecordedModel
from inforce.testing import fixed_clock
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

TASK = task(
    1, "甲公司的法定代表人？", "周青", ("周青",), middle=("甲公司",), way=("get_company_info",)
)
WRITING = task(281, "撰写答辩状", "答", ("周青",))


@dataclass
class CompanyInfo:
    """One company is known; the retriever knows nothing."""

    name: str = "get_company_info"
    spec: ToolSpec = field(init=False)

    def __post_init__(self) -> None:
        self.spec = ToolSpec(self.name, "", {"identifier": {}, "columns": {}}, ("identifier",))

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        if arguments["identifier"] != "甲公司":
            return ToolResult("No data found for the specified identifier.", "not_found")
        evidence = (Evidence("CompanyInfo-0", "table", "甲公司", "周青"),)
        return ToolResult("{'法人代表': '周青'}", "found", evidence)


TOOLS = Toolbox([CompanyInfo(), CompanyInfo("legal_article_retriever")])


def call(tool: str, given: Any) -> str:
    block = json.dumps({"action": tool, "action_input": given}, ensure_ascii=False)
    return f"思考。行动 1: ```json{block}```"


FOUND = call("get_company_info", {"identifier": "甲公司"})
FINAL = call("Final Answer", "周青")
RUN: dict[str, Any] = {
    "id": 1,
    "question": TASK.question,
    "completions": [
        call("get_company_info", {"identifier": "无"}),
        "没有行动",
        call("no_tool", {}),
        FOUND,
        FINAL,
    ],
    "observations": [
        "No data found for the specified identifier."
        + HARNESS.hints["No data found for the specified identifier."],
        HARNESS.illegal_action,
        "工具调用发生错误, 请检查传入工具的参数是否正确!",
        "{ '法人代表':'周青' }",
        "",
    ],
    "final": "法人代表是周青。",
    "summary": "甲公司的法人代表是周青。",
}


def recorded(folder: Path, *runs: dict[str, Any]) -> RecordedModel:
    path = folder / "recorded.jsonl"
    path.write_text("\n".join(json.dumps(run) for run in runs), encoding="utf-8")
    return RecordedModel.read(path)


def system(model: RecordedModel) -> System:
    react = ReAct(preselection="none", environment=HARNESS)
    return system_of(lambda item: react, lambda item: TOOLS, model, fixed_clock(TODAY))


async def replayed(
    folder: Path, run: dict[str, Any], item: Item = TASK, *, trace: Path | None = None
) -> Record:
    model = recorded(folder, run)
    return await worked(system(model), item, trace=trace)


def steps(record: Record) -> tuple[float | None, ...]:
    """Steps that were observed, met, and read alike."""
    return tuple(record.values.get(name) for name in ("observed", "met", "read_alike"))


async def test_a_replay_meets_every_recorded_observation_in_the_environment_s_words(
    tmp_path: Path,
) -> None:
    got = await replayed(tmp_path, RUN)
    assert (got.outcome, steps(got)) == ("answered", (4.0, 4.0, 4.0))
    scores = [got.values[name] for name in ("success", "process", "solved")]
    assert scores == [1.0, 1.0, 1.0]


async def test_an_observation_that_differs_or_is_not_reached_counts_as_unequal(
    tmp_path: Path,
) -> None:
    other = {**RUN, "observations": ["{'法人代表': '周青'}", *RUN["observations"][1:]]}
    assert steps(await replayed(tmp_path, other)) == (4.0, 3.0, 4.0)
    early = await replayed(tmp_path, {**RUN, "completions": [FINAL]})
    assert (steps(early), early.values["success"]) == ((4.0, 0.0, 0.0), 1.0)


async def test_a_recording_that_ends_before_the_agent_does_is_scored_by_its_answer(
    tmp_path: Path,
) -> None:
    got = await replayed(tmp_path, {**RUN, "completions": [FOUND], "observations": [""]})
    assert (got.values["success"], got.outcome) == (1.0, "answered")
    assert got.values["observed"] == 0.0


async def test_a_task_recorded_in_other_words_is_found_by_its_number(tmp_path: Path) -> None:
    reworded = replace(TASK, question="请问甲公司由谁任法定代表人？")
    got = await replayed(tmp_path, RUN, reworded)
    assert (got.question, steps(got)) == (reworded.question, (4.0, 4.0, 4.0))


async def test_a_task_that_was_not_recorded_is_a_failure_and_no_score(tmp_path: Path) -> None:
    got = await replayed(tmp_path, RUN, replace(TASK, id="2", question="乙公司？"))
    assert (got.outcome, got.values) == ("failed", {})
    assert "recorded:recorded.jsonl has no recording" in got.note


async def test_an_interrupted_replay_goes_on_from_its_trace_and_is_compared_once(
    tmp_path: Path,
) -> None:
    trace = tmp_path / "trace.jsonl"
    whole = await replayed(tmp_path, RUN, trace=trace)
    lines = trace.read_bytes().splitlines(keepends=True)
    trace.write_bytes(b"".join(lines[:7]) + lines[7][:20])
    assert await replayed(tmp_path, RUN, trace=trace) == whole
    events = read_trace(trace)
    assert sum(isinstance(one, Replied) for one in events) == 7
    assert sum(isinstance(one, Observed) for one in events) == 3
    assert sum(isinstance(one, Noted) and one.kind == RECORDED for one in events) == 1


async def test_many_tasks_at_once_do_not_mix(tmp_path: Path) -> None:
    names = [f"{number:03}" for number in range(64)]
    runs = [
        {**RUN, "id": number, "question": f"第{name}号公司？", "final": f"答案{name}"}
        for number, name in enumerate(names)
    ]
    items = [
        task(number, f"第{name}号公司？", "周青", [f"答案{name}"], way=["get_company_info"])
        for number, name in enumerate(names)
    ]
    model = recorded(tmp_path, *runs)
    replaying = system(model)
    done = await asyncio.gather(*(worked(replaying, item) for item in items))
    assert {one.values["success"] for one in done} == {1.0}
    assert {steps(one) for one in done} == {(4.0, 4.0, 4.0)}


def test_only_writing_tasks_have_retrievers_where_the_evaluation_says_so() -> None:
    assert "legal_article_retriever" not in tools_of(TOOLS, TASK, "writing")
    assert "legal_article_retriever" in tools_of(TOOLS, WRITING, "writing")
    assert tools_of(TOOLS, TASK, "always") is TOOLS


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", True),
        ("[1, 2]", "[2, 1]", False),
        ("['（2021）京1号']", "['(2021)京1号']", True),
        ("[{'名称': '甲 公司'}]", "[{'名称': '甲公司'}]", True),
        ("没有 数据\n", "没有数据", True),
        ("{'a': nan}", "{'a':nan}", True),
        ("5", "5.0", True),
        ("'5'", "5", False),
        ("{'a': 1}", "{'a': 2}", False),
        ("[" * 100_000, "]" * 100_000, False),
        ("{[]: 1}", "{[]: 1} ", True),
    ],
)
def test_values_are_compared_and_spacing_and_bracket_width_are_not(
    one: str, other: str, equal: bool
) -> None:
    assert same(one, other) is equal and same(other, one) is equal


def test_what_was_not_recorded_is_not_compared() -> None:
    assert compare(["甲", "乙"], ["", ""]) == Match()


def test_a_complaint_about_the_form_is_an_observation_like_any_other() -> None:
    said = HARNESS.illegal_action
    assert compare([said, "甲"], [said, said]) == Match(2, 1, read_alike=1)
    assert compare(["甲", ""], [said, said]).read_alike == 0
