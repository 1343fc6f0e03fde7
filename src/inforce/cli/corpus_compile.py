"""``inforce corpus compile LAW``: a base text and its amendments become consolidated versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.output import (
    Json,
    clock,
    console,
    counted,
    localize,
    print_json,
    print_line,
    progress_bar,
    user_library,
)
from inforce.corpus import home
from inforce.corpus.store import Corpus
from inforce.dates import parse_when
from inforce.errors import InputError, UserError
from inforce.language.messages import N_

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inforce.corpus.compile.instrument import Instrument
    from inforce.corpus.compile.versions import (
        Compilation,
        CompiledVersion,
        Difference,
        Outcome,
        Unapplied,
    )

_WORDS = (
    *(N_("applied"), N_("confirmed"), N_("refused"), N_("failed"), N_("noted")),
    *(N_("{} applied"), N_("{} confirmed"), N_("{} refused"), N_("{} failed"), N_("{} noted")),
    *(N_("{} amended: {}"), N_("{} inserted: {}"), N_("{} deleted: {}"), N_("{} merged: {}")),
    *(N_("{} renumbered: {}"), N_("{}: words"), N_("{}: marks"), N_("{}: variants")),
    *(N_("{}: untouched"), N_("{}: absent"), N_("{}: added"), N_("words differ")),
    *(N_("{} and {} more"), N_("corrected: {}"), N_("{} held as published")),
    *(N_("{} version added to the corpus"), N_("{} versions added to the corpus")),
    *(N_("{} law compiled, {}"), N_("{} laws compiled, {}"), N_("{} law not compiled")),
    *(N_("{} laws not compiled"), N_("{} version, {} added"), N_("{} versions, {} added")),
    *(N_("repealed {}"), N_("{} article equal, {} not"), N_("{} articles equal, {} not")),
)
"""Words and counting sentences that are translated where they are printed."""

SHOWN = 12
"""How many of a kind are named before the rest are counted."""

_KINDS = {
    "untouched": "no instruction touched it: an instrument is missing, or a copy is wrong",
    "absent": "the held text lacks it",
    "added": "only the held text has it",
}


@dataclass(frozen=True, slots=True)
class Compiled:
    """The result of ``corpus compile`` for one law."""

    law: str
    compilation: Compilation
    added: int = 0
    """Versions written into the corpus."""
    left_out: tuple[str, ...] = ()
    """Versions that were not written, each with the reason."""
    published: int = 0
    """Versions that were not written because a published text is held from their day."""


@dataclass(frozen=True, slots=True)
class CompiledLaws:
    """The result of ``corpus compile`` for every law that instruments amend."""

    compiled: tuple[Compiled, ...]
    not_compiled: Mapping[str, str]
    """Laws from which nothing could be made, each with the reason."""
    not_held: tuple[str, ...] = ()
    """Laws that the given instruments amend and the corpus does not have."""


def compile_law(
    law: Annotated[
        str | None,
        typer.Argument(help="A law of the corpus; every one that instruments amend if left out."),
    ] = None,
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

    printed, last = _day(published), _day(until)
    files = [
        one if one.published or printed is None else replace(one, published=printed)
        for path in instruments or []
        for one in load_instruments(path)
    ]
    if law is None:
        if base:
            raise UserError("--base is a day of one law: name the law")
        return _compile_all(files, until=last, add=add, every=every, as_json=as_json)
    with user_library() as library:
        work = library.corpus.resolve(law)
        found = compile_from_corpus(
            library.corpus, work, files=files, base_on=_day(base), until=last
        )
    [done] = _add([Compiled(work, found)]) if add else [Compiled(work, found)]
    if as_json:
        print_json(done)
    else:
        _show(work, found, every=every)
        _show_added(done, add=add)
    return 0 if is_clean(found) else InputError.exit_status


def _compile_all(
    files: Sequence[Instrument], *, until: date | None, add: bool, every: bool, as_json: bool
) -> int:
    from inforce.corpus.compile.from_corpus import compile_from_corpus, laws_amended

    done: list[Compiled] = []
    failed: dict[str, str] = {}
    with user_library() as library, progress_bar("compiling laws") as advance:
        amended = laws_amended(library.corpus, files)
        for work, held in amended.held.items():
            try:
                found = compile_from_corpus(
                    library.corpus, work, files=files, held=held, until=until
                )
            except UserError as error:
                failed[work] = str(error)
            else:
                done.append(Compiled(work, found))
            advance(1)
    if add:
        done = _add(done)
    result = CompiledLaws(tuple(done), failed, amended.not_held)
    if as_json:
        print_json(result)
    else:
        _show_all(result, every=every, add=add)
    clean = all(is_clean(one.compilation) for one in done)
    return 0 if clean else InputError.exit_status


def is_clean(found: Compilation) -> bool:
    """Whether everything was applied, and every difference from a held text is explained."""
    doubtful = any(version.refused for version in found.versions)
    different = any(one.unexplained for version in found.versions for one in version.comparisons)
    missing = any(not gap.is_last for gap in found.gaps)
    return not (found.unapplied or doubtful or different or missing)


def _day(text: str) -> date | None:
    return parse_when(text, clock=clock()).start if text else None


def _add(laws: Sequence[Compiled]) -> list[Compiled]:
    """Store the versions up to the first that texts of the corpus contradict; report the rest.

    A version is left out if the corpus has a published text from its day: that is the better one.
    The base text and other copies are stored again with their ends: from then on another wording
    was in force, even of an article whose new one is not certain.
    """
    done: list[Compiled] = []
    with Corpus.open(home.corpus_path(), mode="write") as corpus:
        for one in laws:
            found = one.compilation
            left_out = tuple(_reasons_to_leave_out(found))
            first_bad = len(found.versions) - len(left_out)
            corpus.add([*found.ended, found.base])
            good = found.versions[:first_bad]
            new = [version.text for version in good if not version.is_published]
            added = corpus.add(new).versions_added
            published = len(good) - len(new)
            done.append(replace(one, added=added, left_out=left_out, published=published))
    with user_library() as library:
        library.update_index()
    return done


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


def _show_all(result: CompiledLaws, *, every: bool, add: bool) -> None:
    out = console()
    for one in result.compiled:
        found = one.compilation
        if every or not is_clean(found):
            _show(one.law, found, every=every)
        else:
            days = ", ".join(str(version.day) for version in found.versions)
            ended = f"repealed {found.repealed.day}" if found.repealed else ""
            out.print(f"{one.law}: {', '.join(filter(None, (days, ended)))}")
        _show_added(one, add=add)
    for law, reason in result.not_compiled.items():
        out.print(f"{law}: not compiled: {reason}", style="dim")
    for law in result.not_held:
        out.print(f"{law}: not held", style="yellow")
    versions = sum(len(one.compilation.versions) for one in result.compiled)
    made = counted(versions, "version")
    if add:
        made = f"{made}, {sum(one.added for one in result.compiled)} added"
    out.print(
        f"{counted(len(result.compiled), 'law')} compiled, {made}; "
        f"{counted(len(result.not_compiled), 'law')} not compiled",
        style="bold",
    )


def _show_added(done: Compiled, *, add: bool) -> None:
    if add:
        line = f"{counted(done.added, 'version')} added to the corpus"
        if done.published:
            line = f"{line}; {done.published} held as published"
        print_line(line)
    for reason in done.left_out:
        print_line(f"not added: {reason}")


def _show(work: str, found: Compilation, *, every: bool) -> None:
    out = console()
    base = found.base.version
    end = base.validity.end
    days = f"{base.validity.start}"
    if end and base.validity.status == "exact":
        days = f"{days} to {end - timedelta(days=1)}"
    out.print(
        f"{work}: {counted(len(found.versions), 'version')} compiled from {base.label} "
        f"({base.source.name}), in force {days}",
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
    out.print("  " + " · ".join(f"{number} {status}" for status, number in sorted(counts.items())))
    changes = Counter(one.kind for one in version.changes)
    for kind in ("amended", "inserted", "deleted", "merged", "renumbered"):
        names = [one.number.short for one in version.changes if one.kind == kind]
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
        why = explanation or f"NOT EXPLAINED: {_KINDS.get(kind, 'words differ')}"
        out.print(f"    {_some(numbers)}: {kind} · {why}", style=style)


def _show_outcome(one: Outcome) -> None:
    out = console()
    style = {"refused": "red", "failed": "red", "confirmed": "green"}.get(one.status, "")
    status, reason = localize(one.status), localize(one.reason)
    why = f": {reason}" if reason else ""
    out.print(f"  {status} {one.instruction} {one.text}{why}", style=style)


def _show_unapplied(failed: Unapplied) -> None:
    out = console()
    named = f"{failed.day} {failed.instrument}" if failed.day else failed.instrument
    out.print(f"{named}: not applied: {failed.reason}", style="bold red")
    for one in failed.outcomes:
        if one.status in ("refused", "failed"):
            _show_outcome(one)


def _some(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
