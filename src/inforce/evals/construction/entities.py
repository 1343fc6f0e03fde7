"""Entities that complete a path, found by really making its look-ups.

Not every entity can go every way: a look-up may have no answer, or one that is not whole. The tree
is therefore grown with entities in it: a branch nobody has walked is cut (LegalAgentBench, section
3.3.2, entity selection).
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from inforce.evals.construction.execution import Execution
from inforce.evals.construction.paths import Route
from inforce.evals.construction.planning import Branch, PlanningTree, Step
from inforce.evals.construction.worlds import Name, TaskWorld

Walk = tuple[Name, ...]
"""Names along a trunk, the first that of the start."""

Trunk = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a tree is grown; large worlds are sampled."""

    starts: int = 60
    """Entities a first look-up is made for."""
    walks: int = 20
    """Entities that are followed along one trunk."""
    trunks: int = 300
    """Trunks of a layer that grow on."""
    alike: int = 2
    """Trunks of a layer with the same tools."""


USUAL = Limits()

T = TypeVar("T")


class Growth:
    """Grows the tree layer by layer."""

    def __init__(
        self,
        world: TaskWorld,
        execution: Execution,
        *,
        seed: int = 0,
        limits: Limits = USUAL,
        progress: Callable[[int], None] = lambda steps: None,
    ) -> None:
        self._tree = PlanningTree(world.description)
        self._execution = execution
        self._seed = seed
        self._limits = limits
        self._progress = progress
        self._starts = cache(world.starts)
        self._known = cache(self._names)

    async def layers(self, hops: int) -> AsyncIterator[tuple[Route, ...]]:
        """The routes of each layer, the first with one look-up."""
        routes = self._first()
        yield routes
        for _ in range(hops - 1):
            trunks = self._thinned(await self._onward(routes))
            routes = tuple(self._routes(trunks))
            yield routes

    def _names(self, branch: Branch) -> frozenset[Name]:
        """What a look-up is known to answer."""
        return frozenset(self._starts(branch))

    def _first(self) -> tuple[Route, ...]:
        """One look-up of an entity the world knows."""
        found: list[Route] = []
        for branch in self._tree.all_branches():
            names = self._drawn(self._starts(branch), self._limits.starts, branch.tool)
            if names:
                found.append(Route((), (branch,), tuple((name,) for name in names)))
        return tuple(found)

    async def _onward(self, routes: Sequence[Route]) -> dict[Trunk, list[Walk]]:
        """Trunks one look-up longer, with the entities that were seen to come along them."""
        trunks: dict[Trunk, list[Walk]] = {}
        for route in routes:
            for step in self._tree.steps(route.branches[0]):
                walked = [await self._walked(step, walk) for walk in route.walks]
                self._progress(len(walked))
                longer = list(dict.fromkeys(walk for walk in walked if walk))
                if longer:
                    trunks[(*route.trunk, step)] = longer[: self._limits.walks]
        return trunks

    async def _walked(self, step: Step, walk: Walk) -> Walk | None:
        """A walk with one name more; one that comes back to where it was is none."""
        followed = await self._execution.follow(step, walk[-1])
        if followed is None or followed.name in walk:
            return None
        return (*walk, followed.name)

    def _thinned(self, trunks: dict[Trunk, list[Walk]]) -> dict[Trunk, list[Walk]]:
        """Some of the trunks, as different from one another as may be."""
        order = self._drawn(sorted(trunks, key=repr), len(trunks), "trunks")
        chosen: dict[Trunk, list[Walk]] = {}
        alike: dict[tuple[str, ...], int] = {}
        for trunk in order:
            tools = (*(step.branch.tool for step in trunk), trunk[-1].link.kind)
            alike[tools] = alike.get(tools, 0) + 1
            if alike[tools] <= self._limits.alike and len(chosen) < self._limits.trunks:
                chosen[trunk] = trunks[trunk]
        return chosen

    def _routes(self, trunks: dict[Trunk, list[Walk]]) -> list[Route]:
        """The look-ups that can be made where trunks end."""
        routes: list[Route] = []
        for trunk, walks in trunks.items():
            for branch in self._tree.branches(trunk[-1].link.kind):
                known = self._known(branch)
                reaching = tuple(walk for walk in walks if walk[-1] in known)
                if reaching and self._is_new(trunk, branch):
                    routes.append(Route(trunk, (branch,), reaching))
        return routes

    def _is_new(self, trunk: Trunk, branch: Branch) -> bool:
        """Whether a look-up brings what the trunk has not: another tool, and not the same row."""
        if branch.tool in {step.branch.tool for step in trunk}:
            return False
        tools = self._tree.description.tools
        before, now = tools[trunk[-1].branch.tool], tools[branch.tool]
        return before.table != now.table or now.answer == "rows"

    def _drawn(self, values: Sequence[T], most: int, what: str) -> list[T]:
        return random.Random(f"{self._seed} {what}").sample(values, min(most, len(values)))
