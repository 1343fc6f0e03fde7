"""``/mcp`` in the HTTP server, opened at the first request: the SDK takes long to import."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from inforce.serve.service import Service

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


class MCPEndpoint:
    """The ASGI application at ``/mcp``."""

    def __init__(self, service: Service, max_body: int) -> None:
        self.__name__ = "mcp"  # the name in metrics and logs
        self._service = service
        self._max_body = max_body
        self._task: asyncio.Task[None] | None = None
        self._manager: asyncio.Future[StreamableHTTPSessionManager] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of the protocol."""
        if self._manager is None:
            self._manager = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._run(self._manager))
        manager = await asyncio.shield(self._manager)
        await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """End the open sessions."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, ready: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        """Open the SDK's manager and keep it open: its task groups are closed by this same task."""
        try:
            await asyncio.to_thread(import_module, "inforce.serve.mcp.server")
            from inforce.serve.mcp.server import over_http

            manager = over_http(self._service, self._max_body)
            async with manager.run():
                ready.set_result(manager)
                await asyncio.Event().wait()
        except Exception as error:
            self._manager = None
            ready.set_exception(error)
