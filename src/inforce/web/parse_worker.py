"""The process that parses what the web sends: it may hang, grow or crash, and nothing else suffers.

Run as ``python -m inforce.web.parse_worker``. It answers each `Job` with what became of the page
(`Parsed`), as `inforce.retrieval.local_documents.process` has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from inforce.errors import InputError, MissingExtraError
from inforce.retrieval.local_documents.limits import Limits
from inforce.retrieval.local_documents.process import serve

Format = Literal["html", "pdf", "docx", "text"]


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """What turning one page into text may cost."""

    seconds: float = 20.0
    memory: int = 2 * 2**30
    """Bytes of address space, where the system can limit it."""
    pdf_pages: int = 200
    """The pages after these are left out, and that is said."""
    characters: int = 2_000_000
    """The text after these is left out, and that is said."""


@dataclass(frozen=True, slots=True)
class Job:
    """A page to parse; its bytes follow."""

    format: Format
    charset: str
    size: int
    limits: ParseLimits


@dataclass(frozen=True, slots=True)
class Parsed:
    """What became of it: a text, a reason why there is none, or an extra that is missing."""

    title: str = ""
    text: str = ""
    published: date | None = None
    shortened: str = ""
    """What was left out because of a limit, in words; empty: nothing."""
    problem: str = ""
    missing: tuple[str, str] | None = None
    """What cannot be done, and the extra that would do it."""


def parse(job: Job, data: bytes) -> Parsed:
    """Parse a page; whatever it does to the parser, there is an answer."""
    try:
        return _shortened(_read(job, data), job.limits.characters)
    except MissingExtraError as error:
        return Parsed(missing=("reading this kind of page", error.extra))
    except InputError as error:
        return Parsed(problem=error.reason)
    except MemoryError:
        return Parsed(problem="it needs more memory than a page may take")
    except RecursionError:
        return Parsed(problem="it is nested too deeply")
    except Exception as error:  # a page that breaks a parser is that page's problem
        return Parsed(problem=f"it is damaged ({type(error).__name__})")


def _read(job: Job, data: bytes) -> Parsed:
    if job.format in ("pdf", "docx"):
        return _read_file(job, data)
    from inforce.web.charset import decode_page
    from inforce.web.html import normalised, read_html

    text = decode_page(data, declared=job.charset)
    if job.format == "text":
        return Parsed(text=normalised(text))
    page = read_html(text)
    return Parsed(page.title, page.text, page.published)


def _read_file(job: Job, data: bytes) -> Parsed:
    from inforce.retrieval.local_documents.pdf import read_pdf
    from inforce.retrieval.local_documents.word import read_docx
    from inforce.web.html import normalised

    limits = Limits(pages=job.limits.pdf_pages, seconds=job.limits.seconds)
    if job.format == "pdf":
        found = read_pdf(data, name=_UNNAMED, limits=limits)
    else:
        found = read_docx(data, name=_UNNAMED)
    title = "" if found.title == _UNNAMED else found.title
    return Parsed(title, normalised(found.text), shortened=found.shortened)


_UNNAMED = "file"


def _shortened(parsed: Parsed, most: int) -> Parsed:
    if len(parsed.text) <= most:
        return parsed
    return Parsed(
        parsed.title,
        parsed.text[:most],
        parsed.published,
        shortened=f"only the first {most:,} of {len(parsed.text):,} characters were read",
    )


if __name__ == "__main__":
    serve(Job, parse)
