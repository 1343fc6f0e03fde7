"""How ``inforce ask --agent NAME`` works: an agent with its tools, watched, within a budget."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from inforce.cli.output import clock, console, library, print_json
from inforce.cli.trace import show_answer, show_step
from inforce.errors import UserError

if TYPE_CHECKING:
    from inforce.agents.answer import Outcome, ResearchAnswer
    from inforce.agents.run import Listener
    from inforce.agents.workbench import Workbench
    from inforce.llm.budget import Budget
    from inforce.llm.chat import ChatModel, Usage

EXIT_STATUS: dict[Outcome, int] = {
    "answered": 0,
    "abstained": 4,
    "turn_limit": 9,
    "budget": 9,
    "invalid": 8,
    "failed": 8,
}


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an agent is asked to do, and under which conditions."""

    question: str
    bench: Workbench
    model: str = "offline"
    max_turns: int | None = None
    trace: Path | None = None
    cache: Path | None = None
    is_replayed: bool = False
    """Whether only replies in the cache may be used."""
    budget: Budget | None = None


def research(assignment: Assignment, *, as_json: bool) -> int:
    """Do the research, show it, and return the exit status of its outcome."""
    with library() as opened:
        answer = asyncio.run(_researched(assignment, opened, as_json=as_json))
    if as_json:
        print_json(answer)
    else:
        show_answer(answer)
    return EXIT_STATUS[answer.outcome]


async def _researched(assignment: Assignment, opened: object, *, as_json: bool) -> ResearchAnswer:
    from inforce.agents.research import Research
    from inforce.agents.research import research as run
    from inforce.agents.workbench import laid_out, open_agent
    from inforce.library import Library
    from inforce.tools.context import RunContext

    assert isinstance(opened, Library)
    bench = assignment.bench
    agent = open_agent(bench.agent, language=bench.language, max_turns=assignment.max_turns)
    model = _model(assignment)
    bench = bench.without_network() if model.name == "offline" else bench
    async with laid_out(bench, opened, model, told=_warn) as toolbox:
        task = Research(
            model,
            toolbox,
            RunContext(assignment.question, clock()()),
            assignment.trace,
            person=_person,
            listeners=() if as_json else _watchers(),
        )
        return await run(agent, task)


def _warn(line: str) -> None:
    print(f"inforce: {line}", file=sys.stderr)


def _model(assignment: Assignment) -> ChatModel:
    from inforce.agents.workbench import offline_policy
    from inforce.llm.budget import within
    from inforce.llm.models import ModelOptions, open_model

    if assignment.is_replayed and assignment.cache is None:
        raise UserError("say which cache to replay: --cache FILE")
    options = ModelOptions(
        cache=assignment.cache, cache_mode="replay" if assignment.is_replayed else "read_write"
    )
    policy = offline_policy(assignment.bench.agent)
    model = open_model(assignment.model, options=options, policy=policy)
    if assignment.budget is None:
        return model
    return within(model, assignment.budget, spent=_spent_before(assignment.trace))


def _spent_before(trace: Path | None) -> Usage:
    """What the part of the run that is in its trace has cost: it counts towards the budget."""
    from inforce.agents.trace import Replied, read_trace
    from inforce.llm.chat import Usage

    events = read_trace(trace) if trace and trace.exists() else ()
    return sum((one.usage for one in events if isinstance(one, Replied)), Usage())


def read_budget(
    *, tokens: int | None, calls: int | None, dollars: str | None, seconds: float | None
) -> Budget | None:
    """A budget from the options of a command; ``None`` if there is no limit.

    Raises:
        UserError: if a limit cannot be read.
    """
    from inforce.llm.budget import Budget

    if (tokens, calls, dollars, seconds) == (None, None, None, None):
        return None
    try:
        money = None if dollars is None else Decimal(dollars)
    except ArithmeticError as error:
        raise UserError(f"{dollars!r} is no amount of dollars: write 0.50") from error
    return Budget(tokens, calls, money, seconds)


def _watchers() -> tuple[Listener, ...]:
    """Steps are shown while a person watches; elsewhere only the answer is printed."""
    return (_Watcher(),) if sys.stderr.isatty() else ()


class _Watcher:
    """Prints each step as it happens, on standard error."""

    def __init__(self) -> None:
        self._seen = 0

    def __call__(self, event: object) -> None:
        from inforce.agents.trace import Started
        from inforce.agents.trace_view import view

        if isinstance(event, Started):
            return
        shown = view([event])  # pyright: ignore[reportArgumentType]
        for step in shown.steps:
            self._seen += 1
            show_step(step, number=self._seen, out=console(stderr=True))


async def _person(questions: Sequence[str]) -> Sequence[str]:
    """The person at the terminal; nobody where input or output is no terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return [""] * len(questions)
    out = console(stderr=True)
    out.print("(an empty line is no answer)", style="dim")
    return [await asyncio.to_thread(_asked, question) for question in questions]


def _asked(question: str) -> str:
    print(f"{question} ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()
