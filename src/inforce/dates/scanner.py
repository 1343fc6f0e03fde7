"""Where dates are written in a text: one pass, no repetition inside a repetition, so linear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from inforce.dates import chinese, english
from inforce.dates.written import WrittenDate

_FORMS = {form.name: form for form in (*chinese.FORMS, *english.FORMS)}


@cache
def _any() -> re.Pattern[str]:
    """All forms in one pattern: compiled by whoever reads a text, as it takes a while."""
    forms = (f"(?P<{form.name}>{form.pattern})" for form in _FORMS.values())
    return re.compile("|".join(forms), re.X)


def written_dates(plain: str) -> Iterator[WrittenDate]:
    """Every date expression in a text made plain (see `as_plain`), in order, none overlapping."""
    for match in _any().finditer(plain):
        written = _read(match)
        if written is not None:
            yield written


def read_whole(plain: str) -> WrittenDate | None:
    """The date expression that is the whole of a text, or ``None``."""
    match = _any().fullmatch(plain)
    written = _read(match) if match else None
    return written if written and (written.start, written.end) == (0, len(plain)) else None


def _read(match: re.Match[str]) -> WrittenDate | None:
    # The outermost group closes last, so its name is that of the form.
    form = match.lastgroup
    assert form is not None
    return _FORMS[form].read(match)
