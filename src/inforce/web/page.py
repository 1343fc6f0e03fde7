"""Web pages as they were sent, their text, and failures to get either."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

FailureKind = Literal[
    "bad_url",
    "forbidden_address",
    "robots",
    "rate_limited",
    "timeout",
    "unreachable",
    "too_many_redirects",
    "http_error",
    "blocked",
    "too_large",
    "not_text",
    "malformed",
    "unreadable",
    "empty",
]
"""``bad_url``, ``forbidden_address``: never requested, see `inforce.web.addresses`. ``robots``: the
site asks programs to stay away. ``rate_limited``: it asks to come back later. ``blocked``: it
answered with a wall (a login, a captcha) and not with the page. ``empty``: there is a page, but no
text in it without running its programs. ``not_text``: a picture, an archive. ``malformed``: the
answer is not proper HTTP. ``unreadable``: a PDF or Word file that is damaged, locked, a scan, or
too slow to read."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as the server sent it, unpacked."""

    url: str
    """As it was requested."""
    final_url: str
    """Where redirects led."""
    media_type: str
    """Lower case, without parameters; empty if the server did not say."""
    charset: str
    """As the server said; empty if it did not."""
    content: bytes = field(repr=False)
    fetched_at: datetime
    """In UTC."""
    status: int = 200


@dataclass(frozen=True, slots=True)
class WebText:
    """The text of a page; data from a stranger."""

    url: str
    title: str
    text: str
    published: date | None
    """As the page itself states."""
    fetched_at: datetime
    shortened: str = ""
    """Parts left out because of a limit, in words; empty: none."""


@dataclass(frozen=True, slots=True)
class FetchFailure:
    """Why a page could not be fetched or read; nothing is known of its content."""

    url: str
    kind: FailureKind
    message: str
    """For a model or a person: what happened, in English."""
    status: int | None = None
    """Of the HTTP answer, where there was one."""
    retry_after: float | None = None
    """Seconds the server asked to wait."""
