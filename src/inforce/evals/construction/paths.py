"""Paths through the planning tree, and which of them become tasks.

Layer by layer, one to five look-ups deep, each next path is the one that covers most of what no
path has covered: tools, and passages from one tool to the next. What earlier layers cover counts as
covered, so that layers overlap least. A serial path ends in one look-up, a parallel one in two of
the same entity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from inforce.evals.construction.planning import Ask, Branch, PlanningTree, Step
from inforce.evals.construction.worlds import Name

MOST_HOPS = 5

PARALLEL_EVERY = 4
"""One path in so many is parallel, where the layer has any."""

SHARES = {1: 80, 2: 80, 3: 60, 4: 40, 5: 20}
"""Tasks of each number of hops in LegalAgentBench (table 2); the sizes of our layers keep the
proportion."""

Edge = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """The last look-up of a path, and what is asked for."""

    branch: Branch
    ask: Ask


@dataclass(frozen=True, slots=True)
class SolutionPath:
    """Look-ups that follow from one another, and one or two at the end."""

    trunk: tuple[Step, ...]
    leaves: tuple[Leaf, ...]

    @property
    def kind(self) -> str:
        """The kind of entity it starts from."""
        return (self.trunk[0].branch if self.trunk else self.leaves[0].branch).kind

    @property
    def hops(self) -> int:
        """Look-ups that follow from one another."""
        return len(self.trunk) + 1

    @property
    def tools(self) -> tuple[str, ...]:
        """The look-ups in order."""
        steps = (step.branch.tool for step in self.trunk)
        return (*steps, *(leaf.branch.tool for leaf in self.leaves))


@dataclass(frozen=True, slots=True)
class Route:
    """A path whose question is still open, and entities known to come along it."""

    trunk: tuple[Step, ...]
    branches: tuple[Branch, ...]
    walks: tuple[tuple[Name, ...], ...]
    """Names along the trunk, from the start to where the last look-ups are made."""

    @property
    def hops(self) -> int:
        """Look-ups that follow from one another."""
        return len(self.trunk) + 1

    @property
    def edges(self) -> frozenset[Edge]:
        """What it covers: tools, how it begins, and passages from one tool to the next."""
        steps = [step.branch for step in self.trunk]
        before = [steps[-1].tool] * len(self.branches) if steps else []
        passages = zip([one.tool for one in steps], [one.tool for one in steps[1:]], strict=False)
        last = zip(before, [one.tool for one in self.branches], strict=False)
        first = steps[0] if steps else self.branches[0]
        tools = ((one.tool,) for one in (*steps, *self.branches))
        return frozenset([*tools, *passages, *last, ("", first.kind, first.tool)])


@dataclass(slots=True)
class Coverage:
    """What the chosen paths cover, and how often."""

    edges: Counter[Edge] = field(default_factory=Counter[Edge])
    asks: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """Forms of questions by tool."""
    wordings: Counter[Leaf] = field(default_factory=Counter[Leaf])

    def best(self, routes: Sequence[Route]) -> Route | None:
        """The route that covers most anew; of equals the one that repeats least, then the first."""
        return max(routes, key=self._gain, default=None)

    def leaf(self, branch: Branch, tree: PlanningTree, passed: Iterable[Ask] = ()) -> Leaf | None:
        """What to ask at a look-up: what was asked least, but what was tried in vain."""
        tried = set(passed)
        left = [Leaf(branch, ask) for ask in tree.asks(branch) if ask not in tried]
        return min(left, key=self._often, default=None)

    def add(self, route: Route, leaves: Iterable[Leaf]) -> None:
        """Count a path as chosen."""
        self.edges.update(route.edges)
        for leaf in leaves:
            self.asks[leaf.branch.tool, leaf.ask.form] += 1
            self.wordings[leaf] += 1

    def _gain(self, route: Route) -> tuple[int, int]:
        times = [self.edges[edge] for edge in route.edges]
        return times.count(0), -sum(times)

    def _often(self, leaf: Leaf) -> tuple[int, int]:
        return self.asks[leaf.branch.tool, leaf.ask.form], self.wordings[leaf]


def parallel(routes: Iterable[Route]) -> Iterator[Route]:
    """Routes that end in two look-ups, from routes that end in one."""
    by_trunk: dict[tuple[Step, ...], list[Route]] = {}
    for route in routes:
        by_trunk.setdefault(route.trunk, []).append(route)
    for trunk, several in by_trunk.items():
        for one, other in combinations(several, 2):
            others = set(other.walks)
            shared = tuple(walk for walk in one.walks if walk in others)
            is_same = one.branches[0].tool == other.branches[0].tool
            if shared and not is_same and one.branches[0].kind == other.branches[0].kind:
                yield Route(trunk, (*one.branches, *other.branches), shared)


def quotas(count: int, hops: Sequence[int]) -> dict[int, int]:
    """How many tasks each layer should have, in LegalAgentBench's proportion.

    >>> quotas(28, (1, 2, 3, 4, 5))
    {1: 8, 2: 8, 3: 6, 4: 4, 5: 2}
    """
    whole = sum(SHARES[hop] for hop in hops)
    wanted = {hop: count * SHARES[hop] // whole for hop in hops}
    for hop in list(wanted)[: count - sum(wanted.values())]:
        wanted[hop] += 1
    return wanted
