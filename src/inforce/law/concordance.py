"""A whole law on two days as a table: which article of the one is which article of the other.

No instrument is needed: articles are linked by their wording (`inforce.law.lineage`), and every
article of both texts has its row. Nothing is asserted without a score.

>>> number = ProvisionNumber.article
>>> text = "对一切案件的判处都要重证据，重调查研究，不轻信口供。"
>>> [row] = concordance([Provision(number(46), text)], [Provision(number(53), text)]).rows
>>> row.kind, row.old.number.short, row.new.number.short, row.score
('moved', '46', '53', 1.0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from inforce.law.alignment import Link, align
from inforce.law.diff import Piece, diff
from inforce.law.model import Provision, same_wording
from inforce.law.numerals import ProvisionNumber

RowKind = Literal[
    "same",
    "moved",
    "changed",
    "moved and changed",
    "merged",
    "split",
    "new",
    "gone",
    "not covered",
]
"""``moved``: another number, the same wording. ``merged``: became part of an article that goes on
from another. ``split``: was part of an article that goes on elsewhere. ``not covered``: the text of
the other day is not known, so that it may be new, gone or the same."""

KINDS: tuple[RowKind, ...] = get_args(RowKind)


@dataclass(frozen=True, slots=True)
class Row:
    """One article of the earlier text, of the later one, or of both."""

    old: Provision | None
    new: Provision | None
    kind: RowKind
    score: float
    """0 to 1: how much of the wording they have in common; 0 for a new or a gone article."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What changed, word by word; empty for a new or a gone article."""
        if self.old is None or self.new is None:
            return ()
        return tuple(diff(self.old.text, self.new.text))


@dataclass(frozen=True)
class Concordance:
    """Every article of two texts of one law, in the order of the later one."""

    rows: tuple[Row, ...]

    @cached_property
    def counts(self) -> Mapping[RowKind, int]:
        """How many rows there are of each kind."""
        counted = Counter(row.kind for row in self.rows)
        return {kind: counted[kind] for kind in KINDS if counted[kind]}

    @property
    def changes(self) -> tuple[Row, ...]:
        """The rows that are not the same."""
        return tuple(row for row in self.rows if row.kind != "same")


def concordance(
    old: Sequence[Provision],
    new: Sequence[Provision],
    *,
    not_covered: Collection[ProvisionNumber] = (),
) -> Concordance:
    """Compare a law on one day with the same law on a later day.

    Args:
        old: the articles in force on the earlier day, in the order of the law.
        new: those in force on the later day.
        not_covered: articles whose text on one of the two days is not known.
    """
    links = align(old, new)
    earlier = {provision.number: provision for provision in old}
    later = {provision.number: provision for provision in new}
    rows = [_row(link, earlier, later) for link in links]
    linked_old = {link.old for link in links}
    linked_new = {link.new for link in links}
    for number in (earlier.keys() - linked_old) & (later.keys() - linked_new):
        if same_wording(earlier[number].text, later[number].text):  # too short to be likened
            rows.append(Row(earlier[number], later[number], "same", 1.0))
            linked_old.add(number)
            linked_new.add(number)
    for provision in old:
        if provision.number not in linked_old:
            kind: RowKind = "not covered" if provision.number in not_covered else "gone"
            rows.append(Row(provision, None, kind, 0.0))
    for provision in new:
        if provision.number not in linked_new:
            kind = "not covered" if provision.number in not_covered else "new"
            rows.append(Row(None, provision, kind, 0.0))
    return Concordance(tuple(_in_order(rows)))


def _row(
    link: Link,
    earlier: Mapping[ProvisionNumber, Provision],
    later: Mapping[ProvisionNumber, Provision],
) -> Row:
    old, new = earlier[link.old], later[link.new]
    if link.kind in ("split", "merged"):
        kind: RowKind = "split" if link.kind == "split" else "merged"
    elif same_wording(old.text, new.text):
        kind = "same" if old.number == new.number else "moved"
    else:
        kind = "changed" if old.number == new.number else "moved and changed"
    return Row(old, new, kind, link.score)


def _in_order(rows: Sequence[Row]) -> list[Row]:
    """Rows in the order of the later text; an article that is gone follows its former neighbour."""
    numbers = sorted((row.old.number, row.new.number) for row in rows if row.old and row.new)

    def place(row: Row) -> tuple[int, int, int]:
        if row.new is not None:
            return row.new.number.sort_key, 0, row.old.number.sort_key if row.old else -1
        assert row.old is not None
        before = [new for old, new in numbers if old < row.old.number]
        return before[-1].sort_key if before else -1, 1, row.old.number.sort_key

    return sorted(rows, key=place)
