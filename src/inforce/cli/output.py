"""The output of commands: text in the user's language, JSON for programs, progress bars."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inforce.dates import Clock, LegalDate, system_clock
from inforce.errors import InforceError, InputError, StorageError, UserError
from inforce.language import chosen_language
from inforce.language import cited as cited_in
from inforce.law.caveats import days_in_force

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from inforce.law.timeline import Answer, Span
    from inforce.library import Library

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, errors included.")]

EXIT_STATUS: dict[Answer, int] = {"found": 0, "not_in_force": 3, "not_found": 4, "not_covered": 5}

CLOCK_VARIABLE = "INFORCE_TODAY"
"""Fixes what "today" means (YYYY-MM-DD): for examples and tests whose output must not change."""

_UNSHOWN = (0x7F, *range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
CONTROL_CHARACTERS = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"},
    **dict.fromkeys(_UNSHOWN, 0xFFFD),
}
"""Characters that control a terminal, and the visible ones that are printed instead."""


def clock() -> Clock:
    """The clock of a command: the system's, unless `CLOCK_VARIABLE` fixes it."""
    fixed = os.environ.get(CLOCK_VARIABLE)
    if not fixed:
        return system_clock
    day = LegalDate.parse(fixed).range.start
    return lambda: day


def console(*, stderr: bool = False) -> Console:
    """A console on standard output: colours on a terminal, plain text elsewhere."""
    from rich.console import Console
    from rich.text import Text

    class Plain(Console):
        """Prints untrusted text without markup, and leaves the wrapping to the terminal."""

        def render_str(self, text: str, **how: Any) -> Text:
            """Texts of models and pages cannot control the terminal, nor reverse its direction."""
            return super().render_str(localize(text.translate(CONTROL_CHARACTERS)), **how)

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # `inforce.cli.commands.run` knows what to do

    return Plain(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def localize(text: str) -> str:
    """Translate output into the user's language: each part of each line by its form."""
    try:
        language = chosen_language()
    except UserError:  # this is the error that is being reported
        return text
    if language == "en":
        return text
    from inforce.language.messages import messages

    translate = messages(language).sentence

    def translated(part: str) -> str:
        words = part.strip().removeprefix("- ")
        return part.replace(words, translate(words), 1) if words else part

    lines = (line.split(_SEPARATOR) for line in text.split("\n"))
    return "\n".join(_SEPARATOR.join(map(translated, parts)) for parts in lines)


_SEPARATOR = " · "


def prepare_output() -> None:
    """Let characters that the encoding of the output lacks be escaped instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def flush_output() -> None:
    """Write out everything printed (a closed stdout is ``None``)."""
    if sys.stdout is not None:
        sys.stdout.flush()


def drop_output() -> None:
    """Discard buffered output: its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_line(text: str, *, stderr: bool = False) -> None:
    """Print a line in the user's language, without style or wrapping."""
    line = localize(text.translate(CONTROL_CHARACTERS))
    print(line, file=sys.stderr if stderr else sys.stdout)


def print_note(text: str) -> None:
    """Print a note beside the results: in the user's language, on standard error."""
    print(f"inforce: {localize(text.translate(CONTROL_CHARACTERS))}", file=sys.stderr)


def print_json(value: object) -> None:
    """Print one JSON document; in pure ASCII where the output is not UTF-8, so that it is valid."""
    from inforce.wire import as_wire

    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    readable = encoding.lower().replace("-", "") == "utf8"
    json.dump(as_wire(value), sys.stdout, ensure_ascii=not readable, indent=2)
    print()


def print_error(error: InforceError, *, as_json: bool) -> None:
    """Print an error: on standard output as JSON, else on standard error."""
    if as_json:
        print_json(error)
    else:
        print(f"inforce: {_message(error).translate(CONTROL_CHARACTERS)}", file=sys.stderr)


def _message(error: InforceError) -> str:
    """The message in the user's language; the name of a file stays untranslated."""
    if not isinstance(error, InputError | StorageError):
        return localize(str(error))
    return str(error).removesuffix(error.reason) + localize(error.reason)


@contextmanager
def user_library(*, model: str = "") -> Generator[Library]:
    """Open the library of the user's data folder, with progress bars for slow steps."""
    from inforce.library import open_library

    with (
        progress_bar("indexing provisions") as advance,
        open_library(
            clock=clock(), progress=advance, model=model, on_first_use=_report_first_use
        ) as library,
    ):
        yield library


def _report_first_use(path: Path) -> None:
    from inforce.corpus.starter import COVERAGE_NOTE

    print_note(f"no corpus yet; made one from the starter corpus: {path}")
    print_note(COVERAGE_NOTE)


class _Bar:
    """A progress bar that appears at the first step, and only on a terminal."""

    def __init__(self, label: str = "") -> None:
        self._label = label
        self._shown: Progress | None = None

    def advance(self, steps: int) -> None:
        shown = self._started()
        shown.advance(shown.task_ids[0], steps)

    def reach(self, label: str, done: int, total: int) -> None:
        shown = self._started()
        description = localize(label)
        shown.update(shown.task_ids[0], description=description, completed=done, total=total)

    def _started(self) -> Progress:
        if self._shown is not None:
            return self._shown
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        self._shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Elapsed(),
            console=console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._shown.add_task(localize(self._label), total=None)
        self._shown.start()
        return self._shown

    def close(self) -> None:
        if self._shown is not None:
            self._shown.stop()


@contextmanager
def progress_bar(label: str) -> Generator[Callable[[int], None]]:
    """A progress bar: call it with the number of steps done; silent without a terminal."""
    with closing(_Bar(label)) as bar:
        yield bar.advance


@contextmanager
def stages_bar() -> Generator[Callable[[str, int, int], None]]:
    """As `progress_bar`, for work of several stages: called with stage, steps done, and steps."""
    with closing(_Bar()) as bar:
        yield bar.reach


def counted(number: int, noun: str) -> str:
    """``1 law``, ``2 laws``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def cited(work: str, provisions: str) -> str:
    """A citation in the user's language."""
    return cited_in(work, provisions, chosen_language())


def span_line(span: Span) -> str:
    """One line on a span: its days, how certain they are, and the instrument."""
    if span.state != "in_force":
        return f"{span.window} · {_STATE[span.state]}: {span.reason}"
    made_by = ""
    if span.version:
        made_by = f" · {span.version.label}" if span.version.label else ""
        own = span.version.promulgated is None or span.version.promulgated <= span.window.start
        # Words may be older than the text they are in: then another instrument made them.
        made_by += f" · {span.version.instrument}" if span.version.instrument and own else ""
    doubt = " · dates presumed" if span.date_status == "presumed" else ""
    return f"in force {days_in_force(span)}{made_by}{doubt}"


_STATE = {"absent": "not in force", "uncovered": "not covered"}
