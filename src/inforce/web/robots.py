"""Whether a site asks programs to stay away (``robots.txt``, RFC 9309).

No file (4xx): everything may be read. A file that cannot be had (5xx, no answer): nothing may, for
some minutes. Answers are kept for a day at most, and only the first 500 KiB of a file count.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from inforce.errors import MissingExtraError
from inforce.web.addresses import Target
from inforce.web.page import FetchFailure, Page

LONGEST_FILE = 500 * 2**10
"""Bytes of a file that count (RFC 9309 2.5)."""
KEPT = 24 * 3600.0
"""Seconds an answer is kept (RFC 9309 2.4)."""
KEPT_UNREACHABLE = 300.0
"""Seconds until a file that could not be had is asked for again."""
_MOST_ORIGINS = 1_000


class _Rules(Protocol):
    def can_fetch(self, url: str, user_agent: str) -> bool: ...

    def crawl_delay(self, user_agent: str) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Permission:
    """What a site says about one address."""

    allowed: bool
    pause: float = 0.0
    """Seconds between requests the site asks for; 0 if it does not."""
    obstacle: FetchFailure | None = None
    """Why the file could not be had, where that is why nothing is allowed."""


@dataclass(frozen=True, slots=True)
class _Kept:
    until: float
    rules: _Rules | None
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
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}

    async def permission(self, target: Target) -> Permission:
        """Whether this address may be read."""
        kept = await self._rules_of(target.origin)
        if kept.obstacle is not None:
            return Permission(allowed=False, obstacle=kept.obstacle)
        if kept.rules is None:
            return Permission(allowed=True)
        allowed = kept.rules.can_fetch(target.url, self._user_agent)
        return Permission(allowed, kept.rules.crawl_delay(self._user_agent) or 0.0)

    async def _rules_of(self, origin: str) -> _Kept:
        """The rules of an origin; asked for once, however many wait for them."""
        lock = self._locks.setdefault(origin, asyncio.Lock())
        try:
            async with lock:
                kept = self._kept.get(origin)
                if kept is None or kept.until < time.monotonic():
                    kept = _read(await self._get(f"{origin}/robots.txt"))
                    self._keep(origin, kept)
                return kept
        finally:
            if not lock.locked():
                self._locks.pop(origin, None)

    def _keep(self, origin: str, kept: _Kept) -> None:
        self._kept[origin] = kept
        self._kept.move_to_end(origin)
        while len(self._kept) > _MOST_ORIGINS:
            self._kept.popitem(last=False)


def _read(answer: Page | FetchFailure) -> _Kept:
    now = time.monotonic()
    if isinstance(answer, Page):
        return _Kept(now + KEPT, _parse(answer.content))
    missing = answer.status is not None and 400 <= answer.status < 500
    if missing and answer.kind != "rate_limited":
        return _Kept(now + KEPT, None)
    return _Kept(now + max(KEPT_UNREACHABLE, answer.retry_after or 0.0), None, answer)


def _parse(content: bytes) -> _Rules:
    try:
        protego: Any = import_module("protego")
    except ImportError as error:
        raise MissingExtraError("fetching web pages", "web") from error
    text = content[:LONGEST_FILE].decode("utf-8-sig", errors="replace")
    return protego.Protego.parse(text)
