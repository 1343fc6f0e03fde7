"""Lessons in copying: a stand-in for what a pretrained model knows before its warm start.

A model made from nothing learns a few hundred demonstrations by heart, and then cannot copy the
number of an article it has never seen. So it first copies made-up days and citations, in no
protocol, with no tool and nothing about which version governs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from inforce.law.numerals import ProvisionNumber
from inforce.llm.chat import Message
from inforce.train.temporal_search.questions import DatedArticle, article_name, citation

_FIRST, _LAST = date(1980, 1, 1), date(2026, 12, 31)
_HIGHEST_ARTICLE = 999
_ITEMS = 2


def drills(
    articles: Sequence[DatedArticle], count: int, *, seed: int
) -> tuple[tuple[Message, ...], ...]:
    """Conversations in which made-up days and citations are said after somebody.

    Args:
        articles: whose laws are named; their numbers are not used.
        count: how many conversations.
        seed: fixes them.
    """
    chance = Random(seed)
    laws = sorted({one.law for one in articles})
    return tuple(_drill(laws, chance) for _ in range(count))


def _drill(laws: Sequence[str], chance: Random) -> tuple[Message, ...]:
    said = "，".join(_item(laws, chance) for _ in range(_ITEMS))
    return Message("user", said), Message("assistant", said)


def _item(laws: Sequence[str], chance: Random) -> str:
    day = _FIRST + timedelta(chance.randint(0, (_LAST - _FIRST).days))
    number = ProvisionNumber.article(
        chance.randint(1, _HIGHEST_ARTICLE), int(chance.random() < 0.1)
    )
    article = article_name(chance.choice(laws), number)
    return chance.choice((f"{day}", article, f"{day} {article}", citation(article, day)))
