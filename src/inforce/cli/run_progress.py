"""The progress of a run on standard error: a bar on a terminal, else a line every 30 seconds."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from inforce.evals.progress import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

EVERY = 30.0
"""Seconds between two lines where there is no terminal."""

_REFRESHED = 1.0
"""Seconds between two states of the bar."""

_POLLED = 0.05
"""Seconds between two looks whether the run has begun."""


class RunProgress:
    """Shows the progress of a run, for as long as the block lasts.

    The stream is taken when the block begins: a harness redirects it while it runs.
    """

    def __init__(
        self, progress: Progress, *, stream: TextIO | None = None, every: float = EVERY
    ) -> None:
        self._progress = progress
        self._stream = stream or sys.stderr
        self._bar: Bar | None = None
        self._every = _REFRESHED if self._stream.isatty() else every
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        if self._bar:
            self._bar.stop()

    def _show(self) -> None:
        while not self._progress.total:  # not begun yet
            if self._ended.wait(_POLLED):
                return
        while not self._ended.wait(self._every):
            line, done = self._progress.line(), len(self._progress.items)
            if not self._stream.isatty():
                print(f"inforce: {line}", file=self._stream, flush=True)
                continue
            if self._bar is None:
                self._bar = _bar(self._stream, self._progress.total)
                self._bar.start()
            self._bar.update(self._bar.task_ids[0], completed=done, description=line)


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
