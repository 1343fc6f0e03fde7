"""The check by machine: every task solved again along its own path, in a world opened afresh.

A task stands if its path leads to the same keys and the entity in its question is the only one of
that name. What a path leads to says nothing on whether the question asks for it: that is what
people check (`inforce.evals.construction.review`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from inforce.evals.construction.answers import display_name, solve
from inforce.evals.construction.execution import Execution
from inforce.evals.construction.planning import Branch
from inforce.evals.construction.tasks import MadeTask
from inforce.evals.construction.worlds import TaskWorld


@dataclass(frozen=True, slots=True)
class Refuted:
    """A task that does not stand, and why."""

    task: MadeTask
    reason: str


async def verify(
    tasks: Iterable[MadeTask],
    world: TaskWorld,
    *,
    progress: Callable[[int], None] = lambda steps: None,
) -> tuple[Refuted, ...]:
    """The tasks that do not stand.

    Args:
        tasks: what is checked.
        world: opened for this check, so that nothing is remembered from the making.
        progress: called after each task.
    """
    execution = Execution(world)
    refuted: list[Refuted] = []

    @cache
    def named(branch: Branch) -> Counter[str]:
        return Counter(map(display_name, world.starts(branch)))

    for task in tasks:
        reason = _ambiguity(task, named(_first(task))) or await _difference(task, execution)
        if reason:
            refuted.append(Refuted(task, reason))
        progress(1)
    return tuple(refuted)


def _ambiguity(task: MadeTask, named: Mapping[str, int]) -> str:
    """Why the question does not say which entity it means, if it does not."""
    if task.entity not in task.question:
        return f"the question does not name {task.entity}"
    namesakes = named.get(task.entity, 0)
    return "" if namesakes == 1 else f"{namesakes} are named {task.entity}"


async def _difference(task: MadeTask, execution: Execution) -> str:
    """Why the path does not lead to the answer, if it does not."""
    solution = await solve(task.path, task.start, execution)
    if solution is None:
        return "the path leads to no answer"
    if solution.keys != task.key:
        return f"the path leads to {'、'.join(solution.keys)}"
    return "" if solution.middle == task.key_middle else "the path passes other entities"


def _first(task: MadeTask) -> Branch:
    steps = task.path.trunk
    return steps[0].branch if steps else task.path.leaves[0].branch
