"""A client of CourtListener's REST API, version 4: searches, page by page, and citation look-ups.

The service limits requests; this client stays below its limits for anonymous users, and honours
``Retry-After``. A token from courtlistener.com lifts the limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast
from urllib.parse import parse_qs, urlsplit

import msgspec

from inforce.web.courtlistener.cases import CaseResult, Row, case_of
from inforce.web.courtlistener.citations import CitationCheck, LookedUp, checked, unchecked
from inforce.web.courtlistener.query import CaseQuery
from inforce.web.rate_limits import Rate, RateLimiter, shared_limiter
from inforce.web.search.json_api import JsonApi, Refusal, RequestLimits
from inforce.web.search.normalising import utc_now
from inforce.web.search.provider import SearchFailure

BASE_URL: Final = "https://www.courtlistener.com/api/rest/v4"
TOKEN_VARIABLE: Final = "COURTLISTENER_TOKEN"
DEFAULT_LIMIT: Final = 10
MAX_CASES: Final = 100
MAX_LOOKUP: Final = 64_000
"""Characters of text the citation look-up takes."""

_ANONYMOUS: Final = Rate(5, 60.0)
_WITH_TOKEN: Final = Rate(60, 60.0)
_LIMITS: Final = RequestLimits(timeout=20.0, attempts=2, max_wait=30.0)
"""Together they stay below the time a tool call may take."""


@dataclass(frozen=True, slots=True)
class CasePage:
    """The cases a search found, best first."""

    cases: tuple[CaseResult, ...]
    query: CaseQuery
    fetched_at: datetime
    """Aware, UTC."""
    total: int | None
    """How many the service counts; an estimate above 2,000, ``None`` where it does not say."""
    stopped: SearchFailure | None = None
    """Why there are fewer than asked for although there are more; ``None``: nothing went wrong."""


class _Reply(msgspec.Struct):
    results: list[Row]
    count: int | None = None
    next: str | None = None


class CourtListener:
    """The service.

    Args:
        token: of an account, or empty: the service then answers fewer requests.
        base_url: another address, for tests.
        budget: requests this process may send in a day, if you want to keep below a plan's limit.
    """

    def __init__(
        self,
        token: str = "",
        *,
        base_url: str = BASE_URL,
        limits: RequestLimits | None = None,
        limiter: RateLimiter | None = None,
        budget: int | None = None,
    ) -> None:
        rates = [_WITH_TOKEN if token else _ANONYMOUS]
        if budget is not None:
            rates.append(Rate(budget, 86_400.0))
        self._api = JsonApi(
            "CourtListener",
            base_url,
            headers={"Authorization": f"Token {token}"} if token else {},
            limiter=limiter or shared_limiter(f"courtlistener {base_url}", *rates),
            limits=limits or _LIMITS,
            explain=_explain,
        )

    async def search(self, query: CaseQuery, *, limit: int = DEFAULT_LIMIT) -> CasePage:
        """The best cases, up to ``limit`` (at most 100), fetched in as many pages as it takes.

        Raises:
            SearchFailure: if the first page could not be had. A later one that fails ends the
                search: the page says so.
            NetworkForbiddenError: if the service may not be reached.
        """
        most = max(1, min(limit, MAX_CASES))
        reply = await self._rows(query, "")
        rows, stopped = list(reply.results), None
        total, cursor = reply.count, _cursor(reply.next)
        visited = {""}
        while len(rows) < most and cursor and cursor not in visited:
            visited.add(cursor)
            try:
                reply = await self._rows(query, cursor)
            except SearchFailure as failure:
                stopped = failure
                break
            rows += reply.results
            cursor = _cursor(reply.next)
        cases = [case_of(row, kind=query.kind, rank=n) for n, row in enumerate(rows[:most], 1)]
        return CasePage(tuple(cases), query, utc_now(), total, stopped)

    async def look_up(self, text: str, *, case_name: str = "") -> tuple[CitationCheck, ...]:
        """Every citation in a text, looked up: found, not found, ambiguous, or not checked.

        A citation of another case than named is a wrong citation: with ``case_name`` (for a text
        of one citation) each check says whether the names agree.

        Raises:
            NetworkForbiddenError: if the service may not be reached.
        """
        if len(text) > MAX_LOOKUP:
            too_long = SearchFailure("bad_query", f"longer than {MAX_LOOKUP:,} characters")
            return (unchecked(text, too_long),)
        try:
            found = await self._api.post_form("/citation-lookup/", {"text": text}, _LOOKUP)
        except SearchFailure as failure:
            return (unchecked(text, failure),)
        if not isinstance(found, list) or not found:
            return (checked(LookedUp(text.strip(), status=400), case_name=case_name),)
        return tuple(checked(one, case_name=case_name) for one in found)

    async def _rows(self, query: CaseQuery, cursor: str) -> _Reply:
        parameters = query.parameters | ({"cursor": cursor} if cursor else {})
        return await self._api.get("/search/", parameters, _Reply)


_Lookup = list[LookedUp] | dict[str, str]
"""A text without citations is answered with an empty list or an empty object."""

_LOOKUP = cast("type[_Lookup]", _Lookup)


def _cursor(following: str | None) -> str:
    """The cursor of the next page; its address is not followed, so that a token stays here."""
    try:
        return parse_qs(urlsplit(following or "").query).get("cursor", [""])[0]
    except ValueError:
        return ""


class _Wait(msgspec.Struct):
    wait_until: datetime | None = None


def _explain(status: int, body: bytes) -> Refusal | None:
    """Statuses of this service that mean something of their own."""
    if status in (401, 403):
        message = f"CourtListener answered HTTP {status}: check the token in {TOKEN_VARIABLE}"
        return Refusal("key", message)
    if status == 429:
        return Refusal("throttled", f"CourtListener allows no more requests for now{_until(body)}")
    if status == 400:
        return Refusal("bad_query", "CourtListener could not read the query: simplify it")
    return None


def _until(body: bytes) -> str:
    try:
        until = msgspec.json.decode(body, type=_Wait).wait_until
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return ""
    return f" (until {until.isoformat(timespec='seconds')})" if until else ""
