"""JSON objects in what a model wrote, whatever is around them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_MOST_BRACES = 200
"""Places in a reply where an object may begin; what has none by then has none."""

_DECODER = json.JSONDecoder()


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
