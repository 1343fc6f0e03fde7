"""What a model wrote, as values that every file, database and hash can hold.

Models write numbers that are none, halves of characters, and notations that know more than JSON.
Such a value must not break a trace, and must not be dropped either: it becomes its nearest text,
which the tool then refuses by its own rules.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Any, cast

MOST_NESTED = 40
"""Levels of lists and objects that are kept; what is deeper is named as left out."""

_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_LEFT_OUT = "…"
_WIDEST = 2**63
"""Integers from here on are stored as text: files and databases hold 64 bits."""


def valid_text(text: str) -> str:
    """A text that can be written: halves of characters become question marks.

    >>> valid_text("缓刑" + chr(0xD800))
    '缓刑?'
    """
    return text.encode("utf-8", "replace").decode()


def bare(text: str) -> str:
    """Letters and digits of a text: what is left of it however it is set, quoted and escaped.

    >>> bare('{"Action": “甲”}')
    'action甲'
    """
    plain = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", plain).casefold()))


def json_value(value: Any, *, depth: int = MOST_NESTED) -> Any:
    """The nearest value JSON can hold; one that JSON can hold already stays as it is.

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
