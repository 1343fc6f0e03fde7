"""A web site on this computer that misbehaves as its test wants."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Script = Callable[[asyncio.StreamWriter], Awaitable[None]]
"""Writes an answer by hand."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the site."""

    body: bytes | str = b""
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict[str, str])

    def encode(self) -> bytes:
        body = self.body.encode() if isinstance(self.body, str) else self.body
        given = {"Content-Type": self.type, "Content-Length": str(len(body)), **self.headers}
        lines = [f"HTTP/1.1 {self.status} X", *(f"{k}: {v}" for k, v in given.items() if v)]
        return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


@dataclass(slots=True)
class Site:
    """What is served, and what was asked for."""

    port: int
    pages: dict[str, Answer | Script]
    asked: list[str] = field(default_factory=list[str])
    heads: list[str] = field(default_factory=list[str])

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


@asynccontextmanager
async def serving(
    pages: dict[str, Answer | Script], *, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[Site]:
    """Serve pages by path; what is not among them is 404."""
    site = Site(0, pages)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split(" ", 2)[1]
            site.asked.append(path)
            site.heads.append(head)
            page = site.pages.get(path, Answer("no such page", 404))
            if isinstance(page, Answer):
                writer.write(page.encode())
                await writer.drain()
            else:
                await page(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has seen enough
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
