"""Means of the records of a run, and the items that have no score.

A measure that could not be taken is never zero: it is a dash in a table, with the reason below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from inforce.agents.registry import METHODS
from inforce.evals.benchmark import Benchmark, Record, Summary
from inforce.evals.table import Table
from inforce.llm.chat import OFFLINE
from inforce.scoring.estimate import Estimate, mean

FailedItems = Literal["missing", "zero"]
"""How items count whose run broke off: not at all, or as 0 as in tables that count every task."""

NO_RULE = "the rules of the agent answer no question of this task"

_MOST_REASONS = 4
_LONGEST_REASON = 100
_BROKEN_OFF = {"failed": "the run failed", "budget": "stopped by a limit"}


def measured(records: Sequence[Record], measure: str) -> list[float | None]:
    """Return a measure for each item whose run got to its end; ``None`` if it is missing.

    An item with several epochs counts once, with their mean.
    """
    by_item: dict[str, list[float]] = {}
    for record in records:
        if record.is_scored and measure in record.values:
            value = record.values[measure]
            by_item.setdefault(record.id, []).extend([] if value is None else [value])
    return [fmean(values) if values else None for values in by_item.values()]


def mean_of(records: Sequence[Record], measure: str) -> Estimate | None:
    """The mean of a measure over the items whose run got to its end."""
    return mean(measured(records, measure))


def means(records: Sequence[Record], measures: Sequence[str]) -> dict[str, Estimate | None]:
    """The mean of each measure over the items whose run got to its end."""
    return {name: mean_of(records, name) for name in measures}


def grouped(
    records: Sequence[Record], key: Callable[[Record], str]
) -> dict[str, tuple[Record, ...]]:
    """Records by a key, the keys sorted."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return {name: tuple(groups[name]) for name in sorted(groups)}


def by_task(record: Record) -> str:
    """The task of a record, as a key to group by."""
    return record.task


def by_group(record: Record) -> str:
    """The group of a record, as a key to group by."""
    return record.group


def summary_of_means(
    measures: Sequence[str], *, by: Callable[[Record], str] | None = None
) -> Callable[[Sequence[Record]], Summary]:
    """Return a function that summarises records by means alone, also by a key if there is one."""

    def summarise(records: Sequence[Record]) -> Summary:
        groups: Mapping[str, tuple[Record, ...]] = grouped(records, by) if by else {}
        return Summary(
            means(records, measures), {name: means(of, measures) for name, of in groups.items()}
        )

    return summarise


def with_failures_counted(
    records: Sequence[Record], benchmark: Benchmark, *, model: str, agent: str, failed: FailedItems
) -> tuple[Record, ...]:
    """Apply the two rules on items without a score to the records of a run.

    If the agent's own rules (``offline``) abstained on every item of a task, the task was not
    examined and none of its items has a score. Items that broke off have no score either, or 0 if
    ``failed`` is ``zero``.
    """
    if model == OFFLINE and agent in METHODS:
        tasks = grouped(records, by_task)
        idle = {task for task, of in tasks.items() if all(o.outcome == "abstained" for o in of)}
        records = [
            replace(one, values=dict.fromkeys(one.values), note=NO_RULE)
            if one.task in idle
            else one
            for one in records
        ]
    if failed == "zero":
        zeros = dict.fromkeys((benchmark.primary, *benchmark.zeroed), 0.0)
        records = [
            replace(one, values={**one.values, **zeros}, counts_as_wrong=True)
            if one.outcome in _BROKEN_OFF
            else one
            for one in records
        ]
    return tuple(records)


@dataclass(frozen=True, slots=True)
class NotScored:
    """Items of one task that have no score, all for the same reason."""

    task: str
    reason: str
    count: int
    of: int
    """All items of the task."""

    @property
    def is_measurable(self) -> bool:
        """True if the runs got to their end, and only the measure is missing."""
        return self.reason not in _BROKEN_OFF.values()

    def __str__(self) -> str:
        return f"{self.count} of {self.of} of {self.task}: {self.reason}"


def not_scored(records: Sequence[Record], primary: str) -> tuple[NotScored, ...]:
    """Items without the primary measure, by task and reason, the most frequent reasons first."""
    found: list[NotScored] = []
    for task, of in grouped(records, by_task).items():
        reasons = Counter(
            _reason(one) for one in of if not one.is_scored or one.values.get(primary) is None
        )
        common = reasons.most_common(_MOST_REASONS)
        found += [NotScored(task, reason, count, len(of)) for reason, count in common]
        if rest := reasons.total() - sum(count for _, count in common):
            found.append(NotScored(task, "other reasons", rest, len(of)))
    return tuple(found)


def _reason(record: Record) -> str:
    """Why a record has no score, in the same words for the same reason."""
    if record.outcome in _BROKEN_OFF:
        return _BROKEN_OFF[record.outcome]
    words = " ".join(record.note.split(";")[0].split())
    return words.partition(":")[0][:_LONGEST_REASON] or "not measured"


def with_note(tables: Sequence[Table], records: Sequence[Record], primary: str) -> list[Table]:
    """Tables with a note below the first that explains its dashes."""
    missing = "; ".join(map(str, not_scored(records, primary)))
    if not (missing and tables):
        return list(tables)
    first, *rest = tables
    return [replace(first, own_notes=(*first.own_notes, f"Not scored: {missing}.")), *rest]
