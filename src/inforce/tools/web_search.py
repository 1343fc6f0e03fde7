"""``web_search``: several queries to a search service at once, each with its own answer.

Only addresses that are found here may then be browsed (`RunContext.remember`). A query the service
did not answer is ``failed``, one that could not be sent ``not_checked``, one a recording does not
hold ``not_covered``, one whose silence proves nothing ``unknown``; it is ``not_found`` only where
the service answered and had nothing. In the enhanced mode (L-MARS, section 3.3 and table 2) the
first three results of a query are opened, and the text of each page is shown instead of its
snippet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from inforce.documents.untrusted import as_data
from inforce.errors import InforceError, NetworkForbiddenError
from inforce.language import Language
from inforce.tools.context import RunContext, SeenResult
from inforce.tools.evidence import Evidence
from inforce.tools.specs import built_in_specs
from inforce.tools.tool import Arguments, Reach, ToolResult, ToolStatus, overall_status
from inforce.web.page import FetchFailure
from inforce.web.search.opening import open_provider
from inforce.web.search.provider import (
    FailureReason,
    SearchFailure,
    SearchPage,
    SearchProvider,
    WebResult,
    why_blocked,
)
from inforce.web.site_authority import Authority

MAX_QUERY: Final = 2_000
"""Characters of a query, as the tool's spec has it."""
RESULTS: Final = 5
"""Results a query returns: what L-MARS shows its judge."""
PAGES_READ: Final = 3
"""Results of a query that are opened in the enhanced mode (L-MARS: m)."""
MAX_TEXT: Final = 4_000
"""Characters of an opened page that are shown."""

ReadPage = Callable[[str, str], Awaitable[str | FetchFailure]]
"""Returns the part of the page at an address that a snippet was taken from."""

_STATUSES: Final[dict[FailureReason, ToolStatus]] = {
    "inconclusive": "unknown",
    "not_recorded": "not_covered",
    "bad_query": "invalid",
}
"""The status of a query by the reason of its failure; any other is ``failed``."""

_TEXTS: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "head": "检索{place}：“{query}” · {status}",
        "found": "{count} 条结果（{provider}，{at} 抓取）",
        "none": "搜索服务（{provider}，{at}）没有返回结果；可换用其他词语。网上仍可能有相关内容",
        "unreadable": "{count} 条结果没有可读的摘要，可打开查看：{urls}",
        "above": "{marks} 见上",
        "empty": "查询是空的",
        "forbidden": "网络不可用，未检索",
        "not_evidence": "。这不表示不存在相关内容",
        "retry": "；{seconds:.0f} 秒后可重试",
        "undated": "日期不详",
        "published": "{date} 发布",
        "read": "已读取原文",
        "not_read": "原文未能读取（{why}），以下为摘要",
    },
    "en": {
        "head": "Query{place}: “{query}” · {status}",
        "found": "{count} found ({provider}, fetched {at})",
        "none": (
            "the search service ({provider}, {at}) returned nothing; try other words. "
            "The web may still hold something"
        ),
        "unreadable": "{count} results have no readable snippet; they may be opened: {urls}",
        "above": "{marks} see above",
        "empty": "the query is empty",
        "forbidden": "the network may not be used; nothing was searched",
        "not_evidence": ". This does not mean that nothing exists",
        "retry": "; worth another try in {seconds:.0f} s",
        "undated": "no date",
        "published": "published {date}",
        "read": "page read",
        "not_read": "the page could not be read ({why}); this is its snippet",
    },
}

_REASONS_ZH: Final[dict[FailureReason, str]] = {
    "key": "搜索服务不接受密钥，需由使用者检查",
    "quota": "搜索服务的额度已用完",
    "throttled": "搜索服务暂时限制请求",
    "refused": "搜索服务拒绝了这个请求",
    "unreachable": "无法连接搜索服务",
    "timeout": "搜索服务没有及时回答",
    "malformed": "搜索服务的回答无法识别",
    "too_large": "搜索服务的回答过大",
    "inconclusive": "没有结果返回，但部分搜索引擎没有回答，不能判断有无",
    "not_recorded": "录制的检索中没有这个查询，不能判断有无",
    "bad_query": "搜索服务不接受这个查询，请缩短或简化",
}

AUTHORITY: Final[dict[Language, dict[Authority, str]]] = {
    "zh": {
        "primary": "一手来源",
        "official": "官方或学术来源",
        "reputable": "专业来源",
        "user_generated": "用户发布",
        "other": "其他来源",
    },
    "en": {
        "primary": "primary source",
        "official": "official source",
        "reputable": "reputable source",
        "user_generated": "user-generated",
        "other": "other source",
    },
}


def open_web_search(
    service: str = "", *, language: Language = "zh", read: ReadPage | None = None
) -> WebSearch:
    """Open the tool over a search service, as `open_provider` names them.

    Args:
        service: ``serper``, ``tavily``, ``ddgs``, ``searxng:URL``, ``recorded:FILE``; empty: serper
            or tavily if there is a key, else ddgs.
        language: of spec and answers.
        read: opens pages; with it, the best results are read (the enhanced mode).

    Raises:
        UserError: if there is no such service, or its key is missing.
        InputError: if a recording cannot be read.
        MissingExtraError: if the service needs a library that is not installed.
    """
    return WebSearch(open_provider(service), language=language, read=read)


class WebSearch:
    """The tool, over one service (LegalSearch-R1, figure 10).

    Args:
        provider: the service.
        language: of spec and answers.
        read: opens pages, for the enhanced mode.
    """

    reach: Reach = "outward"

    def __init__(
        self, provider: SearchProvider, *, language: Language = "zh", read: ReadPage | None = None
    ) -> None:
        self.spec = built_in_specs(language)["web_search"]
        self._provider = provider
        self._language: Language = language
        self._read = read

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Send all queries at once; the failure of one does not affect the others."""
        queries = list(dict.fromkeys(str(query).strip() for query in arguments["query"]))
        answers = await asyncio.gather(*map(self._answer, queries))
        for answer in answers:
            context.remember(
                SeenResult(one.url, one.title, "" if one.blocked else one.snippet, answer.query)
                for one in (answer.page.results if answer.page else ())
            )
        pages = await self._opened(answers)
        text = "\n\n".join(_paragraphs(answers, pages, self._language))
        status = overall_status(answer.status for answer in answers)
        data = [_data(answer) for answer in answers]
        return ToolResult(text, status, _evidence(answers, pages), data)

    async def _answer(self, query: str) -> _Answer:
        texts = _TEXTS[self._language]
        if not query:
            return _Answer(query, "invalid", message=texts["empty"])
        try:
            page = await self._provider.search(query, k=RESULTS)
        except SearchFailure as failure:
            message = failure_text(failure, self._language)
            return _Answer(query, status_of(failure), message=message, problem=str(failure))
        except NetworkForbiddenError as error:
            return _Answer(query, "not_checked", message=texts["forbidden"], problem=str(error))
        # Results that all hide their text are no finding, and no proof that there is none.
        unusable: ToolStatus = "unknown" if page.results else "not_found"
        return _Answer(query, "found" if page.usable else unusable, page)

    async def _opened(self, answers: Sequence[_Answer]) -> dict[str, _OpenedPage]:
        """The pages of the best results of each query, by address; each is opened once."""
        if self._read is None:
            return {}
        results: dict[str, WebResult] = {}
        for answer in answers:
            for one in answer.usable[:PAGES_READ]:
                results.setdefault(one.url, one)
        pages = await asyncio.gather(*(_open(one, self._read) for one in results.values()))
        return dict(zip(results, pages, strict=True))


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer to one query."""

    query: str
    status: ToolStatus
    page: SearchPage | None = None
    message: str = ""
    """Why there is no page, for the model."""
    problem: str = ""
    """The same for the person."""

    @property
    def usable(self) -> tuple[WebResult, ...]:
        return self.page.usable if self.page else ()


@dataclass(frozen=True, slots=True)
class _OpenedPage:
    """The text of a result's page, or why there is none."""

    text: str = ""
    failure: str = ""


async def _open(result: WebResult, read: ReadPage) -> _OpenedPage:
    try:
        text = await read(result.url, result.snippet)
    except InforceError as error:
        return _OpenedPage(failure=str(error))
    if isinstance(text, FetchFailure):
        return _OpenedPage(failure=text.message)
    if blocked := why_blocked(text):
        return _OpenedPage(failure=f"the page has no text: {blocked}")
    return _OpenedPage(text[:MAX_TEXT])


def status_of(failure: SearchFailure) -> ToolStatus:
    """The status of a query that failed."""
    return _STATUSES.get(failure.reason, "failed")


def failure_text(failure: SearchFailure, language: Language) -> str:
    """A failure in the tool's language; what a person must do is in English in the data."""
    texts = _TEXTS[language]
    text = str(failure) if language == "en" else _REASONS_ZH[failure.reason]
    if failure.retry_after is not None:
        text += texts["retry"].format(seconds=failure.retry_after)
    return text if status_of(failure) == "invalid" else text + texts["not_evidence"]


def _paragraphs(
    answers: Sequence[_Answer], pages: Mapping[str, _OpenedPage], language: Language
) -> Iterator[str]:
    """One paragraph a query; results are numbered throughout, and each is shown once."""
    texts, numbers = _TEXTS[language], dict[str, int]()
    for place, answer in enumerate(answers, start=1):
        head = texts["head"].format(
            place=f" {place}" if len(answers) > 1 else "",
            query=as_data(answer.query),
            status=answer.status,
        )
        if answer.page is None:
            yield f"{head}\n{as_data(answer.message)}"
            continue
        summary = texts["found" if answer.page.results else "none"].format(
            count=len(answer.page.results),
            provider=answer.page.provider,
            at=f"{answer.page.fetched_at:%Y-%m-%d %H:%M} UTC",
        )
        lines = [head, summary]
        if again := [one.url for one in answer.usable if one.url in numbers]:
            marks = " ".join(f"[{numbers[url]}]" for url in again)
            lines.append(texts["above"].format(marks=marks))
        for result in answer.usable:
            if result.url not in numbers:
                numbers[result.url] = len(numbers) + 1
                page = pages.get(result.url)
                lines.append(_result_text(result, numbers[result.url], page, language))
        if blocked := [one.url for one in answer.page.results if one.blocked]:
            urls = as_data(" ".join(blocked))
            lines.append(texts["unreadable"].format(count=len(blocked), urls=urls))
        yield "\n".join(lines)


def _result_text(
    result: WebResult, number: int, page: _OpenedPage | None, language: Language
) -> str:
    texts, text = _TEXTS[language], result.snippet
    date = texts["published"].format(date=result.date) if result.date else texts["undated"]
    facts = [result.site, AUTHORITY[language][result.authority], date]
    if page is not None:
        text = page.text or text
        facts.append(texts["not_read"].format(why=page.failure) if page.failure else texts["read"])
    head = f"[{number}] {result.title}\n    {result.url}"
    return as_data(f"{head}\n    {' · '.join(facts)}\n    {text}")


def _evidence(answers: Sequence[_Answer], pages: Mapping[str, _OpenedPage]) -> tuple[Evidence, ...]:
    """Each usable result once, with the text of its page where that was read."""
    found: dict[str, Evidence] = {}
    for answer in answers:
        for result in answer.usable:
            assert answer.page is not None
            published = f"published {result.date}" if result.date else "no date given"
            opened = pages.get(result.url)
            evidence = Evidence(
                result.url,
                "web",
                result.title,
                (opened.text if opened else "") or result.snippet,
                result.url,
                f"{published}; fetched {answer.page.fetched_at.date().isoformat()}",
                AUTHORITY["en"][result.authority],
                result.provider,
            )
            found.setdefault(result.url, evidence)
    return tuple(found.values())


def _data(answer: _Answer) -> dict[str, Any]:
    data: dict[str, Any] = {"query": answer.query, "status": answer.status}
    if answer.problem:
        data["problem"] = answer.problem
    if answer.page is not None:
        data["provider"] = answer.page.provider
        data["fetched_at"] = answer.page.fetched_at.isoformat()
        data["results"] = [
            {
                "rank": one.rank,
                "title": one.title,
                "url": one.url,
                "site": one.site,
                "date": one.date,
                "kind": one.kind,
                "authority": one.authority,
                "blocked": one.blocked,
                "snippet": one.snippet,
            }
            for one in answer.page.results
        ]
    return data
