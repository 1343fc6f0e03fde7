"""The oracle follows a task's way with what it meets, and never sees the answer."""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.agents.runtime.answer import Draft
from inforce.agents.runtime.run import Run
from inforce.evals.benchmark import Item
from inforce.evals.legalagentbench.oracle import oracle
from inforce.evals.legalagentbench.oracle_facts import (
    amount,
    amounts_in,
    facts_of_row,
    facts_of_rows,
)
from inforce.evals.legalagentbench.oracle_names import court_code, readings, regions
from inforce.evals.legalagentbench.tasks import read_tasks
from inforce.evals.systems import NoModel
from inforce.tools.context import RunContext
from inforce.tools.legalagentbench import World, legalagentbench_tools
from inforce.tools.toolbox import Toolbox
from legalagentbench_world import write_world


async def followed(world: World, question: str, way: Sequence[str]) -> Draft:
    """What the oracle hands over."""
    toolbox = Toolbox(legalagentbench_tools(world))
    run = Run(NoModel(), toolbox, RunContext(question, date(2024, 12, 5)))
    return await oracle(way)(run)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World.load(write_world(tmp_path_factory.mktemp("world")))


async def test_what_one_call_brings_is_what_the_next_is_asked_with(small: World) -> None:
    draft = await followed(
        small,
        "请查询统一社会信用代码为91110000000000000X的公司涉诉几次？",
        ("get_company_register_name", "get_legal_document_company_list"),
    )
    assert "甲（北京）股份有限公司" in draft.text
    assert "（2021）京0101民初2号" in draft.text and "2次" in draft.text


async def test_a_way_written_carelessly_is_followed(small: World) -> None:
    draft = await followed(
        small, "（2020）京0101民初1号由哪个法院审理？", ("【get_court_code】---【get_court_info】",)
    )
    assert "一法院" in draft.text and "丙区" in draft.text


async def test_where_nothing_is_reached_there_is_no_answer(small: World) -> None:
    draft = await followed(small, "无关的问题", ("get_lawfirm_log",))
    assert (draft.text, draft.outcome) == ("", "abstained")


def test_it_is_given_the_way_alone() -> None:
    assert list(inspect.signature(oracle).parameters) == ["way"]


def test_a_name_has_readings_from_long_to_short() -> None:
    (found,) = readings("我想了解甲有限公司的情况，谢谢", "company")
    assert found[0] == "我想了解甲有限公司" and "甲有限公司" in found
    assert [len(one) for one in found] == sorted(map(len, found), reverse=True)


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("想了解北京市西城区有几家法院", ("北京市", "北京市", "西城区")),
        ("他在北京海淀遇到问题", ("北京市", "北京市", "海淀区")),
        ("山西省吕梁市孝义市的法院", ("山西省", "吕梁市", "孝义市")),
        ("合肥蜀山有哪些律所", ("安徽省", "合肥市", "蜀山区")),
    ],
)
def test_places_are_read_as_people_write_them(text: str, region: tuple[str, str, str]) -> None:
    assert any(region in place for place in regions(text))


@pytest.mark.parametrize(
    ("case", "code"),
    [("（2021）云0111执1824号", "云0111"), ("(2019)京73行初1号", "京73"), ("2019年第1号", "")],
)
def test_a_case_number_names_its_court(case: str, code: str) -> None:
    assert court_code(case) == code


def test_days_between_dates_and_counts_under_conditions_are_told() -> None:
    row = {"立案日期": "2019年08月07日", "终本日期": "2019年12月12日"}
    assert "127天" in list(facts_of_row(row))
    rows: list[Mapping[str, object]] = [
        {"上市公司投资金额": "2亿"},
        {"上市公司投资金额": "1000万"},
        {"上市公司投资金额": " - "},
    ]
    told = list(facts_of_rows(rows, "投资金额超过1.5亿元的有几家"))
    assert any(fact.startswith("1家") for fact in told)
    assert "210000000.00元" in told


@given(st.integers(0, 10**12))
def test_an_amount_reads_back_from_what_is_told_of_it(cents: int) -> None:
    value = Fraction(cents, 100)
    first = next(amounts_in(value))
    assert amount(first) == Fraction(first.removesuffix("元"))
    assert abs(Fraction(first.removesuffix("元")) - value) < Fraction(1, 100)


@pytest.mark.data
@pytest.mark.slow
async def test_most_tasks_can_be_solved_along_their_way(shared_data: Path) -> None:
    """A task counts as solved if every key of it is in the answer."""
    folder = shared_data / "legalagentbench"
    world = World.load(folder)

    async def is_solved(task: Item) -> bool:
        draft = await followed(world, task.question, task.facts["way"])
        return all(key in draft.text for key in task.facts["key"])

    tasks = read_tasks(folder)
    solved = await asyncio.gather(*map(is_solved, tasks))
    by_group = Counter(task.task for task, ok in zip(tasks, solved, strict=True) if ok)
    assert sum(solved) >= 0.85 * len(tasks)
    assert by_group["1-hop"] == 40
