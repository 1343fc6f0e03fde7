"""The rebuilt world answers recorded calls as the benchmark's server did, in either database."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inforce.agents.legalagentbench.action import read_action
from inforce.evals.legalagentbench.protocol import FORMAT_COMPLAINT, HARNESS
from inforce.evals.legalagentbench.replay import same
from inforce.tools.legalagentbench import World, legalagentbench_tools
from inforce.tools.toolbox import Toolbox
from legalagentbench_world import Ask, asker

pytestmark = pytest.mark.data

RECORDING = "recorded_react_glm-4_actions.jsonl"

Call = tuple[str, dict[str, Any], str]


def recorded_calls(folder: Path, toolbox: Toolbox) -> Iterator[Call]:
    """Calls of our tools in the recording, with what the server answered."""
    specs = {spec.name: spec for spec in toolbox}
    for line in (folder / RECORDING).read_text(encoding="utf-8").splitlines():
        task = json.loads(line)
        for text, answer in zip(task["completions"], task["observations"], strict=False):
            action = read_action(text, "benchmark").action
            is_answer = bool(answer) and not answer.startswith(FORMAT_COMPLAINT)
            if is_answer and action and action.tool in specs:
                yield action.tool, HARNESS.arguments(action, specs[action.tool]), answer


async def observed(ask: Ask, call: Call) -> str:
    """What an agent would be told."""
    result = await ask(call[0], **call[1])
    return result.text + HARNESS.hint(result)


async def test_recorded_calls_are_answered_as_recorded(
    real_world: World, shared_data: Path
) -> None:
    calls = list(
        recorded_calls(shared_data / "legalagentbench", Toolbox(legalagentbench_tools(real_world)))
    )
    ask = asker(real_world)
    differ = [call for call in calls if not same(await observed(ask, call), call[2])]
    assert len(calls) > 550
    assert differ == []


async def test_the_table_of_the_paper_is_answered_as_printed(real_world: World) -> None:
    """LegalAgentBench, table 7."""
    found = await asker(real_world)(
        "get_restriction_case_company_list",
        "江苏燕宁新材料科技发展有限公司",
        columns=["涉案金额（元）"],
    )
    amounts = (686550, 385353, 17875, 2456446)
    assert found.data == [{"涉案金额（元）": amount} for amount in amounts]


def test_the_world_loads_in_a_moment(shared_data: Path) -> None:
    began = time.perf_counter()
    World.load(shared_data / "legalagentbench").close()
    assert time.perf_counter() - began < 10


async def test_many_runs_may_read_one_world(real_world: World) -> None:
    ask = asker(real_world)
    asked = ask("get_company_info", "688106", columns=["法人代表"])
    found = await asyncio.gather(
        asked, *(ask("get_company_info", "688106", columns=["法人代表"]) for _ in range(99))
    )
    assert {one.text for one in found} == {"{'法人代表': '金向华'}"}


@pytest.mark.slow
async def test_postgresql_answers_as_sqlite_does(
    real_world: World, shared_data: Path, postgresql: str
) -> None:
    folder = shared_data / "legalagentbench"
    world = World.load(folder, postgresql)
    try:
        here, there = asker(real_world), asker(world)
        for call in recorded_calls(folder, Toolbox(legalagentbench_tools(world))):
            assert await here(call[0], **call[1]) == await there(call[0], **call[1])
    finally:
        world.close()
    World.load(folder, postgresql).close()
