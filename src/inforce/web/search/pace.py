"""How fast a service may be asked: so many requests in so many seconds, shared by all runs."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``count`` requests in any ``seconds`` seconds."""

    count: int
    seconds: float


class Pace:
    """Gives every request its time, so that no rate is broken; without rates, at once.

    One pace may be shared by runs in several threads. A request that would have to wait longer
    than its caller is patient gets no place, and takes none.

    >>> pace = Pace(Rate(1, 10.0), now=lambda: 100.0)
    >>> pace.take(patience=60), pace.take(patience=60), pace.take(patience=15)
    (0.0, 10.0, 20.0)
    >>> pace.take(patience=60)  # the third one, at 20 s, was refused and left its place
    20.0
    """

    def __init__(self, *rates: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rates = rates
        self._now = now
        self._taken: deque[float] = deque(maxlen=max((rate.count for rate in rates), default=0))
        self._lock = threading.Lock()

    def take(self, *, patience: float) -> float:
        """Seconds to wait before sending; a place is taken only if that is within ``patience``."""
        with self._lock:
            now = self._now()
            at = self._earliest(now)
            if at - now <= patience:
                self._taken.append(at)
            return at - now

    def _earliest(self, now: float) -> float:
        """When all rates allow the next request; never before one that already has its place."""
        at = max(now, self._taken[-1]) if self._taken else now
        for rate in self._rates:
            if len(self._taken) >= rate.count:
                at = max(at, self._taken[-rate.count] + rate.seconds)
        return at


@cache
def shared_pace(service: str, *rates: Rate) -> Pace:
    """The pace of a service in this process: everyone who asks it shares one."""
    del service  # only tells one pace from another
    return Pace(*rates)
