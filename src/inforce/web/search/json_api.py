"""Requests to a JSON service: limits, retries, rates, and failures sorted by who must act.

No key, header or body of a reply is ever in a message: a body is someone else's text.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec

from inforce import network
from inforce.errors import UserError
from inforce.llm.failures import REDACTED
from inforce.web.addresses import is_loopback
from inforce.web.rate_limits import RateLimiter
from inforce.web.responses import (
    ACCEPTED_ENCODINGS,
    BodyMalformed,
    BodyTooLarge,
    read_body,
    retry_after,
)
from inforce.web.search.provider import FailureReason, SearchFailure

T = TypeVar("T")

_TRANSIENT: Final[frozenset[FailureReason]] = frozenset({"throttled", "unreachable", "timeout"})
_KEY: Final = 8
"""Characters of the shortest header that is a key; a shorter one may be any word of a reply."""
_QUOTA_STATUSES: Final = (402, 432, 433)
"""432 and 433 are Tavily's: the plan's and the account's limit is reached."""


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Limits of time, size and repetition."""

    timeout: float = 15.0
    """Seconds one attempt may take in all."""
    max_bytes: int = 4 * 1024 * 1024
    attempts: int = 3
    backoff: float = 0.5
    """Seconds before the second attempt; doubled before each further one."""
    max_wait: float = 20.0
    """Seconds a request may wait for the rate limit, or as ``Retry-After`` says, at most."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The meaning of a status of one service, where it is not the usual one."""

    reason: FailureReason
    message: str


Explain = Callable[[int, bytes], Refusal | None]
"""Reads the status and body of one service's refusal; ``None``: they mean what they usually do."""


class JsonApi:
    """One service.

    Args:
        name: as messages call it.
        base_url: where it is; ``http`` or ``https``.
        headers: sent with each request; keys go here and are never shown.
        limiter: how fast it may be asked.
        limits: of time, size and repetition.
        explain: reads statuses that have a meaning of their own.

    Raises:
        UserError: if the address is none, or a header cannot be sent.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        limiter: RateLimiter | None = None,
        limits: RequestLimits | None = None,
        explain: Explain | None = None,
    ) -> None:
        self.name = name
        self.base_url = base_url.rstrip("/")
        self._host = _host_of(self.base_url)
        own = {"Accept": "application/json", "Accept-Encoding": ACCEPTED_ENCODINGS}
        self._headers = {**own, **(headers or {})}
        if not all(one.isascii() and one.isprintable() for one in self._headers.values()):
            # said here, as a library would complain by quoting the key
            raise UserError(f"the key for {name} has characters that no HTTP header may carry")
        self._keys = [word for value in (headers or {}).values() for word in value.split()[-1:]]
        self._limiter = limiter or RateLimiter()
        self._limits = limits or RequestLimits()
        self._explain = explain

    def __repr__(self) -> str:
        return f"JsonApi({self.name!r}, {self.base_url!r})"

    async def get(self, path: str, params: Mapping[str, str], reply: type[T]) -> T:
        """The reply to a GET.

        Raises:
            SearchFailure: if there is none that can be read.
            NetworkForbiddenError: if the host may not be reached.
        """
        return await self._ask("GET", path, reply, params=params)

    async def post(self, path: str, body: Mapping[str, Any], reply: type[T]) -> T:
        """The reply to a POST of JSON; raises as `get`."""
        return await self._ask("POST", path, reply, json=body)

    async def post_form(self, path: str, form: Mapping[str, str], reply: type[T]) -> T:
        """The reply to a POST of a form; raises as `get`."""
        return await self._ask("POST", path, reply, data=form)

    async def _ask(self, method: str, path: str, reply: type[T], **sent: Any) -> T:
        """Send a request, again where that may help; ``sent`` as httpx takes it."""
        network.check(self.base_url)
        attempt = 1
        while True:
            await self._wait_for_limit()
            try:
                return self._read(await self._once(method, self.base_url + path, sent), reply)
            except SearchFailure as failure:
                wait = self._limits.backoff * 2 ** (attempt - 1)
                wait = max(wait, failure.retry_after or 0.0)
                is_last = attempt >= self._limits.attempts or wait > self._limits.max_wait
                if is_last or failure.reason not in _TRANSIENT:
                    raise
            await asyncio.sleep(wait)
            attempt += 1

    async def _wait_for_limit(self) -> None:
        wait = self._limiter.take(max_wait=self._limits.max_wait)
        if wait > self._limits.max_wait:
            message = f"too many requests to {self.name} for now; try again in {wait:.0f} s"
            raise SearchFailure("throttled", message, retry_after=wait)
        if wait > 0:
            await asyncio.sleep(wait)

    async def _once(self, method: str, url: str, sent: Mapping[str, Any]) -> bytes:
        """The body of one good reply."""
        client = httpx.AsyncClient(
            headers=self._headers,
            timeout=self._limits.timeout,
            verify=_tls(),
            trust_env=not is_loopback(self._host),  # no proxy reaches this machine
            follow_redirects=False,  # a key must not travel to where a reply points
        )
        try:
            async with (
                asyncio.timeout(self._limits.timeout),
                client,
                client.stream(method, url, **sent) as response,
            ):
                body = await read_body(response, limit=self._limits.max_bytes)
        except BodyTooLarge as error:
            raise SearchFailure("too_large", f"the reply of {self.name} is {error}") from None
        except BodyMalformed as error:
            raise SearchFailure("malformed", f"the reply of {self.name} is {error}") from None
        except (TimeoutError, httpx.TimeoutException):
            seconds = self._limits.timeout
            message = f"{self.name} did not answer within {seconds:g} seconds"
            raise SearchFailure("timeout", message) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            message = f"{self.name} ({self._host}) cannot be reached: {type(error).__name__}"
            raise SearchFailure("unreachable", message) from None
        status = response.status_code
        if status != 200:
            special = self._explain(status, body) if self._explain else None
            refusal = special or _usual(self.name, status)
            after = retry_after(response, datetime.now(UTC))
            raise SearchFailure(refusal.reason, refusal.message, retry_after=after)
        return body

    def _read(self, body: bytes, reply: type[T]) -> T:
        for key in self._keys:  # a service may repeat the key it was given
            body = body.replace(key.encode(), REDACTED.encode()) if len(key) >= _KEY else body
        try:
            return msgspec.json.decode(body, type=reply)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            message = (
                f"the reply of {self.name} is not what it documents (a page for people, or cut)"
            )
            raise SearchFailure("malformed", message) from None


def _usual(name: str, status: int) -> Refusal:
    """The usual meaning of a status."""
    shown = f"{name} answered HTTP {status}"
    if status in (401, 403):
        return Refusal("key", f"{shown}: it did not accept the key")
    if status in _QUOTA_STATUSES:
        return Refusal("quota", f"{shown}: the quota of the key is used up")
    if status == 429:
        return Refusal("throttled", f"{shown}: too many requests for now")
    if status >= 500 or status == 408:
        return Refusal("unreachable", f"{shown}: it is out of order")
    if status < 400:
        return Refusal("malformed", f"{shown} instead of a reply: is the address right?")
    return Refusal("refused", f"{shown}: it will not answer this request")


def _host_of(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        host = parts.hostname if parts.scheme in ("http", "https") else None
    except ValueError:
        host = None
    if not host:
        raise UserError(f"{base_url!r} is no web address: write http:// or https:// and a host")
    return host


@cache
def _tls() -> ssl.SSLContext:
    """Made once: reading the certificates takes longer than most requests."""
    return httpx.create_ssl_context()
