"""Criminal cases in the form of CAIL2018: the facts, and the judgment of the court.

``{"fact": "...", "meta": {"relevant_articles": [264], "accusation": ["盗窃"],
"term_of_imprisonment": {"imprisonment": 6, "death_penalty": false, "life_imprisonment": false}}}``;
one JSON object a line, gzipped or not. The files of CAIL2018 have no ``id``; other collections add
one, and name the source of a case in ``split`` or ``splits``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import msgspec

from inforce.documents.json_records import json_lines
from inforce.errors import InputError
from inforce.retrieval.sources.exclusion import fact_hash

MOST_BYTES = 2**36
"""Of a file: all of CAIL2018 has three gigabytes."""

_MOST_DIGITS = 9

_Number = int | float | str
"""A whole number; some files write it as a float or a text."""


class _Term(msgspec.Struct, frozen=True):
    imprisonment: _Number | None = None
    """Months; death and life are stored as 0 or below."""
    death_penalty: bool | None = None
    life_imprisonment: bool | None = None


class _Meta(msgspec.Struct, frozen=True):
    relevant_articles: list[_Number] | None = None
    accusation: list[str] | None = None
    term_of_imprisonment: _Term | None = None


class _Line(msgspec.Struct, frozen=True):
    """A case in the file."""

    fact: str
    meta: _Meta
    id: str | None = None
    split: str | None = None
    splits: list[str] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A case with the parts of its judgment that the file states."""

    id: str
    fact: str
    articles: tuple[int, ...]
    """Of the Criminal Law, each once, in the order of the file."""
    charges: tuple[str, ...]
    """Names without 罪 and without brackets, each once."""
    months: int | None
    """Of fixed-term imprisonment; ``None`` if the file does not state it, 0 for no term."""
    death: bool = False
    life: bool = False
    sources: tuple[str, ...] = ()
    """The collections the case is part of: ``cail2018_data_train``, ``lexeval``."""

    @property
    def fingerprint(self) -> str:
        """A hash of the fact without its white space."""
        return fact_hash(self.fact)

    @property
    def article(self) -> int:
        """The article that counts if there are several: the highest (PLJP); 0 for none."""
        return max(self.articles, default=0)

    @property
    def charge(self) -> str:
        """The charge that counts if there are several: the first (PLJP); empty for none."""
        return next(iter(self.charges), "")

    @property
    def is_life_or_death(self) -> bool:
        """True if the sentence is beyond all fixed terms."""
        return self.death or self.life

    @property
    def is_complete(self) -> bool:
        """True if article, charge and term are all stated."""
        return bool(self.articles and self.charges and self.months is not None)


def read_cases(path: Path) -> tuple[Case, ...]:
    """Read the cases of a file, in its order.

    Raises:
        InputError: if the file cannot be read, holds no case, or a line is none; names the line.
    """
    cases: list[Case] = []
    for number, line in json_lines(path, _Line, what="a criminal case", limit=MOST_BYTES):
        try:
            cases.append(_case(line))
        except ValueError as error:
            reason = f"not a criminal case: {error}"
            raise InputError(reason, path=path, line=number) from error
    if not cases:
        raise InputError("holds no case", path=path)
    return tuple(cases)


def _case(line: _Line) -> Case:
    fact, meta = line.fact.strip(), line.meta
    if not fact:
        raise ValueError("'fact' is empty")
    term = meta.term_of_imprisonment or _Term()
    months = term.imprisonment
    sources = (*filter(None, [line.split]), *(line.splits or ()))
    return Case(
        line.id or f"case-{fact_hash(fact)[:16]}",
        fact,
        tuple(dict.fromkeys(map(_whole, meta.relevant_articles or ()))),
        # CAIL2018 brackets names in some files: [盗窃], [走私、贩卖]毒品
        tuple(dict.fromkeys(re.sub(r"[\[\]]", "", one) for one in meta.accusation or ())),
        None if months is None else max(_whole(months), 0),
        term.death_penalty is True,
        term.life_imprisonment is True,
        tuple(dict.fromkeys(sources)),
    )


def _whole(value: _Number) -> int:
    if isinstance(value, str) and value.isdecimal() and len(value) <= _MOST_DIGITS:
        return int(value)
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    raise ValueError(f"{value!r} is no whole number")
