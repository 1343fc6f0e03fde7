"""What commands print: words for people, JSON for programs, progress for the patient."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from inforce.dates import Clock, DateRange, LegalDate, system_clock
from inforce.errors import InforceError
from inforce.law.timeline import Answer, Span
from inforce.library import Library, open_library
from inforce.wire import as_wire

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, errors included.")]

EXIT_STATUS: dict[Answer, int] = {"found": 0, "not_in_force": 3, "not_found": 4, "not_covered": 5}

CLOCK_VARIABLE = "INFORCE_TODAY"
"""Fixes what "today" means (YYYY-MM-DD): for examples and tests whose output must not change."""


def clock() -> Clock:
    """The clock of a command: the system's, unless `CLOCK_VARIABLE` fixes it."""
    fixed = os.environ.get(CLOCK_VARIABLE)
    if not fixed:
        return system_clock
    day = LegalDate.parse(fixed).range.start
    return lambda: day


def console() -> Console:
    """Standard output for people: colours on a terminal, plain text elsewhere."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def notices() -> Console:
    """Standard error, for what is not the answer."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_json(value: object) -> None:
    """Print one JSON document."""
    print(json.dumps(as_wire(value), ensure_ascii=False, indent=2))


def print_error(error: InforceError, *, as_json: bool) -> None:
    """Say what went wrong: on standard output as JSON, else on standard error."""
    if as_json:
        print_json(error)
    else:
        print(f"inforce: {error}", file=sys.stderr)


def stop(status: int) -> NoReturn:
    """Leave with an exit status, after everything printed has arrived."""
    sys.stdout.flush()
    raise SystemExit(status)


@contextmanager
def library() -> Generator[Library]:
    """The library of this person's data folder, with progress bars where that takes a while."""
    with progress_bar("indexing provisions") as advance:
        opened = open_library(clock=clock(), progress=advance, on_first_use=_say_first_use)
        with opened:
            yield opened


def _say_first_use(path: Path) -> None:
    from inforce.corpus.starter import COVERAGE_NOTE

    print(f"inforce: no corpus yet; made one from the starter corpus: {path}", file=sys.stderr)
    print(f"inforce: {COVERAGE_NOTE}", file=sys.stderr)


class _Bar:
    """A progress bar that appears at the first step, and only on a terminal."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._shown: Progress | None = None

    def advance(self, steps: int) -> None:
        if self._shown is None:
            self._shown = self._start()
        self._shown.advance(self._shown.task_ids[0], steps)

    def _start(self) -> Progress:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Elapsed(),
            console=notices(),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        shown.add_task(self._label, total=None)
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


def in_words(window: DateRange) -> str:
    """A window for people: both days included, as lawyers say it."""
    start = "ever" if window.start == date.min else window.start.isoformat()
    if window.last is None:
        return f"since {start}" if start != "ever" else "always"
    return f"until {window.last}" if start == "ever" else f"{start} to {window.last}"


def span_line(span: Span) -> str:
    """One line on a span: its days, how sure they are, and what made it."""
    days = in_words(span.window)
    if span.state != "in_force":
        return f"{days} · {_STATE[span.state]}: {span.reason}"
    made_by = ""
    if span.version:
        made_by = f" · {span.version.label}"
        made_by += f" · {span.version.instrument}" if span.version.instrument else ""
    doubt = " · dates presumed" if span.date_status == "presumed" else ""
    return f"in force {days}{made_by}{doubt}"


_STATE = {"absent": "not in force", "uncovered": "not covered"}
