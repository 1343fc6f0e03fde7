"""The items of a run one by one, failures first, each with a way to its whole run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from inforce.evals.benchmark import Record
from inforce.evals.table_text import NOT_MEASURED

MOST_CHARACTERS = 600
"""Of a question or an answer that are shown; the trace has the rest."""

MOST_ITEMS = 2_000
"""Items of a run that are shown one by one."""


Standing = Literal["broke off", "not measured", "wrong", "partly right", "right"]
"""How an item went, by the primary measure: nothing of it, some of it, all of it."""


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item as a page shows it."""

    record: Record
    question: str
    target: str
    answer: str
    note: str
    value: str
    """The primary measure."""
    values: tuple[tuple[str, str], ...]
    trace: str
    """Address of the page of its run, relative to the report; empty where no trace was kept."""
    standing: Standing


@dataclass(frozen=True, slots=True)
class ShownItems:
    """The items of a run."""

    run: str
    shown: tuple[ShownItem, ...]
    left_out: int
    """Items not shown one by one; they count in every table."""


def show_items(
    run: str, records: Sequence[Record], *, primary: str, link: Callable[[Record], str]
) -> ShownItems:
    """The items of a run: first what broke off, then what could not be measured, then the worst."""
    worst = sorted(records, key=lambda one: (_rank(one, primary), one.id, one.epoch))
    shown = tuple(_item(one, primary, link(one)) for one in worst[:MOST_ITEMS])
    return ShownItems(run, shown, len(records) - len(shown))


def _rank(record: Record, primary: str) -> tuple[int, float]:
    if not record.is_scored:
        return 0, 0.0
    value = record.values.get(primary)
    return (1, 0.0) if value is None else (2, value)


def _item(record: Record, primary: str, trace: str) -> ShownItem:
    value = record.values.get(primary) if record.is_scored else None
    return ShownItem(
        record,
        cut(record.question),
        cut(record.target),
        cut(record.answer),
        cut(record.note),
        _number(value),
        tuple((name, _number(one)) for name, one in record.values.items()),
        trace,
        standing(record, primary),
    )


def standing(record: Record, primary: str) -> Standing:
    """How an item went."""
    if not record.is_scored:
        return "broke off"
    value = record.values.get(primary)
    if value is None:
        return "not measured"
    return "right" if value >= 1 else "wrong" if value <= 0 else "partly right"


def _number(value: float | None) -> str:
    return NOT_MEASURED if value is None else f"{value:.4g}"


def cut(text: str, most: int = MOST_CHARACTERS) -> str:
    """A text of a length that can be shown, saying what was left out.

    >>> cut("abcdef", 4)
    'abcd … (2 more characters)'
    """
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} more characters)"


def broken_off(records: Iterable[Record]) -> list[Record]:
    """Records of runs that did not get to their end, by id."""
    return sorted((one for one in records if not one.is_scored), key=lambda one: one.id)
