"""What a benchmark works with, opened by its first sample and closed when the run ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from inforce.evals.benchmark import Benchmark, Desk, Setup
from inforce.llm.chat import ChatModel

_RUNNING: list[OpenedOnce] = []
_ERRORS: list[Exception] = []


@dataclass(slots=True)
class OpenedOnce:
    """The desk of one task, shared by its samples.

    A task of its own keeps it open, so that it is closed where it was opened, whichever sample
    came first and however the run ends.
    """

    benchmark: Benchmark
    setup: Setup
    _desk: asyncio.Future[Desk] | None = None
    _keeper: asyncio.Task[None] | None = None

    async def desk(self, model: ChatModel) -> Desk:
        """The desk, opened now if it was not yet.

        Raises:
            InforceError: if it cannot be opened; the same for every sample.
        """
        if self._desk is None:
            self._desk = asyncio.get_running_loop().create_future()
            self._keeper = asyncio.create_task(self._keep(model, self._desk))
            _RUNNING.append(self)
        return await asyncio.shield(self._desk)

    async def _keep(self, model: ChatModel, opened: asyncio.Future[Desk]) -> None:
        try:
            async with self.benchmark.open_desk(self.setup, model) as desk:
                opened.set_result(desk)
                await asyncio.Event().wait()
        except Exception as error:
            if opened.done():
                raise
            _ERRORS.append(error)
            opened.set_exception(error)

    async def close(self) -> None:
        """Let go of everything."""
        keeper, self._keeper, self._desk = self._keeper, None, None
        if keeper:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)


async def close_desks() -> None:
    """Close every desk that is still open.

    Raises:
        InforceError: why a desk could not be opened, if one could not.
    """
    while _RUNNING:
        await _RUNNING.pop().close()
    errors = list(_ERRORS)
    _ERRORS.clear()
    if errors:
        raise errors[0]


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
