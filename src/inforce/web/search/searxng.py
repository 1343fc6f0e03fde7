"""A SearXNG instance: a metasearch engine anyone can run, asked for JSON."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from inforce.dates import DateRange
from inforce.web.search.json_api import JsonApi, Limits, Refusal
from inforce.web.search.normalising import Asked, Found, as_page, utc_now
from inforce.web.search.pace import Pace, Rate, shared_pace
from inforce.web.search.provider import DEFAULT_K, SearchFailure, SearchPage

_RATE: Final = Rate(2, 1.0)


class _Result(msgspec.Struct):
    url: str | None = None
    title: str | None = None
    content: str | None = None
    publishedDate: str | None = None  # the service's own spelling


class _Reply(msgspec.Struct):
    results: list[_Result]
    unresponsive_engines: list[Any] = []


class Searxng:
    """An instance by its address.

    It cannot be asked for the pages of given days: results known to be of others are left out.

    Args:
        url: the instance, without ``/search``; your own may be on this machine or network.
    """

    name = "searxng"

    def __init__(self, url: str, *, limits: Limits | None = None, pace: Pace | None = None) -> None:
        base = url.rstrip("/").removesuffix("/search")
        self.spec = f"searxng:{base}"
        self._api = JsonApi(
            "SearXNG",
            base,
            pace=pace or shared_pace(self.spec, _RATE),
            limits=limits,
            explain=_explain,
        )

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        """See `inforce.web.search.provider.SearchProvider.search`."""
        reply = await self._api.get("/search", {"q": query, "format": "json"}, _Reply)
        if not reply.results and reply.unresponsive_engines:
            count = len(reply.unresponsive_engines)
            message = f"no engine of the SearXNG instance gave results, and {count} did not answer"
            raise SearchFailure("inconclusive", message)
        found = [
            Found(one.title or "", one.url or "", one.content or "", one.publishedDate or "")
            for one in reply.results
        ]
        return as_page(found, Asked(self.name, query, k, during, utc_now()))


def _explain(status: int, body: bytes) -> Refusal | None:
    """There is no key: 403 is the answer of an instance that does not give JSON."""
    if status != 403:
        return None
    message = (
        "the SearXNG instance does not answer in JSON (HTTP 403): "
        "its operator must add json to search.formats in settings.yml"
    )
    return Refusal("refused", message)
