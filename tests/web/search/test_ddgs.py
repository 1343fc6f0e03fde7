"""Searching without a key: the library's failures are told apart; its silence proves nothing."""

from __future__ import annotations

import socket
import time
from datetime import date
from typing import Any

import pytest

from inforce import network
from inforce.dates import DateRange
from inforce.errors import MissingExtraError, NetworkForbiddenError
from inforce.web.rate_limits import RateLimiter
from inforce.web.search import ddgs as module
from inforce.web.search.ddgs import Ddgs
from inforce.web.search.provider import SearchFailure

library: Any = pytest.importorskip("ddgs", reason="the web extra is not installed")
errors: Any = pytest.importorskip("ddgs.exceptions")

ROW = {
    "title": "Criminal Law",
    "href": "https://www.court.gov.cn/a?utm_source=x",
    "body": "Article 133-1 applies from 1 May 2011 on.",
}


class Stub:
    """A client that answers, or fails, as a test says."""

    def __init__(self, result: list[dict[str, Any]] | Exception, *, seconds: float = 0.0) -> None:
        self.result = result
        self.seconds = seconds
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def text(self, query: str, **options: Any) -> list[dict[str, Any]]:
        self.asked.append((query, options))
        time.sleep(self.seconds)
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def provider(stub: Stub, *, timeout: int = 8) -> Ddgs:
    return Ddgs(client=lambda: stub, limiter=RateLimiter(), timeout=timeout)


async def failure_of(stub: Stub) -> SearchFailure:
    with network.restrict("open"), pytest.raises(SearchFailure) as caught:
        await provider(stub).search("q")
    return caught.value


async def test_rows_become_the_common_form() -> None:
    stub = Stub([ROW, {"title": "no address"}])
    with network.restrict("open"):
        page = await provider(stub).search("醉驾", k=4)
    (result,) = page.results
    assert (result.url, result.provider) == ("https://www.court.gov.cn/a", "ddgs")
    ((query, options),) = stub.asked
    assert query == "醉驾" and options["max_results"] == 4
    assert "wikipedia" not in options["backend"]


async def test_days_are_asked_of_the_engine_that_knows_them() -> None:
    stub = Stub([ROW])
    with network.restrict("open"):
        during = DateRange.inclusive(date(2021, 3, 1), date(2021, 3, 31))
        await provider(stub).search("q", during=during)
    options = stub.asked[0][1]
    assert options["timelimit"] == "2021-03-01..2021-03-31"
    assert options["backend"] == "duckduckgo"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (errors.TimeoutException("timed out"), "timeout"),
        (errors.RatelimitException("202"), "throttled"),
        (errors.DDGSException("No results found."), "inconclusive"),
        (errors.DDGSException("ConnectError: refused"), "unreachable"),
        (ValueError("odd page"), "malformed"),
    ],
)
async def test_each_failure_of_the_library_has_its_name(error: Exception, reason: str) -> None:
    assert (await failure_of(Stub(error))).reason == reason


async def test_a_search_that_hangs_is_given_up() -> None:
    stub = Stub([ROW], seconds=0.4)
    with network.restrict("open"), pytest.raises(SearchFailure) as caught:
        slow = Ddgs(client=lambda: stub, limiter=RateLimiter())
        slow._deadline = 0.05  # pyright: ignore[reportPrivateUsage]
        await slow.search("q")
    assert caught.value.reason == "timeout"


@pytest.mark.parametrize("mode", ["off", "loopback"])
async def test_nothing_is_asked_where_the_network_is_off(mode: Any) -> None:
    stub = Stub([ROW])
    with network.restrict(mode), pytest.raises(NetworkForbiddenError):
        await provider(stub).search("q")
    assert not stub.asked


async def test_the_real_library_with_no_way_out_is_unreachable() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{closed.getsockname()[1]}"
    real = Ddgs(client=lambda: library.DDGS(proxy=nowhere, timeout=2), limiter=RateLimiter())
    with network.restrict("open"), pytest.raises(SearchFailure) as caught:
        await real.search("q")
    assert caught.value.reason == "unreachable"


def test_without_the_library_the_message_is_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(module, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"inforce\[web\]"):
        Ddgs()
