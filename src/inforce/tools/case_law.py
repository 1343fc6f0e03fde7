"""``case_law_search``: American decisions, dockets and hearings, and checks of citations.

A citation on its own is looked up; anything else is searched for. Where the name of the case is
given too, another case under the citation is ``not_found``; several cases are ``unknown``, and a
citation the service did not look at is ``not_checked``, never passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from inforce.dates import DateRange, LegalDate
from inforce.documents.untrusted import as_data
from inforce.errors import DateError, NetworkForbiddenError, UserError
from inforce.language import Language
from inforce.llm.settings import Settings, read_settings
from inforce.tools.context import RunContext, SeenResult
from inforce.tools.evidence import Evidence
from inforce.tools.specs import built_in_specs
from inforce.tools.tool import Arguments, Reach, ToolResult, ToolStatus
from inforce.tools.web_search import failure_text, status_of
from inforce.web.courtlistener.cases import CaseResult
from inforce.web.courtlistener.citations import CitationCheck, CitationStatus
from inforce.web.courtlistener.client import TOKEN_VARIABLE, CasePage, CourtListener
from inforce.web.courtlistener.query import CaseQuery, Matching
from inforce.web.search.provider import SearchFailure

DEFAULT_CASES: Final = 5
_SENTENCE: Final = 8
"""Words from which a query is a question: searched by meaning, as a search for every word of it
would find nothing."""

_CHECKS: Final[dict[CitationStatus, ToolStatus]] = {
    "found": "found",
    "ambiguous": "unknown",
    "not_found": "not_found",
    "unreadable": "invalid",
    "not_checked": "not_checked",
}
_WORST_FIRST: Final[tuple[ToolStatus, ...]] = (
    "not_checked",
    "invalid",
    "not_found",
    "unknown",
    "found",
)
"""The status of a look-up is the first of these that any citation has: every one must be right."""

_FIELDS: Final = ("query", "party", "citation", "docket_number")

_TEXTS: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "found": "CourtListener（{at}）：{shown} 件，共约 {total} 件",
        "none": "CourtListener（{at}）没有收录符合条件的案件；其收录不完整，不能断定案件不存在",
        "stopped": "后续结果未能取得：{why}",
        "need": "请至少写明 query、party、citation、docket_number 之一",
        "wrong": "检索条件有误：{problem}",
        "offline": "网络不可用，未检索",
        "later": "后续效力未核查",
        "check_found": "引证 {citation}：有此案",
        "check_same": "引证 {citation}：有此案，案名相符",
        "check_different": "引证 {citation}：不是所称的“{name}”，而是下列案件",
        "check_ambiguous": "引证 {citation}：对应多个案件，无法确定是哪一个",
        "check_not_found": "引证 {citation}：CourtListener 未收录；其收录并不完整",
        "check_unreadable": "“{citation}”中没有可识别的引证",
        "check_not_checked": "引证 {citation}：未核对（{why}）",
    },
    "en": {
        "found": "CourtListener ({at}): {shown} cases of about {total}",
        "none": (
            "CourtListener ({at}) holds no such case; its collection is not complete, "
            "so that this is no proof that there is none"
        ),
        "stopped": "further results could not be had: {why}",
        "need": "give at least one of query, party, citation, docket_number",
        "wrong": "this cannot be searched: {problem}",
        "offline": "the network may not be used; nothing was searched",
        "later": "later treatment not checked",
        "check_found": "{citation}: there is a case",
        "check_same": "{citation}: there is a case, and the name agrees",
        "check_different": "{citation}: not “{name}” but another case:",
        "check_ambiguous": "{citation}: several cases stand under it; which is meant is not known",
        "check_not_found": "{citation}: CourtListener does not hold it (it is not complete)",
        "check_unreadable": "no citation that can be read in “{citation}”",
        "check_not_checked": "{citation}: not checked ({why})",
    },
}


def open_case_law(*, language: Language = "zh", settings: Settings | None = None) -> CaseLawSearch:
    """Open the tool over CourtListener, with the person's token if one is set."""
    token = (settings or read_settings()).key(TOKEN_VARIABLE)
    return CaseLawSearch(CourtListener(token), language=language)


class CaseLawSearch:
    """The tool, over one client."""

    reach: Reach = "outward"

    def __init__(self, client: CourtListener, *, language: Language = "zh") -> None:
        self.spec = built_in_specs(language)["case_law_search"]
        self._client = client
        self._language: Language = language
        self._texts = _TEXTS[language]

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Search, or check a citation.

        Raises:
            DateError: if a date cannot be read.
        """
        given = {name: str(arguments.get(name, "")).strip() for name in _FIELDS}
        if not any(given.values()):
            return ToolResult(self._texts["need"], "invalid")
        try:
            if given["citation"] and not given["query"] and not given["docket_number"]:
                return await self._checked(given["citation"], given["party"], context)
            return await self._searched(_query(given, arguments), arguments, context)
        except SearchFailure as failure:
            problem = {"problem": str(failure)}
            text = as_data(failure_text(failure, self._language))
            return ToolResult(text, status_of(failure), data=problem)
        except NetworkForbiddenError as error:
            problem = {"problem": str(error)}
            return ToolResult(self._texts["offline"], "not_checked", data=problem)
        except DateError:
            raise
        except UserError as error:
            return ToolResult(self._texts["wrong"].format(problem=as_data(str(error))), "invalid")

    async def _searched(
        self, query: CaseQuery, arguments: Arguments, context: RunContext
    ) -> ToolResult:
        limit = int(arguments.get("limit", DEFAULT_CASES))
        page = await self._client.search(query, limit=limit)
        context.remember(_seen(page.cases, str(query)))
        status: ToolStatus = "found" if page.cases else "not_found"
        evidence = tuple(self._evidence(page.cases))
        data = {
            "fetched_at": page.fetched_at.isoformat(),
            "total": page.total,
            "complete": page.stopped is None,
            "cases": [_case_data(case) for case in page.cases],
        }
        return ToolResult("\n".join(self._page_text(page)), status, evidence, data)

    async def _checked(self, citation: str, name: str, context: RunContext) -> ToolResult:
        checks = await self._client.look_up(citation, case_name=name)
        cases = [case for check in checks for case in check.cases]
        context.remember(_seen(cases, citation))
        statuses: list[ToolStatus] = [
            "not_found"
            if check.status == "found" and check.name == "different"
            else _CHECKS[check.status]
            for check in checks
        ]
        status = min(statuses, key=_WORST_FIRST.index)
        text = "\n".join(line for check in checks for line in self._check_text(check, name))
        data = [
            {
                "citation": check.citation,
                "status": check.status,
                "name": check.name,
                "why": check.why,
                "cases": [_case_data(case) for case in check.cases],
            }
            for check in checks
        ]
        return ToolResult(text, status, tuple(self._evidence(cases)), {"checks": data})

    def _page_text(self, page: CasePage) -> Iterator[str]:
        at = f"{page.fetched_at:%Y-%m-%d %H:%M} UTC"
        total = page.total if page.total is not None else "?"
        what = "found" if page.cases else "none"
        yield self._texts[what].format(at=at, shown=len(page.cases), total=total)
        yield from map(self._case, page.cases)
        if page.stopped:
            why = failure_text(page.stopped, self._language)
            yield as_data(self._texts["stopped"].format(why=why))

    def _check_text(self, check: CitationCheck, name: str) -> Iterator[str]:
        what = check.name if check.status == "found" and check.name != "not_compared" else ""
        words = self._texts[f"check_{what or check.status}"]
        yield as_data(words.format(citation=check.citation, name=name, why=check.why))
        yield from map(self._case, check.cases)

    def _case(self, case: CaseResult) -> str:
        facts = [case.court, _days(case), case.docket_number, case.precedential_status]
        lines = [
            f"[{case.result.rank}] {case.caption}",
            f"    {case.result.url}",
            f"    {' · '.join(fact for fact in facts if fact)}",
            f"    {case.result.snippet}",
        ]
        return as_data("\n".join(line for line in lines if line.strip()))

    def _evidence(self, cases: Iterable[CaseResult]) -> Iterator[Evidence]:
        for case in cases:
            status = "; ".join(filter(None, (case.precedential_status, _TEXTS["en"]["later"])))
            yield Evidence(
                case.result.url or case.caption,
                "case_law",
                case.caption,
                case.result.snippet,
                case.result.url,
                _days(case),
                status,
                case.result.provider,
            )


def _query(given: Mapping[str, str], arguments: Arguments) -> CaseQuery:
    keywords = given["query"]
    is_question = keywords.endswith("?") or len(keywords.split()) >= _SENTENCE
    by: Matching = "meaning" if is_question else "words"
    return CaseQuery(
        keywords=keywords,
        party=given["party"],
        citation=given["citation"],
        docket_number=given["docket_number"],
        courts=tuple(str(arguments.get("court", "")).replace(",", " ").split()),
        during=_during(str(arguments.get("filed_from", "")), str(arguments.get("filed_to", ""))),
        kind=arguments.get("kind", "opinion"),
        matching=by,
    )


def _during(first: str, last: str) -> DateRange | None:
    """The days meant: from the first day of the one to the last day of the other."""
    if not first.strip() and not last.strip():
        return None
    start = LegalDate.parse(first).range.start if first.strip() else date.min
    end = LegalDate.parse(last).range.end if last.strip() else None
    return DateRange(start, end)


def _days(case: CaseResult) -> str:
    days = [("filed", case.filed), ("argued", case.argued)]
    return "; ".join(f"{word} {day.isoformat()}" for word, day in days if day)


def _seen(cases: Sequence[CaseResult], query: str) -> Iterator[SeenResult]:
    for case in cases:
        if case.result.url:
            yield SeenResult(case.result.url, case.caption, case.result.snippet, query)


def _case_data(case: CaseResult) -> dict[str, Any]:
    return {
        "case_name": case.case_name,
        "citations": list(case.citations),
        "court": case.court,
        "filed": case.filed.isoformat() if case.filed else None,
        "argued": case.argued.isoformat() if case.argued else None,
        "docket_number": case.docket_number,
        "precedential_status": case.precedential_status,
        "url": case.result.url,
        "text": case.result.snippet,
    }
