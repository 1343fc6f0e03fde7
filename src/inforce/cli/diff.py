"""``inforce diff LAW ARTICLE --from DATE --to DATE``: what changed, word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.at import Article, Law, show_absence
from inforce.cli.output import EXIT_STATUS, Json, console, library, print_json, span_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inforce.law.diff import Piece
    from inforce.law.timeline import Answer
    from inforce.library import ProvisionDiff

Earlier = Annotated[str, typer.Option("--from", help="The earlier date.")]
Later = Annotated[str, typer.Option("--to", help="The later date.")]


def diff(
    law: Law, article: Article, earlier: Earlier, later: Later = "today", as_json: Json = False
) -> int:
    """How an article differs between two dates, word by word."""
    with library() as opened:
        result = opened.diff(law, article, earlier=earlier, later=later)
    if as_json:
        print_json(result)
    else:
        show(result)
    answers: list[Answer] = [result.earlier.answer, result.later.answer]
    return max(EXIT_STATUS[answer] for answer in answers)


def show(result: ProvisionDiff) -> None:
    """Print a difference for a person."""
    out = console()
    for lookup in (result.earlier, result.later):
        out.print(f"{lookup.work} {lookup.number.chinese} · {lookup.as_of}", style="bold")
        for span in lookup.spans:
            out.print(span_line(span), style="cyan")
        if lookup.answer != "found":
            show_absence(lookup)
    out.print()
    if result.pieces:
        show_pieces(result.pieces)
        out.print(f"\n{result.changed_share:.0%} of the characters changed", style="dim")
    elif len(result.earlier.found) > 1 or len(result.later.found) > 1:
        out.print("the text changed inside one of these dates: give a day", style="yellow")


def show_pieces(pieces: Sequence[Piece]) -> None:
    """Print words: deleted in red ``[-…-]``, inserted in green ``{+…+}``."""
    out = console()
    for piece in pieces:
        if piece.kind == "deleted":
            out.print(f"[-{piece.text}-]", style="red strike", end="")
        elif piece.kind == "inserted":
            out.print(f"{{+{piece.text}+}}", style="green", end="")
        else:
            out.print(piece.text, end="")
    out.print()
