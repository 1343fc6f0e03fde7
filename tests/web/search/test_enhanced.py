"""Enhanced search reads the best results; one that cannot be read says why, and harms no other."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from inforce.errors import NetworkForbiddenError
from inforce.web.search.enhanced import MAX_TEXT, ReadFailure, ReadOnce, read_best
from inforce.web.search.provider import SearchPage, WebResult

SNIPPET = "Article 133-1 applies from 1 May 2011 on."


def page(*paths: str, blocked: str = "") -> SearchPage:
    results = tuple(
        WebResult(path, f"https://x.org/{path}", "no" if path in blocked else SNIPPET)
        for path in paths
    )
    return SearchPage(results, "serper", "q", datetime(2026, 3, 26, tzinfo=UTC))


class Reading:
    """A reader that remembers how many pages it had open at once."""

    def __init__(self, **texts: str | ReadFailure | Exception) -> None:
        self.texts = texts
        self.opened: list[str] = []
        self._open = 0
        self.most_at_once = 0

    async def __call__(self, url: str, snippet: str) -> str | ReadFailure:
        path = url.rsplit("/", 1)[1]
        self.opened.append(path)
        self._open += 1
        self.most_at_once = max(self.most_at_once, self._open)
        await asyncio.sleep(0)
        self._open -= 1
        text = self.texts.get(path, f"{path}: {snippet} And more of the page.")
        if isinstance(text, Exception):
            raise text
        return text


async def test_the_first_three_that_say_something_are_read_at_the_same_time() -> None:
    reading = Reading()
    read = await read_best(page("a", "b", "c", "d", "e", blocked="b"), reading)
    assert reading.opened == ["a", "c", "d"] and reading.most_at_once == 3
    assert [one.text[:2] for one in read] == ["a:", "c:", "d:"]


async def test_a_page_is_capped() -> None:
    (read,) = await read_best(page("a"), Reading(a="x" * 9_000))
    assert len(read.text) == MAX_TEXT


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        (ReadFailure("robots.txt does not allow it"), "robots"),
        (NetworkForbiddenError("the network is switched off"), "switched off"),
        ("403 Client Error: Forbidden for url: https://x.org/a", "403"),
        ("", "empty"),
        ("JavaScript is disabled in your browser, please enable it", "javascript"),
    ],
)
async def test_a_page_that_cannot_be_read_has_no_text_and_says_why(
    outcome: str | ReadFailure | Exception, why: str
) -> None:
    read = await read_best(page("a", "b"), Reading(a=outcome))
    assert read[0].text == "" and why in read[0].why_not
    assert read[1].text and not read[1].why_not


async def test_an_address_several_queries_found_is_opened_once() -> None:
    reading = Reading()
    once = ReadOnce(reading)
    first, second = await asyncio.gather(
        read_best(page("a", "b"), once), read_best(page("b", "a"), once)
    )
    assert sorted(reading.opened) == ["a", "b"]
    assert first[0].text == second[1].text
