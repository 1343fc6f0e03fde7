"""Which calls name a time, as the papers count queries with an explicit time constraint."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from inforce.agents.runtime.trace import Noted, Observed
from inforce.scoring.tool_use import mentions_time, tool_use

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"query": ["2004 录音遗嘱"]}, True),
        ({"query": ["录音遗嘱 2004年"]}, True),
        ({"query": ["录音遗嘱", "2010年6月 累犯"]}, True),
        ({"query": "2014 intentional homicide"}, True),
        ({"law": "刑法", "as_of": "2010-06-01"}, True),
        ({"query": ["录音遗嘱"]}, False),
        ({"query": ["刑法第264条"]}, False),
        ({"case_number": "(2019)沪0101民初2011号"}, False),
        ({"case_number": "（2019）京01执2020号"}, False),
        ({"query": ["法释〔2020〕15号"]}, False),
        ({"query": ["诈骗2000元"]}, False),
        ({"query": ["12004"]}, False),
        ({}, False),
        (None, False),
        ("2004", True),
        ({"query": ["1013-21-22 《刑法》第74条"]}, False),
        ({"query": ["1013-21-22 或者 2010年5月1日"]}, True),
    ],
)
def test_a_call_names_a_time_by_a_date_or_a_year_of_its_own(arguments: Any, names: bool) -> None:
    assert mentions_time(arguments) is names


def observed(tool: str, query: str) -> Observed:
    return Observed("k", tool, {"query": [query]}, "", "found", (), (), 0.0, NOON)


def test_calls_are_counted_by_tool_and_only_dated_ones_as_dated() -> None:
    events = (
        observed("web_search", "2004 遗嘱"),
        observed("rag_retrieve", "遗嘱"),
        Noted("plan", "2004年", NOON),
        observed("web_search", "遗嘱"),
    )
    went = tool_use(events)
    assert went.calls == {"rag_retrieve": 1, "web_search": 2}
    assert went.dated == {"web_search": 1}
