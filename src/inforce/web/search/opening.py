"""From what a person writes (``serper``, ``searxng:URL``, ``recorded:FILE``) to a provider."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from inforce.errors import UserError
from inforce.web.search.cache import PROCESS_CACHE, CachedProvider, PageCache
from inforce.web.search.ddgs import Ddgs
from inforce.web.search.provider import SearchProvider
from inforce.web.search.recorded import Recorded
from inforce.web.search.services import SERPER_URL, TAVILY_URL, Searxng, Serper, Tavily

KEY_VARIABLES: Final = {"serper": "SERPER_API_KEY", "tavily": "TAVILY_API_KEY"}
"""Where the key of a service comes from; the first of which there is a key is the default."""

KNOWN: Final = "serper, tavily, ddgs, searxng:URL, recorded:FILE"


def open_provider(
    spec: str = "",
    *,
    keys: Mapping[str, str] | None = None,
    base_urls: Mapping[str, str] | None = None,
    cache: PageCache | None = PROCESS_CACHE,
) -> SearchProvider:
    """The provider a specification names; an empty one is serper or tavily with a key, else ddgs.

    Args:
        spec: ``serper``, ``tavily``, ``ddgs``, ``searxng:URL``, ``recorded:FILE`` or empty.
        keys: the keys at hand, by service.
        base_urls: other addresses, by service.
        cache: where pages are cached; ``None`` asks anew each time. Recordings need none.

    Raises:
        UserError: if there is no such service, or its key is missing.
        InputError: if a recording cannot be read.
        MissingExtraError: if ddgs is asked for and not installed.
    """
    given = {name: key.strip() for name, key in (keys or {}).items() if key.strip()}
    kind, _, rest = (spec.strip() or _default(given)).partition(":")
    if kind == "recorded" and rest:
        return Recorded(Path(rest).expanduser())
    provider = _live(kind, rest, given, base_urls or {})
    return provider if cache is None else CachedProvider(provider, cache=cache)


def _default(keys: Mapping[str, str]) -> str:
    return next((name for name in KEY_VARIABLES if name in keys), "ddgs")


def _live(
    kind: str, rest: str, keys: Mapping[str, str], base_urls: Mapping[str, str]
) -> SearchProvider:
    match kind, rest:
        case "serper", "":
            return Serper(_key(kind, keys), base_url=base_urls.get(kind, SERPER_URL))
        case "tavily", "":
            return Tavily(_key(kind, keys), base_url=base_urls.get(kind, TAVILY_URL))
        case "ddgs", "":
            return Ddgs()
        case "searxng", url if url:
            return Searxng(url)
        case _:
            shown = f"{kind}:{rest}" if rest else kind
            raise UserError(f"no search service called {shown!r}; there are: {KNOWN}")


def _key(service: str, keys: Mapping[str, str]) -> str:
    if service not in keys:
        variable = KEY_VARIABLES[service]
        raise UserError(f"searching with {service} needs a key: set the variable {variable}")
    return keys[service]
