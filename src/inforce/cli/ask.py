"""``inforce ask QUESTION [--as-of DATE]``: the law that governed, why, and what changed since."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from inforce.cli.at import show_absence
from inforce.cli.diff import show_pieces
from inforce.cli.output import EXIT_STATUS, Json, clock, console, library, print_json, span_line
from inforce.cli.search import AsOf, show_coverage, show_understood
from inforce.errors import UserError

if TYPE_CHECKING:
    from inforce.answering.answer import Answer, Quotation
    from inforce.answering.today import Today


AgentChoice = Literal[
    "extractive", "r1", "msr2", "lmars", "lmars-multi", "react", "plan-solve", "plan-execute"
]


def ask(
    question: Annotated[str, typer.Argument(help="A legal question, with or without a date.")],
    as_of: AsOf = None,
    trial: Annotated[
        str | None,
        typer.Option("--trial", help="The day of the trial, where the law at trial matters."),
    ] = None,
    agent: Annotated[
        AgentChoice, typer.Option("--agent", help="Who answers; extractive quotes and explains.")
    ] = "extractive",
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help="openai:NAME, http://host:port/v1#NAME, recorded:FILE or offline.",
        ),
    ] = "",
    sources: Annotated[
        str | None,
        typer.Option("--sources", help="What the agent works with: statutes,web,… (see the docs)."),
    ] = None,
    web: Annotated[
        str,
        typer.Option("--web", help="serper, tavily, ddgs, searxng:URL or recorded:FILE."),
    ] = "",
    documents: Annotated[
        Path | None, typer.Option("--documents", help="A folder of your own documents.")
    ] = None,
    world: Annotated[
        Path | None, typer.Option("--world", help="A folder of tables as LegalAgentBench has them.")
    ] = None,
    routing: Annotated[
        Literal["tag", "gate", "agent"],
        typer.Option("--routing", help="Who decides which source a request goes to."),
    ] = "tag",
    language: Annotated[
        Literal["zh", "en"], typer.Option("--language", help="Of prompts and tools.")
    ] = "zh",
    tools: Annotated[
        Path | None, typer.Option("--tools", help="A YAML file with your own tool descriptions.")
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option("--trace", help="Write every step to this file; go on with it if it exists."),
    ] = None,
    max_turns: Annotated[
        int | None, typer.Option("--max-turns", min=1, help="Rounds of the agent at most.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=0, help="Tokens to spend at most.")
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", min=0, help="Calls of the model at most.")
    ] = None,
    max_dollars: Annotated[
        str | None, typer.Option("--max-dollars", help="US dollars to spend at most.")
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option("--max-seconds", min=0, help="Seconds to take at most.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option("--cache", help="Keep the model's replies in this file.")
    ] = None,
    replay: Annotated[
        bool, typer.Option("--replay", help="Use kept replies only; ask no model.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Answer a question: the governing provisions and why, or what an agent finds out."""
    if agent == "extractive":
        return _extract(question, as_of=as_of, trial=trial, model=model, as_json=as_json)
    from inforce.agents.workbench import Workbench, read_kinds
    from inforce.cli.research import Assignment, read_budget, research

    bench = Workbench(
        agent,
        None if sources is None else read_kinds(sources),
        language,
        web,
        documents,
        world,
        routing,
        tools,
    )
    budget = read_budget(
        tokens=max_tokens, calls=max_calls, dollars=max_dollars, seconds=max_seconds
    )
    assignment = Assignment(
        dated(question, as_of=as_of, trial=trial, language=language),
        bench,
        model or "offline",
        max_turns,
        trace,
        cache,
        replay,
        budget,
    )
    return research(assignment, as_json=as_json)


def dated(
    question: str, *, as_of: str | None, trial: str | None, language: Literal["zh", "en"]
) -> str:
    """A question with the dates the person gave beside it, in words an agent reads.

    Raises:
        UserError: if the question is empty.
        DateError: if a date cannot be read.
    """
    from inforce.dates import parse_when

    if not question.strip():
        raise UserError("the question is empty: ask something, such as 2010年累犯能否适用缓刑？")
    words = _DATED[language]
    given = [(words[0], as_of), (words[1], trial)]
    told = [label.format(parse_when(day, clock=clock())) for label, day in given if day]
    return f"{question}\n{words[2].format(words[3].join(told))}" if told else question


_DATED = {
    "zh": ("事实发生于 {}", "审判日期为 {}", "（{}）", "，"),
    "en": ("the facts: {}", "the trial: {}", "({})", "; "),
}


def _extract(
    question: str, *, as_of: str | None, trial: str | None, model: str, as_json: bool
) -> int:
    """The provisions that governed, verbatim, the rule that selected them, and today's law."""
    with library(model=model) as opened:
        result = opened.ask(question, as_of=as_of, trial=trial)
    if as_json:
        print_json(result)
    else:
        show(result)
    return status(result)


def status(answer: Answer) -> int:
    """Exit status: 0 if something is quoted, else that of the first named absence, else 4 or 5."""
    if answer.quotations:
        return 0
    if answer.absences:
        return EXIT_STATUS[answer.absences[0].lookup.answer]
    return EXIT_STATUS["not_covered" if answer.coverage.not_held else "not_found"]


def show(answer: Answer) -> None:
    """Print an extractive answer for a person."""
    out = console()
    show_understood(answer.analysis, answer.time)
    for quotation in answer.quotations:
        _show_quotation(quotation)
    for absence in answer.absences:
        lookup = absence.lookup
        out.print(f"not quoted: {lookup.work} {lookup.number.chinese}", style="bold")
        show_absence(lookup)
        if absence.later:
            out.print(f"later: {span_line(absence.later)}", style="dim")
        out.print()
    if answer.abstains and not answer.absences:
        out.print("nothing in this corpus speaks to the question; no answer is given", style="bold")
    out.print("Extractive answer: provisions are quoted, no conclusion is drawn.", style="dim")
    show_coverage(answer.coverage)


def _show_quotation(quotation: Quotation) -> None:
    out, ruled = console(), quotation.applicability
    out.print(f"{quotation.work} {quotation.number.chinese}", style="bold", end="")
    out.print(f"  {'、'.join(quotation.captions)}" if quotation.captions else "", style="dim")
    for span in quotation.wordings:
        out.print(span_line(span), style="cyan")
        if span.provision:
            out.print("\n".join(f"  {line}" for line in span.provision.text.splitlines()))
    if ruled.verdict == "cannot_decide":
        out.print("cannot decide which wording governs:", style="yellow")
    out.print(f"why: {ruled.rule.statement} ({ruled.rule.source})")
    for reason in ruled.reasons:
        out.print(f"  - {reason}")
    for assumption in quotation.assumptions:
        out.print(f"  - assumed: {assumption}", style="yellow")
    for caveat in ruled.caveats:
        out.print(f"  see also: {caveat.statement} ({caveat.source})", style="dim")
    _show_today(quotation.today)
    out.print()


def _show_today(today: Today) -> None:
    out = console()
    numbers = today.numbers or ((today.number,) if today.number else ())
    where = f"{today.work} {'、'.join(number.chinese for number in numbers)}"
    match today.since:
        case "unchanged":
            out.print("today: the same wording", style="green")
            return
        case "repealed":
            out.print("today: no longer in force, no successor found", style="yellow")
            return
        case "not_covered":
            out.print("today: not covered by this corpus", style="yellow")
            return
        case "amended":
            out.print(f"today: {where} reads differently", style="yellow")
        case "moved" | "replaced":
            out.print(
                f"today: {where} (matched by text, {today.score:.2f}, not stated by the law)",
                style="yellow",
            )
    if today.span and len(numbers) == 1:
        out.print(f"  {span_line(today.span)}", style="cyan")
    if today.pieces:
        show_pieces(today.pieces, indent="  ")
