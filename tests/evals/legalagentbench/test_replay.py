"""A replay meets what was recorded, is scored, goes on from traces, and hides no failure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from inforce.agents.react import ReAct
from inforce.agents.trace import Observed, Replied, read_trace
from inforce.errors import InputError, ModelError, UserError
from inforce.evals.legalagentbench.observations import Match, compare, same
from inforce.evals.legalagentbench.protocol import HARNESS, tools_of
from inforce.evals.legalagentbench.replay import Bench, run_tasks
from inforce.evals.legalagentbench.tasks import Task
from inforce.llm.recorded import RecordedModel, Recording
from inforce.tools.context import RunContext
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, ToolResult, ToolSpec
from inforce.tools.toolbox import Toolbox

TASK = Task(1, "甲公司的法定代表人？", "周青", ("周青",), ("甲公司",), 1, ("get_company_info",))
WRITING = Task(281, "撰写答辩状", "答", ("周青",), (), 0, ())


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


def bench(model: RecordedModel, **more: Any) -> Bench:
    return Bench(
        lambda task: ReAct(preselection="none", environment=HARNESS),
        model,
        lambda task: TOOLS,
        date(2026, 11, 20),
        **more,
    )


async def test_a_replay_meets_every_recorded_observation_in_the_environment_s_words(
    tmp_path: Path,
) -> None:
    report = await run_tasks([TASK], bench(recorded(tmp_path, RUN)))
    assert (report.observation_match, report.format_match) == (1.0, 1.0)
    assert (report.n, report.success_rate, report.process_rate) == (1, 1.0, 1.0)
    assert (report.solved_rate, report.contradictory) == (1.0, 0)
    assert report.outcomes == {"answered": 1} and report.model == "recorded:recorded.jsonl"
    assert report.groups["1-hop"].success_rate == 1.0


async def test_an_observation_that_differs_or_is_not_reached_counts_as_unequal(
    tmp_path: Path,
) -> None:
    other = {**RUN, "observations": ["{'法人代表': '周青'}", *RUN["observations"][1:]]}
    assert (await run_tasks([TASK], bench(recorded(tmp_path, other)))).observation_match == 0.75
    early = {**RUN, "completions": [FINAL]}
    report = await run_tasks([TASK], bench(recorded(tmp_path, early)))
    assert (report.observation_match, report.format_match) == (0.0, 0.0)
    assert report.success_rate == 1.0


async def test_a_recording_that_ends_before_the_agent_does_is_scored_by_its_answer(
    tmp_path: Path,
) -> None:
    cut = {**RUN, "completions": [FOUND], "observations": [""]}
    report = await run_tasks([TASK], bench(recorded(tmp_path, cut)))
    assert (report.success_rate, report.outcomes) == (1.0, {"answered": 1})
    assert report.observation_match is None


async def test_a_task_recorded_in_other_words_is_found_by_its_number(tmp_path: Path) -> None:
    reworded = replace(TASK, question="请问甲公司由谁任法定代表人？")
    report = await run_tasks([reworded], bench(recorded(tmp_path, RUN)))
    assert (report.n, report.observation_match) == (1, 1.0)


async def test_a_task_that_was_not_recorded_is_a_failure_and_no_score(tmp_path: Path) -> None:
    missing = replace(TASK, id=2, question="乙公司？")
    report = await run_tasks([TASK, missing], bench(recorded(tmp_path, RUN)))
    assert (report.n, report.success_rate) == (1, 1.0)
    assert report.outcomes == {"answered": 1, "failed": 1}
    assert "task 2: recorded:recorded.jsonl has no recording" in report.failures[0]
    with pytest.raises(ModelError, match="no task could be scored"):
        await run_tasks([missing], bench(recorded(tmp_path, RUN)))


async def test_traces_are_one_file_a_task_and_a_second_run_asks_nothing(tmp_path: Path) -> None:
    model, traces = recorded(tmp_path, RUN), tmp_path / "traces"
    first = await run_tasks([TASK], bench(model, traces=traces))
    written = (traces / "1.jsonl").read_bytes()
    silent = RecordedModel(model.name, (replace_question(model),))
    second = await run_tasks([TASK], bench(silent, traces=traces))
    assert (traces / "1.jsonl").read_bytes() == written
    assert (second.success_rate, second.process_rate) == (first.success_rate, first.process_rate)


def replace_question(model: RecordedModel) -> Any:
    """The recording without a word to say."""
    one = model.recordings[0]
    return type(one)(one.question, one.id, observations=one.observations)


async def test_an_interrupted_replay_goes_on_from_its_traces(tmp_path: Path) -> None:
    model, traces = recorded(tmp_path, RUN), tmp_path / "traces"
    await run_tasks([TASK], bench(model, traces=traces))
    path = traces / "1.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:6]) + lines[6][:20])
    report = await run_tasks([TASK], bench(model, traces=traces))
    assert (report.observation_match, report.success_rate) == (1.0, 1.0)
    events = read_trace(path)
    assert sum(isinstance(one, Replied) for one in events) == 7
    assert sum(isinstance(one, Observed) for one in events) == 3


async def test_a_trace_of_another_run_stops_the_replay(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    await run_tasks([TASK], bench(recorded(tmp_path, RUN), traces=traces))
    other = replace(TASK, id=1, question="问别的")
    with pytest.raises(UserError, match="is of another run"):
        await run_tasks(
            [other],
            bench(recorded(tmp_path, {**RUN, "id": 9, "question": "问别的"}), traces=traces),
        )
    (traces / "1.jsonl").write_text("x\n{}\n", encoding="utf-8")
    with pytest.raises(InputError):
        await run_tasks([TASK], bench(recorded(tmp_path, RUN), traces=traces))


async def test_many_tasks_at_once_do_not_mix(tmp_path: Path) -> None:
    names = [f"{number:03}" for number in range(64)]
    runs = [
        {**RUN, "id": number, "question": f"第{name}号公司？", "final": f"答案{name}"}
        for number, name in enumerate(names)
    ]
    tasks = [
        replace(TASK, id=number, question=f"第{name}号公司？", key=(f"答案{name}",))
        for number, name in enumerate(names)
    ]
    seen: list[int] = []
    report = await run_tasks(
        tasks, bench(recorded(tmp_path, *runs), at_once=64), progress=seen.append
    )
    assert (report.success_rate, report.observation_match, sum(seen)) == (1.0, 1.0, 64)


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


def comparison(ours: Sequence[str], theirs: Sequence[str | None], reason: str = "") -> Match:
    recording = Recording("问", observations=tuple(theirs))
    return compare(ours, recording, lambda text, observation: reason or None)


def test_what_was_not_recorded_is_not_compared() -> None:
    assert comparison(["甲", "乙"], ["", None]) == Match()
    assert Match().observation_match is None and Match().format_match is None


def test_a_complaint_about_the_form_is_an_observation_like_any_other() -> None:
    said = HARNESS.illegal_action
    assert comparison([said, "甲"], [said, said]).observation_match == 0.5
    assert comparison(["甲", ""], [said, said]).format_match == 0.0


def test_a_contradictory_step_is_counted_apart_whether_or_not_it_is_equal() -> None:
    equal, other = comparison(["甲"], ["甲"], "form"), comparison(["乙"], ["甲"], "form")
    assert (equal.comparable, equal.met, equal.equal) == (0, 0, 1)
    both = equal + other + comparison(["丙"], ["丙"])
    assert (both.observation_match, both.observation_match_all) == (1.0, 0.6667)
