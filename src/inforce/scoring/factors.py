"""Sentencing factors by rule: the facts of a case that a sentence depends on.

A substitute for the model that judges factors in MSR2 (section 4.3.3), for training without one. It
knows the circumstances of the Supreme People's Court's guideline and the measures that decide on
the tier (harm, amounts in figures), and nothing else. It cannot attribute them: an amount that was
repaid, or the surrender of somebody else, counts like any other. Lists are of bare names, as our
demonstrations write them; factors with explanations need a model to judge them.

>>> stated("致被害人轻伤二级，被告人自动投案，赔偿5000元")
('轻伤二级', '5000元', '自首')
"""

from __future__ import annotations

import re

from inforce.law.penalties.sentencing import find_factors
from inforce.scoring.judge import HIGHEST, FactorScore

NONE = "无"
"""The list of a case without factors."""

MOST = 6
"""The number of factors that count, measures before circumstances."""

_SEPARATOR = re.compile(r"[、\s]+")
_NUMBER = r"(?<!\d)(?<!\d[.,，])\d+(?:[.,，]\d+)*"
"""Does not begin inside a number, so that a long row of digits is scanned once."""

_MEASURE = re.compile(
    rf"(?:轻微伤|轻伤|重伤)(?:[一二]级)?|死亡|{_NUMBER}余?(?:万余?)?元|{_NUMBER}余?(?:千克|公斤|克)"
    rf"|{_NUMBER}\s?(?:mg|毫克)[/／]100\s?(?:ml|毫升)",
    re.IGNORECASE,
)


def stated(fact: str) -> tuple[str, ...]:
    """The factors that a case states: measures as it writes them, circumstances by their names."""
    measures = ("".join(found[0].split()) for found in _MEASURE.finditer(fact))
    names = (one.name for one in find_factors(fact))
    return tuple(dict.fromkeys([*measures, *names]))[:MOST]


def listed(factors: str) -> frozenset[str]:
    """The factors of a list, separated by 、 or white space.

    >>> sorted(listed("自首、轻伤二级")), listed("无")
    (['自首', '轻伤二级'], frozenset())
    """
    return frozenset(_SEPARATOR.split(factors)) - {"", NONE}


def likeness(fact: str, factors: str) -> float:
    """The F1 of a list and the factors that a case states, 0 to 1; 1 if both are empty."""
    named, true = listed(factors), frozenset(stated(fact))
    return 2 * len(named & true) / (len(named) + len(true)) if named or true else 1.0


async def judge_by_rule(fact: str, factors: str) -> FactorScore:
    """Judge a list of factors without a model; an empty text scores 0."""
    if not factors.strip():
        return FactorScore(0, "no factors were listed")
    return FactorScore(round(HIGHEST * likeness(fact, factors)))
