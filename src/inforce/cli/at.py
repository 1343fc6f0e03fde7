"""``inforce at LAW ARTICLE --on DATE``: what an article said on a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.links import show_documents, show_links, show_names
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
    from inforce.law.timeline import Lookup
    from inforce.lawbook import ProvisionAt

Law = Annotated[str, typer.Argument(help="Title, short name or English name: 刑法, Criminal Law.")]
Article = Annotated[str, typer.Argument(help="Number in any form: 74, 133-1, 第一百三十三条之一.")]


def at(
    law: Law,
    article: Article,
    on: Annotated[
        str, typer.Option("--on", help="A day, month, year or range: 2010-06-01, 2010年6月, today.")
    ] = "today",
    documents: Annotated[
        bool,
        typer.Option("--documents", help="Also the precedents and guidelines held that cite it."),
    ] = False,
    as_json: Json = False,
) -> int:
    """What an article said on a day: verbatim, with its days in force and what made it so."""
    from inforce.corpus.home import home
    from inforce.feeds.lookups import Lookups

    with user_library() as library:
        result = library.at(law, article, on=on)
        Lookups(home()).record(result, today=library.clock())  # if the user has turned that on
        citing = library.citing_documents(law, article, on=on) if documents else None
    if as_json:
        print_json(result if citing is None else {"at": result, "documents": citing})
    else:
        show(result)
        if citing is not None:
            show_documents(citing)
    return EXIT_STATUS[result.lookup.answer]


def show(result: ProvisionAt) -> None:
    """Print a provision at a date."""
    out, lookup = console(), result.lookup
    out.print(cited(lookup.work, lookup.number.chinese), style="bold", end="")
    out.print(f" · asked for {lookup.as_of}")
    if lookup.found:
        _show_wordings(result)
    else:
        show_absence(lookup)
    for sentence in result.caveats:
        out.print(f"note: {sentence}", style="yellow")
    show_links(result.links)
    if result.next_change:
        out.print(f"afterwards: {span_line(result.next_change)}", style="yellow")


def _show_wordings(result: ProvisionAt) -> None:
    out, lookup = console(), result.lookup
    if lookup.changes:
        out.print(f"The law changed inside these days: {', '.join(map(str, lookup.changes))}")
    for span in lookup.spans:
        out.print(span_line(span), style="cyan")
        if span.provision:
            out.print(f"{span.provision.path}\n" if span.provision.path else "", style="dim")
            out.print(f"{span.provision.text}\n")
            sources = dict.fromkeys(witness.source.name for witness in span.witnesses)
            out.print(f"source: {'; '.join(sources)}", style="dim")
            if span.begins_by:
                out.print(f"first day {span.window.start}: {span.begins_by}", style="dim")
            if span.window.end and span.ends_by:
                out.print(f"last day {span.window.last}: {span.ends_by}", style="dim")
            out.print(f"sha256: {span.provision.hash[:16]}", style="dim")
    if result.captions:
        names = "、".join(caption.name for caption in result.captions)
        out.print(f"known as: {names} (editorial, not part of the law)", style="dim")
        show_names(result.captions)


def show_absence(lookup: Lookup) -> None:
    """Print why there is nothing to quote."""
    out = console()
    words = {
        "found": "in force then, but it did not govern",
        "not_in_force": "not in force then",
        "not_found": "not found: no version of this law held here has such a provision",
        "not_covered": "not covered: this corpus cannot know",
    }
    out.print(words[lookup.answer], style="bold yellow")
    if lookup.reason:
        out.print(f"because {lookup.reason}")
    for claim in lookup.candidates:
        window, label = claim.version.validity, claim.version.label or "without a date"
        out.print(
            f"held, but its dates do not allow an answer: {label} "
            f"(from {window.start or '?'}, end {window.status}; {claim.version.source.name})",
            style="dim",
        )


command = at
