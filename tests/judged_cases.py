"""Invented cases, and the lines a file of them has."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from inforce.scoring.cases import Case

THEFT = "被告人{name}在{place}秘密窃取他人手机一部，价值人民币{amount}元。"
FRAUD = "被告人{name}在{place}虚构投资项目，骗取被害人钱款{amount}元。"
INJURY = "被告人{name}在{place}持木棍殴打被害人，致其轻伤，医疗费{amount}元。"
KINDS = ((THEFT, 264, "盗窃", 8), (FRAUD, 266, "诈骗", 40), (INJURY, 234, "故意伤害", 12))


def case(fact: str = "被告人甲窃取手机一部。", **stated: Any) -> Case:
    """A complete theft case unless stated otherwise."""
    given: dict[str, Any] = {
        "id": fact,
        "articles": (264,),
        "charges": ("盗窃",),
        "months": 8,
        **stated,
    }
    return Case(fact=fact, **given)


def many(count: int = 120) -> list[Case]:
    """So many cases of three kinds, each with a fact and an id of its own."""
    made: list[Case] = []
    for number in range(count):
        text, article, charge, months = KINDS[number % len(KINDS)]
        fact = text.format(name=f"甲{number}", place=f"第{number}号楼", amount=1000 + number)
        made.append(
            case(fact, id=f"c{number}", articles=(article,), charges=(charge,), months=months)
        )
    return made


def line(one: Case, **more: Any) -> str:
    """The case as CAIL2018 writes it."""
    term = {
        "imprisonment": one.months,
        "death_penalty": one.death,
        "life_imprisonment": one.life,
    }
    record = {
        "fact": one.fact,
        "meta": {
            "relevant_articles": list(one.articles),
            "accusation": list(one.charges),
            "criminals": ["甲"],
            "punish_of_money": 0,
            "term_of_imprisonment": None if one.months is None else term,
        },
        "splits": list(one.sources),
        **more,
    }
    return json.dumps(record, ensure_ascii=False)


def write(path: Path, cases: Sequence[Case], *, extra: Iterable[str] = ()) -> Path:
    """A file of these cases, with their ids."""
    lines = [*(line(one, id=one.id) for one in cases), *extra]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
