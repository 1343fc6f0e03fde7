"""Fetching a web address: guarded, limited, polite, and honest about who asks.

Every hop of a redirect is checked like the first address (`inforce.web.addresses`), the size limit
holds for what was unpacked, one time limit holds for the whole, and ``robots.txt`` is followed.
What cannot be had is a `FetchFailure` that says why, never an empty page.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Literal, Self
from urllib.parse import urljoin, urlsplit

import httpx

from inforce import network
from inforce.web.addresses import PUBLIC, AddressRefused, AddressRule, Target, target_of
from inforce.web.page import FailureKind, FetchFailure, Page
from inforce.web.rate_limits import Politeness
from inforce.web.responses import (
    ACCEPTED_ENCODINGS,
    BodyMalformed,
    BodyTooLarge,
    read_body,
    retry_after,
)
from inforce.web.robots import LONGEST_FILE, Robots
from inforce.web.transport import GuardedTransport, Resolve, resolve

PRODUCT = "inforce"
USER_AGENT = f"{PRODUCT}/0.1 (legal research assistant; reads pages a person's search found)"
"""What requests say of themselves; a ``robots.txt`` may name ``inforce``."""

LONGEST_WAIT = 300.0
"""Seconds a server can at most close itself for by ``Retry-After``."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_REPEATED = frozenset({307, 308})
"""Redirects after which the request is repeated with the same body."""
_WALLS = frozenset({401, 402, 403, 407, 451})
_TEXT_TYPES = re.compile(
    r"text/[\w.+-]+"
    r"|application/(?:xhtml\+xml|xml|json|pdf|x-pdf|octet-stream|[\w.-]+\+(?:xml|json)"
    r"|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)"
)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_HEADERS = {
    "User-Agent": USER_AGENT,
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1",
    "Accept-Encoding": ACCEPTED_ENCODINGS,
    "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8",
}


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What one page may cost."""

    bytes: int = 10 * 2**20
    """Of the body, unpacked."""
    seconds: float = 30.0
    """From the first connection to the last byte, redirects included, pauses not."""
    redirects: int = 5
    at_once: int = 8
    """Requests at the same time."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A URL to fetch, its purpose and its limits."""

    url: str
    purpose: Literal["page", "robots.txt"]
    limits: FetchLimits
    body: bytes | None = None
    """JSON that is sent with it (POST); without it the request is a GET."""

    def failed(self, kind: FailureKind, message: str, status: int | None = None) -> FetchFailure:
        return FetchFailure(self.url, kind, message, status)

    def redirect_note(self, here: str) -> str:
        """A remark for failures after a redirect to another host."""
        return "" if _host(here) == _host(self.url) else f" (a redirect led to {here[:200]})"


@dataclass(frozen=True, slots=True)
class _Redirect:
    location: str


class Fetcher:
    """Fetches web pages.

    Args:
        limits: what one page may cost.
        rule: what may be connected to; the public internet by default.
        pause: seconds between requests to one server.
        resolve: how names become addresses.
        clock: says when a page was fetched.
        cookies: whether those of a site are sent back to it, until this is closed.
    """

    def __init__(
        self,
        *,
        limits: FetchLimits = FetchLimits(),
        rule: AddressRule = PUBLIC,
        pause: float = 1.0,
        resolve: Resolve = resolve,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        cookies: bool = False,
    ) -> None:
        self.limits = limits
        self._rule = rule
        self._clock = clock
        self._politeness = Politeness(pause)
        self._at_once = asyncio.Semaphore(limits.at_once)
        self._robots = Robots(self._robots_file, user_agent=PRODUCT)
        self._client = httpx.AsyncClient(
            transport=GuardedTransport(rule, resolve=resolve),
            headers=_HEADERS,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=None if cookies else [])),
            timeout=httpx.Timeout(limits.seconds),
            follow_redirects=False,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def fetch(self, url: str, *, body: bytes | None = None) -> Page | FetchFailure:
        """The page at an address, or why there is none.

        Args:
            url: the address.
            body: JSON to send there (POST); redirects that would drop it are not followed.

        Raises:
            NetworkForbiddenError: if the network is switched off (`inforce.network`).
            MissingExtraError: if the library that reads ``robots.txt`` is not installed.
        """
        return await self._follow(_Request(url, "page", self.limits, body))

    async def _robots_file(self, url: str) -> Page | FetchFailure:
        limits = replace(self.limits, bytes=LONGEST_FILE, seconds=min(10.0, self.limits.seconds))
        return await self._follow(_Request(url, "robots.txt", limits))

    async def _follow(self, request: _Request) -> Page | FetchFailure:
        """Follow redirects until there is a page; each address is checked first."""
        here, left = request.url, request.limits.seconds
        for _ in range(request.limits.redirects + 1):
            try:
                target = target_of(here, self._rule)
            except AddressRefused as refusal:
                return request.failed(
                    refusal.kind, f"not opened: {refusal}{request.redirect_note(here)}"
                )
            refused = await self._permitted(request, target)
            if refused is not None:
                return refused
            begun = time.monotonic()
            answer = await self._timed(request, target, seconds=left)
            left -= time.monotonic() - begun
            if not isinstance(answer, _Redirect):
                return answer
            here = _joined(target.url, answer.location)
        most = request.limits.redirects
        return request.failed("too_many_redirects", f"more than {most} redirects")

    async def _permitted(self, request: _Request, target: Target) -> FetchFailure | None:
        """Wait until the site may be asked; a failure if it does not want to be."""
        if network.mode() == "off":
            network.check(target.url)
        wait = self._politeness.closed_for(target.origin)
        if wait > 0:
            message = f"the server asked to be left alone for {wait:.0f} more seconds"
            return replace(request.failed("rate_limited", message), retry_after=wait)
        pause = 0.0
        if request.purpose == "page":
            permission = await self._robots.permission(target)
            if not permission.allowed:
                return _not_permitted(request, permission.obstacle)
            pause = permission.pause
        await self._politeness.wait(target.origin, crawl_delay=pause)
        return None

    async def _timed(
        self, request: _Request, target: Target, *, seconds: float
    ) -> Page | FetchFailure | _Redirect:
        async with self._at_once:
            try:
                async with asyncio.timeout(seconds):
                    return await self._request(request, target)
            except (TimeoutError, httpx.TimeoutException):
                limit = request.limits.seconds
                return request.failed("timeout", f"no complete answer within {limit:g} seconds")
            except AddressRefused as refusal:
                return request.failed(
                    "forbidden_address", f"not opened: {refusal}{request.redirect_note(target.url)}"
                )
            except httpx.ProtocolError as error:
                return request.failed("malformed", f"the answer is cut off or not HTTP: {error}")
            except httpx.HTTPError as error:
                return request.failed("unreachable", f"the server cannot be reached: {error}")

    async def _request(self, request: _Request, target: Target) -> Page | FetchFailure | _Redirect:
        sent = {} if request.body is None else {"Content-Type": "application/json;charset=utf-8"}
        method = "GET" if request.body is None else "POST"
        async with self._client.stream(
            method, target.url, content=request.body, headers=sent
        ) as response:
            location = response.headers.get("location", "")
            followed = _REDIRECTS if request.body is None else _REPEATED
            if response.status_code in followed and location:
                return _Redirect(location)
            if response.status_code != 200:
                return self._no_page(request, target, response)
            media_type = _media_type(response)
            unfit = media_type and not _TEXT_TYPES.fullmatch(media_type)
            if request.purpose == "page" and unfit:
                return request.failed("not_text", f"not a text but {media_type[:60]}", 200)
            return await self._page(request, target, response)

    async def _page(
        self, request: _Request, target: Target, response: httpx.Response
    ) -> Page | FetchFailure:
        try:
            content = await read_body(response, limit=request.limits.bytes)
        except BodyMalformed as error:
            return request.failed("malformed", f"the answer is {error}", 200)
        except BodyTooLarge as error:
            if request.purpose == "page":
                return request.failed("too_large", f"the page is {error}", 200)
            content = error.start  # of a robots.txt the beginning counts
        charset = _CHARSET.search(response.headers.get("content-type", ""))
        return Page(
            url=request.url,
            final_url=target.url,
            media_type=_media_type(response),
            charset=charset[1].lower() if charset else "",
            content=content,
            fetched_at=self._clock(),
        )

    def _no_page(self, request: _Request, target: Target, response: httpx.Response) -> FetchFailure:
        status = response.status_code
        if status in (429, 503):
            wait = retry_after(response, self._clock())
            if wait:
                self._politeness.close(target.origin, min(wait, LONGEST_WAIT))
            if status == 429 or wait:
                message = f"the server asks to come back later (HTTP {status})"
                return replace(request.failed("rate_limited", message, status), retry_after=wait)
        if status in _WALLS:
            message = f"the server does not show the page to programs (HTTP {status})"
            return request.failed("blocked", message, status)
        message = f"the server answered with HTTP {status}"
        if status in (404, 410):
            message = f"the server has no such page (HTTP {status})"
        return request.failed("http_error", message, status)


def _not_permitted(request: _Request, obstacle: FetchFailure | None) -> FetchFailure:
    if obstacle is None:
        return request.failed("robots", "the site's robots.txt asks programs not to read it")
    if obstacle.kind in ("forbidden_address", "rate_limited", "timeout", "unreachable"):
        return replace(obstacle, url=request.url)  # true of the site, not only of its robots.txt
    message = f"the site's robots.txt cannot be read, so nothing else is ({obstacle.message})"
    return replace(obstacle, url=request.url, kind="robots", message=message)


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _joined(here: str, location: str) -> str:
    """The address a Location header leads to; servers put blanks and raw UTF-8 into it."""
    with suppress(UnicodeError):
        location = location.encode("latin-1").decode("utf-8")
    try:
        return urljoin(here, location.strip().replace(" ", "%20"))
    except ValueError:
        return location  # no address at all: refused as the next one


def _media_type(response: httpx.Response) -> str:
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
