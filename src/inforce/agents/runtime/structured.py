"""Asking a model for a value of a known shape, and believing it only if it has that shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from inforce.agents.runtime.json_values import json_value
from inforce.agents.runtime.run import Run
from inforce.llm.chat import GREEDY, Message

T = TypeVar("T")

_MOST_BRACES = 200
"""Places in a reply where an object may begin; what has none by then has none."""

_AGAIN = (
    "Your reply could not be used: {problem}. Reply again with one JSON object of the form asked "
    "for, and nothing else."
)
_DECODER = json.JSONDecoder()


async def ask_for(
    run: Run, shape: type[T], messages: Sequence[Message], *, role: str, attempts: int = 2
) -> T | None:
    """A value of ``shape`` from the model's JSON, or ``None`` if it never gives one.

    Text around the JSON is ignored. What is wrong with a reply is said to the model once, and noted
    in the trace; the caller decides what stands in for an answer that never came.
    """
    turns = list(messages)
    for _ in range(attempts):
        reply = await run.reply(turns, GREEDY, role=role)
        try:
            return read_as(shape, reply.text)
        except ValueError as error:
            run.note("invalid_reply", f"{role}: {error}")
            turns += [
                Message("assistant", reply.text),
                Message("user", _AGAIN.format(problem=error)),
            ]
    return None


def read_as(shape: type[T], text: str) -> T:
    """The first JSON object of a text that has the shape.

    Raises:
        ValueError: if there is none; says what is wrong with the last one seen.
    """
    problem: Exception = ValueError("there is no JSON object in it")
    for value in _objects(text):
        try:
            return msgspec.convert(json_value(value), shape, strict=False)
        except msgspec.ValidationError as error:
            problem = error
    raise ValueError(str(problem))


def _objects(text: str) -> Iterator[Any]:
    """JSON objects that start anywhere in a text, outermost first."""
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
