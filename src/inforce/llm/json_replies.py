"""Values in what a model wrote: JSON that every file, database and hash can hold.

Models write numbers that are none, halves of characters, and notations that know more than JSON.
Such a value must not break a trace, and must not be dropped either: it becomes its nearest text,
which a tool then refuses by its own rules.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterator
from typing import Any, TypeVar, cast

import msgspec

T = TypeVar("T")

MOST_NESTED = 40
"""Levels of lists and objects; what is deeper is marked as left out."""

_MOST_BRACES = 200
"""Places in a reply where an object may begin; what has none by then has none."""

_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_LEFT_OUT = "…"
_WIDEST = 2**63
"""Integers from here on are stored as text: files and databases hold 64 bits."""

_DECODER = json.JSONDecoder()


def valid_text(text: str) -> str:
    """A text that can be encoded: halves of characters become question marks.

    >>> valid_text("缓刑" + chr(0xD800))
    '缓刑?'
    """
    return text.encode("utf-8", "replace").decode()


def letters_and_digits(text: str) -> str:
    """The letters and digits of a text, which are the same however it is set, quoted and escaped.

    >>> letters_and_digits('{"Action": “甲”}')
    'action甲'
    """
    plain = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", plain).casefold()))


def json_value(value: Any, *, depth: int = MOST_NESTED) -> Any:
    """The nearest value that JSON can hold; one that it can hold stays as it is.

    >>> json_value({"word": (1, "甲"), 3: float("inf")})
    {'word': [1, '甲'], '3': 'inf'}
    """
    match value:
        case str():
            return valid_text(value)
        case None | bool():
            return value
        case int():
            return value if -_WIDEST <= value < _WIDEST else _digits(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case dict() | list() | tuple() | set() | frozenset() if depth == 0:
            return _LEFT_OUT
        case dict():
            items = cast("dict[Any, Any]", value).items()
            return {_name(key): json_value(one, depth=depth - 1) for key, one in items}
        case set() | frozenset():
            return json_value(sorted(cast("set[Any]", value), key=str), depth=depth)
        case list() | tuple():
            return [json_value(one, depth=depth - 1) for one in cast("list[Any]", value)]
        case _:
            return valid_text(str(value))


def _name(key: Any) -> str:
    """The name of a field; a key that is no text is written as JSON would."""
    return valid_text(key) if isinstance(key, str) else str(json_value(key, depth=1))


def _digits(number: int) -> str:
    """An integer as text; one with more digits than can be written, by its size."""
    try:
        return str(number)
    except ValueError:
        return f"an integer of {number.bit_length()} bits"


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a text, in order; objects inside an object are not given on their own.

    >>> list(json_objects('Here {it} is: {"a": {"b": 1}} and {"c": 2}.'))
    [{'a': {'b': 1}}, {'c': 2}]
    """
    start = text.find("{")
    for _ in range(_MOST_BRACES):
        if start < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def read_as(shape: type[T], text: str) -> T:
    """The first JSON object of a text that has the shape.

    Raises:
        ValueError: if there is none; says what is wrong with the last one seen.
    """
    problem: Exception = ValueError("there is no JSON object in it")
    for value in json_objects(text):
        try:
            return msgspec.convert(json_value(value), shape, strict=False)
        except msgspec.ValidationError as error:
            problem = error
    raise ValueError(str(problem))
