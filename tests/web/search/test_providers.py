"""Every service in its documented form, and every way it can fail: never an empty page."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from gzip import compress
from typing import Any

import pytest

from inforce import network
from inforce.dates import DateRange
from inforce.errors import NetworkForbiddenError, UserError
from inforce.web.rate_limits import Rate, RateLimiter
from inforce.web.search.json_api import RequestLimits
from inforce.web.search.provider import SearchFailure, SearchProvider
from inforce.web.search.services import Searxng, Serper, Tavily
from json_service import Answer, JsonService

KEY = "key-never-to-be-shown"
QUICK = RequestLimits(timeout=2.0, max_bytes=100_000, backoff=0.01, max_wait=0.5)
SNIPPET = "The final rule takes effect on February 27, 2026 for all petitions."
MARCH = DateRange.inclusive(date(2021, 3, 1), date(2021, 3, 31))


@dataclass(frozen=True)
class Case:
    """A service: how it is made, and what it answers."""

    name: str
    make: Callable[[str, RequestLimits], SearchProvider]
    good: dict[str, Any]
    empty: dict[str, Any]


def serper(url: str, limits: RequestLimits = QUICK) -> Serper:
    return Serper(KEY, base_url=url, limits=limits, limiter=RateLimiter())


def tavily(url: str, limits: RequestLimits = QUICK) -> Tavily:
    return Tavily(KEY, base_url=url, limits=limits, limiter=RateLimiter())


def searxng(url: str, limits: RequestLimits = QUICK) -> Searxng:
    return Searxng(url, limits=limits, limiter=RateLimiter())


URL = "https://www.uscis.gov/h-1b?utm_source=google#top"
CASES = [
    Case(
        "serper",
        serper,
        {
            "searchParameters": {"q": "q", "type": "search"},
            "answerBox": {"snippet": "not a result"},
            "organic": [
                {
                    "title": "H-1B &amp; you",
                    "link": URL,
                    "snippet": SNIPPET,
                    "date": "Mar 3, 2021",
                    "position": 1,
                    "sitelinks": [{"title": "x", "link": "y"}],
                }
            ],
        },
        {"organic": []},
    ),
    Case(
        "tavily",
        tavily,
        {
            "query": "q",
            "answer": None,
            "images": [],
            "results": [
                {
                    "title": "H-1B &amp; you",
                    "url": URL,
                    "content": SNIPPET,
                    "score": 0.9,
                    "raw_content": None,
                    "published_date": "Wed, 03 Mar 2021 10:00:00 GMT",
                }
            ],
            "response_time": 1.2,
        },
        {"results": []},
    ),
    Case(
        "searxng",
        searxng,
        {
            "query": "q",
            "number_of_results": 0,
            "results": [
                {
                    "title": "H-1B &amp; you",
                    "url": URL,
                    "content": SNIPPET,
                    "engine": "brave",
                    "publishedDate": "2021-03-03T00:00:00",
                }
            ],
            "unresponsive_engines": [["google", "timeout"]],
        },
        {"results": [], "unresponsive_engines": []},
    ),
]
every_service = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


async def failure_of(provider: SearchProvider, query: str = "q") -> SearchFailure:
    with pytest.raises(SearchFailure) as caught:
        await provider.search(query)
    assert KEY not in str(caught.value) + repr(caught.value)
    return caught.value


@every_service
async def test_a_reply_becomes_the_common_form(case: Case, service: JsonService) -> None:
    service.answers = [Answer(case.good)]
    page = await case.make(service.url, QUICK).search("q")
    (result,) = page.results
    assert (result.title, result.url, result.snippet) == (
        "H-1B & you",
        "https://www.uscis.gov/h-1b",
        SNIPPET,
    )
    assert (result.site, result.date, result.rank) == ("uscis.gov", "2021-03-03", 1)
    assert result.provider == page.provider == case.name
    assert datetime.now(UTC) - page.fetched_at < timedelta(minutes=1)


@every_service
async def test_no_results_is_an_empty_page(case: Case, service: JsonService) -> None:
    service.answers = [Answer(case.empty)]
    assert (await case.make(service.url, QUICK).search("q")).results == ()


@every_service
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer({}, 400), "refused"),
        (Answer({}, 404), "refused"),
        (Answer({}, 302, {"Location": "https://elsewhere.example/"}), "malformed"),
        (Answer(body=b"<html>Sign in</html>"), "malformed"),
        (Answer(body=b""), "malformed"),
        (Answer(body=b'{"organic": [{"link": '), "malformed"),
        (Answer(body=b"\xff\xfe{}"), "malformed"),
        (Answer(body=b"[" * 50_000), "malformed"),
        (Answer({"results": "none", "organic": 7}), "malformed"),
        (Answer({"message": "hello"}), "malformed"),
        (Answer({"results": [{"url": "nonsense"}], "organic": [{"link": "x"}]}), "malformed"),
        (Answer(body=b" " * 200_000), "too_large"),
        (
            Answer(body=compress(b" " * 10_000_000), headers={"Content-Encoding": "gzip"}),
            "too_large",
        ),
        (Answer(body=b"not packed", headers={"Content-Encoding": "gzip"}), "malformed"),
        (Answer(body=b"{}", headers={"Content-Encoding": "br"}), "malformed"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.status}-{len(value.sent)}",
)
async def test_a_reply_that_cannot_be_used_is_a_failure_and_not_asked_for_again(
    case: Case, service: JsonService, answer: Answer, reason: str
) -> None:
    service.answers = [answer]
    assert (await failure_of(case.make(service.url, QUICK))).reason == reason
    assert len(service.asked) == 1


@every_service
@pytest.mark.parametrize(("status", "reason"), [(500, "unreachable"), (503, "unreachable")])
async def test_a_service_out_of_order_is_asked_three_times(
    case: Case, service: JsonService, status: int, reason: str
) -> None:
    service.answers = [Answer({}, status)]
    assert (await failure_of(case.make(service.url, QUICK))).reason == reason
    assert len(service.asked) == 3


@every_service
async def test_a_service_that_recovers_is_answered_from(case: Case, service: JsonService) -> None:
    service.answers = [Answer({}, 500), Answer({}, 429, {"Retry-After": "0"}), Answer(case.good)]
    assert len((await case.make(service.url, QUICK).search("q")).results) == 1


@every_service
@pytest.mark.parametrize("status", [401, 402, 432, 433])
async def test_a_key_or_quota_the_person_must_see_to_is_not_tried_again(
    case: Case, service: JsonService, status: int
) -> None:
    service.answers = [Answer({}, status)]
    failure = await failure_of(case.make(service.url, QUICK))
    assert failure.reason == ("key" if status == 401 else "quota")
    assert len(service.asked) == 1


@every_service
async def test_too_many_requests_says_when_to_come_back_and_does_not_wait_for_ever(
    case: Case, service: JsonService
) -> None:
    service.answers = [Answer({}, 429, {"Retry-After": "85774"})]
    failure = await failure_of(case.make(service.url, QUICK))
    assert (failure.reason, failure.retry_after) == ("throttled", 85774.0)
    assert len(service.asked) == 1


async def test_a_retry_after_in_the_form_of_a_date_is_understood(service: JsonService) -> None:
    then = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    service.answers = [Answer({}, 429, {"Retry-After": then})]
    failure = await failure_of(serper(service.url))
    assert failure.retry_after == pytest.approx(3600, abs=5)


async def test_a_retry_after_that_says_nothing_is_left_alone(service: JsonService) -> None:
    service.answers = [Answer({}, 429, {"Retry-After": "later"}), Answer(CASES[0].good)]
    assert (await serper(service.url).search("q")).results


@every_service
async def test_a_reply_that_drips_is_given_up_in_time(case: Case, service: JsonService) -> None:
    service.answers = [Answer(case.good, slow=0.05)]
    limits = RequestLimits(timeout=0.2, attempts=1)
    assert (await failure_of(case.make(service.url, limits))).reason == "timeout"


@every_service
async def test_a_server_that_is_not_there_is_unreachable(case: Case) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
    assert (await failure_of(case.make(url, QUICK))).reason == "unreachable"


@every_service
async def test_nothing_is_sent_where_the_network_is_off(case: Case, service: JsonService) -> None:
    with network.restrict("off"), pytest.raises(NetworkForbiddenError):
        await case.make(service.url, QUICK).search("q")
    assert not service.asked


async def test_nothing_leaves_this_machine_where_only_loopback_is_allowed() -> None:
    with network.restrict("loopback"), pytest.raises(NetworkForbiddenError):
        await Serper(KEY, limits=QUICK, limiter=RateLimiter()).search("q")


async def test_the_pace_holds_for_retries_too_and_a_long_queue_is_refused(
    service: JsonService,
) -> None:
    service.answers = [Answer(CASES[0].good)]
    limiter = RateLimiter(Rate(2, 3600.0))
    provider = Serper(KEY, base_url=service.url, limits=QUICK, limiter=limiter)
    await provider.search("a")
    await provider.search("b")
    failure = await failure_of(provider, "c")
    assert failure.reason == "throttled" and failure.retry_after is not None
    assert len(service.asked) == 2


async def test_serper_is_sent_key_query_number_and_days(service: JsonService) -> None:
    service.answers = [Answer(CASES[0].good)]
    await serper(service.url).search("遗嘱 公证", k=7, during=MARCH)
    (asked,) = service.asked
    assert (asked.method, asked.path, asked.headers["x-api-key"]) == ("POST", "/search", KEY)
    assert asked.json == {
        "q": "遗嘱 公证",
        "num": 7,
        "tbs": "cdr:1,cd_min:3/1/2021,cd_max:3/31/2021",
    }


async def test_a_serper_account_without_credits_is_a_spent_quota(service: JsonService) -> None:
    service.answers = [Answer({"message": "Not enough credits", "statusCode": 400}, 400)]
    assert (await failure_of(serper(service.url))).reason == "quota"


async def test_tavily_is_sent_key_query_number_and_days(service: JsonService) -> None:
    service.answers = [Answer(CASES[1].good)]
    await tavily(service.url).search("q", k=50, during=MARCH)
    (asked,) = service.asked
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.json == {
        "query": "q",
        "max_results": 20,
        "start_date": "2021-03-01",
        "end_date": "2021-03-31",
    }


async def test_a_query_longer_than_tavily_takes_is_for_the_asker_to_shorten(
    service: JsonService,
) -> None:
    assert (await failure_of(tavily(service.url), "q" * 401)).reason == "bad_query"
    assert not service.asked


async def test_searxng_is_asked_for_json(service: JsonService) -> None:
    service.answers = [Answer(CASES[2].good)]
    await searxng(f"{service.url}/search/").search("q & a")
    (asked,) = service.asked
    assert (asked.path, asked.parameters) == ("/search", {"q": "q & a", "format": "json"})


async def test_a_searxng_whose_engines_are_silent_does_not_say_that_there_is_nothing(
    service: JsonService,
) -> None:
    service.answers = [Answer({"results": [], "unresponsive_engines": [["brave", "CAPTCHA"]]})]
    assert (await failure_of(searxng(service.url))).reason == "inconclusive"


async def test_a_searxng_that_gives_no_json_says_what_its_operator_must_do(
    service: JsonService,
) -> None:
    service.answers = [Answer(body=b"Forbidden", status=403)]
    failure = await failure_of(searxng(service.url))
    assert failure.reason == "refused" and "search.formats" in str(failure)


@pytest.mark.parametrize("url", ["", "localhost:8888", "ftp://x.org", "http://", "http://[::1"])
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(UserError, match="http"):
        searxng(url)


@pytest.mark.parametrize("key", ["clé", "a\nb", "a\x00"])
def test_a_key_no_header_may_carry_is_refused_without_being_quoted(key: str) -> None:
    with pytest.raises(UserError) as caught:
        Serper(key)
    assert key not in str(caught.value)


async def test_the_key_is_in_no_log_line(
    service: JsonService, caplog: pytest.LogCaptureFixture
) -> None:
    service.answers = [Answer({}, 500)]
    with caplog.at_level(logging.DEBUG):
        await failure_of(serper(service.url))
    assert caplog.records and KEY not in caplog.text


async def test_a_search_that_is_given_up_leaves_the_others_alone(service: JsonService) -> None:
    service.answers = [Answer(CASES[0].good, slow=0.001)]
    provider = serper(service.url)
    given_up = asyncio.create_task(provider.search("a"))
    await asyncio.sleep(0)
    given_up.cancel()
    assert (await provider.search("b")).results
    with pytest.raises(asyncio.CancelledError):
        await given_up


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_key_that_a_reply_repeats_is_in_no_result(case: Case, service: JsonService) -> None:
    if case.name == "searxng":
        return
    repeated = json.loads(json.dumps(case.good).replace(SNIPPET, f"{SNIPPET} {KEY}"))
    service.answers = [Answer(repeated)]
    page = await case.make(service.url, QUICK).search("q")
    assert page.results[0].snippet == f"{SNIPPET} …"


@pytest.mark.parametrize("url", ["http://user:hunter2@a.example", "http://a.example/?k=hunter2"])
def test_a_searxng_address_with_a_password_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(UserError, match="INFORCE_SEARXNG_LOGIN") as raised:
        Searxng(url)
    assert "hunter2" not in str(raised.value)


async def test_the_login_of_a_searxng_is_sent_and_in_no_name(
    service: JsonService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFORCE_SEARXNG_LOGIN", "user:hunter2")
    service.answers = [Answer({"results": []})]
    instance = searxng(service.url)
    await instance.search("q")
    assert service.asked[0].headers["authorization"] == "Basic dXNlcjpodW50ZXIy"
    assert instance.spec == f"searxng:{service.url}"
