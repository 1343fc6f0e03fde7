"""Reciting an article as it was at a date."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.agents.runtime.research import Researcher
from inforce.evals.rule_agents import RECITER, recitation, rule_agent
from inforce.evals.systems import NoModel
from inforce.library import Library
from inforce.testing import tiny_law, tiny_library
from inforce.tools.statutes import statute_tools
from inforce.tools.toolbox import Toolbox

LAW = "试验管理条例"
FIRST, SECOND, THIRD = "甲，不适用缓刑。", "乙，不适用缓刑。", "丙，不适用缓刑。"
CHANGES = (date(2000, 1, 1), date(2011, 5, 1), date(2015, 11, 10))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    starts, ends = CHANGES, (*CHANGES[1:], None)
    laws = [
        tiny_law(LAW, {"1": text, "133-1": f"之一：{text}"}, start=start, end=end)
        for text, start, end in zip((FIRST, SECOND, THIRD), starts, ends, strict=True)
    ]
    with tiny_library(tmp_path_factory.mktemp("laws"), *laws) as opened:
        yield opened


def recite(library: Library, question: str) -> str:
    found = recitation(library, question)
    return found.text if found else ""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("2011年4月30日的《试验管理条例》第一条", FIRST),
        ("2011年5月1日的《试验管理条例》第一条", SECOND),
        ("2011年5月2日的《试验管理条例》第一条", SECOND),
        ("2015年11月9日的《试验管理条例》第一条", SECOND),
        ("2015年11月10日的《试验管理条例》第一条", THIRD),
        ("在2011年4月，《试验管理条例》第1条的内容", FIRST),
        ("在2011年5月，《试验管理条例》第1条的内容", SECOND),
        ("《试验管理条例》第一条", THIRD),  # today
        ("2005年《试验管理条例》第一百三十三条之一", f"之一：{FIRST}"),
    ],
)
def test_the_wording_of_the_time_is_recited(library: Library, question: str, expected: str) -> None:
    assert recite(library, question) == expected


@pytest.mark.parametrize(
    ("month", "expected"),
    [
        ("2015年10月", SECOND),
        ("2015年11月", THIRD),  # nine days of the second wording, twenty-one of the third
        ("2015年12月", THIRD),
        ("2015年", SECOND),  # 313 days of the second
        ("2011年", SECOND),  # 120 days of the first, 245 of the second
    ],
)
def test_where_the_law_changed_inside_the_time_the_wording_of_most_days_is_recited(
    library: Library, month: str, expected: str
) -> None:
    assert recite(library, f"{month}的《试验管理条例》第一条是什么") == expected


@pytest.mark.parametrize(
    "question",
    [
        "1999年《试验管理条例》第一条",  # before it commenced
        "2005年《试验管理条例》第二条",  # it has no such article
        "2005年《不存在的法》第一条",
        "第一条是什么",
        "《试验管理条例》说了什么",
        "",
    ],
)
def test_what_cannot_be_recited_is_empty_not_guessed(library: Library, question: str) -> None:
    assert recite(library, question) == ""


async def test_a_recited_wording_that_cites_another_law_is_an_answer(tmp_path: Path) -> None:
    cites = "本条例没有规定的，适用《中华人民共和国别的法》。"
    with tiny_library(tmp_path, tiny_law(LAW, {"1": cites}, start=CHANGES[0])) as library:
        agent, tools = rule_agent(RECITER, library), Toolbox(statute_tools(library))
        researcher = Researcher(agent, NoModel(), tools, library.clock)
        answer = await researcher.research(f"2005年《{LAW}》第一条")
    assert (answer.outcome, answer.text) == ("answered", cites)
    assert [one.text for one in answer.evidence] == [cites]
