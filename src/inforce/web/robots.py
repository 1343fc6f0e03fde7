"""Reading ``robots.txt`` (RFC 9309): whether a site wants programs to stay away.

No file (4xx): everything may be read. A file that cannot be had (5xx, no answer): nothing may, for
some minutes. Answers are cached for a day, and only the first 500 KiB of a file count.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cachetools import TLRUCache

from inforce.errors import MissingExtraError
from inforce.web.addresses import Target
from inforce.web.page import FetchFailure, Page

if TYPE_CHECKING:
    from protego import Protego

LONGEST_FILE = 500 * 2**10
"""Bytes of a file that count (RFC 9309 2.5)."""
_CACHED_FOR = 24 * 3600.0
"""Seconds (RFC 9309 2.4)."""
_UNREACHABLE_FOR = 300.0
"""Seconds until a file that could not be had is fetched again."""
_MOST_ORIGINS = 1_000


@dataclass(frozen=True, slots=True)
class Permission:
    """Whether a site allows one address to be read."""

    allowed: bool
    pause: float = 0.0
    """Seconds between requests the site asks for; 0 if it does not."""
    obstacle: FetchFailure | None = None
    """Why the file could not be had, where that is why nothing is allowed."""


@dataclass(frozen=True, slots=True)
class _Site:
    """The rules of a site; none where it has no file."""

    seconds: float
    """For which this is believed."""
    rules: Protego | None = None
    obstacle: FetchFailure | None = None


class Robots:
    """The ``robots.txt`` files of the sites met so far.

    Args:
        get: fetches the file of an origin, under the same guards as a page.
        user_agent: the name by which the rules are looked up.
    """

    def __init__(
        self, get: Callable[[str], Awaitable[Page | FetchFailure]], *, user_agent: str
    ) -> None:
        self._get = get
        self._user_agent = user_agent
        self._sites: TLRUCache[str, _Site] = TLRUCache(
            _MOST_ORIGINS, lambda _, site, now: now + site.seconds, time.monotonic
        )
        self._locks: dict[str, asyncio.Lock] = {}

    async def permission(self, target: Target) -> Permission:
        """Whether this address may be read."""
        site = await self._site(target.origin)
        if site.obstacle is not None:
            return Permission(allowed=False, obstacle=site.obstacle)
        if site.rules is None:
            return Permission(allowed=True)
        allowed = site.rules.can_fetch(target.url, self._user_agent)
        return Permission(allowed, site.rules.crawl_delay(self._user_agent) or 0.0)

    async def _site(self, origin: str) -> _Site:
        """The rules of an origin; fetched once, however many requests wait for them."""
        lock = self._locks.setdefault(origin, asyncio.Lock())
        try:
            async with lock:
                site = self._sites.get(origin)
                if site is None:
                    site = _read(await self._get(f"{origin}/robots.txt"))
                    self._sites[origin] = site
                return site
        finally:
            if not lock.locked():
                self._locks.pop(origin, None)


def _read(answer: Page | FetchFailure) -> _Site:
    if isinstance(answer, Page):
        try:
            from protego import Protego
        except ImportError as error:
            raise MissingExtraError("fetching web pages", "web") from error
        text = answer.content[:LONGEST_FILE].decode("utf-8-sig", errors="replace")
        return _Site(_CACHED_FOR, Protego.parse(text))
    is_missing = answer.status is not None and 400 <= answer.status < 500
    if is_missing and answer.kind != "rate_limited":
        return _Site(_CACHED_FOR)
    return _Site(max(_UNREACHABLE_FOR, answer.retry_after or 0.0), obstacle=answer)
