"""Not being a burden: a pause between requests to one server, and its wish to be left alone."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass

_MOST_ORIGINS = 1_000
LONGEST_PAUSE = 10.0
"""Seconds between two requests that a ``robots.txt`` can at most ask for here."""


@dataclass(slots=True)
class _Line:
    next_turn: float = 0.0
    closed_until: float = 0.0


class Politeness:
    """When the next request to a server may start.

    Args:
        pause: seconds between the starts of two requests to one server.
    """

    def __init__(self, pause: float = 1.0) -> None:
        self._pause = pause
        self._lines: OrderedDict[str, _Line] = OrderedDict()

    async def turn(self, origin: str, *, asked_pause: float = 0.0) -> None:
        """Wait for one's turn; turns are given in the order they are asked for."""
        line = self._line(origin)
        start = max(line.next_turn, time.monotonic())
        line.next_turn = start + max(self._pause, min(asked_pause, LONGEST_PAUSE))
        await asyncio.sleep(max(0.0, start - time.monotonic()))

    def close(self, origin: str, seconds: float) -> None:
        """The server asked to be left alone for some seconds."""
        self._line(origin).closed_until = time.monotonic() + seconds

    def closed_for(self, origin: str) -> float:
        """Seconds until the server may be asked again; 0 if it may be now."""
        return max(0.0, self._line(origin).closed_until - time.monotonic())

    def _line(self, origin: str) -> _Line:
        line = self._lines.setdefault(origin, _Line())
        self._lines.move_to_end(origin)
        while len(self._lines) > _MOST_ORIGINS:
            self._lines.popitem(last=False)
        return line
