"""What a later wording says in favour of the accused, and whether the facts speak of it.

刑法 art. 12: the law at the trial governs where it is the more lenient one for this accused. A bar
to prosecution or a protection of certain persons is, whatever the penalties are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from inforce.law.fitting import CaseFacts


def bars_prosecution(old: str, new: str, facts: CaseFacts) -> str:
    """What the later wording alone bars prosecution for, where the facts state its conditions.

    刑法 art. 201 since 2009: who paid the tax, the surcharge and the administrative penalty.
    """
    if _BARS.search(old) or not facts.text or REFUSED.search(facts.text):
        return ""
    for match in _BARS.finditer(new):
        conditions = [one for one in match["conditions"].split("，") if not one.startswith("经")]
        if _state(facts, conditions[1:]):
            return match[0]
    return ""


def _state(facts: CaseFacts, conditions: Sequence[str]) -> bool:
    """Whether the facts speak of each condition, in about its words."""
    said, own = set(pairwise(facts.text)), [set(pairwise(one)) for one in conditions]
    return bool(own) and all(len(one & said) >= _STATED * len(one) for one in own)


_BARS = re.compile("(?P<conditions>[^。；\n]+)的，不予追究刑事责任")


def protects(old: str, new: str, facts: CaseFacts) -> str:
    """What the later wording alone says in favour of persons of whom the accused is one.

    刑法 arts. 49 and 72 since 2011: no death penalty from 75 on, probation for pregnant women.
    """
    if _CRUEL.search(facts.text):
        return ""
    for sentence in _SENTENCES.findall(new):
        if sentence not in old and _PROTECTS.search(sentence):
            for words, said in _PERSONS.items():
                if words in sentence and words not in old and re.search(said, facts.text):
                    return sentence
    return ""


_PROTECTS = re.compile("不适用死刑|应当宣告缓刑|应当从轻|应当减轻")
_CRUEL = re.compile("(?<!非)(?<!不)(?<!没有)特别残忍")
_PERSONS = {
    "已满七十五周岁": "(?:七十[五六七八九]|[八九]十.?|7[5-9]|[89][0-9])多?余?周?岁",
    "怀孕的妇女": "怀孕|孕妇",
    "不满十八周岁": "(?:不|未)满(?:十八|18)|未成年|(?:十[四五六七]|1[4-7])周?岁",
}

_STATED = 0.4
"""The share of its pairs of characters by which a condition counts as stated."""


_SENTENCES = re.compile(r"[^。；\n]+")
_FAVOURS = re.compile("可以(?:从轻|减轻|免除)|不予追究|应当(?:从轻|减轻|免除)")
REFUSED = re.compile("(?:没有|未|拒不|不)(?:退|赔|补缴|归还|供述|交待)")


def favours(text: str) -> list[str]:
    """The sentences that favour an accused: lighter punishment, or none."""
    return [one for one in _SENTENCES.findall(text) if _FAVOURS.search(one)]


def is_earned(sentence: str, facts: CaseFacts) -> bool:
    """Whether the facts state what a sentence in favour of an accused asks for.

    刑法 art. 272 since 2021: who returned the money before the indictment.
    """
    match = _MITIGATES.match(sentence)
    if match is None or not facts.text or REFUSED.search(facts.text):
        return False
    conditions = match["conditions"].split("，")
    return _state(facts, [one for one in conditions if not _THE_OFFENCE.match(one)])


_MITIGATES = re.compile("(?P<conditions>[^。；\n]+)的，(?:可以|应当)(?:从轻|减轻|免除)")
_THE_OFFENCE = re.compile("(?:有|犯)(?:本条)?(?:前|第[一二三四五])[两三]?款(?:行为|罪)")


def conduct_named_in(sentence: str) -> list[str]:
    """What an accused has to have done for it."""
    return re.findall("退赃|退赔|退还|补缴|如实供述|主动交待|立功|悔罪", sentence)
