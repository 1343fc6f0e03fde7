"""A report as text: one page that needs nothing else, and Markdown.

Questions, answers and notes come from models and foreign pages, so everything is escaped; only the
plots, which we draw ourselves, are put into the page as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from inforce.errors import MissingExtraError
from inforce.evals.benchmark import Record
from inforce.evals.report.contents import Chapter
from inforce.evals.report.figures import Plots
from inforce.evals.report.items import ShownItems, cut
from inforce.evals.table import Table
from inforce.evals.table_text import (
    cell_text,
    interval_text,
    items_text,
    markdown_text,
    stands_out,
    to_markdown,
)

if TYPE_CHECKING:
    from jinja2 import Environment


def holds_texts(table: Table, column: int) -> bool:
    """Whether a column holds words: its head stands on the left then, as they do."""
    return all(isinstance(row.cells[column], str) for row in table.rows)


_SAID: dict[str, object] = {
    one.__name__: one
    for one in (cell_text, interval_text, items_text, stands_out, to_markdown, cut, holds_texts)
}
"""What templates may call."""


@dataclass(frozen=True, slots=True)
class Section:
    """All of a report on one benchmark."""

    name: str
    title: str
    chapters: tuple[Chapter, ...]
    plots: Plots
    items: tuple[ShownItems, ...]
    """One a run."""
    broken: tuple[Record, ...] = ()
    """Items whose run did not get to its end."""

    @property
    def id(self) -> str:
        """What links within the page call it."""
        return f"benchmark-{self.name}"


def html(title: str, sections: Sequence[Section]) -> str:
    """The page of a report."""
    template = _environment(escaped=True).get_template("report.html.j2", globals=_SAID)
    return template.render(title=title, sections=sections)


def markdown(title: str, sections: Sequence[Section], *, page: str = "") -> str:
    """A report in Markdown; ``page`` names the file of its page, where there is one."""
    template = _environment(escaped=False).get_template("report.md.j2", globals=_SAID)
    return template.render(title=title, sections=sections, page=page)


@cache
def _environment(*, escaped: bool) -> Environment:
    try:
        from jinja2 import DictLoader, Environment, StrictUndefined
    except ImportError as error:
        raise MissingExtraError("a report", "eval") from error

    pages = files("inforce.evals.report").joinpath("pages")
    sources = {
        name: pages.joinpath(name).read_text(encoding="utf-8")
        for name in ("report.html.j2", "report.md.j2")
    }
    environment = Environment(
        autoescape=escaped,
        loader=DictLoader(sources),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(md=markdown_text)
    return environment
