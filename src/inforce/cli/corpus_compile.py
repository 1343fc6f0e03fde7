"""``inforce corpus compile LAW``: a base text and its amendments become consolidated versions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.output import Json, clock, console, counted, library, print_json
from inforce.corpus import home
from inforce.corpus.store import Corpus
from inforce.dates import parse_when
from inforce.errors import InputError

if TYPE_CHECKING:
    from datetime import date

    from inforce.corpus.compile.session import Outcome
    from inforce.corpus.compile.versions import (
        Compilation,
        CompiledVersion,
        Difference,
        Unapplied,
    )

SHOWN = 12
"""How many articles of a kind are named before the rest are counted."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What ``corpus compile`` did."""

    law: str
    compilation: Compilation
    added: int
    """Versions written into the corpus."""
    left_out: tuple[str, ...] = ()
    """Versions that were not written, each with the reason."""


def compile_law(
    law: Annotated[str, typer.Argument(help="A law of the corpus.")],
    instruments: Annotated[
        list[Path] | None,
        typer.Option("--instruments", help="Files of amending instruments, beside those held."),
    ] = None,
    until: Annotated[str, typer.Option("--until", help="Make no version that begins later.")] = "",
    base: Annotated[
        str, typer.Option("--base", help="Start from the text that began on or before this day.")
    ] = "",
    published: Annotated[
        str,
        typer.Option("--published", help="The day the files were published, if they do not say."),
    ] = "",
    add: Annotated[bool, typer.Option("--add", help="Write the versions into the corpus.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Show every clause, applied or not.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Compile the consolidated versions of a law from a base text and its amendments."""
    from inforce.corpus.compile.from_corpus import compile_from_corpus
    from inforce.corpus.compile.reading import load_instruments

    printed = _day(published)
    files = [
        one if one.published or printed is None else replace(one, published=printed)
        for path in instruments or []
        for one in load_instruments(path)
    ]
    with library() as opened:
        work = opened.corpus.resolve(law)
        found = compile_from_corpus(
            opened.corpus, work, files=files, base_on=_day(base), until=_day(until)
        )
    added, left_out = _add(found) if add else (0, ())
    if as_json:
        print_json(Compiled(work, found, added, left_out))
    else:
        _show(work, found, every=every)
        if add:
            print(f"{counted(added, 'version')} added to the corpus")
        for reason in left_out:
            print(f"not added: {reason}")
    return 0 if is_clean(found) else InputError.exit_status


def is_clean(found: Compilation) -> bool:
    """Whether everything was applied, and every difference from a held text is explained."""
    doubtful = any(version.refused for version in found.versions)
    different = any(one.unexplained for version in found.versions for one in version.comparisons)
    return not (found.unapplied or doubtful or different)


def _day(text: str) -> date | None:
    return parse_when(text, clock=clock()).start if text else None


def _add(found: Compilation) -> tuple[int, tuple[str, ...]]:
    """Store the versions up to the first that a held text contradicts; the rest is said.

    The base text is stored again with its end: from then on another wording was in force.
    """
    bad = [i for i, one in enumerate(found.versions) if any(c.unexplained for c in one.comparisons)]
    first_bad = bad[0] if bad else len(found.versions)
    left_out = tuple(
        f"{one.day} differs from a held text, and nobody has explained it"
        if index == first_bad
        else f"{one.day} is built on a version that differs from a held text"
        for index, one in enumerate(found.versions)
        if index >= first_bad
    )
    with Corpus.open(home.corpus_path(), mode="write") as corpus:
        corpus.add([found.base])
        report = corpus.add(one.text for one in found.versions[:first_bad])
    with library() as opened:
        opened.update_index()
    return report.versions_added, left_out


def _show(work: str, found: Compilation, *, every: bool) -> None:
    out = console()
    base = found.base.version
    out.print(
        f"{work}: {counted(len(found.versions), 'version')} compiled from {base.label} "
        f"({base.source.name}), in force {base.validity.start}",
        style="bold",
    )
    for reason in found.passed_over:
        out.print(f"  not applied: {reason}", style="dim")
    for correction in found.corrections:
        out.print(f"  corrected: {correction}", style="yellow")
    for version in found.versions:
        _show_version(version, every=every)
    for failed in found.unapplied:
        _show_unapplied(failed)
    if found.repealed:
        out.print(f"{found.repealed.day} repealed by {found.repealed.instrument}", style="bold")


def _show_version(version: CompiledVersion, *, every: bool) -> None:
    out = console()
    out.print(f"{version.day} {version.instrument}", style="bold")
    counts = Counter(one.status for one in version.outcomes)
    out.print("  " + ", ".join(f"{number} {status}" for status, number in sorted(counts.items())))
    changes = Counter(one.kind for one in version.changes)
    for kind in ("amended", "inserted", "deleted", "merged", "renumbered"):
        names = [
            (one.new or one.old).short  # type: ignore[union-attr]
            for one in version.changes
            if one.kind == kind
        ]
        if names:
            out.print(f"  {changes[kind]} {kind}: {_some(names)}")
    for one in version.outcomes:
        if every or one.status in ("refused", "failed"):
            _show_outcome(one)
    for rule in version.own_rules:
        out.print(f"  changes no text: {rule}", style="dim")
    for note in version.notes:
        out.print(f"  note: {note}", style="dim")
    for reference in version.stale_references:
        out.print(f"  stale reference: {reference}", style="yellow")
    for beside in version.comparisons:
        _show_comparison(beside.held, beside.equal, beside.differences)


def _show_comparison(held: str, equal: int, differences: tuple[Difference, ...]) -> None:
    out = console()
    out.print(f"  beside {held}: {counted(equal, 'article')} equal, {len(differences)} not")
    for one in differences:
        why = one.explanation or "NOT EXPLAINED"
        style = "dim" if one.explanation else "bold red"
        out.print(f"    {one.number.chinese}: {one.kind}; {why}", style=style)


def _show_outcome(one: Outcome) -> None:
    out = console()
    style = {"refused": "red", "failed": "red", "confirmed": "green"}.get(one.status, "")
    reason = f": {one.reason}" if one.reason else ""
    out.print(f"  {one.status} {one.instruction} {one.text}{reason}", style=style)


def _show_unapplied(failed: Unapplied) -> None:
    out = console()
    day = f"{failed.day} " if failed.day else ""
    out.print(f"{day}{failed.instrument}: not applied: {failed.reason}", style="bold red")
    for one in failed.outcomes:
        if one.status in ("refused", "failed"):
            _show_outcome(one)


def _some(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
