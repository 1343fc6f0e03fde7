"""``/mcp`` in the server of HTTP, opened at the first request: the SDK takes long to import."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from inforce.library import Library
from inforce.serve.work import Work

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


class Mounted:
    """The ASGI application at ``/mcp``."""

    def __init__(self, library: Library, work: Work, max_body: int) -> None:
        self.__name__ = "mcp"  # what metrics and logs call it
        self._library = library
        self._work = work
        self._max_body = max_body
        self._open: asyncio.Task[None] | None = None
        self._manager: asyncio.Future[StreamableHTTPSessionManager] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of the protocol."""
        if self._manager is None:
            self._manager = asyncio.get_running_loop().create_future()
            self._open = asyncio.create_task(self._hold(self._manager))
        manager = await asyncio.shield(self._manager)
        await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """End what is still open."""
        if self._open is not None:
            self._open.cancel()
            await asyncio.gather(self._open, return_exceptions=True)

    async def _hold(self, ready: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        """The task groups of the SDK are closed by the task that opened them: this one."""
        try:
            await asyncio.to_thread(import_module, "inforce.serve.mcp.server")
            from inforce.serve.mcp.server import over_http

            manager = over_http(self._library, self._work, self._max_body)
            async with manager.run():
                ready.set_result(manager)
                await asyncio.Event().wait()
        except Exception as error:
            self._manager = None
            ready.set_exception(error)
