"""Answers by execution: each form of question, and when there is no answer."""

from __future__ import annotations

import pytest
from firm_tables import HIGHEST_CASE, LAST_CASE, leaf, step

from inforce.evals.construction.paths import Ask, Branch, Pick, PlanningTree, SolutionPath
from inforce.evals.construction.solving import Execution, Solution, solve
from inforce.evals.construction.worlds import TaskWorld


async def asked(firm: TaskWorld, tool: str, kind: str, ask: Ask, *name: str) -> Solution | None:
    return await solve(SolutionPath((), (leaf(tool, kind, ask),)), name, Execution(firm))


@pytest.mark.parametrize(
    ("tool", "ask", "name", "keys", "middle"),
    [
        ("company", Ask("cells", ("电话",)), "甲公司", ("111-1111",), ()),
        ("company", Ask("cells", ("注册资本",)), "丙公司", ("人民币150000000.00元",), ()),
        (
            "company",
            Ask("cells", ("电话", "注册资本")),
            "乙公司",
            ("222-2222", "人民币2000000.00元"),
            (),
        ),
        ("case", Ask("difference", ("金额", "已付")), "A-1", ("人民币200.00元",), ("300", "100")),
        ("case", Ask("extract", ("摘要",)), "A-1", ("《合同法》", "《公司法》"), ()),
        ("case", Ask("extract", ("摘要",)), "B-2", ("《合同法》",), ()),
        ("cases_of_company", Ask("count"), "甲公司", ("共2件",), ()),
        ("cases_of_company", Ask("count"), "丙公司", ("共2件",), ()),
        ("cases_of_company", Ask("sum", ("金额",)), "甲公司", ("人民币800.50元",), ()),
        ("cases_of_company", Ask("mean", ("金额",)), "甲公司", ("人民币400.25元",), ("2件",)),
        ("subsidiaries", Ask("sum", ("注册资本",)), "丙公司", ("人民币3000000.00元",), ()),
        ("subsidiaries", Ask("list", ("名称",)), "丙公司", ("甲公司", "乙公司"), ()),
        (
            "cases_of_company",
            Ask("first_of", ("法院",), HIGHEST_CASE),
            "甲公司",
            ("二法院",),
            ("500.5",),
        ),
        (
            "cases_of_company",
            Ask("first_of", ("编号",), Pick("金额", "lowest")),
            "甲公司",
            ("A-1",),
            ("300",),
        ),
        (
            "cases_of_company",
            Ask("first_of", ("编号",), Pick("立案日", "earliest")),
            "乙公司",
            ("A-3",),
            ("2019年05月05日",),
        ),
    ],
)
async def test_an_answer_is_what_the_tables_say(
    firm: TaskWorld, tool: str, ask: Ask, name: str, keys: tuple[str, ...], middle: tuple[str, ...]
) -> None:
    kind = "case" if tool == "case" else "company"
    solution = await asked(firm, tool, kind, ask, name)
    assert solution is not None
    assert (solution.keys, solution.middle) == (keys, middle)


@pytest.mark.parametrize(
    ("tool", "ask", "name"),
    [
        pytest.param("company", Ask("cells", ("电话",)), "丁公司", id="an empty cell"),
        pytest.param("company", Ask("cells", ("注册资本",)), "丁公司", id="no amount"),
        pytest.param("company", Ask("cells", ("母公司",)), "丁公司", id="the entity itself"),
        pytest.param("company", Ask("cells", ("电话",)), "无公司", id="an unknown entity"),
        pytest.param("case", Ask("cells", ("已付",)), "A-3", id="an amount of nothing"),
        pytest.param("case", Ask("difference", ("金额", "已付")), "B-2", id="no difference"),
        pytest.param("case", Ask("difference", ("金额", "已付")), "B-4", id="less than nothing"),
        pytest.param("case", Ask("extract", ("摘要",)), "A-3", id="nothing in the text"),
        pytest.param("cases_of_company", Ask("sum", ("金额",)), "丙公司", id="a gap in a sum"),
        pytest.param("subsidiaries", Ask("sum", ("注册资本",)), "丁公司", id="a single row"),
        pytest.param(
            "cases_of_company",
            Ask("first_of", ("法院",), HIGHEST_CASE),
            "乙公司",
            id="two are first",
        ),
        pytest.param(
            "cases_of_company",
            Ask("first_of", ("法院",), HIGHEST_CASE),
            "丙公司",
            id="an unknown one",
        ),
        pytest.param("subsidiaries", Ask("list", ("名称",)), "丁公司", id="a list of one"),
    ],
)
async def test_where_the_tables_do_not_say_there_is_no_answer(
    firm: TaskWorld, tool: str, ask: Ask, name: str
) -> None:
    kind = "case" if tool == "case" else "company"
    assert await asked(firm, tool, kind, ask, name) is None


async def test_a_path_is_walked_look_up_by_look_up(firm: TaskWorld) -> None:
    described = firm.description
    to_court = step(described, "cases_of_company", "company", "法院", pick=LAST_CASE)
    to_region = step(described, "court", "court", "省")
    path = SolutionPath((to_court, to_region), (leaf("courts_of_region", "region", Ask("count")),))
    solution = await solve(path, ("丙公司",), Execution(firm))
    assert solution is not None
    assert solution.names == (("丙公司",), ("一法院",), ("东省", "南区"))
    assert solution.keys == ("共2家",)
    assert solution.middle == ("一法院", "东省南区", "2021年06月05日")


async def test_a_name_that_is_part_of_another_is_followed(firm: TaskWorld) -> None:
    steps = PlanningTree(firm.description).steps(Branch("case", "case"))
    to_code = next(one for one in steps if one.link.kind == "court_code")
    path = SolutionPath((to_code,), (leaf("court", "court_code", Ask("cells", ("院长",))),))
    solution = await solve(path, ("B-4",), Execution(firm))
    assert solution is not None and solution.keys == ("李四",) and solution.middle == ("B",)


async def test_a_path_that_comes_back_to_its_entity_leads_nowhere(firm: TaskWorld) -> None:
    to_parent = step(firm.description, "company", "company", "母公司")
    path = SolutionPath((to_parent,), (leaf("subsidiaries", "company", Ask("count")),))
    assert await solve(path, ("丁公司",), Execution(firm)) is None


async def test_a_parallel_path_needs_both_answers(firm: TaskWorld) -> None:
    leaves = (
        leaf("company", "company", Ask("cells", ("电话",))),
        leaf("cases_of_company", "company", Ask("sum", ("金额",))),
    )
    solved = await solve(SolutionPath((), leaves), ("甲公司",), Execution(firm))
    assert solved is not None and solved.keys == ("111-1111", "人民币800.50元")
    assert await solve(SolutionPath((), leaves), ("丙公司",), Execution(firm)) is None


async def test_a_look_up_that_finds_an_earlier_entity_again_is_no_hop(firm: TaskWorld) -> None:
    tree = PlanningTree(firm.description)
    to_code = next(
        one
        for one in tree.steps(Branch("cases_of_company", "company"))
        if one.link.kind == "court_code" and one.pick == LAST_CASE
    )
    ask = leaf("court", "court_code", Ask("cells", ("院长",)))
    execution = Execution(firm)
    assert await solve(SolutionPath((to_code,), (ask,)), ("甲公司",), execution) is not None
    assert not await execution.is_detour("court", [("甲公司",), ("B",)])
    assert await execution.is_detour("court", [("二法院",), ("甲公司",), ("B",)])
    assert not await execution.is_detour("cases_of_company", [("B-2",), ("甲公司",)])
