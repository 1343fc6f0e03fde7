"""A run of a benchmark while it goes on: a bar on a terminal, elsewhere a line every 30 seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from inforce.evals.progress import Ended, Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

EVERY = 30.0
"""Seconds between two lines where there is no terminal."""

_REFRESHED = 1.0
"""Seconds between two states of the bar."""


class RunProgress:
    """Shows how far a run is, for as long as the block lasts.

    The stream is taken when the block begins: a harness redirects it while it runs.
    """

    def __init__(self, name: str, *, stream: TextIO | None = None, every: float = EVERY) -> None:
        self.progress = Progress(time.monotonic, name)
        self._stream = stream or sys.stderr
        self._bar: Bar | None = None
        self._every = _REFRESHED if self._stream.isatty() else every
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._bar:
            self._bar.stop()

    def begin(self, total: int, ended: Sequence[Ended]) -> None:
        """The run begins, or goes on."""
        self.progress.begin(total, ended)
        if self._stream.isatty():
            self._bar = _bar(self._stream, total)
            self._bar.start()
        self._thread.start()

    def end(self, item: Ended) -> None:
        """An item came to its end."""
        self.progress.end(item)

    def _show(self) -> None:
        while not self._ended.wait(self._every):
            line = self.progress.line()
            if self._bar:
                done = len(self.progress.items)
                self._bar.update(self._bar.task_ids[0], completed=done, description=line)
            else:
                print(f"inforce: {line}", file=self._stream, flush=True)


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
