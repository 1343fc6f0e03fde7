"""The progress of a run on standard error: a bar on a terminal, else a line every 30 seconds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from inforce.evals.progress import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

EVERY = 30.0
"""Seconds between two lines where there is no terminal."""

_REFRESHED = 1.0
"""Seconds between two states of the bar."""

_POLLED = 0.05
"""Seconds between two looks whether the run has begun."""


@contextmanager
def shown_progress(
    progress: Progress, *, stream: TextIO | None = None, every: float = EVERY
) -> Generator[None]:
    """Show the progress of a run, for as long as the block lasts.

    The stream is taken when the block begins: a harness redirects it while it runs.
    """
    ended = threading.Event()
    arguments = (progress, stream or sys.stderr, every, ended)
    thread = threading.Thread(target=_show, args=arguments, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _show(progress: Progress, stream: TextIO, every: float, ended: threading.Event) -> None:
    while not progress.total:  # not begun yet
        if ended.wait(_POLLED):
            return
    if not stream.isatty():
        while not ended.wait(every):
            print(f"inforce: {progress.line()}", file=stream, flush=True)
        return
    if ended.wait(_REFRESHED):  # too short for a bar
        return
    with _bar(stream, progress.total) as bar:
        while not ended.wait(_REFRESHED):
            done = len(progress.items)
            bar.update(bar.task_ids[0], completed=done, description=progress.line())


def _bar(stream: TextIO, total: int) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    shown = Bar(
        BarColumn(bar_width=20),
        TextColumn("{task.description}", markup=False),
        console=Console(file=stream, highlight=False),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    shown.add_task(f"0 of {total}", total=total)
    return shown
