"""``case_law_search``: American decisions, dockets and hearings, and whether a citation is real.

A citation on its own is looked up; anything else is searched for. That a case is under a
citation is not enough where its name was given: another case under it is ``not_found``, several are
``unknown``, and a citation the service did not look at is ``not_checked``, never passed over.
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
from inforce.tools.case_law_text import DESCRIPTIONS, WORDS
from inforce.tools.context import RunContext, SeenResult
from inforce.tools.evidence import Evidence
from inforce.tools.tool import Arguments, Reach, ToolResult, ToolSpec, ToolStatus
from inforce.tools.web_search_text import failure_words, status_of
from inforce.web.courtlistener.cases import CaseResult
from inforce.web.courtlistener.citations import CitationCheck, CitationStatus
from inforce.web.courtlistener.client import TOKEN_VARIABLE, CasePage, CourtListener
from inforce.web.courtlistener.query import CASE_KINDS, CaseQuery, Matching
from inforce.web.search.provider import SearchFailure

DEFAULT_CASES: Final = 5
MAX_CASES: Final = 20
_SENTENCE: Final = 8
"""Words from which a query is a question put in sentences: searched by meaning, as "every word of
it" would find nothing."""

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
"""The status of a look-up is the first of these that any citation has: a part never passes for the
whole."""

_FIELDS: Final = ("query", "party", "citation", "docket_number")


def open_case_law(*, language: Language = "zh", settings: Settings | None = None) -> CaseLawSearch:
    """The tool over CourtListener, with a person's token if one is set."""
    token = (settings or read_settings()).key(TOKEN_VARIABLE)
    return CaseLawSearch(CourtListener(token), language=language)


class CaseLawSearch:
    """The tool, over one client."""

    reach: Reach = "outward"

    def __init__(self, client: CourtListener, *, language: Language = "zh") -> None:
        self._client = client
        self.language: Language = language
        self._words = WORDS[language]

    @property
    def spec(self) -> ToolSpec:
        """Its arguments; any of them may be left out, not all."""
        said = DESCRIPTIONS[self.language]
        text = {"type": "string", "maxLength": 2_000}
        parameters: dict[str, Any] = {
            name: {**text, "description": said[name]}
            for name in (*_FIELDS, "court", "filed_from", "filed_to")
        }
        parameters["kind"] = {
            "type": "string",
            "enum": list(CASE_KINDS),
            "description": said["kind"],
        }
        parameters["limit"] = {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_CASES,
            "description": said["limit"],
        }
        return ToolSpec("case_law_search", said["tool"], parameters, required=())

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Search, or check a citation.

        Raises:
            DateError: if a date cannot be read.
        """
        given = {name: str(arguments.get(name, "")).strip() for name in _FIELDS}
        if not any(given.values()):
            return ToolResult(self._words["need"], "invalid")
        try:
            if given["citation"] and not given["query"] and not given["docket_number"]:
                return await self._checked(given["citation"], given["party"], context)
            return await self._searched(_query(given, arguments), arguments, context)
        except SearchFailure as failure:
            problem = {"problem": str(failure)}
            text = as_data(failure_words(failure, self.language))
            return ToolResult(text, status_of(failure), data=problem)
        except NetworkForbiddenError as error:
            problem = {"problem": str(error)}
            return ToolResult(self._words["offline"], "not_checked", data=problem)
        except DateError:
            raise
        except UserError as error:
            return ToolResult(self._words["wrong"].format(problem=as_data(str(error))), "invalid")

    async def _searched(
        self, query: CaseQuery, arguments: Arguments, context: RunContext
    ) -> ToolResult:
        limit = int(arguments.get("limit", DEFAULT_CASES))
        page = await self._client.search(query, limit=limit)
        context.remember(_seen(page.cases, str(query)))
        status: ToolStatus = "found" if page.cases else "not_found"
        evidence = tuple(self._evidence(page.cases))
        return ToolResult("\n".join(self._page_text(page)), status, evidence, _page_data(page))

    async def _checked(self, citation: str, name: str, context: RunContext) -> ToolResult:
        checks = await self._client.look_up(citation, case_name=name)
        cases = [case for check in checks for case in check.cases]
        context.remember(_seen(cases, citation))
        statuses: list[ToolStatus] = [_status(check) for check in checks]
        status = min(statuses, key=_WORST_FIRST.index)
        text = "\n".join(line for check in checks for line in self._check_text(check, name))
        data = {"checks": [_check_data(check) for check in checks]}
        return ToolResult(text, status, tuple(self._evidence(cases)), data)

    def _page_text(self, page: CasePage) -> Iterator[str]:
        at = f"{page.fetched_at:%Y-%m-%d %H:%M} UTC"
        total = page.total if page.total is not None else "?"
        what = "found" if page.cases else "none"
        yield self._words[what].format(at=at, shown=len(page.cases), total=total)
        yield from map(self._case, page.cases)
        if page.stopped:
            why = failure_words(page.stopped, self.language)
            yield as_data(self._words["stopped"].format(why=why))

    def _check_text(self, check: CitationCheck, name: str) -> Iterator[str]:
        what = check.name if check.status == "found" and check.name != "not_compared" else ""
        words = self._words[f"check_{what or check.status}"]
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
            status = "; ".join(filter(None, (case.precedential_status, WORDS["en"]["later"])))
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


def _status(check: CitationCheck) -> ToolStatus:
    if check.status == "found" and check.name == "different":
        return "not_found"
    return _CHECKS[check.status]


def _days(case: CaseResult) -> str:
    days = [("filed", case.filed), ("argued", case.argued)]
    return "; ".join(f"{word} {day.isoformat()}" for word, day in days if day)


def _seen(cases: Sequence[CaseResult], query: str) -> Iterator[SeenResult]:
    for case in cases:
        if case.result.url:
            yield SeenResult(case.result.url, case.caption, case.result.snippet, query)


def _page_data(page: CasePage) -> dict[str, Any]:
    return {
        "fetched_at": page.fetched_at.isoformat(),
        "total": page.total,
        "complete": page.stopped is None,
        "cases": [_case_data(case) for case in page.cases],
    }


def _check_data(check: CitationCheck) -> dict[str, Any]:
    return {
        "citation": check.citation,
        "status": check.status,
        "name": check.name,
        "why": check.why,
        "cases": [_case_data(case) for case in check.cases],
    }


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
