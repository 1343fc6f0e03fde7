"""Which rows of an index were in force during given days, as numpy masks.

Days are proleptic ordinals (`date.toordinal`): a row is valid on ``start <= day < end``. A row
whose dates are not known has an empty interval, so no dated question can reach it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from inforce.dates import DateRange

Mask = NDArray[np.bool_]
Windows = NDArray[np.int32]
"""Shape ``(rows, 2)``: first day valid, first day no longer valid."""

FOREVER = date.max.toordinal() + 1
_NEVER = (FOREVER, 0)


def windows(ranges: Sequence[DateRange | None]) -> Windows:
    """Encode the ranges of documents; ``None`` is never valid on a date."""
    pairs = [_pair(valid) if valid else _NEVER for valid in ranges]
    return np.asarray(pairs, dtype=np.int32).reshape(-1, 2)


def mask(rows: Windows, during: Sequence[DateRange]) -> Mask:
    """Rows whose interval overlaps any of the ranges."""
    allowed = np.zeros(len(rows), dtype=np.bool_)
    for wanted in during:
        start, end = _pair(wanted)
        allowed |= (rows[:, 0] < end) & (rows[:, 1] > start)
    return allowed


def _pair(valid: DateRange) -> tuple[int, int]:
    return valid.start.toordinal(), valid.end.toordinal() if valid.end else FOREVER
