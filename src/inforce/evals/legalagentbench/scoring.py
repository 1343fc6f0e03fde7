"""Scores of LegalAgentBench (section 4.1.2 and E.2): which key words an answer contains.

Success is the share of a task's keys found in the answer; progress the share of its keys and middle
keys found in the summary of the trajectory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inforce.evals.legalagentbench.tasks import Task


@dataclass(frozen=True, slots=True)
class Score:
    """What one task came to."""

    success: float
    process: float

    @property
    def is_solved(self) -> bool:
        """Whether the answer contains every key."""
        return self.success == 1


def score(task: Task, final: str, summary: str) -> Score:
    """The score of one task.

    Args:
        task: the task.
        final: the answer in its final form.
        summary: the summary of the trajectory.
    """
    return Score(share(task.key, final), share((*task.key, *task.key_middle), summary))


def share(keys: Sequence[str], text: str) -> float:
    """The share of keys a text contains.

    >>> share(("688106", "金向华"), "公司代码为688106")
    0.5
    """
    return sum(key in text for key in keys) / len(keys)
