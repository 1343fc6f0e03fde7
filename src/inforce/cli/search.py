"""``inforce search QUERY [--as-of DATE] [-k N]``: provisions that answer a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.links import show_interpretations
from inforce.cli.output import (
    Json,
    cited,
    console,
    counted,
    localize,
    print_json,
    user_library,
)
from inforce.law.caveats import days_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inforce.corpus.links import Links
    from inforce.dates import CaseDate
    from inforce.library import Library
    from inforce.retrieval.analysis import QueryAnalysis
    from inforce.retrieval.statutes import Coverage, Hit, SearchResult, TimeContext

AsOf = Annotated[
    str | None,
    typer.Option("--as-of", help="The day of the facts; wins over dates in the question."),
]

Model = Annotated[
    str,
    typer.Option(
        "--model", help="Let a model read the question: openai:NAME or http://host:port/v1#NAME."
    ),
]


def search(
    query: Annotated[str, typer.Argument(help="A question, in Chinese or English.")],
    as_of: AsOf = None,
    k: Annotated[int, typer.Option("-k", min=1, max=100, help="How many results.")] = 5,
    any_date: Annotated[
        bool, typer.Option("--any-date", help="Every wording there ever was, dates unknown too.")
    ] = False,
    model: Model = "",
    as_json: Json = False,
) -> int:
    """The provisions that answer a question, under the law of a date."""
    with user_library(model=model) as library:
        result = library.search(query, as_of=as_of, k=k, when="any" if any_date else "in_force")
        links = [] if as_json else [_links(library, one, result.time) for one in result.hits]
    if as_json:
        print_json(result)
    else:
        show(result, links)
    return 0 if result.hits else 4


def _links(library: Library, hit: Hit, time: TimeContext) -> Links | None:
    found = hit.provision
    if found.window is None:
        return None
    return library.links(found.work, found.number, found.window, during=time.during)


def show(result: SearchResult, links: Sequence[Links | None]) -> None:
    """Print the results of a search, with what interprets each provision."""
    out = console()
    show_understood(result.analysis, result.time)
    for hit, linked in zip(result.hits, links, strict=True):
        _show_hit(hit, linked)
    if not result.hits:
        out.print("nothing found in force at that time", style="bold yellow")
    show_coverage(result.coverage)


def show_understood(analysis: QueryAnalysis, time: TimeContext) -> None:
    """Print how a question was understood: its days, its provisions, what could not be read."""
    out = console()
    origin = {
        "as_of": "as given",
        "question": "read in the question",
        "today": "today's law: no date of facts was read in the question",
        "any": "any date",
    }
    days = ", ".join(map(str, time.during))
    out.print(f"time: {days} ({origin[time.origin]})" if days else "time: any", style="cyan")
    if time.dates is not None and time.dates.dates:
        out.print(f"dates: {'; '.join(map(_case_date, time.dates.dates))}", style="cyan")
    named = [cited(asked.work or "", asked.number.chinese) for asked in analysis.provisions]
    if named:
        out.print(f"named: {', '.join(named)}", style="cyan")
    if analysis.implied_works:
        works = "、".join(analysis.implied_works)
        out.print(f"implied by the facts: {works} (weighs more, excludes nothing)", style="cyan")
    for warning in (*filter(None, [time.conflict, time.ahead]), *analysis.notes):
        out.print(f"note: {warning}", style="yellow")
    out.print()


def _case_date(one: CaseDate) -> str:
    """A date with its event, and the words of the question or "as given" by an option."""
    source = one.text or localize("as given")
    return f"{localize(one.role)} {localize(str(one.range))} ({source})"


def _show_hit(hit: Hit, links: Links | None) -> None:
    out, found = console(), hit.provision
    out.print(f"{hit.rank}. {cited(found.work, found.number.chinese)}", style="bold", end="")
    out.print(f"  {'、'.join(found.captions)}" if found.captions else "", style="dim")
    days = "dates not known"
    if found.window:
        days = f"in force {days_of(found.window, found.begins, found.as_of, found.date_status)}"
    doubt = " · dates presumed" if found.date_status == "presumed" else ""
    out.print(f"   {' · '.join(filter(None, (days, found.label, found.instrument)))}{doubt}")
    out.print("\n".join(f"   {line}" for line in found.text.splitlines()))
    show_interpretations(links, indent="   ")
    ranks = ", ".join(f"{channel} {rank}" for channel, rank in sorted(hit.channel_ranks.items()))
    out.print(f"   score {hit.score:.4f} ({ranks})\n", style="dim")


def show_coverage(coverage: Coverage) -> None:
    """Print what was searched."""
    out = console()
    for work in coverage.not_held:
        out.print(f"not covered: {work} is not in this corpus", style="yellow")
    if not coverage.is_current:
        out.print(
            "the search index shows an earlier state of the corpus: what was added since is not "
            "searched yet",
            style="yellow",
        )
    out.print(
        f"searched {counted(coverage.documents, 'wording')} of {counted(coverage.works, 'law')} "
        f"(corpus {coverage.snapshot[:12]})",
        style="dim",
    )


command = search
