"""Parsing in processes of their own, killed when they take too long.

Parsers of HTML and PDF can be made to hang or to grow without bound by one small page. They run in
`inforce.web.parse_worker`; here are the few processes that do it, kept for the next page.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import weakref
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Event, Timer
from typing import IO, cast

import msgspec

from inforce.errors import MissingExtraError
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
        self._idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
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
                parsed = _ask(worker, job, content)
            except (OSError, EOFError, msgspec.DecodeError):
                _end(worker)
                return Parsed(problem=_why(late, self._limits.seconds))
            finally:
                timer.cancel()
            self._idle.put(worker)
            return parsed

    def _worker(self) -> subprocess.Popen[bytes]:
        try:
            while (worker := self._idle.get_nowait()).poll() is not None:
                _end(worker)
        except Empty:
            return _started()
        return worker


def _started() -> subprocess.Popen[bytes]:
    # -P: a bs4.py in the folder the program was started from must not become part of it
    return subprocess.Popen(
        [sys.executable, "-P", "-m", _WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _ask(worker: subprocess.Popen[bytes], job: Job, content: bytes) -> Parsed:
    jobs, answers = cast("IO[bytes]", worker.stdin), cast("IO[bytes]", worker.stdout)
    jobs.write(msgspec.json.encode(job) + b"\n" + content)
    jobs.flush()
    line = answers.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    return msgspec.json.decode(line, type=Parsed)


def _why(late: Event, seconds: float) -> str:
    if late.is_set():
        return f"it took longer than {seconds:g} seconds to read"
    return "it broke the program that reads it"


def _stop(worker: subprocess.Popen[bytes], late: Event) -> None:
    late.set()
    worker.kill()


def _end_all(idle: SimpleQueue[subprocess.Popen[bytes]]) -> None:
    while True:
        try:
            _end(idle.get_nowait())
        except Empty:
            return


def _end(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    for pipe in (worker.stdin, worker.stdout):
        try:
            if pipe is not None:
                pipe.close()
        except OSError:  # what was still to be written to a process that is gone
            pass
