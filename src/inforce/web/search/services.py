"""The search services that answer in JSON: serper.dev, Tavily, and SearXNG instances."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

import msgspec

from inforce import network
from inforce.dates import DateRange
from inforce.web.rate_limits import Rate, RateLimiter, shared_limiter
from inforce.web.search.json_api import JsonApi, Refusal, RequestLimits
from inforce.web.search.normalising import Found, as_page
from inforce.web.search.provider import DEFAULT_K, SearchFailure, SearchPage

SERPER_URL: Final = "https://google.serper.dev"
TAVILY_URL: Final = "https://api.tavily.com"
LONGEST_TAVILY_QUERY: Final = 400
"""Characters; a longer query is refused by the service."""
MOST_TAVILY_RESULTS: Final = 20


class _Service(ABC):
    """A search service that answers in JSON."""

    label: str
    """As messages call it."""
    name: str
    rate: Rate

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        limits: RequestLimits | None,
        limiter: RateLimiter | None,
    ) -> None:
        self.spec = self.name if headers else f"{self.name}:{base_url}"
        self._api = JsonApi(
            self.label,
            base_url,
            headers=headers,
            limiter=limiter or shared_limiter(self.spec, self.rate),
            limits=limits,
            explain=self._explain,
        )

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        """See `inforce.web.search.provider.SearchProvider.search`."""
        found = await self._found(query, k, during)
        return as_page(found, provider=self.name, query=query, k=k, during=during)

    def _explain(self, status: int, body: bytes) -> Refusal | None:
        """What a status of this service means, where it is not the usual."""
        return None

    @abstractmethod
    async def _found(self, query: str, k: int, during: DateRange | None) -> list[Found]:
        """The results of the service."""


class _SerperResult(msgspec.Struct):
    link: str
    title: str | None = None
    snippet: str | None = None
    date: str | None = None


class _SerperReply(msgspec.Struct):
    organic: list[_SerperResult]
    """Always there, empty where Google found nothing."""


class Serper(_Service):
    """Google's results through serper.dev: the service of both papers' agents (a key is needed)."""

    label = "Serper"
    name = "serper"
    rate = Rate(5, 1.0)

    def __init__(
        self,
        key: str,
        *,
        base_url: str = SERPER_URL,
        limits: RequestLimits | None = None,
        limiter: RateLimiter | None = None,
    ) -> None:
        super().__init__(base_url, {"X-API-KEY": key}, limits, limiter)

    def _explain(self, status: int, body: bytes) -> Refusal | None:
        """An account without credits is answered with 400."""
        if status == 400 and b"credits" in body.lower():
            return Refusal("quota", "the Serper account has no credits left")
        return None

    async def _found(self, query: str, k: int, during: DateRange | None) -> list[Found]:
        body: dict[str, Any] = {"q": query, "num": k}
        if during is not None:
            body["tbs"] = _google_days(during)
        reply = await self._api.post("/search", body, _SerperReply)
        return [
            Found(one.link, one.title or "", one.snippet or "", one.date or "")
            for one in reply.organic
        ]


def _google_days(during: DateRange) -> str:
    """Google's way to say "published from … to …", both days included.

    >>> _google_days(DateRange(date(2021, 3, 1), date(2021, 4, 1)))
    'cdr:1,cd_min:3/1/2021,cd_max:3/31/2021'
    """
    days = [("cd_min", None if during.start == date.min else during.start), ("cd_max", during.last)]
    said = [f"{word}:{day.month}/{day.day}/{day.year}" for word, day in days if day]
    return ",".join(["cdr:1", *said])


class _TavilyResult(msgspec.Struct):
    url: str
    title: str | None = None
    content: str | None = None
    published_date: str | None = None


class _TavilyReply(msgspec.Struct):
    results: list[_TavilyResult]


class Tavily(_Service):
    """Tavily: a search service made for language models (a key is needed)."""

    label = "Tavily"
    name = "tavily"
    rate = Rate(100, 60.0)

    def __init__(
        self,
        key: str,
        *,
        base_url: str = TAVILY_URL,
        limits: RequestLimits | None = None,
        limiter: RateLimiter | None = None,
    ) -> None:
        super().__init__(base_url, {"Authorization": f"Bearer {key}"}, limits, limiter)

    async def _found(self, query: str, k: int, during: DateRange | None) -> list[Found]:
        if len(query) > LONGEST_TAVILY_QUERY:
            most = LONGEST_TAVILY_QUERY
            message = f"Tavily takes queries of up to {most} characters: shorten it"
            raise SearchFailure("bad_query", message)
        body: dict[str, Any] = {"query": query, "max_results": min(k, MOST_TAVILY_RESULTS)}
        if during is not None and during.start != date.min:
            body["start_date"] = during.start.isoformat()
        if during is not None and during.last:
            body["end_date"] = during.last.isoformat()
        reply = await self._api.post("/search", body, _TavilyReply)
        return [
            Found(one.url, one.title or "", one.content or "", one.published_date or "")
            for one in reply.results
        ]


class _SearxngResult(msgspec.Struct):
    url: str | None = None
    title: str | None = None
    content: str | None = None
    publishedDate: str | None = None  # the service's own spelling


class _SearxngReply(msgspec.Struct):
    results: list[_SearxngResult]
    unresponsive_engines: list[Any] = []


LOGIN_VARIABLE: Final = "INFORCE_SEARXNG_LOGIN"
"""``user:password`` of an instance that asks for them."""


class Searxng(_Service):
    """A SearXNG instance: a metasearch engine anyone can run, asked for JSON.

    It cannot be asked for the pages of given days: results known to be of others are left out.

    Args:
        url: the instance, without ``/search``; your own may be on this machine or network.

    Raises:
        UserError: if the address holds a password; ``INFORCE_SEARXNG_LOGIN`` is for it.
    """

    label = "SearXNG"
    name = "searxng"
    rate = Rate(2, 1.0)

    def __init__(
        self, url: str, *, limits: RequestLimits | None = None, limiter: RateLimiter | None = None
    ) -> None:
        network.require_no_secret(url, what="a SearXNG", instead=LOGIN_VARIABLE)
        login = os.environ.get(LOGIN_VARIABLE, "").strip().encode()
        headers = {"Authorization": f"Basic {b64encode(login).decode()}"} if login else {}
        super().__init__(url.rstrip("/").removesuffix("/search"), headers, limits, limiter)
        self.spec = f"{self.name}:{self._api.base_url}"

    def _explain(self, status: int, body: bytes) -> Refusal | None:
        """There is no key: 403 is the answer of an instance that does not give JSON."""
        if status != 403:
            return None
        message = (
            "the SearXNG instance does not answer in JSON (HTTP 403): "
            "its operator must add json to search.formats in settings.yml"
        )
        return Refusal("refused", message)

    async def _found(self, query: str, k: int, during: DateRange | None) -> list[Found]:
        reply = await self._api.get("/search", {"q": query, "format": "json"}, _SearxngReply)
        if not reply.results and reply.unresponsive_engines:
            count = len(reply.unresponsive_engines)
            message = f"no engine of the SearXNG instance gave results, and {count} did not answer"
            raise SearchFailure("inconclusive", message)
        return [
            Found(one.url or "", one.title or "", one.content or "", one.publishedDate or "")
            for one in reply.results
        ]
