"""CourtListener's documented replies become cases; citations are checked or said not to be."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from inforce import network
from inforce.dates import DateRange
from inforce.errors import NetworkForbiddenError, UserError
from inforce.web.courtlistener.citations import same_case
from inforce.web.courtlistener.client import CourtListener
from inforce.web.courtlistener.query import CaseQuery
from inforce.web.rate_limits import RateLimiter
from inforce.web.search.json_api import RequestLimits
from inforce.web.search.provider import SearchFailure
from json_service import Answer, Asked, JsonService

TOKEN = "token-never-to-be-shown"
QUICK = RequestLimits(timeout=2.0, max_bytes=500_000, backoff=0.01, max_wait=0.5)

OPINION: dict[str, Any] = {
    "absolute_url": "/opinion/2812209/obergefell-v-hodges/",
    "attorney": "",
    "caseName": "Obergefell v. Hodges",
    "caseNameFull": "",
    "citation": ["576 U.S. 644", "135 S. Ct. 2584"],
    "citeCount": 1234,
    "cluster_id": 2812209,
    "court": "Supreme Court of the United States",
    "court_citation_string": "SCOTUS",
    "court_id": "scotus",
    "dateArgued": "2015-04-28",
    "dateFiled": "2015-06-26",
    "docketNumber": "14-556",
    "docket_id": 1,
    "judge": "Kennedy",
    "meta": {"timestamp": "2024-06-22T10:26:35.320787Z", "score": {"bm25": 2.1}},
    "opinions": [
        {"id": 1, "snippet": "\nThe right to <mark>marry</mark> is fundamental.\n", "type": "lead"},
        {"id": 2, "snippet": "I dissent.", "type": "dissent"},
    ],
    "status": "Published",
    "suitNature": "",
}
DOCKET: dict[str, Any] = {
    "assignedTo": None,
    "attorney": [],
    "caseName": "Bear River Band v. California",
    "case_name_full": "",
    "cause": "42:1983 Civil Rights Act",
    "court": "District Court, S.D. New York",
    "court_id": "nysd",
    "dateFiled": "2020-02-18",
    "docketNumber": "1:20-cv-01234",
    "docket_absolute_url": "/docket/4214664/bear-river-band-v-california/",
    "docket_id": 4214664,
    "meta": {"more_docs": True},
    "recap_documents": [
        {"id": 1, "short_description": "Complaint", "description": "", "snippet": ""},
        {"id": 2, "snippet": "The motion is granted."},
    ],
}
ARGUMENT: dict[str, Any] = {
    "absolute_url": "/audio/1/obergefell-v-hodges/",
    "caseName": "Obergefell v. Hodges",
    "court": "Supreme Court of the United States",
    "court_id": "scotus",
    "dateArgued": "2015-04-28",
    "docketNumber": "14-556",
    "duration": 5000,
    "snippet": "We will hear argument",
}
CLUSTER: dict[str, Any] = {
    "id": 2812209,
    "absolute_url": "/opinion/2812209/obergefell-v-hodges/",
    "case_name": "Obergefell v. Hodges",
    "date_filed": "2015-06-26",
    "precedential_status": "Published",
    "citation_count": 1234,
    "citations": [{"volume": 576, "reporter": "U.S.", "page": "644", "type": 1}],
    "judges": "Kennedy",
}


def lookup(
    status: int, *clusters: dict[str, Any], citation: str = "576 U.S. 644"
) -> dict[str, Any]:
    return {
        "citation": citation,
        "normalized_citations": [citation] if status != 400 else [],
        "start_index": 0,
        "end_index": len(citation),
        "status": status,
        "error_message": "",
        "clusters": list(clusters),
    }


@pytest.fixture
def service() -> Iterator[JsonService]:
    with JsonService().running() as made:
        yield made


def client(service: JsonService, token: str = TOKEN) -> CourtListener:
    base = f"{service.url}/api/rest/v4"
    return CourtListener(token, base_url=base, limits=QUICK, limiter=RateLimiter())


def found(*rows: dict[str, Any], following: str | None = None, count: int | None = None) -> Answer:
    total = len(rows) if count is None else count
    return Answer({"count": total, "next": following, "previous": None, "results": list(rows)})


async def test_an_opinion_keeps_what_a_lawyer_asks_of_it(service: JsonService) -> None:
    service.answers = [found(OPINION)]
    page = await client(service).search(CaseQuery(keywords="marriage"))
    (case,) = page.cases
    assert case.caption == "Obergefell v. Hodges, 576 U.S. 644 (2015)"
    assert case.citations == ("576 U.S. 644", "135 S. Ct. 2584")
    assert (case.court, case.court_id) == ("Supreme Court of the United States", "scotus")
    assert (case.filed, case.argued) == (date(2015, 6, 26), date(2015, 4, 28))
    assert (case.docket_number, case.precedential_status) == ("14-556", "Published")
    assert (case.judge, case.cite_count) == ("Kennedy", 1234)
    result = case.result
    assert result.url == "https://www.courtlistener.com/opinion/2812209/obergefell-v-hodges/"
    assert result.snippet == "The right to marry is fundamental. … I dissent."
    assert (result.date, result.kind, result.provider) == ("2015-06-26", "opinion", "courtlistener")
    assert result.authority == "primary"


async def test_a_docket_comes_with_its_documents(service: JsonService) -> None:
    service.answers = [found(DOCKET)]
    query = CaseQuery(party="Bear River Band", kind="filing")
    (case,) = (await client(service).search(query)).cases
    assert case.result.url.endswith("/docket/4214664/bear-river-band-v-california/")
    assert case.result.snippet == "Complaint … The motion is granted."
    assert case.caption == (
        "Bear River Band v. California, 1:20-cv-01234 (District Court, S.D. New York 2020)"
    )


async def test_an_oral_argument_is_dated_by_its_hearing(service: JsonService) -> None:
    service.answers = [found(ARGUMENT)]
    query = CaseQuery(docket_number="14-556", kind="oral_argument")
    (case,) = (await client(service).search(query)).cases
    assert (case.result.kind, case.result.date) == ("oral_argument", "2015-04-28")
    assert case.filed is None


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        (CaseQuery(keywords="a b"), {"type": "o", "q": "a b", "stat_Unpublished": "on"}),
        (CaseQuery(party="Roe"), {"type": "o", "case_name": "Roe"}),
        (CaseQuery(citation="410 U.S. 113"), {"type": "o", "citation": "410 U.S. 113"}),
        (CaseQuery(party="Roe", kind="filing"), {"type": "r", "party_name": "Roe"}),
        (CaseQuery(docket_number="1:20-cv-1", kind="docket"), {"type": "d"}),
        (CaseQuery(keywords="a", courts=("scotus", "ca9")), {"court": "scotus ca9"}),
        (CaseQuery(keywords="what is it?", matching="meaning"), {"semantic": "true"}),
        (
            CaseQuery(
                keywords="a", during=DateRange.inclusive(date(2015, 1, 1), date(2015, 6, 30))
            ),
            {"filed_after": "2015-01-01", "filed_before": "2015-06-30"},
        ),
        (
            CaseQuery(keywords="a", during=DateRange(date(2015, 1, 1), None), kind="oral_argument"),
            {"type": "oa", "argued_after": "2015-01-01"},
        ),
    ],
    ids=str,
)
async def test_each_field_is_asked_in_the_words_of_the_service(
    service: JsonService, query: CaseQuery, sent: dict[str, str]
) -> None:
    service.answers = [found()]
    await client(service).search(query)
    (asked,) = service.asked
    assert asked.path == "/api/rest/v4/search/"
    assert sent.items() <= dict(asked.parameters).items()
    assert asked.headers["authorization"] == f"Token {TOKEN}"


async def test_without_a_token_none_is_sent(service: JsonService) -> None:
    service.answers = [found()]
    await client(service, token="").search(CaseQuery(keywords="a"))
    assert "authorization" not in service.asked[0].headers


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"courts": ("scotus",)},
        {"citation": "1 U.S. 1", "kind": "docket"},
        {"keywords": "a", "courts": ("Supreme Court",)},
    ],
)
def test_a_query_that_looks_for_nothing_or_in_the_wrong_place_is_refused(
    fields: dict[str, Any],
) -> None:
    with pytest.raises(UserError):
        CaseQuery(**fields)


def pages_of(service: JsonService, pages: int, *, host: str = "") -> None:
    """Pages of two opinions each, chained by cursors, and the last without one."""

    def reply(asked: Asked) -> Answer:
        number = int(asked.parameters.get("cursor", "0"))
        address = f"{host or service.url}/api/rest/v4/search/?q=a&type=o&cursor={number + 1}"
        following = address if number + 1 < pages else None
        rows = [{**OPINION, "caseName": f"Case {2 * number + n}"} for n in range(2)]
        return found(*rows, following=following, count=2 * pages)

    service.reply = reply


async def test_pages_are_followed_by_cursor_as_far_as_asked(service: JsonService) -> None:
    pages_of(service, 10)
    page = await client(service).search(CaseQuery(keywords="a"), limit=5)
    assert [case.case_name for case in page.cases] == [f"Case {n}" for n in range(5)]
    assert [case.result.rank for case in page.cases] == [1, 2, 3, 4, 5]
    assert len(service.asked) == 3 and page.total == 20 and page.stopped is None


async def test_the_last_page_ends_the_search(service: JsonService) -> None:
    pages_of(service, 2)
    page = await client(service).search(CaseQuery(keywords="a"), limit=100)
    assert len(page.cases) == 4 and page.stopped is None


async def test_the_token_never_follows_a_link_to_another_host(service: JsonService) -> None:
    pages_of(service, 2, host="http://evil.example")
    page = await client(service).search(CaseQuery(keywords="a"), limit=4)
    assert len(page.cases) == 4
    assert len(service.asked) == 2


async def test_a_cursor_that_runs_in_circles_ends_the_search(service: JsonService) -> None:
    service.answers = [found(OPINION, following="https://x/?cursor=same")]
    page = await client(service).search(CaseQuery(keywords="a"), limit=50)
    assert len(service.asked) == 2 and len(page.cases) == 2


async def test_a_later_page_that_fails_is_said_with_what_there_is(service: JsonService) -> None:
    service.answers = [
        found(OPINION, following="https://x/?cursor=2", count=40),
        Answer({"detail": "throttled"}, 429, {"Retry-After": "3600"}),
    ]
    page = await client(service).search(CaseQuery(keywords="a"), limit=20)
    assert len(page.cases) == 1
    assert page.stopped is not None
    assert (page.stopped.reason, page.stopped.retry_after) == ("throttled", 3600.0)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer({"detail": "Invalid token."}, 401), "key"),
        (Answer({"detail": "no"}, 403), "key"),
        (Answer({"detail": "throttled"}, 429, {"Retry-After": "85774"}), "throttled"),
        (Answer({}, 400), "bad_query"),
        (Answer({}, 500), "unreachable"),
        (Answer(body=b"<html>Checking your browser</html>"), "malformed"),
        (Answer({"detail": "hello"}), "malformed"),
        (Answer({"results": [{"caseName": 7}]}), "malformed"),
        (Answer(body=b" " * 600_000), "too_large"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.status}",
)
async def test_a_search_that_was_not_answered_is_a_failure_not_an_empty_page(
    service: JsonService, answer: Answer, reason: str
) -> None:
    service.answers = [answer]
    with pytest.raises(SearchFailure) as caught:
        await client(service).search(CaseQuery(keywords="a"))
    assert caught.value.reason == reason
    assert TOKEN not in str(caught.value)


@pytest.mark.parametrize("path", ["//evil.example/x", "https://evil.example/x", "opinion/1/", ""])
async def test_an_address_that_leads_elsewhere_is_dropped(service: JsonService, path: str) -> None:
    service.answers = [found({**OPINION, "absolute_url": path})]
    (case,) = (await client(service).search(CaseQuery(keywords="a"))).cases
    assert case.result.url == "" and case.case_name


async def test_dates_the_service_does_not_state_are_unknown(service: JsonService) -> None:
    row = {**OPINION, "dateFiled": None, "dateArgued": "2015"}
    service.answers = [found(row)]
    (case,) = (await client(service).search(CaseQuery(keywords="a"))).cases
    assert (case.filed, case.argued, case.result.date) == (None, None, "")


async def test_a_daily_budget_is_kept(service: JsonService) -> None:
    service.answers = [found()]
    base = f"{service.url}/budgeted"
    spent = CourtListener(TOKEN, base_url=base, limits=QUICK, budget=1)
    await spent.search(CaseQuery(keywords="a"))
    with pytest.raises(SearchFailure, match="too many requests"):
        await spent.search(CaseQuery(keywords="b"))
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (lookup(200, CLUSTER), "found"),
        (lookup(300, CLUSTER, {**CLUSTER, "case_name": "Another v. Case"}), "ambiguous"),
        (lookup(404), "not_found"),
        (lookup(400), "unreadable"),
        (lookup(429), "not_checked"),
        (lookup(503), "not_checked"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value['status']}",
)
async def test_a_citation_has_one_of_its_statuses(
    service: JsonService, answer: dict[str, Any], status: str
) -> None:
    service.answers = [Answer([answer])]
    (check,) = await client(service).look_up("576 U.S. 644")
    assert (check.citation, check.status) == ("576 U.S. 644", status)
    assert len(check.cases) == len(answer["clusters"])
    assert bool(check.why) == (status == "not_checked")
    assert service.asked[0].form == {"text": "576 U.S. 644"}


async def test_a_found_citation_brings_its_case(service: JsonService) -> None:
    service.answers = [Answer([lookup(200, CLUSTER)])]
    (check,) = await client(service).look_up("576 U.S. 644")
    (case,) = check.cases
    assert case.caption == "Obergefell v. Hodges, 576 U.S. 644 (2015)"
    assert case.result.url.endswith("/opinion/2812209/obergefell-v-hodges/")


@pytest.mark.parametrize(
    ("named", "match"),
    [
        ("", "not_compared"),
        ("Obergefell v. Hodges", "same"),
        ("OBERGEFELL ET AL. v. HODGES, DIRECTOR", "same"),
        ("Obergefell", "same"),
        ("Smith v. Jones", "different"),
        ("Smith v. Hodges", "different"),
    ],
)
async def test_a_citation_of_another_case_than_named_is_seen(
    service: JsonService, named: str, match: str
) -> None:
    service.answers = [Answer([lookup(200, CLUSTER)])]
    (check,) = await client(service).look_up("576 U.S. 644", case_name=named)
    assert check.name == match


@pytest.mark.parametrize("empty", [[], {}])
async def test_a_text_without_citations_is_unreadable_not_checked_off(
    service: JsonService, empty: Any
) -> None:
    service.answers = [Answer(empty)]
    (check,) = await client(service).look_up("no citation here")
    assert check.status == "unreadable"


async def test_each_citation_of_a_text_has_its_own_status(service: JsonService) -> None:
    service.answers = [
        Answer([lookup(200, CLUSTER), lookup(404, citation="999 U.S. 999"), lookup(429)])
    ]
    checks = await client(service).look_up("576 U.S. 644; 999 U.S. 999; …")
    assert [check.status for check in checks] == ["found", "not_found", "not_checked"]


@pytest.mark.parametrize(
    "answer",
    [
        Answer({"wait_until": "2026-11-21T10:00:00Z"}, 429, {"Retry-After": "50"}),
        Answer({}, 500),
        Answer({}, 401),
        Answer(body=b"<html>"),
    ],
    ids=lambda answer: str(answer.status),
)
async def test_a_citation_the_service_did_not_look_at_was_not_checked(
    service: JsonService, answer: Answer
) -> None:
    service.answers = [answer]
    (check,) = await client(service).look_up("576 U.S. 644")
    assert check.status == "not_checked" and check.why and not check.cases
    if answer.status == 429:
        assert check.retry_after == 50.0 and "2026-11-21T10:00:00" in check.why


async def test_a_text_too_long_to_look_up_is_not_sent(service: JsonService) -> None:
    (check,) = await client(service).look_up("576 U.S. 644 " * 6_000)
    assert check.status == "not_checked" and not service.asked


async def test_nothing_is_asked_where_the_network_is_off(service: JsonService) -> None:
    with network.restrict("off"):
        with pytest.raises(NetworkForbiddenError):
            await client(service).look_up("576 U.S. 644")
        with pytest.raises(NetworkForbiddenError):
            await client(service).search(CaseQuery(keywords="a"))
    assert not service.asked


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("Roe v. Wade", "Jane ROE, et al. v. Henry WADE", True),
        ("Brown v. Board of Education", "Brown v. Board of Education of Topeka", True),
        ("Marbury vs Madison", "Marbury v. Madison", True),
        ("United States v. Jones", "United States v. Smith", False),
        ("In re Gault", "In re Gault", True),
        ("Roe v. Wade", "Doe v. Bolton", False),
    ],
)
def test_two_names_are_of_one_case_if_both_parties_agree(left: str, right: str, same: bool) -> None:
    assert same_case(left, right) is same
    assert same_case(right, left) is same
