"""From the bytes of a file to its text, whatever its format.

Markdown and plain text are read here. HTML, PDF and Word files are parsed in a process of their own
(`.worker`), which is killed when it takes too long: parsers of such formats can be made to hang, to
grow without bound or to crash, and a search must survive any file.
"""

from __future__ import annotations

from pathlib import PurePath
from threading import Event, Timer
from typing import Self

import msgspec

from inforce.errors import InputError, MissingExtraError
from inforce.retrieval.local_documents.limits import Limits
from inforce.retrieval.local_documents.plain import read_markdown, read_text
from inforce.retrieval.local_documents.process import Process, ask, end, start
from inforce.retrieval.local_documents.texts import DocumentText
from inforce.retrieval.local_documents.worker import Done, Format, Job, shortened

_WORKER = "inforce.retrieval.local_documents.worker"

_PLAIN = {".md": read_markdown, ".markdown": read_markdown, ".txt": read_text}
_PARSED: dict[str, Format] = {".html": "html", ".htm": "html", ".pdf": "pdf", ".docx": "docx"}

SUFFIXES = frozenset((*_PLAIN, *_PARSED))
"""Files that are read; all others are left alone."""


class DocumentReader:
    """Turns files into text; keeps one parsing process while it is open."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._worker: Process | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the parsing process."""
        worker, self._worker = self._worker, None
        if worker is not None:
            end(worker)

    def read(self, data: bytes, *, name: str) -> DocumentText:
        """The text of a file; its format is told by its name.

        Raises:
            InputError: if there is no text to be had from it; the reason is a short phrase.
            MissingExtraError: if its format needs a library that is not installed.
        """
        suffix = PurePath(name).suffix.lower()
        if suffix in _PLAIN:
            return shortened(_PLAIN[suffix](data, name=name), self._limits.characters)
        done = self._parsed(Job(_PARSED[suffix], name, len(data), self._limits), data)
        if done.missing:
            raise MissingExtraError(*done.missing)
        if done.document is None:
            raise InputError(done.problem, path=name)
        return done.document

    def _parsed(self, job: Job, data: bytes) -> Done:
        worker, is_late = self._running(), Event()

        def stop() -> None:
            is_late.set()
            worker.kill()

        timer = Timer(self._limits.seconds, stop)
        timer.start()
        try:
            return ask(worker, job, data, answer=Done)
        except (OSError, EOFError, msgspec.DecodeError):
            self.close()
            if is_late.is_set():
                return Done(problem=f"took longer than {self._limits.seconds:g} seconds to read")
            return Done(problem="the program that reads it broke, or needed too much memory")
        finally:
            timer.cancel()
            if is_late.is_set():
                self.close()

    def _running(self) -> Process:
        if self._worker is None:
            self._worker = start(_WORKER)
        return self._worker
