"""``inforce ask QUESTION [--as-of DATE]``: the law that governed, why, and what changed since."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.agents.registry import EXTRACTIVE
from inforce.agents.settings import ResearchOptions, ResearchSettings
from inforce.cli import options
from inforce.cli.output import Json, clock, console, print_json, user_library
from inforce.cli.search import AsOf
from inforce.errors import UserError
from inforce.language import chosen_language
from inforce.lawbook import require_question
from inforce.llm.chat import OFFLINE

if TYPE_CHECKING:
    from inforce.agents.runtime.answer import Outcome
    from inforce.agents.runtime.trace_view import Step
    from inforce.library import Library
    from inforce.verification.findings import Verified

_RESEARCH_STATUS: dict[Outcome, int] = {
    "answered": 0,
    "abstained": 4,
    "turn_limit": 9,
    "budget": 9,
    "invalid": 8,
    "failed": 8,
}


def ask(
    question: Annotated[str, typer.Argument(help="A legal question, with or without a date.")],
    as_of: AsOf = None,
    trial: options.Trial = None,
    agent: options.Agent = EXTRACTIVE,
    model: options.Model = None,
    sources: options.Sources = None,
    web: options.Web = None,
    documents: options.Documents = None,
    world: options.World = None,
    allow_outward: options.AllowOutward = False,
    routing: options.Routing = "tag",
    language: options.PromptLanguage = "zh",
    tools: options.Tools = None,
    trace: options.Trace = None,
    max_turns: options.MaxTurns = None,
    max_tokens: options.MaxTokens = None,
    max_calls: options.MaxCalls = None,
    max_dollars: options.MaxDollars = None,
    max_seconds: options.MaxSeconds = None,
    cache: options.Cache = None,
    replay: options.Replay = False,
    verify: options.Verify = False,
    as_json: Json = False,
) -> int:
    """Answer a question: the governing provisions and why, or what an agent finds out."""
    require_question(question)
    chosen = ResearchOptions(
        agent=agent,
        model=model or OFFLINE,
        as_of=as_of,
        trial=trial,
        sources=sources,
        web=web or "",
        documents=documents,
        world=world,
        allow_outward=allow_outward,
        routing=routing,
        language=language,
        tools=tools,
        max_turns=max_turns,
        max_tokens=max_tokens,
        max_calls=max_calls,
        max_dollars=max_dollars,
        max_seconds=max_seconds,
        trace=trace,
        cache=cache,
        replay=replay,
    )
    settings = ResearchSettings().with_options(chosen, clock=clock())
    settings.check()
    if settings.agent == EXTRACTIVE:
        if verify:
            raise UserError("the extractive answer is quoted, not written: leave out --verify")
        return _quote(question, settings, as_json=as_json)
    return _research(question, settings, verify=verify, as_json=as_json)


def _quote(question: str, settings: ResearchSettings, *, as_json: bool) -> int:
    """The provisions that governed, verbatim, the rule that selected them, and today's law."""
    from inforce.answering.extractive import links_of
    from inforce.cli.quotations import show, status

    with user_library(model="" if settings.model == OFFLINE else settings.model) as library:
        answer = library.ask(question, as_of=settings.as_of, trial=settings.trial)
        links = [] if as_json else links_of(library, answer)
    if as_json:
        print_json(answer)
    else:
        show(answer, links)
    return status(answer)


def _research(question: str, settings: ResearchSettings, *, verify: bool, as_json: bool) -> int:
    """The answer of an agent; on a terminal with its steps."""
    from inforce.cli.trace import show_answer

    with user_library() as library:
        answer = asyncio.run(
            library.aresearch(
                question,
                settings,
                person=_ask_user,
                on_step=_print_step if sys.stderr.isatty() and not as_json else None,
                report=lambda line: print(f"inforce: {line}", file=sys.stderr),
            )
        )
        verified = _verified(library, question, settings, answer.text) if verify else None
    if as_json:
        print_json(answer if verified is None else {"answer": answer, "verified": verified})
    else:
        show_answer(answer)
        if verified is not None:
            from inforce.cli.verify import show

            print()
            show(verified, chosen_language())
    status = _RESEARCH_STATUS[answer.outcome]
    return 1 if status == 0 and verified and verified.outcome == "wrong" else status


def _verified(library: Library, question: str, settings: ResearchSettings, text: str) -> Verified:
    """The check of an answer's citations under the law of the days of the question."""
    from inforce.dates import read_case_dates

    dates = read_case_dates(question, clock=library.clock, as_of=settings.as_of, trial=None)
    trial = None if settings.trial is None else str(settings.trial)
    return library.verify(text, on=dates.hull, trial=trial)


def _print_step(step: Step) -> None:
    from inforce.cli.trace import show_step

    if step.answer is None:
        show_step(step, out=console(stderr=True))


async def _ask_user(questions: Sequence[str]) -> Sequence[str]:
    """Ask the user at the terminal; without one, no question is answered."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return [""] * len(questions)
    out = console(stderr=True)
    out.print("(an empty line is no answer)", style="dim")
    return [await asyncio.to_thread(_read_reply, question) for question in questions]


def _read_reply(question: str) -> str:
    print(f"{question} ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


command = ask
