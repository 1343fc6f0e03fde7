"""``inforce corpus compile LAW``: a base text and its amendments become consolidated versions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.output import Json, clock, console, counted, own_library, print_json
from inforce.corpus import home
from inforce.corpus.store import Corpus
from inforce.dates import parse_when
from inforce.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from inforce.corpus.compile.session import Outcome
    from inforce.corpus.compile.versions import (
        Compilation,
        CompiledVersion,
        Difference,
        Unapplied,
    )

SHOWN = 12
"""How many of a kind are named before the rest are counted."""

_KINDS = {
    "untouched": ": no instruction touched it; an instrument is missing, or a copy is wrong",
    "absent": ": the held text lacks it",
    "added": ": only the held text has it",
}


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
    with own_library() as opened:
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
    missing = any(not gap.is_last for gap in found.gaps)
    return not (found.unapplied or doubtful or different or missing)


def _day(text: str) -> date | None:
    return parse_when(text, clock=clock()).start if text else None


def _add(found: Compilation) -> tuple[int, tuple[str, ...]]:
    """Store the versions up to the first that the texts held contradict; the rest is said.

    The base text and other copies are stored again with their ends: from then on another wording
    was in force, even of an article whose new one is not certain.
    """
    left_out = tuple(_reasons_to_leave_out(found))
    first_bad = len(found.versions) - len(left_out)
    with Corpus.open(home.corpus_path(), mode="write") as corpus:
        corpus.add([*found.ended, found.base])
        report = corpus.add(one.text for one in found.versions[:first_bad])
    with own_library() as opened:
        opened.update_index()
    return report.versions_added, left_out


def _reasons_to_leave_out(found: Compilation) -> Iterator[str]:
    gaps = [gap.day for gap in found.gaps if not gap.is_last]
    reason = ""
    for one in found.versions:
        if reason:
            yield f"{one.day} is built on a version that is not certain"
            continue
        missing = [day for day in gaps if day < one.day]
        if missing:
            reason = f"{one.day} is built without the instrument of {missing[0]}"
        elif any(beside.unexplained for beside in one.comparisons):
            reason = f"{one.day} differs from a held text, and nobody has explained it"
        if reason:
            yield reason


def _show(work: str, found: Compilation, *, every: bool) -> None:
    out = console()
    base = found.base.version
    out.print(
        f"{work}: {counted(len(found.versions), 'version')} compiled from {base.label} "
        f"({base.source.name}), in force {base.validity.start}",
        style="bold",
    )
    for reason in found.passed_over[:SHOWN]:
        out.print(f"  not applied: {reason}", style="dim")
    if len(found.passed_over) > SHOWN:
        out.print(f"  and {len(found.passed_over) - SHOWN} more not applied", style="dim")
    for correction in found.corrections:
        out.print(f"  corrected: {correction}", style="yellow")
    for version in found.versions:
        _show_version(version, every=every)
    for failed in found.unapplied:
        _show_unapplied(failed)
    for gap in found.gaps:
        numbers = _some([one.short for one in gap.numbers])
        out.print(
            f"{gap.day}: no instrument is held, but a text, {gap.held}, which differs in {numbers}",
            style="dim" if gap.is_last else "bold red",
        )
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
    for rule in version.own_rules[:SHOWN]:
        out.print(f"  changes no text: {rule}", style="dim")
    if len(version.own_rules) > SHOWN:
        out.print(f"  and {len(version.own_rules) - SHOWN} more that change no text", style="dim")
    for note in version.notes:
        out.print(f"  note: {note}", style="dim")
    for reference in version.stale_references:
        out.print(f"  stale reference: {reference}", style="yellow")
    for beside in version.comparisons:
        _show_comparison(beside.held, beside.equal, beside.differences)


def _show_comparison(held: str, equal: int, differences: tuple[Difference, ...]) -> None:
    out = console()
    out.print(f"  beside {held}: {counted(equal, 'article')} equal, {len(differences)} not")
    reasons: dict[tuple[str, str], list[str]] = {}
    for one in differences:
        reasons.setdefault((one.kind, one.explanation), []).append(one.number.short)
    for (kind, explanation), numbers in reasons.items():
        style = "dim" if explanation else "bold red"
        why = explanation or f"NOT EXPLAINED{_KINDS.get(kind, '')}"
        out.print(f"    {_some(numbers)}: {kind}; {why}", style=style)


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
