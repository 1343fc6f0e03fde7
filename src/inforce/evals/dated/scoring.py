"""Scores of a recitation, and of the law of another time that it gives instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from inforce.dates import DateRange
from inforce.errors import IdentifierError
from inforce.evals.benchmark import Attempt, Item, ItemScore
from inforce.evals.dated.leakage import DatedText, leakage, share
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
time instead, ``leak_past`` an earlier and ``leak_future`` a later one. ``shown_leak``: the share of
the dated provisions returned by tools that was not in force then, ``shown_future`` the share not
yet in force. ``quoted_leak``, ``quoted_future``: the same of sentences quoted in the answer."""

_NUMBER = re.compile(
    r"第\s*[〇零一二三四五六七八九十百千\d]{1,9}\s*条(?:之[一二三四五六七八九十]{1,3})?"
)

NEARLY = 0.95
"""ROUGE-L from which an answer counts as a wording, as in the training reward of the paper."""


async def score(item: Item, attempt: Attempt, judge: ChatModel | None = None) -> ItemScore:
    """Score an attempt; no judge is needed."""
    if not attempt.is_scored:
        return ItemScore(dict.fromkeys(MEASURES))
    dated, answer = msgspec.convert(item.facts, Dated), tagged_answer(attempt.text)
    window = DateRange(dated.valid_from, dated.valid_to)
    known = (  # so that law a model knows by heart is recognised too
        DatedText(dated.version, window, item.target),
        *(DatedText(one.id, one.window, one.text) for one in dated.others),
    )
    found = leakage(attempt.events, dated.as_of, answer=answer, known=known)
    mistaken = mistaken_for(answer, item.target, dated.others)
    is_past = mistaken is not None and mistaken.valid_from < dated.as_of.start
    values: dict[str, float | None] = {
        "correct": float(is_verbatim(answer, item.target)),
        "rouge_l": rouge_l(answer, item.target),
        "leak_answer": float(mistaken is not None),
        "leak_past": float(is_past),
        "leak_future": float(mistaken is not None and not is_past),
        "shown_leak": share(found.shown, "past", "future"),
        "shown_future": share(found.shown, "future"),
        "quoted_leak": share(found.quoted, "past", "future"),
        "quoted_future": share(found.quoted, "future"),
    }
    if dated.kind == "number":
        values |= {"correct": float(names_number(answer, item.target)), "rouge_l": None}
    if mistaken is None:
        return ItemScore(values, answer)
    note = f"the wording in force {mistaken.window} was given for {dated.as_of}"
    return ItemScore(values, answer, {"given": mistaken.id}, note)


def is_verbatim(answer: str, target: str) -> bool:
    """True if a text is the wording; white space and editorial 【…】 headings do not count."""
    return same_wording(without_headings(answer), without_headings(target))


def names_number(answer: str, target: str) -> bool:
    """True if the first article that a text names is the right one.

    >>> names_number("应为第四十六条。", "第四十六条"), names_number("第46条", "第四十六条")
    (True, True)
    >>> names_number("第四十六条之一", "第四十六条"), names_number("四十六", "第四十六条")
    (False, False)
    """
    named = _NUMBER.search(answer)
    try:
        number = ProvisionNumber.parse(target)
        return named is not None and ProvisionNumber.parse(named[0]) == number
    except IdentifierError:
        return False


def mistaken_for(answer: str, target: str, others: Sequence[OtherWording]) -> OtherWording | None:
    """The wording of another time that an answer gives instead of the right one, if it does.

    The answer must be nearly that wording, and nearer to it than to the right one: where a revision
    changed two characters, a slip is no leak.
    """
    if is_verbatim(answer, target) or names_number(answer, target) or not others:
        return None
    if _NUMBER.fullmatch(target):
        return next((one for one in others if names_number(answer, one.text)), None)

    def nearness(wording: str) -> float:
        return rouge_l(without_headings(answer), without_headings(wording))

    nearest = max(others, key=lambda one: nearness(one.text))
    score = nearness(nearest.text)
    return nearest if score >= NEARLY and score > nearness(target) else None
