"""``inforce trace show FILE``: the steps of a run, on the terminal or as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.output import Json, console, counted, localize, print_json
from inforce.files import write_file

if TYPE_CHECKING:
    from rich.console import Console

    from inforce.agents.runtime.answer import ResearchAnswer
    from inforce.agents.runtime.trace_view import Step, TraceView

command = typer.Typer(help="What agents did.", rich_markup_mode=None)

SHOWN = 600
"""Characters of a step that are printed without ``--full``."""

_COLOUR = {"model": "cyan", "tool": "green"}
"""Of the title of a step; others are yellow."""


@command.callback()
def options() -> None:
    """What agents did."""


@command.command()
def show(
    file: Annotated[Path, typer.Argument(help="A trace written by: inforce ask --trace FILE.")],
    html: Annotated[
        Path | None, typer.Option("--html", help="Write one self-contained page to this file.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show every step in full.")] = False,
    as_json: Json = False,
) -> int:
    """Every step of a run: what the model said, what the tools answered, how it ended."""
    from inforce.agents.runtime.trace import read_trace
    from inforce.agents.runtime.trace_view import view

    shown = view(read_trace(file))
    if html is not None:
        from inforce.agents.runtime.trace_view import page

        write_file(html, page(shown))
        console().print(f"wrote {html}")
    elif as_json:
        print_json(shown)
    else:
        _show(shown, most=None if full else SHOWN)
    return 0


def _show(shown: TraceView, *, most: int | None) -> None:
    out = console()
    out.print(shown.question or "(no question recorded)", style="bold")
    facts = [shown.agent, shown.model, f"research day {shown.today}"]
    facts += [f"facts {shown.as_of}"] if shown.as_of else []
    facts += [f"trial {shown.trial}"] if shown.trial else []
    out.print(" · ".join(facts), style="dim")
    for step in shown.steps:
        show_step(step, most=most)
    if shown.answer is None:
        out.print("\nnot finished: the trace stops here", style="yellow")
    else:
        out.print()
        show_answer(shown.answer)
    out.print(
        f"{counted(len(shown.steps), 'step')}, {counted(shown.usage.calls, 'model call')}, "
        f"{shown.usage.tokens} tokens, {shown.seconds:.1f} s waited",
        style="dim",
    )


def show_step(step: Step, *, most: int | None = SHOWN, out: Console | None = None) -> None:
    """Print one step."""
    out = out or console()
    name = step.title if step.kind == "tool" else step.title.replace("_", " ")
    facts = [step.status.replace("_", " ")] if step.status else []
    facts += [f"{step.tokens} tokens"] if step.tokens else []
    facts += [f"{step.seconds:.2f} s"] if step.seconds else []
    out.print(f"\n{step.number}. {localize(name)}", style=_COLOUR.get(step.kind, "yellow"), end="")
    out.print(f"  {', '.join(map(localize, facts))}" if facts else "", style="dim")
    if step.detail:
        out.print(_cut(" ".join(step.detail.split()), most), style="dim")
    out.print(_cut(step.text, most))


def show_answer(answer: ResearchAnswer) -> None:
    """Print an answer: each sentence with its sources, and those that have none marked."""
    out = console()
    numbers = {one.id: number for number, one in enumerate(answer.evidence, start=1)}
    if answer.outcome != "answered":
        said = filter(None, (answer.outcome.replace("_", " "), answer.note))
        out.print(": ".join(map(localize, said)), style="bold yellow")
    elif answer.note:
        out.print(answer.note, style="yellow")
    if answer.outcome == "abstained":  # what says that there is no answer needs no source
        if answer.text:
            out.print(answer.text)
    else:
        for sentence in answer.sentences:
            marks = "".join(f"[{numbers[one]}]" for one in sentence.support)
            out.print(sentence.text, end=" ")
            out.print(marks or "(no support found)", style="dim" if marks else "red")
    if not answer.evidence:
        out.print("sources: none", style="dim")
        return
    out.print("\nsources:", style="bold")
    for number, one in enumerate(answer.evidence, start=1):
        facts = (one.date or "date not known", one.status or "status not checked", one.url)
        line = " · ".join(fact for fact in facts if fact)
        out.print(f"[{number}] {one.title or one.id}", end="")
        out.print(f" · {line}", style="dim")


def _cut(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    return f"{text[:most]} … ({len(text) - most} more characters; --full shows them)"
