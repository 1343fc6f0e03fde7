"""What a later wording says in favour of the accused, and whether the facts fulfil it.

刑法 art. 12: the law at the trial governs where it is the more lenient one for this accused. A bar
to prosecution and a protection of certain persons are more lenient whatever the penalties are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from inforce.law.penalties.amounts import CaseFacts

_SENTENCES = re.compile(r"[^。；\n]+")
_BARS = re.compile("(?P<conditions>[^。；\n]+)的，不予追究刑事责任")
_PROTECTS = re.compile("不适用死刑|应当宣告缓刑|应当从轻|应当减轻")
_PERSONS = {
    "已满七十五周岁": "(?:七十[五六七八九]|[八九]十.?|7[5-9]|[89][0-9])多?余?周?岁",
    "怀孕的妇女": "怀孕|孕妇",
    "不满十八周岁": "(?:不|未)满(?:十八|18)|未成年|(?:十[四五六七]|1[4-7])周?岁",
}
"""Persons a statute protects, with the words by which facts name one."""
_CRUEL = re.compile("(?<!非)(?<!不)(?<!没有)特别残忍")
_MITIGATES = re.compile("可以(?:从轻|减轻|免除)|不予追究|应当(?:从轻|减轻|免除)")
_CONDITIONAL = re.compile("(?P<conditions>[^。；\n]+)的，(?:可以|应当)(?:从轻|减轻|免除)")
_THE_OFFENCE = re.compile("(?:有|犯)(?:本条)?(?:前|第[一二三四五])[两三]?款(?:行为|罪)")
_CONDUCT = re.compile("退赃|退赔|退还|补缴|如实供述|主动交待|立功|悔罪")
_IN_OTHER_WORDS = {
    "补缴应纳税款": "补[缴交齐上]了?[^，。；]{0,8}税|税款?[^，。；]{0,8}补[缴交齐上]",
    "缴纳滞纳金": "滞纳金",
    "已受行政处罚": "(?:接受|受到|受)了?[^，。；]{0,4}处罚|罚款[^，。；]{0,6}[缴交]|[缴交]了?罚款",
}
"""What a statute asks for, with the words by which facts state it."""
_REFUSED = re.compile("(?:没有|未|拒不|不)(?:退|赔|补缴|归还|供述|交待)")
_STATED = 0.4
"""Share of a condition's pairs of neighbouring characters from which facts count as stating it."""


def bar_to_prosecution(old: str, new: str, facts: CaseFacts) -> str:
    """The sentence by which only the later wording bars prosecution on these facts; else empty.

    刑法 art. 201 since 2009: who paid the tax, the surcharge and the administrative penalty.
    """
    if _BARS.search(old) or not facts.text or _REFUSED.search(facts.text):
        return ""
    for match in _BARS.finditer(new):
        conditions = [
            condition
            for condition in match["conditions"].split("，")
            if not condition.startswith("经")
        ]
        if _fulfils(facts, conditions[1:]):
            return match[0]
    return ""


def protection(old: str, new: str, facts: CaseFacts) -> str:
    """The sentence by which only the later wording protects a person such as the accused.

    刑法 arts. 49 and 72 since 2011: no death penalty from 75 on, probation for pregnant women.
    Empty where there is none.
    """
    if _CRUEL.search(facts.text):
        return ""
    for sentence in _SENTENCES.findall(new):
        if sentence not in old and _PROTECTS.search(sentence):
            for words, described in _PERSONS.items():
                if words in sentence and words not in old and re.search(described, facts.text):
                    return sentence
    return ""


class AddedMitigation(NamedTuple):
    """Sentences in favour of an accused that the later wording has and the earlier one has not."""

    sentences: tuple[str, ...] = ()
    fulfilled: tuple[str, ...] = ()
    """Those whose conditions the facts state: 刑法 art. 272 since 2021, who returned the money
    before the indictment."""
    may_apply: bool = False
    """Whether the facts mention conduct that one asks for, and do not deny it."""


def added_mitigation(old: str, new: str, facts: CaseFacts) -> AddedMitigation:
    """What the later wording adds in favour of an accused: lighter punishment, or none."""
    known = {word for sentence in _mitigating(old) for word in _CONDUCT.findall(sentence)}
    added = [
        sentence
        for sentence in _mitigating(new)
        if sentence not in old and not known.intersection(_CONDUCT.findall(sentence))
    ]
    mentioned = [
        sentence
        for sentence in added
        if any(word in facts.text for word in _CONDUCT.findall(sentence))
    ]
    refused = _REFUSED.search(facts.text) is not None
    fulfilled = (
        ()
        if refused
        else tuple(sentence for sentence in mentioned if _is_fulfilled(sentence, facts))
    )
    return AddedMitigation(tuple(added), fulfilled, bool(mentioned) and not refused)


def _mitigating(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCES.findall(text) if _MITIGATES.search(sentence)]


def _is_fulfilled(sentence: str, facts: CaseFacts) -> bool:
    match = _CONDITIONAL.match(sentence)
    if match is None:
        return False
    conditions = match["conditions"].split("，")
    return _fulfils(
        facts, [condition for condition in conditions if not _THE_OFFENCE.match(condition)]
    )


def _fulfils(facts: CaseFacts, conditions: Sequence[str]) -> bool:
    """Whether the facts state each condition, in about its words or in those people use."""
    return bool(conditions) and all(_states(facts.text, condition) for condition in conditions)


def _states(text: str, condition: str) -> bool:
    others = _IN_OTHER_WORDS.get(condition)
    if others and re.search(others, text):
        return True
    pairs = set(pairwise(condition))
    return len(pairs & set(pairwise(text))) >= _STATED * len(pairs)
