"""Opening a researcher: the agent, the model and the tools that settings name.

A source that was named and is not available is an error; one that the agent merely usually has is
left out.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
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
from inforce.llm.budget import Budget, MeteredModel, within
from inforce.llm.chat import OFFLINE, ChatModel
from inforce.llm.models import ModelOptions, open_model
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
        tools = await _open_tools(
            settings, method, book, MeteredModel(answering), folder or home(), stack, report
        )
        toolbox = Toolbox(tools, language=settings.language, allow_outward=settings.allow_outward)
        agent = method.make(settings.language, settings.max_turns)
        yield Researcher(agent, answering, _described(toolbox, settings), book.clock)


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


async def _open_tools(
    settings: ResearchSettings,
    method: Method,
    book: LawBook,
    model: ChatModel,
    folder: Path,
    stack: AsyncExitStack,
    report: Report | None,
) -> list[Tool]:
    """Open the tools of each source that was chosen; ``stack`` closes them."""
    chosen, language = settings.chosen_sources, settings.language
    tools: list[Tool] = []
    if "statutes" in chosen:
        from inforce.tools.statutes import statute_tools

        tools += statute_tools(book, language=language)
    if sources := _routed_sources(settings, method, book, folder):
        from inforce.tools.sources import SearchSource

        router = _router(settings, model)
        tools.append(SearchSource(sources, router=router, language=language, book=book))
    if "documents" in chosen:
        from inforce.retrieval.local_documents import LocalDocuments
        from inforce.tools.sources import SearchDocuments

        assert settings.documents is not None
        documents = LocalDocuments(settings.documents, index=index_location(folder))
        if report is not None:
            stack.callback(_report_unread, documents, report)
        tools.append(SearchDocuments(documents, language=language))
    if "web" in chosen:
        tools += await _web_tools(settings, method, model, stack)
    if "case-law" in chosen:
        from inforce.tools.case_law import open_case_law

        tools.append(open_case_law(language=language))
    if "tables" in chosen:
        from inforce.tools.legalagentbench import World, legalagentbench_tools

        assert settings.world is not None
        world = World.load(settings.world)
        stack.callback(world.close)
        tools += legalagentbench_tools(world)
    return tools


async def _web_tools(
    settings: ResearchSettings, method: Method, model: ChatModel, stack: AsyncExitStack
) -> list[Tool]:
    """Search and the reading of pages; in one step for L-MARS's deep search."""
    from inforce.tools.browse import BrowseWebpage
    from inforce.tools.web_search import open_web_search
    from inforce.web.reader import WebReader

    service, language = settings.web, settings.language
    pages = await stack.enter_async_context(WebReader())
    # Beside a recorded search, pages would be those of today: they are not read with it.
    if method.deep_search and not service.startswith(RECORDED):
        return [open_web_search(service, language=language, read=pages.passage)]
    # Recorded and offline models only take their agent's turns: they read no pages.
    reader = None if model.name.startswith((OFFLINE, RECORDED)) else model
    return [
        open_web_search(service, language=language),
        BrowseWebpage(pages, language=language, model=reader),
    ]


def _routed_sources(
    settings: ResearchSettings, method: Method, book: LawBook, folder: Path
) -> dict[SourceName, Source]:
    """The sources of ``search_source``; where only statutes are searched they have their own."""
    chosen = settings.routed_sources(method)
    if not chosen:
        return {}
    from inforce.retrieval.sources.statutes import StatuteSource
    from inforce.retrieval.sources.stored import open_sources

    wanted = {_STORED[kind] for kind in chosen if kind in _STORED}
    stored = open_sources(folder) if wanted else {}
    missing = sorted(wanted - set(stored))
    if missing and settings.sources is not None:
        raise UserError(
            f"there is no source of {', '.join(missing)} yet: "
            f"make it with: inforce sources add {missing[0]} FILE..."
        )
    sources: dict[SourceName, Source] = {
        name: source for name, source in stored.items() if name in wanted
    }
    if "statutes" in chosen and (sources or method.routes_statutes):
        sources["statute"] = StatuteSource(lambda: book.statutes, clock=book.clock)
    return sources


def _router(settings: ResearchSettings, model: ChatModel) -> Router | None:
    from inforce.retrieval.sources.routing import AgentRouter, GateRouter
    from inforce.tools.sources import ask_model

    match settings.routing:
        case "gate":
            return GateRouter(language=settings.language)
        case "agent":
            return AgentRouter(ask_model(model), language=settings.language)
        case "tag":
            return None


def _report_unread(documents: LocalDocuments, report: Report) -> None:
    for problem in documents.problems:
        report(f"not read: {problem.path}: {problem.reason}")
    if documents.pending:
        report(f"not read yet: {documents.pending} files; ask again")
