"""A unit that an instrument announces, until all was said of it: place, number and wording.

An instrument gives them in one clause or in three; `Pending` collects them until the next clause
refers to something else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inforce.corpus.compile import editing
from inforce.corpus.compile.clauses import Clause, Level, Place, Reference, Step, Target
from inforce.corpus.compile.locating import Context, Located, Refusal
from inforce.corpus.compile.quotations import Quotation

_LEVELS: dict[str, Level] = {
    "条": "article",
    "款": "paragraph",
    "自然段": "paragraph",
    "段": "paragraph",
    "项": "item",
    "目": "subitem",
    "章": "heading",
    "节": "heading",
    "编": "heading",
    "句": "sentence",
}


@dataclass(slots=True)
class Pending:
    """A unit that was announced."""

    level: Level
    unit: str
    count: int
    text: str
    anchor: Located | None = None
    """Beside or within what it is inserted."""
    place: Place = ""
    words: Quotation | None = None
    numbers: tuple[Reference, ...] = ()
    content: Quotation | None = None
    is_placed: bool = False
    """Whether the clause itself names the part it is added to."""

    @classmethod
    def of(
        cls,
        clause: Clause,
        context: Context,
        find: Callable[[Sequence[Target]], list[Located]],
        quotation: Callable[[Sequence[int]], Quotation],
    ) -> Pending:
        """What a clause announces, and where.

        Raises:
            Refusal: if the place cannot be found, or nothing like it can be inserted.
        """
        level, unit, count = _unit(clause)
        anchor, words = None, None
        place: Place = ""
        if clause.targets:
            target = clause.targets[-1]
            place = target.place
            if target.references:
                found = find([target])
                anchor = found[-1] if found[-1].level != "law" else None
                if place == "between":
                    anchor, place = found[0], "after"
            words = quotation(target.words[0]) if target.words else None
            if words is not None and place == "" and anchor is not None and level != "sentence":
                _require_own_words(anchor, words)
                words = None
        is_placed = anchor is not None
        elsewhere = level == "paragraph" and context.article is None
        if anchor is None and level not in ("article", "heading") and not elsewhere:
            anchor = _anchor_of(context, level)
        return cls(level, unit, count, clause.text, anchor, place, words, is_placed=is_placed)

    @property
    def is_complete(self) -> bool:
        """Whether number and wording were given."""
        return bool(self.numbers) and (self.content is not None)


def _unit(clause: Clause) -> tuple[Level, str, int]:
    if clause.unit:
        if clause.unit not in _LEVELS:
            raise Refusal(f"no {clause.unit} can be added here")
        return _LEVELS[clause.unit], clause.unit, clause.count
    step = clause.numbers[-1].steps[-1]
    unit = {"article": "条", "paragraph": "款", "item": "项", "subitem": "目"}.get(
        step.level, step.name
    )
    return step.level, unit, len(clause.numbers)


def _require_own_words(anchor: Located, words: Quotation) -> None:
    """The words after a part's number must be its own: 第三章“国家机构”中."""
    if anchor.article is None:
        heading = anchor.heading
        if heading is not None and words.text not in heading.printed:
            raise Refusal(f"the heading is “{heading.printed}”", elsewhere=True)
        return
    editing.check_lead(anchor, words)


def _anchor_of(context: Context, level: Level) -> Located | None:
    """Where a paragraph or an item belongs when it is not said."""
    article = context.article
    if article is None:
        raise Refusal("it is not said which article it is added to")
    if level == "paragraph":
        return Located("article", article, article.body)
    node = context.node
    if level == "item" and node is not None and node.level == "item":
        return Located("paragraph", article, node.parent, article.body)
    if node is not None and node.node is not None and not node.node.deleted:
        return node
    return Located("article", article, article.body)


def expanded(reference: Reference) -> list[Step]:
    """The last steps of a reference to new numbers; a range is counted out.

    第一百二十条之二至第一百二十条之四 is counted by its 之 numbers.
    """
    first, last = reference.steps[-1], reference.until
    if last is None:
        return [first]
    if first.branch or last.branch:
        if first.number != last.number:
            raise Refusal(f"it is not certain which numbers {reference} are")
        return [
            Step(first.level, first.number, branch)
            for branch in range(first.branch, last.branch + 1)
        ]
    return [
        Step(first.level, number, name=first.name)
        for number in range(first.number, last.number + 1)
    ]
