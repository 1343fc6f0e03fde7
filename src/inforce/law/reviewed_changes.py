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

Change = Literal["same", "widened", "narrowed", "changed"]
"""How the elements of an offence changed: more is covered, or less, or it cannot be told."""

_REVIEWED = """
17 | 2021-03-01 | widened | heavier
    children of 12 and 13 may be prosecuted; nothing changes for others
107 | 2011-05-01 | widened
109 | 2011-05-01 | widened
114 | 2001-12-29 | widened
115 | 2001-12-29 | widened
120-1 | 2015-11-01 | widened
133-1 | 2015-11-01 | widened
134 | 2021-03-01 | widened
135 | 2006-06-29 | widened
141 | 2011-05-01 | widened
    no danger to health needed any more; fines without limit; further circumstances in the tiers
141 | 2021-03-01 | narrowed
    what was only treated as counterfeit (按假药处理) is covered no more
142 | 2021-03-01 | same
143 | 2011-05-01 | widened
145 | 2002-12-28 | widened | heavier
    the harm that was the base of the offence is its second tier now
160 | 2021-03-01 | widened
161 | 2006-06-29 | widened
165 | 2024-03-01 | widened
166 | 2024-03-01 | widened
174 | 1999-12-25 | widened
180 | 1999-12-25 | widened
181 | 1999-12-25 | widened
182 | 1999-12-25 | widened
182 | 2006-06-29 | widened
182 | 2021-03-01 | widened
187 | 2006-06-29 | widened
191 | 2001-12-29 | widened
191 | 2006-06-29 | widened
191 | 2021-03-01 | widened
213 | 2021-03-01 | widened
217 | 2021-03-01 | widened
226 | 2011-05-01 | widened
236 | 2021-03-01 | widened
237 | 2015-11-01 | widened
244 | 2011-05-01 | widened
253-1 | 2015-11-01 | widened
264 | 2011-05-01 | widened
271 | 2021-03-01 | same
277 | 2021-03-01 | same
    assaulting police has a range of its own; nothing changes for others
280 | 2015-11-01 | widened
283 | 2015-11-01 | widened
288 | 2015-11-01 | widened
299 | 2017-11-04 | widened
303 | 2006-06-29 | widened | heavier
    running a casino became an offence of its own, with a second tier
303 | 2021-03-01 | widened
309 | 2015-11-01 | widened
311 | 2015-11-01 | widened
312 | 2006-06-29 | widened
337 | 2009-02-28 | widened
338 | 2011-05-01 | widened
341 | 2021-03-01 | widened
342 | 2001-08-31 | widened
344 | 2002-12-28 | widened
358 | 2011-05-01 | widened
358 | 2015-11-01 | same
375 | 2009-02-28 | widened | heavier
    one paragraph became two; that on plates got a second tier
408-1 | 2021-03-01 | widened
"""


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
    for line in _REVIEWED.strip().splitlines():
        if line.startswith("    "):
            continue
        article, day, elements, *result = (cell.strip() for cell in line.split("|"))
        rows[article, date.fromisoformat(day)] = Reviewed(
            cast(Change, elements),
            cast("Result", result[0]) if result else None,
        )
    return rows
