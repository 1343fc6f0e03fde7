"""Enhanced search reads the best results; one that cannot be read says why, and harms no other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, date, datetime

import pytest

from inforce.dates import DateRange
from inforce.errors import InforceError, NetworkForbiddenError
from inforce.tools.context import RunContext
from inforce.tools.tool import ToolResult
from inforce.tools.web_search import MAX_TEXT, WebSearch
from inforce.web.page import FetchFailure
from inforce.web.search.provider import DEFAULT_K, SearchPage, WebResult

SNIPPET = "Article 133-1 applies from 1 May 2011 on."


class Searches:
    """A service with a result for each letter of the query; those of capitals are blocked."""

    name = spec = "letters"

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        results = tuple(
            WebResult(one, f"https://x.org/{one}", "no" if one.isupper() else SNIPPET)
            for one in query
        )
        return SearchPage(results, self.name, query, datetime(2026, 3, 26, tzinfo=UTC))


class Pages:
    """Reads pages, and counts how many it had open at once."""

    def __init__(self, texts: Mapping[str, str | FetchFailure | InforceError]) -> None:
        self.texts = texts
        self.opened: list[str] = []
        self.most_at_once = 0
        self._open = 0

    async def __call__(self, url: str, snippet: str) -> str | FetchFailure:
        name = url.rsplit("/", 1)[1]
        self.opened.append(name)
        self._open += 1
        self.most_at_once = max(self.most_at_once, self._open)
        await asyncio.sleep(0)
        self._open -= 1
        text = self.texts.get(name, f"{name}: {snippet} And more of the page.")
        if isinstance(text, InforceError):
            raise text
        return text


async def search(pages: Pages, *queries: str) -> ToolResult:
    tool = WebSearch(Searches(), language="en", read=pages)
    return await tool({"query": list(queries)}, RunContext("?", date(2026, 11, 21)))


async def test_the_first_three_that_say_something_are_read_at_the_same_time() -> None:
    pages = Pages({})
    result = await search(pages, "aBcde")
    assert pages.opened == ["a", "c", "d"] and pages.most_at_once == 3
    assert [one.text[:2] for one in result.evidence] == ["a:", "c:", "d:", SNIPPET[:2]]


async def test_a_page_is_capped() -> None:
    result = await search(Pages({"a": "x" * 9_000}), "a")
    assert len(result.evidence[0].text) == MAX_TEXT


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        (FetchFailure("u", "robots", "robots.txt does not allow it"), "robots"),
        (NetworkForbiddenError("the network is switched off"), "switched off"),
        ("403 Client Error: Forbidden for url: https://x.org/a", "403"),
        ("", "empty"),
        ("JavaScript is disabled in your browser, please enable it", "javascript"),
    ],
)
async def test_a_page_that_cannot_be_read_gives_its_snippet_and_says_why(
    outcome: str | FetchFailure | InforceError, why: str
) -> None:
    result = await search(Pages({"a": outcome}), "ab")
    first, second = result.text.split("[2]")
    assert "could not be read" in first and why in first and SNIPPET in first
    assert "page read" in second
    assert [one.text[:2] for one in result.evidence] == [SNIPPET[:2], "b:"]


async def test_an_address_several_queries_found_is_opened_once() -> None:
    pages = Pages({})
    await search(pages, "ab", "ba")
    assert pages.opened == ["a", "b"]


async def test_a_page_read_for_a_later_query_is_shown_where_its_result_is() -> None:
    result = await search(Pages({}), "abcd", "d")
    assert "d: Article" in result.text.split("[4]")[1].split("Query 2")[0]
