"""A bounded number of threads for what takes milliseconds, and a bounded number that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from starlette.exceptions import HTTPException

T = TypeVar("T")


class Work:
    """Calls functions beside the event loop.

    Args:
        threads: how many at once.
        waiting: how many more may wait.
        seconds: how long one may take; its thread is free again only when it ends.
    """

    def __init__(self, *, threads: int, waiting: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, "inforce")
        self._most = threads + waiting
        self._seconds = seconds
        self.pending = 0
        """Calls that run or wait."""

    async def __call__(self, call: Callable[[], T]) -> T:
        """What ``call`` returns.

        Raises:
            HTTPException: 503 if too many wait already, or it took too long.
        """
        if self.pending >= self._most:
            raise HTTPException(503, "too many questions at once: ask again in a moment")
        loop = asyncio.get_running_loop()
        future = self._pool.submit(call)
        self.pending += 1

        def ended(_: Future[T]) -> None:
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(self._end)

        future.add_done_callback(ended)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError as error:
            raise HTTPException(503, f"no answer within {self._seconds:g} seconds") from error

    def _end(self) -> None:
        self.pending -= 1

    def close(self) -> None:
        """Start nothing more; what runs may end."""
        self._pool.shutdown(wait=False, cancel_futures=True)
