"""Opening a researcher: the agent, the model and the tools that settings name.

A source that was named and is not available is an error; one that the agent merely usually has is
left out.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from inforce.agents.runtime.method import Method, SourceKind
from inforce.agents.runtime.research import Researcher
from inforce.agents.runtime.trace import read_trace, usage_of
from inforce.agents.settings import RECORDED, ResearchSettings
from inforce.corpus.home import home, index_location
from inforce.errors import UserError
from inforce.lawbook import LawBook
from inforce.llm.budget import Budget, within
from inforce.llm.chat import ChatModel
from inforce.llm.metering import MeteredModel
from inforce.llm.models import ModelOptions, open_model
from inforce.llm.policy import OFFLINE
from inforce.tools.specs import built_in_specs, load_specs
from inforce.tools.tool import Tool
from inforce.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from inforce.retrieval.local_documents import LocalDocuments
    from inforce.retrieval.sources.routing import Router
    from inforce.retrieval.sources.source import Source, SourceName

Report = Callable[[str], None]
"""Called with a line on each of the person's files that could not be read."""

_STORED: dict[SourceKind, SourceName] = {
    "guidelines": "guideline",
    "precedents": "precedent",
    "interpretations": "interpretation",
    "books": "book",
}


@asynccontextmanager
async def open_researcher(
    settings: ResearchSettings,
    book: LawBook,
    *,
    model: ChatModel | None = None,
    folder: Path | None = None,
    report: Report | None = None,
) -> AsyncGenerator[Researcher]:
    """An agent with its model and its tools, for as long as the block lasts.

    Args:
        settings: which; dates and trace are given with each question.
        book: the statutes.
        model: who takes the agent's turns; the one ``settings.model`` names unless given.
        folder: the data folder, where stored sources are; that of this person without one.
        report: called at the end with each of the person's files that could not be read.

    Raises:
        UserError: if settings cannot be (see `ResearchSettings.check`), or something that was asked
            for cannot be had; the message says how to get it.
        ModelError, InputError, MissingExtraError: from the model or a tool.
    """
    method = settings.check()
    if method is None:
        raise UserError(f"the agent {settings.agent} does no research: it answers by Library.ask")
    answering = model or _open_model(settings, method)
    async with AsyncExitStack() as stack:
        opening = _Opening(settings, method, book, MeteredModel(answering), folder or home(), stack)
        tools = await opening.tools(report or (lambda line: None))
        yield Researcher(
            method.make(settings.language, settings.max_turns),
            answering,
            _described(
                Toolbox(tools, language=settings.language, allow_outward=settings.allow_outward),
                settings,
            ),
            book.clock,
        )


def _open_model(settings: ResearchSettings, method: Method) -> ChatModel:
    """The model within its budget; the cost of an earlier part of the run counts."""
    options = ModelOptions(
        cache=settings.cache, cache_mode="replay" if settings.replay else "read_write"
    )
    policy = method.offline() if method.offline and settings.model == OFFLINE else None
    model = open_model(settings.model, options=options, policy=policy)
    if settings.budget == Budget():
        return model
    trace = settings.trace
    events = read_trace(trace) if trace and trace.exists() else ()
    return within(model, settings.budget, spent=usage_of(events))


def _described(toolbox: Toolbox, settings: ResearchSettings) -> Toolbox:
    """The tools with the person's descriptions; one of an unknown tool is a mistake."""
    if settings.tools is None:
        return toolbox
    specs = load_specs(settings.tools)
    known = {*toolbox.names, *built_in_specs(settings.language)}
    if unknown := sorted({spec.name for spec in specs} - known):
        raise UserError(
            f"{settings.tools} describes {', '.join(unknown)}, which {settings.agent} does not "
            f"have here; its tools: {', '.join(toolbox.names)}"
        )
    return toolbox.described(specs)


class _Opening:
    """Opens the tools of each source that was chosen; ``stack`` closes them."""

    def __init__(
        self,
        settings: ResearchSettings,
        method: Method,
        book: LawBook,
        model: ChatModel,
        folder: Path,
        stack: AsyncExitStack,
    ) -> None:
        self._settings = settings
        self._method = method
        self._book = book
        self._model = model
        self._folder = folder
        self._stack = stack
        self._reader = None if model.name.startswith((OFFLINE, RECORDED)) else model
        """Reads pages for tools; recorded and offline models only take an agent's turns."""

    async def tools(self, report: Report) -> list[Tool]:
        chosen, language = self._settings.chosen_sources, self._settings.language
        tools: list[Tool] = []
        if "statutes" in chosen:
            from inforce.tools.statutes import statute_tools

            tools += statute_tools(self._book, language=language)
        tools += self._search_source()
        if "documents" in chosen:
            tools += self._documents(report)
        if "web" in chosen:
            tools += await self._web()
        if "case-law" in chosen:
            from inforce.tools.case_law import open_case_law

            tools.append(open_case_law(language=language))
        if "tables" in chosen:
            tools += self._tables()
        return tools

    def _search_source(self) -> Sequence[Tool]:
        """The tool of the sources requests are routed to; the statutes alone have their own."""
        sources = self._routed()
        if not sources:
            return ()
        from inforce.tools.sources import SearchSource

        tool = SearchSource(
            sources, router=self._router(), language=self._settings.language, book=self._book
        )
        return (tool,)

    def _routed(self) -> dict[SourceName, Source]:
        chosen = self._settings.routed_sources(self._method)
        if not chosen:
            return {}
        from inforce.retrieval.sources.statutes import StatuteSource
        from inforce.retrieval.sources.stored import open_sources

        wanted = {_STORED[kind] for kind in chosen if kind in _STORED}
        stored = open_sources(self._folder) if wanted else {}
        missing = sorted(wanted - set(stored))
        if missing and self._settings.sources is not None:
            raise UserError(
                f"there is no source of {', '.join(missing)} yet: "
                f"make it with: inforce sources add {missing[0]} FILE..."
            )
        sources: dict[SourceName, Source] = {
            name: source for name, source in stored.items() if name in wanted
        }
        if "statutes" in chosen and (sources or self._method.routes_statutes):
            sources["statute"] = StatuteSource(lambda: self._book.statutes, clock=self._book.clock)
        return sources

    def _router(self) -> Router | None:
        from inforce.retrieval.sources.routing import AgentRouter, GateRouter
        from inforce.tools.sources import ask_model

        match self._settings.routing:
            case "gate":
                return GateRouter(language=self._settings.language)
            case "agent":
                return AgentRouter(ask_model(self._model), language=self._settings.language)
            case "tag":
                return None

    def _documents(self, report: Report) -> Sequence[Tool]:
        from inforce.retrieval.local_documents import LocalDocuments
        from inforce.tools.sources import SearchDocuments

        assert self._settings.documents is not None
        documents = LocalDocuments(self._settings.documents, index=index_location(self._folder))
        self._stack.callback(_report_unread, documents, report)
        return (SearchDocuments(documents, language=self._settings.language),)

    async def _web(self) -> Sequence[Tool]:
        """Search and the reading of what it found; in one step for L-MARS's deep search."""
        from inforce.tools.browse import BrowseWebpage
        from inforce.tools.web_search import open_web_search
        from inforce.web.reader import WebReader

        web, language = self._settings.web, self._settings.language
        pages = await self._stack.enter_async_context(WebReader())
        # Beside a recorded search, pages would be those of today: they are not read with it.
        if self._method.deep_search and not web.startswith(RECORDED):
            return (open_web_search(web, language=language, read=pages.passage),)
        return (
            open_web_search(web, language=language),
            BrowseWebpage(pages, language=language, model=self._reader),
        )

    def _tables(self) -> Sequence[Tool]:
        from inforce.tools.legalagentbench import World, legalagentbench_tools

        assert self._settings.world is not None
        world = World.load(self._settings.world)
        self._stack.callback(world.close)
        return legalagentbench_tools(world)


def _report_unread(documents: LocalDocuments, report: Report) -> None:
    for problem in documents.problems:
        report(f"not read: {problem.path}: {problem.reason}")
    if documents.pending:
        report(f"not read yet: {documents.pending} files; ask again")
