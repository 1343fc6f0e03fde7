"""The text of a report: a page, Markdown, and a page of the items of each run.

Questions, answers and notes come from models and foreign pages, so everything is escaped; only our
own plots are put into the page as they are. Each item has a link to a page of its run.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from urllib.parse import quote

from inforce.errors import InputError
from inforce.evals.benchmark import Record
from inforce.evals.report.contents import Chapter
from inforce.evals.report.plots import Plots
from inforce.evals.results import Results
from inforce.evals.table import (
    NOT_MEASURED,
    Table,
    cell_text,
    interval_text,
    items_text,
    markdown_text,
    to_markdown,
)
from inforce.files import write_file
from inforce.language.templates import templates

if TYPE_CHECKING:
    from jinja2 import Environment

TRACES = "traces"
PAGES = "runs"
"""The folder of the pages of runs of single items, beside the report."""

MOST_CHARACTERS = 600
"""Of a question or an answer; the trace has the rest."""

MOST_ITEMS = 5_000
"""Items of a run that are shown one by one."""

ITEMS = "items"
"""The folder of the pages of items, beside the report: one page for each run."""

_TOTALS = ("avg.", "all", "average", "mean")
_DIGITS = re.compile(r"(\d{1,18})")

Verdict = Literal["broke off", "not measured", "wrong", "partly right", "right"]
"""The result of an item by the primary measure: 0, between, or 1."""


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item on a page."""

    record: Record
    verdict: Verdict
    trace: str
    """Address of the page of its run, relative to the report; empty if there is no trace."""
    rank: int = 0
    """Its place in the order from the worst to the best."""


@dataclass(frozen=True, slots=True)
class ShownItems:
    """The items of a run."""

    run: str
    shown: tuple[ShownItem, ...]
    left_out: int
    """Items not shown one by one; they count in every table."""
    page: str = ""
    """Address of their page, relative to the report."""

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """The number of items by verdict."""
        counts = Counter(one.verdict for one in self.shown)
        return {one: counts[one] for one in get_args(Verdict) if counts[one]}


@dataclass(frozen=True, slots=True)
class Section:
    """The part of a report on one benchmark."""

    name: str
    title: str
    primary: str
    chapters: tuple[Chapter, ...]
    plots: Plots
    items: tuple[ShownItems, ...]
    """One for each run."""
    broken: tuple[Record, ...] = ()
    """Items whose run broke off, by id."""


def html(title: str, sections: Sequence[Section]) -> str:
    """The page of a report."""
    return (
        _environment(escaped=True)
        .get_template("report.html.j2")
        .render(title=title, sections=sections, verdicts=get_args(Verdict))
    )


def markdown(title: str, sections: Sequence[Section], *, page: str = "") -> str:
    """A report in Markdown; ``page`` is the file of its page, if there is one."""
    return (
        _environment(escaped=False)
        .get_template("report.md.j2")
        .render(title=title, sections=sections, page=page)
    )


def _environment(*, escaped: bool) -> Environment:
    environment = templates("inforce.evals.report", escaped=escaped)
    environment.filters.update(md=markdown_text, number=_number, cut=cut)
    globals: Any = environment.globals
    functions = (cell_text, interval_text, items_text, to_markdown, _holds_texts, _is_total)
    globals.update({one.__name__.lstrip("_"): one for one in functions})
    return environment


def _source(name: str) -> str:
    return files("inforce.evals.report").joinpath("pages", name).read_text(encoding="utf-8")


def _is_total(column: str) -> bool:
    """True if a column is the average of the others, which stays in sight."""
    return column.casefold() in _TOTALS


def _holds_texts(table: Table, column: int) -> bool:
    """True if a column holds words, which are aligned to the left with their head."""
    return all(isinstance(row.cells[column], str) for row in table.rows)


def _number(value: float | None) -> str:
    return NOT_MEASURED if value is None else f"{value:.4g}"


def cut(text: str, most: int = MOST_CHARACTERS) -> str:
    """A text cut to a length, with the number of characters left out.

    >>> cut("abcdef", 4)
    'abcd … (2 more characters)'
    """
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} more characters)"


def show_items(
    run: str, records: Sequence[Record], *, primary: str, link: Callable[[Record], str]
) -> ShownItems:
    """The items of a run in the natural order of their ids (q2 before q10), each with its rank.

    The first ranks are items that broke off, then those that could not be measured, then the worst.
    """

    def badness(record: Record) -> tuple[int, float, list[tuple[int, str]], int]:
        value = record.values.get(primary) if record.is_scored else None
        group = 0 if not record.is_scored else 1 if value is None else 2
        return group, value or 0.0, _natural(record.id), record.epoch

    worst = sorted(records, key=badness)[:MOST_ITEMS]
    shown = [
        ShownItem(one, _verdict(one, primary), link(one), rank) for rank, one in enumerate(worst)
    ]
    shown.sort(key=lambda one: (_natural(one.record.id), one.record.epoch))
    return ShownItems(run, tuple(shown), len(records) - len(shown))


def _natural(id: str) -> list[tuple[int, str]]:
    """A key that sorts numbers in ids by their value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(id)]


def write_items(output: Path, name: str, items: ShownItems, primary: str) -> ShownItems:
    """Write a page of the items of a run, which is searched and paged in the browser."""
    file = re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII)[:80] + ".html"
    script = _source("items.js")
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    page = _environment(escaped=True).get_template("items.html.j2")
    text = page.render(items=items, primary=primary, script=script, allowed=allowed)
    write_file(output / ITEMS / file, text)
    return replace(items, page=f"{ITEMS}/{quote(file)}")


def _verdict(record: Record, primary: str) -> Verdict:
    if not record.is_scored:
        return "broke off"
    value = record.values.get(primary)
    if value is None:
        return "not measured"
    return "right" if value >= 1 else "wrong" if value <= 0 else "partly right"


def trace_links(run: Results, output: Path) -> Callable[[Record], str]:
    """Return a function that links the run of an item from a report in ``output``.

    A page is written when it is first linked, and again if its trace has changed since.
    """

    def link(record: Record) -> str:
        trace = trace_file(run.folder, record)
        if trace is None:
            return ""
        stem = re.sub(r"[^\w.-]+", "-", trace.stem, flags=re.ASCII)[:60]
        name = f"{stem}-{sha256(str(trace).encode()).hexdigest()[:8]}.html"
        return f"{PAGES}/{quote(name)}" if _write_page(output / PAGES / name, trace) else ""

    return link


def trace_file(folder: Path, record: Record) -> Path | None:
    """The trace of an item, if it is within the folder of its run.

    Its name is relative to that folder, or to the folder of traces in it.
    """
    for within in (folder, folder / TRACES) if record.trace else ():
        try:
            path = (within / record.trace).resolve()
            if path.is_relative_to(folder.resolve()) and path.is_file():
                return path
        except (OSError, ValueError):  # a name no file can have: too long, or with a null character
            continue
    return None


def _write_page(page: Path, trace: Path) -> bool:
    """Write the page of a trace unless it is up to date; return False if the trace is damaged."""
    from inforce.agents.runtime.trace import read_trace
    from inforce.agents.runtime.trace_view import page as page_of
    from inforce.agents.runtime.trace_view import view

    if page.exists() and page.stat().st_mtime_ns >= trace.stat().st_mtime_ns:
        return True
    try:
        html = page_of(view(read_trace(trace)))
    except InputError:
        return False
    write_file(page, html)
    return True
