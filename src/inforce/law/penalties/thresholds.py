"""Thresholds: the amounts judicial interpretations give for words of the statute (数额较大).

An interpretation says from which sum on a crime is one of 数额较大, 数额巨大 or 情节严重; for theft
and fraud it gives a span within which each province fixes its own figure. `thresholds_at` gives
those known for a day (`data/thresholds.txt`, reviewed; the tests read the sentences
of the interpretations and compare).

>>> for one in thresholds_at(264, date(2015, 6, 1)):
...     print(one.word, one.low, one.high)
数额较大 1000 3000
数额巨大 30000 100000
数额特别巨大 300000 500000
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache

from inforce.dates import ALWAYS, DateRange
from inforce.law.data import table

_DRUGS_SINCE = date(2016, 4, 11)
_DRUGS_SOURCE = "法释〔2016〕8号 arts. 1-2"


@dataclass(frozen=True, slots=True)
class Threshold:
    """The amount from which a word of the statute is fulfilled."""

    article: int
    """The article of 刑法 whose word it is."""
    word: str
    """``数额较大``, ``情节严重`` …; empty for what makes the act a crime at all."""
    low: Decimal
    high: Decimal
    """In yuan: one figure, or the span within which each province fixes its own."""
    window: DateRange
    """The days on which the interpretation was in force."""
    source: str
    """The provision of the interpretation, e.g. ``法释〔2013〕8号 art. 1``."""
    offence: str = ""
    """The offence as the table names it (贪污)."""
    when: str = ""
    """A pattern the facts must match for it to count (透支)."""
    unit: bool = False
    """Whether it is for units (单位)."""

    @property
    def by_province(self) -> bool:
        """Whether the province's own figure decides between the two."""
        return self.low != self.high


def thresholds_at(
    article: int, day: date, *, facts: str = "", unit: bool = False
) -> tuple[Threshold, ...]:
    """The thresholds known to be in force on a day for an article of 刑法, in order.

    Args:
        article: its number.
        day: the day.
        facts: the facts of the case; figures for special facts (透支, 非法活动) count where they
            tell of these.
        unit: whether a unit (单位) is charged; a person is otherwise.
    """
    known = [threshold for threshold in _known().get(article, ()) if day in threshold.window]
    special = [
        threshold for threshold in known if threshold.when and re.search(threshold.when, facts)
    ]
    chosen = special or [threshold for threshold in known if not threshold.when]
    kind = [threshold for threshold in chosen if threshold.unit == unit] or chosen
    unique = {(threshold.word, threshold.low): threshold for threshold in reversed(kind)}
    return tuple(
        threshold for threshold in kind if unique[threshold.word, threshold.low] is threshold
    )


def thresholds_of(article: int, days: DateRange) -> tuple[Threshold, ...]:
    """Every threshold known for an article of 刑法 that was in force on some of the days."""
    return tuple(
        threshold for threshold in _known().get(article, ()) if threshold.window.overlaps(days)
    )


@dataclass(frozen=True, slots=True)
class DrugFigures:
    """The weights from which a drug that 刑法 does not name is 数量较大 and 数量大, in grams."""

    large: Decimal
    very_large: Decimal
    source: str


def drug_figures(drug: str, day: date) -> DrugFigures | None:
    """The weights for a drug that arts. 347 and 348 of 刑法 do not name; ``None``: not known."""
    if day < _DRUGS_SINCE:
        return None
    for line in table("drugs").splitlines():
        name, large, very_large = (cell.strip() for cell in line.split("|"))
        if name == drug:
            return DrugFigures(Decimal(large), Decimal(very_large), _DRUGS_SOURCE)
    return None


@cache
def _known() -> Mapping[int, Sequence[Threshold]]:
    """The table, by article."""
    found: dict[int, list[Threshold]] = {}
    for one in _rows(table("thresholds")):
        found.setdefault(one.article, []).append(one)
    return found


def _rows(lines: str) -> Iterator[Threshold]:
    """The rows of the table; its format is described there."""
    block = _BLOCK.match("")
    source, window = "", ALWAYS
    for line in filter(str.strip, lines.splitlines()):
        if not line.startswith("  "):
            block = _BLOCK.fullmatch(line)
        elif not line.startswith("    "):
            source, _, days = (part.strip() for part in line.partition("|"))
            first, *end = map(date.fromisoformat, days.split())
            window = DateRange(first, end[0] if end else None)
        else:
            assert block is not None, line
            for word in line.split("; "):
                name, _, span = word.strip().rpartition(" ")
                low, _, high = span.partition("-")
                yield Threshold(
                    int(block["article"]),
                    name.replace("*", ""),
                    Decimal(low),
                    Decimal(high or low),
                    window,
                    source,
                    block["offence"],
                    block["when"] or "",
                    bool(block["unit"]),
                )


_BLOCK = re.compile(r"(?P<article>\d+) (?P<offence>\S+)(?: when (?P<when>\S+))?(?P<unit> unit)?")
