"""Searches recorded earlier, replayed: the same pages on every run, without network, key or bill.

A recording is JSON lines: ``query``, ``fetched_at`` (ISO, with its offset) and ``results`` (each
``title``, ``url``, ``snippet`` and, where known, ``date``); other fields are ignored. A query that
was not recorded is not covered: nothing is known about what the web would have said.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from inforce.dates import DateRange
from inforce.documents.json_records import json_lines
from inforce.errors import InputError
from inforce.web.search.normalising import Found, as_page
from inforce.web.search.provider import DEFAULT_K, SearchFailure, SearchPage

LAW_PREFIX: Final = "US law: "
BAR_PREFIX: Final = "US law bar exam: "
CUT: Final = 200
"""L-MARS searched with "US law: <question>" and "US law bar exam: <question>", long questions cut
after so many characters."""

_SHOWN: Final = 80


class _Line(msgspec.Struct):
    query: str
    fetched_at: datetime
    results: list[Found]


class Recorded:
    """The searches of a file.

    A query is looked for as it is, then without regard to case, width and spacing, then in the
    forms L-MARS gave it.

    Raises:
        InputError: if the file is no recording (names the line).
    """

    name = "recorded"

    def __init__(self, path: Path) -> None:
        self.spec = f"recorded:{path}"
        self._exact: dict[str, _Line] = {}
        self._loose: dict[str, _Line] = {}
        for number, line in json_lines(path, _Line, what="a recorded search"):
            if line.fetched_at.tzinfo is None:
                raise InputError("fetched_at has no offset from UTC", path=path, line=number)
            self._exact.setdefault(line.query, line)
            self._loose.setdefault(loose_form(line.query), line)

    def __len__(self) -> int:
        """How many queries were recorded."""
        return len(self._exact)

    @property
    def queries(self) -> tuple[str, ...]:
        """The recorded queries, in the order of the file."""
        return tuple(self._exact)

    async def search(
        self, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
    ) -> SearchPage:
        """See `inforce.web.search.provider.SearchProvider.search`.

        A page holds no more than was recorded.
        """
        lines = (self._loose.get(loose_form(form)) for form in _forms(query))
        line = self._exact.get(query) or next(filter(None, lines), None)
        if line is None:
            shown = query if len(query) <= _SHOWN else f"{query[:_SHOWN]}…"
            raise SearchFailure("not_recorded", f"the recording does not hold the query {shown!r}")
        at = line.fetched_at.astimezone(UTC)
        return as_page(
            line.results,
            provider=self.name,
            query=query,
            k=k,
            during=during,
            fetched_at=at,
        )


def _forms(query: str) -> Iterator[str]:
    """Forms in which the query may have been recorded, the likeliest first."""
    yield query
    question = query.strip()
    for prefix in (BAR_PREFIX, LAW_PREFIX):
        if question.casefold().startswith(prefix.casefold()):
            question = question[len(prefix) :].strip()
    for prefix in (LAW_PREFIX, BAR_PREFIX):
        yield prefix + question
        yield prefix + question[:CUT]


def loose_form(query: str) -> str:
    """The query without what people type differently: case, width, spacing, a last mark.

    >>> loose_form("Ｕ.S.  law: Is it?") == loose_form("u.s. law: is it")
    True
    """
    plain = unicodedata.normalize("NFKC", query).casefold()
    return " ".join(plain.split()).rstrip(" ?？!.。")
