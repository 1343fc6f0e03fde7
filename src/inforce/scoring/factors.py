"""Sentencing factors by rule: what a case states that a sentence depends on.

A stand-in for the model that judges factors in MSR2 (section 4.3.3), for training where none can be
asked: it knows the circumstances of the Supreme People's Court's guideline and the measures that
decide on the tier (harm, amounts in figures), and nothing else. It does not tell whose they are: an
amount that was repaid, or the surrender of somebody else, counts like any. Lists are of bare names,
as the demonstrations here write them; what explains its factors needs a model to judge it.

>>> stated("致被害人轻伤二级，被告人自动投案，赔偿5000元")
('轻伤二级', '5000元', '自首')
"""

from __future__ import annotations

import re

from inforce.law.sentencing import find_factors
from inforce.scoring.judge import HIGHEST, FactorScore

NONE = "无"
"""What is listed where a case states nothing."""

MOST = 6
"""Factors of a case that count: the first, measures before circumstances."""

_SEPARATOR = re.compile(r"[、\s]+")
_NUMBER = r"(?<!\d)(?<!\d[.,，])\d+(?:[.,，]\d+)*"
"""Never begun inside a number, so that a long run of figures is looked at once."""

_MEASURE = re.compile(
    rf"(?:轻微伤|轻伤|重伤)(?:[一二]级)?|死亡|{_NUMBER}余?(?:万余?)?元|{_NUMBER}余?(?:千克|公斤|克)"
    rf"|{_NUMBER}\s?(?:mg|毫克)[/／]100\s?(?:ml|毫升)",
    re.IGNORECASE,
)


def stated(fact: str) -> tuple[str, ...]:
    """The factors a case states: measures as it writes them, circumstances by their names."""
    measures = ("".join(found[0].split()) for found in _MEASURE.finditer(fact))
    names = (one.name for one in find_factors(fact))
    return tuple(dict.fromkeys([*measures, *names]))[:MOST]


def listed(factors: str) -> frozenset[str]:
    """The factors of a list, each between 、 or white space.

    >>> sorted(listed("自首、轻伤二级")), listed("无")
    (['自首', '轻伤二级'], frozenset())
    """
    return frozenset(_SEPARATOR.split(factors)) - {"", NONE}


def likeness(fact: str, factors: str) -> float:
    """How well a list agrees with what a case states: the F1 of both, from 0 to 1.

    An empty list is right where nothing is stated.
    """
    said, true = listed(factors), frozenset(stated(fact))
    return 2 * len(said & true) / (len(said) + len(true)) if said or true else 1.0


async def judge_by_rule(fact: str, factors: str) -> FactorScore:
    """How far a case bears out a list of factors, without a model; nothing listed is worth 0."""
    if not factors.strip():
        return FactorScore(0, "no factors were listed")
    return FactorScore(round(HIGHEST * likeness(fact, factors)))
