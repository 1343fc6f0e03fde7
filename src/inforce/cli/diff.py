"""``inforce diff LAW ARTICLE --from DATE --to DATE``: what changed, word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.at import Law, show_absence
from inforce.cli.concordance import concordance
from inforce.cli.output import (
    EXIT_STATUS,
    Json,
    cited,
    console,
    print_json,
    span_line,
    user_library,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inforce.law.diff import Piece
    from inforce.law.timeline import Answer
    from inforce.lawbook import ProvisionDiff

Earlier = Annotated[str, typer.Option("--from", help="The earlier date.")]
Later = Annotated[str, typer.Option("--to", help="The later date.")]


def diff(
    law: Law,
    earlier: Earlier,
    article: Annotated[
        str | None,
        typer.Argument(help="Number in any form: 74, 133-1; without one, the whole law."),
    ] = None,
    later: Later = "today",
    as_json: Json = False,
) -> int:
    """How an article differs between two dates, word by word; without one, the whole law."""
    if article is None:
        return concordance(law, earlier, later, as_json=as_json)
    with user_library() as library:
        result = library.diff(law, article, earlier=earlier, later=later)
    if as_json:
        print_json(result)
    else:
        show(result)
    answers: list[Answer] = [result.earlier.answer, result.later.answer]
    return max(EXIT_STATUS[answer] for answer in answers)


def show(result: ProvisionDiff) -> None:
    """Print a difference."""
    out = console()
    for lookup in (result.earlier, result.later):
        out.print(f"{cited(lookup.work, lookup.number.chinese)} · {lookup.as_of}", style="bold")
        if not lookup.found:
            show_absence(lookup)
        for span in lookup.spans if lookup.found else ():
            out.print(span_line(span), style="cyan")
    for sentence in result.caveats:
        out.print(f"note: {sentence}", style="yellow")
    out.print()
    if len(result.earlier.found) > 1 or len(result.later.found) > 1:
        out.print("the text changed inside one of these dates: give a day", style="yellow")
    elif any(piece.kind != "equal" for piece in result.pieces):
        show_pieces(result.pieces)
        out.print(f"\n{result.changed_share:.0%} of the characters changed", style="dim")
    elif result.pieces:
        out.print("the same wording on both dates:", style="green")
        show_pieces(result.pieces)


def show_pieces(pieces: Sequence[Piece], *, indent: str = "") -> None:
    """Print words: deleted in red ``[-…-]``, inserted in green ``{+…+}``."""
    out = console()
    out.print(indent, end="")
    for piece in pieces:
        text = piece.text.replace("\n", f"\n{indent}")
        if piece.kind == "deleted":
            out.print(f"[-{text}-]", style="red strike", end="")
        elif piece.kind == "inserted":
            out.print(f"{{+{text}+}}", style="green", end="")
        else:
            out.print(text, end="")
    out.print()


command = diff
