"""From a page as it was sent to what it says, or why it says nothing.

A wall (a captcha, a login, "enable JavaScript") is not the page: its text never reaches a reader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from inforce.web.page import FailureKind, FetchFailure, Page
from inforce.web.parse_worker import Format
from inforce.web.parsing import Parser
from inforce.web.search.blocked import MARKERS, why_blocked

_LONGEST_WALL = 800
"""Characters of a text in which the words of a wall are believed to be one."""

_WALLS = re.compile(
    r"enable javascript|javascript (?:is|has been) disabled|javascript is required"
    r"|requires javascript"
    r"|verify (?:that )?you are (?:a )?human|are you a robot|not a robot|captcha|unusual traffic"
    r"|checking your browser|just a moment\.\.\.|access (?:is |has been )?denied"
    r"|403 forbidden|404 not found|502 bad gateway|503 service"
    r"|request (?:was )?blocked"
    r"|请(?:开启|启用|打开)\s*javascript|请?(?:输入|填写|完成).{0,6}验证|人机验证|访问过于频繁|访问被拒绝|拒绝访问"
    r"|请(?:先)?登录后|页面不存在|您访问的页面",
    re.IGNORECASE,
)
_PDF = b"%PDF-"
_ZIP = b"PK\x03\x04"
_COMPOUND = b"\xd0\xcf\x11\xe0"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_LOOKS_LIKE_HTML = re.compile(
    rb"<(?:!doctype|html|head|body|meta|div|p|title|article)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class WebText:
    """What a page says; data from a stranger."""

    url: str
    title: str
    text: str
    published: date | None
    """As the page says of itself."""
    fetched_at: datetime
    shortened: str = ""
    """What was left out because of a limit, in words; empty: nothing."""


async def extract(page: Page, parser: Parser) -> WebText | FetchFailure:
    """The text of a page.

    Raises:
        MissingExtraError: if its format needs a library that is not installed.
    """
    form = format_of(page)
    if form is None:
        return _failure(page, "not_text", "what the server sent is not a text")
    parsed = await parser.parse(form, page.content, charset=page.charset)
    if parsed.problem:
        return _failure(page, "unreadable", f"the page cannot be read: {parsed.problem}")
    wall = is_wall(parsed.text)
    if wall:
        return _failure(page, "blocked", f"the server shows a wall instead of the page ({wall!r})")
    if len(parsed.text) <= _LONGEST_WALL and why_blocked(parsed.text):
        return _failure(page, "empty", "the page holds no text (it may need JavaScript)")
    return WebText(
        url=page.final_url,
        title=" ".join(parsed.title.split())[:300],
        text=parsed.text,
        published=parsed.published,
        fetched_at=page.fetched_at,
        shortened=parsed.shortened,
    )


def is_wall(text: str) -> str:
    """The words by which a short text shows itself to be a wall; empty if it does not.

    >>> is_wall("Please enable JavaScript to continue"), is_wall("第一条 为了惩罚犯罪……")
    ('enable JavaScript', '')
    """
    if len(text) > _LONGEST_WALL:
        return ""
    match = _WALLS.search(text)
    return match[0] if match else next((one for one in MARKERS if one in text.casefold()), "")


def format_of(page: Page) -> Format | None:
    """How to read a page: by its first bytes, then by what the server says."""
    start = page.content[:1_024].lstrip()
    if start.startswith(_PDF) or page.media_type in ("application/pdf", "application/x-pdf"):
        return "pdf"
    if start.startswith(_ZIP):
        return "docx" if page.media_type in (_WORD, "application/octet-stream", "") else None
    if start.startswith(_COMPOUND) or (b"\0" in start and not _is_utf_16(start)):
        return None
    if _LOOKS_LIKE_HTML.search(start) or page.media_type in ("text/html", "application/xhtml+xml"):
        return "html"
    return "text"


def _is_utf_16(start: bytes) -> bool:
    return start.startswith((b"\xff\xfe", b"\xfe\xff"))


def _failure(page: Page, kind: FailureKind, message: str) -> FetchFailure:
    return FetchFailure(page.url, kind, message, page.status)
