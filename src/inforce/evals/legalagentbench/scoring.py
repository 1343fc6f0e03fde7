"""Scores of LegalAgentBench (section 4.1.2 and E.2): which key words an answer contains.

Success is the share of a task's keys found in the answer; progress the share of its keys and middle
keys found in the summary of the trajectory. Both are means over the tasks. BERTScore is not
computed: it needs a model of its own, and measures wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inforce.agents.answer import Outcome
from inforce.evals.legalagentbench.tasks import Task
from inforce.llm.chat import Usage


@dataclass(frozen=True, slots=True)
class Score:
    """What one task came to."""

    id: int
    group: str
    success: float
    process: float


@dataclass(frozen=True, slots=True)
class Rates:
    """Means over some tasks; ``None`` where there is none."""

    n: int
    success_rate: float | None
    process_rate: float | None
    solved_rate: float | None
    """Share of tasks whose answer contains every key."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What an agent made of one task."""

    task: Task
    outcome: Outcome
    final: str
    """The answer in its final form."""
    summary: str
    usage: Usage
    note: str = ""

    @property
    def is_scored(self) -> bool:
        """Whether the agent got to its end; a run that broke off is no wrong answer."""
        return self.outcome not in ("failed", "budget")


def score(task: Task, final: str, summary: str) -> Score:
    """The score of one task."""
    return Score(
        task.id,
        task.group,
        share(task.key, final),
        share((*task.key, *task.key_middle), summary),
    )


def share(keys: Sequence[str], text: str) -> float:
    """The share of keys a text contains.

    >>> share(("688106", "金向华"), "公司代码为688106")
    0.5
    """
    return sum(key in text for key in keys) / len(keys)


def rates(scores: Iterable[Score]) -> Rates:
    """Means over tasks."""
    of = tuple(scores)
    if not of:
        return Rates(0, None, None, None)
    return Rates(
        len(of),
        round(sum(one.success for one in of) / len(of), 4),
        round(sum(one.process for one in of) / len(of), 4),
        round(sum(one.success == 1 for one in of) / len(of), 4),
    )


def by_group(scores: Iterable[Score]) -> dict[str, Rates]:
    """Means for each number of hops, as the paper's tables show them."""
    of = tuple(scores)
    groups = sorted({one.group for one in of})
    return {group: rates(one for one in of if one.group == group) for group in groups}
