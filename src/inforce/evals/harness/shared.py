"""The system of a benchmark, opened by its first sample and closed when the run ends."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from inforce.evals.benchmark import Benchmark, Setup, System
from inforce.evals.progress import Ended, Watcher
from inforce.llm.chat import ChatModel

_RUNNING: list[SharedSystem] = []
_ERRORS: list[Exception] = []


@dataclass(slots=True)
class SharedSystem:
    """The system of one task, shared by its samples.

    An asyncio task of its own holds it open, so that it is closed where it was opened, whichever
    sample came first and however the run ends.
    """

    benchmark: Benchmark
    setup: Setup
    _system: asyncio.Future[System] | None = None
    _holder: asyncio.Task[None] | None = None

    async def opened(self, model: ChatModel) -> System:
        """The system, opened now if it was not yet.

        Raises:
            InforceError: if it cannot be opened; the same for every sample.
        """
        if self._system is None:
            self._system = asyncio.get_running_loop().create_future()
            self._holder = asyncio.create_task(self._hold(model, self._system))
            _RUNNING.append(self)
        return await asyncio.shield(self._system)

    async def _hold(self, model: ChatModel, opened: asyncio.Future[System]) -> None:
        try:
            async with self.benchmark.open_system(self.setup, model) as system:
                opened.set_result(system)
                await asyncio.Event().wait()
        except Exception as error:
            if opened.done():
                raise
            _ERRORS.append(error)
            opened.set_exception(error)

    async def close(self) -> None:
        """Close the system."""
        holder, self._holder, self._system = self._holder, None, None
        if holder:
            holder.cancel()
            await asyncio.gather(holder, return_exceptions=True)


async def close_systems() -> None:
    """Close every system that is still open.

    Raises:
        InforceError: why a system could not be opened, if one could not.
    """
    while _RUNNING:
        await _RUNNING.pop().close()
    errors = list(_ERRORS)
    _ERRORS.clear()
    if errors:
        raise errors[0]


_WATCHERS: list[Watcher] = []


@contextmanager
def watched(watcher: Watcher) -> Generator[None]:
    """Tells ``watcher`` of every sample that ends, for as long as the block lasts."""
    _WATCHERS.append(watcher)
    try:
        yield
    finally:
        _WATCHERS.remove(watcher)


def report_end(item: Ended) -> None:
    """One more sample came to its end."""
    for watcher in _WATCHERS:
        watcher.end(item)
