"""The planning tree, paths through it, and the choice of paths that become tasks.

The root of the tree is an entity of some kind. Its branches are the look-ups that take such an
entity; a branch's children are the entities its rows name (from which further look-ups grow) and,
as leaves, the possible questions (LegalAgentBench, section 3.3.2). Of a list one row is followed,
the first by an amount or a date.

Layer by layer, one to five look-ups deep, the next path is the one that covers most of what no path
has covered: tools, and passages from one tool to the next. Coverage is shared by all layers, so
that they overlap least. A serial path ends in one look-up, a parallel one in two of the same
entity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Literal

from inforce.evals.construction.description import Description, Link, Name, Table

End = Literal["highest", "lowest", "earliest", "latest"]

AskForm = Literal["cells", "extract", "difference", "count", "sum", "mean", "first_of", "list"]
"""``cells``: of a row. ``extract``: the matches in a text. ``difference``: of two amounts of a row.
The others are of a list: the number of rows, an amount's sum or mean, a cell of the first row by an
amount or date, one cell of every row."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A look-up applied to an entity of a kind."""

    tool: str
    kind: str


@dataclass(frozen=True, slots=True)
class Pick:
    """The choice of the row of a list that is followed."""

    column: str
    end: End


@dataclass(frozen=True, slots=True)
class Step:
    """A look-up and the entity taken from it."""

    branch: Branch
    link: Link
    pick: Pick | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A question about the result of a look-up."""

    form: AskForm
    columns: tuple[str, ...] = ()
    pick: Pick | None = None


class PlanningTree:
    """The tree of a description, grown on request."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self._branches: dict[str, tuple[Branch, ...]] = {
            kind: tuple(
                Branch(tool.name, kind)
                for tool in description.tools.values()
                if kind in tool.kinds(description.tables[tool.table])
            )
            for kind in description.kinds
        }

    @property
    def roots(self) -> tuple[str, ...]:
        """The kinds of entities that a task may start from."""
        return tuple(kind for kind, branches in self._branches.items() if branches)

    def branches(self, kind: str) -> tuple[Branch, ...]:
        """The look-ups that take an entity of a kind."""
        return self._branches[kind]

    def all_branches(self) -> Iterator[Branch]:
        """Every look-up with every kind of entity it takes."""
        for kind in self.roots:
            yield from self._branches[kind]

    def steps(self, branch: Branch) -> Iterator[Step]:
        """The entities that a look-up leads to, without those it was looked up by."""
        tool, table = self.description.tools[branch.tool], self.description.table_of(branch.tool)
        for link in table.links:
            if link.columns in tool.by and (link.kind == branch.kind or tool.answer == "rows"):
                continue
            if not self._branches[link.kind]:
                continue
            if tool.answer == "row":
                yield Step(branch, link)
            else:
                yield from (Step(branch, link, pick) for pick in _picks(table))

    def asks(self, branch: Branch) -> tuple[Ask, ...]:
        """The possible questions about a look-up."""
        tool, table = self.description.tools[branch.tool], self.description.table_of(branch.tool)
        known = {column for columns in tool.by for column in columns}
        columns = tuple(column for column in table.asks if column not in known)
        if tool.answer == "row":
            return tuple(_asks_of_row(table, columns))
        return tuple(_asks_of_list(table, columns))


def _picks(table: Table) -> Iterator[Pick]:
    for column in table.amounts:
        yield Pick(column, "highest")
        yield Pick(column, "lowest")
    for column in table.dates:
        yield Pick(column, "earliest")
        yield Pick(column, "latest")


def _asks_of_row(table: Table, columns: tuple[str, ...]) -> Iterator[Ask]:
    yield from (Ask("cells", (column,)) for column in columns)
    yield from (Ask("cells", pair) for pair in pairwise(columns))
    yield from (Ask("difference", pair) for pair in pairwise(table.amounts))
    yield from (Ask("extract", (column,)) for column in table.extracts)


def _asks_of_list(table: Table, columns: tuple[str, ...]) -> Iterator[Ask]:
    yield Ask("count")
    for column in table.amounts:
        yield Ask("sum", (column,))
        yield Ask("mean", (column,))
    plain = [one for one in columns if one not in table.amounts and one not in table.dates]
    yield from (Ask("first_of", (one,), pick) for one in plain for pick in _picks(table))
    yield from (Ask("list", (one,)) for one in plain[:2])


MOST_HOPS = 5

PARALLEL_EVERY = 4
"""One path in so many is parallel, if the layer has any."""

SHARES = {1: 80, 2: 80, 3: 60, 4: 40, 5: 20}
"""Tasks by number of hops in LegalAgentBench (table 2); our layers keep the proportion."""

Edge = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """The last look-up of a path, and the question about it."""

    branch: Branch
    ask: Ask


@dataclass(frozen=True, slots=True)
class SolutionPath:
    """Look-ups in a row, and one or two at the end.

    Its representation is part of the names of tasks, and of the seeds of random choices.
    """

    trunk: tuple[Step, ...]
    leaves: tuple[Leaf, ...]

    @property
    def first(self) -> Branch:
        """The first look-up."""
        return self.trunk[0].branch if self.trunk else self.leaves[0].branch

    @property
    def kind(self) -> str:
        """The kind of entity it starts from."""
        return self.first.kind

    @property
    def hops(self) -> int:
        """Look-ups in a row."""
        return len(self.trunk) + 1

    @property
    def tools(self) -> tuple[str, ...]:
        """The look-ups in order."""
        steps = (step.branch.tool for step in self.trunk)
        return (*steps, *(leaf.branch.tool for leaf in self.leaves))


@dataclass(frozen=True, slots=True)
class Route:
    """A path without its question yet, and entities known to complete it."""

    trunk: tuple[Step, ...]
    branches: tuple[Branch, ...]
    walks: tuple[tuple[Name, ...], ...]
    """Names along the trunk, from the start to the entity of the last look-ups."""

    @property
    def edges(self) -> frozenset[Edge]:
        """Its coverage: tools, its beginning, and passages from one tool to the next."""
        steps = [step.branch for step in self.trunk]
        first = steps[0] if steps else self.branches[0]
        tools = ((one.tool,) for one in (*steps, *self.branches))
        passages = pairwise(one.tool for one in steps)
        last = ((steps[-1].tool, one.tool) for one in self.branches if steps)
        return frozenset([*tools, *passages, *last, ("", first.kind, first.tool)])


@dataclass(slots=True)
class Coverage:
    """The coverage of the chosen paths, and how often each part was chosen."""

    edges: Counter[Edge] = field(default_factory=Counter[Edge])
    asks: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """Forms of questions by tool."""
    leaves: Counter[Leaf] = field(default_factory=Counter[Leaf])

    def best(self, routes: Sequence[Route]) -> Route | None:
        """The route that covers most anew; of equals the one that repeats least, then the first."""

        def gain(route: Route) -> tuple[int, int]:
            times = [self.edges[edge] for edge in route.edges]
            return times.count(0), -sum(times)

        return max(routes, key=gain, default=None)

    def leaf(self, branch: Branch, tree: PlanningTree, passed: Iterable[Ask] = ()) -> Leaf | None:
        """The least frequent question about a look-up, without those tried in vain."""
        tried = set(passed)

        def frequency(leaf: Leaf) -> tuple[int, int]:
            return self.asks[leaf.branch.tool, leaf.ask.form], self.leaves[leaf]

        left = [Leaf(branch, ask) for ask in tree.asks(branch) if ask not in tried]
        return min(left, key=frequency, default=None)

    def add(self, route: Route, leaves: Iterable[Leaf]) -> None:
        """Count a path as chosen."""
        self.edges.update(route.edges)
        for leaf in leaves:
            self.asks[leaf.branch.tool, leaf.ask.form] += 1
            self.leaves[leaf] += 1


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
    """The number of tasks of each layer, in LegalAgentBench's proportion.

    >>> quotas(28, (1, 2, 3, 4, 5))
    {1: 8, 2: 8, 3: 6, 4: 4, 5: 2}
    """
    whole = sum(SHARES[hop] for hop in hops)
    wanted = {hop: count * SHARES[hop] // whole for hop in hops}
    for hop in list(wanted)[: count - sum(wanted.values())]:
        wanted[hop] += 1
    return wanted
