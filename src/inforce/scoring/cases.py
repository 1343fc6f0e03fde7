"""Criminal cases in the form of CAIL2018: what happened, and what the court decided.

``{"fact": "...", "meta": {"relevant_articles": [264], "accusation": ["盗窃"],
"term_of_imprisonment": {"imprisonment": 6, "death_penalty": false, "life_imprisonment": false}}}``;
one JSON object a line, gzipped or not. The files of CAIL2018 have no ``id``; other collections add
one, and ``split`` or ``splits`` where the case comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from inforce.documents.files import open_file
from inforce.documents.json_records import JsonObject, json_objects
from inforce.errors import InputError
from inforce.retrieval.sources.exclusion import fact_hash

_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Case:
    """A case and its judgment, as far as the file states it."""

    id: str
    fact: str
    articles: tuple[int, ...]
    """Of the Criminal Law, each once, in the order of the file."""
    charges: tuple[str, ...]
    """Names without 罪 and without brackets, each once."""
    months: int | None
    """Of fixed-term imprisonment; ``None`` where the file does not say, 0 for no term."""
    death: bool = False
    life: bool = False
    sources: tuple[str, ...] = ()
    """The collections the case is part of: ``cail2018_data_train``, ``lexeval``."""

    @property
    def fingerprint(self) -> str:
        """What the fact is known by, white space aside."""
        return fact_hash(self.fact)

    @property
    def article(self) -> int:
        """The one that counts where there are several: the highest (PLJP); 0 for none."""
        return max(self.articles, default=0)

    @property
    def charge(self) -> str:
        """The one that counts where there are several: the first (PLJP); empty for none."""
        return next(iter(self.charges), "")

    @property
    def is_life_or_death(self) -> bool:
        """Whether the sentence is no fixed term because it is beyond all of them."""
        return self.death or self.life

    @property
    def is_complete(self) -> bool:
        """Whether article, charge and term are all stated."""
        return bool(self.articles and self.charges and self.months is not None)


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a file, in its order.

    Raises:
        InputError: if the file cannot be read, holds no case, or a line is none; names the line.
    """
    cases = tuple(_cases(path))
    if not cases:
        raise InputError("holds no case", path=path)
    return cases


def _cases(path: Path) -> Iterator[Case]:
    with open_file(path) as stream:
        yield from map(_case, json_objects(stream, path=path))


def _case(record: JsonObject) -> Case:
    fact = record.text("fact").strip()
    if not fact:
        raise record.problem("no case: 'fact' is missing or empty")
    meta = _object(record, "meta")
    if meta is None:
        raise record.problem("no case: 'meta' is missing")
    term = _object(meta, "term_of_imprisonment")
    return Case(
        record.text("id") or f"case-{fact_hash(fact)[:16]}",
        fact,
        _articles(meta),
        tuple(dict.fromkeys(_bare(one) for one in meta.texts("accusation"))),
        _months(term) if term else None,
        _flag(term, "death_penalty") if term else False,
        _flag(term, "life_imprisonment") if term else False,
        tuple(dict.fromkeys((*filter(None, [record.text("split")]), *record.texts("splits")))),
    )


def _articles(meta: JsonObject) -> tuple[int, ...]:
    numbers = [_whole(meta, one) for one in _list(meta, "relevant_articles")]
    return tuple(dict.fromkeys(numbers))


def _months(term: JsonObject) -> int | None:
    """Months; death and life are stored as 0 or below, and are no fixed term."""
    value = term.value("imprisonment")
    return None if value is None else max(_whole(term, value), 0)


def _whole(fields: JsonObject, value: object) -> int:
    match value:
        case bool():
            pass
        case int():
            return value
        case float() if value.is_integer():
            return int(value)
        case str() if value.isdecimal() and len(value) <= _MOST_DIGITS:
            return int(value)
        case _:
            pass
    raise fields.problem(f"{value!r} is no whole number")


def _flag(fields: JsonObject, name: str) -> bool:
    value = fields.value(name)
    if value is not None and not isinstance(value, bool):
        raise fields.problem(f"{name!r} must be true or false")
    return value is True


def _object(fields: JsonObject, name: str) -> JsonObject | None:
    value = fields.value(name)
    if value is None:
        return None
    if not isinstance(value, dict):
        raise fields.problem(f"{name!r} must be an object")
    return JsonObject(cast("dict[str, object]", value), fields.path, fields.line)


def _list(fields: JsonObject, name: str) -> Sequence[object]:
    value = fields.value(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise fields.problem(f"{name!r} must be a list")
    return cast("list[object]", value)


def _bare(charge: str) -> str:
    """CAIL2018 brackets names in some files: ``[盗窃]``, ``[走私、贩卖]毒品``."""
    return charge.replace("[", "").replace("]", "")
