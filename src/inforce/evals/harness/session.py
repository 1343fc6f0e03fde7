"""The systems and the progress that all samples of one run share.

A resumed run cannot hand objects to its task: inspect-ai makes the task anew from its name and its
arguments. So `run_session` leaves them in a context variable, which the samples read. A task
started with ``inspect eval`` has no session; its system is closed with the process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from inforce.evals.benchmark import Benchmark, Setup, System
from inforce.evals.progress import FinishedItem, Progress
from inforce.llm.chat import ChatModel


@dataclass(slots=True)
class SharedSystem:
    """The system of one task, opened by its first sample.

    An asyncio task of its own keeps it open, so that it is closed where it was opened, whichever
    sample came first and however the run ends.
    """

    benchmark: Benchmark
    setup: Setup
    error: Exception | None = None
    """Why it could not be opened."""
    _system: asyncio.Future[System] | None = None
    _holder: asyncio.Task[None] | None = None

    async def opened(self, model: ChatModel) -> System:
        """Return the system, opening it the first time.

        Raises:
            InforceError: if it cannot be opened; the same for every sample.
        """
        if self._system is None:
            self._system = asyncio.get_running_loop().create_future()
            self._holder = asyncio.create_task(self._hold(model, self._system))
            if session := _SESSION.get():
                session.systems.append(self)
        return await asyncio.shield(self._system)

    async def _hold(self, model: ChatModel, opened: asyncio.Future[System]) -> None:
        try:
            async with self.benchmark.open_system(self.setup, model) as system:
                opened.set_result(system)
                await asyncio.Event().wait()
        except Exception as error:
            if opened.done():
                raise
            self.error = error
            opened.set_exception(error)

    async def close(self) -> None:
        """Close the system."""
        holder, self._holder, self._system = self._holder, None, None
        if holder:
            holder.cancel()
            await asyncio.gather(holder, return_exceptions=True)


@dataclass(slots=True)
class _Session:
    progress: Progress
    systems: list[SharedSystem] = field(default_factory=list[SharedSystem])


_SESSION: ContextVar[_Session | None] = ContextVar("session", default=None)


@asynccontextmanager
async def run_session(progress: Progress) -> AsyncGenerator[None]:
    """Count the samples of the block in ``progress``, and close their systems at its end.

    Raises:
        InforceError: why a system could not be opened, if one could not.
    """
    session = _Session(progress)
    token = _SESSION.set(session)
    try:
        yield
    finally:
        _SESSION.reset(token)
        for system in session.systems:
            await system.close()
        if errors := [system.error for system in session.systems if system.error]:
            raise errors[0]


def count_sample(item: FinishedItem) -> None:
    """Count a finished sample in the progress of its run, if there is one."""
    if session := _SESSION.get():
        session.progress.end(item)
