"""``inforce verify FILE…``: what a document cites and quotes, under the law of its date."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inforce.cli.output import Json, console, print_json, stages_bar, user_library
from inforce.errors import InputError, UserError
from inforce.files import write_file
from inforce.language import chosen_language

if TYPE_CHECKING:
    from rich.console import Console

    from inforce.documents.document import Document
    from inforce.language import Language
    from inforce.library import Library
    from inforce.verification.findings import Finding, Verified

_RUN = "results.json"
"""The file in the folder of a run of a benchmark."""
_STATUS = {"right": 0, "wrong": 1, "not_checked": 5}
_STYLES = {"wrong": "red", "unchecked": "yellow", "note": "blue", "right": "green"}


@dataclass(frozen=True, slots=True)
class _Checked:
    """A file with its findings, or why it was not read."""

    name: str
    verified: Verified | None = None
    document: Document | None = None
    data: bytes = b""
    problem: str = ""


def verify(
    files: Annotated[
        list[str],
        typer.Argument(help="Word, PDF, HTML, Markdown or text; folders; - is standard input."),
    ],
    on: Annotated[
        str | None,
        typer.Option("--on", help="The day or days of the facts; else read in the document."),
    ] = None,
    trial: Annotated[
        str | None, typer.Option("--trial", help="The day of the trial or the procedural step.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print what is right, too.")] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the findings as Markdown.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the document with its findings as a page.")
    ] = None,
    docx: Annotated[
        Path | None,
        typer.Option("--docx", help="Write the Word file with a comment at each finding."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Check every citation and quotation of a document under the law of its date.

    Exit status: 0 all right, 1 something is wrong, 5 something could not be checked, 6 unreadable.
    """
    runs = [Path(one) for one in files if (Path(one) / _RUN).is_file()]
    if runs:
        if len(runs) != len(files):
            raise UserError("runs of benchmarks are verified by themselves: name them alone")
        return _verify_runs(runs, as_json=as_json)
    paths, language = _paths(files), chosen_language()
    if len(paths) != 1 and (html or docx):
        raise UserError("--html and --docx write one document: name one file")
    written = bool(html or docx)
    with user_library() as library, stages_bar() as reached:
        checked = [_check(library, path, on, trial, reached, written=written) for path in paths]
    for one in checked:
        if one.problem and len(checked) == 1:
            raise InputError(one.problem, path=one.name)
    _write(checked[0], html, docx, language)
    if as_json:
        documents = [
            one.verified or {"name": one.name, "outcome": "not_checked", "problem": one.problem}
            for one in checked
        ]
        print_json({"outcome": _outcome(checked), "documents": documents})
    elif markdown:
        _print_markdown(checked, language)
    elif len(checked) == 1:
        assert checked[0].verified is not None
        show(checked[0].verified, language, everything=everything)
    else:
        _show_table(checked, language)
    return _STATUS[_outcome(checked)]


def _verify_runs(folders: Sequence[Path], *, as_json: bool) -> int:
    """The share of right citations of runs that ``inforce eval --output`` stored."""
    from inforce.evals.citations import verify_run
    from inforce.evals.results import read_runs

    runs = read_runs(folders)
    with user_library() as library:
        found = [(run.name, verify_run(library, run.records)) for run in runs]
    if as_json:
        rows = [{"run": name, "share_right": one.share_right, "found": one} for name, one in found]
        print_json({"runs": rows})
        return 0
    for name, one in found:
        share = "nothing to check" if one.share_right is None else f"{one.share_right:.1%} right"
        kinds = ", ".join(f"{number} {kind}" for kind, number in one.counts.items())
        print(f"{name}: {share} of {one.right + one.wrong} checked in {one.answers} answers")
        print(f"  {kinds}")
    return 0


def _paths(files: Sequence[str]) -> list[Path | None]:
    """The files named, and those of the folders named; ``None`` is standard input."""
    from inforce.documents.formats import SUFFIXES

    found: list[Path | None] = []
    for name in files:
        path = Path(name)
        if name == "-":
            found.append(None)
        elif path.is_dir():
            inside = (one for one in path.rglob("*") if one.suffix.lower() in SUFFIXES)
            found += sorted(
                one for one in inside if one.is_file() and not one.name.startswith(("~$", "."))
            )
        else:
            found.append(path)
    if not found:
        raise UserError("no document there: name a .docx, .pdf, .html, .md or .txt file")
    return found


def _check(
    library: Library,
    path: Path | None,
    on: str | None,
    trial: str | None,
    reached: Callable[[str, int, int], None],
    *,
    written: bool,
) -> _Checked:
    """Check a file; the document is returned too where it is written with its findings."""
    from inforce.documents.document import UnreadableDocumentError
    from inforce.documents.files import open_file
    from inforce.documents.parsing import STANDARD_INPUT, patient_parser

    parser = patient_parser()
    name = str(path) if path else STANDARD_INPUT
    if path is None:
        data = sys.stdin.buffer.read(parser.limits.bytes + 1)
    else:
        with open_file(path) as stream:
            data = stream.read(parser.limits.bytes + 1)
    try:
        document = parser.parse(data, name=name, progress=partial(reached, "pages read"))
    except UnreadableDocumentError as error:
        if error.cause == "no_text":
            return _Checked(name, library.verify_nothing(name, error.reason))
        return _Checked(name, problem=error.reason)
    progress = partial(reached, "characters checked")
    verified = library.verify(document, on=on, trial=trial, progress=progress)
    return _Checked(name, verified, document, data) if written else _Checked(name, verified)


def _write(checked: _Checked, html: Path | None, docx: Path | None, lang: Language) -> None:
    if checked.verified is None:
        return
    if html:
        from inforce.verification.reports import as_page

        write_file(html, as_page(checked.document, checked.verified, lang))
    if docx:
        from inforce.verification.annotation import annotate

        if checked.document is None:
            raise InputError("nothing was read of it, so there is nothing to comment on", path=docx)
        write_file(docx, annotate(checked.data, checked.document, checked.verified, language=lang))


def _outcome(checked: Sequence[_Checked]) -> str:
    outcomes = {one.verified.outcome for one in checked if one.verified}
    if "wrong" in outcomes:
        return "wrong"
    unread = any(one.problem for one in checked)
    return "not_checked" if unread or "not_checked" in outcomes else "right"


def _print_markdown(checked: Sequence[_Checked], lang: Language) -> None:
    from inforce.verification.reports import as_markdown

    for one in checked:
        print(
            as_markdown(one.verified, lang) if one.verified else f"# {one.name}\n\n{one.problem}\n"
        )


def show(verified: Verified, lang: Language, *, everything: bool = False) -> None:
    """Print the findings on a document: wrong and unchecked ones, then their numbers."""
    from inforce.verification.explanation import corpus_note, explain_unread, summary

    out = console()
    for one in verified.findings:
        if everything or not one.is_right:
            _show_finding(one, lang, out)
    out.print(f"{verified.name}: {summary(verified, lang)}", style="bold")
    for one in verified.unread:
        out.print(explain_unread(one, lang), style="bold yellow")
    out.print(corpus_note(verified, lang), style="dim")


def _show_finding(finding: Finding, lang: Language, out: Console) -> None:
    from inforce.cli.diff import show_pieces
    from inforce.verification.explanation import cited_name, explain, headline, location, shorten
    from inforce.verification.reports import tone

    out.print(location(finding, lang), style="dim", end=" ")
    out.print(headline(finding, lang), style=f"bold {_STYLES[tone(finding.kind)]}")
    out.print(f"  {shorten(finding.text)}")
    name = cited_name(finding, lang)
    if name and name != finding.text:
        out.print(f"  = {name}", style="dim")
    if finding.pieces:
        show_pieces(finding.pieces, indent="  ")
    for sentence in explain(finding, lang):
        out.print(f"  - {sentence}")
    out.print()


def _show_table(checked: Sequence[_Checked], lang: Language) -> None:
    from inforce.verification.explanation import corpus_note, explain_unread, summary

    out = console()
    for one in checked:
        if one.verified is None:
            out.print(f"{one.name}: {explain_unread(one.problem, lang)}", style="yellow")
            continue
        style = {"wrong": "red", "not_checked": "yellow", "right": "green"}[one.verified.outcome]
        out.print(f"{one.name}: {summary(one.verified, lang)}", style=style)
        for unread in one.verified.unread:
            out.print(f"  {explain_unread(unread, lang)}", style="yellow")
    last = next((one.verified for one in checked if one.verified), None)
    if last is not None:
        out.print(corpus_note(last, lang), style="dim")


command = verify
