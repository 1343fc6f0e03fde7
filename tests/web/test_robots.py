"""A site's robots.txt is followed as RFC 9309 says."""

from __future__ import annotations

import pytest
from site_server import Answer, Site, serving

from inforce.web.addresses import AddressRule
from inforce.web.fetch import Fetcher, FetchLimits
from inforce.web.page import FetchFailure, Page

LIMITS = FetchLimits(seconds=1.0)


async def opened(robots: Answer | None, path: str = "/a") -> tuple[Page | FetchFailure, Site]:
    files = {} if robots is None else {"/robots.txt": robots}
    async with serving({**files, path: Answer("page")}) as site:
        rule = AddressRule(loopback="allowed")
        async with Fetcher(rule=rule, limits=LIMITS, pause=0) as opening:
            await opening.fetch(site.url(path))
            return await opening.fetch(site.url(path)), site


def rules(text: str, status: int = 200) -> Answer:
    return Answer(text, status, "text/plain")


@pytest.mark.parametrize(
    ("robots", "path"),
    [
        (None, "/a"),
        (rules("", 401), "/a"),
        (rules("", 403), "/a"),
        (rules("User-agent: *\nDisallow: /private/"), "/a"),
        (rules("User-agent: otherbot\nDisallow: /"), "/a"),
        (rules("User-agent: *\nDisallow: /\n\nUser-agent: inforce\nDisallow: /x"), "/a"),
        (rules("User-agent: *\nDisallow: /\nAllow: /law/"), "/law/1"),
        (Answer("<html>a page that answers everything</html>"), "/a"),
        (Answer(b"\xff\xfe\x00\x81", type="application/octet-stream"), "/a"),
    ],
    ids=["none", "401", "403", "other path", "other bot", "our group", "allow", "html", "binary"],
)
async def test_what_is_not_forbidden_may_be_read(robots: Answer | None, path: str) -> None:
    result, site = await opened(robots, path)
    assert isinstance(result, Page)
    assert site.asked == ["/robots.txt", path, path]


@pytest.mark.parametrize(
    "robots",
    [
        rules("User-agent: *\nDisallow: /"),
        rules("\ufeffUser-agent: inforce\nDisallow: /a"),
        rules("User-agent: *\nDisallow: /*a$"),
        rules("User-agent: *\nDisallow: /\n" + "# padding\n" * 60_000),
        rules("oops", 500),
        rules("oops", 503),
        Answer(b"x", headers={"Content-Encoding": "gzip"}),
    ],
    ids=["all", "us", "pattern", "huge", "500", "503", "damaged"],
)
async def test_what_is_forbidden_or_unknown_is_not_asked_for(robots: Answer) -> None:
    result, site = await opened(robots)
    assert isinstance(result, FetchFailure)
    assert result.kind == "robots"
    assert site.asked == ["/robots.txt"]


async def test_a_robots_file_that_is_limited_closes_the_site() -> None:
    result, site = await opened(rules("", 429))
    assert isinstance(result, FetchFailure)
    assert result.kind == "rate_limited"
    assert site.asked == ["/robots.txt"]


async def test_a_robots_file_that_leads_inside_the_network_is_not_followed() -> None:
    result, site = await opened(
        Answer(status=302, headers={"Location": "http://10.0.0.1/robots.txt"})
    )
    assert isinstance(result, FetchFailure)
    assert result.kind == "forbidden_address"
    assert site.asked == ["/robots.txt"]
