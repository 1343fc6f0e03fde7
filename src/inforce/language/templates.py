"""The templates of pages and reports."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def templates(package: str, *, escaped: bool = True) -> Environment:
    """The templates in the folder ``pages`` of a package; a value that is missing is an error.

    Args:
        package: its name.
        escaped: whether values are text in HTML: none of them is markup, then.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package, "pages"),
        autoescape=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
