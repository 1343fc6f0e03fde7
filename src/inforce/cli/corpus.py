"""``inforce corpus add|list|doctor|index``: what is held, and how well."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.corpus_compile import compile_law
from inforce.cli.output import Json, console, counted, own_library, print_json, progress_bar
from inforce.corpus import home
from inforce.corpus.ingest import EMPTY_SNAPSHOT
from inforce.corpus.loaders.sniffing import Format
from inforce.corpus.store import AddReport, Corpus
from inforce.errors import InputError

if TYPE_CHECKING:
    from inforce.corpus.findings import LawReport, Report
    from inforce.documents.files import OnProblem
    from inforce.law.model import Version, VersionText
    from inforce.law.numerals import ProvisionNumber

command = typer.Typer(help="The laws held: add, list, examine, index.")

STARTER = Path("starter")
"""``inforce corpus add starter``: the laws that come with the package."""

EXAMPLES = 5
"""How many article numbers the doctor names before it counts the rest."""

command.command("compile")(compile_law)


@dataclass(frozen=True, slots=True)
class Added:
    """What ``corpus add`` did."""

    corpus: str
    report: AddReport
    problems: tuple[str, ...]
    """What was left out, each with file and line."""
    snapshot: str


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
    index: Annotated[
        bool, typer.Option(help="Bring the search index up to date afterwards.")
    ] = True,
    as_json: Json = False,
) -> int:
    """Add laws: all that can be read, in one transaction; what cannot is said, with its line."""
    problems: list[InputError] = []
    path = home.corpus_path()
    with Corpus.open(path, mode="write") as corpus, progress_bar("adding laws") as advance:
        texts = _texts(paths, format, problems.append)
        report = corpus.add(texts, progress=lambda _: advance(1))
        added = Added(str(path), report, tuple(map(str, problems)), corpus.snapshot())
    if index and added.snapshot != EMPTY_SNAPSHOT:
        with own_library() as library:
            library.update_index()
    if as_json:
        print_json(added)
    else:
        _show_added(added)
    return InputError.exit_status if problems else 0


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


def _show_added(added: Added) -> None:
    report = added.report
    print(
        f"{counted(report.versions_added, 'version')} added "
        f"({counted(report.works, 'new law')}, {counted(report.provisions, 'article')}), "
        f"{report.versions_known} known already"
    )
    for problem in added.problems:
        print(f"left out: {problem}", file=sys.stderr)
    print(f"corpus {added.corpus} (snapshot {added.snapshot[:12]})")


@command.command("list")
def list_works(as_json: Json = False) -> int:
    """The laws held, with how many versions and from when."""
    with own_library() as library:
        works = library.corpus.works()
    if as_json:
        print_json(works)
        return 0
    out = console()
    for work in works:
        since = work.first.isoformat() if work.first else "undated"
        out.print(
            f"{work.title}  {counted(work.versions, 'version')} from {since}, "
            f"{counted(work.provisions, 'article')}, {counted(work.witnesses, 'record')}"
        )
    return 0


@command.command("index")
def index(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make it anew.")] = False,
    encoder: Annotated[
        str, typer.Option("--encoder", help="lsa, st:PATH or http://host/v1#MODEL; else as it is.")
    ] = "",
    as_json: Json = False,
) -> int:
    """Bring the search index up to date, or make it anew with another encoder."""
    with own_library() as library:
        report = library.update_index(encoder=encoder, rebuild=rebuild)
    if as_json:
        print_json(report)
    else:
        print(
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
    as_json: Json = False,
) -> int:
    """Gaps, overlaps, holes, unknown ends, duplicates, damage: what this corpus cannot know."""
    from inforce.corpus.doctor import examine
    from inforce.corpus.findings import exceeds, parse_limits

    limits = parse_limits(fail_over or [])
    with own_library() as library, progress_bar("examining laws") as advance:
        works = [library.corpus.resolve(name) for name in law] if law else None
        report = examine(library.corpus, works=works, progress=lambda _: advance(1))
    excesses = exceeds(report, limits)
    if as_json:
        print_json({"report": report.to_json(), "exceeded": excesses})
    else:
        _show_report(report)
        for excess in excesses:
            print(f"too many {excess.kind}: {excess.count} > {excess.limit}", file=sys.stderr)
    return 7 if excesses else 0


def _show_report(report: Report) -> None:
    out = console()
    for law in report.laws:
        _show_law(law)
    out.print(f"{counted(len(report.laws), 'law')} examined", style="bold")
    for kind, count in report.problems.items():
        out.print(f"  {count:6} {kind}", style="yellow" if count else "dim")
    for sentence in report.damage:
        out.print(f"damage: {sentence}", style="bold red")


def _show_law(law: LawReport) -> None:
    """A line of coverage, and below it what is doubtful about the law."""
    out = console()
    covered = ", ".join(map(str, law.covered)) or "no day for certain"
    out.print(f"{law.work}  {covered}", style="bold")
    for gap in law.gaps:
        out.print(f"  gap: {gap.window} ({_some(gap.numbers)})", style="yellow")
    for one in law.overlaps:
        loser, winner = one.set_aside, one.winner
        out.print(
            f"  set aside: {_named(loser)}, {one.reason} from {_named(winner)} "
            f"({_some(one.numbers)})",
            style="yellow",
        )
    for hole in law.holes:
        missing = sorted((*hole.declared, *hole.undeclared))
        out.print(f"  missing: {_some(missing)} of {_named(hole.version)}", style="yellow")
    for version in (*law.unknown_starts, *law.unknown_ends):
        window = version.validity
        out.print(
            f"  undated: {_named(version)}, from {window.start or '?'}, end {window.status}",
            style="yellow",
        )


def _named(version: Version) -> str:
    return f"{version.label} ({version.source.name})"


def _some(numbers: Sequence[ProvisionNumber]) -> str:
    """``第一条、第二条 and 17 more``."""
    named = "、".join(number.chinese for number in numbers[:EXAMPLES])
    more = len(numbers) - EXAMPLES
    return f"{named} and {more} more" if more > 0 else named
