"""The arithmetic tools count exactly, read units and dates, and err in the server's words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.tools.legalagentbench.arithmetic import amount_of
from legalagentbench_world import Ask


@pytest.mark.parametrize(
    ("tool", "numbers", "text"),
    [
        ("get_sum", [8158.63, 43.48, 1650.0, 1969.75], "11821.86"),
        ("get_sum", [686550, 385353, 17875, 2456446], "3546224"),
        ("get_sum", ["0.1", "0.2"], "0.3"),
        ("get_sum", ["1000万", "1.5亿", "2千"], "160002000.0"),
        ("get_subtraction", [5, 7], "-2"),
        ("get_multiplication", [3, "1.5"], "4.5"),
        ("get_division", [1, 4], "0.25"),
        ("get_division", [4, 2], "2.0"),
        ("get_rank", [3, 1.5, "2"], "[1.5, 2, 3]"),
        ("get_rank", ["2014年05月12日", "2013-12-31"], "[20131231, 20140512]"),
    ],
)
async def test_numbers_units_and_dates_are_calculated_with(
    ask: Ask, tool: str, numbers: list[Any], text: str
) -> None:
    found = await ask(tool, numbers)
    assert (found.text, found.status) == (text, "found")
    assert found.evidence[0].kind == "calculation"


async def test_a_ranking_descends_only_where_it_is_asked_to(ask: Ask) -> None:
    assert (await ask("get_rank", [1, 3, 2], is_desc="True")).text == "[3, 2, 1]"
    assert (await ask("get_rank", [1, 3, 2], is_desc="False")).text == "[1, 2, 3]"


@pytest.mark.parametrize(
    ("tool", "numbers", "text"),
    [
        ("get_sum", [], "求和时发生错误，请检查参数格式！"),
        ("get_sum", "1+1", "求和时发生错误，请检查参数格式！"),
        ("get_sum", ["__import__('os')"], "求和时发生错误，请检查参数格式！"),
        ("get_sum", [float("nan")], "求和时发生错误，请检查参数格式！"),
        ("get_sum", ["9" * 41], "求和时发生错误，请检查参数格式！"),
        ("get_sum", [{"action": "date_diff"}], "求和时发生错误，请检查参数格式！"),
        ("get_subtraction", ["-"], "减法时发生错误，请检查参数格式！"),
        ("get_multiplication", [None], "乘法时发生错误，请检查参数格式！"),
        ("get_division", [1, 0], "除法时发生错误，除数不能为零！"),
        ("get_rank", [{"identifier": 0.0}], "排序时发生错误，请检查参数格式！"),
    ],
)
async def test_what_is_no_list_of_numbers_is_refused_in_the_servers_words(
    ask: Ask, tool: str, numbers: Any, text: str
) -> None:
    found = await ask(tool, numbers)
    assert (found.text, found.status) == (text, "invalid")


async def test_without_numbers_the_server_refuses_the_call(ask: Ask) -> None:
    found = await ask("get_sum")
    assert (found.text, found.status) == (
        "工具调用发生错误, 请检查传入工具的参数是否正确!",
        "invalid",
    )


@given(st.integers(-(10**9), 10**9), st.sampled_from(["", "千", "万", "亿"]))
def test_a_unit_multiplies(number: int, unit: str) -> None:
    factor = {"": 1, "千": 10**3, "万": 10**4, "亿": 10**8}[unit]
    assert amount_of(f"{number}{unit}") == Fraction(number) * factor


async def test_finish_hands_the_answer_back_and_wants_one(ask: Ask) -> None:
    assert (await ask("finish", answer="是上市公司")).text == "是上市公司"
    assert (await ask("finish", answer=" ")).status == "invalid"
