"""What records come to: means with intervals, overall and by task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from inforce.evals.benchmark import Record, Summary
from inforce.scoring.estimate import Estimate, mean


def measured(records: Sequence[Record], measure: str) -> list[float | None]:
    """A measure over the items that got to their end; ``None`` where it could not be taken.

    An item that was asked several times counts once, with the mean of its epochs.
    """
    by_item: dict[str, list[float]] = {}
    for one in records:
        if one.is_scored and measure in one.values:
            value = one.values[measure]
            by_item.setdefault(one.id, []).extend([] if value is None else [value])
    return [fmean(values) if values else None for values in by_item.values()]


def means(records: Sequence[Record], measures: Sequence[str]) -> dict[str, Estimate | None]:
    """The mean of each measure over the records that got to their end."""
    return {name: mean(measured(records, name)) for name in measures}


def grouped(
    records: Sequence[Record], key: Callable[[Record], str]
) -> dict[str, tuple[Record, ...]]:
    """Records by a key, the keys sorted."""
    groups: dict[str, list[Record]] = {}
    for one in records:
        groups.setdefault(key(one), []).append(one)
    return {name: tuple(groups[name]) for name in sorted(groups)}


def summary_of_means(
    measures: Sequence[str], *, by: Callable[[Record], str] | None = None
) -> Callable[[Sequence[Record]], Summary]:
    """Summarises by means alone, also by a key where one is given."""

    def summarise(records: Sequence[Record]) -> Summary:
        groups: Mapping[str, tuple[Record, ...]] = grouped(records, by) if by else {}
        return Summary(
            means(records, measures), {name: means(of, measures) for name, of in groups.items()}
        )

    return summarise
