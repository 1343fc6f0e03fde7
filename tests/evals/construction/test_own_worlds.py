"""Tables of one's own: what their tools answer, and which entities they know."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from firm_tables import COMPANIES

from inforce.evals.construction.description import read_description
from inforce.evals.construction.growth import Growth, Limits
from inforce.evals.construction.paths import Branch
from inforce.evals.construction.solving import Execution
from inforce.evals.construction.worlds import TaskWorld, open_world, own_world
from inforce.tools.context import RunContext
from inforce.tools.tool import ToolStatus


@pytest.mark.parametrize(
    ("tool", "arguments", "status", "data"),
    [
        ("company", {"identifier": "甲公司", "columns": ["电话"]}, "found", {"电话": "111-1111"}),
        ("company", {"identifier": "无公司"}, "not_found", None),
        ("company", {"identifier": "甲公司", "columns": ["地址"]}, "invalid", None),
        ("company", {}, "invalid", None),
        (
            "courts_of_region",
            {"prov": "东省", "area": "南区", "columns": ["名称"]},
            "found",
            [{"名称": "一法院"}, {"名称": "三法院"}],
        ),
        ("courts_of_region", {"prov": "东省", "area": "西区"}, "not_found", None),
        ("court", {"identifier": "B", "columns": ["院长"]}, "found", {"院长": "李四"}),
        ("get_sum", {"identifier": ["1万", "2"]}, "found", 10002.0),
    ],
)
async def test_a_tool_answers_from_the_table(
    firm: TaskWorld, tool: str, arguments: dict[str, Any], status: ToolStatus, data: object
) -> None:
    result = await firm.toolbox.call(tool, arguments, RunContext("", date(2020, 1, 1)))
    assert (result.status, result.data) == (status, data)
    assert result.text


async def test_a_look_up_of_one_row_that_finds_several_does_not_choose(
    firm: TaskWorld, tables: Path
) -> None:
    (tables.parent / "companies.csv").write_text(COMPANIES + "甲公司,乙公司,9,9\n", "utf-8")
    world = own_world(tables.parent, read_description(tables))
    result = await world.toolbox.call(
        "company", {"identifier": "甲公司"}, RunContext("", date(2020, 1, 1))
    )
    assert result.status == "unknown"
    assert await Execution(world).row("company", ("甲公司",)) is None
    assert await Execution(firm).row("company", ("甲公司",)) is not None


@pytest.mark.parametrize(
    ("tool", "kind", "names"),
    [
        ("subsidiaries", "company", [("丁公司",), ("丙公司",)]),
        ("court", "court_code", [("A",), ("B",), ("C",)]),
        ("courts_of_region", "region", [("东省", "北区"), ("东省", "南区")]),
    ],
)
def test_a_look_up_is_known_to_answer_the_names_in_its_columns(
    firm: TaskWorld, tool: str, kind: str, names: list[tuple[str, ...]]
) -> None:
    assert list(firm.starts(Branch(tool, kind))) == names


def test_with_a_description_ones_own_tables_are_opened(tables: Path) -> None:
    with open_world(tables.parent, tables) as world:
        assert set(world.description.tools) <= set(world.toolbox.names)


async def test_a_branch_nobody_walks_is_cut(firm: TaskWorld) -> None:
    growth = Growth(firm, Execution(firm))
    layers = [routes async for routes in growth.layers(2)]
    trunks = {
        (*(step.branch.tool for step in route.trunk), route.branches[0].tool) for route in layers[1]
    }
    assert ("company", "subsidiaries") in trunks  # 甲公司, 丙公司
    assert ("company", "company") not in trunks  # the same tool again
    assert ("case", "cases_of_company") in trunks and ("cases_of_company", "case") not in trunks
    assert ("subsidiaries", "subsidiaries") not in trunks


async def test_growth_keeps_within_its_limits(firm: TaskWorld) -> None:
    limits = Limits(starts=1, walks=1, trunks=2, alike=1)
    growth = Growth(firm, Execution(firm), limits=limits)
    layers = [routes async for routes in growth.layers(3)]
    assert all(len(route.walks) == 1 for routes in layers for route in routes)
    assert all(len({route.trunk for route in routes}) <= 2 for routes in layers)
