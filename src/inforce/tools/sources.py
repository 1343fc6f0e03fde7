"""``search_source`` for sources an agent is routed to, ``search_documents`` for one's own files.

With ``search_source`` the agent names the source in the call (action-space routing, MSR2, section
3.3), or a router decides. A source that is not installed is ``not_covered``; ``not_found`` is said
only of sources that were searched completely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from inforce.dates import parse_when
from inforce.documents.untrusted import as_line
from inforce.llm.chat import ChatModel, Message
from inforce.retrieval.local_documents import LocalDocuments
from inforce.retrieval.sources.routing import (
    TITLES,
    ActionSpaceRouter,
    Ask,
    RoutedSources,
    Router,
    SourceRequest,
    SourcesAnswer,
    tags,
)
from inforce.retrieval.sources.source import DEFAULT_K, Source, SourceHit, SourceName
from inforce.retrieval.sources.statutes import StatuteAnswer, StatuteSource
from inforce.tools.context import RunContext
from inforce.tools.source_text import evidence_of, show_hit
from inforce.tools.specs import built_in_specs
from inforce.tools.statute_answers import judged_hits
from inforce.tools.statute_text import show_days
from inforce.tools.tool import (
    Arguments,
    Language,
    Reach,
    ToolResult,
    ToolSpec,
    ToolStatus,
    overall_status,
)

if TYPE_CHECKING:
    from inforce.lawbook import LawBook

DOCUMENTS_K = 5
"""Passages of the person's files that a call returns unless it asks for another number (L-MARS)."""

_SHOWN_PROBLEMS = 3
"""Files named in a result that could not be read."""

_SOURCE_OPTIONAL: dict[Language, str] = {
    "zh": "可以不写：不写时由系统按检索内容选择来源。",
    "en": "May be left out: the query then decides.",
}

_TEXTS: dict[Language, dict[str, str]] = {
    "zh": {
        "head": "{title}（{source}）· {status}",
        "not_found": "没有涉及“{query}”的内容；可换用其他词语或来源。",
        "not_covered": "未安装这个来源，不知道其中有没有相关内容。已安装的来源：{tags}。",
        "failed": "未能检索：{problem}。这不表示没有相关内容。",
        "not_in_force": "{days} 没有这样的有效条文；其他时间的条文：{others}。",
        "missing_laws": "未收录：{laws}，不能据此判断其内容。",
        "days": "按 {days} 有效的法律检索。",
        "conflict": "时间有矛盾：{conflict}。",
        "unreadable": "有 {count} 个文件全部或部分未能读取，其中可能有相关内容：{names}。",
        "pending": "还有 {count} 个文件尚未读完，稍后再检索会包括它们。",
        "incomplete": "已读取的 {count} 个文件中没有涉及“{query}”的内容。",
        "route": "来源由系统选择：{why}。",
    },
    "en": {
        "head": "{title} ({source}) · {status}",
        "not_found": "nothing here speaks to “{query}”; try other words or another source.",
        "not_covered": (
            "this source is not installed; nothing is known of what it holds. Installed: {tags}."
        ),
        "failed": "could not be searched: {problem}. This does not mean that nothing exists.",
        "not_in_force": "nothing of the kind was in force {days}; at other times: {others}.",
        "missing_laws": "not held: {laws}; nothing can be said about it.",
        "days": "Searched under the law in force {days}.",
        "conflict": "The times contradict each other: {conflict}.",
        "unreadable": "{count} files could not be read in full, and may say it: {names}.",
        "pending": "{count} files are not read yet; a later search includes them.",
        "incomplete": "nothing in the {count} files that were read speaks to “{query}”.",
        "route": "The source was chosen for you: {why}.",
    },
}


def ask_model(model: ChatModel) -> Ask:
    """A model in the form an `AgentRouter` takes."""

    async def ask(prompt: str) -> str:
        return (await model.reply([Message("user", prompt)])).text

    return ask


@dataclass(frozen=True, slots=True)
class _SourceResult:
    """The answer of one source: its status, remarks on the search, and the documents found."""

    source: SourceName
    status: ToolStatus
    notes: tuple[str, ...] = ()
    hits: tuple[SourceHit, ...] = ()


@dataclass(slots=True)
class _Report:
    """The answers of the sources of one call."""

    query: str
    today: date
    language: Language
    results: list[_SourceResult] = field(default_factory=list[_SourceResult])
    notes: list[str] = field(default_factory=list[str])

    def say(self, key: str, **words: object) -> str:
        """A sentence of the tool; foreign words in it cannot break the line."""
        plain = {name: as_line(str(word)) for name, word in words.items()}
        return _TEXTS[self.language][key].format(**plain)

    def as_result(self) -> ToolResult:
        """All answers as one; documents are numbered throughout."""
        lines, place = [*self.notes], 0
        for one in self.results:
            title = TITLES[self.language][one.source]
            lines.append(self.say("head", title=title, source=one.source, status=one.status))
            lines += one.notes
            for hit in one.hits:
                place += 1
                lines.append(show_hit(hit, place, today=self.today, language=self.language))
        hits = [hit for one in self.results for hit in one.hits]
        evidence = {one.id: one for one in (evidence_of(hit, today=self.today) for hit in hits)}
        data = [
            {
                "source": one.source,
                "status": one.status,
                "ids": [hit.document.id for hit in one.hits],
            }
            for one in self.results
        ]
        status = overall_status(one.status for one in self.results)
        return ToolResult("\n".join(lines), status, tuple(evidence.values()), data)


class SearchSource:
    """``search_source``: the sources installed, by tag.

    Args:
        sources: those installed.
        router: decides which source a call is for; without one the tag in the call decides.
        language: of descriptions and answers.
        k: documents a source returns unless the call asks for another number.
        book: decides which wording of a statute applies to the case of a run's question; without it
            statutes are shown as they were found.
    """

    def __init__(
        self,
        sources: Mapping[SourceName, Source],
        *,
        router: Router | None = None,
        language: Language = "zh",
        k: int = DEFAULT_K,
        book: LawBook | None = None,
    ) -> None:
        self._sources = dict(sources)
        self._router = router
        self._language: Language = language
        self._k = k
        self._book = book
        self._installed = tags(language, tuple(self._sources)) or "-"

    @property
    def reach(self) -> Reach:
        """Sources a person stores are published texts; the person's documents are private."""
        return "private" if "document" in self._sources else "published"

    @property
    def spec(self) -> ToolSpec:
        """The built-in spec with the sources that are installed."""
        spec = built_in_specs(self._language)["search_source"]
        arguments = {name: dict(schema) for name, schema in spec.parameters.items()}
        arguments["k"]["description"] = arguments["k"]["description"].format(k=self._k)
        if self._router:
            arguments["source"]["description"] += _SOURCE_OPTIONAL[self._language]
        description = spec.description.format(tags=self._installed)
        return replace(spec, description=description, parameters=arguments)

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Search the source a call names, or is routed to.

        Raises:
            DateError: if ``during`` is no time.
        """
        during = str(arguments.get("during") or "").strip()
        request = SourceRequest(
            str(arguments["query"]),
            str(arguments["source"]) if arguments.get("source") else None,
            context.question,
            int(arguments.get("k") or self._k),
            parse_when(during, clock=lambda: context.today) if during else None,
        )
        statutes: dict[SourceName, StatuteAnswer] = {}

        def look(source: Source, request: SourceRequest) -> Sequence[SourceHit]:
            if not isinstance(source, StatuteSource):
                return source.search(request.query, k=request.k, during=request.during)
            found = source.look(
                request.query,
                k=request.k,
                during=request.during,
                given=context.as_of,
                today=context.today,
            )
            if self._book is not None:
                hits = judged_hits(self._book, found.hits, context, self._language)
                found = replace(found, hits=tuple(hits))
            statutes[source.name] = found
            return found.hits

        router = self._router or ActionSpaceRouter(
            language=self._language, offered=tuple(self._sources)
        )
        answer = await RoutedSources(self._sources, router, look=look).search(request)
        if answer.route.is_refused:
            return ToolResult(as_line(answer.route.why), "invalid")
        report = _Report(request.query, context.today, self._language)
        if self._router:
            report.notes.append(report.say("route", why=answer.route.why))
        for name in answer.route.sources:
            report.results.append(self._result(name, answer, statutes.get(name), report))
        return report.as_result()

    def _result(
        self,
        name: SourceName,
        answer: SourcesAnswer,
        statutes: StatuteAnswer | None,
        report: _Report,
    ) -> _SourceResult:
        if name in answer.not_covered:
            note = report.say("not_covered", tags=self._installed)
            return _SourceResult(name, "not_covered", (note,))
        if name in answer.failed:
            note = report.say("failed", problem=answer.failed[name])
            return _SourceResult(name, "failed", (note,))
        if statutes is not None:
            return _statutes_result(statutes, report)
        hits, source = answer.found[name], self._sources[name]
        if isinstance(source, LocalDocuments):
            return _documents_result(hits, source, report)
        if hits:
            return _SourceResult(name, "found", hits=hits)
        return _SourceResult(name, "not_found", (report.say("not_found", query=report.query),))


class SearchDocuments:
    """``search_documents``: the person's own files.

    Args:
        documents: the folder.
        language: of descriptions and answers.
    """

    reach: Reach = "private"

    def __init__(self, documents: LocalDocuments, *, language: Language = "zh") -> None:
        self.spec = built_in_specs(language)["search_documents"]
        self._documents = documents
        self._language: Language = language

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Search the files as they are now."""
        report = _Report(str(arguments["query"]), context.today, self._language)
        k = int(arguments.get("k") or DOCUMENTS_K)
        request = SourceRequest(report.query, "document", k=k)
        answer = await RoutedSources({"document": self._documents}).search(request)
        for problem in answer.failed.values():
            note = report.say("failed", problem=problem)
            report.results.append(_SourceResult("document", "failed", (note,)))
        for hits in answer.found.values():
            report.results.append(_documents_result(hits, self._documents, report))
        return report.as_result()


def _statutes_result(answer: StatuteAnswer, report: _Report) -> _SourceResult:
    """The provisions found; or their days, where they were in force at other times."""
    days = show_days(answer.days, report.language)
    notes = [report.say("days", days=days)]
    if answer.conflict:
        notes.append(report.say("conflict", conflict=answer.conflict))
    if answer.not_held:
        notes.append(report.say("missing_laws", laws="、".join(answer.not_held)))
    status: ToolStatus = "found"
    if answer.hits:
        pass
    elif answer.other_days:
        status, others = "not_in_force", list[str]()
        for hit in answer.other_days:
            valid = hit.document.valid
            their_days = show_days(valid, report.language) if valid else "?"
            others.append(f"{hit.document.title}（{their_days}）")
        notes.append(report.say("not_in_force", days=days, others="；".join(others)))
    elif answer.not_held:
        status = "not_covered"
    else:
        status = "not_found"
        notes.append(report.say("not_found", query=report.query))
    return _SourceResult("statute", status, tuple(notes), answer.hits)


def _documents_result(
    hits: Sequence[SourceHit], documents: LocalDocuments, report: _Report
) -> _SourceResult:
    """The passages found; without any it is ``unknown`` while some files are not read."""
    problems, pending = documents.problems, documents.pending
    notes: list[str] = []
    if problems:
        names = ", ".join(f"{one.path} ({one.reason})" for one in problems[:_SHOWN_PROBLEMS])
        more = " …" if len(problems) > _SHOWN_PROBLEMS else ""
        notes.append(report.say("unreadable", count=len(problems), names=names + more))
    if pending:
        notes.append(report.say("pending", count=pending))
    if hits:
        return _SourceResult("document", "found", tuple(notes), tuple(hits))
    if not notes:
        return _SourceResult(
            "document", "not_found", (report.say("not_found", query=report.query),)
        )
    incomplete = report.say("incomplete", query=report.query, count=len(documents))
    return _SourceResult("document", "unknown", (incomplete, *notes))
