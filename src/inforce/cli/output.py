"""What commands print: words for people, JSON for programs, progress for the patient."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inforce.dates import Clock, LegalDate, system_clock
from inforce.errors import InforceError, InputError, StorageError, UserError
from inforce.language.chosen import chosen_language
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
STEERING = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"},
    **dict.fromkeys(_UNSHOWN, 0xFFFD),
}
"""Characters that do something to a terminal, and the pictures of them that are shown instead."""


def clock() -> Clock:
    """The clock of a command: the system's, unless `CLOCK_VARIABLE` fixes it."""
    fixed = os.environ.get(CLOCK_VARIABLE)
    if not fixed:
        return system_clock
    day = LegalDate.parse(fixed).range.start
    return lambda: day


def console(*, stderr: bool = False) -> Console:
    """Standard output for people: colours on a terminal, plain text elsewhere."""
    from rich.console import Console
    from rich.text import Text

    class Plain(Console):
        """What a question says is never taken for markup, and lines are left to the terminal."""

        def render_str(self, text: str, **how: Any) -> Text:
            """Texts of models and pages cannot steer the terminal, nor turn their reading round."""
            return super().render_str(in_own_language(text.translate(STEERING)), **how)

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # `inforce.cli.commands.run` knows what to do

    return Plain(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def in_own_language(text: str) -> str:
    """Output in the language of this person: each part of each line by its form."""
    try:
        language = chosen_language()
    except UserError:  # it is this that is being reported
        return text
    if language == "en":
        return text
    from inforce.language.messages import messages

    said = messages(language).sentence

    def translated(part: str) -> str:
        words = part.strip().removeprefix("- ")
        return part.replace(words, said(words), 1) if words else part

    lines = (line.split(_SEPARATOR) for line in text.split("\n"))
    return "\n".join(_SEPARATOR.join(map(translated, parts)) for parts in lines)


_SEPARATOR = " · "


def prepare_output() -> None:
    """Let no character stop an answer: what an encoding cannot say is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def flush_output() -> None:
    """See to it that everything printed has arrived (a closed stdout is ``None``)."""
    if sys.stdout is not None:
        sys.stdout.flush()


def drop_output() -> None:
    """Send what is still buffered nowhere: whoever read it has left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_line(text: str, *, stderr: bool = False) -> None:
    """Print a line in the language of this person, without a width or a style."""
    said = in_own_language(text.translate(STEERING))
    print(said, file=sys.stderr if stderr else sys.stdout)


def print_json(value: object) -> None:
    """Print one JSON document; in pure ASCII where the output is not UTF-8, so that it is valid."""
    from inforce.wire import as_wire

    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    readable = encoding.lower().replace("-", "") == "utf8"
    json.dump(as_wire(value), sys.stdout, ensure_ascii=not readable, indent=2)
    print()


def print_error(error: InforceError, *, as_json: bool) -> None:
    """Say what went wrong: on standard output as JSON, else on standard error."""
    if as_json:
        print_json(error)
    else:
        print(f"inforce: {_said(error).translate(STEERING)}", file=sys.stderr)


def _said(error: InforceError) -> str:
    """A message in the language of this person; the name of a file stays as it is."""
    if not isinstance(error, InputError | StorageError):
        return in_own_language(str(error))
    return str(error).removesuffix(error.reason) + in_own_language(error.reason)


@contextmanager
def own_library(*, model: str = "") -> Generator[Library]:
    """The library of this person's data folder, with progress bars where that takes a while."""
    from inforce.library import open_library

    with (
        progress_bar("indexing provisions") as advance,
        open_library(
            clock=clock(), progress=advance, model=model, on_first_use=_say_first_use
        ) as library,
    ):
        yield library


def _say_first_use(path: Path) -> None:
    from inforce.corpus.starter import COVERAGE_NOTE

    made = in_own_language(f"no corpus yet; made one from the starter corpus: {path}")
    print(f"inforce: {made}", file=sys.stderr)
    print(f"inforce: {in_own_language(COVERAGE_NOTE)}", file=sys.stderr)


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
        said = in_own_language(label)
        shown.update(shown.task_ids[0], description=said, completed=done, total=total)

    def _started(self) -> Progress:
        if self._shown is None:
            self._shown = self._start()
        return self._shown

    def _start(self) -> Progress:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Elapsed(),
            console=console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        shown.add_task(in_own_language(self._label), total=None)
        shown.start()
        return shown

    def close(self) -> None:
        if self._shown is not None:
            self._shown.stop()


@contextmanager
def progress_bar(label: str) -> Generator[Callable[[int], None]]:
    """Something to call with the number of steps done; silent where nobody watches."""
    bar = _Bar(label)
    try:
        yield bar.advance
    finally:
        bar.close()


@contextmanager
def stages_bar() -> Generator[Callable[[str, int, int], None]]:
    """As `progress_bar`, for work of several stages: called with stage, steps done, and steps."""
    bar = _Bar()
    try:
        yield bar.reach
    finally:
        bar.close()


def counted(number: int, noun: str) -> str:
    """``1 law``, ``2 laws``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def span_line(span: Span) -> str:
    """One line on a span: its days, how sure they are, and what made it."""
    if span.state != "in_force":
        return f"{span.window} · {_STATE[span.state]}: {span.reason}"
    made_by = ""
    if span.version:
        made_by = f" · {span.version.label}" if span.version.label else ""
        own = span.version.promulgated is None or span.version.promulgated <= span.window.start
        # Words may be older than the text they are held in, and were then made by another act.
        made_by += f" · {span.version.instrument}" if span.version.instrument and own else ""
    doubt = " · dates presumed" if span.date_status == "presumed" else ""
    return f"in force {days_in_force(span)}{made_by}{doubt}"


_STATE = {"absent": "not in force", "uncovered": "not covered"}
