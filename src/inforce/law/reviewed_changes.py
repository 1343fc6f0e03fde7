"""What amendments of 刑法 did to the elements of offences, as a lawyer reads them.

Whether a wording covers more conduct than before is often plain to a reader and not to a program
(改作他用 → 改变被占用土地用途). One amendment of an article a line: the article, the first day of
the new wording, what its elements did (``widened``: everything covered before still is; ``same``:
editorial only), and where the tiers cannot be compared one by one the result for every act of
before. An amendment that is not listed is compared by its text alone.

Source: the wordings before and after, read side by side.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cache
from typing import Literal, NamedTuple, cast

from inforce.law.data import table

Change = Literal["same", "widened", "narrowed", "changed"]
"""How the elements of an offence changed: more is covered, or less, or it cannot be told."""


Result = Literal["heavier", "lighter", "same"]


class Reviewed(NamedTuple):
    """What an amendment did to an offence."""

    elements: Change
    result: Result | None
    """The result for every act of before, where the tiers cannot be compared one by one."""


def reviewed_changes(article: str, days: Iterable[date]) -> Reviewed | None:
    """What the amendments of an article on these days did together; ``None`` if one is not listed.

    Args:
        article: its number as people type it (``133-1``).
        days: the first days of the new wordings.
    """
    found = [_table().get((article, day)) for day in days]
    listed = [one for one in found if one is not None]
    if not listed or len(listed) < len(found):
        return None
    kinds: set[Change] = {one.elements for one in listed if one.elements != "same"}
    joined: Change = "same"
    for kind in kinds:
        joined = kind if len(kinds) == 1 else "changed"
    results = {one.result for one in listed}
    return Reviewed(joined, listed[0].result if len(results) == 1 else None)


@cache
def _table() -> dict[tuple[str, date], Reviewed]:
    rows: dict[tuple[str, date], Reviewed] = {}
    for line in table("reviewed_changes").splitlines():
        if line.startswith("    "):
            continue
        article, day, elements, *result = (cell.strip() for cell in line.split("|"))
        rows[article, date.fromisoformat(day)] = Reviewed(
            cast(Change, elements),
            cast("Result", result[0]) if result else None,
        )
    return rows
