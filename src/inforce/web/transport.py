"""An HTTP transport that connects to exactly the address it has checked.

A name can be resolved to a public address when it is checked and to a private one a moment later
(DNS rebinding). Here a name is resolved once, every address it has is checked, and the connection
goes to one of those; the name itself only serves for the ``Host`` header and the certificate. No
connection is kept, so every request is checked anew, and no proxy of the environment is used: a
proxy would resolve the name again, beyond this check.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any, cast

import httpcore
import httpx

from inforce import network
from inforce.web.addresses import PUBLIC, AddressRule, require_public

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The IP addresses of a host, in the order they are to be tried."""

SocketOption = (
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
)

_MOST_ADDRESSES = 4
"""How many addresses of a host are tried before it counts as unreachable."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """Ask the name server for the addresses of a host.

    Raises:
        NetworkForbiddenError: if the network is switched off (`inforce.network`).
        OSError: if there is no such host.
    """
    network.check(host)
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends httpx's requests over connections whose address was checked.

    Args:
        rule: what may be connected to.
        resolve: how names become addresses; what it answers is checked all the same.
    """

    def __init__(self, rule: AddressRule = PUBLIC, *, resolve: Resolve = resolve) -> None:
        self._rule = rule
        self._resolve = resolve
        self._pool: httpcore.AsyncConnectionPool | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request.

        Raises:
            AddressRefused: if the host has an address that may not be reached.
            httpx.TransportError: if it cannot be reached, or does not speak HTTP.
        """
        assert isinstance(request.stream, httpx.AsyncByteStream)
        core_request = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _httpx_errors():
            response = await self._connections().handle_async_request(core_request)
        return httpx.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response),
            extensions=cast("dict[str, Any]", response.extensions),
        )

    async def aclose(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await self._pool.aclose()

    def _connections(self) -> httpcore.AsyncConnectionPool:
        """The pool, made when the first request comes: loading certificates takes a moment."""
        if self._pool is None:
            self._pool = httpcore.AsyncConnectionPool(
                ssl_context=httpx.create_ssl_context(),
                max_keepalive_connections=0,
                network_backend=_CheckedConnections(self._rule, self._resolve),
            )
        return self._pool


class _CheckedConnections(httpcore.AsyncNetworkBackend):
    """Resolves a name once, checks its addresses, and connects to one of these.

    It has no other way to connect: what the base class offers for local sockets refuses.
    """

    def __init__(self, rule: AddressRule, resolve: Resolve) -> None:
        self._rule = rule
        self._resolve = resolve
        self._plain = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of the host that answers."""
        problem: Exception | None = None
        for address in await self._checked(host, port):
            network.check(address)
            try:
                return await self._plain.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                problem = error
        raise problem or httpcore.ConnectError(f"{host!r} has no address")

    async def _checked(self, host: str, port: int) -> list[str]:
        """The host's addresses; refused altogether if one of them may not be reached."""
        try:
            addresses = await self._resolve(host, port)
        except OSError as error:
            raise httpcore.ConnectError(f"no address is known for {host!r}") from error
        checked = [str(require_public(address, self._rule)) for address in addresses]
        return checked[:_MOST_ADDRESSES]


class _Body(httpx.AsyncByteStream):
    """The bytes of a response; its errors are httpx's."""

    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _httpx_errors():
            async for part in self._response.aiter_stream():
                yield part

    async def aclose(self) -> None:
        await self._response.aclose()


_ERRORS: tuple[tuple[type[Exception], type[httpx.TransportError]], ...] = (
    (httpcore.TimeoutException, httpx.TimeoutException),
    (httpcore.ConnectError, httpx.ConnectError),
    (httpcore.NetworkError, httpx.NetworkError),
    (httpcore.ProtocolError, httpx.ProtocolError),
    (httpcore.UnsupportedProtocol, httpx.UnsupportedProtocol),
)


@contextmanager
def _httpx_errors() -> Generator[None]:
    """Raise httpcore's errors as httpx's, which the callers of a transport expect."""
    try:
        yield
    except Exception as error:
        for raised, expected in _ERRORS:
            if isinstance(error, raised):
                raise expected(str(error)) from error
        raise
