"""Parsing in processes of their own, killed when they take too long.

Parsers of HTML and PDF can be made to hang or to grow without bound by one small page. They run in
`inforce.web.parse_worker`; here are the few processes that do it, kept for the next page.
"""

from __future__ import annotations

import asyncio
import weakref
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Event, Timer

import msgspec

from inforce.errors import MissingExtraError
from inforce.retrieval.local_documents.process import Process, ask, end, start
from inforce.web.parse_worker import Format, Job, Parsed, ParseLimits

_WORKER = "inforce.web.parse_worker"

DEFAULT = ParseLimits()
"""What one page may cost unless said otherwise."""


class Parser:
    """Turns the bytes of pages into text.

    Args:
        limits: what one page may cost.
        processes: how many pages are parsed at the same time; others wait.
    """

    def __init__(self, limits: ParseLimits = DEFAULT, *, processes: int = 2) -> None:
        self._limits = limits
        self._places = BoundedSemaphore(processes)
        self._idle: SimpleQueue[Process] = SimpleQueue()
        self.close = weakref.finalize(self, _end_all, self._idle)
        """End the processes; called by itself when the parser is no longer used."""

    async def parse(self, format: Format, content: bytes, *, charset: str = "") -> Parsed:
        """The text of a page; a page that cannot be read is answered with the problem.

        Raises:
            MissingExtraError: if its format needs a library that is not installed.
        """
        job = Job(format, charset, len(content), self._limits)
        parsed = await asyncio.to_thread(self._parsed, job, content)
        if parsed.missing:
            raise MissingExtraError(*parsed.missing)
        return parsed

    def _parsed(self, job: Job, content: bytes) -> Parsed:
        with self._places:
            worker = self._worker()
            late = Event()
            timer = Timer(self._limits.seconds, _stop, (worker, late))
            timer.start()
            try:
                parsed = ask(worker, job, content, answer=Parsed)
            except (OSError, EOFError, msgspec.DecodeError):
                end(worker)
                return Parsed(problem=_why(late, self._limits.seconds))
            finally:
                timer.cancel()
            self._idle.put(worker)
            return parsed

    def _worker(self) -> Process:
        try:
            while (worker := self._idle.get_nowait()).poll() is not None:
                end(worker)
        except Empty:
            return start(_WORKER)
        return worker


def _why(late: Event, seconds: float) -> str:
    if late.is_set():
        return f"it took longer than {seconds:g} seconds to read"
    return "it broke the program that reads it"


def _stop(worker: Process, late: Event) -> None:
    late.set()
    worker.kill()


def _end_all(idle: SimpleQueue[Process]) -> None:
    while True:
        try:
            end(idle.get_nowait())
        except Empty:
            return
