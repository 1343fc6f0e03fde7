"""The making of tasks, and their check by machine.

Routes are chosen by coverage, get a question, and are completed by entities. Then every task is
solved again along its own path, in a world opened anew: it passes if its path leads to the same
keys and its entity is the only one of that name. The check does not show that the question asks for
the answer: people check that (`inforce.evals.construction.project`).
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from inforce.evals.construction.description import Name
from inforce.evals.construction.growth import USUAL, Growth, Limits
from inforce.evals.construction.paths import (
    MOST_HOPS,
    PARALLEL_EVERY,
    Ask,
    Branch,
    Coverage,
    Leaf,
    PlanningTree,
    Route,
    SolutionPath,
    parallel,
    quotas,
)
from inforce.evals.construction.solving import Execution, Solution, display_name, solve
from inforce.evals.construction.wording import write_words
from inforce.evals.construction.worlds import TaskWorld

MOST_OF_A_START = 0.05
"""Share of all tasks that may begin with one entity."""

MOST_TRIES = 8
"""Questions tried at a route before it is given up."""


@dataclass(frozen=True, slots=True)
class MadeTask:
    """A task with its path."""

    name: str
    """The same for the same path and entity."""
    type: str
    """Hops, number of the path among those, number of the entity: ``3-12-1``."""
    path: SolutionPath
    start: Name
    question: str
    """In plain words that show the path."""
    answer: str
    key: tuple[str, ...]
    key_middle: tuple[str, ...]

    @property
    def entity(self) -> str:
        """The entity as the question names it."""
        return display_name(self.start)

    @property
    def hops(self) -> int:
        """Look-ups in a row."""
        return self.path.hops


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """The number and kind of tasks to make."""

    count: int = 240
    hops: tuple[int, ...] = tuple(range(1, MOST_HOPS + 1))
    per_path: int = 2
    """Entities a path; fewer if no more complete it."""
    seed: int = 0
    limits: Limits = USUAL


async def make_tasks(
    world: TaskWorld, plan: TaskPlan, *, progress: Callable[[int], None] = lambda steps: None
) -> tuple[MadeTask, ...]:
    """Make tasks; fewer than planned if the world has not so many."""
    execution = Execution(world)
    limits = replace(  # wide enough for the entities of a path
        plan.limits,
        starts=max(plan.limits.starts, 2 * plan.per_path),
        walks=max(plan.limits.walks, 2 * plan.per_path),
    )
    growth = Growth(world, execution, seed=plan.seed, limits=limits, progress=progress)
    maker = _Maker(PlanningTree(world.description), execution, plan)
    made: list[MadeTask] = []
    quota, missing, hop = quotas(plan.count, plan.hops), 0, 0
    async for routes in growth.layers(max(plan.hops)):
        hop += 1
        if hop in quota:
            missing += quota[hop]
            tasks = [task async for task in maker.layer(routes, missing)]
            missing -= len(tasks)
            made += tasks
    return tuple(made)


class _Maker:
    """Makes the tasks of one layer after the other."""

    def __init__(self, tree: PlanningTree, execution: Execution, plan: TaskPlan) -> None:
        self._tree = tree
        self._execution = execution
        self._plan = plan
        self._coverage = Coverage()
        self._used: Counter[Name] = Counter()
        self._questions: set[str] = set()
        self._starts: set[Name] = set()
        self._most = 0
        """Tasks that may begin with one entity."""

    async def layer(self, routes: Sequence[Route], wanted: int) -> AsyncIterator[MadeTask]:
        """Tasks with as many hops as the routes have, until there are enough."""
        pools = [list(routes), list(parallel(routes))]
        self._starts |= {walk[0] for route in routes for walk in route.walks}
        share = max(MOST_OF_A_START, 6 / max(1, len(self._starts)))  # of few each has more
        self._most = max(2, int(self._plan.count * share))
        passed: dict[Route, set[tuple[Ask, ...]]] = {}
        made = paths = 0
        while made < wanted and any(pools):
            is_parallel = paths % PARALLEL_EVERY == PARALLEL_EVERY - 1
            pool = pools[is_parallel] or pools[not is_parallel]
            route = self._coverage.best(pool)
            assert route is not None  # the pool is not empty
            tasks = await self._of_route(route, passed.setdefault(route, set()), paths + 1)
            paths += bool(tasks)
            if not tasks:
                pool.remove(route)
            for task in tasks[: wanted - made]:
                made += 1
                yield task

    async def _of_route(
        self, route: Route, passed: set[tuple[Ask, ...]], number: int
    ) -> list[MadeTask]:
        """Tasks with a further question along a route; none if there is none left."""
        for _ in range(MOST_TRIES):
            leaves = self._leaves(route.branches, passed)
            if leaves is None:
                return []
            passed.add(tuple(leaf.ask for leaf in leaves))
            tasks = await self._of_path(route, SolutionPath(route.trunk, leaves), number)
            if tasks:
                self._coverage.add(route, leaves)
                return tasks
        return []

    def _leaves(
        self, branches: Sequence[Branch], passed: set[tuple[Ask, ...]]
    ) -> tuple[Leaf, ...] | None:
        """The next questions; each of two look-ups gets another question every time."""
        leaves: list[Leaf] = []
        for place, branch in enumerate(branches):
            leaf = self._coverage.leaf(branch, self._tree, (asks[place] for asks in passed))
            if leaf is None:
                return None
            leaves.append(leaf)
        return tuple(leaves)

    async def _of_path(self, route: Route, path: SolutionPath, number: int) -> list[MadeTask]:
        starts = list(dict.fromkeys(walk[0] for walk in route.walks))
        random.Random(f"{self._plan.seed} {path}").shuffle(starts)
        starts = [one for one in starts if self._used[one] < self._most]
        tasks: list[MadeTask] = []
        for start in sorted(starts, key=self._used.__getitem__):
            if len(tasks) == self._plan.per_path:
                break
            solution = await solve(path, start, self._execution)
            task = self._task(path, solution, f"{path.hops}-{number}-{len(tasks) + 1}")
            if task:
                tasks.append(task)
                self._used[start] += 1
        return tasks

    def _task(self, path: SolutionPath, solution: Solution | None, type: str) -> MadeTask | None:
        """The task, unless its question was asked before or gives the answer away."""
        if solution is None:
            return None
        question, answer = write_words(path, solution, self._tree.description)
        if question in self._questions or any(key in question for key in solution.keys):
            return None
        self._questions.add(question)
        start = solution.names[0]
        name = hashlib.sha256(f"{path} {start}".encode()).hexdigest()[:12]
        return MadeTask(name, type, path, start, question, answer, solution.keys, solution.middle)


@dataclass(frozen=True, slots=True)
class RejectedTask:
    """A task that failed the check, and the reason."""

    task: MadeTask
    reason: str


async def check_tasks(
    tasks: Iterable[MadeTask],
    world: TaskWorld,
    *,
    progress: Callable[[int], None] = lambda steps: None,
) -> tuple[RejectedTask, ...]:
    """Return the tasks that fail the check.

    The world is opened for this check, so that nothing is remembered from the making.
    """
    execution = Execution(world)
    rejected: list[RejectedTask] = []

    @cache
    def names(branch: Branch) -> Counter[str]:
        return Counter(map(display_name, world.starts(branch)))

    for task in tasks:
        namesakes = names(task.path.first)[task.entity]
        if task.entity not in task.question:
            reason = f"the question does not name {task.entity}"
        elif namesakes != 1:
            reason = f"{namesakes} are named {task.entity}"
        else:
            reason = await _difference(task, execution)
        if reason:
            rejected.append(RejectedTask(task, reason))
        progress(1)
    return tuple(rejected)


async def _difference(task: MadeTask, execution: Execution) -> str:
    """Why the path does not lead to the answer; empty if it does."""
    solution = await solve(task.path, task.start, execution)
    if solution is None:
        return "the path leads to no answer"
    if solution.keys != task.key:
        return f"the path leads to {'、'.join(solution.keys)}"
    return "" if solution.middle == task.key_middle else "the path passes other entities"
