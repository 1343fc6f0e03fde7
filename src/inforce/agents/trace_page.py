"""A trace as one web page that needs nothing else: no script, no network, no style sheet beside it.

Everything shown comes from models and foreign pages, so everything is escaped, and only http and
https addresses become links.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from inforce.agents.trace_view import TraceView

if TYPE_CHECKING:
    from jinja2 import Template


def page(shown: TraceView) -> str:
    """The HTML of a trace."""
    cited = _cited(shown)
    return _template().render(shown=shown, cited=cited, linkable=_linkable)


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined  # only whoever makes a page waits for it

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("inforce.agents").joinpath("pages", "trace.html.j2").read_text(encoding="utf-8")
    return environment.from_string(source)


def _cited(shown: TraceView) -> dict[str, int]:
    """The number of each source of the answer, by the id of its evidence."""
    found = shown.answer.evidence if shown.answer else ()
    return {one.id: number for number, one in enumerate(found, start=1)}


def _linkable(url: str) -> bool:
    """Whether an address may be clicked: nothing that runs or opens a file."""
    return url.startswith(("https://", "http://"))
