"""``web_search``: several queries to a search service at once, each with its own answer.

What is found may then be browsed (`RunContext.remember`). A query the service did not answer is
``failed``, one nobody could send ``not_checked``, one a recording does not hold ``not_covered``,
one whose silence means nothing ``unknown``; ``not_found`` is only what a service says that answered
and had nothing. In the enhanced mode (L-MARS, section 3.3) the best results are read, not listed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from inforce.errors import NetworkForbiddenError
from inforce.language import Language
from inforce.llm.settings import Settings, read_settings
from inforce.tools.context import RunContext, SeenResult
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, Reach, ToolResult, ToolSpec, ToolStatus
from inforce.tools.web_search_text import (
    AUTHORITY,
    MAX_QUERY,
    WORDS,
    QueryAnswer,
    ResultsText,
    data_of,
    failure_words,
    status_of,
)
from inforce.web.search.enhanced import DEFAULT_M, Reader, ReadOnce, read_best
from inforce.web.search.opening import KEY_VARIABLES, open_provider
from inforce.web.search.provider import SearchFailure, SearchPage, SearchProvider, WebResult

DEFAULT_RESULTS: Final = 5
"""Results a query returns: what L-MARS shows its judge."""
MAX_QUERIES: Final = 8

_ORDER: Final[tuple[ToolStatus, ...]] = (
    "found",
    "failed",
    "unknown",
    "not_checked",
    "not_covered",
    "invalid",
    "not_found",
)
"""The status of a call is the first of these that any of its queries has: it is ``not_found`` only
where every query was answered, and had nothing."""

_DESCRIPTIONS: Final[dict[Language, tuple[str, str]]] = {
    "zh": (
        "在互联网上检索法律信息：司法解释与案例的解读、法学理论、制度沿革、实务观点，以及本地法规库"
        "未收录的规定。返回标题、网址、日期和摘要；摘要只是线索，"
        "引用前用 browse_webpage 打开原文。",
        "查询列表，可一次写多个，彼此独立；事实发生在过去的写明时间，例如“2001年 遗嘱 公证 效力”。",
    ),
    "en": (
        "Search the web for legal information: official guidance, commentary, doctrine, practice, "
        "and law the local collection does not hold. Returns titles, addresses, dates and "
        "snippets; a snippet is a lead, so open the page with browse_webpage before relying on it.",
        "Queries, answered independently; name the jurisdiction and, for past facts, the time, "
        "for example: California final paycheck deadline 2019.",
    ),
}


def keys_at_hand(settings: Settings | None = None) -> dict[str, str]:
    """The keys of search services a person has set, by service: environment or settings file."""
    held = settings or read_settings()
    found = {service: held.key(variable) for service, variable in KEY_VARIABLES.items()}
    return {service: key for service, key in found.items() if key}


def open_web_search(
    spec: str = "",
    *,
    language: Language = "zh",
    k: int = DEFAULT_RESULTS,
    read: Reader | None = None,
    keys: Mapping[str, str] | None = None,
) -> WebSearch:
    """The tool over the service a specification names: see `open_provider`.

    Args:
        spec: ``serper``, ``tavily``, ``ddgs``, ``searxng:URL``, ``recorded:FILE``; empty: serper
            or tavily if there is a key, else ddgs.
        language: of spec and answers.
        k: results a query returns.
        read: reads a page; given, the best results are read (the enhanced mode).
        keys: by service; those of the environment or the settings file unless given.

    Raises:
        UserError: if there is no such service, or its key is missing.
        InputError: if a recording cannot be read.
        MissingExtraError: if the service needs a library that is not installed.
    """
    provider = open_provider(spec, keys=keys_at_hand() if keys is None else keys)
    return WebSearch(provider, language=language, k=k, read=read)


class WebSearch:
    """The tool, over one service.

    Args:
        provider: whom to ask; ``None`` where there is nobody.
        language: of spec and answers.
        k: results a query returns.
        read: reads a page, for the enhanced mode.
        m: results of a query that are read.
    """

    reach: Reach = "outward"

    def __init__(
        self,
        provider: SearchProvider | None,
        *,
        language: Language = "zh",
        k: int = DEFAULT_RESULTS,
        read: Reader | None = None,
        m: int = DEFAULT_M,
    ) -> None:
        self.provider = provider
        self.language: Language = language
        self._k = k
        self._read = read
        self._m = m

    @property
    def spec(self) -> ToolSpec:
        """LegalSearch-R1, figure 10, in our words."""
        description, queries = _DESCRIPTIONS[self.language]
        query = {
            "type": "array",
            "description": queries,
            "items": {"type": "string", "minLength": 1, "maxLength": MAX_QUERY},
            "minItems": 1,
            "maxItems": MAX_QUERIES,
        }
        return ToolSpec("web_search", description, {"query": query})

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Ask all queries at once; whatever becomes of one does not touch the others."""
        queries = list(dict.fromkeys(str(query).strip() for query in arguments["query"]))
        read = ReadOnce(self._read) if self._read else None
        answered = await asyncio.gather(*(self._answer(query, read) for query in queries))
        for one in answered:
            context.remember(_seen(one))
        statuses: list[ToolStatus] = [one.status for one in answered]
        status = min(statuses, key=_ORDER.index)
        text = "\n\n".join(ResultsText(self.language)(answered))
        return ToolResult(text, status, _evidence(answered), [data_of(one) for one in answered])

    async def _answer(self, query: str, read: Reader | None) -> QueryAnswer:
        words = WORDS[self.language]
        if not query or len(query) > MAX_QUERY:
            return QueryAnswer(
                query[:MAX_QUERY], "invalid", message=words["long" if query else "empty"]
            )
        if self.provider is None:
            return QueryAnswer(query, "not_checked", message=words["no_provider"])
        try:
            page = await self.provider.search(query, k=self._k)
        except SearchFailure as failure:
            message = failure_words(failure, self.language)
            return QueryAnswer(query, status_of(failure), message=message, problem=str(failure))
        except NetworkForbiddenError as error:
            return QueryAnswer(query, "not_checked", message=words["forbidden"], problem=str(error))
        texts = await read_best(page, read, m=self._m) if read else ()
        return QueryAnswer(query, _status_of_page(page), page, texts)


def _status_of_page(page: SearchPage) -> ToolStatus:
    """Results that all hide their text are no finding, and no proof that there is none."""
    if page.usable:
        return "found"
    return "unknown" if page.results else "not_found"


def _evidence(answered: Sequence[QueryAnswer]) -> tuple[Evidence, ...]:
    """What may be quoted: each usable result once, with its page's text where it was read."""
    read = [each for one in answered for each in one.read if not each.why_not]
    texts = {each.result.url: each.text for each in read}
    found: dict[str, Evidence] = {}
    for page in (one.page for one in answered if one.page is not None):
        for result in page.usable:
            text = texts.get(result.url, result.snippet)
            found.setdefault(result.url, _as_evidence(result, text, page.fetched_at))
    return tuple(found.values())


def _as_evidence(result: WebResult, text: str, fetched_at: datetime) -> Evidence:
    published = f"published {result.date}" if result.date else "no date given"
    return Evidence(
        result.url,
        "web",
        result.title,
        text,
        result.url,
        f"{published}; fetched {fetched_at.date().isoformat()}",
        AUTHORITY["en"][result.authority],
        result.provider,
    )


def _seen(answered: QueryAnswer) -> Iterator[SeenResult]:
    for one in answered.page.results if answered.page else ():
        snippet = "" if one.blocked else one.snippet
        yield SeenResult(one.url, one.title, snippet, answered.query)
