"""How the elements of an offence changed from one wording to another.

`change_of` compares two texts. What a reader sees and a program does not (改作他用 →
改变被占用土地用途) is in `data/reviewed_changes.txt`, from wordings that were read side by side:
one amendment of an article of 刑法 a line with the first day of the new wording, what its elements
did (``widened``: everything covered before still is; ``same``: editorial only), and where the tiers
cannot be compared one by one the result for every earlier act. An amendment that is not listed is
compared by its text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from typing import Literal, NamedTuple, cast

from inforce.law.data import table
from inforce.law.diff import Piece, diff

Change = Literal["same", "widened", "narrowed", "changed"]
"""Whether more conduct is covered, or less, or the wordings cannot be compared (``changed``)."""

_NUMBERING = re.compile(r"[（(][一二三四五六七八九十]+[）)]")
_ADDS = re.compile("^[、，]?(?:或者|或|和|以及|、)|(?:[、]|或者|或)$|^的，或者|^\n")
_LIMITS = re.compile(
    "情节(?:严重|恶劣|较重)|数额较大|足以|造成[^，。]{2,12}(?:的|，)|并且|致使|经[^，。]{2,20}(?:后|仍)|为目的|明知"
)


def change_of(old: str, new: str) -> Change:
    """Whether a wording covers more than another, less, the same, or cannot be compared.

    Alternatives that were added (、期货交易所) widen it, conditions that were added (情节严重的)
    narrow it; what was taken away does the contrary.
    """
    left, right = (_NUMBERING.sub("", bare(text)) for text in (old, new))
    if left == right:
        return "same"
    changes: set[Change] = set()
    pieces = diff(left, right)
    for at, piece in enumerate(pieces):
        if piece.kind != "equal":
            changes.add(_one_change(piece, pieces[at - 1] if at else None, pieces[at + 1 : at + 2]))
    changes.discard("same")
    return changes.pop() if len(changes) == 1 else "changed" if changes else "same"


def _one_change(piece: Piece, before: Piece | None, after: Sequence[Piece]) -> Change:
    text = piece.text.strip("，。；的、")
    if not text:
        return "same"
    replaced = (before and before.kind == "deleted") or any(
        following.kind == "inserted" for following in after
    )
    if replaced:
        return "changed"
    added: Change = "widened" if piece.kind == "inserted" else "narrowed"
    removed: Change = "narrowed" if piece.kind == "inserted" else "widened"
    listed = before is not None and before.text.endswith(("、", "或者", "和"))
    if _ADDS.search(piece.text) or listed:
        return added
    return removed if _LIMITS.search(text) else "changed"


def bare(text: str) -> str:
    """A wording without spaces and with full-width stops, for comparing."""
    return "".join(text.split()).replace(":", "：").replace(",", "，")


class Reviewed(NamedTuple):
    """What an amendment did to an offence, as a lawyer read it."""

    elements: Change
    result: Literal["heavier", "lighter", "same"] | None
    """The result for every earlier act, where the tiers cannot be compared one by one."""
    unless: str = ""
    """A pattern: of a case that has its words, the amendment is compared by its text alone."""


def reviewed_changes(article: str, days: Iterable[date], *, case: str = "") -> Reviewed | None:
    """What the amendments of an article on these days did together; ``None`` if one is not listed.

    Args:
        article: its number as people type it (``133-1``).
        days: the first days of the new wordings.
        case: the description of the case, for amendments that are listed with an exception.
    """
    found = [_table().get((article, day)) for day in days]
    listed = [
        change
        for change in found
        if change and not (change.unless and re.search(change.unless, case))
    ]
    if not listed or len(listed) < len(found):
        return None
    kinds: set[Change] = {change.elements for change in listed if change.elements != "same"}
    joined: Change = "same"
    for kind in kinds:
        joined = kind if len(kinds) == 1 else "changed"
    results = {change.result for change in listed}
    return Reviewed(joined, listed[0].result if len(results) == 1 else None)


@cache
def _table() -> dict[tuple[str, date], Reviewed]:
    rows: dict[tuple[str, date], Reviewed] = {}
    for line in table("reviewed_changes").splitlines():
        if line.startswith("    "):
            continue
        article, day, elements, result, unless = (
            *(cell.strip() for cell in line.split(" | ", 4)),
            "",
            "",
        )[:5]
        rows[article, date.fromisoformat(day)] = Reviewed(
            cast(Change, elements),
            cast(Literal["heavier", "lighter", "same"], result) if result else None,
            unless.strip("/"),
        )
    return rows
