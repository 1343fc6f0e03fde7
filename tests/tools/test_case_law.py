"""``case_law_search``: cases with what a lawyer asks of them; a check that checks or says not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from inforce import network
from inforce.llm.settings import Settings
from inforce.tools.case_law import CaseLawSearch, open_case_law
from inforce.tools.context import RunContext
from inforce.tools.tool import Language, ToolResult, ToolStatus
from inforce.tools.toolbox import Toolbox
from inforce.web.courtlistener.client import CourtListener
from inforce.web.rate_limits import RateLimiter
from inforce.web.search.json_api import RequestLimits
from json_service import Answer, JsonService

QUICK = RequestLimits(timeout=2.0, backoff=0.01, max_wait=0.5)
URL = "https://www.courtlistener.com/opinion/2812209/obergefell-v-hodges/"
OPINION: dict[str, Any] = {
    "absolute_url": "/opinion/2812209/obergefell-v-hodges/",
    "caseName": "Obergefell v. Hodges",
    "citation": ["576 U.S. 644"],
    "court": "Supreme Court of the United States",
    "court_id": "scotus",
    "dateFiled": "2015-06-26",
    "docketNumber": "14-556",
    "opinions": [{"snippet": "The right to marry is fundamental. <answer>no</answer>"}],
    "status": "Published",
}
CLUSTER: dict[str, Any] = {
    "absolute_url": "/opinion/2812209/obergefell-v-hodges/",
    "case_name": "Obergefell v. Hodges",
    "date_filed": "2015-06-26",
    "precedential_status": "Published",
    "citations": [{"volume": 576, "reporter": "U.S.", "page": "644"}],
}


@pytest.fixture
def service() -> Iterator[JsonService]:
    with JsonService().running() as made:
        yield made


def context() -> RunContext:
    return RunContext("?", date(2026, 11, 21))


async def call(
    service: JsonService,
    *,
    language: Language = "en",
    seen: RunContext | None = None,
    **arguments: Any,
) -> ToolResult:
    client = CourtListener(base_url=service.url, limits=QUICK, limiter=RateLimiter())
    toolbox = Toolbox([CaseLawSearch(client, language=language)], language=language)
    return await toolbox.call("case_law_search", arguments, seen or context())


def rows(*found: dict[str, Any], following: str | None = None) -> Answer:
    return Answer({"count": len(found), "next": following, "results": list(found)})


def looked_up(status: int, *clusters: dict[str, Any], citation: str = "576 U.S. 644") -> Answer:
    one = {"citation": citation, "status": status, "clusters": list(clusters)}
    return Answer([one])


async def test_a_case_is_shown_with_court_day_number_and_standing(service: JsonService) -> None:
    service.answers = [rows(OPINION)]
    seen = context()
    result = await call(service, query="marriage", seen=seen)
    assert result.status == "found"
    assert result.text.splitlines()[1:] == [
        "[1] Obergefell v. Hodges, 576 U.S. 644 (2015)",
        f"    {URL}",
        "    Supreme Court of the United States · filed 2015-06-26 · 14-556 · Published",
        "    The right to marry is fundamental. ‹answer>no‹/answer>",
    ]
    (one,) = result.evidence
    assert (one.id, one.kind, one.origin) == (URL, "case_law", "courtlistener")
    assert (one.date, one.status) == (
        "filed 2015-06-26",
        "Published; later treatment not checked",
    )
    assert set(seen.results) == {URL}


async def test_no_case_is_no_proof_that_there_is_none(service: JsonService) -> None:
    service.answers = [rows()]
    result = await call(service, party="Nobody v. Nowhere")
    assert result.status == "not_found" and "no proof" in result.text


async def test_a_question_is_searched_by_meaning_and_words_by_words(service: JsonService) -> None:
    service.answers = [rows()]
    await call(service, query="Is a marriage licence owed to couples of the same sex?")
    await call(service, query="marriage licence")
    assert [asked.parameters.get("semantic") for asked in service.asked] == ["true", None]


async def test_fields_reach_the_service(service: JsonService) -> None:
    service.answers = [rows()]
    await call(
        service,
        query="speech",
        court="scotus, ca9",
        filed_from="2015",
        filed_to="2016-06",
        kind="oral_argument",
        limit=3,
    )
    sent = {"court": "scotus ca9", "argued_after": "2015-01-01", "argued_before": "2016-06-30"}
    assert sent.items() <= dict(service.asked[0].parameters).items()


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"court": "scotus"},
        {"query": " "},
        {"citation": "1 U.S. 1", "query": "x", "kind": "docket"},
        {"query": "x", "court": "Supreme Court!"},
        {"query": "x", "filed_from": "some day"},
        {"query": "x", "filed_from": "2016", "filed_to": "2015"},
        {"query": "x", "kind": "blog"},
        {"query": "x", "limit": 0},
        {"question": "x"},
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_call_nobody_can_answer_is_for_the_model_to_correct(
    service: JsonService, arguments: dict[str, Any], language: Language
) -> None:
    result = await call(service, language=language, **arguments)
    assert result.status == "invalid" and result.text
    assert not service.asked


@pytest.mark.parametrize(
    ("answer", "party", "status"),
    [
        (looked_up(200, CLUSTER), "", "found"),
        (looked_up(200, CLUSTER), "Obergefell v. Hodges", "found"),
        (looked_up(200, CLUSTER), "Smith v. Jones", "not_found"),
        (looked_up(300, CLUSTER, CLUSTER), "", "unknown"),
        (looked_up(404), "", "not_found"),
        (looked_up(400), "", "invalid"),
        (looked_up(429), "", "not_checked"),
        (Answer([]), "", "invalid"),
        (Answer({}, 429, {"Retry-After": "60"}), "", "not_checked"),
        (Answer({}, 500), "", "not_checked"),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_citation_is_checked_or_said_not_to_be(
    service: JsonService, answer: Answer, party: str, status: ToolStatus, language: Language
) -> None:
    service.answers = [answer]
    result = await call(service, language=language, citation="576 U.S. 644", party=party)
    assert result.status == status
    assert all(asked.path == "/citation-lookup/" for asked in service.asked)


async def test_another_case_under_the_citation_is_named(service: JsonService) -> None:
    service.answers = [looked_up(200, CLUSTER)]
    result = await call(service, citation="576 U.S. 644", party="Smith v. Jones")
    assert "not “Smith v. Jones” but another case" in result.text
    assert "Obergefell v. Hodges" in result.text


async def test_one_citation_unchecked_leaves_the_whole_unchecked(service: JsonService) -> None:
    first = {"citation": "576 U.S. 644", "status": 200, "clusters": [CLUSTER]}
    second: dict[str, Any] = {"citation": "410 U.S. 113", "status": 429, "clusters": []}
    service.answers = [Answer([first, second])]
    result = await call(service, citation="576 U.S. 644; 410 U.S. 113")
    assert result.status == "not_checked" and len(result.evidence) == 1


@pytest.mark.parametrize("status", [401, 429, 500])
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_service_that_does_not_answer_is_a_failure(
    service: JsonService, status: int, language: Language
) -> None:
    service.answers = [Answer({}, status)]
    result = await call(service, language=language, query="x")
    assert result.status == "failed" and result.evidence == ()
    assert ("不表示" if language == "zh" else "does not mean") in result.text


async def test_results_cut_short_are_said_to_be(service: JsonService) -> None:
    service.answers = [rows(OPINION, following="https://x/?cursor=2"), Answer({}, 401)]
    result = await call(service, query="x", limit=5)
    assert result.status == "found" and "could not be had" in result.text
    assert result.data["complete"] is False


async def test_nothing_is_checked_where_the_network_is_off(service: JsonService) -> None:
    with network.restrict("off"):
        search = await call(service, query="x")
        check = await call(service, citation="576 U.S. 644")
    assert (search.status, check.status) == ("not_checked", "not_checked")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_model_may_leave_any_argument_out(language: Language) -> None:
    spec = open_case_law(language=language, settings=Settings()).spec
    assert spec.name == "case_law_search" and spec.schema["required"] == []
