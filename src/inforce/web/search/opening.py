"""Opening the search service a person names, with a cache shared by all runs of the process.

A cached page has the time it was fetched at and expires after a day. Failures are not cached.
Queries under way are shared too: runs that ask the same at the same time wait for one answer.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cachetools import TTLCache

from inforce.dates import DateRange
from inforce.errors import UserError
from inforce.llm.settings import Settings, read_settings
from inforce.web.search.ddgs import Ddgs
from inforce.web.search.normalising import utc_now
from inforce.web.search.provider import DEFAULT_K, SearchPage, SearchProvider
from inforce.web.search.recorded import Recorded
from inforce.web.search.services import SERPER_URL, TAVILY_URL, Searxng, Serper, Tavily

KEY_VARIABLES: Final = {"serper": "SERPER_API_KEY", "tavily": "TAVILY_API_KEY"}
"""Environment variables of the keys; the first service with a key is the default."""

KNOWN: Final = "serper, tavily, ddgs, searxng:URL, recorded:FILE"


MAX_AGE: Final = timedelta(hours=24)
MAX_PAGES: Final = 2_000

Key = tuple[str, str, int, DateRange | None]
"""Provider, query, results, days."""


class PageCache:
    """Search pages by query, for all threads; the least recently used goes first.

    Args:
        max_age: how old a page may be.
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
    """A provider that sends each query once while its page is cached."""

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
        if (cached := self._cache.get(key)) is not None:
            return cached
        place = (id(asyncio.get_running_loop()), key)
        task = self._under_way.get(place)
        if task is None:
            task = self._under_way[place] = asyncio.create_task(self._ask(key))
            task.add_done_callback(lambda done: self._finished(place, done))
        # a caller who gives up does not end the search for the others
        return await asyncio.shield(task)

    async def _ask(self, key: Key) -> SearchPage:
        _, query, k, during = key
        page = await self._provider.search(query, k=k, during=during)
        self._cache.put(key, page)
        return page

    def _finished(self, place: tuple[int, Key], done: asyncio.Task[SearchPage]) -> None:
        self._under_way.pop(place, None)
        if not done.cancelled():
            done.exception()  # retrieved, so that a failure nobody waits for gives no warning


def keys_at_hand(settings: Settings | None = None) -> dict[str, str]:
    """The keys of search services, by service: from the environment or the settings file."""
    settings = settings or read_settings()
    keys = {service: settings.key(variable) for service, variable in KEY_VARIABLES.items()}
    return {service: key for service, key in keys.items() if key}


def open_provider(
    spec: str = "",
    *,
    keys: Mapping[str, str] | None = None,
    base_urls: Mapping[str, str] | None = None,
    cache: PageCache | None = PROCESS_CACHE,
) -> SearchProvider:
    """Open the search service that a person names.

    Args:
        spec: ``serper``, ``tavily``, ``ddgs``, ``searxng:URL`` or ``recorded:FILE``; empty: serper
            or tavily if there is a key, else ddgs.
        keys: by service; without them those of `keys_at_hand`.
        base_urls: other addresses, by service.
        cache: where pages are cached; ``None`` asks anew each time. Recordings need none.

    Raises:
        UserError: if there is no such service, or its key is missing.
        InputError: if a recording cannot be read.
        MissingExtraError: if ddgs is asked for and not installed.
    """
    given = keys_at_hand() if keys is None else keys
    usable_keys = {name: key.strip() for name, key in given.items() if key.strip()}
    default = next((name for name in KEY_VARIABLES if name in usable_keys), "ddgs")
    kind, _, rest = (spec.strip() or default).partition(":")
    match kind, rest:
        case "recorded", file if file:
            return Recorded(Path(file).expanduser())
        case (("serper" | "tavily"), ""):
            if kind not in usable_keys:
                variable = KEY_VARIABLES[kind]
                raise UserError(f"searching with {kind} needs a key: set the variable {variable}")
            service, url = (Serper, SERPER_URL) if kind == "serper" else (Tavily, TAVILY_URL)
            provider = service(usable_keys[kind], base_url=(base_urls or {}).get(kind, url))
        case "ddgs", "":
            provider = Ddgs()
        case "searxng", url if url:
            provider = Searxng(url)
        case _:
            shown = f"{kind}:{rest}" if rest else kind
            raise UserError(f"no search service called {shown!r}; there are: {KNOWN}")
    return provider if cache is None else CachedProvider(provider, cache=cache)
