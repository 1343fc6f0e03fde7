"""The planning tree: what can be looked up of an entity, and what can be looked up after that.

The root is an entity of some kind. Its branches are the look-ups that take such an entity; a
branch's children are the entities its rows name (further look-ups grow from these) and, as leaves,
what may be asked for (LegalAgentBench, section 3.3.2). Of a list one row goes on, the one that is
first by an amount or a date.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from inforce.evals.construction.description import Description, Link, LookUpTool, Table

End = Literal["highest", "lowest", "earliest", "latest"]

AskForm = Literal["cells", "extract", "difference", "count", "sum", "mean", "first_of", "list"]
"""``cells``: of a row. ``extract``: what a text names. ``difference``: of two amounts of a row.
The others are of a list: how many rows, an amount's sum or mean, a cell of the row that is first by
an amount or date, one cell of every row."""

_ENDS: dict[Literal["amount", "date"], tuple[End, ...]] = {
    "amount": ("highest", "lowest"),
    "date": ("earliest", "latest"),
}


@dataclass(frozen=True, slots=True)
class Branch:
    """A look-up applied to an entity of a kind."""

    tool: str
    kind: str


@dataclass(frozen=True, slots=True)
class Pick:
    """Which row of a list goes on."""

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
    """What a question wants of a look-up."""

    form: AskForm
    columns: tuple[str, ...] = ()
    pick: Pick | None = None


class PlanningTree:
    """The tree of a description; grown where it is asked."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self._branches: dict[str, tuple[Branch, ...]] = {
            kind: tuple(self._taking(kind)) for kind in description.kinds
        }

    @property
    def roots(self) -> tuple[str, ...]:
        """Kinds of entities a task may start from."""
        return tuple(kind for kind, branches in self._branches.items() if branches)

    def branches(self, kind: str) -> tuple[Branch, ...]:
        """The look-ups that take an entity of a kind."""
        return self._branches[kind]

    def all_branches(self) -> Iterator[Branch]:
        """Every look-up with every kind of entity it takes."""
        for kind in self.roots:
            yield from self._branches[kind]

    def steps(self, branch: Branch) -> Iterator[Step]:
        """The entities a look-up leads to, but those it was looked up by."""
        tool, table = self._read_by(branch)
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
        """What may be asked for at a look-up."""
        tool, table = self._read_by(branch)
        known = {column for columns in tool.by for column in columns}
        wanted = tuple(column for column in table.asks if column not in known)
        return tuple(_of_row(table, wanted) if tool.answer == "row" else _of_list(table, wanted))

    def _read_by(self, branch: Branch) -> tuple[LookUpTool, Table]:
        return self.description.tools[branch.tool], self.description.table_of(branch.tool)

    def _taking(self, kind: str) -> Iterator[Branch]:
        for tool in self.description.tools.values():
            if kind in tool.kinds(self.description.tables[tool.table]):
                yield Branch(tool.name, kind)


def _picks(table: Table) -> Iterator[Pick]:
    for column in table.amounts:
        yield from (Pick(column, end) for end in _ENDS["amount"])
    for column in table.dates:
        yield from (Pick(column, end) for end in _ENDS["date"])


def _of_row(table: Table, wanted: tuple[str, ...]) -> Iterator[Ask]:
    yield from (Ask("cells", (column,)) for column in wanted)
    yield from (Ask("cells", pair) for pair in pairwise(wanted))
    yield from (Ask("difference", pair) for pair in pairwise(table.amounts))
    yield from (Ask("extract", (extract.column,)) for extract in table.extracts)


def _of_list(table: Table, wanted: tuple[str, ...]) -> Iterator[Ask]:
    yield Ask("count")
    for column in table.amounts:
        yield Ask("sum", (column,))
        yield Ask("mean", (column,))
    plain = [one for one in wanted if one not in table.amounts and one not in table.dates]
    yield from (Ask("first_of", (one,), pick) for one in plain for pick in _picks(table))
    yield from (Ask("list", (one,)) for one in plain[:2])
