"""What was asked is not paid for twice, however many runs ask it; failures are not kept."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta

import pytest

from inforce.dates import DateRange
from inforce.web.search.opening import CachedProvider, PageCache
from inforce.web.search.provider import DEFAULT_K, SearchFailure, SearchPage

AT = datetime(2026, 3, 26, tzinfo=UTC)


class Counting:
    """A provider that counts, and answers when it is let."""

    name = "counting"

    def __init__(self, spec: str = "counting") -> None:
        self.spec = spec
        self.asked: list[str] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.failing = False

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        self.asked.append(query)
        await self.may_answer.wait()
        if self.failing:
            raise SearchFailure("unreachable", "gone")
        return SearchPage((), self.name, query, AT)


async def test_the_same_query_is_sent_once() -> None:
    counting = Counting()
    provider = CachedProvider(counting, cache=PageCache())
    pages = [await provider.search(query) for query in ("a  b", "a b", " a b ")]
    assert counting.asked == ["a b"]
    assert all(page is pages[0] for page in pages)


async def test_another_number_of_results_or_other_days_are_another_query() -> None:
    counting = Counting()
    provider = CachedProvider(counting, cache=PageCache())
    await provider.search("a", k=3)
    await provider.search("a", k=4)
    await provider.search("a", k=4, during=DateRange.day(date(2021, 3, 1)))
    assert len(counting.asked) == 3


async def test_two_services_that_share_a_cache_do_not_share_pages() -> None:
    cache = PageCache()
    one, other = Counting("searxng:http://a"), Counting("searxng:http://b")
    await CachedProvider(one, cache=cache).search("a")
    await CachedProvider(other, cache=cache).search("a")
    assert (len(one.asked), len(other.asked)) == (1, 1)


async def test_runs_that_ask_at_the_same_time_wait_for_one_answer() -> None:
    counting = Counting()
    counting.may_answer.clear()
    provider = CachedProvider(counting, cache=PageCache())
    runs = [asyncio.create_task(provider.search("a")) for _ in range(64)]
    await asyncio.sleep(0)
    runs[0].cancel()
    await asyncio.sleep(0)
    counting.may_answer.set()
    pages = await asyncio.gather(*runs[1:])
    assert counting.asked == ["a"] and len(pages) == 63
    assert runs[0].cancelled()


async def test_a_failure_is_told_to_everyone_and_asked_again_next_time() -> None:
    counting = Counting()
    counting.failing = True
    provider = CachedProvider(counting, cache=PageCache())
    told = await asyncio.gather(*(provider.search("a") for _ in range(3)), return_exceptions=True)
    assert all(isinstance(one, SearchFailure) for one in told)
    counting.failing = False
    await provider.search("a")
    assert counting.asked == ["a", "a"]


async def test_a_page_too_old_is_fetched_anew() -> None:
    now = [AT]
    cache = PageCache(max_age=timedelta(hours=1), now=lambda: now[0])
    counting = Counting()
    provider = CachedProvider(counting, cache=cache)
    await provider.search("a")
    now[0] += timedelta(minutes=59)
    await provider.search("a")
    assert len(counting.asked) == 1
    now[0] += timedelta(minutes=1)
    await provider.search("a")
    assert len(counting.asked) == 2


@pytest.mark.parametrize("most", [1, 3])
async def test_the_cache_is_bounded_and_keeps_what_was_used_last(most: int) -> None:
    counting = Counting()
    cache = PageCache(max_pages=most)
    provider = CachedProvider(counting, cache=cache)
    for query in "abcde":
        await provider.search(query)
    assert len(cache) == most
    await provider.search("e")
    assert len(counting.asked) == 5


def test_one_provider_serves_runs_in_several_loops() -> None:
    counting = Counting()
    provider = CachedProvider(counting, cache=PageCache())
    for _ in range(2):
        asyncio.run(provider.search("a"))
    assert counting.asked == ["a"]
