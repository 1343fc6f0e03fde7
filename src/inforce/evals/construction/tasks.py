"""Tasks of a world: routes chosen by coverage, questions put to them, entities with answers."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace

from inforce.evals.construction.answers import Solution, display_name, solve
from inforce.evals.construction.entities import USUAL, Growth, Limits
from inforce.evals.construction.execution import Execution
from inforce.evals.construction.paths import (
    MOST_HOPS,
    PARALLEL_EVERY,
    Coverage,
    Leaf,
    Route,
    SolutionPath,
    parallel,
    quotas,
)
from inforce.evals.construction.planning import Ask, Branch, PlanningTree
from inforce.evals.construction.wording import worded
from inforce.evals.construction.worlds import Name, TaskWorld

MOST_OF_A_START = 0.05
"""Share of all tasks that may begin with one entity."""

MOST_TRIES = 8
"""Questions tried at a route before it is given up."""


@dataclass(frozen=True, slots=True)
class MadeTask:
    """A task with the path it was made along."""

    name: str
    """Stays the same for the same path and entity."""
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
        """Look-ups that follow from one another."""
        return self.path.hops


@dataclass(frozen=True, slots=True)
class Order:
    """What tasks are wanted."""

    count: int = 240
    hops: tuple[int, ...] = tuple(range(1, MOST_HOPS + 1))
    per_path: int = 2
    """Entities a path; fewer where no more complete it."""
    seed: int = 0
    limits: Limits = USUAL

    @property
    def growth(self) -> Limits:
        """The limits, wide enough for the entities a path shall have."""
        return replace(
            self.limits,
            starts=max(self.limits.starts, 2 * self.per_path),
            walks=max(self.limits.walks, 2 * self.per_path),
        )


async def make_tasks(
    world: TaskWorld, order: Order, *, progress: Callable[[int], None] = lambda steps: None
) -> tuple[MadeTask, ...]:
    """Make tasks; fewer than ordered where the world has not so many."""
    execution = Execution(world)
    growth = Growth(world, execution, seed=order.seed, limits=order.growth, progress=progress)
    made: list[MadeTask] = []
    workshop = _Workshop(PlanningTree(world.description), execution, order)
    wanted, owed, hop = quotas(order.count, order.hops), 0, 0
    async for routes in growth.layers(max(order.hops)):
        hop += 1
        if hop in wanted:
            owed += wanted[hop]
            tasks = [task async for task in workshop.layer(routes, owed)]
            owed -= len(tasks)
            made += tasks
    return tuple(made)


class _Workshop:
    """Makes the tasks of one layer after the other."""

    def __init__(self, tree: PlanningTree, execution: Execution, order: Order) -> None:
        self._tree = tree
        self._execution = execution
        self._order = order
        self._coverage = Coverage()
        self._used: Counter[Name] = Counter()
        self._questions: set[str] = set()
        self._starts: set[Name] = set()
        self._most = 0
        """Tasks that may begin with one entity."""

    async def layer(self, routes: Sequence[Route], wanted: int) -> AsyncIterator[MadeTask]:
        """Tasks of as many hops as the routes have, until there are enough."""
        pools = [list(routes), list(parallel(routes))]
        self._starts |= {walk[0] for route in routes for walk in route.walks}
        share = max(MOST_OF_A_START, 6 / max(1, len(self._starts)))  # of few each has more
        self._most = max(2, int(self._order.count * share))
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
        """Tasks of one question more along a route; none where there is none left."""
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
        """What to ask next; of two look-ups each gets another question every time."""
        leaves: list[Leaf] = []
        for place, branch in enumerate(branches):
            leaf = self._coverage.leaf(branch, self._tree, (asks[place] for asks in passed))
            if leaf is None:
                return None
            leaves.append(leaf)
        return tuple(leaves)

    async def _of_path(self, route: Route, path: SolutionPath, number: int) -> list[MadeTask]:
        tasks: list[MadeTask] = []
        for start in self._in_turn(route, path):
            if len(tasks) == self._order.per_path:
                break
            solution = await solve(path, start, self._execution)
            task = self._task(path, solution, f"{path.hops}-{number}-{len(tasks) + 1}")
            if task:
                tasks.append(task)
                self._used[start] += 1
        return tasks

    def _in_turn(self, route: Route, path: SolutionPath) -> list[Name]:
        """Starts of a route, those least used first, else by lot; none that many tasks have."""
        starts = list(dict.fromkeys(walk[0] for walk in route.walks))
        random.Random(f"{self._order.seed} {path}").shuffle(starts)
        starts = [one for one in starts if self._used[one] < self._most]
        return sorted(starts, key=self._used.__getitem__)

    def _task(self, path: SolutionPath, solution: Solution | None, type: str) -> MadeTask | None:
        """The task, unless its question was asked before or gives the answer away."""
        if solution is None:
            return None
        words = worded(path, solution, self._tree.description)
        if words.question in self._questions or any(key in words.question for key in solution.keys):
            return None
        self._questions.add(words.question)
        start = solution.names[0]
        return MadeTask(
            _name(path, start),
            type,
            path,
            start,
            words.question,
            words.answer,
            solution.keys,
            solution.middle,
        )


def _name(path: SolutionPath, start: Name) -> str:
    return hashlib.sha256(f"{path} {start}".encode()).hexdigest()[:12]
