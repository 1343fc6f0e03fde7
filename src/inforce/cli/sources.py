"""``inforce sources add|list|search|remove``: precedents, guidelines, interpretations, books."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.output import Json, clock, console, counted, print_json, print_line, progress_bar
from inforce.corpus import home
from inforce.dates import DateRange, parse_when
from inforce.errors import InputError
from inforce.language.messages import N_
from inforce.retrieval.sources.source import StoredName

if TYPE_CHECKING:
    from inforce.retrieval.encoders import Encoder
    from inforce.retrieval.sources.source import SourceHit
    from inforce.retrieval.sources.stored import AddedToSource, SourceSummary

command = typer.Typer(
    help="The sources beside the statutes: precedents, guidelines, interpretations, books.",
    rich_markup_mode=None,
)

Name = Annotated[StoredName, typer.Argument(help="guideline, precedent, interpretation or book.")]
EncoderOption = Annotated[
    str, typer.Option("--encoder", help="For books: static, st:PATH or http://host/v1#MODEL.")
]

_WORDS = (
    *(N_("made"), N_("extended"), N_("removed"), N_("{}: removed"), N_("{}  {}, {} MB, {}")),
    *(N_("{} document"), N_("{} documents"), N_("{} fact"), N_("{} facts"), N_("score {}")),
    *(N_("{} document added"), N_("{} documents added"), N_("{} document added, {} replaced")),
    *(N_("{} documents added, {} replaced"), N_("dated {}"), N_("date not known")),
)
"""Words and counting sentences that are translated where they are printed."""

UNSHOWN = frozenset({"date", "source"})
"""Details that are shown elsewhere, or only with ``--json``."""

PROBLEMS = 20
"""Records left out that are named one by one."""

EXCERPT = 300
"""Characters of a document that are printed; ``--json`` has all of it."""


@dataclass(frozen=True, slots=True)
class SourcesAdded:
    """The result of ``inforce sources add``."""

    report: AddedToSource
    excluded: int
    """Documents left out, as they are facts of an evaluation."""
    problems: tuple[str, ...]
    """Records left out, each with file and line."""


@command.command("add")
def add(
    name: Name,
    files: Annotated[list[Path], typer.Argument(help="JSON lines, CSV or JSON; gzip is fine.")],
    exclude: Annotated[
        list[Path] | None,
        typer.Option("--exclude", help="Facts to keep out: hashes, or JSON lines with a 'fact'."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Keep long documents in one piece.")
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the source anew from these files only.")
    ] = False,
    encoder: EncoderOption = "static",
    as_json: Json = False,
) -> int:
    """Add documents to a source, or replace those of the same id; makes it if there is none."""
    from inforce.retrieval.sources.exclusion import read_exclusions
    from inforce.retrieval.sources.loading import SourceFiles
    from inforce.retrieval.sources.stored import add_files

    problems: dict[str, None] = {}
    excluded: dict[str, None] = {}
    stream = SourceFiles(
        tuple(files),
        name,
        lambda problem: problems.setdefault(str(problem)),
        whole=whole,
        exclude=frozenset(one for path in exclude or [] for one in read_exclusions(path)),
        on_excluded=excluded.setdefault,
    )
    with progress_bar(f"adding to {name}") as advance:
        report = add_files(
            home.home(),
            stream,
            name=name,
            rebuild=rebuild,
            encoder=_encoder(encoder),
            progress=advance,
        )
    added = SourcesAdded(report, len(excluded), tuple(problems))
    if as_json:
        print_json(added)
    else:
        _show_added(added)
    return InputError.exit_status if problems else 0


def _show_added(added: SourcesAdded) -> None:
    report = added.report
    new = f"{counted(report.added, 'document')} added"
    if report.replaced:
        new = f"{new}, {report.replaced} replaced"
    print_line(f"{report.source}: {report.action}, {new}; {report.documents} in all")
    if report.resumed_at:
        print_line(f"continued after {report.resumed_at}")
    if added.excluded:
        print_line(f"excluded: {counted(added.excluded, 'fact')} of the evaluation")
    for problem in added.problems[:PROBLEMS]:
        print_line(f"left out: {problem}", stderr=True)
    if (more := len(added.problems) - PROBLEMS) > 0:
        print_line(f"left out: {more} more (all of them with --json)", stderr=True)


@command.command("list")
def list_stored(as_json: Json = False) -> int:
    """The sources there are, with their sizes."""
    from inforce.retrieval.sources.stored import list_sources

    found = list_sources(home.home())
    if as_json:
        print_json(found)
        return 0
    out = console()
    for one in found:
        out.print(_summary_line(one))
    if not found:
        out.print("no sources yet; make one with: inforce sources add NAME FILE...")
    return 0


def _summary_line(one: SourceSummary) -> str:
    what = _UNREADY.get(one.state) or counted(one.documents, "document")
    size = f", {one.megabytes} MB" if one.megabytes is not None else ""
    return f"{one.name}  {what}{size}, {one.kind}"


_UNREADY = {
    "being made": "being made: the same command continues it",
    "damaged": "damaged: make it anew with --rebuild",
    "outdated": "made by an earlier release: make it anew with --rebuild",
}


@command.command("search")
def search(
    name: Name,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    during: Annotated[
        str | None,
        typer.Option("--during", help="Only of these days: 2015, 2015-06 or 2014..2016."),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, max=100, help="How many results.")] = 3,
    encoder: EncoderOption = "static",
    as_json: Json = False,
) -> int:
    """The documents of a source that speak to something, best first."""
    from inforce.retrieval.sources.stored import open_source

    days = parse_when(during, clock=clock()) if during else None
    hits = open_source(home.home(), name, encoder=_encoder(encoder)).search(query, k=k, during=days)
    if as_json:
        print_json({"source": name, "during": days, "hits": hits})
    else:
        _show_hits(hits, days)
    return 0 if hits else 4


def _encoder(spec: str) -> Encoder | None:
    from inforce.retrieval.encoders import open_encoder

    return open_encoder(spec)


def _show_hits(hits: list[SourceHit], days: DateRange | None) -> None:
    out = console()
    for rank, hit in enumerate(hits, 1):
        document = hit.document
        out.print(f"{rank}. {document.title}", style="bold")
        out.print(f"   {_validity(hit)}")
        if document.section:
            out.print(f"   {document.section}", style="dim")
        text = " ".join(document.text.split())
        out.print(f"   {text[:EXCERPT]}{'…' if len(text) > EXCERPT else ''}")
        details = " · ".join(
            f"{key}: {value}" for key, value in document.details.items() if key not in UNSHOWN
        )
        out.print(
            f"   {document.id} · score {hit.score:.4g}{' · ' if details else ''}{details}\n",
            style="dim",
        )
    if not hits:
        line = f"nothing found of {days}" if days else "nothing found"
        out.print(line, style="bold yellow")


def _validity(hit: SourceHit) -> str:
    """The issuer of a document, where it applies, and its days, known or not."""
    document = hit.document
    written = document.date or document.details.get("date")
    dated = f"dated {written}" if written else "date not known"
    days = ""
    if hit.source in ("guideline", "interpretation"):
        days = f"in force {document.valid}" if document.valid else "days in force not known"
    return " · ".join(filter(None, [document.issuer, document.region, dated, days]))


@command.command("remove")
def remove(name: Name, as_json: Json = False) -> int:
    """Delete a source, and what was left of making it."""
    from inforce.retrieval.sources.stored import remove_source

    removed = remove_source(home.home(), name)
    if as_json:
        print_json({"source": name, "removed": removed})
    else:
        print_line(f"{name}: removed" if removed else f"{name}: there was nothing to remove")
    return 0 if removed else 4
