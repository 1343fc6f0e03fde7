"""Episodes that go in step: all ask the policy together, in the same order every time.

A batch of requests is then as large as it can be, and it does not depend on which tool happened to
answer first: the same seed gives the same episodes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from inforce.train.policy import Sampler, Written


class Pace:
    """Holds requests to a policy back until every running episode has made one.

    Args:
        sampler: the policy.
        episodes: how many run.
    """

    def __init__(self, sampler: Sampler, episodes: int) -> None:
        self.sampler = sampler
        self._running = episodes
        self._waiting: dict[int, asyncio.Future[None]] = {}

    @contextmanager
    def place(self, number: int) -> Generator[Sampler]:
        """The policy as the episode of this number sees it; the others wait for it no longer after.

        Each number is used once.
        """
        try:
            yield _Place(self, number)
        finally:
            self._waiting.pop(number, None)
            self._running -= 1
            self._go_on()

    async def wait(self, number: int) -> None:
        """Until it is the turn of this episode: when all have come this far, in their order."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting[number] = turn
        self._go_on()
        await turn

    def _go_on(self) -> None:
        if len(self._waiting) < self._running:
            return
        ready = [self._waiting[number] for number in sorted(self._waiting)]
        self._waiting.clear()
        if ready:  # not at once: whoever came last is still running, and would go first
            asyncio.get_running_loop().call_soon(_let_go, ready)


def _let_go(ready: Sequence[asyncio.Future[None]]) -> None:
    for turn in ready:
        if not turn.done():  # its episode may have been cancelled
            turn.set_result(None)


class _Place:
    """One episode's view of the policy."""

    def __init__(self, pace: Pace, number: int) -> None:
        self._pace = pace
        self._number = number

    async def write(self, context: Sequence[int], *, max_tokens: int) -> Written:
        await self._pace.wait(self._number)
        return await self._pace.sampler.write(context, max_tokens=max_tokens)
