"""How good a recitation is, and, where it is wrong, the law of which time it recites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from inforce.dates import DateRange
from inforce.errors import IdentifierError
from inforce.evals.benchmark import Attempt, Item, ItemScore
from inforce.evals.dated.leakage import Leakage, Passage, leakage, share
from inforce.evals.dated.questions import Dated, OtherWording
from inforce.law.model import same_wording
from inforce.law.numerals import ProvisionNumber
from inforce.llm.chat import ChatModel
from inforce.scoring.answers import tagged_answer
from inforce.scoring.overlap import rouge_l, without_headings

MEASURES: Final = (
    "correct",
    "rouge_l",
    "leak_answer",
    "leak_past",
    "leak_future",
    "shown_leak",
    "shown_future",
    "quoted_leak",
    "quoted_future",
)
"""``correct``: the wording in force then, word for word. ``leak_answer``: the wording of another
time instead, ``leak_past`` an earlier and ``leak_future`` a later one. ``shown_leak``: of the dated
provisions tools returned, the share not in force then, ``shown_future`` the share not yet in force.
``quoted_leak``, ``quoted_future``: the same of sentences quoted in the answer."""

_NUMBER = re.compile(
    r"第\s*[〇零一二三四五六七八九十百千\d]{1,9}\s*条(?:之[一二三四五六七八九十]{1,3})?"
)

NEARLY = 0.95
"""ROUGE-L from which an answer counts as a wording, as in the training reward of the paper."""


async def score(item: Item, attempt: Attempt, judge: ChatModel | None = None) -> ItemScore:
    """Score an attempt; no judge is needed."""
    if not attempt.is_scored:
        return ItemScore(dict.fromkeys(MEASURES))
    dated, said = msgspec.convert(item.facts, Dated), tagged_answer(attempt.text)
    found = leakage(attempt.events, dated.as_of, said=said, known=_known(dated, item.target))
    mistaken = mistaken_for(said, item.target, dated.others)
    values = _of_answer(said, item.target, dated, mistaken) | _of_run(found)
    if dated.kind == "number":
        values |= {"correct": float(names_number(said, item.target)), "rouge_l": None}
    if mistaken is None:
        return ItemScore(values, said)
    note = f"the wording in force {mistaken.window} was given for {dated.as_of}"
    return ItemScore(values, said, {"given": mistaken.id}, note)


def is_verbatim(said: str, right: str) -> bool:
    """Whether a text is the wording: white space and editorial 【…】 headings do not count."""
    return same_wording(without_headings(said), without_headings(right))


def names_number(said: str, right: str) -> bool:
    """Whether the first article a text names is the right one.

    >>> names_number("应为第四十六条。", "第四十六条"), names_number("第46条", "第四十六条")
    (True, True)
    >>> names_number("第四十六条之一", "第四十六条"), names_number("四十六", "第四十六条")
    (False, False)
    """
    named = _NUMBER.search(said)
    try:
        return named is not None and ProvisionNumber.parse(named[0]) == ProvisionNumber.parse(right)
    except IdentifierError:
        return False


def mistaken_for(said: str, right: str, others: Sequence[OtherWording]) -> OtherWording | None:
    """The wording of another time that was given instead of the right one, if one was.

    It must be nearly that wording, and nearer to it than to the right one: where a revision changed
    two characters, a slip is no leak.
    """
    if is_verbatim(said, right) or names_number(said, right) or not others:
        return None
    if _NUMBER.fullmatch(right):
        return next((one for one in others if names_number(said, one.text)), None)
    nearest = max(others, key=lambda one: _nearness(said, one.text))
    score = _nearness(said, nearest.text)
    return nearest if score >= NEARLY and score > _nearness(said, right) else None


def _nearness(said: str, wording: str) -> float:
    return rouge_l(without_headings(said), without_headings(wording))


def _of_answer(
    said: str, right: str, dated: Dated, mistaken: OtherWording | None
) -> dict[str, float | None]:
    past = mistaken is not None and mistaken.valid_from < dated.as_of.start
    return {
        "correct": float(is_verbatim(said, right)),
        "rouge_l": rouge_l(said, right),
        "leak_answer": float(mistaken is not None),
        "leak_past": float(past),
        "leak_future": float(mistaken is not None and not past),
    }


def _of_run(found: Leakage) -> dict[str, float | None]:
    return {
        "shown_leak": share(found.shown, "past", "future"),
        "shown_future": share(found.shown, "future"),
        "quoted_leak": share(found.quoted, "past", "future"),
        "quoted_future": share(found.quoted, "future"),
    }


def _known(dated: Dated, right: str) -> tuple[Passage, ...]:
    """The texts of the provision, so that law a model has by heart is recognised too."""
    window = DateRange(dated.valid_from, dated.valid_to)
    others = (Passage(one.id, one.window, one.text) for one in dated.others)
    return (Passage(dated.version, window, right), *others)
