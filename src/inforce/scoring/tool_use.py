"""Tool calls of a run, and how many of their queries mention a time.

LegalSearch-R1 (section 6.4, figures 3 and 5) counts "queries with an explicit time constraint":
here calls whose arguments contain a date, a year, or an explicit ``as_of``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from inforce.agents.runtime.trace import Event, Observed
from inforce.dates import scan_dates

_YEAR = re.compile(r"(?<![\d.〔\[(（])(?:19|20)\d{2}(?![\d.〕\])）]|\s*[号元件万])")
"""A year without 年, as in the query "2004 录音遗嘱"; no number of a document, no sum."""

_DAY = date(2000, 1, 1)
"""The "today" of relative dates; it does not matter, since dates are only detected."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """Numbers of calls by tool, sorted by tool."""

    calls: dict[str, int]
    dated: dict[str, int]
    """The calls that mention a time; tools without any are left out."""


def tool_use(events: Iterable[Event]) -> ToolUse:
    """Count the tool calls of a run."""
    calls: Counter[str] = Counter()
    dated: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Observed):
            calls[event.tool] += 1
            dated[event.tool] += mentions_time(event.arguments)
    return ToolUse(dict(sorted(calls.items())), dict(sorted((+dated).items())))


def mentions_time(arguments: Any) -> bool:
    """True if the arguments of a call mention a time; impossible dates (1013-21-22) do not count.

    >>> mentions_time({"query": ["2004 录音遗嘱"]}), mentions_time({"query": ["录音遗嘱"]})
    (True, False)
    """
    return any(
        _YEAR.search(text) or scan_dates(text, clock=lambda: _DAY).mentions
        for text in _texts(arguments)
    )


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, at any depth."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            left += cast("Mapping[str, Any]", one).values()
        elif isinstance(one, Sequence):
            left += cast("Sequence[Any]", one)
