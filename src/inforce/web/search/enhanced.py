"""Enhanced search: the pages behind the best results, read where their snippets point to.

L-MARS, section 3.3 and table 2: the first m = 3 results are fetched, and what is shown of each is
its text (at most 4,000 characters) instead of its snippet. The reading itself is passed in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from inforce.errors import InforceError
from inforce.web.search.blocked import why_blocked
from inforce.web.search.provider import SearchPage, WebResult

DEFAULT_M: Final = 3
"""Results that are read."""
MAX_TEXT: Final = 4_000
"""Characters of a page that are shown."""


@dataclass(frozen=True, slots=True)
class ReadFailure:
    """A page that could not be read, and why."""

    why: str


Reader = Callable[[str, str], Awaitable[str | ReadFailure]]
"""Gives the text of an address around a snippet, or says why there is none."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A result with its page's text, or with why there is none."""

    result: WebResult
    text: str = ""
    why_not: str = ""
    """Empty where the page was read."""


class ReadOnce:
    """A reader that opens each address once, though several queries found it."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._under_way: dict[str, asyncio.Task[str | ReadFailure]] = {}

    async def __call__(self, url: str, snippet: str) -> str | ReadFailure:
        """The text of the first call for the address."""
        if url not in self._under_way:
            self._under_way[url] = asyncio.ensure_future(self._read(url, snippet))
        return await self._under_way[url]


async def read_best(
    page: SearchPage, read: Reader, *, m: int = DEFAULT_M
) -> tuple[ReadResult, ...]:
    """The first ``m`` results that are not blocked, read at the same time, in their order."""
    return tuple(await asyncio.gather(*(_read_one(one, read) for one in page.usable[:m])))


async def _read_one(result: WebResult, read: Reader) -> ReadResult:
    try:
        text = await read(result.url, result.snippet)
    except InforceError as error:
        return ReadResult(result, why_not=str(error))
    if isinstance(text, ReadFailure):
        return ReadResult(result, why_not=text.why)
    blocked = why_blocked(text)
    if blocked:
        return ReadResult(result, why_not=f"the page has no text: {blocked}")
    return ReadResult(result, text[:MAX_TEXT])
