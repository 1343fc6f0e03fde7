"""What of a run was not scored, and why: no judge, items that broke off, what rules never answer.

A measure nobody took is no zero. It is a dash in a table, and the reason is below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from inforce.agents.registry import METHODS
from inforce.evals.benchmark import Benchmark, Record
from inforce.evals.summary import grouped
from inforce.evals.table import Table
from inforce.llm.policy import OFFLINE

FailedItems = Literal["missing", "zero"]
"""What an item that broke off scores: nothing, or 0 as in tables that count every task."""

NO_RULE = "the rules of the agent answer no question of this task"

_MOST_REASONS = 4
_LONGEST_REASON = 100
_BROKEN_OFF = {"failed": "the run failed", "budget": "stopped by a limit"}


@dataclass(frozen=True, slots=True)
class Unscored:
    """Items of one task without a score, for one reason."""

    task: str
    reason: str
    count: int
    of: int
    """Items of the task in all."""

    @property
    def is_measurable(self) -> bool:
        """Whether the runs got to their end, and only the measure is missing."""
        return self.reason not in _BROKEN_OFF.values()

    def __str__(self) -> str:
        return f"{self.count} of {self.of} of {self.task}: {self.reason}"


def unscored(records: Sequence[Record], primary: str) -> tuple[Unscored, ...]:
    """What has no primary measure, by task and reason, the most frequent reasons first."""
    found: list[Unscored] = []
    for task, of in grouped(records, lambda one: one.task).items():
        reasons = Counter(
            _reason(one) for one in of if not one.is_scored or one.values.get(primary) is None
        )
        common = reasons.most_common(_MOST_REASONS)
        found += [Unscored(task, reason, count, len(of)) for reason, count in common]
        if rest := reasons.total() - sum(count for _, count in common):
            found.append(Unscored(task, "other reasons", rest, len(of)))
    return tuple(found)


def with_note(tables: Sequence[Table], records: Sequence[Record], primary: str) -> list[Table]:
    """Tables whose first says below it what its dashes mean."""
    said = "; ".join(map(str, unscored(records, primary)))
    if not (said and tables):
        return list(tables)
    first, *rest = tables
    own = (*first.own_notes, f"Not scored: {said}.")
    return [replace(first, own_notes=own), *rest]


def as_read(
    records: Sequence[Record], benchmark: Benchmark, *, model: str, agent: str, failed: FailedItems
) -> tuple[Record, ...]:
    """The records of a run as they are to be counted.

    Where an agent's own rules answer nothing of a task, nothing was examined: no item of it has a
    score. What broke off has none either, or 0 where a table counts it so.

    Args:
        records: as they were scored.
        benchmark: whose records they are.
        model: the id of the model; ``offline`` are the rules of the agent.
        agent: who was asked.
        failed: what an item that broke off scores.
    """
    if model == OFFLINE and agent in METHODS:
        tasks = grouped(records, lambda one: one.task)
        idle = {task for task, of in tasks.items() if all(o.outcome == "abstained" for o in of)}
        records = [_not_examined(one) if one.task in idle else one for one in records]
    if failed == "zero":
        zeros = dict.fromkeys((benchmark.primary, *benchmark.zeroed), 0.0)
        records = [
            replace(one, values={**one.values, **zeros}, counts_as_wrong=True)
            if one.outcome in _BROKEN_OFF
            else one
            for one in records
        ]
    return tuple(records)


def _not_examined(record: Record) -> Record:
    nothing: Mapping[str, None] = dict.fromkeys(record.values)
    return replace(record, values=nothing, note=NO_RULE)


def _reason(record: Record) -> str:
    """Why a record has no score, in words that are the same for the same reason."""
    if record.outcome in _BROKEN_OFF:
        return _BROKEN_OFF[record.outcome]
    words = " ".join(record.note.split(";")[0].split())
    return words.partition(":")[0][:_LONGEST_REASON] or "not measured"
