"""Pages already paid for: the same query is sent once, however many runs ask it.

A page keeps the time it was fetched at, and is forgotten after an age. Failures are not cached.
Queries under way are shared too: runs that ask the same at the same time wait for one answer.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from cachetools import TTLCache

from inforce.dates import DateRange
from inforce.web.search.normalising import utc_now
from inforce.web.search.provider import DEFAULT_K, SearchPage, SearchProvider

MAX_AGE: Final = timedelta(hours=24)
MAX_PAGES: Final = 2_000

Key = tuple[str, str, int, DateRange | None]
"""Provider, query, results, days."""


class PageCache:
    """Search pages by what was asked, for all threads; the least recently used goes first.

    Args:
        max_age: how old a page may be; what was published since is not on it.
        max_pages: how many are cached.
        now: the time.
    """

    def __init__(
        self,
        *,
        max_age: timedelta = MAX_AGE,
        max_pages: int = MAX_PAGES,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._pages: TTLCache[Key, SearchPage, datetime] = TTLCache(max_pages, max_age, now)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._pages)

    def get(self, key: Key) -> SearchPage | None:
        """A page that is cached and not too old."""
        with self._lock:
            return self._pages.get(key)

    def put(self, key: Key, page: SearchPage) -> None:
        """Cache a page."""
        with self._lock:
            self._pages[key] = page


PROCESS_CACHE: Final = PageCache()
"""The cache of every provider opened by a specification."""


class CachedProvider:
    """A provider that asks its service only what it has not asked before."""

    def __init__(self, provider: SearchProvider, *, cache: PageCache = PROCESS_CACHE) -> None:
        self.name = provider.name
        self.spec = provider.spec
        self._provider = provider
        self._cache = cache
        self._under_way: dict[tuple[int, Key], asyncio.Task[SearchPage]] = {}

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        """See `inforce.web.search.provider.SearchProvider.search`."""
        key = (self.spec, " ".join(query.split()), k, during)
        cached = self._cache.get(key)
        return cached or await asyncio.shield(self._shared(key))

    def _shared(self, key: Key) -> asyncio.Task[SearchPage]:
        """The search, under way once: a caller who gives up does not end it for the others."""
        place = (id(asyncio.get_running_loop()), key)
        task = self._under_way.get(place)
        if task is None:
            task = self._under_way[place] = asyncio.create_task(self._ask(key))
            task.add_done_callback(lambda done: self._finished(place, done))
        return task

    async def _ask(self, key: Key) -> SearchPage:
        _, query, k, during = key
        page = await self._provider.search(query, k=k, during=during)
        self._cache.put(key, page)
        return page

    def _finished(self, place: tuple[int, Key], done: asyncio.Task[SearchPage]) -> None:
        self._under_way.pop(place, None)
        if not done.cancelled():
            done.exception()  # seen, so that a failure nobody waits for is no warning
