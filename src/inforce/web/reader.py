"""Web pages as texts: fetched, read and kept for a while, so that no page is asked for twice.

>>> async def example(url: str) -> str:
...     async with WebReader() as web:
...         page = await web.read(url)
...     return page.text if isinstance(page, WebText) else page.message
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from types import TracebackType
from typing import Self

from inforce.web.anchor import Passage, anchored
from inforce.web.extract import WebText, extract
from inforce.web.fetch import Fetcher
from inforce.web.page import FetchFailure
from inforce.web.parsing import Parser
from inforce.web.search.enhanced import ReadFailure

KEPT = 600.0
"""Seconds a text is kept."""
MOST_KEPT = 64


class WebReader:
    """Opens pages and says what stands on them.

    Args:
        fetcher: opens addresses; the default one if not given.
        parser: turns bytes into text; the default one if not given.
    """

    def __init__(self, fetcher: Fetcher | None = None, parser: Parser | None = None) -> None:
        self._fetcher = fetcher or Fetcher()
        self._parser = parser or Parser()
        self._kept: OrderedDict[str, tuple[float, WebText]] = OrderedDict()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close connections and processes."""
        await self._fetcher.aclose()
        self._parser.close()

    async def read(self, url: str) -> WebText | FetchFailure:
        """What stands on a page, or why that is not known.

        Raises:
            NetworkForbiddenError: if the network is switched off (`inforce.network`).
            MissingExtraError: if a library that reading pages needs is not installed.
        """
        kept = self._kept.get(url)
        if kept is not None and kept[0] > time.monotonic():
            return kept[1]
        page = await self._fetcher.fetch(url)
        if isinstance(page, FetchFailure):
            return page
        text = await extract(page, self._parser)
        if isinstance(text, WebText):
            self._keep(url, text)
        return text

    async def passage(self, url: str, snippet: str) -> Passage | FetchFailure:
        """The part of a page that a search snippet was taken from (L-MARS, section 3.3)."""
        page = await self.read(url)
        if isinstance(page, FetchFailure):
            return page
        return await asyncio.to_thread(anchored, page.text, snippet)

    async def around(self, url: str, snippet: str) -> str | ReadFailure:
        """The same for the enhanced web search: `inforce.web.search.enhanced.Reader`."""
        passage = await self.passage(url, snippet)
        return ReadFailure(passage.message) if isinstance(passage, FetchFailure) else passage.text

    def _keep(self, url: str, text: WebText) -> None:
        self._kept[url] = (time.monotonic() + KEPT, text)
        self._kept.move_to_end(url)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
