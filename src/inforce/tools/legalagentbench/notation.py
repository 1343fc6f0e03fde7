"""Values in the notation of the benchmark's server, which prints them as Python does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast


def printed(value: Any) -> str:
    """A JSON value as the server prints it; an empty cell of a table is ``nan``.

    >>> printed([{"案号": "（2021）京01执835号", "涉案金额（元）": 5.0, "原告": None}])
    "[{'案号': '（2021）京01执835号', '涉案金额（元）': 5.0, '原告': nan}]"
    """
    if value is None:
        return "nan"
    if isinstance(value, Mapping):
        cells = cast(Mapping[str, Any], value).items()
        return "{" + ", ".join(f"{name!r}: {printed(cell)}" for name, cell in cells) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(printed(one) for one in cast(Sequence[Any], value)) + "]"
    return repr(value)
