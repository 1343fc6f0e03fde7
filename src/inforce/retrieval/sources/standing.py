"""What a register or a file says of a guideline's standing, and the days in force that follow.

Nothing is taken to be in force without evidence: an open end needs a register that says the text is
in force, and a text that was repealed on a day nobody wrote down has no known days. What was said
stays in the details, so that a reader sees it.
"""

from __future__ import annotations

from datetime import date

from inforce.dates import DateRange
from inforce.documents.json_records import JsonObject
from inforce.errors import DateError

IN_FORCE = frozenset({"现行有效", "有效", "in force"})
"""What registers write for a text in force when they were asked. 试行 (on trial) is not among them:
it tells how a text was issued, not whether it still holds."""


def days_in_force(record: JsonObject) -> DateRange | None:
    """The days from ``valid_from`` (``implement_date``) to ``valid_to``, the last one in force.

    ``None`` unless both ends are known: the first day, and either the last one or the word of a
    register (``status``) that there is none yet.

    Raises:
        InputError: if a date cannot be read, or the text ended before it began.
    """
    first, last = record.day("valid_from", "implement_date"), record.day("valid_to")
    if first is None:
        return None
    if last is None:
        return DateRange(first, None) if is_in_force(record) else None
    return _range(record, first, last)


def is_in_force(record: JsonObject) -> bool:
    """Whether a register says so."""
    return record.text("status").strip() in IN_FORCE


def _range(record: JsonObject, first: date, last: date) -> DateRange:
    try:
        return DateRange.inclusive(first, last)
    except DateError as error:
        raise record.problem(f"valid_from and valid_to: {error}") from error
