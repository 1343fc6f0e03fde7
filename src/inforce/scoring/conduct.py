"""How an agent went about it: which tools it called, and how often its queries named a time.

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
"""A year without its word, as queries have it: "2004 录音遗嘱"; no number of a document or sum."""

_DAY = date(2000, 1, 1)
"""Where relative dates would be counted from; only whether there is a date matters here."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """Calls by tool, and of these the ones that name a time."""

    calls: dict[str, int]
    dated: dict[str, int]


def conduct(events: Iterable[Event]) -> Conduct:
    """What a run did through its tools."""
    calls: Counter[str] = Counter()
    dated: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Observed):
            calls[event.tool] += 1
            dated[event.tool] += names_a_time(event.arguments)
    return Conduct(_sorted(calls), _sorted(+dated))


def names_a_time(arguments: Any) -> bool:
    """Whether a call says for which time it asks; a day no calendar has (1013-21-22) is none.

    >>> names_a_time({"query": ["2004 录音遗嘱"]}), names_a_time({"query": ["录音遗嘱"]})
    (True, False)
    """
    return any(
        _YEAR.search(text) or scan_dates(text, clock=lambda: _DAY).mentions
        for text in _texts(arguments)
    )


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, however deep a model has nested it."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            left += cast("Mapping[str, Any]", one).values()
        elif isinstance(one, Sequence):
            left += cast("Sequence[Any]", one)


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))
