"""The practice exam: dated questions of lawyers and laypeople, answered by quotations.

Each item names the provisions that must be quoted, in a wording in force on a day (*gold*, in
groups: one of each group suffices), those that would be a grave error (*must_not*) and those that
are harmless (*accept*). A provision counts as quoted if it is among the quotations with a wording
in force on the item's day; an undecided quotation counts with all its wordings. The measures are

- ``gold``: share of items with gold of which every group is quoted;
- ``avoid``: share of items of which nothing of ``must_not`` is quoted;
- ``right``: gold and avoid; of an item without gold: nothing quoted but accepted provisions;
- ``precise``: share of the provisions quoted that are gold or accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from inforce.answering.answer import Quotation
from inforce.documents.json_records import json_lines
from inforce.errors import InforceError, InputError, UnknownWorkError
from inforce.law.numerals import ProvisionNumber
from inforce.library import Library


@dataclass(frozen=True)
class Wanted:
    """A provision in the wording of a day."""

    law: str
    article: str
    on: date

    @property
    def number(self) -> ProvisionNumber:
        """The article's number."""
        return ProvisionNumber.parse(self.article)


@dataclass(frozen=True)
class Item:
    """A question of the exam."""

    id: str
    branch: str
    """The branch of law: civil, criminal, labour …"""
    style: str
    """The form of the question: article, term, plain, scenario, english."""
    question: str
    gold: tuple[tuple[Wanted, ...], ...]
    must_not: tuple[Wanted, ...]
    verdict: str
    """``applies``, ``no_rule_then``, ``not_in_force`` or ``cannot_know``."""
    as_of: str | None = None
    trial: str | None = None
    accept: tuple[Wanted, ...] = ()
    needs: str = ""
    """``dates``: the corpus has the text, but its dates have to be worked out."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The marks of an answer."""

    item: Item
    quoted: tuple[str, ...]
    """Law and number of each provision quoted."""
    fine: int
    """The number of them that are gold or accepted."""
    gold: bool | None
    """``None`` for an item without gold."""
    avoid: bool
    right: bool
    error: str = ""
    """Why there is no answer; the item then counts as one with nothing quoted."""


@dataclass(frozen=True, slots=True)
class Score:
    """Shares over items; ``None`` if there is nothing to take a share of."""

    n: int
    right: float | None
    avoid: float | None
    gold: float | None
    precise: float | None


def read_exam(path: Path) -> list[Item]:
    """Read the items of a file of JSON lines.

    Raises:
        InputError: if it cannot be read, or a line is no item; names the line.
    """
    items: list[Item] = []
    for line, item in json_lines(path, Item, what="an item of a practice exam"):
        try:
            for one in (
                *item.must_not,
                *item.accept,
                *(one for group in item.gold for one in group),
            ):
                _ = one.number
        except InforceError as error:
            raise InputError(str(error), path=path, line=line) from error
        items.append(item)
    return items


def examine(
    library: Library, items: Iterable[Item], *, progress: Callable[[], None] = lambda: None
) -> Iterator[Mark]:
    """Ask every item and mark the answer, in order."""
    for item in items:
        yield _mark(library, item)
        progress()


def score(marks: Sequence[Mark]) -> Score:
    """Shares over marks."""
    quoted = sum(len(one.quoted) for one in marks)
    return Score(
        len(marks),
        _share([one.right for one in marks]),
        _share([one.avoid for one in marks]),
        _share([one.gold for one in marks if one.gold is not None]),
        sum(one.fine for one in marks) / quoted if quoted else None,
    )


def scores_by(marks: Sequence[Mark], group: Callable[[Item], str]) -> dict[str, Score]:
    """Scores of groups of items, in order of their names."""
    names = sorted({group(one.item) for one in marks})
    return {name: score([one for one in marks if group(one.item) == name]) for name in names}


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _mark(library: Library, item: Item) -> Mark:
    try:
        quotations = library.ask(item.question, as_of=item.as_of, trial=item.trial).quotations
    except InforceError as error:
        return Mark(item, (), 0, False if item.gold else None, True, False, str(error))

    def is_quoted(one: Wanted) -> bool:
        return any(_quotes(library, quotation, one) for quotation in quotations)

    gold = all(any(map(is_quoted, group)) for group in item.gold)
    avoid = not any(map(is_quoted, item.must_not))
    wanted = (*item.accept, *(one for group in item.gold for one in group))
    fine = sum(any(_quotes(library, one, each) for each in wanted) for one in quotations)
    return Mark(
        item,
        tuple(f"{one.work} {one.number.short}" for one in quotations),
        fine,
        gold if item.gold else None,
        avoid,
        avoid and (gold if item.gold else fine == len(quotations)),
    )


def _quotes(library: Library, quotation: Quotation, wanted: Wanted) -> bool:
    try:
        work = library.corpus.resolve(wanted.law)
    except UnknownWorkError:  # a law this corpus does not hold
        return False
    if (quotation.work, quotation.number) != (work, wanted.number):
        return False
    return any(wanted.on in wording.window for wording in quotation.wordings)
