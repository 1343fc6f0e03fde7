"""A page is opened within limits, at checked addresses only, and never without a reason given."""

from __future__ import annotations

import asyncio
import gzip
import time
import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from site_server import Answer, Script, Site, serving

from inforce import network
from inforce.errors import NetworkForbiddenError
from inforce.web.addresses import AddressRule
from inforce.web.fetch import Fetcher, FetchLimits
from inforce.web.page import FetchFailure, Page

HERE = AddressRule(loopback="allowed")
SMALL = FetchLimits(bytes=50_000, seconds=10.0, redirects=3)
NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)


def fetcher(
    limits: FetchLimits = SMALL, *, rule: AddressRule = HERE, pause: float = 0.0
) -> Fetcher:
    return Fetcher(limits=limits, rule=rule, pause=pause, clock=lambda: NOW)


async def opened(
    page: Answer | Script,
    *,
    path: str = "/a",
    others: dict[str, Answer | Script] | None = None,
    limits: FetchLimits = SMALL,
) -> tuple[Page | FetchFailure, Site]:
    async with serving({path: page, **(others or {})}) as site, fetcher(limits) as opening:
        return await opening.fetch(site.url(path)), site


async def failure_of(page: Answer | Script) -> FetchFailure:
    result, _ = await opened(page)
    assert isinstance(result, FetchFailure)
    return result


async def test_a_page_comes_with_what_was_sent_and_when() -> None:
    result, site = await opened(Answer("<p>甲</p>", type="Text/HTML; Charset=GBK"))
    assert result == Page(
        url=site.url("/a"),
        final_url=site.url("/a"),
        media_type="text/html",
        charset="gbk",
        content="<p>甲</p>".encode(),
        fetched_at=NOW,
    )


async def test_the_server_is_told_who_asks() -> None:
    _, site = await opened(Answer("x"))
    assert "User-Agent: inforce/" in site.heads[-1]
    assert f"Host: 127.0.0.1:{site.port}" in site.heads[-1]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "raw deflate", "two gzip members"])
async def test_a_packed_page_is_unpacked(encoding: str) -> None:
    text = "第一条 ".encode() * 2_000
    raw = zlib.compressobj(wbits=-15)
    packed = {
        "gzip": gzip.compress(text),
        "deflate": zlib.compress(text),
        "raw deflate": raw.compress(text) + raw.flush(),
        "two gzip members": gzip.compress(text[:100]) + gzip.compress(text[100:]),
    }[encoding]
    name = "deflate" if "deflate" in encoding else "gzip"
    result, _ = await opened(Answer(packed, headers={"Content-Encoding": name}))
    assert isinstance(result, Page)
    assert result.content == text


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        (Answer("x" * 60_000), "too_large"),
        (
            Answer(gzip.compress(b"0" * 30_000_000), headers={"Content-Encoding": "gzip"}),
            "too_large",
        ),
        (Answer(b"not gzip", headers={"Content-Encoding": "gzip"}), "malformed"),
        (Answer(gzip.compress(b"x" * 999)[:-9], headers={"Content-Encoding": "gzip"}), "malformed"),
        (Answer(b"x", headers={"Content-Encoding": "br"}), "malformed"),
        (Answer(b"x", headers={"Content-Encoding": "gzip, gzip"}), "malformed"),
        (Answer(b"x", headers={"Content-Length": "100"}), "malformed"),
        (Answer(b"\x89PNG", type="image/png"), "not_text"),
        (Answer("gone", 404), "http_error"),
        (Answer("oops", 500), "http_error"),
        (Answer("", 204), "http_error"),
        (Answer("login", 401), "blocked"),
        (Answer("no", 403), "blocked"),
        (Answer("slow down", 429), "rate_limited"),
        (Answer("maintenance", 503), "http_error"),
        (Answer("", 302), "http_error"),
        (Answer("", 302, headers={"Location": "/a"}), "too_many_redirects"),
        (Answer("", 302, headers={"Location": "ftp://example.com/"}), "bad_url"),
        (Answer("", 302, headers={"Location": "http://[::1"}), "malformed"),
        (Answer("", 302, headers={"Location": "http://10.0.0.1/"}), "forbidden_address"),
        (
            Answer("", 301, headers={"Location": "http://169.254.169.254/latest/"}),
            "forbidden_address",
        ),
        (Answer("", 307, headers={"Location": "//metadata.google.internal/"}), "forbidden_address"),
        (Answer("", 308, headers={"Location": "http://0x7f000001/"}), "forbidden_address"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_what_cannot_be_had_is_a_failure_of_its_own_kind(page: Answer, kind: str) -> None:
    failure = await failure_of(page)
    assert failure.kind == kind
    assert failure.message


async def test_a_redirect_is_followed_and_said() -> None:
    there: dict[str, Answer | Script] = {"/%E4%B8%AD": Answer("here")}
    result, site = await opened(
        Answer(status=302, headers={"Location": "/%E4%B8%AD#x"}), others=there
    )
    assert isinstance(result, Page)
    assert (result.url, result.final_url) == (site.url("/a"), site.url("/%E4%B8%AD"))


async def test_no_cookie_of_one_page_is_shown_to_the_next() -> None:
    async with serving({"/a": Answer("x", headers={"Set-Cookie": "id=1"})}) as site, fetcher() as f:
        await f.fetch(site.url("/a"))
        await f.fetch(site.url("/a"))
    assert site.asked.count("/a") == 2
    assert not any("cookie" in head.lower() for head in site.heads)


async def drip(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    for _ in range(100):
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def drip_head(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(100):
        writer.write(f"X-{number}: 1\r\n".encode())
        await writer.drain()
        await asyncio.sleep(0.05)


async def silent(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(5)


@pytest.mark.parametrize("script", [drip, drip_head, silent])
async def test_a_server_that_keeps_us_waiting_is_left_in_time(script: Script) -> None:
    begun = time.monotonic()
    result, _ = await opened(script, limits=replace(SMALL, seconds=0.5))
    assert isinstance(result, FetchFailure)
    assert result.kind == "timeout"
    assert time.monotonic() - begun < 4


async def garbage(writer: asyncio.StreamWriter) -> None:
    writer.write(b"SSH-2.0-OpenSSH\r\n\r\n")


async def hang_up(writer: asyncio.StreamWriter) -> None:
    pass


async def endless_header(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000)
    await writer.drain()


@pytest.mark.parametrize("script", [garbage, hang_up, endless_header])
async def test_what_is_not_http_is_malformed(script: Script) -> None:
    assert (await failure_of(script)).kind == "malformed"


async def test_a_server_that_is_not_there_is_unreachable() -> None:
    async with serving({}) as site:
        pass
    async with fetcher() as opening:
        result = await opening.fetch(site.url("/a"))
    assert isinstance(result, FetchFailure)
    assert result.kind == "unreachable"


async def test_a_server_that_says_when_to_come_back_is_not_asked_before() -> None:
    page = Answer("later", 503, headers={"Retry-After": "120"})
    async with serving({"/a": page, "/b": Answer("b")}) as site, fetcher() as opening:
        first = await opening.fetch(site.url("/a"))
        second = await opening.fetch(site.url("/b"))
    assert isinstance(first, FetchFailure)
    assert (first.kind, first.status, first.retry_after) == ("rate_limited", 503, 120.0)
    assert isinstance(second, FetchFailure)
    assert second.kind == "rate_limited"
    assert "/b" not in site.asked


async def test_a_date_says_when_to_come_back_too() -> None:
    page = Answer("later", 429, headers={"Retry-After": "Fri, 20 Nov 2026 08:02:00 GMT"})
    failure = await failure_of(page)
    assert failure.retry_after == 120.0


async def test_the_public_rule_refuses_this_computer_before_asking_it() -> None:
    async with serving({"/a": Answer("secret")}) as site, Fetcher(pause=0) as opening:
        for host in ("127.0.0.1", "localhost", "[::1]", "2130706433"):
            result = await opening.fetch(site.url("/a", host))
            assert isinstance(result, FetchFailure)
            assert result.kind == "forbidden_address"
    assert site.asked == []


class ChangingNames:
    """A name server whose answers change from one question to the next."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]


@pytest.mark.parametrize(
    "addresses",
    [
        ["10.0.0.1"],
        ["127.0.0.1", "192.168.1.1"],
        ["::ffff:169.254.169.254"],
        ["fe80::1%eth0"],
        ["?"],
    ],
    ids=str,
)
async def test_one_private_address_of_a_name_is_one_too_many(addresses: list[str]) -> None:
    async with serving({"/a": Answer("x")}) as site:
        opening = Fetcher(rule=HERE, limits=SMALL, pause=0, resolve=ChangingNames(addresses))
        async with opening:
            result = await opening.fetch(site.url("/a", "court.localhost"))
    assert isinstance(result, FetchFailure)
    assert result.kind == "forbidden_address"
    assert site.asked == []


async def test_a_name_that_changes_its_address_is_checked_at_every_request() -> None:
    names = ChangingNames(["127.0.0.1"], ["10.0.0.1"])
    opening = Fetcher(rule=HERE, limits=SMALL, pause=0, resolve=names)
    async with serving({"/a": Answer("x")}) as site, opening:
        result = await opening.fetch(site.url("/a", "rebinding.localhost"))
    assert isinstance(result, FetchFailure)
    assert result.kind == "forbidden_address"
    assert site.asked == ["/robots.txt"]


async def test_the_address_checked_is_the_address_connected_to() -> None:
    names = ChangingNames(["127.0.0.1"], ["127.0.0.1"], ["10.0.0.1"])
    opening = Fetcher(rule=HERE, limits=SMALL, pause=0, resolve=names)
    async with serving({"/a": Answer("x")}) as site, opening:
        result = await opening.fetch(site.url("/a", "court.localhost"))
    assert isinstance(result, Page)
    assert names.asked == 2  # once for robots.txt, once for the page
    assert f"Host: court.localhost:{site.port}" in site.heads[-1]


async def test_a_switched_off_network_is_said_not_tried() -> None:
    async with serving({"/a": Answer("x")}) as site, fetcher() as opening:
        with network.restrict("off"), pytest.raises(NetworkForbiddenError):
            await opening.fetch(site.url("/a"))
    assert site.asked == []


async def test_many_pages_at_once_do_not_mix() -> None:
    pages: dict[str, Answer | Script] = {f"/{n}": Answer(f"page {n}") for n in range(40)}
    patient = replace(SMALL, seconds=20.0)
    async with serving(pages) as site, fetcher(patient) as opening:
        results = await asyncio.gather(*(opening.fetch(site.url(path)) for path in pages))
    assert [r.content.decode() if isinstance(r, Page) else "" for r in results] == [
        f"page {n}" for n in range(40)
    ]
    assert site.asked.count("/robots.txt") == 1


async def test_one_server_is_not_asked_in_a_rush() -> None:
    pages: dict[str, Answer | Script] = {f"/{n}": Answer("x") for n in range(3)}
    async with serving(pages) as site, fetcher(pause=0.1) as opening:
        begun = time.monotonic()
        await asyncio.gather(*(opening.fetch(site.url(path)) for path in pages))
    assert time.monotonic() - begun >= 0.3  # robots.txt and three pages: three pauses
