"""Days as numbers, and which documents answer for given days.

Days are proleptic ordinals (`date.toordinal`, 1 for the first day there is): a document answers for
``first <= day < end``. One whose days are not known has all days and a first day of 0, which no
calendar has: the same comparison finds it, or with a lower bound of 1 leaves it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from inforce.dates import DateRange
from inforce.store.protocol import Undated

FOREVER = date.max.toordinal() + 1
UNDATED = (0, FOREVER)

Mask = NDArray[np.bool_]
Days = NDArray[np.int32]


def ordinals(days: DateRange | None) -> tuple[int, int]:
    """The first day and the first day no longer; `UNDATED` for days not known."""
    if days is None:
        return UNDATED
    return days.start.toordinal(), days.end.toordinal() if days.end else FOREVER


def overlapping(
    first: Days, end: Days, during: Sequence[DateRange], *, undated: Undated = "excluded"
) -> Mask:
    """Return which documents answer for a day of any range; all of them if there is no range."""
    if not during:
        return np.ones(len(first), dtype=np.bool_)
    found = np.zeros(len(first), dtype=np.bool_)
    for wanted_first, wanted_end in map(ordinals, during):
        found |= (first < wanted_end) & (end > wanted_first)
    return found if undated == "included" else found & (first > 0)
