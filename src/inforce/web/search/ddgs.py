"""Search without a key: the public search pages of several engines, through the ddgs library.

These pages are made for people and limit programs: good for a few questions, not for a benchmark.
The library is synchronous and its HTTP client is not Python's, so that the process-wide guard of
`inforce.network` does not see it: the network is checked here, before each search.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, Protocol

from inforce import network
from inforce.dates import DateRange
from inforce.errors import MissingExtraError
from inforce.web.rate_limits import Rate, RateLimiter, shared_limiter
from inforce.web.search.normalising import Found, as_page
from inforce.web.search.provider import DEFAULT_K, SearchFailure, SearchPage

HOST: Final = "https://duckduckgo.com"
ENGINES: Final = "duckduckgo,brave,mojeek,startpage,yahoo"
"""Engines of the whole web; the library's encyclopedias are no place to look for law."""
_DATED_ENGINE: Final = "duckduckgo"
"""The one that takes a range of days."""
_RATE: Final = Rate(1, 1.0)
_NOTHING: Final = "No results found"


class Client(Protocol):
    """The part of the library that is used: its text search."""

    def text(self, query: str, **options: Any) -> list[dict[str, Any]]:
        """Results, each with ``title``, ``href`` and ``body``."""
        ...


class Ddgs:
    """Several engines at once, without a key.

    Args:
        timeout: seconds an engine may take; the whole search may take three times as long.
        client: makes another client, for tests.

    Raises:
        MissingExtraError: if the library is not installed.
    """

    name = "ddgs"
    spec = "ddgs"

    def __init__(
        self,
        *,
        timeout: int = 8,
        client: Callable[[], Client] | None = None,
        limiter: RateLimiter | None = None,
        max_wait: float = 20.0,
    ) -> None:
        self._client = client or _library(timeout)
        self._deadline = 3.0 * timeout
        self._limiter = limiter or shared_limiter(self.spec, _RATE)
        self._max_wait = max_wait

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        """See `inforce.web.search.provider.SearchProvider.search`."""
        network.check(HOST)
        wait = self._limiter.take(max_wait=self._max_wait)
        if wait > self._max_wait:
            message = f"too many searches without a key; try again in {wait:.0f} s"
            raise SearchFailure("throttled", message, retry_after=wait)
        await asyncio.sleep(wait)
        options: dict[str, Any] = {"max_results": k, "backend": ENGINES}
        if during is not None and during.last is not None:
            days = f"{during.start.isoformat()}..{during.last.isoformat()}"
            options |= {"backend": _DATED_ENGINE, "timelimit": days}
        try:
            async with asyncio.timeout(self._deadline):
                rows = await asyncio.to_thread(lambda: self._client().text(query, **options))
        except TimeoutError:
            message = f"the search engines did not answer within {self._deadline:g} seconds"
            raise SearchFailure("timeout", message) from None
        except Exception as error:  # the library's own, and what its parsers make of odd pages
            raise _failure(error) from error
        parts = ("href", "title", "body")
        found = [Found(*(str(row.get(part, "")) for part in parts)) for row in rows]
        return as_page(found, provider=self.name, query=query, k=k, during=during)


def _library(timeout: int) -> Callable[[], Client]:
    try:
        library: Any = import_module("ddgs")
    except ImportError:
        raise MissingExtraError("searching the web without a key", "web") from None
    return lambda: library.DDGS(timeout=timeout)


def _failure(error: Exception) -> SearchFailure:
    """The failure that an error of the library stands for.

    The library counts engines that refuse as empty: "no results" does not mean that there are none.
    """
    match type(error).__name__:
        case "TimeoutException":
            return SearchFailure("timeout", "the search engines did not answer in time")
        case "RatelimitException":
            return SearchFailure("throttled", "the search engines refuse more searches for now")
        case "DDGSException" if _NOTHING in str(error):
            message = "the search engines gave no results; they may have refused to answer"
            return SearchFailure("inconclusive", message)
        case "DDGSException":
            return SearchFailure("unreachable", "the search engines cannot be reached")
        case _:
            return SearchFailure("malformed", "the search engines' pages could not be read")
