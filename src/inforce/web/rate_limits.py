"""How often services and web sites may be asked, by everyone in this process together."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from cachetools import LRUCache

_MOST_ORIGINS = 1_000
LONGEST_PAUSE = 10.0
"""Seconds between two requests that a ``robots.txt`` can at most ask for here."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``count`` requests in any ``seconds`` seconds."""

    count: int
    seconds: float


class RateLimiter:
    """When each request to a service may be sent, so that no rate is exceeded.

    May be shared by runs in several threads and event loops. A request that would have to wait
    longer than its caller is willing to is not queued.

    >>> limiter = RateLimiter(Rate(1, 10.0), now=lambda: 100.0)
    >>> limiter.take(max_wait=60), limiter.take(max_wait=60), limiter.take(max_wait=15)
    (0.0, 10.0, 20.0)
    >>> limiter.take(max_wait=60)  # the third one, at 20 s, was refused
    20.0
    """

    def __init__(self, *rates: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rates = rates
        self._now = now
        self._taken: deque[float] = deque(maxlen=max((rate.count for rate in rates), default=0))
        self._lock = threading.Lock()

    def take(self, *, max_wait: float) -> float:
        """Return the seconds to wait before sending; queued only if within ``max_wait``."""
        with self._lock:
            now = self._now()
            # never before a request that is already queued
            at = max(now, self._taken[-1]) if self._taken else now
            for rate in self._rates:
                if len(self._taken) >= rate.count:
                    at = max(at, self._taken[-rate.count] + rate.seconds)
            if at - now <= max_wait:
                self._taken.append(at)
            return at - now


@cache
def shared_limiter(service: str, *rates: Rate) -> RateLimiter:
    """The limiter of a service, shared by everyone in this process who asks it."""
    del service  # only tells one limiter from another
    return RateLimiter(*rates)


@dataclass(slots=True)
class _Origin:
    next_request: float = 0.0
    closed_until: float = 0.0


class Politeness:
    """When the next request to a web site may start: after a pause, and not while it is closed.

    Args:
        pause: seconds between the starts of two requests to one server.
    """

    def __init__(self, pause: float = 1.0) -> None:
        self._pause = pause
        self._origins: LRUCache[str, _Origin] = LRUCache(_MOST_ORIGINS)

    async def wait(self, origin: str, *, crawl_delay: float = 0.0) -> None:
        """Wait until a request may start; in the order of the calls."""
        state = self._origins.setdefault(origin, _Origin())
        start = max(state.next_request, time.monotonic())
        state.next_request = start + max(self._pause, min(crawl_delay, LONGEST_PAUSE))
        await asyncio.sleep(max(0.0, start - time.monotonic()))

    def close(self, origin: str, seconds: float) -> None:
        """Ask nothing of a server for some seconds, as it wishes."""
        closed_until = time.monotonic() + seconds
        self._origins.setdefault(origin, _Origin()).closed_until = closed_until

    def closed_for(self, origin: str) -> float:
        """Seconds until the server may be asked again; 0 if it may be now."""
        state = self._origins.get(origin, _Origin())
        return max(0.0, state.closed_until - time.monotonic())
