"""A name of another kind than a column holds is in no row; a name of its kind may be."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from inforce.tools.legalagentbench.catalogue import MARKS, TABLE_TOOLS
from inforce.tools.legalagentbench.texts import NO_DATA, RETRIEVAL_ERROR
from legalagentbench_world import Ask

AUTHORITIES = "AdministrativeCase"


@pytest.mark.parametrize(
    ("tool", "identifier"),
    [
        ("get_finalized_case_court_list", "石景山区"),
        ("get_finalized_case_court_list", "法院的名称"),
        ("get_restriction_case", "被告名称"),
    ],
)
async def test_where_no_value_of_the_column_can_be_meant_there_is_no_data(
    ask: Ask, tool: str, identifier: str
) -> None:
    found = await ask(tool, identifier)
    assert (found.text, found.status) == (NO_DATA, "not_found")


@pytest.mark.parametrize(
    ("tool", "identifier"),
    [
        ("get_finalized_case_court_list", "从未问过的人民法院"),
        ("get_restriction_case", "（1999）从9999执1号"),
        ("get_administrative_case", "从未问过的决定"),
        ("get_administrative_case_court_list", "从未问过的局"),
        ("get_address_info", "从未问过的地方"),
        ("get_legal_document_company_list", "从未问过的一方"),
    ],
)
async def test_what_may_be_a_value_of_the_column_stays_unknown(
    ask: Ask, tool: str, identifier: str
) -> None:
    assert (await ask(tool, identifier)).status == "unknown"


@pytest.mark.parametrize("query", ["\ud800", "票据\udfff"])
async def test_half_a_sign_is_no_query(ask: Ask, query: str) -> None:
    found = await ask("legal_article_retriever", query)
    assert (found.text, found.status) == (RETRIEVAL_ERROR, "invalid")


@pytest.mark.data
def test_everything_the_server_is_known_to_have_found_is_of_its_columns_kind(
    shared_data: Path,
) -> None:
    marks = {
        tool.name: MARKS[tool.keys[0]]
        for tool in TABLE_TOOLS
        if tool.table != AUTHORITIES and tool.keys[0] in MARKS
    }
    lines = (shared_data / "legalagentbench" / "frames.jsonl").read_text("utf-8").splitlines()
    frames = [frame for frame in map(json.loads, lines) if frame["tool"] in marks]
    assert len(frames) > 100
    for frame in frames:
        assert re.search(marks[frame["tool"]], frame["identifier"]), frame
