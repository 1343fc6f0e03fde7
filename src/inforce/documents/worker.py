"""The process that parses foreign files: it may be slow, grow or crash without harm to others.

Run as ``python -m inforce.documents.worker``. It reads a line of JSON (a `Job`) and as many bytes
as that announces, answers with a line of JSON (a `Reply`; before it, for long files, `PagesRead`)
and waits for the next job. It ends when its input ends, when it needs more memory than it may have,
or when its parent kills it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import replace
from pathlib import PurePath

import msgspec

from inforce.documents.document import (
    Document,
    Format,
    Progress,
    UnreadableCause,
    UnreadableDocumentError,
)
from inforce.documents.limits import DocumentLimits
from inforce.errors import MissingExtraError


class Job(msgspec.Struct, frozen=True):
    """A file to parse; its bytes follow."""

    format: Format
    name: str
    size: int
    limits: DocumentLimits
    declared: str = ""
    """The encoding a server named."""
    main_part: bool = False
    """Of a web page, leave out menus and the like."""


class PagesRead(msgspec.Struct, frozen=True, tag=True):
    """Progress of the parser."""

    done: int
    total: int


class Parsed(msgspec.Struct, frozen=True, tag=True):
    """The document in the file."""

    document: Document


class Refused(msgspec.Struct, frozen=True, tag=True):
    """Why the file cannot be read."""

    cause: UnreadableCause
    reason: str


class Missing(msgspec.Struct, frozen=True, tag=True):
    """A library that is not installed: what it is for, and the extra that has it."""

    feature: str
    extra: str


Reply = Parsed | Refused | Missing
Message = Reply | PagesRead


def parse(job: Job, data: bytes, *, progress: Progress | None = None) -> Reply:
    """Parse a file; whatever it does to the parser, there is a reply."""
    try:
        return Parsed(_finished(_read(job, data, progress), job.limits))
    except MissingExtraError as error:
        return Missing(error.feature, error.extra)
    except UnreadableDocumentError as error:
        return Refused(error.cause, error.reason)
    except MemoryError:
        return Refused("too_much_memory", "needs more memory than it may take to read")
    except RecursionError:
        return Refused("damaged", "nested too deeply to read")
    except Exception as error:  # a parser that broke on a file is that file's problem
        return Refused("damaged", f"damaged, or of an unknown kind ({type(error).__name__})")


def _read(job: Job, data: bytes, progress: Progress | None) -> Document:
    match job.format:
        case "pdf":
            from inforce.documents.pdf import read_pdf

            return read_pdf(data, name=job.name, limits=job.limits, progress=progress)
        case "docx":
            from inforce.documents.docx import read_docx

            return read_docx(data, name=job.name, limits=job.limits)
        case "html":
            from inforce.documents.html import read_html

            return read_html(data, name=job.name, declared=job.declared, main_part=job.main_part)
        case "markdown":
            from inforce.documents.plain import read_markdown

            return read_markdown(data, name=job.name, limits=job.limits)
        case "text":
            from inforce.documents.plain import read_text

            return read_text(data, name=job.name, declared=job.declared, limits=job.limits)


def _finished(document: Document, limits: DocumentLimits) -> Document:
    """Return the document with a title, cut to the limits.

    Raises:
        UnreadableDocumentError: if there is no text in it.
    """
    if not document.text.strip():
        reason = "no text in it (a scan has to be recognised first)"
        raise UnreadableDocumentError("no_text", reason, path=document.name)
    document = replace(document, title=document.title or PurePath(document.name).stem)
    most, whole = limits.characters, len(document.text)
    omitted = [document.omitted] if document.omitted else []
    blocks = [block for block in document.blocks if block.start < most][: limits.blocks]
    if len(blocks) == limits.blocks < len(document.blocks):
        omitted.append(f"only the first {limits.blocks:,} paragraphs were read")
        most = min(most, blocks[-1].end)
    elif whole > most:
        omitted.append(f"only the first {most:,} of {whole:,} characters were read")
    if not omitted or most >= whole:
        return replace(document, omitted="; ".join(omitted))
    return replace(
        document,
        text=document.text[:most],
        blocks=tuple(replace(one, end=min(one.end, most)) for one in blocks),
        pages=tuple(start for start in document.pages if start < most),
        omitted="; ".join(omitted),
    )


def serve() -> None:
    """Answer jobs on standard input and output until there are no more.

    What libraries print goes nowhere near the answers.
    """
    jobs, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def answer(message: Message) -> None:
        answers.write(msgspec.json.encode(message) + b"\n")
        answers.flush()

    while line := jobs.readline():
        job = msgspec.json.decode(line, type=Job)
        _limit(job.limits)
        data = jobs.read(job.size)
        answer(parse(job, data, progress=lambda done, total: answer(PagesRead(done, total))))


def _limit(limits: DocumentLimits) -> None:
    """Bound this process's memory and, should its parent be gone, its time."""
    try:
        import resource
    except ImportError:  # not on this system: the parent's clock still bounds the time
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + limits.seconds_for(limits.pages)) + 2
    for kind, most in ((resource.RLIMIT_AS, limits.memory), (resource.RLIMIT_CPU, seconds)):
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (allowed, hard))


if __name__ == "__main__":
    serve()
