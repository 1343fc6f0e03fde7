"""``inforce corpus add|list|doctor|index``: what is held, and how well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.adding import Index, Starter, add_texts, named, show_added, some
from inforce.cli.corpus_compile import compile_law
from inforce.cli.corpus_fetch import fetch, lookups, update
from inforce.cli.output import (
    Json,
    clock,
    console,
    counted,
    print_json,
    print_line,
    progress_bar,
    user_library,
)
from inforce.corpus import home
from inforce.corpus.loaders.loading import Format
from inforce.corpus.store import Corpus
from inforce.dates import LegalDate
from inforce.errors import DateError, InputError
from inforce.files import write_file

if TYPE_CHECKING:
    from inforce.corpus.doctor import LawReport, Report
    from inforce.documents.files import OnProblem
    from inforce.law.model import Validity, VersionText

command = typer.Typer(help="The laws held: add, list, examine, index.")

STARTER = Path("starter")
"""``inforce corpus add starter``: the laws that come with the package."""

command.command("compile")(compile_law)
command.command("fetch")(fetch)
command.command("update")(update)
command.command("lookups")(lookups)


@command.command("add")
def add(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Files or folders of laws; 'starter' for the built-in ones."),
    ],
    format: Annotated[
        Format | None,
        typer.Option("--format", help="What to read them as; else they are looked at."),
    ] = None,
    as_of: Annotated[
        str, typer.Option("--as-of", help="The day on which the files were current: 2026-07-17.")
    ] = "",
    starter: Starter = True,
    index: Index = True,
    as_json: Json = False,
) -> int:
    """Add laws: all that can be read, in one transaction; what cannot is said, with its line."""
    current = _day(as_of)
    added = add_texts(
        lambda on_problem: _dated(_texts(paths, format, on_problem), current),
        starter=starter and STARTER not in paths,
        index=index,
    )
    if as_json:
        print_json(added)
    else:
        show_added(added)
    return added.exit_status


def _day(text: str) -> date | None:
    if not text:
        return None
    days = LegalDate.parse(text).range
    if not days.is_single_day:
        raise DateError(text, "a day is needed, such as 2026-07-17")
    return days.start


def _dated(texts: Iterator[VersionText], as_of: date | None) -> Iterator[VersionText]:
    """The texts, from sources that were current on a day."""
    for text in texts:
        version = text.version
        if as_of is not None:
            version = replace(version, source=replace(version.source, as_of=as_of))
        yield replace(text, version=version)


def _texts(
    paths: list[Path], format: Format | None, on_problem: OnProblem
) -> Iterator[VersionText]:
    """What all paths hold: one that cannot be read does not keep the others from being added."""
    for path in paths:
        empty = True
        try:
            for text in _texts_of(path, format, on_problem):
                empty = False
                yield text
            if empty and path.is_dir():
                on_problem(InputError("a folder without any law that can be read", path=path))
        except InputError as problem:
            on_problem(problem)


def _texts_of(path: Path, format: Format | None, on_problem: OnProblem) -> Iterator[VersionText]:
    from inforce.corpus.loaders import load
    from inforce.corpus.starter import starter_texts

    if path == STARTER and not path.exists():
        return starter_texts()
    return load(path, format=format, on_problem=on_problem)


@command.command("list")
def list_works(
    filter: Annotated[
        str, typer.Option("--filter", help="Only laws whose title contains this.")
    ] = "",
    as_json: Json = False,
) -> int:
    """The laws held, the best-known first: how many versions, from when, and how far known."""
    from inforce.corpus.titles import plain_title

    with user_library() as library:
        wanted = plain_title(filter)
        works = [work for work in library.corpus.works() if wanted in plain_title(work.title)]
    if as_json:
        print_json(works)
        return 0
    if not works:
        print_line(f"no law's title contains '{filter}'" if filter else "no law is held")
    out = console()
    for work in works:
        since = work.first.isoformat() if work.first else "undated"
        versions, articles = counted(work.versions, "version"), counted(work.provisions, "article")
        records = counted(work.witnesses, "record")
        known = f", as far as known on {work.as_of}" if work.as_of else ""
        out.print(f"{work.title}  {versions} from {since}, {articles}, {records}{known}")
    return 0


@command.command("index")
def index(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make it anew.")] = False,
    encoder: Annotated[
        str,
        typer.Option("--encoder", help="static, st:PATH or http://host/v1#MODEL; else as it is."),
    ] = "",
    as_json: Json = False,
) -> int:
    """Bring the search index up to date, or make it anew with another encoder."""
    if (path := home.corpus_path()).is_file():  # one of an earlier release is brought up to date
        Corpus.open(path, mode="write").close()
    with user_library() as library:
        report = library.update_index(encoder=encoder, rebuild=rebuild)
    if as_json:
        print_json(report)
    else:
        print_line(
            f"{report.action}: {counted(report.documents, 'wording')} "
            f"({report.added} added, {report.deleted} deleted)"
        )
    return 0


@command.command("doctor")
def doctor(
    law: Annotated[list[str] | None, typer.Argument(help="Laws to examine; else all.")] = None,
    fail_over: Annotated[
        list[str] | None,
        typer.Option("--fail-over", help="KIND=N: fail if more than N of a kind, e.g. gaps=0."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Also write the coverage as one page to this file."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Missing texts, gaps, overlaps, unknown ends, damage: what this corpus cannot know."""
    from inforce.corpus.doctor import examine, exceeds, parse_limits

    limits = parse_limits(fail_over or [])
    with user_library() as library, progress_bar("examining laws") as advance:
        works = [library.corpus.resolve(name) for name in law] if law else None
        report = examine(library.corpus, works=works, progress=lambda _: advance(1))
        report = replace(report, damage=(*report.damage, *library.index_damage()))
        if html is not None:
            _write_page(html, report, library.corpus.snapshot())
    excesses = exceeds(report, limits)
    if as_json:
        print_json({"report": report.to_json(), "exceeded": excesses})
    else:
        _show_report(report)
        for excess in excesses:
            print_line(f"too many {excess.kind}: {excess.count} > {excess.limit}", stderr=True)
    return 7 if excesses else 0


def _write_page(path: Path, report: Report, snapshot: str) -> None:
    from inforce.corpus.coverage import coverage_page
    from inforce.language import chosen_language

    laws = [law.coverage for law in report.laws]
    page = coverage_page(laws, today=clock()(), snapshot=snapshot, language=chosen_language())
    write_file(path, page)


def _show_report(report: Report) -> None:
    from inforce.corpus.doctor import KINDS
    from inforce.corpus.titles import importance

    out = console()
    for law in sorted(report.laws, key=lambda one: importance(one.work)):
        _show_law(law)
    _show_years(report)
    out.print(f"{counted(len(report.laws), 'law')} examined", style="bold")
    for kind, count in report.problems.items():
        out.print(f"  {count:6} {kind} · {KINDS[kind]}", style="yellow" if count else "dim")
    for sentence in report.damage:
        out.print(f"damage: {sentence}", style="bold red")


def _show_years(report: Report) -> None:
    """How many laws are held and missing, every tenth year and this one."""
    from inforce.corpus.coverage import by_year

    laws = [law.coverage for law in report.laws]
    out, today = console(), clock()()
    for count in by_year(laws, today=today):
        is_shown = count.year % 10 == 0 or count.year == today.year
        if is_shown and (count.held or count.partly or count.missing):
            out.print(
                f"{count.year}: {counted(count.held, 'law')} held, {count.partly} in part, "
                f"{count.missing} in force but not held"
            )


def _show_law(law: LawReport) -> None:
    """A line of coverage, and below it what is doubtful about the law."""
    out = console()
    covered = ", ".join(map(str, law.covered)) or "no day for certain"
    as_of = law.coverage.as_of
    known = f" (as far as known on {as_of})" if as_of else ""
    out.print(f"{law.work}  ", style="bold", end="")
    out.print(f"{covered}{known}", style="bold")
    for one in law.missing:
        out.print(f"  missing text: {one.window}: {one.why}", style="yellow")
    for conflict in law.conflicts:
        out.print(
            f"  conflict: {conflict.about}: {conflict.taken}, not {conflict.left}", style="yellow"
        )
    for gap in law.gaps:
        out.print(f"  gap: {gap.window} ({some(gap.numbers)})", style="yellow")
    for one in law.overlaps:
        loser, winner = one.set_aside, one.winner
        out.print(
            f"  set aside: {named(loser)}, {one.reason} from {named(winner)} ({some(one.numbers)})",
            style="yellow",
        )
    for hole in law.holes:
        missing = sorted((*hole.declared, *hole.undeclared))
        out.print("  missing: ", style="yellow", end="")
        out.print(f"{some(missing)} · {named(hole.version)}", style="yellow")
    for version in (*law.unknown_starts, *law.unknown_ends):
        window = version.validity
        out.print(
            f"  undated: {named(version)}, from {_start(window)}, end {window.status}",
            style="yellow",
        )


def _start(validity: Validity) -> str:
    if validity.start is None:
        return "?"
    return f"{validity.start}{' (presumed)' if validity.start_presumed else ''}"
