"""The pages of single runs beside a report."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from inforce.errors import InputError
from inforce.evals.benchmark import Record
from inforce.evals.report.runs import StoredRun

TRACES = "traces"
PAGES = "runs"
"""The folder of the pages."""


def trace_links(run: StoredRun, output: Path) -> Callable[[Record], str]:
    """How to reach the whole run of an item from a report in ``output``.

    A page is written when it is first asked for, and again when its trace has changed since.
    """

    def link(record: Record) -> str:
        trace = trace_file(run.folder, record)
        if trace is None:
            return ""
        name = _page_name(run, trace)
        page = output / PAGES / name
        return f"{PAGES}/{quote(name)}" if _is_written(page, trace) else ""

    return link


def trace_file(folder: Path, record: Record) -> Path | None:
    """The trace of an item, if it lies within the folder of its run.

    It is named from that folder, or from the folder of traces in it.
    """
    if not record.trace:
        return None
    named = (within / record.trace for within in (folder, folder / TRACES))
    return next((path for one in named if (path := _held(one, folder))), None)


def _held(named: Path, folder: Path) -> Path | None:
    try:
        path = named.resolve()
        return path if path.is_relative_to(folder.resolve()) and path.is_file() else None
    except (OSError, ValueError):  # a name no file can have: too long, or with a null character
        return None


def _page_name(run: StoredRun, trace: Path) -> str:
    """A name no other trace of any run of the report has."""
    told = re.sub(r"[^\w.-]+", "-", trace.stem, flags=re.ASCII)[:60]
    return f"{told}-{sha256(str(trace).encode()).hexdigest()[:8]}.html"


def _is_written(page: Path, trace: Path) -> bool:
    """Whether there is a page as new as its trace, or one could be made of it."""
    from inforce.agents.runtime.trace import read_trace
    from inforce.agents.runtime.trace_view import page as page_of
    from inforce.agents.runtime.trace_view import view

    if page.exists() and page.stat().st_mtime_ns >= trace.stat().st_mtime_ns:
        return True
    try:
        html = page_of(view(read_trace(trace)))
    except InputError:
        return False
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(html, encoding="utf-8")
    return True
