"""Reading web pages as text: fetched, parsed, and cached for a while.

A wall (a captcha, a login, "enable JavaScript") is not the page: its text never reaches a reader.

>>> async def example(url: str) -> str:
...     async with WebReader() as web:
...         page = await web.read(url)
...     return page.text if isinstance(page, WebText) else page.message
"""

from __future__ import annotations

import asyncio
import re
from typing import Self

from cachetools import TTLCache

from inforce.documents.document import Document, UnreadableDocumentError
from inforce.documents.formats import format_of
from inforce.documents.limits import DocumentLimits
from inforce.documents.parsing import DocumentParser
from inforce.web.excerpts import passage_around
from inforce.web.fetch import Fetcher
from inforce.web.page import FailureKind, FetchFailure, Page, WebText
from inforce.web.search.provider import ERROR_MARKERS, why_blocked

PAGE_LIMITS = DocumentLimits(seconds=20.0, pages=200, characters=2_000_000)
"""Limits of turning one page into text."""

_UNNAMED = "file"
_CACHED_FOR = 600.0
"""Seconds."""
_MOST_CACHED = 64
_LONGEST_WALL = 800
"""Characters of a text in which the words of a wall are believed to be one."""

_WALLS = re.compile(
    r"enable javascript|javascript (?:is|has been) disabled|javascript is required"
    r"|requires javascript"
    r"|verify (?:that )?you are (?:a )?human|are you a robot|not a robot|captcha|unusual traffic"
    r"|checking your browser|just a moment\.\.\.|access (?:is |has been )?denied"
    r"|403 forbidden|404 not found|502 bad gateway|503 service"
    r"|request (?:was )?blocked"
    r"|请(?:开启|启用|打开)\s{0,3}javascript|请?(?:输入|填写|完成).{0,6}验证|人机验证|访问过于频繁"
    r"|访问被拒绝|拒绝访问|请(?:先)?登录后|页面不存在|您访问的页面",
    re.IGNORECASE,
)
_SPACES = re.compile(r"[ \t\r\f\v\xa0\u2000-\u200a]+")
_BLANK_LINES = re.compile(r"\n{3,}")


class WebReader:
    """Fetches pages and gives their text."""

    def __init__(
        self, fetcher: Fetcher | None = None, parser: DocumentParser | None = None
    ) -> None:
        self._fetcher = fetcher or Fetcher()
        self._parser = parser or DocumentParser(PAGE_LIMITS)
        self._cache: TTLCache[str, WebText] = TTLCache(_MOST_CACHED, _CACHED_FOR)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close connections and processes."""
        await self._fetcher.aclose()
        self._parser.close()

    async def read(self, url: str) -> WebText | FetchFailure:
        """The text of a page, or why it cannot be had.

        Raises:
            NetworkForbiddenError: if the network is switched off (`inforce.network`).
            MissingExtraError: if a library that reading pages needs is not installed.
        """
        cached = self._cache.get(url)
        if cached is not None:
            return cached
        page = await self._fetcher.fetch(url)
        text = page if isinstance(page, FetchFailure) else await parsed(page, self._parser)
        if isinstance(text, WebText):
            self._cache[url] = text
        return text

    async def passage(self, url: str, snippet: str) -> str | FetchFailure:
        """The part of a page that a search snippet was taken from (L-MARS, section 3.3)."""
        page = await self.read(url)
        if isinstance(page, FetchFailure):
            return page
        return (await asyncio.to_thread(passage_around, page.text, snippet)).text


async def parsed(page: Page, parser: DocumentParser) -> WebText | FetchFailure:
    """The text of a page that was fetched.

    Raises:
        MissingExtraError: if its format needs a library that is not installed.
    """
    format = format_of(page.content, media_type=page.media_type)
    if format is None:
        return _failure(page, "not_text", "what the server sent is not a text")
    try:
        document = await parser.aparse(
            page.content, name=_UNNAMED, format=format, declared=page.charset, main_part=True
        )
    except UnreadableDocumentError as error:
        if error.cause == "no_text" and format in ("html", "text"):
            return _failure(page, "empty", "the page holds no text (it may need JavaScript)")
        return _failure(page, "unreadable", f"the page cannot be read: {error.reason}")
    return await asyncio.to_thread(_text_of, page, document)


def _text_of(page: Page, document: Document) -> WebText | FetchFailure:
    text = _normalised(document.text)
    wall = wall_words(text)
    if wall:
        return _failure(page, "blocked", f"the server shows a wall instead of the page ({wall!r})")
    if len(text) <= _LONGEST_WALL and why_blocked(text):
        return _failure(page, "empty", "the page holds no text (it may need JavaScript)")
    title = "" if document.title == _UNNAMED else " ".join(document.title.split())[:300]
    return WebText(
        page.final_url, title, text, document.published, page.fetched_at, document.omitted
    )


def wall_words(text: str) -> str:
    """The words in a short text that show it is a wall; empty if there are none.

    >>> wall_words("Please enable JavaScript to continue"), wall_words("第一条 为了惩罚犯罪……")
    ('enable JavaScript', '')
    """
    if len(text) > _LONGEST_WALL:
        return ""
    match = _WALLS.search(text)
    return match[0] if match else next((one for one in ERROR_MARKERS if one in text.casefold()), "")


def _normalised(text: str) -> str:
    """A text with single blanks between words and at most one empty line between paragraphs."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.replace("\r\n", "\n").split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def _failure(page: Page, kind: FailureKind, message: str) -> FetchFailure:
    return FetchFailure(page.url, kind, message, page.status)
