"""What a benchmark works with, opened by its first sample and closed when the run ends.

Under ``inspect eval`` the run ends with the process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field

from inforce.evals.benchmark import Benchmark, Desk, Setup
from inforce.llm.chat import ChatModel

_RUNNING: list[OpenedOnce] = []


@dataclass(slots=True)
class OpenedOnce:
    """The desk of one task, shared by its samples."""

    benchmark: Benchmark
    setup: Setup
    _desk: Desk | None = None
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def desk(self, model: ChatModel) -> Desk:
        """The desk, opened now if it was not yet."""
        async with self._lock:
            if self._desk is None:
                opening = self.benchmark.open_desk(self.setup, model)
                self._desk = await self._stack.enter_async_context(opening)
                _RUNNING.append(self)
            return self._desk

    async def close(self) -> None:
        """Let go of everything."""
        self._desk = None
        await self._stack.aclose()


async def close_desks() -> None:
    """Close every desk that is still open."""
    while _RUNNING:
        await _RUNNING.pop().close()


_LISTENING: list[Callable[[int], None]] = []


@contextmanager
def watched(progress: Callable[[int], None]) -> Generator[None]:
    """Told of every sample that ends, for as long as the block lasts."""
    _LISTENING.append(progress)
    try:
        yield
    finally:
        _LISTENING.remove(progress)


def tell_progress() -> None:
    """One more sample came to its end."""
    for progress in _LISTENING:
        progress(1)
