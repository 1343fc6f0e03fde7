"""A row of verl's data as a question, in our own form or that of LegalSearch-R1's release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from inforce.errors import UserError
from inforce.train.episodes import Question


def question_of(row: Mapping[str, Any]) -> Question:
    """The question of a row, as an agent loop is given it.

    What is asked is the last word of the user in the row's prompt: its instructions, if it has
    any, are for other loops; our agents bring their own.

    Raises:
        UserError: if nobody asks anything in it.
    """
    extra = _plain(row.get("extra_info") or {})
    turns = cast("Sequence[Mapping[str, Any]]", _plain(row.get("raw_prompt")) or ())
    asked = [str(turn["content"]) for turn in turns if turn.get("role") == "user"]
    if not asked:
        raise UserError("a row without a question: its prompt needs a turn of the user")
    truth = _plain(row.get("reward_model") or {})
    return question_from(
        extra, asked[-1], truth.get("ground_truth", ""), source=str(row.get("data_source", ""))
    )


def question_from(extra: Mapping[str, Any], asked: str, target: object, *, source: str) -> Question:
    """The question of a row in its parts, as a reward function is given it.

    Args:
        extra: the row's ``extra_info``.
        asked: what the agent was asked.
        target: the right answer.
        source: the row's ``data_source``, which names the task where ``extra_info`` does not.
    """
    named = str(extra.get("id") or extra.get("index") or asked)
    return Question(named, asked, str(target), {"task": source, **extra})


def _plain(value: Any) -> Any:
    """Values that came through numpy and Arrow as Python's own."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return {key: _plain(one) for key, one in items}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in cast("Sequence[Any]", value)]
    return value
