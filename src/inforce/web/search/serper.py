"""Google's results through serper.dev: the service of both papers' agents (a key is needed)."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

import msgspec

from inforce.dates import DateRange
from inforce.web.search.json_api import JsonApi, Limits, Refusal
from inforce.web.search.normalising import Asked, Found, as_page, utc_now
from inforce.web.search.pace import Pace, Rate, shared_pace
from inforce.web.search.provider import DEFAULT_K, SearchPage

BASE_URL: Final = "https://google.serper.dev"
_RATE: Final = Rate(5, 1.0)
_CREDITS: Final = b"credits"


class _Organic(msgspec.Struct):
    link: str
    title: str | None = None
    snippet: str | None = None
    date: str | None = None


class _Reply(msgspec.Struct):
    organic: list[_Organic]
    """Always there, empty where Google found nothing."""


class Serper:
    """serper.dev.

    Args:
        key: the account's key.
        base_url: another address, for tests.
    """

    name = "serper"
    spec = "serper"

    def __init__(
        self,
        key: str,
        *,
        base_url: str = BASE_URL,
        limits: Limits | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._api = JsonApi(
            "Serper",
            base_url,
            headers={"X-API-KEY": key},
            pace=pace or shared_pace(self.spec, _RATE),
            limits=limits,
            explain=_explain,
        )

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        """See `inforce.web.search.provider.SearchProvider.search`."""
        body: dict[str, Any] = {"q": query, "num": k}
        if during is not None:
            body["tbs"] = _google_days(during)
        reply = await self._api.post("/search", body, _Reply)
        found = [
            Found(one.title or "", one.link, one.snippet or "", one.date or "")
            for one in reply.organic
        ]
        return as_page(found, Asked(self.name, query, k, during, utc_now()))


def _google_days(during: DateRange) -> str:
    """Google's way to say "published from … to …", both days included.

    >>> _google_days(DateRange(date(2021, 3, 1), date(2021, 4, 1)))
    'cdr:1,cd_min:3/1/2021,cd_max:3/31/2021'
    """
    days = [("cd_min", None if during.start == date.min else during.start), ("cd_max", during.last)]
    said = [f"{word}:{day.month}/{day.day}/{day.year}" for word, day in days if day]
    return ",".join(["cdr:1", *said])


def _explain(status: int, body: bytes) -> Refusal | None:
    """An account without credits is answered with 400."""
    if status == 400 and _CREDITS in body.lower():
        return Refusal("quota", "the Serper account has no credits left")
    return None
