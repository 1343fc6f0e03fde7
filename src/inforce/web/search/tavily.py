"""Tavily: a search service made for language models (a key is needed)."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

import msgspec

from inforce.dates import DateRange
from inforce.web.search.json_api import JsonApi, Limits
from inforce.web.search.normalising import Asked, Found, as_page, utc_now
from inforce.web.search.pace import Pace, Rate, shared_pace
from inforce.web.search.provider import DEFAULT_K, SearchFailure, SearchPage

BASE_URL: Final = "https://api.tavily.com"
LONGEST_QUERY: Final = 400
"""Characters; a longer query is refused by the service."""
MOST_RESULTS: Final = 20
_RATE: Final = Rate(100, 60.0)


class _Result(msgspec.Struct):
    url: str
    title: str | None = None
    content: str | None = None
    published_date: str | None = None


class _Reply(msgspec.Struct):
    results: list[_Result]


class Tavily:
    """api.tavily.com.

    Args:
        key: the account's key.
        base_url: another address, for tests.
    """

    name = "tavily"
    spec = "tavily"

    def __init__(
        self,
        key: str,
        *,
        base_url: str = BASE_URL,
        limits: Limits | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._api = JsonApi(
            "Tavily",
            base_url,
            headers={"Authorization": f"Bearer {key}"},
            pace=pace or shared_pace(self.spec, _RATE),
            limits=limits,
        )

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        """See `inforce.web.search.provider.SearchProvider.search`."""
        if len(query) > LONGEST_QUERY:
            message = f"Tavily takes queries of up to {LONGEST_QUERY} characters: shorten it"
            raise SearchFailure("bad_query", message)
        body: dict[str, Any] = {"query": query, "max_results": min(k, MOST_RESULTS)}
        reply = await self._api.post("/search", body | _days(during), _Reply)
        found = [
            Found(one.title or "", one.url, one.content or "", one.published_date or "")
            for one in reply.results
        ]
        return as_page(found, Asked(self.name, query, k, during, utc_now()))


def _days(during: DateRange | None) -> dict[str, str]:
    if during is None:
        return {}
    first = {} if during.start == date.min else {"start_date": during.start.isoformat()}
    return first | ({"end_date": during.last.isoformat()} if during.last else {})
