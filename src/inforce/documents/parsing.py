r"""Reads documents from files, bytes and streams, in a process that is killed when it must be.

One small file can make a parser of HTML, PDF or Word hang, grow without bound or crash. So they run
in processes of `inforce.documents.worker`, which are used again for the next file.

>>> with DocumentParser() as parser:
...     document = parser.parse("# 租赁合同\n\n押金两个月。".encode(), name="lease.md")
>>> document.title, [block.kind for block in document.blocks]
('租赁合同', ['heading', 'paragraph'])
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
import weakref
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Timer
from typing import IO, BinaryIO, Self, cast

import msgspec

from inforce import network
from inforce.documents.document import Document, Format, Progress, UnreadableDocumentError
from inforce.documents.files import open_file
from inforce.documents.formats import format_of
from inforce.documents.limits import DEFAULT_LIMITS, PATIENT_LIMITS, DocumentLimits
from inforce.documents.worker import Job, Message, Missing, PagesRead, Parsed, Refused, Reply
from inforce.errors import MissingExtraError

STANDARD_INPUT = "standard input"
"""The name of a document that came from there."""

FILES_A_PROCESS = 1_000
"""After so many files a process gives way to a new one: what its libraries left behind goes too."""
LONGEST_REPLY = 256 * 2**20
"""Bytes; a parser that was taken over by a file could send more."""

_PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "SYSTEMROOT")
"""Variables a parser may know; keys are not among them."""


class _Worker:
    """A parsing process."""

    def __init__(self) -> None:
        environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        # -P: an lxml.py in the folder the program was started from must not become part of it
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "inforce.documents.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environment, network.VARIABLE: "off"},
        )
        self.parent = os.getpid()
        self.files = 0

    def ask(self, job: Job, data: bytes, progress: Progress) -> Reply:
        """Send a file to the process and return its reply.

        Raises:
            OSError, EOFError, msgspec.DecodeError: if it is gone, or answers what is no reply.
        """
        self.files += 1
        jobs, answers = (
            cast("IO[bytes]", self.process.stdin),
            cast("IO[bytes]", self.process.stdout),
        )
        jobs.write(msgspec.json.encode(job) + b"\n")
        jobs.write(data)
        jobs.flush()
        while True:
            line = answers.readline(LONGEST_REPLY)
            if not line.endswith(b"\n"):
                raise EOFError
            message = _MESSAGES.decode(line)
            if not isinstance(message, PagesRead):
                return message
            progress(message.done, message.total)

    @property
    def is_usable(self) -> bool:
        """Whether it can parse another file; one started before a fork belongs to the parent."""
        is_own = self.parent == os.getpid()
        return is_own and self.files < FILES_A_PROCESS and self.process.poll() is None

    def end(self) -> None:
        """Kill the process and let go of its pipes."""
        if self.parent == os.getpid():
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            # what was still to be written to a process that is gone
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


_MESSAGES: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


class DocumentParser:
    """Turns files into documents; may be shared between threads.

    Args:
        limits: what one file may cost.
        processes: how many files are parsed at the same time; others wait.
    """

    def __init__(self, limits: DocumentLimits = DEFAULT_LIMITS, *, processes: int = 2) -> None:
        self.limits = limits
        self._turns = BoundedSemaphore(processes)
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self.close = weakref.finalize(self, _end_all, self._idle)
        """End the processes; called by itself when the parser is no longer used."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, path: Path, *, progress: Progress | None = None) -> Document:
        """Read the document in a file.

        Raises:
            UnreadableDocumentError: if there is no text to be had from it; says why.
            InputError: if it cannot be opened.
            MissingExtraError: if its format needs a library that is not installed.
        """
        with open_file(path) as stream:
            return self.read_stream(stream, name=str(path), progress=progress)

    def read_stream(
        self,
        stream: BinaryIO,
        *,
        name: str = STANDARD_INPUT,
        progress: Progress | None = None,
    ) -> Document:
        """As `read`, from an open file, a pipe or standard input."""
        data = stream.read(self.limits.bytes + 1)
        return self.parse(data, name=name, progress=progress)

    def parse(
        self,
        data: bytes,
        *,
        name: str,
        format: Format | None = None,
        declared: str = "",
        main_part: bool = False,
        progress: Progress | None = None,
    ) -> Document:
        """Read the document in some bytes.

        Args:
            data: the bytes.
            name: what the document is called; its ending may tell the format.
            format: how to read it, if that is known.
            declared: the encoding a server named.
            main_part: of a web page, leave out menus and the like.
            progress: called with pages read and pages there are.

        Raises:
            UnreadableDocumentError: if there is no text to be had from it; says why.
            MissingExtraError: if its format needs a library that is not installed.
        """
        if len(data) > self.limits.bytes:
            reason = f"more than {self.limits.bytes:,} bytes: not read"
            raise UnreadableDocumentError("too_large", reason, path=name)
        chosen = format or format_of(data, name=name)
        if chosen is None:
            reason = "no text, Markdown, HTML, PDF or .docx: not read"
            raise UnreadableDocumentError("unknown_format", reason, path=name)
        job = Job(chosen, name, len(data), self.limits, declared, main_part)
        match self._reply(job, data, progress):
            case Parsed(document):
                return document
            case Refused(cause, reason):
                raise UnreadableDocumentError(cause, reason, path=name)
            case Missing(feature, extra):
                raise MissingExtraError(feature, extra)

    async def aparse(
        self,
        data: bytes,
        *,
        name: str,
        format: Format | None = None,
        declared: str = "",
        main_part: bool = False,
    ) -> Document:
        """As `parse`, without holding up the event loop."""
        import asyncio  # some megabytes, and commands parse without it

        return await asyncio.to_thread(
            self.parse, data, name=name, format=format, declared=declared, main_part=main_part
        )

    def _reply(self, job: Job, data: bytes, progress: Progress | None) -> Reply:
        with self._turns:
            worker = self._worker()
            with Deadline(worker, self.limits) as deadline:

                def pages_read(done: int, total: int) -> None:
                    deadline.has_pages(total)
                    if progress:
                        progress(done, total)

                try:
                    reply = worker.ask(job, data, pages_read)
                except (OSError, EOFError, msgspec.DecodeError):
                    worker.end()
                    return deadline.missed() or _CRASHED
                except BaseException:  # such as Ctrl+C: an answer that still comes is for nobody
                    worker.end()
                    raise
            self._idle.put(worker)
            return reply

    def _worker(self) -> _Worker:
        with contextlib.suppress(Empty):
            while not (worker := self._idle.get_nowait()).is_usable:
                worker.end()
            return worker
        return _Worker()


_CRASHED = Refused("crashed", "broke the program that reads it, or its memory limit")


class Deadline:
    """Kills a process that takes too long; a PDF has more time for each of its pages."""

    def __init__(self, worker: _Worker, limits: DocumentLimits) -> None:
        self._worker, self._limits = worker, limits
        self._seconds = limits.seconds
        self._began = time.monotonic()
        self._is_missed = False
        self._timer = self._started()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def has_pages(self, pages: int) -> None:
        """Allow the time of a file with so many pages."""
        seconds = self._limits.seconds_for(pages)
        if seconds > self._seconds:
            self._timer.cancel()
            self._seconds = seconds
            self._timer = self._started()

    def missed(self) -> Refused | None:
        """Return the refusal, if the process took too long."""
        if not self._is_missed:
            return None
        return Refused("too_slow", f"took longer than {self._seconds:g} seconds to read")

    def _started(self) -> Timer:
        left = self._began + self._seconds - time.monotonic()
        timer = Timer(max(0.0, left), self._kill)
        timer.start()
        return timer

    def _kill(self) -> None:
        self._is_missed = True
        self._worker.process.kill()


def _end_all(idle: SimpleQueue[_Worker]) -> None:
    with contextlib.suppress(Empty):
        while True:
            idle.get_nowait().end()


@cache
def shared_parser() -> DocumentParser:
    """Return the parser of this process, for callers without limits of their own."""
    return DocumentParser()


@cache
def patient_parser() -> DocumentParser:
    """Return the parser for a file of the person who waits for it: long PDFs have more time."""
    return DocumentParser(PATIENT_LIMITS)
