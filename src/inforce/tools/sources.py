"""``search_source`` for sources an agent is routed to, ``search_documents`` for one's own files.

With ``search_source`` the agent names the source in the call (action-space routing, MSR2, section
3.3), or a router decides. What is not installed is ``not_covered``; ``not_found`` is said only of
sources that were searched whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from inforce.dates import parse_when
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
from inforce.tools.governing import judged_hits
from inforce.tools.source_text import evidence_of, in_line, show_hit
from inforce.tools.source_words import DESCRIPTIONS, SAID
from inforce.tools.statute_text import show_days
from inforce.tools.tool import Arguments, Language, Reach, ToolResult, ToolSpec, ToolStatus

if TYPE_CHECKING:
    from inforce.lawbook import LawBook
    from inforce.tools.tool import Tool

MOST_K = 20
"""Documents one call may ask for."""

_NAMED_PROBLEMS = 3
"""Files named in a result that could not be read."""

_ORDER: tuple[ToolStatus, ...] = (
    "found",
    "failed",
    "unknown",
    "not_covered",
    "not_in_force",
    "not_found",
)
"""The status of a call is the first of these that any of its sources has: as long as one source
could not be searched, it is not said that there is nothing."""


def ask_model(model: ChatModel) -> Ask:
    """A model as an `AgentRouter` asks it."""

    async def ask(prompt: str) -> str:
        return (await model.reply([Message("user", prompt)])).text

    return ask


@dataclass(frozen=True, slots=True)
class _Block:
    """What one source had to say."""

    source: SourceName
    status: ToolStatus
    notes: tuple[str, ...] = ()
    hits: tuple[SourceHit, ...] = ()


@dataclass(slots=True)
class _Report:
    """Puts answers of sources into words, for one call."""

    query: str
    today: date
    language: Language
    blocks: list[_Block] = field(default_factory=list[_Block])
    notes: list[str] = field(default_factory=list[str])

    def say(self, what: str, **words: object) -> str:
        """One of our sentences; foreign words in it cannot break the line."""
        plain = {name: in_line(str(word)) for name, word in words.items()}
        return SAID[self.language][what].format(**plain)

    def result(self) -> ToolResult:
        """All blocks as one answer; results are numbered throughout."""
        status = min(self.blocks, key=lambda block: _ORDER.index(block.status)).status
        hits = [hit for block in self.blocks for hit in block.hits]
        data = [
            {"source": block.source, "status": block.status, "ids": [_id(h) for h in block.hits]}
            for block in self.blocks
        ]
        evidence = {one.id: one for one in (evidence_of(h, today=self.today) for h in hits)}
        return ToolResult("\n".join(self._lines()), status, tuple(evidence.values()), data)

    def _lines(self) -> Iterator[str]:
        place = 0
        yield from self.notes
        for block in self.blocks:
            title = TITLES[self.language][block.source]
            yield self.say("head", title=title, source=block.source, status=block.status)
            yield from block.notes
            for hit in block.hits:
                place += 1
                yield show_hit(hit, place, today=self.today, language=self.language)


def _id(hit: SourceHit) -> str:
    return hit.document.id


class SearchSource:
    """``search_source``: the sources installed, by tag.

    Args:
        sources: those installed.
        router: decides where a call goes; its tag unless another is given.
        language: of descriptions and answers.
        k: documents a source returns unless the call says otherwise.
        name: of the tool.
        book: decides which wording of a statute governs the case of a run's question; without it
            statutes are shown as they were found.
    """

    def __init__(
        self,
        sources: Mapping[SourceName, Source],
        *,
        router: Router | None = None,
        language: Language = "zh",
        k: int = DEFAULT_K,
        name: str = "search_source",
        book: LawBook | None = None,
    ) -> None:
        self._sources = dict(sources)
        self._router = router
        self._language: Language = language
        self._k = k
        self._name = name
        self._book = book

    @property
    def reach(self) -> Reach:
        """What a person stores as a source is published; the person's documents are not."""
        return "private" if "document" in self._sources else "published"

    @property
    def spec(self) -> ToolSpec:
        """What the model is answer."""
        words = DESCRIPTIONS[self._language]
        offered = tags(self._language, tuple(self._sources)) or "-"
        source = words["source"] + (words["routed"] if self._router else "")
        return ToolSpec(
            self._name,
            words["search"].format(tags=offered),
            {
                "source": {"type": "string", "description": source, "maxLength": 60},
                "query": _text_argument(words["query"]),
                "during": {"type": "string", "description": words["during"], "maxLength": 60},
                "k": _k_argument(words["k"].format(k=self._k)),
            },
            required=("query",),  # a missing source is answered with the tags there are
        )

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Search the source a call names, or is routed to.

        Raises:
            DateError: if ``during`` is no time.
        """
        request = self._request(arguments, context)
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
            return ToolResult(in_line(answer.route.why), "invalid")
        report = _Report(request.query, context.today, self._language)
        if self._router:
            report.notes.append(report.say("route", why=answer.route.why))
        for name in answer.route.sources:
            report.blocks.append(self._block(name, answer, statutes.get(name), report))
        return report.result()

    def _request(self, arguments: Arguments, context: RunContext) -> SourceRequest:
        during = str(arguments.get("during") or "").strip()
        return SourceRequest(
            str(arguments["query"]),
            str(arguments["source"]) if arguments.get("source") else None,
            context.question,
            int(arguments.get("k") or self._k),
            parse_when(during, clock=lambda: context.today) if during else None,
        )

    def _block(
        self,
        name: SourceName,
        answer: SourcesAnswer,
        statutes: StatuteAnswer | None,
        report: _Report,
    ) -> _Block:
        if name in answer.not_covered:
            installed = tags(self._language, tuple(self._sources)) or "-"
            return _Block(name, "not_covered", (report.say("not_covered", tags=installed),))
        if name in answer.failed:
            return _Block(name, "failed", (report.say("failed", problem=answer.failed[name]),))
        hits, source = answer.found[name], self._sources[name]
        if statutes is not None:
            return _statutes_block(statutes, report)
        if isinstance(source, LocalDocuments):
            return _documents_block(hits, source, report)
        notes = () if hits else (report.say("not_found", query=report.query),)
        return _Block(name, "found" if hits else "not_found", notes, hits)


class SearchDocuments:
    """``search_documents``: the person's own files.

    Args:
        documents: the folder; without one every call is answered "not covered".
        language: of descriptions and answers.
        k: passages returned unless the call says otherwise (L-MARS: 5).
    """

    reach: Reach = "private"

    def __init__(
        self, documents: LocalDocuments | None, *, language: Language = "zh", k: int = 5
    ) -> None:
        self._documents = documents
        self._language: Language = language
        self._k = k

    @property
    def spec(self) -> ToolSpec:
        """What the model is answer."""
        words = DESCRIPTIONS[self._language]
        return ToolSpec(
            "search_documents",
            words["documents"],
            {
                "query": _text_argument(words["document_query"]),
                "k": _k_argument(words["k"].format(k=self._k)),
            },
            required=("query",),
        )

    async def __call__(self, arguments: Arguments, context: RunContext) -> ToolResult:
        """Search the files as they are now."""
        report = _Report(str(arguments["query"]), context.today, self._language)
        if self._documents is None:
            report.blocks.append(_Block("document", "not_covered", (report.say("no_folder"),)))
            return report.result()
        request = SourceRequest(report.query, "document", k=int(arguments.get("k") or self._k))
        answer = await RoutedSources({"document": self._documents}).search(request)
        for problem in answer.failed.values():
            report.blocks.append(
                _Block("document", "failed", (report.say("failed", problem=problem),))
            )
        for hits in answer.found.values():
            report.blocks.append(_documents_block(hits, self._documents, report))
        return report.result()


def source_tools(
    sources: Mapping[SourceName, Source], *, language: Language = "zh", k: int = DEFAULT_K
) -> tuple[Tool, ...]:
    """Both tools over the sources given."""
    documents = sources.get("document")
    own = documents if isinstance(documents, LocalDocuments) else None
    return (
        SearchSource(sources, language=language, k=k),
        SearchDocuments(own, language=language),
    )


def _statutes_block(answer: StatuteAnswer, report: _Report) -> _Block:
    days = show_days(answer.days, report.language)
    notes = [report.say("days", days=days)]
    if answer.conflict:
        notes.append(report.say("conflict", conflict=answer.conflict))
    if answer.not_held:
        notes.append(report.say("missing_laws", laws="、".join(answer.not_held)))
    status: ToolStatus = "found"
    if not answer.hits:
        status, why = _without_statutes(answer, report)
        notes += why
    return _Block("statute", status, tuple(notes), answer.hits)


def _without_statutes(answer: StatuteAnswer, report: _Report) -> tuple[ToolStatus, list[str]]:
    """Why no provision is given: it was not law then, its law is not held, or there is none."""
    if answer.other_days:
        others = "；".join(_named_with_days(hit, report.language) for hit in answer.other_days)
        days = show_days(answer.days, report.language)
        return "not_in_force", [report.say("not_in_force", days=days, others=others)]
    if answer.not_held:
        return "not_covered", []
    return "not_found", [report.say("not_found", query=report.query)]


def _named_with_days(hit: SourceHit, language: Language) -> str:
    days = show_days(hit.document.valid, language) if hit.document.valid else "?"
    return f"{hit.document.title}（{days}）"


def _documents_block(
    hits: Sequence[SourceHit], documents: LocalDocuments, report: _Report
) -> _Block:
    problems, pending = documents.problems, documents.pending
    notes: list[str] = []
    if problems:
        names = ", ".join(f"{one.path} ({one.reason})" for one in problems[:_NAMED_PROBLEMS])
        more = " …" if len(problems) > _NAMED_PROBLEMS else ""
        notes.append(report.say("unreadable", count=len(problems), names=names + more))
    if pending:
        notes.append(report.say("pending", count=pending))
    if hits:
        return _Block("document", "found", tuple(notes), tuple(hits))
    what = "incomplete" if notes else "not_found"
    notes.insert(0, report.say(what, query=report.query, count=len(documents)))
    return _Block("document", "unknown" if len(notes) > 1 else "not_found", tuple(notes))


def _text_argument(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description, "minLength": 1, "maxLength": 2_000}


def _k_argument(description: str) -> dict[str, Any]:
    return {"type": "integer", "description": description, "minimum": 1, "maximum": MOST_K}
