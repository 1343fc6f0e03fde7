"""What ``web_search`` says: results numbered through, and why a query has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from inforce.documents.untrusted import as_data
from inforce.language import Language
from inforce.tools.tool import ToolStatus
from inforce.web.authority import Authority
from inforce.web.search.enhanced import ReadResult
from inforce.web.search.provider import FailureReason, SearchFailure, SearchPage, WebResult

MAX_QUERY: Final = 2_000
"""Characters of a query."""

_STATUSES: Final[dict[FailureReason, ToolStatus]] = {
    "inconclusive": "unknown",
    "not_recorded": "not_covered",
    "bad_query": "invalid",
}
"""What a failure is to a model; any other is ``failed``."""

WORDS: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "head": "检索{place}：“{query}” · {status}",
        "found": "{count} 条结果（{provider}，{at} 抓取）",
        "none": "搜索服务（{provider}，{at}）没有返回结果；可换用其他词语。网上仍可能有相关内容",
        "unreadable": "{count} 条结果没有可读的摘要，可打开查看：{urls}",
        "above": "{marks} 见上",
        "empty": "查询是空的",
        "long": f"查询超过 {MAX_QUERY} 个字符，请缩短",
        "no_provider": "没有可用的搜索服务，未检索",
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
        "long": f"the query is longer than {MAX_QUERY} characters: shorten it",
        "no_provider": "there is no search service at hand; nothing was searched",
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


def status_of(failure: SearchFailure) -> ToolStatus:
    """What a failure is to a model."""
    return _STATUSES.get(failure.reason, "failed")


def failure_words(failure: SearchFailure, language: Language) -> str:
    """A failure in the tool's language; what a person must do is in English in the data."""
    words = WORDS[language]
    text = str(failure) if language == "en" else _REASONS_ZH[failure.reason]
    if failure.retry_after is not None:
        text += words["retry"].format(seconds=failure.retry_after)
    return text if status_of(failure) == "invalid" else text + words["not_evidence"]


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """What became of one query."""

    query: str
    status: ToolStatus
    page: SearchPage | None = None
    read: tuple[ReadResult, ...] = ()
    message: str = ""
    """Why there is no page, for the model."""
    problem: str = ""
    """The same for the person."""


class ResultsText:
    """The text of a call: results numbered through, each shown once."""

    def __init__(self, language: Language) -> None:
        self._language: Language = language
        self._words = WORDS[language]
        self._places: dict[str, int] = {}

    def __call__(self, answered: Sequence[QueryAnswer]) -> Iterator[str]:
        """One paragraph a query."""
        for number, one in enumerate(answered, start=1):
            yield "\n".join(self._query(one, f" {number}" if len(answered) > 1 else ""))

    def _query(self, one: QueryAnswer, place: str) -> Iterator[str]:
        query = as_data(one.query)
        yield self._say("head", place=place, query=query, status=one.status)
        if one.page is None:
            yield as_data(one.message)
            return
        at = f"{one.page.fetched_at:%Y-%m-%d %H:%M} UTC"
        what = "found" if one.page.results else "none"
        yield self._say(what, count=len(one.page.results), provider=one.page.provider, at=at)
        yield from self._results(one)

    def _results(self, one: QueryAnswer) -> Iterator[str]:
        assert one.page is not None
        texts = {each.result.url: each for each in one.read}
        again = [result for result in one.page.usable if result.url in self._places]
        if again:
            marks = " ".join(f"[{self._places[result.url]}]" for result in again)
            yield self._say("above", marks=marks)
        for result in one.page.usable:
            if result.url not in self._places:
                yield self._result(result, texts.get(result.url))
        blocked = [result.url for result in one.page.results if result.blocked]
        if blocked:
            yield self._say("unreadable", count=len(blocked), urls=as_data(" ".join(blocked)))

    def _result(self, result: WebResult, read: ReadResult | None) -> str:
        self._places[result.url] = len(self._places) + 1
        date = self._say("published", date=result.date) if result.date else self._say("undated")
        facts = [result.site, AUTHORITY[self._language][result.authority], date]
        text = result.snippet
        if read is not None:
            facts.append(self._say("not_read", why=read.why_not) if read.why_not else "")
            facts[-1] = facts[-1] or self._say("read")
            text = read.text or text
        head = f"[{self._places[result.url]}] {result.title}\n    {result.url}"
        return as_data(f"{head}\n    {' · '.join(facts)}\n    {text}")

    def _say(self, what: str, **words: object) -> str:
        return self._words[what].format(**words)


def data_of(answered: QueryAnswer) -> dict[str, Any]:
    """One query's answer as JSON values."""
    data: dict[str, Any] = {"query": answered.query, "status": answered.status}
    if answered.problem:
        data["problem"] = answered.problem
    if answered.page is not None:
        data["provider"] = answered.page.provider
        data["fetched_at"] = answered.page.fetched_at.isoformat()
        data["results"] = [_resultdata_of(one) for one in answered.page.results]
    return data


def _resultdata_of(one: WebResult) -> dict[str, Any]:
    return {
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
