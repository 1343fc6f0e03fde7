"""Which agents there are, and what each of them works with.

A workbench is laid out for one question: the tools of the sources that were chosen, opened once and
closed together. What was asked for and cannot be had is an error; what an agent merely usually has
is left out where it is not there.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from inforce.agents.plan import MOST_STEPS
from inforce.agents.run import Agent
from inforce.corpus.home import home, index_location
from inforce.errors import UserError
from inforce.llm.metering import MeteredModel
from inforce.retrieval.sources.source import Source, SourceName
from inforce.tools.specs import built_in_specs, load_specs
from inforce.tools.tool import Language, Tool
from inforce.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from inforce.library import Library
    from inforce.llm.chat import ChatModel
    from inforce.llm.policy import Policy
    from inforce.retrieval.local_documents import LocalDocuments
    from inforce.retrieval.sources.routing import Router

AgentName = Literal["r1", "msr2", "lmars", "lmars-multi", "react", "plan-solve", "plan-execute"]

Kind = Literal[
    "statutes",
    "guidelines",
    "precedents",
    "interpretations",
    "books",
    "web",
    "case-law",
    "documents",
    "tables",
]
"""What an agent may be given to work with."""

KINDS: tuple[Kind, ...] = get_args(Kind)

Routing = Literal["tag", "gate", "agent"]
"""Who decides to which source a request goes: the agent's own tag (the default), a learned gate, or
a model asked for the route (MSR2, section 3.3)."""

_STORED: dict[Kind, SourceName] = {
    "guidelines": "guideline",
    "precedents": "precedent",
    "interpretations": "interpretation",
    "books": "book",
}

_USUAL: dict[AgentName, tuple[Kind, ...]] = {
    "r1": ("statutes", "web"),
    "msr2": ("statutes", *_STORED),
    "lmars": ("web", "case-law", "documents"),
    "lmars-multi": ("web", "case-law", "documents"),
    "react": ("statutes", *_STORED, "tables"),
    "plan-solve": ("statutes", *_STORED, "tables"),
    "plan-execute": ("statutes", *_STORED, "tables"),
}
"""What each paper gives its agent."""

_SPEAK_ONE_PROTOCOL = ("offline", "recorded:")
"""Models that can only take their agent's turns, not read pages for it."""

_NOTHING = (
    "{agent} has nothing to work with: name a folder of documents (--documents FOLDER), a web "
    "search (--web NAME), or sources (--sources statutes,…)"
)

_RECORDED_WEB = "recorded:"
"""A web search whose pages are not read: beside what was found then, they are those of today."""

_OUTSIDE: tuple[Kind, ...] = ("web", "case-law")
"""What needs the network."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """What to lay out.

    Attributes:
        agent: for whom.
        kinds: what was asked for; ``None``: what the agent usually has and is there.
        language: of tools and prompts.
        web: the search service, as `inforce.web.search.opening.open_provider` has it.
        documents: a folder of one's own files.
        world: a folder with tables in the form of LegalAgentBench.
        routing: who decides where a request for a source goes.
        specs: a YAML file whose descriptions replace ours.
        folder: the data folder; that of this person without one.
        reaches_out: whether the web is among what the agent usually has.
    """

    agent: AgentName
    kinds: tuple[Kind, ...] | None = None
    language: Language = "zh"
    web: str = ""
    documents: Path | None = None
    world: Path | None = None
    routing: Routing = "tag"
    specs: Path | None = None
    folder: Path | None = None
    reaches_out: bool = True

    def without_network(self) -> Workbench:
        """The same with what needs the network left out, unless it was asked for."""
        return self if self.web else replace(self, reaches_out=False)

    @property
    def usual(self) -> tuple[Kind, ...]:
        """What the agent usually has, as far as it was said where it is."""
        there: dict[Kind, object] = {"documents": self.documents, "tables": self.world}
        there |= dict.fromkeys(_OUTSIDE, True if self.reaches_out else None)
        return tuple(kind for kind in _USUAL[self.agent] if there.get(kind, True) is not None)

    @property
    def chosen(self) -> tuple[Kind, ...]:
        """What is laid out."""
        return self.usual if self.kinds is None else self.kinds


def read_kinds(text: str) -> tuple[Kind, ...]:
    """Kinds as a person lists them: ``statutes,web``.

    Raises:
        UserError: if one is none.
    """
    named = [part.strip() for part in text.split(",") if part.strip()]
    chosen: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind in set(named))
    unknown = [name for name in named if name not in KINDS]
    if unknown or not chosen:
        raise UserError(
            f"no source is called {', '.join(unknown) or text!r}: use {','.join(KINDS)}"
        )
    return chosen


def open_agent(
    name: AgentName, *, language: Language = "zh", max_turns: int | None = None
) -> Agent:
    """An agent by its name.

    Args:
        name: as people call it.
        language: of its prompts, where it has them in both.
        max_turns: rounds or steps at most; the paper's number without one.
    """
    match name:
        case "r1":
            from inforce.agents import r1

            return r1.R1(language=language, max_turns=max_turns or r1.MAX_TURNS)
        case "msr2":
            from inforce.agents import msr2

            return msr2.MSR2(language, max_turns=max_turns or msr2.MAX_TURNS)
        case "lmars" | "lmars-multi":
            from inforce.agents import lmars

            mode = "simple" if name == "lmars" else "multi_turn"
            return lmars.LMars(mode, max_rounds=max_turns or lmars.MAX_ROUNDS)
        case "react":
            from inforce.agents.react import ReAct

            return ReAct(max_steps=max_turns or MOST_STEPS)
        case "plan-solve" | "plan-execute":
            from inforce.agents.plan_execute import PlanExecute
            from inforce.agents.plan_solve import PlanSolve

            solving = PlanSolve(max_steps=max_turns or MOST_STEPS)
            return solving if name == "plan-solve" else PlanExecute(solving)


def offline_policy(name: AgentName) -> Policy | None:
    """The rule that takes an agent's turns where there is no model; ``None`` if it has none."""
    if name == "r1":
        from inforce.agents.r1_offline import policy

        return policy
    if name == "msr2":
        from inforce.agents import msr2_offline

        return msr2_offline.policy
    if name in ("lmars", "lmars-multi"):
        return lambda messages: ""  # its roles are played by rules, which ask no model
    return None


@asynccontextmanager
async def laid_out(
    bench: Workbench,
    library: Library,
    model: ChatModel,
    *,
    told: Callable[[str], None] = lambda line: None,
) -> AsyncGenerator[Toolbox]:
    """The tools of a workbench, for as long as the block lasts.

    Args:
        bench: what to lay out.
        library: the statutes.
        model: whom tools ask that read or route.
        told: hears at the end of each of the person's files that could not be read.

    Raises:
        UserError: if something that was asked for cannot be had, or there is nothing at all to
            work with; the message says how to get it.
    """
    model = MeteredModel(model)
    async with AsyncExitStack() as opened:
        tools: list[Tool] = []
        if "statutes" in bench.chosen:
            tools += _statutes(bench, library)
        tools += _sources(bench, library, model)
        if "documents" in bench.chosen:
            tools += _own_files(bench, opened, told)
        if "web" in bench.chosen:
            tools += await _web(bench, model, opened)
        if "case-law" in bench.chosen:
            tools += _case_law(bench)
        if "tables" in bench.chosen:
            tools += _tables(bench)
        if not tools:
            raise UserError(_NOTHING.format(agent=bench.agent))
        yield _described(Toolbox(tools, language=bench.language), bench)


def _described(toolbox: Toolbox, bench: Workbench) -> Toolbox:
    """The tools in the person's words; words for a tool there is not are a mistake."""
    if bench.specs is None:
        return toolbox
    specs = load_specs(bench.specs)
    known = {*toolbox.names, *built_in_specs(bench.language)}
    if unknown := sorted({spec.name for spec in specs} - known):
        raise UserError(
            f"{bench.specs} describes {', '.join(unknown)}, which {bench.agent} does not have "
            f"here; its tools: {', '.join(toolbox.names)}"
        )
    return toolbox.described(specs)


def _tell_unread(documents: LocalDocuments, told: Callable[[str], None]) -> None:
    for problem in documents.problems:
        told(f"not read: {problem.path}: {problem.reason}")
    if documents.pending:
        told(f"not read yet: {documents.pending} files; ask again")


def _statutes(bench: Workbench, library: Library) -> Sequence[Tool]:
    from inforce.tools.statutes import statute_tools

    return statute_tools(library, language=bench.language)


def _sources(bench: Workbench, library: Library, model: ChatModel) -> Sequence[Tool]:
    """The tool of the sources requests are routed to; the statutes alone have their own tools."""
    from inforce.tools.sources import SearchSource

    sources = _routed(bench, library)
    if not sources or (bench.agent != "msr2" and set(sources) == {"statute"}):
        return ()
    return (SearchSource(sources, router=_router(bench, model), language=bench.language),)


def _routed(bench: Workbench, library: Library) -> dict[SourceName, Source]:
    """The sources chosen, those that were asked for by name being there."""
    from inforce.retrieval.sources.statutes import StatuteSource
    from inforce.retrieval.sources.stored import open_sources

    wanted = {_STORED[kind] for kind in bench.chosen if kind in _STORED}
    stored = open_sources(bench.folder or home())
    missing = sorted(wanted - set(stored))
    if missing and bench.kinds is not None:
        raise UserError(
            f"there is no source of {', '.join(missing)} yet: "
            f"make it with: inforce sources add {missing[0]} FILE..."
        )
    sources: dict[SourceName, Source] = {
        name: source for name, source in stored.items() if name in wanted
    }
    if "statutes" in bench.chosen:
        sources["statute"] = StatuteSource(lambda: library.statutes, clock=library.clock)
    return sources


def _router(bench: Workbench, model: ChatModel) -> Router | None:
    from inforce.retrieval.sources.routing import AgentRouter, GateRouter
    from inforce.tools.sources import ask_model

    if bench.routing == "gate":
        return GateRouter(language=bench.language)
    if bench.routing == "agent":
        if model.name.startswith(_SPEAK_ONE_PROTOCOL):
            raise UserError(
                "--routing agent asks a model for the route, and there is none: "
                "name one with --model, or use --routing gate"
            )
        return AgentRouter(ask_model(model), language=bench.language)
    return None


def _own_files(
    bench: Workbench, opened: AsyncExitStack, told: Callable[[str], None]
) -> Sequence[Tool]:
    from inforce.tools.sources import SearchDocuments

    documents = _documents(bench)
    opened.callback(_tell_unread, documents, told)
    return (SearchDocuments(documents, language=bench.language),)


def _documents(bench: Workbench) -> LocalDocuments:
    from inforce.retrieval.local_documents import LocalDocuments

    if bench.documents is None:
        raise UserError("say where your documents are: --documents FOLDER")
    return LocalDocuments(bench.documents, index=index_location(bench.folder or home()))


async def _web(bench: Workbench, model: ChatModel, opened: AsyncExitStack) -> Sequence[Tool]:
    """Search and the opening of what it found; in one step for L-MARS's deep search."""
    from inforce.tools.browse import BrowseWebpage
    from inforce.tools.web_search import open_web_search
    from inforce.web.reader import WebReader

    pages = await opened.enter_async_context(WebReader())
    if bench.agent == "lmars-multi" and not bench.web.startswith(_RECORDED_WEB):
        return (open_web_search(bench.web, language=bench.language, read=pages.around),)
    reads = None if model.name.startswith(_SPEAK_ONE_PROTOCOL) else model
    return (
        open_web_search(bench.web, language=bench.language),
        BrowseWebpage(pages, language=bench.language, model=reads),
    )


def _case_law(bench: Workbench) -> Sequence[Tool]:
    from inforce.tools.case_law import open_case_law

    return (open_case_law(language=bench.language),)


def _tables(bench: Workbench) -> Sequence[Tool]:
    from inforce.tools.legalagentbench import World, legalagentbench_tools

    if bench.world is None:
        raise UserError("say where the tables are: --world FOLDER")
    return legalagentbench_tools(World.load(bench.world))
