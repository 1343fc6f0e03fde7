"""Search services: their results, their failures, and which snippets say nothing.

A result is blocked if its content is shorter than 30 characters or holds one of eleven error
messages (the rule of L-MARS). A Chinese character counts as two: fifteen of them make a sentence.
Ours adds that an error message is short: a long page may refer to a request that timed out.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol

from inforce.dates import DateRange
from inforce.errors import InforceError, InternalError
from inforce.web.site_authority import Authority, authority_of

DEFAULT_K = 10
"""Results a page holds unless asked otherwise."""

LEAST_CHARACTERS: Final = 30
"""Characters a text needs to say anything."""

LONGEST_REFUSAL: Final = 800
"""Characters beyond which a text is no error message, whatever is in it."""

ERROR_MARKERS: Final = (
    "http error",
    "403 client error",
    "404 client error",
    "connection error",
    "timed out",
    "javascript is disabled",
    "could not extract content",
    "no search results",
    "serper error",
    "search_error",
    "api request failed",
)
"""Words that mark a text as an error message; compared in lower case."""


def why_blocked(text: str) -> str:
    """Say why a text has no content; empty if it has some.

    >>> why_blocked("403 Client Error: Forbidden for url: https://example.com")
    'it reads "403 client error"'
    >>> why_blocked("The starting point is six months of detention.")
    ''
    >>> why_blocked("")
    'it is empty'
    """
    text = text.strip()
    if not text:
        return "it is empty"
    lowered = text.casefold()
    if len(lowered) <= LONGEST_REFUSAL:
        for marker in ERROR_MARKERS:
            if marker in lowered:
                return f'it reads "{marker}"'
    columns = 0
    for character in text:
        columns += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if columns >= LEAST_CHARACTERS:
            return ""
    return "it is too short"


ResultKind = Literal["page", "pdf", "opinion", "filing", "docket", "oral_argument"]
"""The kind of document at the address; all but the first two come from a case-law service."""


@dataclass(frozen=True, slots=True)
class WebResult:
    """One result: its address, its title, and the words of it that the service showed."""

    title: str
    url: str
    """Canonical: no fragment, no tracking parameters (`normalising.canonical_url`)."""
    snippet: str
    """Words of the page as the service chose them: a lead, not the page's text."""
    site: str = ""
    """The host, without ``www.``."""
    date: str = ""
    """When it was published: ISO where the service's words could be read as a date, else those
    words; empty where it said nothing."""
    kind: ResultKind = "page"
    provider: str = ""
    rank: int = 0
    """Place on the page, from 1."""

    @property
    def blocked(self) -> bool:
        """Whether the snippet is an error message or too short to say anything."""
        return bool(why_blocked(self.snippet))

    @property
    def authority(self) -> Authority:
        """The site's authority as a source of law."""
        return authority_of(self.url)


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The results of one query, best first, and when they were fetched."""

    results: tuple[WebResult, ...]
    provider: str
    query: str
    fetched_at: datetime
    """Aware, UTC; for a recording, when it was made."""

    def __post_init__(self) -> None:
        if self.fetched_at.utcoffset() != timedelta(0):
            raise InternalError("a search page is dated in UTC")

    @property
    def usable(self) -> tuple[WebResult, ...]:
        """The results whose snippet says something."""
        return tuple(result for result in self.results if not result.blocked)


FailureReason = Literal[
    "key",
    "quota",
    "throttled",
    "refused",
    "unreachable",
    "timeout",
    "malformed",
    "too_large",
    "inconclusive",
    "not_recorded",
    "bad_query",
]
"""``key``: the service did not accept the key. ``quota``: it is used up. ``throttled``: too many
requests for now. ``refused``: it will not answer this request. ``unreachable``, ``timeout``: no
answer came. ``malformed``, ``too_large``: an answer came that cannot be read. ``inconclusive``:
nothing came back, and the service cannot say whether there is nothing. ``not_recorded``: the
recording does not hold this query. ``bad_query``: the query must be changed."""


class SearchFailure(InforceError):
    """A search that was not answered: nothing is known about whether there are results.

    Args:
        reason: what kind of failure it is.
        message: what happened and what to do, without keys.
        retry_after: seconds after which it is worth another try, where the service said so.
    """

    kind = "search"
    exit_status = 11

    def __init__(
        self, reason: FailureReason, message: str, *, retry_after: float | None = None
    ) -> None:
        self.reason: FailureReason = reason
        self.retry_after = retry_after
        super().__init__(message)


class SearchProvider(Protocol):
    """A search service."""

    @property
    def name(self) -> str:
        """Its short name, with which results are labelled: ``serper``, ``searxng``."""
        ...

    @property
    def spec(self) -> str:
        """The specification that opens it: ``serper``, ``searxng:https://…``, ``recorded:FILE``."""
        ...

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        """The ``k`` best results; published on these days only, where given.

        A result whose day of publication is not known is never left out for it.

        Raises:
            SearchFailure: if the service did not answer.
            NetworkForbiddenError: if it may not be reached.
        """
        ...
