"""A recorded step whose observation cannot belong to its text is found, and no other is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from inforce.evals.legalagentbench.protocol import HARNESS
from inforce.evals.legalagentbench.replay import Contradiction, contradictions_in
from inforce.llm.recorded import read_recordings
from inforce.tools.legalagentbench import TableTool, World
from inforce.tools.legalagentbench.wording import NO_DATA, NO_SUCH_COLUMN, WRONG_PARAMETERS
from inforce.tools.legalagentbench.world import Knowledge, LookUp

KNOWN: dict[str, Knowledge] = {"有": "known", "无": "nothing"}


class KnownCompanies:
    """A world that knows that one company exists and another does not."""

    def look_up(self, tool: TableTool, identifier: Sequence[str]) -> LookUp:
        return LookUp(KNOWN.get(identifier[0], "partly"))


CONTRADICTS = contradictions_in(cast(World, KnownCompanies()))


def call(tool: str, given: Any) -> str:
    return f"```json{json.dumps({'action': tool, 'action_input': given}, ensure_ascii=False)}```"


def company(identifier: object, *columns: str) -> str:
    return call("get_company_info", {"identifier": identifier, "columns": list(columns)})


LISTED = call("get_sub_company_info_list", {"identifier": "甲", "columns": ["公司名称"]})
REGION = call("get_court_info_list", {"city": "朝阳区"})


@pytest.mark.parametrize(
    ("text", "observation", "reason"),
    [
        (company("有", "公司名称"), HARNESS.illegal_action, "form"),
        ("没有行动", NO_DATA, "form"),
        (company("有", "公司名称"), "[{'公司名称': '有'}]", "rows"),
        (LISTED, "{'公司名称': '甲'}", "rows"),
        (company("有", "公司名称"), "{'法人代表': '周青'}", "columns"),
        (company("有", "公司名称"), NO_SUCH_COLUMN, "columns"),
        (company("有", "公司名称"), NO_DATA + "原因可能是", "world"),
        (company("有", "公司名称"), WRONG_PARAMETERS, "world"),
        (company("无", "没有的列"), NO_SUCH_COLUMN, "world"),
        (REGION, NO_DATA, "arguments"),
        (company(["有"], "公司名称"), NO_DATA, "arguments"),
    ],
)
def test_each_kind_of_contradiction_is_named(
    text: str, observation: str, reason: Contradiction
) -> None:
    assert CONTRADICTS(text, observation) == reason


@pytest.mark.parametrize(
    ("text", "observation"),
    [
        ("没有行动", HARNESS.illegal_action),
        (company("有", "公司名称"), "{'公司名称': '有'}"),
        (company("有"), "{'公司名称': '有', '法人代表': '周青'}"),
        (company("无", "公司名称"), NO_DATA),
        (company("不详", "公司名称"), NO_DATA),
        (company("有", "没有的列"), NO_SUCH_COLUMN),
        (LISTED, "[{'公司名称': '乙'}, {'公司名称': '丙'}]"),
        (REGION, WRONG_PARAMETERS),
        (call("get_company_register_name", {"identifier": "9131"}), "甲公司"),
        (call("get_sum", [1, 2]), "4"),
        (call("no_tool", {"a": 1}), WRONG_PARAMETERS),
        (company("有", "公司名称"), "[" * 5_000),
    ],
)
def test_what_may_have_happened_is_no_contradiction(text: str, observation: str) -> None:
    assert CONTRADICTS(text, observation) is None


@pytest.mark.data
def test_of_the_given_recording_26_steps_contradict_themselves_or_the_world(
    shared_data: Path,
) -> None:
    folder = shared_data / "legalagentbench"
    world = World.load(folder)
    contradicts = contradictions_in(world)
    found = Counter(
        contradicts(text, observation)
        for one in read_recordings(folder / "recorded_react_glm-4.jsonl")
        for text, observation in zip(one.completions, one.observations, strict=False)
        if observation
    )
    world.close()
    expected = {None: 597, "form": 13, "world": 6, "columns": 4, "rows": 2, "arguments": 1}
    assert found == expected
