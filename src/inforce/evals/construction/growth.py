"""The growth of the planning tree, layer by layer, with entities found by making its look-ups.

Not every entity completes every path: a look-up may have no result, or an incomplete one. So the
tree is grown with entities, and a branch that none of them completes is cut (LegalAgentBench,
section 3.3.2, entity selection).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from inforce.evals.construction.description import Name
from inforce.evals.construction.paths import Branch, PlanningTree, Route, Step
from inforce.evals.construction.solving import Execution
from inforce.evals.construction.worlds import TaskWorld

Walk = tuple[Name, ...]
"""Names along a trunk, beginning with the start."""

Trunk = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of growth; large worlds are sampled."""

    starts: int = 60
    """Entities for which a first look-up is made."""
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

        @cache
        def known(branch: Branch) -> frozenset[Name]:
            return frozenset(self._starts(branch))

        self._known = known

    async def layers(self, hops: int) -> AsyncIterator[tuple[Route, ...]]:
        """The routes of each layer; those of the first have one look-up."""
        first: list[Route] = []
        for branch in self._tree.all_branches():
            names = self._drawn(self._starts(branch), self._limits.starts, branch.tool)
            if names:
                first.append(Route((), (branch,), tuple((name,) for name in names)))
        routes = tuple(first)
        yield routes
        for _ in range(hops - 1):
            trunks = self._thinned(await self._longer_trunks(routes))
            routes = tuple(self._routes(trunks))
            yield routes

    async def _longer_trunks(self, routes: Sequence[Route]) -> dict[Trunk, list[Walk]]:
        """Trunks one look-up longer, with the entities that complete them."""
        trunks: dict[Trunk, list[Walk]] = {}
        for route in routes:
            for step in self._tree.steps(route.branches[0]):
                longer: dict[Walk, None] = {}
                for walk in route.walks:
                    following = await self._execution.follow(step, walk[-1])
                    if following and following.name not in walk:
                        longer[(*walk, following.name)] = None
                self._progress(len(route.walks))
                if longer:
                    trunks[(*route.trunk, step)] = list(longer)[: self._limits.walks]
        return trunks

    def _thinned(self, trunks: dict[Trunk, list[Walk]]) -> dict[Trunk, list[Walk]]:
        """Some of the trunks, as different from one another as possible."""
        order = self._drawn(sorted(trunks, key=repr), len(trunks), "trunks")
        chosen: dict[Trunk, list[Walk]] = {}
        alike: Counter[tuple[str, ...]] = Counter()
        for trunk in order:
            tools = (*(step.branch.tool for step in trunk), trunk[-1].link.kind)
            alike[tools] += 1
            if alike[tools] <= self._limits.alike and len(chosen) < self._limits.trunks:
                chosen[trunk] = trunks[trunk]
        return chosen

    def _routes(self, trunks: dict[Trunk, list[Walk]]) -> list[Route]:
        """The look-ups that can be made at the end of trunks."""
        routes: list[Route] = []
        for trunk, walks in trunks.items():
            for branch in self._tree.branches(trunk[-1].link.kind):
                known = self._known(branch)
                reaching = tuple(walk for walk in walks if walk[-1] in known)
                if reaching and self._is_new(trunk, branch):
                    routes.append(Route(trunk, (branch,), reaching))
        return routes

    def _is_new(self, trunk: Trunk, branch: Branch) -> bool:
        """True if a look-up brings something new: by another tool, and not the same row."""
        if branch.tool in {step.branch.tool for step in trunk}:
            return False
        tools = self._tree.description.tools
        before, now = tools[trunk[-1].branch.tool], tools[branch.tool]
        return before.table != now.table or now.answer == "rows"

    def _drawn(self, values: Sequence[T], most: int, what: str) -> list[T]:
        return random.Random(f"{self._seed} {what}").sample(values, min(most, len(values)))
