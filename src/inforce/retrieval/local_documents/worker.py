"""The process that parses foreign files: it may be slow, grow or crash, and nothing else suffers.

Run as ``python -m inforce.retrieval.local_documents.worker``. It answers each `Job` with what
became of the file (`Done`), as `inforce.retrieval.local_documents.process` has it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from inforce.errors import InputError, MissingExtraError
from inforce.retrieval.local_documents.limits import Limits
from inforce.retrieval.local_documents.process import serve
from inforce.retrieval.local_documents.texts import DocumentText

Format = Literal["html", "pdf", "docx"]


@dataclass(frozen=True, slots=True)
class Job:
    """A file to parse; its bytes follow."""

    format: Format
    name: str
    size: int
    limits: Limits


@dataclass(frozen=True, slots=True)
class Done:
    """What became of it: a text, a reason why not, or an optional library that is missing."""

    document: DocumentText | None = None
    problem: str = ""
    missing: tuple[str, str] | None = None
    """What cannot be done, and the extra that would do it."""


def parse(job: Job, data: bytes) -> Done:
    """Parse a file; whatever it does to the parser, there is an answer."""
    try:
        return Done(_shortened(_read(job, data), job.limits))
    except MissingExtraError as error:
        return Done(missing=(error.feature, error.extra))
    except InputError as error:
        return Done(problem=error.reason)
    except MemoryError:
        return Done(problem="needs more memory than it may take to read")
    except RecursionError:
        return Done(problem="nested too deeply to read")
    except Exception as error:  # a parser that broke on a file is that file's problem
        return Done(
            problem=f"damaged, or of an unknown kind ({type(error).__name__}: {str(error)[:100]})"
        )


def _read(job: Job, data: bytes) -> DocumentText:
    if job.format == "pdf":
        from inforce.retrieval.local_documents.pdf import read_pdf

        return read_pdf(data, name=job.name, limits=job.limits)
    if job.format == "docx":
        from inforce.retrieval.local_documents.word import read_docx

        return read_docx(data, name=job.name)
    from inforce.retrieval.local_documents.html import read_html

    return read_html(data, name=job.name)


def _shortened(document: DocumentText, limits: Limits) -> DocumentText:
    return shortened(document, limits.characters)


def shortened(document: DocumentText, most: int) -> DocumentText:
    """A text of at most so many characters; the cut is told."""
    if len(document.text) <= most:
        return document
    return replace(
        document,
        text=document.text[:most],
        sections=tuple(
            replace(one, end=min(one.end, most)) for one in document.sections if one.start < most
        ),
        pages=tuple(start for start in document.pages if start < most),
        shortened=f"only the first {most:,} of {len(document.text):,} characters were read",
    )


if __name__ == "__main__":
    serve(Job, parse)
