"""Pages already paid for: the same query is sent once, however many runs ask it.

A page keeps the time it was fetched at, and is forgotten after an age. Failures are not kept.
Queries under way are shared too: runs that ask the same at the same time wait for one answer.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from inforce.dates import DateRange
from inforce.web.search.normalising import utc_now
from inforce.web.search.provider import DEFAULT_K, SearchPage, SearchProvider

MAX_AGE: Final = timedelta(hours=24)
MAX_PAGES: Final = 2_000

Key = tuple[str, str, int, DateRange | None]
"""Provider, query, results, days."""


class PageCache:
    """Search pages by what was asked; the least recently used goes first.

    Args:
        max_age: how old a page may be; what was published since is not on it.
        max_pages: how many are kept.
        now: the time.
    """

    def __init__(
        self,
        *,
        max_age: timedelta = MAX_AGE,
        max_pages: int = MAX_PAGES,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._max_age = max_age
        self._max_pages = max_pages
        self._now = now
        self._pages: OrderedDict[Key, tuple[SearchPage, datetime]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._pages)

    def get(self, key: Key) -> SearchPage | None:
        """A page that is kept and not too old."""
        with self._lock:
            page, kept_at = self._pages.get(key, (None, None))
            if page is None or kept_at is None:
                return None
            if self._now() - kept_at > self._max_age:
                del self._pages[key]
                return None
            self._pages.move_to_end(key)
            return page

    def put(self, key: Key, page: SearchPage) -> None:
        """Keep a page."""
        with self._lock:
            self._pages[key] = (page, self._now())
            self._pages.move_to_end(key)
            while len(self._pages) > self._max_pages:
                self._pages.popitem(last=False)


PROCESS_CACHE: Final = PageCache()
"""What every provider opened by a specification keeps its pages in."""


class CachedProvider:
    """A provider that asks its service only what it has not asked before."""

    def __init__(self, provider: SearchProvider, *, cache: PageCache = PROCESS_CACHE) -> None:
        self._provider = provider
        self._cache = cache
        self._under_way: dict[tuple[int, Key], asyncio.Task[SearchPage]] = {}

    @property
    def name(self) -> str:
        """The provider's."""
        return self._provider.name

    @property
    def spec(self) -> str:
        """The provider's."""
        return self._provider.spec

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        """See `inforce.web.search.provider.SearchProvider.search`."""
        key = (self.spec, " ".join(query.split()), k, during)
        kept = self._cache.get(key)
        if kept is not None:
            return kept
        return await asyncio.shield(self._asked(key))

    def _asked(self, key: Key) -> asyncio.Task[SearchPage]:
        """The search, under way once: a caller who gives up does not end it for the others."""
        place = (id(asyncio.get_running_loop()), key)
        task = self._under_way.get(place)
        if task is None:
            task = asyncio.create_task(self._ask(key))
            self._under_way[place] = task
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
