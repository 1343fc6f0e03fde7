"""The retrievers give recorded rankings as they were, and mark what a search here adds."""

from __future__ import annotations

import pytest

from inforce.tools.legalagentbench.texts import RETRIEVAL_ERROR
from legalagentbench_world import Ask

TOOL = "legal_article_retriever"


async def test_a_recorded_query_has_the_recorded_ranking(ask: Ask) -> None:
    found = await ask(TOOL, "票据", k=2)
    assert found.text == r"['刑法第一条：惩罚犯罪', '借款\\n']"
    assert {one.status for one in found.evidence} == {"ranked by the benchmark's retriever"}


async def test_what_is_asked_beyond_the_recording_is_searched_for_and_marked(ask: Ask) -> None:
    found = await ask(TOOL, "票据", k="3")
    assert [one.id for one in found.evidence][2:] == ["legalagentbench:article-2"]
    assert found.evidence[2].status == "ranked by a search over the documents at hand"
    other = await ask(TOOL, "借款合同")
    assert [one.title for one in other.evidence] == ["民法典第一条"]


async def test_finding_nothing_is_unknown_as_the_collections_are_not_complete(ask: Ask) -> None:
    assert (await ask(TOOL, "海商")).status == "unknown"
    assert (await ask("legal_case_retriever", "借款")).status == "unknown"


@pytest.mark.parametrize(("query", "k"), [("", 5), (["票据"], 5), ("票据", 0), ("票据", "两个")])
async def test_what_is_no_query_is_refused_in_the_servers_words(
    ask: Ask, query: object, k: object
) -> None:
    found = await ask(TOOL, query, k=k)
    assert (found.text, found.status) == (RETRIEVAL_ERROR, "invalid")
