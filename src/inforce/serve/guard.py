"""Access control: who may ask, from where, how often and how much; checked before anything else.

A page of another site can make a browser ask this machine. Three checks stand against that: the
``Host`` must be a name of this server (a foreign name that leads here is DNS rebinding), an
``Origin`` must be this server's own, and what a browser marks as cross-site may not post.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import urlsplit

from cachetools import LRUCache
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inforce.errors import InputError, UserError
from inforce.serve.operations import VERIFY
from inforce.serve.page_templates import on_problem
from inforce.serve.problems import detail_of
from inforce.serve.settings import ServeSettings
from inforce.serve.tokens import TokenFile

COOKIE: Final = "inforce_token"
"""The cookie with the token of a browser that has logged in."""

OPEN_PATHS: Final = ("/healthz", "/readyz", "/login", "/static/")
"""Paths that need no token: they reveal nothing about the corpus or the questions."""

_UPLOAD_PATHS: Final = ("/verify", VERIFY.path)
"""Paths where a body may be a document."""

_SLOWEST: Final = 200_000
"""Bytes a second at which a body of the greatest size must arrive."""

_DIGITS: Final = 20
"""A ``Content-Length`` with as many is refused."""

_CALLERS: Final = 10_000
"""Callers whose rate is remembered."""

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": browsers would then send no Origin with forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """ASGI middleware that refuses requests that must not be answered.

    ``scope["state"]["caller"]`` is the client: a token's name, a proxy's user, or an address.
    ``now`` returns the seconds of a clock that never goes back.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: ServeSettings,
        tokens: TokenFile,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._settings = settings
        self._tokens = tokens
        self._rates = _Rates(settings.requests_a_minute, now)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then hand on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        hardened = _with_security_headers(send)
        headers = Headers(scope=scope)
        try:
            self._check_site(scope["method"], headers)
            scope.setdefault("state", {})["caller"] = self._caller(scope, headers)
            most = self._largest_body(scope)
            self._check_size(headers, most)
            self._rates.count(scope["state"]["caller"])
        except (HTTPException, UserError) as refused:
            await (await on_problem(Request(scope), refused))(scope, receive, hardened)
            return
        seconds = self._settings.max_seconds + most / _SLOWEST
        bounded = _Body(receive, most, seconds)
        await self._app(scope, bounded, hardened)

    def _check_site(self, method: str, headers: Headers) -> None:
        host = headers.get("host", "")
        if len(headers.getlist("host")) > 1:  # a proxy in front may have looked at another one
            raise HTTPException(400, "a request has one Host")
        if _host_name(host) not in self._settings.host_names and not self._is_public:
            raise HTTPException(400, "this server has another name; see --allowed-host")
        origin = headers.get("origin")
        if origin is not None:
            if _authority(origin) != host.lower() and origin not in self._settings.cors_origins:
                raise HTTPException(403, "pages of other sites may not ask this server")
        elif method not in ("GET", "HEAD") and headers.get("sec-fetch-site") == "cross-site":
            raise HTTPException(403, "pages of other sites may not ask this server")

    @property
    def _is_public(self) -> bool:
        """Whether any host name is accepted: every address is bound, and no names are set.

        Clients must then show a token, which no foreign page can.
        """
        settings = self._settings
        return settings.host in ("0.0.0.0", "::") and not settings.allowed_hosts

    def _caller(self, scope: Scope, headers: Headers) -> str:
        settings = self._settings
        address = scope["client"][0] if scope.get("client") else "local"
        if settings.auth == "none":
            return address
        if settings.auth == "header":
            users = headers.getlist(settings.user_header.lower())
            if len(users) > 1:  # the proxy in front added its own beside that of the client
                raise HTTPException(400, f"a request has one {settings.user_header}")
            if users and users[0]:
                return users[0]
        else:
            name = self._name_of(_secret(headers))
            if name:
                return name
        path: str = scope["path"]
        if path in OPEN_PATHS or path.startswith(OPEN_PATHS[-1]):
            return address
        self._rates.count(address)  # guessing tokens is counted too
        raise HTTPException(401, "a token is needed", {"WWW-Authenticate": "Bearer"})

    def _name_of(self, secret: str) -> str | None:
        """The name of a token; if the file cannot be read, nobody is let in or told where it is."""
        try:
            return self._tokens.name_of(secret)
        except InputError as error:
            raise HTTPException(503, detail_of(error)) from error

    def _largest_body(self, scope: Scope) -> int:
        """Bytes the body of a request may have."""
        is_upload = scope["method"] == "POST" and scope["path"] in _UPLOAD_PATHS
        return self._settings.max_upload if is_upload else self._settings.max_body

    def _check_size(self, headers: Headers, most: int) -> None:
        length = headers.get("content-length", "0")
        is_number = length.isascii() and length.isdigit() and len(length) < _DIGITS
        if not is_number or int(length) > most:
            raise HTTPException(413, f"at most {most:,} bytes")


class _Rates:
    """Limits the requests a minute of each caller (a token bucket for each)."""

    def __init__(self, a_minute: int, now: Callable[[], float]) -> None:
        self._a_minute = a_minute
        self._now = now
        self._left: LRUCache[str, tuple[float, float]] = LRUCache(_CALLERS)

    def count(self, caller: str) -> None:
        if not self._a_minute:
            return
        now = self._now()
        left, before = self._left.get(caller, (float(self._a_minute), now))
        left = min(self._a_minute, left + (now - before) * self._a_minute / 60)
        if left < 1:
            raise HTTPException(429, f"more than {self._a_minute} requests a minute")
        self._left[caller] = (left - 1, now)


class _Body:
    """Receives a body of bounded size within a bounded time."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive = receive
        self._left = most
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._ended = False

    async def __call__(self) -> Message:
        if self._ended:  # what follows is the end of the connection, which may take long
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError as error:
            raise HTTPException(408, "the request did not arrive in time") from error
        self._left -= len(message.get("body", b""))
        self._ended = not message.get("more_body", False)
        if self._left < 0:
            raise HTTPException(413, "the request is too large")
        return message


def _with_security_headers(send: Send) -> Send:
    """Add `SECURITY_HEADERS` to a response."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


def _host_name(host: str) -> str:
    """``[::1]:80`` is ``[::1]``."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name.lower()


def _authority(origin: str) -> str | None:
    """Host and port of an ``Origin``; ``None`` if it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _secret(headers: Headers) -> str:
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return secret.strip()
    cookie: SimpleCookie = SimpleCookie()
    try:
        cookie.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookie[COOKIE].value if COOKIE in cookie else ""
